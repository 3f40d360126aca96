//! Bounds on what one input may cost, watched from another thread.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that one input may take: thousands of times what any does.
const LONGEST: Duration = Duration::from_secs(60);

/// The most memory that the whole program may take.
const MOST_BYTES: u64 = 1 << 30;

/// What is tried now.
struct Current {
    target: &'static str,
    input: Vec<u8>,
    since: Instant,
}

/// Ends the program when an input takes too long or too much memory, and keeps the input.
#[derive(Clone)]
pub struct Guard {
    failures: PathBuf,
    current: Arc<Mutex<Option<Current>>>,
}

impl Guard {
    /// Begins to watch. Inputs at fault are put into the folder `failures`.
    pub fn start(failures: PathBuf) -> Self {
        let guard = Self { failures, current: Arc::default() };
        let watched = guard.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(100));
                watched.look();
            }
        });
        guard
    }

    /// From now on `input` is tried.
    pub fn begin(&self, target: &'static str, input: &[u8]) {
        self.set(Some(Current { target, input: input.to_vec(), since: Instant::now() }));
    }

    /// Nothing is tried now.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, current: Option<Current>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Writes an input to a file of its own, and returns its path.
    pub fn save(&self, target: &str, input: &[u8]) -> io::Result<String> {
        fs::create_dir_all(&self.failures)?;
        let name = format!("{target}-{:08x}", crc32fast::hash(input));
        let path = self.failures.join(name);
        fs::write(&path, input)?;
        Ok(path.display().to_string())
    }

    fn look(&self) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(current) = &*current else { return };
        let fault = match (current.since.elapsed(), resident_bytes()) {
            (time, _) if time > LONGEST => "takes too long",
            (_, bytes) if bytes > MOST_BYTES => "takes too much memory",
            _ => return,
        };
        let path = self.save(current.target, &current.input);
        let path = path.unwrap_or_else(|error| error.to_string());
        eprintln!("loyd-fuzz: {} {fault}: {path}", current.target);
        process::exit(1);
    }
}

/// The memory of this process as Linux tells it; elsewhere none.
fn resident_bytes() -> u64 {
    const PAGE: u64 = 4096;
    let pages = |text: String| text.split(' ').nth(1)?.parse::<u64>().ok();
    fs::read_to_string("/proc/self/statm").ok().and_then(pages).unwrap_or(0) * PAGE
}
