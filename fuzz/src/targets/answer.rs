//! Answers. The first line has the notation or `any`, and optionally the board.

use loyd::Board;
use loyd::moves::{invert, runs, simplify};
use loyd::notation::{
    MoveText, NOTATIONS, Notation, Style, moves_to_string, parse_board, parse_moves, read_moves,
    read_moves_to,
};

use crate::laws;

/// Maximum number of moves for the slower checks.
const MAX_MOVES: usize = 3000;

pub fn check(bytes: &[u8]) {
    let (options, text) = laws::first_line(bytes);
    let (options, text) = (String::from_utf8_lossy(options), String::from_utf8_lossy(text));
    let (name, board) = options.split_once(' ').unwrap_or((&options, ""));
    let notation = name.parse().ok();
    let board = parse_board(board, None).ok();
    let read = read_moves(&text, notation, board.as_ref());
    let letters = parse_moves(&text);
    match &read {
        Err(error) => {
            laws::is_in(error, &text);
            assert!(notation.is_some() || letters.is_err(), "letters are read in any case");
        }
        Ok(answer) => {
            assert!(notation.is_none_or(|notation| notation == answer.notation));
            assert!(answer.moves.len() <= 255 * text.len());
            if answer.notation == Notation::Blank {
                assert_eq!(letters.as_ref(), Ok(&answer.moves));
            }
            is_applied(answer, board.as_ref(), &text);
        }
    }
    if let Some(board) = &board {
        the_solution_is_read(&text, board);
    }
}

/// If only one reading leads from `start` to some board, the reader has to choose it when that board is the goal.
fn the_solution_is_read(text: &str, start: &Board) {
    let readings = NOTATIONS.iter().filter_map(|row| {
        let read = read_moves(text, Some(row.notation), Some(start)).ok()?;
        read.apply_to(start).ok().map(|end| (read.moves, end))
    });
    let readings: Vec<_> = readings.collect();
    for (moves, goal) in &readings {
        if readings.iter().all(|(others, end)| others == moves || end != goal) {
            let read = read_moves_to(text, None, start, |end| end == goal);
            assert_eq!(read.as_ref().map(|read| &read.moves), Ok(moves));
            let read = read.expect("it is equal");
            assert_eq!(read.apply_to(start).as_ref(), Ok(goal));
        }
    }
}

fn is_applied(answer: &MoveText, board: Option<&Board>, text: &str) {
    let Some(start) = board else {
        return is_written(answer, None);
    };
    let mut end = start.clone();
    let walked = end.walk(&answer.moves).is_ok();
    match answer.apply_to(start) {
        Ok(board) => assert!(walked && board == end),
        Err(error) => {
            laws::is_in(&error, text);
            assert!(!walked && !answer.notation.row().needs_board);
        }
    }
    is_written(answer, Some(start).filter(|_| walked));
    if walked && answer.moves.len() <= MAX_MOVES {
        let mut short = start.clone();
        assert!(short.walk(&simplify(&answer.moves)).is_ok() && short == end);
        assert!(end.walk(&invert(&answer.moves)).is_ok() && end == *start);
    }
}

/// Checks that moves that are written can be read back. `board`, if given, is one on which the moves are possible.
fn is_written(answer: &MoveText, board: Option<&Board>) {
    let moves = &answer.moves;
    if moves.len() > MAX_MOVES {
        return;
    }
    assert!(runs(moves).flatten().eq(moves));
    for row in NOTATIONS {
        for runs in [false, true] {
            let style = Style { notation: row.notation, runs };
            let Ok(text) = style.write(moves, board) else {
                assert!(row.needs_board && board.is_none());
                continue;
            };
            let again = read_moves(&text, Some(row.notation), board);
            let again = again.map(|again| moves_to_string(&again.moves));
            assert_eq!(again, Ok(moves_to_string(moves)), "{text}");
        }
    }
}
