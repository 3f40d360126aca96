//! Changing seeds blindly finds no input that breaks a law, in `LOYD_FUZZ_SECONDS` for each target; without
//! the variable, only the seeds themselves are tried.

use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use loyd_fuzz::TARGETS;

#[test]
fn no_law_is_broken() {
    let seconds = env::var("LOYD_FUZZ_SECONDS").unwrap_or_else(|_| "0".to_owned());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(target) = TARGETS.get(next.fetch_add(1, Relaxed)) {
            println!("{}", told_of(target.name, &seconds));
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| {
            scope.spawn(work);
        });
    });
}

/// What the program tells of one target, which has a process of its own: the program bounds the memory of all that it
/// tries.
fn told_of(target: &str, seconds: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd-fuzz"));
    command.args(["--seconds", seconds, "--failures", env!("CARGO_TARGET_TMPDIR"), target]);
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.starts_with(target), "{told}");
    told.trim_end().to_owned()
}
