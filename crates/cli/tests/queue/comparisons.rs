//! Comparisons.

use serde_json::Value;

use crate::common::Server;
use crate::{Place, Running, loyd, run, text, timeless, wait_until};

/// Returns the saved runs without their header, times and memory, sorted by board and row.
fn runs(place: &Place, name: &str) -> Vec<Value> {
    let mut runs = timeless(place.lines(name).get(1..).unwrap_or_default());
    runs.sort_by_key(|run| (run["board_id"].as_u64(), run["row"].to_string()));
    runs
}

/// Many rows, some of which are refused or stopped, on drawn boards and on boards of a file.
#[test]
fn runs_equal_those_of_one_process() {
    let Some(server) = Server::start("cli-compare", "") else { return };
    let place = Place::new("compare");
    let boards = "1 2 3 4 5 6 8 7 x\n8 6 7/2 5 4/3 x 1\n1 2 3 4 5 6 7 x 8\n\
                  5 1 2 4/9 6 3 8/13 10 7 11/0 14 15 12\n";
    let file = place.write("boards.txt", boards);
    let _workers = [Running::work(&server.url()), Running::work(&server.url())];
    let cases: [&[&str]; 3] = [
        &["--preset", "weights", "-n", "20", "--seed", "3"],
        &["-f", &file, "--algorithms", "astar,idastar,table", "--heuristics", "manhattan,pdb-max"],
        &["-n", "5", "--metric", "mtm", "--algorithms", "astar", "--max-expanded", "100"],
    ];
    for (number, case) in cases.into_iter().enumerate() {
        let saved = |name: &str| place.path(&format!("{name}.{number}"));
        let command = [&["compare"][..], case].concat();
        let alone = run(&[&command[..], &["--save", &saved("alone")]].concat());
        let queued =
            run(&[&command[..], &["--save", &saved("queued"), "--on", &server.url()]].concat());
        assert_eq!(queued.status.code(), alone.status.code(), "{}", text(&queued.stderr));
        let [alone, queued] =
            ["alone", "queued"].map(|name| runs(&place, &format!("{name}.{number}")));
        assert!(!alone.is_empty());
        assert_eq!(queued, alone, "{case:?}");
    }
}

/// A worker and the driver are killed in turn.
#[test]
fn killed_processes_lose_no_runs() {
    let Some(server) = Server::start("cli-compare-kills", "") else { return };
    let (place, url) = (Place::new("compare-kills"), server.url());
    let command = [
        "compare",
        "--algorithms",
        "bfs,astar,idastar",
        "--size",
        "3x4",
        "-n",
        "60",
        "--max-expanded",
        "100000",
    ];
    let alone = run(&[&command[..], &["--save", &place.path("alone")]].concat());
    assert_eq!(alone.status.code(), Some(1), "{}", text(&alone.stderr));
    let saved = place.path("queued");
    let queued = [&command[..], &["--save", &saved, "--resume", "--on", &url]].concat();
    let mut driver = Running::start(&queued);
    let mut workers = [Running::work(&url), Running::work(&url)];
    let done = || place.lines("queued").len();
    wait_until("no runs", || done() > 20);
    workers[0].kill();
    wait_until("no more runs", || done() > 60);
    driver.kill();
    workers[0] = Running::work(&url);
    let mut driver = Running::start(&queued);
    wait_until("the driver does not end", || !driver.is_running());
    assert_eq!(driver.0.wait().unwrap().code(), Some(1));
    assert_eq!(runs(&place, "queued"), runs(&place, "alone"));
}

/// A run that ends five workers has no record, and `--resume` tries it again.
#[test]
fn run_that_ends_workers_is_tried_again() {
    let Some(server) = Server::start("cli-compare-failed", "") else { return };
    let (place, url) = (Place::new("compare-failed"), server.url());
    let boards = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15\n14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0\n";
    let file = place.write("boards.txt", boards);
    let saved = place.path("queued");
    let command = ["compare", "-f", &file, "--algorithms", "idastar", "--save", &saved, "--resume"];
    let hard = ["--max-time", "none", "--on", &url];
    let mut driver = Running(loyd(&[&command[..], &hard].concat()).spawn().unwrap());
    wait_until("the driver does not end", || {
        let mut worker = Running::work(&url);
        for _ in 0..30 {
            if !driver.is_running() {
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        worker.kill();
        false
    });
    let mut message = String::new();
    std::io::Read::read_to_string(driver.0.stderr.as_mut().unwrap(), &mut message).unwrap();
    assert_eq!(driver.0.wait().unwrap().code(), Some(1), "{message}");
    assert!(
        message.contains("idastar/manhattan on board 2: failed: it ended 5 workers"),
        "{message}"
    );
    assert!(message.contains("run the same command with --resume to continue"), "{message}");
    let known = runs(&place, "queued");
    assert_eq!(known.len(), 1);
    assert_eq!(known[0]["status"], "solved");
    // The next driver tries the run again.
    let mut driver = Running(loyd(&[&command[..], &hard].concat()).spawn().unwrap());
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(driver.is_running());
    driver.kill();
}

#[test]
fn other_options_are_refused() {
    let place = Place::new("compare-options");
    let save = place.path("saved");
    let cases: [(&[&str], &str); 3] = [
        (&["compare", "--on", "nats://localhost:1"], "--save <FILE>"),
        (
            &["compare", "--save", &save, "--shard", "0/2", "--on", "nats://localhost:1"],
            "cannot be used with",
        ),
        (
            &["compare", "--save", &save, "--on", "nats://localhost:9"],
            "is a NATS server running there?",
        ),
    ];
    for (arguments, reason) in cases {
        let output = run(arguments);
        let message = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && message.contains(reason),
            "{arguments:?}: {message}"
        );
        assert!(!std::path::Path::new(&save).exists(), "{arguments:?}");
    }
}
