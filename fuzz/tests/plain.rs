//! Runs each target on mutated seeds for `LOYD_FUZZ_SECONDS`, or only on the seeds if the variable is not set.

use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use loyd_fuzz::TARGETS;

#[test]
fn mutated_seeds_pass() {
    let seconds = env::var("LOYD_FUZZ_SECONDS").unwrap_or_else(|_| "0".to_owned());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(target) = TARGETS.get(next.fetch_add(1, Relaxed)) {
            println!("{}", run_target(target.name, &seconds));
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| {
            scope.spawn(work);
        });
    });
}

/// Runs a target in its own process, because the program limits its memory as a whole, and returns the output.
fn run_target(target: &str, seconds: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd-fuzz"));
    command.args(["--seconds", seconds, "--failures", env!("CARGO_TARGET_TMPDIR"), target]);
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.starts_with(target), "{stdout}");
    stdout.trim_end().to_owned()
}
