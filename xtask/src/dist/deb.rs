//! Packages for Debian, from the static program.
//!
//! `dpkg-deb` alone is enough: a static program depends on no library, so there is nothing for helpers to work out.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::packing::{EXECUTABLE, PLAIN, files, gzip, put, set_modes, write};
use super::platform::{LINUX_X86, Platform};
use super::program::{THIRD_PARTY, run};
use super::release::Release;
use super::third_party;
use crate::run::{find_program, succeed};

/// Folders of completions, with the shell.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/loyd"),
    ("zsh", "usr/share/zsh/vendor-completions/_loyd"),
    ("fish", "usr/share/fish/vendor_completions.d/loyd.fish"),
];

/// Folder of the documents.
const DOCUMENTS: &str = "usr/share/doc/loyd";

/// Builds the package for `platform`.
pub fn package(release: &Release, platform: &Platform) -> Result<String> {
    let dpkg = find_program("dpkg-deb").context("dpkg-deb is missing: `apt-get install dpkg`")?;
    let program = platform.build_program(release)?;
    let host = LINUX_X86.build_program(release)?;
    let folder = release.scratch(&format!("deb-{}", platform.name))?.join("loyd");
    let at = |path: &str| folder.join(path);
    put(&program, &at("usr/bin/loyd"), EXECUTABLE)?;
    write(&at("usr/share/man/man1/loyd.1.gz"), &gzip(&run(&host, &["man"])?)?, PLAIN)?;
    for (shell, path) in COMPLETIONS {
        write(&at(path), &run(&host, &["completions", shell])?, PLAIN)?;
    }
    let document = |name: &str| at(DOCUMENTS).join(name);
    let changes = fs::read(release.root.join("CHANGELOG.md"))?;
    write(&document("changelog.gz"), &gzip(&changes)?, PLAIN)?;
    write(&document("copyright"), copyright(release)?.as_bytes(), PLAIN)?;
    let licences = third_party::licences("loyd", platform.target)?;
    write(&document(&format!("{THIRD_PARTY}.gz")), &gzip(licences.as_bytes())?, PLAIN)?;
    put(&release.root.join("README.md"), &document("README.md"), PLAIN)?;
    let control = control(release, platform, installed_size(&folder)?);
    write(&at("DEBIAN/control"), control.as_bytes(), PLAIN)?;
    set_modes(&folder)?;
    let name = format!("loyd_{}_{}.deb", release.version, platform.debian);
    let mut build = Command::new(dpkg);
    build.args(["--root-owner-group", "-Zxz", "--build"]).arg(&folder);
    // dpkg-deb gives no file a later time than this.
    build.arg(release.out.join(&name)).env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    touch(&folder, release.epoch)?;
    succeed(&mut build)?;
    Ok(name)
}

fn control(release: &Release, platform: &Platform, kilobytes: u64) -> String {
    format!(
        "Package: loyd\n\
         Version: {}\n\
         Architecture: {}\n\
         Maintainer: The Loyd developers <loyd@localhost>\n\
         Installed-Size: {kilobytes}\n\
         Section: games\n\
         Priority: optional\n\
         Description: solver and workbench for sliding-tile puzzles\n \
         Loyd solves the 8-puzzle, the 15-puzzle and boards of any size up to 10,000\n \
         cells, proves its solutions shortest, explains why a board is unsolvable, and\n \
         shows the search algorithms at work, in the terminal or on a web page.\n",
        release.version, platform.debian
    )
}

/// Returns the size of all files in kilobytes, each rounded up.
fn installed_size(folder: &Path) -> Result<u64> {
    let mut size = 0;
    for file in files(folder)? {
        size += fs::metadata(file)?.len().div_ceil(1024);
    }
    Ok(size)
}

/// Returns the copyright file: the text of the MIT licence, and where the other one is on a Debian system.
fn copyright(release: &Release) -> Result<String> {
    let mit = fs::read_to_string(release.root.join("LICENSE-MIT"))?;
    Ok(format!(
        "Loyd is licensed under either of the MIT licence, whose text follows, and the Apache License,\n\
         version 2.0, whose text is in /usr/share/common-licenses/Apache-2.0. The licences of the libraries\n\
         in the program are in {THIRD_PARTY}.gz.\n\n{mit}"
    ))
}

/// Gives all files and folders the time of the commit.
fn touch(folder: &Path, epoch: u64) -> Result<()> {
    let mut find = Command::new("find");
    find.arg(folder).args(["-exec", "touch", "--date", &format!("@{epoch}"), "{}", "+"]);
    succeed(&mut find)
}
