//! Shards of a dataset.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::{Place, run, text};

const DRAWN: [&str; 9] =
    ["dataset", "--size", "3x3", "-n", "1050", "--seed", "7", "--part-rows", "100"];

/// Returns the files of a dataset by name. `dataset.json` has no command, which names the folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let inner = self::files(&path).into_iter();
            files.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else if name == "dataset.json" {
            let mut about: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            about["command"].take();
            files.insert(name, about.to_string().into_bytes());
        } else if name != "lock" {
            files.insert(name, fs::read(path).unwrap());
        }
    }
    files
}

/// Writes a shard of a dataset, with `--resume`, and returns its folder.
fn shard(place: &Place, arguments: &[&str], (index, count): (usize, usize)) -> String {
    let folder = place.path(&format!("{count}.{index}"));
    let shard = format!("{index}/{count}");
    let output = run(&[arguments, &["--shard", &shard, "--save", &folder, "--resume"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    folder
}

fn shards(place: &Place, arguments: &[&str], count: usize) -> Vec<String> {
    (0..count).map(|index| shard(place, arguments, (index, count))).collect()
}

fn merge(folders: &[String], to: &str) -> Output {
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    run(&[&["merge"], &folders[..], &["--save", to]].concat())
}

/// Checks that the joined shards have the files and the exit status of a single process.
fn check_joined(name: &str, arguments: &[&str], status: i32) {
    let place = Place::new(name);
    let whole = place.path("whole");
    let output = run(&[arguments, &["--save", &whole]].concat());
    assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    let whole = files(Path::new(&whole));
    let mut folders = shards(&place, arguments, 3);
    folders.reverse();
    let joined = place.path("joined");
    let merged = merge(&folders, &joined);
    assert_eq!(merged.status.code(), Some(status), "{}", text(&merged.stderr));
    assert!(files(Path::new(&joined)) == whole, "{name}");
    assert!(!place.read("joined/dataset.json").contains("--shard"));
}

#[test]
fn joined_shards_of_drawn_boards_equal_whole() {
    let labels = ["--first-moves", "--solutions", "--heuristics", "manhattan"];
    check_joined("data-csv", &[&DRAWN[..], &labels, &["--split", "0.2"]].concat(), 0);
    check_joined("data-npz", &[&DRAWN[..], &["--unique", "--output", "npz"]].concat(), 0);
    check_joined("data-walks", &[&DRAWN[..], &["--walks", "50", "--output", "json"]].concat(), 0);
    check_joined("data-length", &[&DRAWN[..], &["--length", "5-9"]].concat(), 0);
    // A single part, which all shards but one leave alone.
    check_joined("data-small", &["dataset", "--size", "3x3", "-n", "5", "--seed", "7"], 0);
    #[cfg(feature = "parquet")]
    check_joined("data-parquet", &[&DRAWN[..], &["--output", "parquet"]].concat(), 0);
}

/// Each shard that is complete succeeds; the status of the boards is that of `loyd merge`.
#[test]
fn joined_shards_of_files_have_the_status_of_one_process() {
    let place = Place::new("data-file");
    let boards: Vec<String> = (0..50)
        .map(|number| match number {
            // Of another goal, which is invalid.
            17 => "1 2 3/4 5 6/8 7 x".to_owned(),
            _ => ["1 2 3/4 5 6/7 x 8", "1 2 3/4 x 5/7 8 6", "1 2 3/4 5 6/7 8 x"][number % 3]
                .to_owned(),
        })
        .collect();
    let file = place.write("boards.txt", &(boards.join("\n") + "\n"));
    let some = ["dataset", "-f", &file, "--seed", "1", "--part-rows", "4"];
    check_joined("data-invalid", &some, 2);
    check_joined("data-some", &[&some[..], &["-n", "17"]].concat(), 0);
    check_joined("data-exact", &[&some[..], &["-n", "16"]].concat(), 0);
    let hard = "15 5 12 7/x 14 8 13/10 9 4 2/1 3 11 6";
    let easy = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 x 15";
    let file = place.write("hard.txt", &format!("{easy}\n{easy}\n{hard}\n{easy}\n{hard}\n"));
    let limited =
        ["dataset", "-f", &file, "--seed", "1", "--part-rows", "2", "--max-expanded", "10"];
    check_joined("data-stopped", &limited, 1);
}

#[test]
fn interrupted_shard_of_dataset_resumes() {
    let place = Place::new("data-resumed");
    let folder = shard(&place, &DRAWN, (1, 3));
    let whole = files(Path::new(&folder));
    assert!(
        whole.contains_key("00001.csv") && whole.contains_key("00010.csv"),
        "{:?}",
        whole.keys()
    );
    // Killed before the third part was written, and half of its checksum.
    let sums = String::from_utf8(whole["SHA256SUMS"].clone()).unwrap();
    place.write("3.1/SHA256SUMS", &sums[..sums.len() - 90]);
    for name in ["00010.csv", "00007.csv", "shard.json"] {
        fs::remove_file(place.path(&format!("3.1/{name}"))).unwrap();
    }
    shard(&place, &DRAWN, (1, 3));
    assert!(files(Path::new(&folder)) == whole);
}

fn missing(folder: &str) -> (Option<i32>, String) {
    let output = run(&["merge", "--missing", folder]);
    (output.status.code(), text(&output.stdout))
}

#[test]
fn incomplete_and_foreign_shards_of_datasets_are_refused() {
    let place = Place::new("data-refused");
    let folders = shards(&place, &DRAWN, 3);
    let all = place.path("");
    assert_eq!(missing(&all), (Some(0), String::new()));
    let joined = place.path("joined");
    let refused = |folders: &[String], reason: &str| {
        let output = merge(folders, &joined);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(reason), "{message}");
        assert!(!Path::new(&joined).exists());
    };
    refused(&folders[1..], "shard 0/3 is missing");
    refused(&[&folders[..], &folders[..1]].concat(), "is shard 0/3, like");
    // Other work: another seed, and other boards under the same name.
    let other = Place::new("data-other");
    let seed = DRAWN.map(|word| if word == "7" { "8" } else { word });
    let foreign = shard(&other, &seed, (2, 3));
    refused(&[&folders[..2], &[foreign]].concat(), "seed 8, but 7 in");
    let file = other.write("boards.txt", "1 2 3/4 5 6/7 x 8\n");
    let of_file = ["dataset", "-f", &file];
    let first = shard(&other, &of_file, (0, 2));
    other.write("boards.txt", "1 2 3/4 5 6/7 8 x\n");
    refused(&[first, shard(&other, &of_file, (1, 2))], "file_sha256");
    // A shard that was changed, one that lost a file, and one that has not finished.
    let part = place.path("3.1/00004.csv");
    let content = fs::read_to_string(&part).unwrap();
    fs::write(&part, content.replacen('1', "2", 1)).unwrap();
    refused(&folders, "00004.csv has another checksum");
    assert_eq!(missing(&all), (Some(1), "1\n".to_owned()));
    fs::remove_file(&part).unwrap();
    refused(&folders, "00004.csv");
    fs::remove_file(place.path("3.2/shard.json")).unwrap();
    refused(&folders, "3.2: the shard has not finished");
    assert_eq!(missing(&all), (Some(1), "1-2\n".to_owned()));
    // Resuming completes all of them.
    let folders = shards(&place, &DRAWN, 3);
    assert_eq!(missing(&all), (Some(0), String::new()));
    let whole = place.path("whole");
    assert!(run(&[&DRAWN[..], &["--save", &whole]].concat()).status.success());
    refused(&[folders[0].clone(), whole.clone()], "belongs to no shard");
    assert_eq!(merge(&folders, &whole).status.code(), Some(2), "the folder is not empty");
    let output = run(&["merge", &folders[0], &folders[1], &folders[2]]);
    assert!(text(&output.stderr).contains("name it with --save"));
}

#[test]
fn shards_of_datasets_need_folders_and_the_same_seed() {
    for (arguments, message) in [
        (&["dataset", "-n", "5", "--seed", "1", "--shard", "0/2"][..], "--save"),
        (&["dataset", "-n", "5", "--shard", "0/2", "--save", "nowhere"], "--seed"),
        (&["dataset", "-n", "5", "--seed", "1", "--shard", "2/2", "--save", "nowhere"], "I/N"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
        assert!(!Path::new("nowhere").exists());
    }
}
