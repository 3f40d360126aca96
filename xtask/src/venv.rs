//! Virtual environments of Python under `target`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::Result;
use crate::run::succeed;
use crate::serving::target;

/// What the package for Python needs.
const OLDEST_PYTHON: (u32, u32) = (3, 10);

/// A virtual environment.
pub struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// The one of this name under `target`. It is made if there is none.
    pub fn open(name: &str) -> Result<Self> {
        let venv = Self { folder: target()?.join(name) };
        if !venv.program("python").is_file() {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&venv.folder))?;
        }
        Ok(venv)
    }

    /// A new one of this name under `target`, in the place of what is there.
    pub fn fresh(name: &str) -> Result<Self> {
        let folder = target()?.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        Self::open(name)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a program that is installed there is, or would be.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    /// A program of the environment, run where no source of a package takes the place of what is installed, and so
    /// that it writes nothing beside the sources.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.program(name));
        command.current_dir(&self.folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// `pip install` with these arguments, in the folder where the task runs.
    pub fn pip_install(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command
    }

    /// Installs the packages that this file lists.
    pub fn install_all(&self, list: impl AsRef<Path>) -> Result<()> {
        succeed(self.pip_install().arg("--requirement").arg(list.as_ref()))
    }
}

/// Whether there is a Python for the package.
///
/// # Errors
/// When there is none, or it is too old: what is needed.
pub fn check_python() -> Result<()> {
    const ASK: &str = "import sys; print(*sys.version_info[:2])";
    let output = Command::new("python3").args(["-c", ASK]).output();
    let output = output.context("there is no Python: `apt-get install python3 python3-venv`")?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let version = said.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let (major, minor) = OLDEST_PYTHON;
    ensure!(
        version >= Some(OLDEST_PYTHON),
        "Python is {}, and {major}.{minor} is needed",
        said.replace(' ', ".")
    );
    Ok(())
}
