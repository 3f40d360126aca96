//! Free memory and disk space of the machine, and the memory that this process may use.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Once;

use loyd::Config;

use crate::failure::print_note;
use crate::units::{Limit, size};

/// Returns the available memory in bytes, or the default limit if it is unknown; at most [`most`].
pub fn free() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").ok();
    let free = text.as_deref().and_then(available).unwrap_or(Config::DEFAULT_MAX_BYTES);
    most().map_or(free, |most| free.min(most))
}

/// Returns the memory limit in bytes of a command that was given `--max-memory` as `given`; `None` is no limit. A limit
/// that is more than [`most`] is lowered. If it was given, a note reports it once.
pub fn allowed(given: Option<Limit<u64>>, default: Option<u64>) -> Option<u64> {
    static NOTE: Once = Once::new();
    let limit = given.map_or(default, |Limit(limit)| limit);
    match most() {
        Some(most) if limit.is_none_or(|limit| limit > most) => {
            if given.is_some() {
                NOTE.call_once(|| {
                    print_note(format_args!(
                        "--max-memory is lowered to {}, half of what the system lets this process have (ulimit -v)",
                        size(most)
                    ));
                });
            }
            Some(most)
        }
        _ => limit,
    }
}

/// Returns the memory limit in bytes of each of the searches that run at the same time, if `limit` is that of one: they
/// share [`most`].
pub fn shared(limit: Option<u64>, searches: u64) -> Option<u64> {
    let share = most().map(|most| for_searches(most / searches.max(1)));
    limit.into_iter().chain(share).min()
}

/// Returns the memory left for searches, in bytes, given the limit for the whole process.
///
/// It subtracts 10 MiB for code, stacks and the data shared by all boards of a size, but leaves at least half.
pub fn for_searches(bytes: u64) -> u64 {
    const PROGRAM: u64 = 10 << 20;
    bytes.saturating_sub(PROGRAM).max(bytes / 2)
}

/// Returns the most memory in bytes that may be used if the system limits the address space of this process: half of
/// it. The other half is for the program, its threads, and what the allocator holds back: an allocation that the system
/// refuses ends the process. Returns `None` without a limit.
#[cfg(unix)]
fn most() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    Some(getrlimit(Resource::As).current? / 2)
}

/// Returns `None`, because this system has no such limit.
#[cfg(not(unix))]
fn most() -> Option<u64> {
    None
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

    #[test]
    fn limit_includes_program_memory() {
        let megabytes = |limit: u64| for_searches(limit << 20) >> 20;
        assert_eq!([1024, 64, 16, 12].map(megabytes), [1014, 54, 8, 6]);
        assert_eq!((for_searches(0), for_searches(1)), (0, 0));
    }
}
