//! Checks of the archives that run anywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::log::Log;
use crate::dist::packing::{files, output};
use crate::dist::release::Release;
use crate::run::{cargo, find_program, succeed};
use crate::serving::Serving;
use crate::tools::{FOLDER, NODE, Tools};

/// Serves the unpacked page, and opens it in Chromium without a server of Loyd.
pub fn check_page(release: &Release, archive: &Path, log: &mut Log) -> Result<()> {
    log.enter("a static server and Chromium");
    let tools = Tools::find()?;
    let unzip = find_program("unzip").context("unzip is missing: `apt-get install unzip`")?;
    let folder = release.scratch("check-page")?;
    succeed(Command::new(unzip).arg("-q").arg(archive).arg("-d").arg(&folder))?;
    let site = only_folder(&folder)?;
    let host = Serving::spawn(Command::new(NODE).arg(Path::new(FOLDER).join("site.js")).arg(site))?;
    let mut node = tools.node();
    node.args(["--test", "--test-reporter=dot", "offline.test.js", "watch.test.js"]);
    succeed(node.env("LOYD_URL", host.address()).env("LOYD_SHOTS", folder.join("shots")))?;
    log.pass("passes the tests of watching and of use without a network (page/e2e)");
    Ok(())
}

/// Unpacks the sources, compares the list of files with the commit, and lets cargo read them.
pub fn check_source(release: &Release, archive: &Path, log: &mut Log) -> Result<()> {
    log.enter("an empty folder");
    let folder = release.scratch("check-source")?;
    succeed(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&folder))?;
    let root = only_folder(&folder)?;
    let mut git = Command::new("git");
    let tree = output(
        git.args(["ls-tree", "-r", "-z", "--name-only", &release.commit])
            .current_dir(&release.root),
    )?;
    let tree = String::from_utf8(tree)?;
    let mut expected: Vec<_> = tree.split_terminator('\0').map(|path| root.join(path)).collect();
    expected.sort();
    ensure!(files(&root)? == expected, "the archive and the commit differ in their files");
    log.pass("has the files of the commit");
    output(cargo(&["metadata", "--locked", "--format-version", "1"]).current_dir(&root))?;
    log.pass("is a workspace that agrees with its Cargo.lock");
    Ok(())
}

/// Installs the package for JavaScript in an empty folder.
pub fn check_npm(release: &Release, archive: &Path, log: &mut Log) -> Result<()> {
    log.enter("an empty folder");
    let folder = release.scratch("check-npm")?;
    let mut npm = Command::new("npm");
    succeed(npm.args(["install", "--no-audit", "--no-fund"]).arg(archive).current_dir(&folder))?;
    log.pass("is installed by npm");
    log.skip("it is used by the tests of `cargo xtask npm`");
    Ok(())
}

/// Returns the only folder in `folder`.
fn only_folder(folder: &Path) -> Result<PathBuf> {
    Ok(fs::read_dir(folder)?.next().context("the archive is empty")??.path())
}
