//! Packages for Python: wheels with the compiled module, and the sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::packing::{PLAIN, files, output, put, tar_gz, write};
use super::platform::Platform;
use super::program::THIRD_PARTY;
use super::release::Release;
use super::{site, third_party};
use crate::compiler::{all, first_with_target, variable};
use crate::python::FOLDER;
use crate::run::succeed;
use crate::venv::{Venv, check_python};

/// List of the tools, relative to the root of the workspace.
const TOOLS: &str = "xtask/src/dist/requirements.txt";

/// The tag of the wheels: the module needs at most version 2.17 of the GNU C library.
const COMPATIBILITY: &str = "manylinux2014";
const TAG: &str = "manylinux_2_17_";

/// Builds the wheel for `platform`. One wheel serves all versions of Python from the oldest supported one.
pub fn wheel(release: &Release, platform: &Platform) -> Result<String> {
    let target = platform.target;
    let compilers = all();
    // maturin cannot compile the standard library from its sources.
    let rustc = first_with_target(&compilers, target).with_context(|| {
        format!("no compiler has the standard library of {target}: `rustup target add {target}`, or see `cargo xtask arm`")
    })?;
    let tools = tools()?;
    release.make_engine()?;
    let folder = release.scratch(&format!("wheel-{}", platform.name))?;
    let licences = Licences::put(release, target)?;
    let mut build = maturin(release, &tools)?;
    build.args(["build", "--release", "--locked", "--zig", "--target", target]);
    build.args(["--compatibility", COMPATIBILITY, "--manifest-path"]).arg(manifest(release));
    build.arg("--out").arg(&folder).env("RUSTC", rustc);
    succeed(build.env(variable(target, "RUSTFLAGS"), release.flags("")?))
        .with_context(|| format!("the wheel cannot be built for {target}"))?;
    drop(licences);
    let wheel = files(&folder)?.pop().context("maturin wrote no wheel")?;
    check_tag(&tools, &wheel)?;
    let name = file_name(&wheel)?;
    fs::copy(&wheel, release.out.join(&name))?;
    Ok(name)
}

/// Builds the package of sources. It contains the page, which the server embeds; maturin includes only crates.
pub fn sdist(release: &Release) -> Result<String> {
    let tools = tools()?;
    release.make_engine()?;
    let folder = release.scratch("sdist")?;
    let mut build = maturin(release, &tools)?;
    build.args(["sdist", "--manifest-path"]).arg(manifest(release)).arg("--out").arg(&folder);
    succeed(&mut build).context("maturin cannot pack the sources")?;
    let archive = files(&folder)?.pop().context("maturin wrote no archive")?;
    succeed(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&folder))?;
    let name = format!("loyd-{}", release.version);
    site::put_licences(release, &folder.join(&name))?;
    site::copy_page(release, &folder.join(&name).join("page"))?;
    tar_gz(release, &folder, &name)
}

/// Checks with `auditwheel` that the wheel needs no newer system than its tag promises.
fn check_tag(tools: &Venv, wheel: &Path) -> Result<()> {
    let printed = output(tools.command("auditwheel").arg("show").arg(wheel))?;
    let printed = String::from_utf8_lossy(&printed);
    // The text is wrapped.
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let consistent = format!("consistent with the following platform tag: \"{TAG}");
    ensure!(
        printed.contains(&consistent),
        "auditwheel does not find {TAG} in {}: {printed}",
        wheel.display()
    );
    Ok(())
}

/// Returns the environment with the tools, from a registry or the pip cache.
fn tools() -> Result<Venv> {
    check_python()?;
    let venv = Venv::open("dist-tools")?;
    venv.install_all(TOOLS)?;
    Ok(venv)
}

/// Returns a command of maturin. It finds the linker of `ziglang` by `PATH`.
fn maturin(release: &Release, tools: &Venv) -> Result<Command> {
    let mut command = Command::new(tools.program("maturin"));
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = [tools.program("")].into_iter().chain(env::split_paths(&paths));
    release.prepare(&mut command);
    command.env("PATH", env::join_paths(paths)?).env("VIRTUAL_ENV", tools.folder());
    Ok(command)
}

fn manifest(release: &Release) -> PathBuf {
    release.root.join(FOLDER).join("Cargo.toml")
}

fn file_name(path: &Path) -> Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(name.context("a file has a name")?.to_owned())
}

/// Licences in the folder of the package, where maturin looks for them. They are removed in the end.
struct Licences(Vec<PathBuf>);

impl Licences {
    fn put(release: &Release, target: &str) -> Result<Self> {
        let folder = release.root.join(FOLDER);
        let licences = Self(
            ["LICENSE-APACHE", "LICENSE-MIT", THIRD_PARTY].map(|name| folder.join(name)).into(),
        );
        for path in &licences.0[..2] {
            put(&release.root.join(file_name(path)?), path, PLAIN)?;
        }
        let text = third_party::licences("loyd-python", target)?;
        write(&licences.0[2], text.as_bytes(), PLAIN)?;
        Ok(licences)
    }
}

impl Drop for Licences {
    fn drop(&mut self) {
        for path in &self.0 {
            // A file that was not written is not there.
            let _ = fs::remove_file(path);
        }
    }
}
