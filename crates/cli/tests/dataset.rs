//! Interrupted datasets, and pickles.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

fn command(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").arg("dataset").args(arguments).arg("--save").arg(out);
    command
}

fn run(arguments: &[&str], out: &Path) -> Output {
    let output = command(arguments, out).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Returns a folder with this name, which does not exist yet.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("dataset-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Returns all files with rows by name, and the number of other files.
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
fn killed_dataset_resumes_to_the_same_files() {
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
                &["--first-moves", "--solutions", "--heuristics", "manhattan", "--output", form],
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
        let written = files(&cut).0.len();
        let arguments = [&arguments("20100")[..], &["--resume", "--threads", "1"]].concat();
        run(&arguments, &cut);
        assert_eq!(files(&whole), files(&cut));
        assert_eq!((files(&whole).0.len(), files(&whole).1), (82, 0));
        assert!(written < 82, "the program had ended before it was killed");
        // Resuming a complete dataset changes nothing.
        run(&arguments, &cut);
        assert_eq!(files(&whole), files(&cut));
    }
}

/// The process that has started first is named to the others; a killed process does not block the next.
#[test]
fn folder_is_locked_while_a_process_writes_to_it() {
    let out = folder("locked");
    let arguments = ["--size", "3x3", "-n", "2000000", "--seed", "1", "--part-rows", "1000"];
    let mut child = command(&arguments, &out).spawn().unwrap();
    while !out.join("00001.csv").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    for more in [&["--resume"][..], &[]] {
        let output = command(&[&arguments[..], more].concat(), &out).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains(&format!("process {} is writing to the folder", child.id())),
            "{message}"
        );
    }
    // SIGKILL.
    child.kill().unwrap();
    assert!(child.wait().unwrap().code().is_none(), "the program had ended before it was killed");
    let short = ["--size", "3x3", "-n", "2000", "--seed", "1", "--resume"];
    let output = command(&short, &out).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("number was 2000000 and is now 2000"), "{message}");
}

#[test]
fn resume_compares_complete_files_with_their_checksums() {
    for split in [&["--split", "0.5"][..], &[]] {
        let out = folder(if split.is_empty() { "sums" } else { "split-sums" });
        let fixed =
            ["--size", "3x3", "-n", "2500", "--seed", "1", "--part-rows", "1000", "--resume"];
        let arguments = [&fixed[..], split].concat();
        run(&arguments, &out);
        let name = if split.is_empty() { "00001.csv" } else { "test/00001.csv" };
        let (path, sums) = (out.join(name), out.join("SHA256SUMS"));
        let (whole, known) = (fs::read(&path).unwrap(), fs::read_to_string(&sums).unwrap());
        let mut changed = whole.clone();
        *changed.last_mut().unwrap() ^= 1;
        for damaged in [changed, whole[..whole.len() - 1].to_owned(), Vec::new()] {
            fs::write(&path, &damaged).unwrap();
            let output = command(&arguments, &out).output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(message.contains(&format!("{name} has another checksum")), "{message}");
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
        fs::remove_file(&path).unwrap();
        run(&arguments, &out);
        assert_eq!(
            (fs::read(&path).unwrap(), fs::read_to_string(&sums).unwrap()),
            (whole, known.clone())
        );
        // A process that was killed before it had written a checksum, or half of it.
        for length in [0, 10, known.len() / 2, known.len() - 1] {
            fs::write(&sums, &known[..length]).unwrap();
            run(&arguments, &out);
            assert_eq!(fs::read_to_string(&sums).unwrap(), known);
        }
        let mut check = Command::new("sha256sum");
        if let Ok(output) = check.args(["--check", "SHA256SUMS"]).current_dir(&out).output() {
            assert!(output.status.success(), "{output:?}");
        }
    }
}

/// Files of the user, or of a dataset whose `dataset.json` was lost, are kept; other files do not disturb.
#[test]
fn files_without_a_description_are_not_replaced() {
    let names = ["00000.csv", "00019.unfinished", "test/00003.npz", "SHA256SUMS", "shard.json"];
    for (number, name) in names.into_iter().enumerate() {
        let out = folder(&format!("foreign-{number}"));
        fs::create_dir_all(out.join(name).parent().unwrap()).unwrap();
        fs::write(out.join(name), "mine").unwrap();
        for more in [&["--resume"][..], &[]] {
            let arguments = [&["--size", "3x3", "-n", "10", "--seed", "7"], more].concat();
            let output = command(&arguments, &out).output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(message.contains(&format!("{name} exists, but ")), "{message}");
            assert_eq!(fs::read_to_string(out.join(name)).unwrap(), "mine");
        }
        fs::remove_file(out.join(name)).unwrap();
        for other in ["notes.csv", "1.csv", "dataset.unfinished"] {
            fs::write(out.join(other), "mine").unwrap();
        }
        run(&["--size", "3x3", "-n", "10", "--seed", "7", "--resume"], &out);
        assert_eq!(fs::read_to_string(out.join("notes.csv")).unwrap(), "mine");
    }
}

#[test]
fn links_with_names_of_unfinished_files_are_not_followed() {
    let out = folder("planted");
    let arguments = ["--size", "3x3", "-n", "20", "--seed", "1", "--part-rows", "10", "--resume"];
    run(&arguments, &out);
    let (part, precious) = (out.join("00001.csv"), out.join("precious.txt"));
    let whole = fs::read(&part).unwrap();
    fs::remove_file(&part).unwrap();
    fs::write(&precious, "mine").unwrap();
    for name in ["00001.unfinished", "SHA256SUMS.unfinished"] {
        std::os::unix::fs::symlink(&precious, out.join(name)).unwrap();
    }
    run(&arguments, &out);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
    assert!(fs::read(&part).unwrap() == whole && fs::symlink_metadata(&part).unwrap().is_file());
}

#[test]
fn resume_requires_the_same_options() {
    let out = folder("options");
    let arguments = ["--size", "3x3", "-n", "20", "--seed", "1"];
    run(&arguments, &out);
    let refused = |arguments: &[&str]| {
        let output = command(arguments, &out).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&arguments).contains("already has a dataset: --resume continues it"));
    let other = [&arguments[..], &["--resume", "--first-moves"]].concat();
    assert!(refused(&other).contains("first_moves was false and is now true"));
    // Without --seed, the seed of the dataset is used.
    run(&["--size", "3x3", "-n", "20", "--resume"], &out);
}

/// `pickle.dumps({'states': [[1,2,3,4,5,6,7,0,8]], 'goal': [1,2,3,0,5,6,4,7,8]}, protocol=2)`, without memos.
#[test]
fn goals_of_pickles_count() {
    let list = |numbers: [u8; 9]| {
        let items: Vec<u8> = numbers.into_iter().flat_map(|number| [b'K', number]).collect();
        [&b"]("[..], &items, b"e"].concat()
    };
    let (board, goal) = (list([1, 2, 3, 4, 5, 6, 7, 0, 8]), list([1, 2, 3, 0, 5, 6, 4, 7, 8]));
    let parts = [&b"\x80\x02}(U\x06states]("[..], &board, b"eU\x04goal", &goal, b"u."];
    let out = folder("pickled-goal");
    fs::create_dir_all(&out).unwrap();
    let file = out.join("p.pkl");
    fs::write(&file, parts.concat()).unwrap();
    let file = file.to_str().unwrap();
    let output = command(&["-f", file], &out.join("rows")).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the goal in the pickle is 1 2 3 0 5 6 4 7 8"), "{error}");
    run(&["-f", file, "--goal", "1 2 3/0 5 6/4 7 8"], &out.join("rows"));
    let rows = fs::read_to_string(out.join("rows/00000.csv")).unwrap();
    assert_eq!(rows, "board,distance\n1 2 3/4 5 6/7 0 8,2\n");
}

#[test]
fn pickles_are_parsed() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pickle");
    for name in ["objects4.pkl", "array4.pkl"] {
        let out = folder(name);
        run(&["-f", &format!("{seeds}/{name}")], &out);
        let rows = fs::read_to_string(out.join("00000.csv")).unwrap();
        assert_eq!(rows, "board,distance\n1 2 3/4 5 6/7 0 8,1\n8 1 3/4 0 2/7 6 5,14\n");
    }
}
