//! Tells the headers of results from which commit the library is built.
//!
//! `LOYD_COMMIT` says it, or else git does, if this is a checkout of Loyd. Builds for development do not ask git: they are
//! rarely that of a commit, and each commit would have them compiled again.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LOYD_COMMIT");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if env::var_os("LOYD_COMMIT").is_none()
        && is_release
        && let Some(commit) = checked_out()
    {
        println!("cargo::rustc-env=LOYD_COMMIT={commit}");
    }
}

/// The commit that is checked out, and `None` if this is no checkout, or one of something that has a copy of Loyd.
fn checked_out() -> Option<String> {
    if git(&["rev-parse", "--show-prefix"])? != "crates/lab/" {
        return None;
    }
    // The log changes when the branch moves, too. Cargo would build again and again for a file that is not there.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}

/// What git answers, if it is there and has an answer.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
