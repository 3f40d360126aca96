//! Checks of the program for Windows, with Wine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::log::Log;
use super::uses::Installed;
use crate::dist::release::Release;
use crate::run::{find_program, succeed};

/// Wine for 64-bit programs. Debian's package has no link to it in `PATH`.
const WINE: [&str; 2] = ["wine64", "/usr/lib/wine/wine64"];

/// A library of Windows that Wine has only since version 9. Rust's standard library takes random numbers from it.
const LIBRARY: &str = "bcryptprimitives.dll";
const LIBRARY_SOURCE: &str = "xtask/src/dist/check/bcryptprimitives.c";

/// Uses the program in a new Windows of Wine.
pub fn check(release: &Release, archive: &Path, log: &mut Log) -> Result<()> {
    let path = |name: &str| Some(PathBuf::from(name)).filter(|path| path.is_file());
    let wine = WINE.into_iter().find_map(|name| find_program(name).or_else(|| path(name)));
    let wine = wine.context("Wine is missing: `apt-get install wine64`")?;
    let unzip = find_program("unzip").context("unzip is missing: `apt-get install unzip`")?;
    let folder = release.scratch("check-windows")?;
    succeed(Command::new(unzip).arg("-q").arg(archive).arg("-d").arg(&folder))?;
    let inside = std::fs::read_dir(&folder)?.next().context("the archive is empty")??.path();
    let mut compile = Command::new("x86_64-w64-mingw32-gcc");
    compile.args(["-shared", "-Os", "-o"]).arg(inside.join(LIBRARY));
    succeed(compile.arg(release.root.join(LIBRARY_SOURCE)).arg("-ladvapi32"))?;

    log.enter("Wine, a new prefix");
    let prefix = folder.join("prefix");
    let command = || {
        let mut command = Command::new(&wine);
        command.arg("loyd.exe").current_dir(&inside).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", &folder).env("LANG", "C.UTF-8");
        command.env("WINEPREFIX", &prefix).env("WINEARCH", "win64").env("WINEDEBUG", "-all");
        command
    };
    // The first command creates the prefix, and takes longer.
    succeed(command().arg("--version").stdout(std::process::Stdio::null()))?;
    let user = std::env::var("USER").unwrap_or_else(|_| "root".to_owned());
    let cache = prefix.join("drive_c/users").join(user).join("AppData/Local/loyd");
    let installed = Installed { command: Box::new(command), folder: inside.clone(), cache };
    installed.use_all(release, log)
}
