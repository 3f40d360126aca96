//! The release: its version, its commit, and the folders used.

use std::cell::Cell;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::run::metadata;
use crate::wasm;

/// A release of the checked out commit.
pub struct Release {
    pub version: String,
    pub commit: String,
    /// Time of the commit in seconds since 1970, which all files get.
    pub epoch: u64,
    /// Root of the workspace.
    pub root: PathBuf,
    /// Folder of the results, `target/dist`.
    pub out: PathBuf,
    /// Folder for unfinished files and virtual environments.
    pub work: PathBuf,
    target: PathBuf,
    engine_made: Cell<bool>,
}

impl Release {
    /// Describes the checked out commit.
    pub fn open() -> Result<Self> {
        let metadata = metadata()?;
        let path = |key: &str| metadata[key].as_str().map(PathBuf::from).context("no such folder");
        let packages = metadata["packages"].as_array().context("no packages")?;
        let program = packages.iter().find(|package| package["name"] == "loyd");
        let version = program.and_then(|package| package["version"].as_str());
        let target = path("target_directory")?;
        Ok(Self {
            version: version.context("the program has no version")?.to_owned(),
            commit: git(&["rev-parse", "HEAD"])?,
            epoch: git(&["log", "-1", "--format=%ct"])?.parse()?,
            root: path("workspace_root")?,
            out: target.join("dist"),
            work: target.join("dist-work"),
            target,
            engine_made: Cell::new(false),
        })
    }

    /// Like [`Self::open`], but refuses files that differ from the commit, because the release would contain them.
    pub fn open_clean() -> Result<Self> {
        let changed = git(&["status", "--porcelain"])?;
        if !changed.is_empty() {
            bail!("a release is built from a commit, but these files differ from it:\n{changed}");
        }
        Self::open()
    }

    /// Deletes the results of an earlier run.
    pub fn empty_output(&self) -> Result<()> {
        replace_folder(&self.out)
    }

    /// Checks that a built file does not contain the path of the machine's compiled crates or of the sources: flags were
    /// missing when it, or a file in it, was compiled.
    ///
    /// # Errors
    /// Fails with the path found.
    pub fn check_paths(&self, file: &Path) -> Result<()> {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        for folder in [cargo_home()?.join("registry/src"), self.root.clone()] {
            let path = folder.to_str().context("a path is not UTF-8")?;
            let is_found = bytes.windows(path.len()).any(|part| part == path.as_bytes());
            ensure!(!is_found, "{} contains the path {path}", file.display());
        }
        Ok(())
    }

    /// Returns an empty folder for unfinished files.
    pub fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.join(name);
        replace_folder(&folder)?;
        Ok(folder)
    }

    /// Builds the engine of the page once per run. Programs embed it.
    pub fn make_engine(&self) -> Result<()> {
        if !self.engine_made.get() {
            wasm::make_with_flags(&self.flags("")?)?;
            self.engine_made.set(true);
        }
        Ok(())
    }

    /// Returns cargo's target directory for builds of a release.
    pub fn build_folder(&self) -> PathBuf {
        self.target.join("dist-build")
    }

    /// Sets the variables with which builds are reproducible, apart from the flags of the compiler.
    pub fn prepare(&self, command: &mut Command) {
        command
            .env("CARGO_TARGET_DIR", self.build_folder())
            .env("CARGO_INCREMENTAL", "0")
            .env("SOURCE_DATE_EPOCH", self.epoch.to_string());
    }

    /// Returns `flags` for the compiler with the flags that replace the paths of this machine in programs.
    pub fn flags(&self, flags: &str) -> Result<String> {
        // The last prefix that matches is replaced; the target directory may be in the workspace.
        let mut replaced = vec![(self.root.clone(), "/loyd"), (self.target.clone(), "/target")];
        let home = cargo_home()?;
        // One folder per registry, with a name that depends on how the registry is reached.
        for registry in fs::read_dir(home.join("registry/src")).into_iter().flatten() {
            replaced.push((registry?.path(), "/crates"));
        }
        let mut all = Vec::new();
        for (path, name) in replaced {
            let path = path.to_str().context("a path is not UTF-8")?;
            if path.contains(char::is_whitespace) {
                bail!("{path}: the path of a release build must not contain spaces");
            }
            all.push(format!("--remap-path-prefix={path}={name}"));
        }
        all.extend(flags.split_whitespace().map(str::to_owned));
        Ok(all.join(" "))
    }
}

/// Returns the folder in which cargo keeps the sources of crates.
fn cargo_home() -> Result<PathBuf> {
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or(home).context("HOME is not set")
}

/// Runs git and returns what it prints.
fn git(arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").args(arguments).output().context("git is missing")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// Creates an empty folder, and deletes an existing one.
pub fn replace_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}
