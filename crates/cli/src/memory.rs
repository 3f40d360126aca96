//! Free memory and disk space of the machine.

use std::fs;
use std::io;
use std::path::Path;

use loyd::Config;

/// Returns the available memory in bytes, or the default limit if it is unknown.
pub fn free() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").ok();
    text.as_deref().and_then(available).unwrap_or(Config::DEFAULT_MAX_BYTES)
}

fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Returns the free bytes on the disk that holds `folder`, or `None` if that is unknown.
#[cfg(unix)]
pub fn free_disk(folder: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

/// Returns the free bytes on the disk that holds `folder`, or `None` if that is unknown.
#[cfg(not(unix))]
pub fn free_disk(_: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_parsed() {
        let text = "MemTotal:       24604028 kB\nMemFree:  18 kB\nMemAvailable:   22020096 kB\n";
        assert_eq!(available(text), Some(22_020_096 << 10));
        assert_eq!(available("MemFree: 18 kB"), None);
    }
}
