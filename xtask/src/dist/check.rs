//! Installs and uses each item of a release in an empty environment, as a new user would.

mod linux;
mod log;
mod python;
mod server;
mod site;
mod uses;
mod windows;

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::again::manifest;
use super::items::{Item, Kind};
use super::manifest::{SUMS, find, text};
use super::platform::Platform;
use super::release::Release;
use crate::run::succeed;
use log::Log;

/// Checks `items`. An item that fails does not stop the others.
///
/// # Errors
/// Fails at the end if a check failed, or if there is no release of the checked out commit.
pub fn run(release: &Release, items: &[&Item], record: bool) -> Result<()> {
    let manifest = manifest(&release.out)?;
    if text(&manifest, "commit") != release.commit {
        bail!(
            "{} is of commit {}, and {} is checked out: run `cargo xtask dist` first",
            release.out.display(),
            text(&manifest, "commit"),
            release.commit
        );
    }
    succeed(
        Command::new("sha256sum").args(["--quiet", "--check", SUMS]).current_dir(&release.out),
    )?;
    let mut log = Log::new(release);
    let files = manifest["files"].as_array().context("the manifest has no files")?;
    for item in items {
        match find(files, item) {
            Some(row) => {
                log.start(item, row);
                if let Err(error) = check(release, item, row, &mut log) {
                    log.fail(&format!("{error:#}"));
                }
            }
            None => eprintln!("== {} is not in the release", item.name()),
        }
    }
    log.finish(&release.out)?;
    if record {
        log.record(&release.root, &manifest)?;
    }
    match log.failures() {
        0 => Ok(()),
        failures => bail!("{failures} checks failed"),
    }
}

fn check(release: &Release, item: &Item, row: &Value, log: &mut Log) -> Result<()> {
    let file = release.out.join(text(row, "file"));
    match (item.kind, item.platform.map(Platform::name)) {
        (Kind::Program, Some("x86_64-windows")) => windows::check(release, &file, log),
        (Kind::Program, Some("aarch64-linux")) => linux::check_arm(release, &file, log),
        (Kind::Program, _) => linux::check_program(release, &file, log),
        (Kind::Deb, Some("aarch64-linux")) => linux::check_deb_arm(release, &file, log),
        (Kind::Deb, _) => linux::check_deb(release, &file, log),
        (Kind::Wheel, Some("aarch64-linux")) => python::check_wheel_arm(release, &file, log),
        (Kind::Wheel, _) => python::check_wheel(release, &file, log),
        (Kind::Sdist, _) => python::check_sdist(release, &file, log),
        (Kind::Page, _) => site::check_page(release, &file, log),
        (Kind::Source, _) => site::check_source(release, &file, log),
        (Kind::Npm, _) => site::check_npm(release, &file, log),
        (Kind::Bill, _) => python::check_bill(&file, log),
    }
}
