//! The tools that control a browser: Node.js, npm packages, and Chromium.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::run::{find_program, succeed};

/// The folder of the browser tests, relative to the root of the workspace.
pub const FOLDER: &str = "page/e2e";

pub const NODE: &str = "node";

/// The oldest version that playwright-core supports.
const OLDEST_NODE: u32 = 20;

/// The names under which Chromium is installed.
const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Node.js with the npm packages, and Chromium.
pub struct Tools {
    chromium: OsString,
}

impl Tools {
    /// Finds the programs and installs the npm packages.
    ///
    /// # Errors
    /// Fails if a program is missing; the message explains how to install it.
    pub fn find() -> Result<Self> {
        check_node()?;
        let named = env::var_os("LOYD_CHROMIUM");
        let found = || CHROMIUM.iter().find_map(|name| find_program(name)).map(Into::into);
        let chromium = named.or_else(found).context(
            "Chromium is missing: `apt-get install chromium`, or set LOYD_CHROMIUM to its path",
        )?;
        install(FOLDER)?;
        Ok(Self { chromium })
    }

    /// Returns a command for Node.js in the folder of the tests, with the path of the browser.
    pub fn node(&self) -> Command {
        let mut node = Command::new(NODE);
        node.current_dir(FOLDER).env("LOYD_CHROMIUM", &self.chromium);
        node
    }
}

/// Checks that Node.js is installed and recent enough.
///
/// # Errors
/// Fails if it is not; the message explains how to install it.
pub fn check_node() -> Result<()> {
    let output = Command::new(NODE).arg("--version").output();
    let output = output.context("Node.js is missing: `apt-get install nodejs npm`")?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major =
        version.trim_start_matches('v').split('.').next().and_then(|part| part.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST_NODE) {
        bail!(
            "Node.js is {version}, but {OLDEST_NODE} is required: `npm install --global node@22`"
        );
    }
    Ok(())
}

/// Installs the npm packages of a folder, unless they match its lock file.
///
/// # Errors
/// Fails if npm does.
pub fn install(folder: &str) -> Result<()> {
    let folder = Path::new(folder);
    let changed = |file: &str| -> Option<SystemTime> {
        fs::metadata(folder.join(file)).ok()?.modified().ok()
    };
    // npm writes this file once everything is installed.
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    succeed(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))
        .context("the npm packages cannot be installed")
}
