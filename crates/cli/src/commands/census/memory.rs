//! What the machine has left.

use std::fs;
use std::io;
use std::path::Path;

use loyd::Config;

/// The bytes of memory that are free, or could be at once.
pub fn free() -> u64 {
    let told = fs::read_to_string("/proc/meminfo").ok();
    told.as_deref().and_then(available).unwrap_or(Config::DEFAULT_MAX_BYTES)
}

fn available(told: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The bytes that are free on the disk with this folder, if that can be told.
#[cfg(unix)]
pub fn free_disk(folder: &Path) -> io::Result<Option<u64>> {
    let told = rustix::fs::statvfs(folder)?;
    Ok(Some(told.f_bavail.saturating_mul(told.f_frsize)))
}

/// The bytes that are free on the disk with this folder, if that can be told.
#[cfg(not(unix))]
pub fn free_disk(_: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read() {
        let told = "MemTotal:       24604028 kB\nMemFree:  18 kB\nMemAvailable:   22020096 kB\n";
        assert_eq!(available(told), Some(22_020_096 << 10));
        assert_eq!(available("MemFree: 18 kB"), None);
    }
}
