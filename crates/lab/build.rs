//! Embeds the commit hash that result headers report.
//!
//! The hash comes from the environment variable `LOYD_COMMIT`, or from git in a checkout of Loyd. Development builds do
//! not run git: they rarely match a commit exactly, and every new commit would trigger a rebuild.

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

/// Returns the checked-out commit, or `None` outside a checkout of Loyd (for example in a repository that vendors it).
fn checked_out() -> Option<String> {
    if git(&["rev-parse", "--show-prefix"])? != "crates/lab/" {
        return None;
    }
    // The log changes whenever the branch moves. Cargo rebuilds every time if a watched file does not exist.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}

/// Runs git and returns its trimmed output, or `None` if git is missing or fails.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
