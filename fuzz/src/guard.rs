//! Limits on time and memory, enforced by a watchdog thread.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time per input, thousands of times more than any input takes.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Maximum resident memory of the process, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The input being checked.
struct Current {
    target: &'static str,
    input: Vec<u8>,
    since: Instant,
}

/// Ends the process and saves the input if a check takes too long or too much memory.
#[derive(Clone)]
pub struct Guard {
    failures: PathBuf,
    current: Arc<Mutex<Option<Current>>>,
}

impl Guard {
    /// Starts the watchdog, which saves failing inputs in the folder `failures`.
    pub fn start(failures: PathBuf) -> Self {
        let guard = Self { failures, current: Arc::default() };
        let watched = guard.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(100));
                watched.check_limits();
            }
        });
        guard
    }

    /// Sets `input` as the input being checked.
    pub fn begin(&self, target: &'static str, input: &[u8]) {
        self.set(Some(Current { target, input: input.to_vec(), since: Instant::now() }));
    }

    /// Marks the end of a check.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, current: Option<Current>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Saves an input in its own file and returns the path.
    pub fn save(&self, target: &str, input: &[u8]) -> io::Result<String> {
        fs::create_dir_all(&self.failures)?;
        let name = format!("{target}-{:08x}", crc32fast::hash(input));
        let path = self.failures.join(name);
        fs::write(&path, input)?;
        Ok(path.display().to_string())
    }

    fn check_limits(&self) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(current) = &*current else { return };
        let fault = match (current.since.elapsed(), resident_bytes()) {
            (time, _) if time > MAX_TIME => "takes too long",
            (_, bytes) if bytes > MAX_BYTES => "takes too much memory",
            _ => return,
        };
        let path = self.save(current.target, &current.input);
        let path = path.unwrap_or_else(|error| error.to_string());
        eprintln!("loyd-fuzz: {} {fault}: {path}", current.target);
        process::exit(1);
    }
}

/// Returns the resident memory of this process in bytes, or 0 on systems other than Linux.
fn resident_bytes() -> u64 {
    const PAGE: u64 = 4096;
    let pages = |text: String| text.split(' ').nth(1)?.parse::<u64>().ok();
    fs::read_to_string("/proc/self/statm").ok().and_then(pages).unwrap_or(0) * PAGE
}
