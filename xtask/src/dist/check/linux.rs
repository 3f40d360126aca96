//! Checks of the programs and the packages for Linux.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::log::Log;
use super::uses::Installed;
use crate::dist::packing::{EXECUTABLE, output, put};
use crate::dist::release::Release;
use crate::run::{find_program, succeed};

/// The Debian release of the environment for packages. It is another one than Debian 12, on which releases are built.
pub const SUITE: &str = "trixie";

/// The emulator of 64-bit Arm.
const EMULATOR: &str = "qemu-aarch64-static";

/// Uses the program in a folder without any other file, and in a fresh Debian of another release.
pub fn check_program(release: &Release, archive: &Path, log: &mut Log) -> Result<()> {
    log.enter("a root with no other file");
    let folder = unpack(release, archive, "program")?;
    let root = release.scratch("check-empty")?;
    put(&folder.join("loyd"), &root.join("loyd"), EXECUTABLE)?;
    chrooted(&root, &["/loyd"]).use_all(release, log)?;

    log.enter(&format!("a new Debian {SUITE}"));
    let root = debian(release)?;
    put(archive, &root.join("loyd.tar.gz"), EXECUTABLE)?;
    succeed(chroot(&root).args([
        "tar",
        "-xzf",
        "/loyd.tar.gz",
        "--strip-components=1",
        "-C",
        "/opt",
    ]))?;
    log.pass("is unpacked by tar");
    for file in
        ["man/loyd.1", "completions/loyd.bash", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]
    {
        ensure!(root.join("opt").join(file).is_file(), "{file} is missing");
    }
    log.pass("has a manual page, completions, README and licences");
    chrooted(&root, &["/opt/loyd"]).use_all(release, log)
}

/// Installs the package in a fresh Debian of another release, uses it and removes it.
pub fn check_deb(release: &Release, deb: &Path, log: &mut Log) -> Result<()> {
    log.enter(&format!("a new Debian {SUITE}"));
    let root = debian(release)?;
    put(deb, &root.join("loyd.deb"), EXECUTABLE)?;
    succeed(chroot(&root).args(["apt-get", "install", "--yes", "--quiet", "/loyd.deb"]))?;
    log.pass("is installed by apt-get");
    chrooted(&root, &["loyd"]).use_all(release, log)?;
    let completes = ". /usr/share/bash-completion/completions/loyd && complete -p loyd";
    output(chroot(&root).args(["bash", "-c", completes]))?;
    log.pass("has completions for bash");
    let files = output(chroot(&root).args(["dpkg", "--listfiles", "loyd"]))?;
    let files = String::from_utf8(files)?;
    for file in ["/usr/share/man/man1/loyd.1.gz", "/usr/share/doc/loyd/copyright"] {
        ensure!(files.lines().any(|line| line == file), "{file} is missing");
    }
    log.pass("has a manual page and a copyright file");
    succeed(chroot(&root).args(["apt-get", "purge", "--yes", "--quiet", "loyd"]))?;
    ensure!(!root.join("usr/bin/loyd").exists(), "apt-get leaves the program");
    log.pass("is removed by apt-get");
    Ok(())
}

/// Uses the program for 64-bit Arm in an emulator, in a folder without any other file.
pub fn check_arm(release: &Release, archive: &Path, log: &mut Log) -> Result<()> {
    let folder = unpack(release, archive, "program-arm")?;
    use_emulated(release, &folder.join("loyd"), log)
}

/// Unpacks the package for 64-bit Arm and uses the program in an emulator. It is not installed, because the scripts of
/// packages would need an emulated system.
pub fn check_deb_arm(release: &Release, deb: &Path, log: &mut Log) -> Result<()> {
    let folder = release.scratch("check-deb-arm")?;
    succeed(Command::new("dpkg-deb").arg("--extract").arg(deb).arg(&folder))?;
    use_emulated(release, &folder.join("usr/bin/loyd"), log)
}

fn use_emulated(release: &Release, program: &Path, log: &mut Log) -> Result<()> {
    let emulator = emulator()?;
    log.enter("an emulator, a root with no other file");
    let root = release.scratch("check-arm")?;
    put(program, &root.join("loyd"), EXECUTABLE)?;
    put(&emulator, &root.join("emulator"), EXECUTABLE)?;
    chrooted(&root, &["/emulator", "/loyd"]).use_all(release, log)
}

/// Returns the path of the emulator of 64-bit Arm.
pub fn emulator() -> Result<PathBuf> {
    find_program(EMULATOR)
        .with_context(|| format!("{EMULATOR} is missing: `apt-get install qemu-user-static`"))
}

/// Unpacks an archive and returns the folder in it.
fn unpack(release: &Release, archive: &Path, name: &str) -> Result<PathBuf> {
    let folder = release.scratch(&format!("check-{name}"))?;
    succeed(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&folder))?;
    let mut inside = fs::read_dir(&folder)?;
    Ok(inside.next().context("the archive is empty")??.path())
}

/// Returns a command without a program that runs in `root`, with the environment of a new user.
fn chroot(root: &Path) -> Command {
    let mut command = Command::new("chroot");
    command.arg(root).env_clear();
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/home");
    command.env("DEBIAN_FRONTEND", "noninteractive").env("LANG", "C.UTF-8");
    command
}

/// Returns the program that `words` run in `root`.
fn chrooted<'a>(root: &'a Path, words: &'a [&'a str]) -> Installed<'a> {
    let command = move || {
        let mut command = chroot(root);
        command.args(words);
        command
    };
    let cache = root.join("home/.cache/loyd");
    Installed { command: Box::new(command), folder: root.to_owned(), cache }
}

/// Unpacks a minimal Debian of another release in a fresh folder. It is downloaded once.
fn debian(release: &Release) -> Result<PathBuf> {
    let pristine = release.work.join(format!("{SUITE}.tar"));
    if !pristine.is_file() {
        let root = release.scratch("check-debootstrap")?;
        succeed(debootstrap()?.args(["--variant=minbase", SUITE]).arg(&root))?;
        let mut tar = Command::new("tar");
        // Renamed in the end, so that an interrupted run leaves no half of it.
        let unfinished = pristine.with_extension("unfinished");
        succeed(
            tar.arg("--numeric-owner").arg("-C").arg(&root).arg("-cf").arg(&unfinished).arg("."),
        )?;
        fs::rename(unfinished, &pristine)?;
    }
    let root = release.scratch("check-debian")?;
    succeed(
        Command::new("tar").arg("--numeric-owner").arg("-C").arg(&root).arg("-xpf").arg(pristine),
    )?;
    Ok(root)
}

/// Returns a command of `debootstrap`.
pub fn debootstrap() -> Result<Command> {
    let program = find_program("debootstrap")
        .or_else(|| Some(PathBuf::from("/usr/sbin/debootstrap")).filter(|path| path.is_file()));
    let program = program.context("debootstrap is missing: `apt-get install debootstrap`")?;
    let mut command = Command::new(program);
    command.arg("--merged-usr");
    Ok(command)
}
