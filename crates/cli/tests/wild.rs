//! Files in the forms that users have, from the first byte to the length of a shortest solution.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn loyd(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.args(args).env("LOYD_CACHE", "none");
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

/// Returns the length of a shortest solution of each board, or the word that replaces it.
fn lengths(args: &[&str], input: &str) -> Vec<String> {
    let output = loyd(&[&["solve", "--output", "json"], args].concat(), input);
    let text = String::from_utf8(output.stdout).unwrap();
    let one = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        match record["length"].as_u64() {
            Some(length) => length.to_string(),
            None => record["status"].as_str().unwrap().to_owned(),
        }
    };
    text.lines().map(one).collect()
}

#[test]
fn every_kind_of_file_is_solved() {
    let unsolvable = "unsolvable";
    for (args, input, wanted) in [
        (&[][..], "3\n 0  1  3\n 4  2  5\n 7  8  6\n", &["4"][..]),
        (&[], "4\n 1  2  3  4\n 6  7  8  0\n 5 10 11 12\n 9 13 14 15\n", &["8"]),
        (&[], "2 3\n1 0 5\n4 3 2\n", &["6"]),
        (&["--goal", "spiral"], "# This puzzle is solvable\n3\n0 2 6\n4 3 1\n7 5 8\n", &["22"]),
        (&[], "# a comment\n3\n3 2 6 # first row\n1 4 0\n\n8 7 5\n", &[unsolvable]),
        (&["--goal", "spiral"], "# a comment\n3\n3 2 6 # first row\n1 4 0\n\n8 7 5\n", &["15"]),
        (&[], "2\n\n2 3 4 1 5 x 7 6 8\n\n1 2 3 4 5 6 8 7 x\n", &["19", unsolvable]),
        (&[], "2\n8 6 7 x 5 4 3 1 2\n8 6 7 x 5 4 3 1 2\n", &["29", "29"]),
        (&["--goal", "blank-first"], "3\n0\n3\n8\n4\n1\n7\n2\n6\n5\n", &["20"]),
        (&["--input", "korf"], "00 0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15\n", &["42"]),
        (&[], "0 42 0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15\n", &["42"]),
        (&[], "Puzzle 1:\n1 2 3\n4 5 6\n7 0 8\n\nPuzzle 2:\n1 2 3\n4 5 6\n0 7 8\n", &["1", "2"]),
        (
            &[],
            "id,board,length\n1,\"1 2 3 4 5 6 7 0 8\",1\n2,\"1 2 3 4 5 6 0 7 8\",2\n",
            &["1", "2"],
        ),
        (&[], "{\n \"state\": [1, 2, 3, 4,\n  5, 6, 7, null, 8]\n}\n", &["1"]),
        (&[], "{\"board\":\"1 2 3 4 5 6 7 0 8\",\"goal\":\"1 2 3/4 5 6/7 0 8\"}\n", &["0"]),
        (&["--blank", "F", "--goal", "0123456789ABCDEF"], "0123456789ABCDFE\n", &["1"]),
        (&["--input", "tokens"], "1 2 3 4 5\n6 7 0 8\n", &["1"]),
    ] {
        assert_eq!(lengths(args, input), wanted, "{input:?}");
    }
}

#[test]
fn judge_reads_counts_sizes_rows_or_nine_tokens_per_case() {
    let moves = |input: &str| {
        let output = loyd(&["judge"], input);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| if line == "unsolvable" { 99 } else { line.len() })
            .collect::<Vec<_>>()
    };
    assert_eq!(moves("1\n8 6 7 2 5 4 3 x 1\n"), [31]);
    assert_eq!(moves("2\n8 6 7 2 5 4 3 x 1\n1 2 3 4 5 6 7 x 8\n"), [31, 1]);
    assert_eq!(moves("1 2 3 4\n6 7 8 0\n5 10 11 12\n9 13 14 15\n"), [8]);
    assert_eq!(moves("3\n0 1 3\n4 2 5\n7 8 6\n"), [4]);
    assert_eq!(moves("3\n0\n1\n3\n4\n2\n5\n7\n8\n6\n"), [4]);
    assert_eq!(moves("1 2 3\n4 5 6\n7 x 8\n"), [1]);
    assert_eq!(moves("1 2 3 4 5\n6 7 x 8\n"), [1]);
    assert_eq!(moves("1\n2\n3\n4\n5\n6\n7\nx\n8\n1 2 3 4 5 6 x 7 8\n"), [1, 2]);
}

#[test]
fn assumptions_are_reported_once() {
    let output = loyd(&[], "3\n1 2 3\n4 5 6\n7 9 8\n3\n1 2 3\n4 5 6\n9 7 8\n");
    let notes = String::from_utf8(output.stderr).unwrap();
    let wanted = [
        "note: line 2: read 9 as the blank: it is the number of cells",
        "note: line 2: read as boards that follow a line with their size",
    ];
    assert_eq!(notes.lines().collect::<Vec<_>>(), wanted);
    let plain = loyd(&[], "1 2 3 4 5 6 7 x 8\n1 2 3\n4 5 6\n");
    assert!(!String::from_utf8(plain.stderr).unwrap().contains("note:"));
}

/// A number before a board may be that of an instance with the goal `blank-first`, of a line, or the side.
#[test]
fn numbers_before_boards_are_no_instances() {
    let board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    for text in [format!("4 {board}\n"), format!("1. {board}\n"), format!("7 1 {board}\n")] {
        let output = loyd(&["solve"], &text);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("blank-first") && error.contains("--goal"), "{text}: {error}");
        assert_eq!(lengths(&["--goal", "blank-last"], &text), ["1"], "{text}");
    }
    let output = loyd(&["solve"], &format!("2 8 {board}\n"));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b"invalid\n"[..]));
}

#[test]
fn lines_that_break_boards_are_refused() {
    let output = loyd(&[], "1 2 3 4 5\n6 7 0 8\n");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("lines do not end where boards or rows end"), "{error}");
    assert!(error.contains("--input tokens"), "{error}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "invalid\n");
}
