//! Judge files. All instruction sets agree on any bytes, regardless of how these are split into reads, and agree with
//! the library on input that both can read.

use std::io::Read;

use loyd::board::Solvability;
use loyd::judge::{AnswerCounts, Cpu, Fault, judge};
use loyd::notation::{Cases, Format, is_cell, parse_moves};
use loyd::{Board, Goal, Size};

use crate::laws::Pieces;

type Judged = (String, Vec<Fault>, AnswerCounts);

pub fn check(bytes: &[u8]) {
    let judged = run(bytes, Cpu::Scalar);
    for cpu in Cpu::available() {
        for length in [1, 17, 18, usize::MAX] {
            assert_eq!(run(Pieces(bytes, length), cpu), judged, "{cpu}");
        }
    }
    is_counted(&judged, bytes);
    if both_read(bytes) {
        agrees_with_the_library(bytes, &judged.0);
    }
}

fn run(input: impl Read, cpu: Cpu) -> Judged {
    let (mut output, mut faults) = (Vec::new(), Vec::new());
    let tally = judge(input, &mut output, cpu, &mut |fault| faults.push(fault.clone()));
    let output = String::from_utf8(output).expect("answers are letters");
    (output, faults, tally.expect("memory can be read and written"))
}

fn is_counted((output, faults, tally): &Judged, bytes: &[u8]) {
    let count = |word| output.lines().filter(|&line| line == word).count() as u64;
    assert_eq!(output.lines().count() as u64, tally.cases);
    assert_eq!(count("invalid"), tally.invalid);
    assert_eq!(count("unsolvable"), tally.unsolvable);
    assert_eq!(tally.solved + tally.unsolvable + tally.invalid, tally.cases);
    assert_eq!(faults.len() as u64, tally.invalid);
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let (mut line, mut number) = (lines.next().unwrap_or_default(), 1);
    for fault in faults {
        while number < fault.line {
            (line, number) = (lines.next().expect("the input has this line"), number + 1);
        }
        assert!(number == fault.line && (1..=line.len() as u64).contains(&fault.column));
    }
}

/// Returns whether the bytes have the same meaning to the library, which also accepts commas and other white space as
/// separators, `01` as a tile, more words for the blank, comments, and lines that are quoted.
fn both_read(bytes: &[u8]) -> bool {
    let is_number = |token: &[u8]| token.iter().all(u8::is_ascii_digit);
    bytes.is_ascii()
        && !bytes.iter().any(|byte| b",#%/>`".contains(byte))
        && bytes.split(|byte| byte.is_ascii_whitespace() || *byte == b'\x0b').all(|token| {
            let is_other_blank = is_cell(&String::from_utf8_lossy(token))
                && !is_number(token)
                && !matches!(token, b"x" | b"X" | b"_" | b".");
            (token.len() < 2 || token[0] != b'0' || !is_number(token)) && !is_other_blank
        })
}

fn agrees_with_the_library(bytes: &[u8], output: &str) {
    let goal = Goal::BlankLast.board(Size::EIGHT).expect("3x3 boards have goals");
    let cases = Cases::new(bytes, Format::Tokens, None).map(|case| case.expect("memory"));
    let cases: Vec<_> = cases.collect();
    assert_eq!(cases.len(), output.lines().count());
    for (case, answer) in cases.iter().zip(output.lines()) {
        match &case.board {
            Err(_) => assert_eq!(answer, "invalid", "{case:?}"),
            Ok(board) if Solvability::new(board, &goal).is_solvable() => {
                solves(answer, board, &goal);
            }
            Ok(_) => assert_eq!(answer, "unsolvable", "{case:?}"),
        }
    }
}

fn solves(answer: &str, board: &Board, goal: &Board) {
    let moves = parse_moves(answer).expect("moves of the blank");
    let mut end = board.clone();
    assert!(moves.len() <= 31 && end.walk(&moves).is_ok() && end == *goal, "{board}: {answer}");
}
