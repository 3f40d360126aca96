//! Python virtual environments under `target`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::run::succeed;
use crate::serving::target;

/// The oldest version that the Python package supports.
const OLDEST_PYTHON: (u32, u32) = (3, 10);

/// A virtual environment.
pub struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// Opens the environment `name` under `target`, or creates it.
    pub fn open(name: &str) -> Result<Self> {
        let venv = Self { folder: target()?.join(name) };
        if !venv.program("python").is_file() {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&venv.folder))?;
        }
        Ok(venv)
    }

    /// Creates the environment `name` under `target`, replacing an existing one.
    pub fn fresh(name: &str) -> Result<Self> {
        let folder = target()?.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        Self::open(name)
    }

    /// Returns the folder of the environment.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a program in the environment, installed or not.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    /// Returns a command for a program of the environment. It runs in the folder of the environment, so that it imports
    /// the installed package instead of its sources, and writes no bytecode next to the sources.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.program(name));
        command.current_dir(&self.folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// Returns a `pip install` command, to be run in the current folder.
    pub fn pip_install(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command
    }

    /// Installs the packages listed in this file.
    pub fn install_all(&self, list: impl AsRef<Path>) -> Result<()> {
        succeed(self.pip_install().arg("--requirement").arg(list.as_ref()))
    }
}

/// Checks that there is a Python recent enough for the package.
///
/// # Errors
/// Fails if Python is missing or too old; the message states the required version.
pub fn check_python() -> Result<()> {
    const ASK: &str = "import sys; print(*sys.version_info[:2])";
    let output = Command::new("python3").args(["-c", ASK]).output();
    let output = output.context("Python is missing: `apt-get install python3 python3-venv`")?;
    let output = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let version =
        output.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let (major, minor) = OLDEST_PYTHON;
    ensure!(
        version >= Some(OLDEST_PYTHON),
        "Python is {}, but {major}.{minor} is required",
        output.replace(' ', ".")
    );
    Ok(())
}
