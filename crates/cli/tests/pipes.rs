//! Standard input, conversations, closed pipes and large files, which snapshots cannot show.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};

use loyd::board::cantor_unrank;
use loyd::judge::{Cpu, judge};
use loyd::moves::Metric;
use loyd::notation::parse_moves;
use serde_json::Value;

fn loyd(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command
        .env("LOYD_CACHE", "none")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the program with `input` on its standard input.
fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || match stdin.write_all(&input) {
        // The program may end without reading everything.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => panic!("{error}"),
        _ => {}
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn every_board() -> Vec<u8> {
    let boards = (0..362_880).flat_map(|rank| {
        let tiles = cantor_unrank(9, rank).unwrap();
        let words = tiles.iter().map(|&tile| if tile == 0 { 'x' } else { (b'0' + tile) as char });
        words.flat_map(|word| [word as u8, b' ']).chain([b'\n']).collect::<Vec<u8>>()
    });
    boards.collect()
}

/// Uses the instruction set of `LOYD_CPU`, if that is set for the tests.
#[test]
fn judge_equals_scalar_level_on_every_board() {
    let mut boards = every_board();
    // Lines of 18 bytes, without a trailing space, are parsed in one piece.
    for width in [19, 18] {
        if width == 18 {
            boards = boards.chunks(19).flat_map(|line| [&line[..17], b"\n"].concat()).collect();
        }
        let mut expected = Vec::new();
        judge(&boards[..], &mut expected, Cpu::Scalar, &mut |fault| panic!("{fault}")).unwrap();
        let output = run(&mut loyd(&["judge"]), &boards);
        assert!(output.status.success());
        assert!(output.stdout == expected, "lines of {width} bytes");
        assert_eq!(expected.split(|&byte| byte == b'\n').count(), 362_881);
    }
}

#[test]
fn long_line_takes_little_memory_and_loses_nothing() {
    let mut line = b"1 2 3 4 5 6 7 x 8 ".repeat(1_000_000);
    line.extend(b"q");
    let output = run(&mut loyd(&["judge"]), &line);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout.len(), 2 * 1_000_000 + "invalid\n".len());
    let output = run(&mut loyd(&["solve", "-f", "-", "--input", "tokens"]), &line[..180_000]);
    assert_eq!(output.stdout, b"r\n".repeat(10_000));
}

struct Conversation {
    child: Child,
    stdin: ChildStdin,
    answers: BufReader<std::process::ChildStdout>,
}

impl Conversation {
    fn new(arguments: &[&str]) -> Self {
        let mut child = loyd(arguments).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, answers }
    }

    fn ask(&mut self, board: &str) -> String {
        writeln!(self.stdin, "{board}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer
    }
}

/// A pending board of another shard does not delay the answer to the next one.
#[test]
fn answers_of_a_shard_come_before_the_next_question() {
    let arguments = ["solve", "-f", "-", "--input", "lines", "--shard", "0/2", "--output", "json"];
    let mut talk = Conversation::new(&arguments);
    let first = talk.ask("1 2 3 4 5 6 7 x 8\n1 2 3 4 5 6 8 7 x");
    assert!(first.contains("\"moves\":\"r\""), "{first}");
    let second = talk.ask("1 2 3 4 5 x 7 8 6\n1 2 3 4 5 6 8 7 x");
    assert!(second.contains("\"moves\":\"d\""), "{second}");
    drop(talk.stdin);
    assert!(talk.child.wait().unwrap().success());
}

#[test]
fn answers_come_before_the_next_question() {
    for arguments in [&["judge"][..], &["solve", "-f", "-", "--input", "lines"]] {
        let mut talk = Conversation::new(arguments);
        assert_eq!(talk.ask("1 2 3 4 5 6 7 x 8"), "r\n");
        assert_eq!(talk.ask("1 2 3 4 5 x 7 8 6"), "d\n");
        drop(talk.stdin);
        assert!(talk.child.wait().unwrap().success());
    }
}

/// Input may arrive in portions of any size; complete boards are answered without waiting for more.
#[test]
fn complete_boards_are_answered_before_more_input() {
    for format in ["lines", "tokens"] {
        for threads in ["1", "3"] {
            let mut talk =
                Conversation::new(&["solve", "-f", "-", "--input", format, "--threads", threads]);
            assert_eq!(talk.ask("1 2 3 4 5 6 7 x 8\n\n\n"), "r\n");
            // Easy boards first, so that the portions grow.
            let many = "1 2 3 4 5 x 7 8 6\n".repeat(5_000);
            let stdin = &mut talk.stdin;
            let mut answers = String::new();
            std::thread::scope(|scope| {
                scope.spawn(|| write!(stdin, "{many}\n1 2 3 4 5 6 7").unwrap());
                (0..5_000).for_each(|_| {
                    talk.answers.read_line(&mut answers).unwrap();
                });
            });
            assert_eq!(answers, "d\n".repeat(5_000), "{format}");
            assert_eq!(talk.ask(" x 8"), "r\n", "{format}");
            drop(talk.stdin);
            assert!(talk.child.wait().unwrap().success());
        }
    }
}

#[test]
fn board_with_explicit_rows_is_answered_immediately() {
    let mut talk = Conversation::new(&["solve", "-f", "-"]);
    assert_eq!(talk.ask("1 2 3/4 5 6/7 x 8\n"), "r\n");
    assert_eq!(talk.ask("1 2 3/4 5 x/7 8 6\n"), "d\n");
    drop(talk.stdin);
    assert!(talk.child.wait().unwrap().success());
}

#[test]
fn closed_standard_error_is_ignored() {
    let mut child = loyd(&["solve", "-f", "-"]).spawn().unwrap();
    drop(child.stderr.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1 2 3 4 5 6 7 x 8\n1 1 1\n1 2 3 4 5 x 7 8 6\n").unwrap();
    drop(stdin);
    let mut answers = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    assert_eq!(answers, "r\ninvalid\nd\n");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn closed_output_ends_quietly() {
    for arguments in [&["judge"][..], &["solve", "-f", "-"], &["list", "algorithms"], &["man"]] {
        let mut child = loyd(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..20_000 {
            if stdin.write_all(b"1 2 3 4 5 6 7 x 8\n").is_err() {
                break;
            }
        }
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&mut loyd(&["completions", shell]), b"");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("idastar") && text.contains("judge"), "{shell}");
    }
    let output = run(&mut loyd(&["man"]), b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(".SH LOYD SOLVE") && text.contains(".SH LOYD PDB BUILD"), "{text}");
}

#[test]
fn unknown_cpu_level_is_refused() {
    let output = run(loyd(&["judge"]).env("LOYD_CPU", "quick"), b"");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("quick") && message.contains("scalar"), "{message}");
}

/// Uses the boards with the longest solutions, in the notation with the longest words.
#[test]
fn longest_answers_are_parsed_again() {
    let drawn = run(&mut loyd(&["scramble", "--size", "2x128", "--seed", "1"]), b"").stdout;
    let board = String::from_utf8(drawn).unwrap();
    let solve = ["solve", &board, "--quality", "fast"];
    let letters = run(&mut loyd(&solve), b"").stdout;
    let coordinates =
        run(&mut loyd(&[&solve[..], &["--notation", "coordinates"]].concat()), b"").stdout;
    // More than a pipe holds.
    assert!(coordinates.len() > 1 << 16, "{} bytes", coordinates.len());
    let convert = ["convert", "-f", "-", "--board", &board, "--to", "blank"];
    let read = run(&mut loyd(&convert), &coordinates);
    assert_eq!(String::from_utf8(read.stderr).unwrap(), "");
    assert!(read.stdout == letters && read.status.success());
}

#[test]
fn review_in_slides_reuses_the_best_single_tile_solution() {
    let board = "19 13 23 5 11/3 21 0 18 17/7 20 6 9 10/22 8 15 24 12/4 1 14 16 2";
    let fast = run(&mut loyd(&["solve", board, "--quality", "fast"]), b"").stdout;
    let moves = String::from_utf8(fast).unwrap();
    let review =
        ["review", board, moves.trim_end(), "--max-expanded", "200000", "--output", "json"];
    let output = String::from_utf8(run(&mut loyd(&review), b"").stdout).unwrap();
    let records: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let slides = |record: &Value| {
        let best = parse_moves(record["best"].as_str().unwrap()).unwrap();
        Metric::MultiTile.length(&best) as u64
    };
    let [steps, slid] = &records[..] else { panic!("{output}") };
    assert!(slides(slid) <= slides(steps), "{output}");
    assert_eq!(slid["best_known"].as_u64(), Some(slides(slid)));
}
