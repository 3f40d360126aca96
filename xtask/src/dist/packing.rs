//! Archives whose bytes depend only on the names, modes and contents of their files.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};

use super::release::Release;
use crate::run::{find_program, succeed};

/// Mode of programs and folders.
pub const EXECUTABLE: u32 = 0o755;
/// Mode of other files.
pub const PLAIN: u32 = 0o644;

/// Copies a file to `to` with this mode, and creates the folders above it.
pub fn put(from: &Path, to: &Path, mode: u32) -> Result<()> {
    let bytes = fs::read(from).with_context(|| from.display().to_string())?;
    write(to, &bytes, mode)
}

/// Writes a file with this mode, and creates the folders above it.
pub fn write(to: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let folder = to.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(to, bytes).with_context(|| to.display().to_string())?;
    fs::set_permissions(to, Permissions::from_mode(mode))?;
    Ok(())
}

/// Returns the output of a command that succeeds.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}

/// Returns `bytes` compressed by gzip, without a name or a time.
pub fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut gzip = Command::new("gzip")
        .arg("-9n")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("gzip is missing: `apt-get install gzip`")?;
    let mut input = gzip.stdin.take().context("gzip has an input")?;
    // The input is written by another thread, because gzip writes before it has read everything.
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(bytes));
        Ok(gzip.wait_with_output()?.stdout)
    })
}

/// Packs the folder `name` in `parent` as `name.tar.gz` in the output folder, and returns the name of the archive.
pub fn tar_gz(release: &Release, parent: &Path, name: &str) -> Result<String> {
    let archive = format!("{name}.tar.gz");
    set_modes(&parent.join(name))?;
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime=@{}", release.epoch)).arg("--use-compress-program=gzip -9n");
    tar.arg("-C").arg(parent).arg("-cf").arg(release.out.join(&archive)).arg(name);
    succeed(&mut tar)?;
    Ok(archive)
}

/// Packs the folder `name` in `parent` as `name.zip` in the output folder, and returns the name of the archive.
pub fn zip(release: &Release, parent: &Path, name: &str) -> Result<String> {
    let program = find_program("zip").context("zip is missing: `apt-get install zip`")?;
    let archive = format!("{name}.zip");
    set_modes(&parent.join(name))?;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(release.epoch);
    let mut list = String::new();
    for file in files(&parent.join(name))? {
        File::options().append(true).open(&file)?.set_modified(time)?;
        let inside = file.strip_prefix(parent)?.to_str().context("a name is not UTF-8")?;
        list.push_str(inside);
        list.push('\n');
    }
    // -X omits owners and exact times, -@ reads the list.
    let mut zip = Command::new(program);
    zip.args(["-q", "-9", "-X", "-@"]).arg(release.out.join(&archive)).current_dir(parent);
    let mut zip = zip.env("TZ", "UTC").stdin(Stdio::piped()).spawn()?;
    zip.stdin.take().context("zip has an input")?.write_all(list.as_bytes())?;
    if !zip.wait()?.success() {
        bail!("{archive} cannot be written");
    }
    Ok(archive)
}

/// Returns all files below `folder`, sorted.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Gives all folders and files one of two modes. The umask has no effect on the archive.
pub fn set_modes(folder: &Path) -> Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(EXECUTABLE))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            set_modes(&path)?;
        } else {
            let runs = fs::metadata(&path)?.permissions().mode() & 0o100 != 0;
            let mode = if runs { EXECUTABLE } else { PLAIN };
            fs::set_permissions(&path, Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}
