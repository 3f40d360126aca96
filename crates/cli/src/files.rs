//! Opens files for reading, without devices that have no end, such as `/dev/zero`.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// Opens a file of a user, which may be a pipe or a terminal, such as `/dev/stdin`. Opening a named pipe waits for its
/// writer.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a device other than a terminal and `/dev/null`.
pub fn open(path: &Path) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    let file = File::open(path)?;
    if is_device(&metadata) && !file.is_terminal() && !is_null_device(&metadata) {
        return Err(io::Error::other("it is a device: only files and pipes are read"));
    }
    Ok(file)
}

/// Opens a file that Loyd has written. Pipes are refused before they are opened, which would wait for a writer.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(&fs::metadata(path)?)?;
    File::open(path)
}

/// Checks that a file is neither a device nor a pipe.
///
/// # Errors
/// Returns an error if it is not a regular file.
pub fn check_regular(metadata: &Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// Reads a text of at most `limit` bytes to its end.
///
/// # Errors
/// Returns an error if the text cannot be read, is not UTF-8, or is longer.
pub fn read_text(from: impl Read, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    // Reading one extra byte shows that the text is longer.
    from.take(limit.saturating_add(1)).read_to_string(&mut text)?;
    match text.len() as u64 <= limit {
        true => Ok(text),
        false => Err(io::Error::other(format!("it is longer than {limit} bytes"))),
    }
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(unix)]
fn is_null_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev())
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn is_null_device(_: &Metadata) -> bool {
    false
}
