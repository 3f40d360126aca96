//! Progress events of a running search, and its state after a signal.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::parse_moves;
use loyd::scramble::{Random, random_board};
use loyd::{Board, Goal, Size};
use serde_json::Value;

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
}

/// Returns a board whose shortest solution cannot be found within the time of a test.
fn hard(size: u32) -> Board {
    let goal = Goal::BlankLast.board(Size::new(size, size).unwrap()).unwrap();
    random_board(&goal, &mut Random::new(3))
}

/// Replays a solution and returns its number of moves.
fn replayed(board: &Board, moves: &str) -> usize {
    let (mut at, moves) = (board.clone(), parse_moves(moves).unwrap());
    moves.iter().for_each(|&m| at.apply(m).unwrap());
    assert_eq!(at, Goal::BlankLast.board(board.size()).unwrap());
    Metric::SingleTile.length(&moves)
}

/// The events, and the other lines of standard error.
struct Told {
    lines: BufReader<ChildStderr>,
    events: Vec<Value>,
    stderr: String,
}

impl Told {
    fn by(child: &mut Child) -> Self {
        let lines = BufReader::new(child.stderr.take().unwrap());
        Self { lines, events: Vec::new(), stderr: String::new() }
    }

    /// Reads up to the first event that satisfies a condition, or to the end.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) {
        let mut line = String::new();
        while self.lines.read_line(&mut line).unwrap() > 0 {
            let text = std::mem::take(&mut line);
            match serde_json::from_str::<Value>(&text) {
                Ok(event) => self.events.push(event),
                Err(_) => {
                    self.stderr.push_str(&text);
                    continue;
                }
            }
            if self.events.last().is_some_and(&is_it) {
                return;
            }
        }
    }

    /// Checks that the incumbents solve `board`, get shorter and stay above the lower bound, which never falls.
    fn check(&self, board: &Board) {
        let mut known = (0, u64::MAX);
        for event in &self.events {
            let length = event["length"].as_u64().unwrap_or(u64::MAX);
            let least = event["lower_bound"].as_u64().unwrap_or(0);
            assert!(known.0 <= least && least < length && length <= known.1, "{event}");
            if event["event"] == "incumbent" {
                let moves = replayed(board, event["moves"].as_str().unwrap());
                assert!(moves as u64 == length && length < known.1, "{event}");
            }
            known = (least, length);
        }
        assert!(known.0 > 1, "a bound was reported");
    }
}

/// Returns whether the search for a proof has started.
fn is_proving(event: &Value) -> bool {
    event["stage"] == "proving" && event["lower_bound"].as_u64() > Some(1)
}

#[test]
fn signal_ends_search_with_the_best_solution() {
    let board = hard(6);
    for (quality, name, status) in [
        ("auto", "-INT", 0),
        ("auto", "-TERM", 0),
        ("fast", "-INT", 0),
        ("bounded=1.01", "-INT", 1),
        ("optimal", "-INT", 1),
    ] {
        let text = board.to_string();
        let mut child = start(&[
            "solve",
            &text,
            "--quality",
            quality,
            "--max-time",
            "none",
            "--progress",
            "json",
        ]);
        let mut told = Told::by(&mut child);
        told.until(|event| match quality {
            "optimal" => is_proving(event),
            _ => event["event"] == "incumbent" && event["stage"] != "first solution",
        });
        signal(&child, name);
        told.until(|_| false);
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let what = format!("{quality}: {out}{}", told.stderr);
        assert_eq!(child.wait().unwrap().code(), Some(status), "{what}");
        if quality == "optimal" {
            assert_eq!(out, "", "{what}");
            assert!(told.stderr.contains("not solved, at least "), "{what}");
            continue;
        }
        told.check(&board);
        let best = told.events.last().unwrap()["length"].as_u64().unwrap();
        assert_eq!(replayed(&board, out.trim_end()) as u64, best, "{what}");
    }
}

#[test]
fn signal_ends_study_commands() {
    let board = hard(6);
    let text = board.to_string();
    let fast = start(&["solve", &text, "--quality", "fast"]).wait_with_output().unwrap();
    let moves = String::from_utf8(fast.stdout).unwrap();
    replayed(&board, moves.trim_end());
    for (command, moves, says) in [
        ("hint", None, "at least"),
        ("explain", None, "at least"),
        ("verify", Some(&moves), "a solution in"),
        ("review", Some(&moves), "at least"),
    ] {
        let mut arguments = vec![command, &text, "--max-time", "none", "--progress", "json"];
        if let Some(moves) = moves {
            arguments.insert(2, moves.trim_end());
        }
        let mut child = start(&arguments);
        let mut told = Told::by(&mut child);
        told.until(|event| event["event"] == "incumbent" && event["length"].as_u64() > Some(20));
        signal(&child, "-INT");
        told.until(|_| false);
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(out.contains(says), "{command}: {out}{}", told.stderr);
        assert_eq!(output.status.code(), Some(u8::from(command == "review").into()), "{command}");
    }
}

#[test]
fn signal_ends_drawing_and_comparing() {
    let text = hard(4).to_string();
    for (arguments, stage, says) in [
        (&["scramble", "--size", "5x5", "--length", "150", "--seed", "1"][..], "drawing", ""),
        (&["realms", &text], "proving", "stopped"),
    ] {
        let mut child = start(&[arguments, &["--max-time", "none", "--progress", "json"]].concat());
        let mut told = Told::by(&mut child);
        told.until(|event| event["stage"] == stage);
        signal(&child, "-INT");
        told.until(|_| false);
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(out.contains(says) && out.is_empty() == says.is_empty(), "{out}{}", told.stderr);
        assert_eq!(output.status.code(), Some(1), "{}", told.stderr);
    }
}

#[test]
fn batches_report_the_number_of_boards_done() {
    let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
    let mut random = Random::new(1);
    let mut child = start(&["solve", "-f", "-", "--progress", "json"]);
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..40 {
        writeln!(stdin, "{}", random_board(&goal, &mut random)).unwrap();
    }
    writeln!(stdin, "1 2 3 4 5 6 8 7 x\n1 2 3 4 5 6 8 7 q").unwrap();
    drop(stdin);
    let mut told = Told::by(&mut child);
    told.until(|_| false);
    assert_eq!(child.wait().unwrap().code(), Some(2), "{}", told.stderr);
    let last = told.events.last().unwrap();
    assert_eq!(
        (&last["event"], &last["boards"], &last["proved"]),
        (&"batch".into(), &42.into(), &41.into())
    );
}

#[test]
fn slow_board_of_a_batch_has_separate_events() {
    let board = hard(6);
    let mut child = start(&["solve", "-f", "-", "--max-time", "none", "--progress", "json"]);
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "12345678x\n{board}").unwrap();
    let mut told = Told::by(&mut child);
    told.until(|event| event["event"] == "incumbent" && event["line"] == 2);
    let length = told.events.last().unwrap()["length"].as_u64().unwrap();
    assert_eq!(
        replayed(&board, told.events.last().unwrap()["moves"].as_str().unwrap()) as u64,
        length
    );
    // Another thread waits for more boards; later, the whole program does.
    signal(&child, "-INT");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "");
    assert!(replayed(&board, &lines.next().unwrap().unwrap()) as u64 <= length);
    drop(stdin);
    assert!([Some(0), Some(1)].contains(&child.wait().unwrap().code()));
}

#[test]
fn program_waiting_for_boards_ends_at_the_first_signal() {
    let mut child = start(&["solve", "-f", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "1 2 3/4 5 6/7 x 8").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "r");
    signal(&child, "-INT");
    // The interruption comes while the program waits, or just before.
    assert!([Some(130), Some(1)].contains(&child.wait().unwrap().code()));
    drop(stdin);
}

/// While a thread waits for more boards, the first signal does not end the program.
#[test]
fn second_signal_ends_the_program() {
    let board = hard(6);
    let options = ["--max-time", "none", "--threads", "2", "--progress", "json"];
    let mut child = start(&[&["solve", "-f", "-"][..], &options].concat());
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "12345678x\n{board}").unwrap();
    let mut told = Told::by(&mut child);
    told.until(|event| event["event"] == "incumbent" && event["line"] == 2);
    signal(&child, "-INT");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "");
    replayed(&board, &lines.next().unwrap().unwrap());
    assert_eq!(child.try_wait().unwrap(), None, "the program waits for more boards");
    signal(&child, "-INT");
    // If the second signal did not end the program, the end of its input does, with another status.
    let mut ended = (0..1000).map(|_| {
        thread::sleep(Duration::from_millis(10));
        child.try_wait().unwrap()
    });
    ended.find(Option::is_some);
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn solutions_skipped_after_a_signal_count_as_unanswered() {
    let board = hard(6);
    let fast = start(&["solve", &board.to_string(), "--quality", "fast"]);
    let moves = String::from_utf8(fast.wait_with_output().unwrap().stdout).unwrap();
    let mut child = start(&["optimize", "-f", "-", "--max-time", "none"]);
    let mut stdin = child.stdin.take().unwrap();
    write!(stdin, "1 2 3/4 5 6/7 x 8\tr\n{}", format!("{board}\t{moves}").repeat(3)).unwrap();
    drop(stdin);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "r");
    signal(&child, "-INT");
    // The interruption may come while the program reads the next line.
    assert!([Some(1), Some(130)].contains(&child.wait().unwrap().code()));
}
