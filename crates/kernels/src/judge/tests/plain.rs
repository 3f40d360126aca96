//! The filter in plain code: the library's boards, parity test and descent, and a tokenizer that has
//! the whole input before it.

use std::sync::LazyLock;

use loyd_search::{Meter, Outcome, descend};
use loyd_tiles::{Board, BoardSpace, Goal, Move, Packed3x3, Size, Solvability, Tile};

use crate::eight::ExactEight;
use crate::judge::fault::{Fault, FaultKind, SHOWN};

pub static SPACE: LazyLock<Packed3x3> =
    LazyLock::new(|| Packed3x3::new(&Goal::BlankLast.board(Size::EIGHT).unwrap()));

/// The answer to a board, without the line end.
pub fn plain_answer(board: &Board) -> String {
    let space = &*SPACE;
    if !Solvability::test(board, space.relabelling()) {
        return "unsolvable".to_owned();
    }
    let exact = ExactEight::new(space);
    match descend(space, &exact, &space.encode(board), &mut Meter::default()) {
        Outcome::Solved { path, .. } => path.into_iter().map(Move::letter).collect(),
        other => panic!("{other:?}"),
    }
}

struct PlainToken<'a> {
    line: u64,
    column: u64,
    bytes: &'a [u8],
}

fn plain_tokens(input: &[u8]) -> Vec<PlainToken<'_>> {
    let mut tokens = Vec::new();
    for (number, line) in (1..).zip(input.split(|&byte| byte == b'\n')) {
        let mut column = 1;
        for bytes in line.split(|byte| b" \t\r\x0b\x0c".contains(byte)) {
            if !bytes.is_empty() {
                tokens.push(PlainToken { line: number, column, bytes });
            }
            column += bytes.len() as u64 + 1;
        }
    }
    tokens
}

/// The whole filter: output, faults.
pub fn plain_judge(input: &[u8]) -> (String, Vec<Fault>) {
    let (mut output, mut faults) = (String::new(), Vec::new());
    let mut case: Vec<u32> = Vec::new();
    let mut begin = (0, 0);
    let mut skipped = 0;
    let input = input.strip_prefix("\u{feff}".as_bytes()).unwrap_or(input);
    for token in plain_tokens(input) {
        if token.line == skipped {
            continue;
        }
        if case.is_empty() {
            begin = (token.line, token.column);
        }
        let kind = match *token.bytes {
            [b'x' | b'X' | b'0' | b'_' | b'.'] => Ok(0),
            [digit @ b'1'..=b'8'] => Ok(u32::from(digit - b'0')),
            _ => Err(FaultKind::not_a_tile(
                &token.bytes[..token.bytes.len().min(SHOWN)],
                token.bytes.len() as u64,
            )),
        };
        let kind = kind.and_then(|tile| match case.contains(&tile) {
            true => Err(FaultKind::Twice(Tile::new(tile as u8))),
            false => Ok(tile),
        });
        match kind {
            Ok(tile) => case.push(tile),
            Err(kind) => {
                faults.push(Fault { line: token.line, column: token.column, kind });
                output += "invalid\n";
                case.clear();
                skipped = token.line;
            }
        }
        if case.len() == 9 {
            output += &plain_answer(&Board::new(Size::EIGHT, &case).unwrap());
            output += "\n";
            case.clear();
        }
    }
    if !case.is_empty() {
        let kind = FaultKind::Unfinished(case.len());
        faults.push(Fault { line: begin.0, column: begin.1, kind });
        output += "invalid\n";
    }
    (output, faults)
}
