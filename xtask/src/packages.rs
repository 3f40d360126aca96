//! Packages the crates as for crates.io, and installs the program from these packages alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::run::{cargo, print_line, succeed};
use crate::serving::target;

/// Package all crates as for crates.io, compile each package, and install the program from the packages alone. Needs a
/// registry or its cache for other crates.
#[derive(clap::Args)]
pub struct Args {
    /// Package changes that are not committed too
    #[arg(long)]
    allow_dirty: bool,
}

/// A board with its shortest solution.
const BOARD: (&str, &str) = ("2 3 4 1 5 x 7 6 8", "ullddrurdllurrdlurd\n");

pub fn run(args: &Args) -> Result<()> {
    let folder = target()?.join("packages");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut publish = cargo(&["publish", "--dry-run", "--workspace"]);
    publish.args(args.allow_dirty.then_some("--allow-dirty"));
    succeed(publish.arg("--target-dir").arg(&folder))?;
    let unpacked = unpack(&folder)?;
    let program = unpacked.iter().find(|(name, _)| name == "loyd");
    let (_, program) = program.context("the program has no package")?;
    let mut install = cargo(&["install", "--locked", "--root"]);
    install.arg(folder.join("installed")).arg("--path").arg(program);
    for (name, path) in &unpacked {
        install.arg("--config").arg(format!("patch.crates-io.{name}.path={path:?}"));
    }
    succeed(&mut install)?;
    let (board, moves) = BOARD;
    let installed = folder.join("installed/bin/loyd");
    let output = Command::new(&installed).arg(board).env("LOYD_CACHE", "none").output()?;
    let output = String::from_utf8(output.stdout)?;
    ensure!(output == moves, "{} prints {output:?}", installed.display());
    print_line(format_args!("{} packages; {}", unpacked.len(), installed.display()));
    Ok(())
}

/// Unpacks the packages, and returns the name and the folder of each.
fn unpack(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let sources = folder.join("sources");
    fs::create_dir_all(&sources)?;
    let mut unpacked = Vec::new();
    for entry in fs::read_dir(folder.join("package"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "crate") {
            continue;
        }
        succeed(Command::new("tar").arg("-xzf").arg(&path).arg("-C").arg(&sources))?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).context("a name")?;
        let (name, _) = stem.rsplit_once('-').context("a package has a version")?;
        unpacked.push((name.to_owned(), sources.join(stem)));
    }
    Ok(unpacked)
}
