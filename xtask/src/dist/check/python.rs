//! Checks of the packages for Python.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::linux::{SUITE, debootstrap, emulator};
use super::log::Log;
use super::uses::Installed;
use crate::dist::packing::{files, output};
use crate::dist::release::Release;
use crate::run::succeed;
use crate::venv::{Venv, check_python};

/// Uses the package and prints `good`.
const PROGRAM: &str = "
import loyd
assert loyd.solve('2 3 4 1 5 x 7 6 8').length == 19
boards = loyd.scramble('3x3', 1000, seed=1)
assert boards.shape == (1000, 3, 3) and int(loyd.distance(boards).max()) <= 31
try:
    loyd.solve('1 2 2')
except ValueError:
    print('good')
";

/// Validates a file of CycloneDX, and prints `good`.
const VALIDATE: &str = "
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
text = open(sys.argv[1]).read()
fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
print(fault or ('good' if len(json.loads(text)['components']) > 100 else 'too few'))
";

/// The check that [`PROGRAM`] is.
const WHAT: &str = "solves a board, labels an array of boards, refuses an impossible board";

/// The Python of [`SUITE`].
const PYTHON: &str = "3.13";

/// Installs the wheel with pip in a fresh environment without compilers, and uses the package and the command.
pub fn check_wheel(release: &Release, wheel: &Path, log: &mut Log) -> Result<()> {
    check_python()?;
    log.enter("a fresh virtual environment without Rust");
    let venv = Venv::fresh("dist-work/check-wheel")?;
    let without_rust = |command: &mut Command| {
        command.env("PATH", venv.program("")).env_remove("CARGO").env_remove("RUSTC");
    };
    let mut pip = venv.pip_install();
    without_rust(&mut pip);
    succeed(pip.args(["--only-binary", ":all:"]).arg(wheel))?;
    log.pass("is installed by pip");
    use_package(&venv, log)?;
    let home = release.scratch("check-wheel-home")?;
    let command = || {
        let mut command = venv.command("loyd");
        command.env_clear().env("PATH", venv.program("")).env("HOME", &home).env("LANG", "C.UTF-8");
        command.current_dir(&home);
        command
    };
    let cache = home.join(".cache/loyd");
    Installed { command: Box::new(command), folder: home.clone(), cache }.use_all(release, log)
}

/// Installs the sources with pip, which compiles them.
pub fn check_sdist(release: &Release, sdist: &Path, log: &mut Log) -> Result<()> {
    check_python()?;
    log.enter("a fresh virtual environment with Rust");
    let venv = Venv::fresh("dist-work/check-sdist")?;
    let mut pip = venv.pip_install();
    pip.arg(sdist).env("CARGO_TARGET_DIR", release.build_folder());
    succeed(&mut pip)?;
    log.pass("is compiled and installed by pip");
    use_package(&venv, log)?;
    super::server::check(&mut venv.command("loyd")).context("serves the page")?;
    log.pass("serves the page, its engine and the API");
    Ok(())
}

fn use_package(venv: &Venv, log: &mut Log) -> Result<()> {
    let mut python = venv.command("python");
    let printed = output(python.args(["-c", PROGRAM]).env("LOYD_CACHE", "none"))?;
    ensure!(printed == b"good\n", "{}", String::from_utf8_lossy(&printed));
    log.pass(WHAT);
    Ok(())
}

/// Compares the bill of materials with the schema of its format.
pub fn check_bill(bill: &Path, log: &mut Log) -> Result<()> {
    check_python()?;
    log.enter("a fresh virtual environment");
    let venv = Venv::fresh("dist-work/check-bill")?;
    succeed(venv.pip_install().arg("cyclonedx-python-lib[json-validation]==11.12.0"))?;
    let printed = output(venv.command("python").args(["-c", VALIDATE]).arg(bill))?;
    ensure!(printed == b"good\n", "{}", String::from_utf8_lossy(&printed));
    log.pass("agrees with the schema of CycloneDX 1.5 and lists more than a hundred crates");
    Ok(())
}

/// Uses the wheel for 64-bit Arm with the Python of a Debian for that machine, in an emulator.
pub fn check_wheel_arm(release: &Release, wheel: &Path, log: &mut Log) -> Result<()> {
    log.enter(&format!("an emulator, the Python of Debian {SUITE}"));
    let emulator = emulator()?;
    let root = release.scratch("check-wheel-arm")?;
    let debian = root.join("debian");
    let mut debootstrap = debootstrap()?;
    debootstrap.args([
        "--foreign",
        "--arch=arm64",
        "--variant=minbase",
        "--include=python3",
        SUITE,
    ]);
    succeed(debootstrap.arg(&debian))?;
    // The other half of debootstrap would run in the emulator. Python needs only the files of the packages.
    for package in files(&debian.join("var/cache/apt/archives"))? {
        if package.extension().is_some_and(|extension| extension == "deb") {
            unpack(&package, &debian)?;
        }
    }
    let packages = root.join("packages");
    let tools = Venv::open("dist-tools")?;
    let mut pip = tools.pip_install();
    pip.args(["--only-binary", ":all:", "--python-version", PYTHON, "--target"]).arg(&packages);
    for version in ["2014", "_2_28"] {
        pip.arg("--platform").arg(format!("manylinux{version}_aarch64"));
    }
    succeed(pip.arg(wheel))?;
    log.pass("is installed by pip for that machine");
    let python = debian.join(format!("usr/bin/python{PYTHON}"));
    let mut command = Command::new(emulator);
    command.arg("-L").arg(&debian).arg(python).args(["-c", PROGRAM]).env_clear();
    command.env("PYTHONPATH", &packages).env("PYTHONHOME", debian.join("usr"));
    let printed = output(command.env("LOYD_CACHE", "none").env("HOME", &root))?;
    ensure!(printed == b"good\n", "{}", String::from_utf8_lossy(&printed));
    log.pass(WHAT);
    Ok(())
}

/// Unpacks a Debian package over the files of others.
fn unpack(package: &Path, root: &Path) -> Result<()> {
    let tar = output(Command::new("dpkg-deb").arg("--fsys-tarfile").arg(package))?;
    let archive = root.with_extension("tar");
    fs::write(&archive, tar)?;
    succeed(
        Command::new("tar")
            .arg("-xf")
            .arg(archive)
            .arg("--keep-directory-symlink")
            .arg("-C")
            .arg(root),
    )
}
