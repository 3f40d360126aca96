//! Builds again from a fresh clone, and compares the bytes.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::manifest::{MANIFEST, text};
use super::release::{Release, replace_folder};
use crate::run::{print_line, succeed};

/// The items that are built again. The page is among them because the others embed it.
const ITEMS: [&str; 4] = ["source", "page", "program-x86_64-linux", "wheel-x86_64-linux"];

/// Builds the items from a clone in another folder, with nothing compiled before, and compares their checksums with the
/// manifest of the release.
///
/// # Errors
/// Fails if an item of the release is missing, or if its bytes differ.
pub fn run(release: &Release) -> Result<()> {
    let first = manifest(&release.out)?;
    ensure!(
        text(&first, "commit") == release.commit,
        "{} is of another commit: run `cargo xtask dist` first",
        release.out.display()
    );
    let folder = release.work.join("again");
    replace_folder(&folder)?;
    let clone = folder.join("clone");
    let mut git = Command::new("git");
    succeed(git.args(["clone", "--quiet", "--no-hardlinks"]).arg(&release.root).arg(&clone))?;
    let mut git = Command::new("git");
    let checkout = ["checkout", "--quiet", "--detach", release.commit.as_str()];
    succeed(git.args(checkout).current_dir(&clone))?;
    let target = folder.join("target");
    let mut dist = Command::new(env::current_exe()?);
    dist.arg("dist").args(ITEMS).current_dir(&clone).env("CARGO_TARGET_DIR", &target);
    succeed(&mut dist)?;
    let second = manifest(&target.join("dist"))?;
    for row in second["files"].as_array().context("the manifest has no files")? {
        let file = text(row, "file");
        let rows = first["files"].as_array().context("the manifest has no files")?;
        let same = rows.iter().find(|other| text(other, "file") == file);
        let same = same.with_context(|| format!("{file} is not in {}", release.out.display()))?;
        ensure!(text(row, "sha256") == text(same, "sha256"), "{file} differs between two builds");
        print_line(format_args!("same bytes: {file}"));
    }
    Ok(())
}

/// Reads the manifest in a folder.
pub fn manifest(folder: &Path) -> Result<Value> {
    let path = folder.join(MANIFEST);
    let bytes = fs::read(&path)
        .with_context(|| format!("{}: run `cargo xtask dist` first", path.display()))?;
    Ok(serde_json::from_slice(&bytes)?)
}
