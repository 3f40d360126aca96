//! Files of boards.

use loyd::scramble::{Random, random_walk};
use loyd::{Goal, Size};

use crate::common::Server;
use crate::{Place, Running, loyd, run, text, timeless, wait_until};

/// Returns the text of `count` boards after random walks, one per line.
pub fn boards(size: &str, count: u64) -> String {
    let size: Size = size.parse().unwrap();
    let goal = Goal::BlankLast.board(size).unwrap();
    let board = |seed| {
        let mut board = goal.clone();
        for m in random_walk(&goal, 200, &mut Random::new(seed)).unwrap() {
            board.apply(m).unwrap();
        }
        format!("{board}\n")
    };
    (0..count).map(board).collect()
}

/// A search of some tens of milliseconds.
pub const SEARCH: [&str; 6] =
    ["--algorithm", "idastar", "--heuristic", "linear-conflict", "--max-expanded", "300000"];

/// Easy, unsolvable, invalid and hard boards, with every form of an answer.
#[test]
fn answers_equal_those_of_one_process() {
    let Some(server) = Server::start("cli-answers", "") else { return };
    let place = Place::new("answers");
    let mixed = boards("3x3", 50)
        + "1 2 3 4 5 6 8 7 x\n# a comment\n1 2 3 4 5 6 7 8 q\n\n"
        + &boards("4x3", 20);
    let file = place.write("boards.txt", &mixed);
    let _workers = [Running::work(&server.url()), Running::work(&server.url())];
    let forms: [&[&str]; 6] = [
        &["--output", "json"],
        &["--output", "moves", "--notation", "tile", "--runs"],
        &["--output", "length"],
        &["--count"],
        &["--all", "--limit", "3", "--output", "json", "--notation", "words"],
        &[
            "--output",
            "json",
            "--algorithm",
            "astar",
            "--heuristic",
            "manhattan",
            "--goal",
            "blank-first",
        ],
    ];
    for (number, form) in forms.into_iter().enumerate() {
        let saved = |name: &str| place.path(&format!("{name}.{number}"));
        let command = [&["solve", "-f", &file][..], form].concat();
        let alone = run(&[&command[..], &["--save", &saved("alone")]].concat());
        let queued =
            run(&[&command[..], &["--save", &saved("queued"), "--on", &server.url()]].concat());
        let message = text(&queued.stderr);
        assert_eq!(queued.status.code(), alone.status.code(), "{form:?}: {message}");
        let [alone_lines, queued_lines] =
            ["alone", "queued"].map(|name| place.lines(&format!("{name}.{number}")));
        assert_eq!(alone_lines.len(), 72);
        match form.contains(&"json") {
            true => assert_eq!(timeless(&queued_lines), timeless(&alone_lines)),
            false => assert_eq!(queued_lines, alone_lines),
        }
        // The same messages; those about invalid boards may come first.
        let messages = |message: &[u8]| {
            let mut lines: Vec<String> = text(message).lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(messages(&queued.stderr), messages(&alone.stderr), "{form:?}");
    }
}

/// Workers, the server and the driver are killed in turn.
#[test]
fn killed_processes_lose_nothing() {
    let Some(mut server) = Server::start("cli-kills", "") else { return };
    let (place, url) = (Place::new("kills"), server.url());
    let file = place.write("boards.txt", &boards("4x4", 240));
    let command = [&["solve", "-f", &file, "--output", "json"][..], &SEARCH].concat();
    let alone = run(&[&command[..], &["--save", &place.path("alone")]].concat());
    let saved = place.path("queued");
    let queued = [&command[..], &["--save", &saved, "--resume", "--on", &url]].concat();
    let mut driver = Running::start(&queued);
    let mut workers = [Running::work(&url), Running::work(&url)];
    let answered = || place.lines("queued").len();
    for step in 0..6 {
        wait_until(&format!("no answers at step {step}"), || answered() >= 30 * (step + 1));
        match step % 3 {
            0 => {
                workers[step / 3].kill();
                workers[step / 3] = Running::work(&url);
            }
            1 => server.restart(step != 4),
            _ => {
                driver.kill();
                driver = Running::start(&queued);
            }
        }
    }
    wait_until("the driver does not end", || !driver.is_running());
    let status = driver.0.wait().unwrap();
    assert_eq!(status.code(), alone.status.code());
    assert_eq!(timeless(&place.lines("queued")), timeless(&place.lines("alone")));
    // The file is complete.
    let again = run(&queued);
    assert_eq!(again.status.code(), alone.status.code());
}

/// A board that ends five workers is recorded as failed, and `--resume` tries again.
#[test]
fn board_that_ends_workers_fails_alone() {
    let Some(server) = Server::start("cli-failed", "") else { return };
    let (place, url) = (Place::new("failed"), server.url());
    let hard = "15 11 13 12/14 10 8 9/7 2 5 1/3 4 6 0\n";
    let file = place.write("boards.txt", &(boards("3x3", 3) + hard + &boards("3x3", 2)));
    let command =
        ["solve", "-f", &file, "--output", "json", "--save", &place.path("queued"), "--resume"];
    let search =
        ["--algorithm", "idastar", "--heuristic", "manhattan", "--max-time", "none", "--on", &url];
    let queued = [&command[..], &search].concat();
    let mut driver = Running(loyd(&queued).spawn().unwrap());
    // The first job of each worker is that board, once the others are answered.
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
    assert_eq!(driver.0.wait().unwrap().code(), Some(1));
    let records = timeless(&place.lines("queued"));
    let statuses: Vec<&str> =
        records.iter().map(|record| record["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["solved", "solved", "solved", "failed", "solved", "solved"]);
    assert_eq!(records[3]["error"], "it ended 5 workers");
    // `--resume` tries that board again, with workers or alone, and keeps the other lines. For the test, with a limit.
    let notes = || std::fs::read_to_string(place.path("queued.batch")).unwrap();
    place.write(
        "queued.batch",
        &notes().replace("\"--max-time\":\"none\"", "\"--max-time\":\"0.2 s\""),
    );
    let before = place.lines("queued");
    let _worker = Running::work(&url);
    for more in [&["--on", &url][..], &[]] {
        let again = run(&[&command[..], &search[..4], &["--max-time", "200ms"], more].concat());
        assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
        let after = place.lines("queued");
        assert_eq!(timeless(&after[3..4])[0]["status"], "stopped");
        assert_eq!((&after[..3], &after[4..]), (&before[..3], &before[4..]));
        // As if it had failed again.
        place.write("queued", &(before.join("\n") + "\n"));
        let open = notes();
        let open = open.split_inclusive('\n').filter(|line| !line.contains("sha256"));
        place.write("queued.batch", &open.collect::<String>());
    }
}

#[test]
fn save_and_queue_options_are_checked() {
    let place = Place::new("options");
    let file = place.write("boards.txt", &boards("3x3", 1));
    let save = place.path("saved");
    let cases: [(&[&str], &str); 4] = [
        (&["solve", "-f", &file, "--on", "nats://localhost:1"], "--save <FILE>"),
        (
            &["solve", "-f", &file, "--save", &save, "--on", "localhost:4222"],
            "starts with tls:// or nats://",
        ),
        (
            &["solve", "-f", &file, "--save", &save, "--shard", "0/2", "--on", "nats://localhost"],
            "leave out --shard",
        ),
        (
            &["solve", "-f", &file, "--save", &save, "--on", "nats://localhost:9"],
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
