//! Censuses whose levels are in files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Memory for which 2x6 and 2x5 are divided into 12 and 10 blocks.
const LITTLE: &str = "9M";

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

/// Returns the names of the files of blocks, without spare ones, sorted.
fn blocks_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("search-")).collect();
    names.retain(|name| !name.starts_with("search-spare-"));
    names.sort();
    names
}

/// Waits until a complete block of this level is in the folder.
fn wait_for_level(folder: &Path, level: usize) {
    let (start, part) = (Instant::now(), format!("-level-{level}-block-"));
    let is_there = |name: &String| name.contains(&part) && !name.ends_with(".new");
    while !blocks_in(folder).iter().any(is_there) {
        assert!(start.elapsed() < Duration::from_secs(100), "level {level} was not reached");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Starts a census and kills it by SIGKILL when it has written a block of this level.
fn kill_at_level(arguments: &[&str], folder: &Path, level: usize) {
    let mut child: Child = census(arguments).spawn().unwrap();
    wait_for_level(folder, level);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "the census ended before it was killed");
}

#[test]
fn killed_census_on_disk_resumes_at_its_last_block() {
    for (size, asked) in [("2x6", &["--farthest", "1"][..]), ("2x5", &["--all-goals"])] {
        let folder = place(&format!("disk-killed-{size}"));
        let asked = [&[size], asked].concat();
        let on_disk = ["--save", folder.to_str().unwrap(), "--on-disk", "--max-memory", LITTLE];
        let on_disk = [&asked[..], &on_disk].concat();
        let in_memory = run(&asked);
        assert_eq!(in_memory.status.code(), Some(0), "{}", text(&in_memory.stderr));
        kill_at_level(&on_disk, &folder, 12);
        // Complete blocks of the level that was interrupted are not written again.
        let newest = blocks_in(&folder).into_iter().filter(|name| !name.ends_with(".new"));
        let newest = folder.join(newest.max_by_key(|name| level_of(name)).unwrap());
        let written = fs::metadata(&newest).unwrap().modified().unwrap();
        let resumed = [&on_disk[..], &["--resume"]].concat();
        let mut child = census(&resumed).spawn().unwrap();
        wait_for_level(&folder, level_of(newest.file_name().unwrap().to_str().unwrap()) + 1);
        let kept = fs::metadata(&newest).map(|metadata| metadata.modified().unwrap());
        assert!(kept.is_err() || kept.unwrap() == written);
        child.kill().unwrap();
        child.wait().unwrap();
        kill_at_level(&resumed, &folder, 20);
        let completed = run(&resumed);
        assert_eq!(text(&completed.stdout), text(&in_memory.stdout), "{}", text(&completed.stderr));
        let message = text(&completed.stderr);
        assert!(message.contains("resumed from a census.json with SHA-256"), "{message}");
        // Only the result is kept, and resuming prints it.
        assert!(blocks_in(&folder).is_empty());
        assert_eq!(text(&run(&resumed).stdout), text(&in_memory.stdout));
    }
}

/// Returns the level in the name of a block's file.
fn level_of(name: &str) -> usize {
    name.split('-').nth(3).unwrap().parse().unwrap()
}

#[test]
fn damaged_and_missing_blocks_are_named() {
    let folder = place("disk-damaged");
    let asked = ["2x6", "--save", folder.to_str().unwrap(), "--on-disk", "--max-memory", LITTLE];
    kill_at_level(&asked, &folder, 15);
    let resumed = [&asked[..], &["--resume"]].concat();
    let manifest = fs::read_to_string(folder.join("census.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let last = manifest["levels"].as_array().unwrap().len() - 1;
    let of_last = |name: &String| level_of(name) == last && !name.ends_with(".new");
    let longest = blocks_in(&folder).into_iter().filter(of_last);
    let longest =
        longest.max_by_key(|name| fs::metadata(folder.join(name)).unwrap().len()).unwrap();
    let path = folder.join(&longest);
    let whole = fs::read(&path).unwrap();
    let refused = || {
        let output = run(&resumed);
        let message = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
        assert!(message.contains(path.to_str().unwrap()), "{message}");
        message
    };
    // A bit in the first line, in the numbers, and in the last slice; short files and a long one.
    for at in [3, 150, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&path, damaged).unwrap();
        assert!(refused().contains("the file is damaged"));
    }
    for length in [0, 40, whole.len() - 1, whole.len() + 1] {
        let mut damaged = whole.clone();
        damaged.resize(length, 0);
        fs::write(&path, damaged).unwrap();
        assert!(refused().contains("the file is damaged"));
    }
    fs::remove_file(&path).unwrap();
    refused();
    // The file of another block.
    let other = blocks_in(&folder).into_iter().find(|name| of_last(name)).unwrap();
    fs::copy(folder.join(other), &path).unwrap();
    assert!(refused().contains("of another block"));
    fs::write(&path, whole).unwrap();
    let completed = run(&resumed);
    assert_eq!(text(&completed.stdout), text(&run(&["2x6"]).stdout));
}

#[test]
fn a_folder_on_disk_belongs_to_one_process_and_census() {
    let folder = place("disk-folder");
    let asked = ["2x6", "--save", folder.to_str().unwrap(), "--on-disk", "--max-memory", LITTLE];
    let resumed = [&asked[..], &["--resume"]].concat();
    let mut child = census(&asked).spawn().unwrap();
    wait_for_level(&folder, 4);
    let refused = |arguments: &[&str], why: &str| {
        let output = run(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(why), "{message}");
    };
    refused(&resumed, &format!("process {} is writing to the folder", child.id()));
    child.kill().unwrap();
    child.wait().unwrap();
    refused(&asked, "resume it with --resume");
    let in_memory = ["2x6", "--save", folder.to_str().unwrap(), "--resume"];
    refused(&in_memory, "--farthest 10, --on-disk");
    let other = ["6x2", "--save", folder.to_str().unwrap(), "--on-disk", "--resume"];
    refused(&other, "different census: of 1 2/3 4/5 6/7 8/9 10/11 0 in stm");
    // The blocks of the folder do not fit into less memory.
    refused(&[&resumed[..4], &["--resume", "--max-memory", "4M"]].concat(), "(--max-memory)");
}

#[cfg(unix)]
#[test]
fn interrupted_census_on_disk_says_how_to_continue() {
    let folder = place("disk-interrupted");
    let asked = ["2x6", "--save", folder.to_str().unwrap(), "--on-disk", "--max-memory", LITTLE];
    let child = census(&asked).spawn().unwrap();
    wait_for_level(&folder, 10);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("run the same command with --resume to continue"), "{message}");
    assert!(!blocks_in(&folder).is_empty());
}
