//! Builds, installs and tests the Python package as its users would.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::run::succeed;
use crate::venv::{Venv, check_python};
use anyhow::{Context, Result};

/// The folder of the package.
pub const FOLDER: &str = "crates/python";

/// Name of the virtual environment under `target`.
pub const VENV: &str = "python-tests";

/// Install the package in a fresh virtual environment under `target` and test it there: run its tests and the examples
/// of its documents, and check its types (needs Python 3.10 with `venv`).
#[derive(clap::Args)]
pub struct Args {
    /// Arguments of pytest, such as `-k NAME` to select tests, or of the benchmark
    #[arg(last = true)]
    more: Vec<String>,
    /// Compile it as released, without the overflow checks that tests have
    #[arg(long)]
    release: bool,
    /// Run this benchmark on a release build instead
    #[arg(long, value_enum)]
    bench: Option<Bench>,
}

/// The benchmarks in `crates/python/benches`.
#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Whether memory stays constant over 10^8 boards
    Memory,
    /// The time of each batch call, and of the Python code that a user would write instead
    Batches,
    /// The time from Ctrl-C to the end of a search
    Interrupt,
    /// Steps per second of environments, compared with jumanji if it is installed
    Environments,
}

pub fn run(args: &Args) -> Result<()> {
    let venv = prepare()?;
    let more: Vec<_> = args.more.iter().map(String::as_str).collect();
    if let Some(bench) = args.bench {
        install(&venv, "release")?;
        return measure(&venv, bench, &more);
    }
    install(&venv, if args.release { "release" } else { "dev" })?;
    if more.is_empty() { try_installed(&venv) } else { test(&venv, &more) }
}

/// Creates a fresh environment with all packages that the tests need, from a registry or the pip cache.
pub fn prepare() -> Result<Venv> {
    check_python()?;
    let venv = Venv::fresh(VENV)?;
    venv.install_all(Path::new(FOLDER).join("tests/requirements.txt"))?;
    Ok(venv)
}

/// The CI step: compiles the package with the same profile as the other tests, so that they share dependencies.
pub fn test_package(venv: &Venv) -> Result<()> {
    install(venv, "dev")?;
    try_installed(venv)
}

/// Runs `pip install crates/python`, compiled with this profile.
pub fn install(venv: &Venv, profile: &str) -> Result<()> {
    // The build tools are in the environment already. maturin takes the profile from a variable.
    let arguments = ["--no-build-isolation", "--no-deps", "--force-reinstall"];
    let mut pip = venv.pip_install();
    pip.args(arguments).arg(FOLDER).env("MATURIN_PEP517_ARGS", format!("--profile {profile}"));
    pip.env("PATH", with_programs_of(venv)?);
    succeed(&mut pip)
}

/// Returns `PATH` with the programs of the environment first.
fn with_programs_of(venv: &Venv) -> Result<std::ffi::OsString> {
    let programs = venv.program("");
    let paths = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths([programs].into_iter().chain(env::split_paths(&paths)))?)
}

fn try_installed(venv: &Venv) -> Result<()> {
    test(venv, &[])?;
    check_types(venv)
}

/// Runs the tests, with additional arguments for pytest.
fn test(venv: &Venv, arguments: &[&str]) -> Result<()> {
    let mut pytest = venv.command("pytest");
    pytest.arg(package()?.join("tests")).args(["-p", "no:cacheprovider", "--durations", "5"]);
    pytest.args(arguments).env("HYPOTHESIS_STORAGE_DIRECTORY", "hypothesis");
    // The tests must not use the user's own tables.
    succeed(pytest.env("LOYD_CACHE", "none"))
}

/// Checks the types of the package, that its stubs match the module, and the types of the recipes.
fn check_types(venv: &Venv) -> Result<()> {
    let config = package()?.join("pyproject.toml");
    let mypy = || {
        let mut command = venv.command("mypy");
        command.arg("--strict").arg("--config-file").arg(&config);
        command
    };
    succeed(mypy().args(["--package", "loyd"]))?;
    let mut stubtest = venv.command("stubtest");
    // Classes made by PyO3 differ from Python classes in object layout and in the parameter names of operators.
    let apart = ["--ignore-disjoint-bases", "--ignore-positional-only"];
    stubtest.arg("--concise").args(apart).arg("--allowlist");
    stubtest.arg(package()?.join("tests/stubtest.txt")).arg("loyd._loyd");
    succeed(&mut stubtest)?;
    succeed(mypy().args(recipes()?).args(files(Path::new(FOLDER).join("benches").as_path(), "py")?))
}

/// Returns the recipes.
pub fn recipes() -> Result<Vec<PathBuf>> {
    files(&package()?.join("recipes"), "py")
}

/// Returns the absolute paths of the files of a folder with this extension, sorted.
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

/// Returns the absolute path of the package.
fn package() -> Result<PathBuf> {
    Ok(fs::canonicalize(FOLDER)?)
}

fn measure(venv: &Venv, bench: Bench, more: &[&str]) -> Result<()> {
    if matches!(bench, Bench::Batches) {
        // The package to compare with, which requires an old NumPy. The benchmark also runs without it.
        venv.pip_install().args(["--no-deps", "slidingpuzzle==0.1.5"]).status()?;
    }
    let value = bench.to_possible_value().context("a bench has a name")?;
    let program = package()?.join("benches").join(value.get_name()).with_extension("py");
    succeed(venv.command("python").arg(program).args(more))
}
