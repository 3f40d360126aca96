//! What drives a browser: Node.js, packages of npm, and Chromium.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, bail};

use crate::Result;
use crate::run::{find_program, succeed};

/// Where the tests in a browser are, from the root of the workspace.
pub const FOLDER: &str = "page/e2e";

pub const NODE: &str = "node";

/// What playwright-core needs.
const OLDEST_NODE: u32 = 20;

/// The names of Chromium.
const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// What drives a browser, and the browser.
pub struct Tools {
    chromium: OsString,
}

impl Tools {
    /// Finds them, and installs the packages of npm.
    ///
    /// # Errors
    /// When something is missing: what to do about that.
    pub fn find() -> Result<Self> {
        check_node()?;
        let named = env::var_os("LOYD_CHROMIUM");
        let found = || CHROMIUM.iter().find_map(|name| find_program(name)).map(Into::into);
        let chromium = named.or_else(found).context(
            "there is no Chromium: `apt-get install chromium`, or LOYD_CHROMIUM says where one is",
        )?;
        install()?;
        Ok(Self { chromium })
    }

    /// Node.js where the tests are, told where the browser is.
    pub fn node(&self) -> Command {
        let mut node = Command::new(NODE);
        node.current_dir(FOLDER).env("LOYD_CHROMIUM", &self.chromium);
        node
    }
}

/// Whether Node.js is there and new enough.
fn check_node() -> Result<()> {
    let output = Command::new(NODE).arg("--version").output();
    let output = output.context("there is no Node.js: `apt-get install nodejs npm`")?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major =
        version.trim_start_matches('v').split('.').next().and_then(|part| part.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST_NODE) {
        bail!("Node.js is {version}, and {OLDEST_NODE} is needed: `npm install --global node@22`");
    }
    Ok(())
}

/// Installs the packages, unless they are those of the lock file.
fn install() -> Result<()> {
    let folder = Path::new(FOLDER);
    let changed = |file: &str| -> Option<SystemTime> {
        fs::metadata(folder.join(file)).ok()?.modified().ok()
    };
    // npm writes this file when it has installed everything.
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    succeed(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))
        .context("what drives the browser cannot be installed")
}
