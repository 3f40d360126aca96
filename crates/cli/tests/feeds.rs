//! The output of each command is valid input of every suitable command, without options.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A board at distance 3 from the goal.
const BOARD: &str = "1 2 3/x 4 6/7 5 8";

/// Commands that print boards of 9 cells.
const BOARDS: &[&[&str]] = &[
    &["scramble", "--size", "3x3", "-n", "2", "--seed", "1"],
    &["scramble", "--size", "3x3", "-n", "2", "--seed", "1", "--output", "json"],
    &["convert", BOARD, "--to", "slashes"],
    &["convert", BOARD, "--to", "tokens"],
    &["convert", BOARD, "--to", "compact"],
    &["convert", BOARD, "--to", "list"],
    &["convert", BOARD, "--to", "rows"],
    &["convert", BOARD, "--to", "grid"],
    &["convert", BOARD, "--to", "grid", "--output", "json"],
    &["apply", BOARD, "rd"],
    &["apply", BOARD, "rd", "--output", "json"],
    &["unrank", "77"],
    &["unrank", "77", "--output", "json"],
    &["rank", BOARD, "--output", "json"],
    &["hint", BOARD, "--output", "json"],
    &["explain", BOARD, "--output", "json"],
    &["verify", BOARD, "rdr", "--output", "json"],
    &["review", BOARD, "rdr", "--output", "json"],
    &["solve", BOARD, "12345687x", "--output", "json"],
    &["solve", BOARD, "--all", "--output", "json"],
    &["simplify", "--board", BOARD, "rdrl", "--output", "json"],
    &["invert", "--board", BOARD, "rdr", "--output", "json"],
];

/// Commands that read boards.
const READ_BOARDS: &[&[&str]] = &[
    &["solve"],
    &["solve", "-f", "-"],
    &["solve", "-"],
    &["solve", "--all"],
    &["solve", "--count"],
    &["solve", "--output", "json"],
    &[],
    &["-"],
    &["judge"],
    &["hint"],
    &["explain"],
    &["rank"],
    &["realms"],
    &["convert", "--to", "tokens"],
    &["convert", "-", "--to", "list", "--output", "json"],
];

/// Commands that print moves with their boards.
const SOLUTIONS: &[&[&str]] = &[
    &["solve", BOARD, "12345687x", "--all"],
    &["solve", BOARD, "12345678x", "--output", "json"],
    &["solve", BOARD, "12345687x", "--output", "json"],
    &["solve", BOARD, "--output", "json", "--notation", "numbers"],
    &["solve", BOARD, "12345687x", "--all", "--output", "json"],
    &["hint", BOARD, "--output", "json"],
    &["apply", BOARD, "rdr", "--output", "json"],
    &["convert", "--board", BOARD, "rdr", "--to", "numbers", "--output", "json"],
    &["simplify", "--board", BOARD, "rlrdr", "--output", "json"],
    &["optimize", BOARD, "rlrdr", "--output", "json"],
    &["filter-optimal", "tests/data/shortest.txt"],
    &["filter-optimal", "tests/data/shortest.txt", "--output", "json"],
    &["convert", "--board", BOARD, "rdr", "--to", "replay"],
];

/// Commands that print moves alone.
const MOVES: &[&[&str]] = &[
    &["solve", BOARD],
    &["judge", "tests/data/near.txt"],
    &["solve", BOARD, "--notation", "tile", "--runs"],
    &["solve", BOARD, "--notation", "numbers"],
    &["solve", BOARD, "--notation", "coordinates"],
    &["convert", "rdr", "--to", "tile"],
    &["convert", "--board", BOARD, "rdr", "--to", "coordinates"],
    &["simplify", "rlrdr"],
    &["optimize", BOARD, "rlrdr"],
    &["invert", "lul"],
    &["convert", "--board", BOARD, "rdr", "--to", "replay"],
];

/// Commands that read moves, with their boards or with `--board`.
const READ_MOVES: &[&[&str]] = &[
    &["apply"],
    &["verify"],
    &["review"],
    &["invert"],
    &["simplify"],
    &["optimize"],
    &["filter-optimal", "--output", "json"],
    &["convert", "--to", "numbers"],
    &["convert", "--to", "blank", "--output", "json"],
];

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").args(arguments).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command with arguments may end without reading its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Runs every pair of commands, with the extra arguments `more` for the reading one.
fn all_pairs(print: &[&[&str]], read: &[&[&str]], more: &[&str]) {
    for printing in print {
        let printed = run(printing, b"");
        assert!(printed.status.success() && !printed.stdout.is_empty(), "{printing:?}");
        for reading in read {
            let found = run(&[reading, more].concat(), &printed.stdout);
            let error = String::from_utf8_lossy(&found.stderr);
            let pair = format!("{printing:?} | {reading:?}\n{error}");
            assert!(found.status.success(), "{pair}");
            assert!(!found.stdout.is_empty() && !error.contains("error"), "{pair}");
        }
    }
}

#[test]
fn every_board_command_reads_printed_boards() {
    all_pairs(BOARDS, READ_BOARDS, &[]);
}

#[test]
fn every_move_command_reads_printed_moves_with_boards() {
    all_pairs(SOLUTIONS, READ_MOVES, &[]);
}

#[test]
fn moves_without_boards_need_a_board() {
    all_pairs(MOVES, READ_MOVES, &["--board", BOARD]);
}

#[test]
fn scrambles_are_moves_from_the_goal() {
    for more in [&[][..], &["--moves", "9"], &["--length", "9"]] {
        let draw = ["scramble", "--size", "3x3", "-n", "3", "--seed", "5"];
        let boards = run(&[&draw, more].concat(), b"").stdout;
        let moves = run(&[&draw, more, &["--output", "moves"]].concat(), b"").stdout;
        assert_eq!(run(&["apply", "12345678x"], &moves).stdout, boards, "{more:?}");
    }
}

/// `pip install pyperplan`, then `cargo test -p loyd --test feeds -- --ignored`.
#[test]
#[ignore = "needs pyperplan on the path"]
fn planners_solve_exported_problems() {
    let folder = std::env::temp_dir().join(format!("loyd-pddl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let domain = folder.join("domain.pddl");
    std::fs::write(&domain, run(&["convert", "--to", "pddl-domain"], b"").stdout).unwrap();
    let draw = ["scramble", "--size", "3x3", "--length", "0-12", "--seed", "3"];
    let boards = String::from_utf8(run(&draw, b"").stdout).unwrap();
    assert_eq!(boards.lines().count(), 13);
    for (length, board) in boards.lines().enumerate() {
        let problem = folder.join(format!("{length}.pddl"));
        std::fs::write(&problem, run(&["convert", board, "--to", "pddl"], b"").stdout).unwrap();
        let planner =
            Command::new("pyperplan").args(["-s", "bfs"]).arg(&domain).arg(&problem).output();
        assert!(planner.unwrap().status.success());
        let plan = folder.join(format!("{length}.pddl.soln"));
        let verify = ["verify", "--board", board, "-f", plan.to_str().unwrap()];
        // A plan without steps is empty, and not a solution to read.
        let message = if length == 0 { continue } else { run(&verify, b"").stdout };
        let message = String::from_utf8(message).unwrap();
        assert!(message.contains("shortest: yes"), "{board}: {message}");
        let moves = run(&["convert", "-f", plan.to_str().unwrap(), "--to", "blank"], b"").stdout;
        assert_eq!(moves.len(), length + 1);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn file_name_is_accepted_as_argument() {
    for command in [&[][..], &["solve"], &["judge"], &["hint"], &["convert", "--to", "list"]] {
        let output = run(&[command, &["tests/data/near.txt"]].concat(), b"");
        assert!(output.status.success() && !output.stdout.is_empty(), "{command:?}");
    }
    assert_eq!(run(&["tests/data/near.txt"], b"").stdout, b"rdr\n");
}

/// A line of more than nine tiles is not a case of a judge's file.
#[test]
fn judges_read_larger_boards_as_tokens() {
    for size in ["4x4", "5x5", "10x10"] {
        let drawn = run(&["scramble", "--size", size, "--moves", "5", "--seed", "1"], b"");
        let tokens = run(&["convert", "--to", "tokens"], &drawn.stdout);
        let judged = run(&["judge"], &tokens.stdout);
        assert_eq!(judged.stdout, run(&["judge"], &drawn.stdout).stdout, "{size}");
        assert_eq!((judged.status.code(), judged.stdout.len()), (Some(0), 6), "{size}");
    }
    // Lines may break anywhere within cases.
    let loose = run(&["judge"], b"1 2 3 x\n4 5 7 8 6 2 3 4 1 5 x 7 6 8\n");
    assert_eq!(loose.stdout.iter().filter(|&&byte| byte == b'\n').count(), 2);
}
