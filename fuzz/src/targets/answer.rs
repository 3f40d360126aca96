//! Answers. The first line has the notation or `any`, and the board, if there is one.

use loyd::Board;
use loyd::moves::{invert, runs, simplify};
use loyd::notation::{
    MoveText, NOTATIONS, Notation, Style, moves_to_string, parse_board, parse_moves, read_moves,
};

use crate::laws;

/// More moves than these are not written again: it would only take long.
const MOST: usize = 3000;

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
    if walked && answer.moves.len() <= MOST {
        let mut short = start.clone();
        assert!(short.walk(&simplify(&answer.moves)).is_ok() && short == end);
        assert!(end.walk(&invert(&answer.moves)).is_ok() && end == *start);
    }
}

/// What is written is read as the same, `board` being one on which the moves can be made.
fn is_written(answer: &MoveText, board: Option<&Board>) {
    let moves = &answer.moves;
    if moves.len() > MOST {
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
