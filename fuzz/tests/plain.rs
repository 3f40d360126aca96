//! Changing seeds blindly finds no input that breaks a law, in `LOYD_FUZZ_SECONDS` for each target; without
//! the variable, only the seeds themselves are tried.

use std::env;
use std::process::Command;

use loyd_fuzz::TARGETS;

#[test]
fn no_law_is_broken() {
    let seconds = env::var("LOYD_FUZZ_SECONDS").unwrap_or_else(|_| "0".to_owned());
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd-fuzz"));
    command.args(["--seconds", &seconds, "--failures", env!("CARGO_TARGET_TMPDIR")]);
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(told.lines().count(), TARGETS.len(), "{told}");
    println!("{told}");
}
