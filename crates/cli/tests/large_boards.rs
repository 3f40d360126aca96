//! Boards of more than 256 cells on the command line: some commands accept 100x100 boards, the others refuse them with
//! an error that gives the size.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loyd"))
        .env("LOYD_CACHE", "none")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that rejects its arguments may end without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns the output of a successful run.
fn printed(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {}",
        &errors[..errors.len().min(400)]
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error of a refused run.
fn refused(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(2),
        "{arguments:?}: {}",
        &errors[..errors.len().min(400)]
    );
    errors
}

#[test]
fn commands_accept_boards_of_10000_cells() {
    let walked = printed(&["scramble", "--size", "100x100", "--moves", "3000", "--seed", "1"], "");
    let board = walked.trim();
    let record = printed(
        &["solve", "--quality", "fast", "--max-expanded", "1000", "--output", "json"],
        &format!("{board}\n"),
    );
    assert!(record.contains("\"status\":\"solved\""));
    assert!(printed(&["verify"], &record).starts_with("a solution in "));
    let end = printed(&["apply"], &record);
    let home = printed(&["convert", "--to", "slashes"], &end);
    assert!(home.starts_with("1 2 3 4 5 6 7 "), "{}", &home[..40]);
    let shorter = printed(&["optimize", "--max-time", "2s", "--output", "json"], &record);
    assert!(shorter.contains("\"moves\""));
    let explained = printed(&["explain", "--max-expanded", "1000"], &format!("{board}\n"));
    for part in [
        "solvable    yes",
        "manhattan",
        "Other heuristics take boards of at most 256 cells.",
        "best known",
    ] {
        assert!(explained.contains(part), "{part}");
    }
    let drawn = printed(&["scramble", "--size", "100x100", "--seed", "5"], "");
    assert!(printed(&["explain", "--max-expanded", "1"], &drawn).contains("solvable    yes"));
}

#[test]
fn search_commands_refuse_large_boards() {
    let board = printed(&["scramble", "--size", "20x20", "--seed", "1"], "");
    for (arguments, part) in [
        (
            &["solve", "--quality", "optimal"][..],
            "the quality optimal takes boards of at most 256 cells",
        ),
        (
            &["solve", "--algorithm", "astar"],
            "the algorithm astar takes boards of at most 256 cells",
        ),
        (&["solve", "--all"], "takes boards of at most 256 cells"),
        (&["hint"], "hint takes boards of at most 256 cells"),
        (&["rank"], "at most 20 are allowed"),
    ] {
        let error = refused(arguments, &board);
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    for (arguments, part) in [
        (&["census", "20x20"][..], "at most 15"),
        (&["scramble", "--size", "20x20", "--length", "30"], "takes boards of at most 256 cells"),
        (&["pdb", "build", "--size", "20x20"], "at most 256 cells"),
        (&["dataset", "--size", "20x20", "-n", "1"], "dataset takes boards of at most 256 cells"),
        (
            &["scramble", "--size", "101x100"],
            "a 101x100 board has 10100 cells; boards have 2 to 10,000 cells",
        ),
    ] {
        let error = refused(arguments, "");
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    let list = "1 ".repeat(10_001);
    assert!(refused(&["explain"], &list).contains("a board has 2 to 10,000"));
}
