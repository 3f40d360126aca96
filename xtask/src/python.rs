//! The package for Python: built, installed, and tried as its users do.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;

use crate::Result;
use crate::run::succeed;
use crate::venv::{Venv, check_python};

/// The package.
pub const FOLDER: &str = "crates/python";

/// The virtual environment, under `target`.
const VENV: &str = "python-tests";

/// Install the package in a fresh virtual environment under `target`, and try it there: its tests, its documents and
/// its types (needs Python 3.10 with `venv`).
#[derive(clap::Args)]
pub struct Args {
    /// Arguments of pytest, such as `-k NAME` for a few tests alone, or of the measurement
    #[arg(last = true)]
    more: Vec<String>,
    /// Compile it as it is released, without the checks for overflow that tests have
    #[arg(long)]
    release: bool,
    /// Run this measurement on a release build instead
    #[arg(long, value_enum)]
    bench: Option<Bench>,
}

/// What `crates/python/benches` has.
#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Whether memory stays what it was over 10^8 boards
    Memory,
    /// The time of each batch call, and of what a user would write instead
    Batches,
    /// How soon Ctrl-C ends a search
    Interrupt,
    /// Steps a second of environments, beside jumanji's if it is installed
    Environments,
}

pub fn run(args: &Args) -> Result<()> {
    let venv = prepare()?;
    let more: Vec<_> = args.more.iter().map(String::as_str).collect();
    if let Some(bench) = args.bench {
        install(&venv, "python")?;
        return measure(&venv, bench, &more);
    }
    install(&venv, if args.release { "python" } else { "dev" })?;
    if more.is_empty() { try_installed(&venv) } else { test(&venv, &more) }
}

/// A fresh environment with all packages that the tests need, from a registry or what pip has kept.
pub fn prepare() -> Result<Venv> {
    check_python()?;
    let venv = Venv::fresh(VENV)?;
    venv.install_all(Path::new(FOLDER).join("tests/requirements.txt"))?;
    Ok(venv)
}

/// The step of CI: the package compiled as the other tests are, so that it shares their dependencies.
pub fn test_package(venv: &Venv) -> Result<()> {
    install(venv, "dev")?;
    try_installed(venv)
}

/// `pip install crates/python`, compiled with this profile.
pub fn install(venv: &Venv, profile: &str) -> Result<()> {
    // What builds it is in the environment already, and this is how it is told of another profile.
    let arguments = ["--no-build-isolation", "--no-deps", "--force-reinstall"];
    let mut pip = venv.pip_install();
    pip.args(arguments).arg(FOLDER).env("MATURIN_PEP517_ARGS", format!("--profile {profile}"));
    pip.env("PATH", with_programs_of(venv)?);
    succeed(&mut pip)
}

/// The search path with the programs of the environment before all others.
fn with_programs_of(venv: &Venv) -> Result<std::ffi::OsString> {
    let programs = venv.program("");
    let paths = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths([programs].into_iter().chain(env::split_paths(&paths)))?)
}

fn try_installed(venv: &Venv) -> Result<()> {
    test(venv, &[])?;
    check_types(venv)
}

/// The tests, with more arguments for pytest.
fn test(venv: &Venv, arguments: &[&str]) -> Result<()> {
    let mut pytest = venv.command("pytest");
    pytest.arg(package()?.join("tests")).args(["-p", "no:cacheprovider", "--durations", "5"]);
    pytest.args(arguments).env("HYPOTHESIS_STORAGE_DIRECTORY", "hypothesis");
    // The user's own tables are none of the tests' business.
    succeed(pytest.env("LOYD_CACHE", "none"))
}

/// The types of the package, that its stubs say what the module has, and the types of the recipes.
fn check_types(venv: &Venv) -> Result<()> {
    let config = package()?.join("pyproject.toml");
    let mypy = || {
        let mut command = venv.command("mypy");
        command.arg("--strict").arg("--config-file").arg(&config);
        command
    };
    succeed(mypy().args(["--package", "loyd"]))?;
    let mut stubtest = venv.command("stubtest");
    // What PyO3 makes differs from a class of Python in the layout of its objects and in how operators name theirs.
    let apart = ["--ignore-disjoint-bases", "--ignore-positional-only"];
    stubtest.arg("--concise").args(apart).arg("--allowlist");
    stubtest.arg(package()?.join("tests/stubtest.txt")).arg("loyd._loyd");
    succeed(&mut stubtest)?;
    succeed(mypy().args(recipes()?).args(files(Path::new(FOLDER).join("benches").as_path(), "py")?))
}

/// The programs among the recipes.
pub fn recipes() -> Result<Vec<PathBuf>> {
    files(&package()?.join("recipes"), "py")
}

/// The files of a folder whose names end so, in order, as paths that hold anywhere.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let folder = fs::canonicalize(folder).with_context(|| folder.display().to_string())?;
    let mut paths = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Where the package is, from anywhere.
fn package() -> Result<PathBuf> {
    Ok(fs::canonicalize(FOLDER)?)
}

fn measure(venv: &Venv, bench: Bench, more: &[&str]) -> Result<()> {
    if matches!(bench, Bench::Batches) {
        // The package to compare with, which asks for an old NumPy. Without it the bench goes on.
        venv.pip_install().args(["--no-deps", "slidingpuzzle==0.1.5"]).status()?;
    }
    let value = bench.to_possible_value().context("a bench has a name")?;
    let program = package()?.join("benches").join(value.get_name()).with_extension("py");
    succeed(venv.command("python").arg(program).args(more))
}
