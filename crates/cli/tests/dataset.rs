//! Datasets that are interrupted, and files of them.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

fn command(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").arg("dataset").args(arguments).arg("--out").arg(out);
    command
}

fn run(arguments: &[&str], out: &Path) -> Output {
    let output = command(arguments, out).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A folder of this name that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("dataset-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// All files with rows by name, and how many others there are.
fn files(folder: &Path) -> (BTreeMap<PathBuf, Vec<u8>>, usize) {
    let (mut files, mut others) = (BTreeMap::new(), 0);
    for set in ["train", "test"] {
        for file in fs::read_dir(folder.join(set)).unwrap() {
            let path = file.unwrap().path();
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("unfinished") => others += 1,
                _ => {
                    let bytes = fs::read(&path).unwrap();
                    files.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
                }
            }
        }
    }
    (files, others)
}

#[test]
fn a_killed_dataset_is_continued_as_if_nothing_had_happened() {
    let forms =
        if cfg!(feature = "parquet") { &["csv", "npz", "parquet"][..] } else { &["csv", "npz"] };
    for form in forms {
        let arguments = |rows: &'static str| {
            let unique = if *form == "csv" { &["--unique"][..] } else { &[] };
            [
                &[
                    "--size",
                    "3x3",
                    "-n",
                    rows,
                    "--seed",
                    "5",
                    "--part-rows",
                    "500",
                    "--split",
                    "0.2",
                ][..],
                &["--first-moves", "--solutions", "--heuristics", "manhattan", "--format", form],
                unique,
            ]
            .concat()
        };
        let (whole, cut) = (folder(&format!("whole-{form}")), folder(&format!("cut-{form}")));
        run(&arguments("20100"), &whole);
        let mut child = command(&arguments("20100"), &cut).spawn().unwrap();
        while !cut.join("test").join(format!("00002.{form}")).exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        let begun = files(&cut).0.len();
        let arguments = [&arguments("20100")[..], &["--resume", "--threads", "1"]].concat();
        run(&arguments, &cut);
        assert_eq!(files(&whole), files(&cut));
        assert_eq!((files(&whole).0.len(), files(&whole).1), (82, 0));
        assert!(begun < 82, "the program had ended before it was killed");
        // Whoever continues what is whole changes nothing.
        run(&arguments, &cut);
        assert_eq!(files(&whole), files(&cut));
    }
}

#[test]
fn other_options_do_not_continue_a_dataset() {
    let out = folder("options");
    let arguments = ["--size", "3x3", "-n", "20", "--seed", "1"];
    run(&arguments, &out);
    let refused = |arguments: &[&str]| {
        let output = command(arguments, &out).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&arguments).contains("has a dataset already: --resume continues it"));
    let other = [&arguments[..], &["--resume", "--first-moves"]].concat();
    assert!(refused(&other).contains("first_moves was false and is true now"));
    // The seed is that of the dataset where none is given.
    run(&["--size", "3x3", "-n", "20", "--resume"], &out);
}

#[test]
fn pickles_are_read() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pickle");
    for name in ["objects4.pkl", "array4.pkl"] {
        let out = folder(name);
        run(&["-f", &format!("{seeds}/{name}")], &out);
        let rows = fs::read_to_string(out.join("00000.csv")).unwrap();
        assert_eq!(rows, "board,distance\n1 2 3/4 5 6/7 0 8,1\n8 1 3/4 0 2/7 6 5,14\n");
    }
}
