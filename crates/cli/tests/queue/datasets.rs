//! Datasets of labelled boards.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Server;
use crate::{Place, Running, loyd, run, text, wait_until};

/// Returns the files of rows, and the file of checksums, by name.
fn files(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for set in ["", "train/", "test/"] {
        let Ok(folder) = fs::read_dir(place.0.join(folder).join(set)) else { continue };
        for path in folder.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            let name = format!("{set}{}", path.file_name().unwrap().to_str().unwrap());
            files.insert(name, fs::read(path).unwrap());
        }
    }
    files.retain(|name, _| !["dataset.json", "lock"].contains(&name.as_str()));
    files
}

/// Looked up and searched labels, drawn and given boards, files of several forms, and boards that a limit stops.
#[test]
fn files_equal_those_of_one_process() {
    let Some(server) = Server::start("cli-dataset", "") else { return };
    let place = Place::new("dataset");
    let given = "1 2 3 0\n1 2 0 3\n1 0 2 3\n";
    let line = place.write("line.txt", given);
    let _workers = [Running::work(&server.url()), Running::work(&server.url())];
    let all = ["--first-moves", "--solutions", "--heuristics", "manhattan,linear-conflict"];
    let cases: [(&[&str], &[&str], i32); 5] = [
        (&["--size", "3x3", "-n", "3000", "--part-rows", "700", "--split", "0.2"], &all, 0),
        (&["--size", "4x4", "--walks", "60", "-n", "300", "--part-rows", "90"], &all, 0),
        (&["--size", "3x3", "--length", "5,20", "-n", "40", "--output", "npz"], &all[..1], 0),
        (
            &["--size", "4x4", "-n", "40", "--tables", "5-5-5", "--max-expanded", "20000"],
            &all[..2],
            1,
        ),
        (&["-f", &line, "--size", "4x1"], &all[..2], 0),
    ];
    for (number, (boards, labels, status)) in cases.into_iter().enumerate() {
        let [alone, queued] = ["alone", "queued"].map(|name| format!("{name}.{number}"));
        let command = [&["dataset", "--seed", "5"][..], boards, labels].concat();
        let told = run(&[&command[..], &["--save", &place.path(&alone)]].concat());
        assert_eq!(told.status.code(), Some(status), "{}", text(&told.stderr));
        let on = ["--save", &place.path(&queued), "--on", &server.url()];
        let output = run(&[&command[..], &on].concat());
        assert_eq!(output.status.code(), Some(status), "{boards:?}: {}", text(&output.stderr));
        let messages = |message: &[u8], folder: &str| text(message).replace(folder, "");
        assert_eq!(messages(&output.stderr, &queued), messages(&told.stderr, &alone));
        assert!(files(&place, &queued) == files(&place, &alone), "{boards:?}");
        assert!(files(&place, &alone).len() >= 2);
    }
}

/// A worker and the driver are killed in turn.
#[test]
fn killed_processes_lose_no_rows() {
    let Some(server) = Server::start("cli-dataset-kills", "") else { return };
    let (place, url) = (Place::new("dataset-kills"), server.url());
    let command = ["dataset", "--size", "4x4", "-n", "400", "--seed", "3", "--part-rows", "50"];
    let command = [&command[..], &["--first-moves", "--tables", "5-5-5"]].concat();
    let alone = run(&[&command[..], &["--save", &place.path("alone")]].concat());
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let saved = place.path("queued");
    let queued = [&command[..], &["--save", &saved, "--resume", "--on", &url]].concat();
    let mut driver = Running::start(&queued);
    let mut workers = [Running::work(&url), Running::work(&url)];
    let has = |name: &str| Path::new(&saved).join(name).exists();
    wait_until("no file", || has("00000.csv"));
    workers[0].kill();
    wait_until("no third file", || has("00002.csv"));
    driver.kill();
    workers[0] = Running::work(&url);
    let mut driver = Running::start(&queued);
    wait_until("the driver does not end", || !driver.is_running());
    assert!(driver.0.wait().unwrap().success());
    assert!(files(&place, "queued") == files(&place, "alone"));
}

/// Labels that no board can have are refused, as without workers.
#[test]
fn refusals_are_those_of_one_process() {
    let Some(server) = Server::start("cli-dataset-refused", "") else { return };
    let place = Place::new("dataset-refused");
    let _worker = Running::work(&server.url());
    let command = ["dataset", "--size", "3x3", "-n", "5", "--seed", "1", "--metric", "mtm"];
    let command = [&command[..], &["--heuristics", "linear-conflict"]].concat();
    let alone = run(&[&command[..], &["--save", &place.path("alone")]].concat());
    let on = ["--save", &place.path("queued"), "--on", &server.url()];
    let queued = run(&[&command[..], &on].concat());
    assert_eq!(alone.status.code(), Some(2));
    assert_eq!(queued.status.code(), Some(2));
    assert_eq!(text(&queued.stderr), text(&alone.stderr));
    let shard = [&command[..], &on, &["--shard", "0/2"]].concat();
    assert!(text(&loyd(&shard).output().unwrap().stderr).contains("cannot be used with"));
}

/// Boards that come slowly are labelled at once, and a signal ends a command that waits for more.
#[test]
fn boards_that_come_slowly_are_labelled_at_once() {
    let Some(server) = Server::start("cli-slow", "") else { return };
    let (place, url) = (Place::new("slow"), server.url());
    let _worker = Running::work(&url);
    let rows = place.path("rows");
    let command = ["dataset", "-f", "-", "--size", "3x3", "--part-rows", "1", "--save", &rows];
    let mut command = loyd(&[&command[..], &["--on", &url]].concat());
    let mut driver = Running(command.stdin(Stdio::piped()).spawn().unwrap());
    let mut input = driver.0.stdin.take().unwrap();
    // A line may go on in the next one, so the last board is not complete.
    input.write_all(&b"2 3 4 1 5 x 7 6 8\n".repeat(3)).unwrap();
    wait_until("no rows", || place.0.join("rows/00000.csv").exists());
    assert!(driver.is_running());
    let id = driver.0.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    wait_until("the driver does not end", || !driver.is_running());
    assert_eq!(driver.0.wait().unwrap().code(), Some(1));
}
