//! The choice between several readings of moves.

use loyd_tiles::notation::{Notation, moves_to_string, parse_board, read_moves, read_moves_to};
use loyd_tiles::{Board, Goal, Move};

fn sample() -> Board {
    parse_board("2 3 4/1 5 x/7 6 8", None).unwrap()
}

/// A board of UVa 10181 and its solution, which solves it as moves of the blank alone.
const UVA: &str = "1 0 2 4/5 7 3 8/9 6 11 12/13 10 14 15";

/// Returns the notation in which `text` is read on `board`, the moves and the note. Checks that the moves solve it.
#[track_caller]
fn solution(
    text: &str,
    notation: Option<Notation>,
    board: &str,
) -> (Notation, String, Option<String>) {
    let board = parse_board(board, None).unwrap();
    let goal = Goal::BlankLast.board(board.size()).unwrap();
    let read = read_moves_to(text, notation, &board, |end| *end == goal).unwrap();
    assert_eq!(read.apply_to(&board).unwrap(), goal, "{text}");
    let mut end = board;
    end.walk(&read.moves).unwrap();
    assert_eq!(end, goal, "{text}");
    (read.notation, moves_to_string(&read.moves), read.note().map(str::to_owned))
}

#[test]
fn only_the_solving_reading_is_chosen() {
    let note = "read as moves of the blank: as moves of tiles they cannot be made";
    for (text, notation) in [
        ("R D L D D R R", Notation::Capitals),
        ("RDLD2R2", Notation::Capitals),
        ("['R','D','L','D','D','R','R']", Notation::Capitals),
        ("right down left down down right right", Notation::Words),
        ("RIGHT, Down, left, down 2, right2", Notation::Words),
        (
            "[\"Right\", \"Down\", \"Left\", \"Down\", \"Down\", \"Right\", \"Right\"]",
            Notation::Words,
        ),
        ("→↓←↓↓→→", Notation::Arrows),
        ("→ ￬ ￩ ⬇️2 ➡\u{fe0e}2", Notation::Arrows),
    ] {
        let read = solution(text, None, UVA);
        assert_eq!(read, (notation, "rdlddrr".to_owned(), Some(note.to_owned())), "{text}");
    }
    for (text, notation) in [
        ("LURUULL", Notation::Tile),
        ("lur u2 l2", Notation::TileSmall),
        ("left up right up up left left", Notation::TileWords),
        ("←↑→↑2←2", Notation::TileArrows),
        ("[2, 3, 7, 6, 10, 14, 15]", Notation::Numbers),
        ("(2, 3, 7, 6, 10, 14, 15)", Notation::Numbers),
        ("[(1,3), (2,3), (2,2), (3,2), (4,2), (4,3), (4,4)]", Notation::Coordinates),
        ("[[1,3],[2,3],[2,2],[4,2],[4,4]]", Notation::Coordinates),
    ] {
        let (read, moves, note) = solution(text, None, UVA);
        assert_eq!((read, moves.as_str()), (notation, "rdlddrr"), "{text}");
        let is_usual =
            matches!(notation, Notation::Tile | Notation::Numbers | Notation::Coordinates);
        assert_eq!(note.is_none(), is_usual, "{text}");
        let named = solution(text, Some(notation), UVA);
        assert_eq!(named, (notation, "rdlddrr".to_owned(), None), "{text}");
    }
}

#[test]
fn legal_readings_yield_to_the_solving_one() {
    let board = "1 2 3/4 5 6/7 x 8";
    let note = |read, other| format!("read as {read}: as {other} they do not solve the board");
    let (blank, tiles) = ("moves of the blank", "moves of tiles");
    for (text, notation, moves, note) in [
        ("r", Notation::Blank, "r", None),
        ("L", Notation::Tile, "r", None),
        ("l", Notation::TileSmall, "r", Some(note(tiles, blank))),
        ("R", Notation::Capitals, "r", Some(note(blank, tiles))),
        ("left", Notation::TileWords, "r", Some(note(tiles, blank))),
        ("→", Notation::Arrows, "r", Some(note(blank, tiles))),
        ("←", Notation::TileArrows, "r", Some(note(tiles, blank))),
        ("8", Notation::Numbers, "r", None),
    ] {
        assert_eq!(solution(text, None, board), (notation, moves.to_owned(), note), "{text}");
    }
    // 3,3 are tiles in line with the blank, and a cell in line with it.
    let board = "1 2 3/4 5 x/7 8 6";
    let read = solution("3,3", None, board);
    assert_eq!((read.0, read.1.as_str()), (Notation::Coordinates, "d"));
}

#[test]
fn given_notation_overrules_the_board() {
    let board = parse_board("1 2 3/4 5 6/7 x 8", None).unwrap();
    let goal = Goal::BlankLast.board(board.size()).unwrap();
    for (text, notation) in [
        ("l", Notation::Blank),
        ("R", Notation::Tile),
        ("left", Notation::Words),
        ("→", Notation::TileArrows),
    ] {
        let read = read_moves_to(text, Some(notation), &board, |end| *end == goal).unwrap();
        assert_eq!(
            (read.notation, read.moves.as_slice(), read.note()),
            (notation, [Move::Left].as_slice(), None)
        );
    }
}

#[test]
fn moves_that_solve_nothing_keep_their_convention_or_are_rejected() {
    let board = parse_board("1 2 3/4 x 6/7 5 8", None).unwrap();
    for (text, notation) in
        [("ud", Notation::Blank), ("LR", Notation::Tile), ("lll", Notation::Blank)]
    {
        let read = read_moves_to(text, None, &board, |_| false).unwrap();
        assert_eq!((read.notation, read.note()), (notation, None), "{text}");
    }
    for text in ["up", "← ↑", "left up"] {
        for refused in [
            read_moves_to(text, None, &board, |_| false),
            read_moves(text, None, Some(&board)),
            read_moves(text, None, None),
        ] {
            let error = refused.unwrap_err();
            assert!(error.message.starts_with("this can be read in two ways: as "), "{error}");
            let help = error.help.unwrap();
            assert!(
                help.contains("--notation")
                    && (help.contains("words or tile-words")
                        || help.contains("arrows or tile-arrows")),
                "{help}"
            );
        }
    }
    // Both readings lead to the goal.
    let error = read_moves_to("left right", None, &board, |end| *end == board).unwrap_err();
    assert!(error.message.contains("two ways"), "{error}");
    // Neither reading is legal, and both get equally far: the moves of the blank are chosen.
    let read = read_moves_to("left left left", None, &board, |_| false).unwrap();
    assert_eq!(read.notation, Notation::Words);
    assert!(read.apply_to(&board).unwrap_err().message.contains("cannot go left"));
}

#[test]
fn letters_keep_their_convention_unless_the_opposite_reaches_a_named_goal() {
    let board = parse_board(UVA, None).unwrap();
    let read = read_moves("RDLDDRR", None, Some(&board)).unwrap();
    assert_eq!(read.notation, Notation::Capitals);
    assert!(read.note().is_some());
    // Only a part of the solution: the tiles have no such moves.
    let read = read_moves("RDL", None, Some(&board)).unwrap();
    assert_eq!((read.notation, read.note()), (Notation::Tile, None));
    let error = read.apply_to(&board).unwrap_err();
    assert!(error.help.unwrap().ends_with("or named --notation capitals"));
    // The conventional moves are legal, although the opposite ones would solve the board.
    let board = parse_board("1 2 3/4 5 6/7 x 8", None).unwrap();
    assert_eq!(read_moves("l", None, Some(&board)).unwrap().moves, [Move::Left]);
}

#[test]
fn lists_are_read_and_truncated_lists_are_rejected() {
    let moves = |text: &str| {
        read_moves(text, None, Some(&sample())).map(|read| moves_to_string(&read.moves))
    };
    for text in [
        "['u','l','l']",
        "[\"u\", \"l2\"]",
        "(u, l, l)",
        "\"ull\"",
        "{D,R,R}",
        "[4, 3, 2]",
        "(4, 3, 2)",
    ] {
        assert_eq!(moves(text).as_deref(), Ok("ull"), "{text}");
    }
    assert_eq!(moves("(1,3)").as_deref(), Ok("u"), "a row and a column");
    for text in ["['u','l'", "[u, l", "[4, 3", "(u, l]"] {
        assert!(moves(text).unwrap_err().message.ends_with("is never closed"), "{text}");
    }
    for text in ["['u','l'] ['l']", "[['u'],['l']]", "u' l'", "'u", "[0, 1, 3]"] {
        assert!(moves(text).is_err(), "{text}");
    }
}
