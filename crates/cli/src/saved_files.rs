//! Saved files: locks, checksums, and files that appear only when they are complete.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use crate::failure::Failure;
use crate::files::open_regular;

/// Maximum number of bytes read from a lock file.
const MAX_HOLDER: u64 = 100;

/// Locks a folder, by a file `lock` in it, for as long as the returned file is open. The system releases the lock when
/// the process ends, even if it is killed. The file names the process that holds the lock.
///
/// # Errors
/// Returns an error that names the process if another one holds the lock.
pub fn lock_folder(folder: &Path) -> anyhow::Result<File> {
    let path = folder.join("lock");
    let mut options = File::options();
    let opened = options.read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Some systems do not allow to read a locked file.
            let _ = file.take(MAX_HOLDER).read_to_string(&mut holder);
            let holder = match holder.trim() {
                holder if holder.starts_with("process ") => holder,
                _ => "another process",
            };
            bail!("{holder} is writing to the folder: wait until it has ended, or stop it");
        }
        // Some file systems do not support locks.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    writeln!(file, "process {}", process::id())?;
    Ok(file)
}

/// Writes a file atomically: under a temporary name, which is then renamed. What has the temporary name is removed: a
/// link there could lead to any file.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let unfinished = path.with_extension("unfinished");
    let removed = match fs::remove_file(&unfinished) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    };
    let done = removed.and_then(|()| File::create_new(&unfinished)).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&mut out)?;
        out.into_inner()?.sync_all()?;
        fs::rename(&unfinished, path)
    });
    Ok(done.with_context(|| path.display().to_string())?)
}

/// Returns the SHA-256 checksum of a file in hexadecimal.
///
/// # Errors
/// Returns an error if the file cannot be read, or is not a regular file: devices may have no end.
pub fn checksum(path: &Path) -> io::Result<String> {
    checksum_from(open_regular(path)?)
}

/// Returns the SHA-256 checksum of everything that `file` yields in hexadecimal.
///
/// # Errors
/// Returns an error if reading fails.
pub fn checksum_from(mut file: impl Read) -> io::Result<String> {
    let (mut sum, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&sum.finalize())),
            read => sum.update(&buffer[..read]),
        }
    }
}

/// Returns the SHA-256 checksum of `bytes` in hexadecimal.
pub fn checksum_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
