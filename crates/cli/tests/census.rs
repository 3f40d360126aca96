//! Checkpoints of a census that is killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Returns a separate folder for each test, which does not exist yet.
fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn census(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.arg("census").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    census(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn levels_in(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.filter(|name| name.to_str().unwrap().starts_with("levels-")).count()
}

#[test]
fn killed_census_resumes_from_its_last_checkpoint() {
    let folder = place("census-killed");
    let asked = ["2x5", "--all-goals", "--metric", "mtm", "--farthest", "3"];
    let saved = [&asked[..], &["--save", folder.to_str().unwrap(), "--every", "0"]].concat();
    let undisturbed = run(&asked);
    assert_eq!(undisturbed.status.code(), Some(0), "{}", text(&undisturbed.stderr));
    let resumed = [&saved[..], &["--resume"]].concat();
    for checkpoints in [3, 40] {
        let mut child = census(if checkpoints == 3 { &saved } else { &resumed }).spawn().unwrap();
        let start = Instant::now();
        let number = || {
            let manifest = fs::read_to_string(folder.join("census.json")).ok()?;
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            manifest["number"].as_u64()
        };
        while number().is_none_or(|number| number < checkpoints) {
            assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint was written");
            thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL, at an arbitrary moment.
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "the census ended before it was killed");
    }
    let again = run(&resumed);
    assert_eq!(text(&again.stdout), text(&undisturbed.stdout), "{}", text(&again.stderr));
    let message = text(&again.stderr);
    assert!(message.contains("resumed from a census.json with SHA-256"), "{message}");
    let json = text(&run(&[&resumed[..], &["--output", "json"]].concat()).stdout);
    assert_eq!(json.matches("\"resumed_from\":").count(), json.lines().count() - 1, "{json}");
    // In the end only the result is kept, and resuming prints it immediately.
    assert_eq!(levels_in(&folder), 0);
    assert_eq!(text(&run(&resumed).stdout), text(&undisturbed.stdout));
}

#[test]
fn folder_belongs_to_one_census() {
    let folder = place("census-folder");
    let save = ["--save", folder.to_str().unwrap()];
    let error = |more: &[&str]| {
        let output = run(&[more, &save].concat());
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(error(&["2x3"]).0, Some(0));
    let (status, message) = error(&["2x3"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("resume it with --resume"), "{message}");
    for other in [&["3x2"][..], &["2x3", "--metric", "mtm"], &["2x3", "--farthest", "2"]] {
        let (status, message) = error(&[other, &["--resume"]].concat());
        assert_eq!(status, Some(2));
        assert!(message.contains("different census: of 1 2/3 4/5 0 in stm"), "{message}");
    }
    fs::write(folder.join("census.json"), "{}").unwrap();
    let (status, message) = error(&["2x3", "--resume"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("census.json"), "{message}");
}

#[test]
fn damaged_levels_are_refused() {
    let folder = place("census-damaged");
    let save = ["2x5", "--save", folder.to_str().unwrap(), "--every", "0"];
    let mut child = census(&save).spawn().unwrap();
    let start = Instant::now();
    while !folder.join("census.json").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint was written");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let manifest = fs::read_to_string(folder.join("census.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let levels = folder.join(format!("levels-{}", manifest["number"]));
    let mut bytes = fs::read(&levels).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&levels, bytes).unwrap();
    let output = run(&[&save[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("checksum"), "{}", text(&output.stderr));
}
