//! One board or one list of moves: properties, every form, and the exact message and position of every fault.

use std::fmt::Write as _;

use loyd_tiles::notation::{
    NotationError, grid, grids, moves_to_string, parse_board, parse_moves, slashes, steps,
};
use loyd_tiles::{Board, Metric, Move, Size};
use proptest::prelude::*;

const SAMPLE: &str = "2 3 4 1 5 x 7 6 8";

fn size(text: &str) -> Option<Size> {
    Some(text.parse().unwrap())
}

fn sample() -> Board {
    parse_board(SAMPLE, None).unwrap()
}

/// Formats the error with its position underlined: `message | source | marks`.
fn shown(error: &NotationError) -> String {
    let before = error.source[..error.span.start].chars().count();
    let marks = error.source[error.span.clone()].chars().count();
    let marks = if marks == 0 { "^".to_owned() } else { "~".repeat(marks) };
    format!("{error}\n{}\n{}{marks}", error.source, " ".repeat(before))
}

#[track_caller]
fn refused(text: &str, size: Option<Size>, expected: &str) {
    assert_eq!(shown(&parse_board(text, size).unwrap_err()), expected, "{text:?}");
}

fn help(text: &str) -> Option<String> {
    parse_board(text, None).unwrap_err().help
}

fn any_board() -> impl Strategy<Value = Board> {
    let sizes = prop_oneof![(1..=5_u32, 1..=5_u32), (1..=16_u32, 1..=16_u32), Just((1, 256))];
    let sizes = sizes.prop_filter_map("no board", |(w, h)| Size::new(w, h).ok());
    sizes.prop_flat_map(|size| {
        let numbers: Vec<u32> = (0..size.cells() as u32).collect();
        Just(numbers).prop_shuffle().prop_map(move |numbers| Board::new(size, &numbers).unwrap())
    })
}

/// Returns the board in every form that gives its shape, with the letter `blank`.
fn forms(board: &Board, blank: &str) -> Vec<String> {
    let name = |number: u16| if number == 0 { blank.to_owned() } else { number.to_string() };
    let names: Vec<String> = board.numbers().map(name).collect();
    let rows = |between: &str| -> Vec<String> {
        names.chunks(board.size().width()).map(|row| row.join(between)).collect()
    };
    let mut forms = vec![
        format!("{}/", rows(" ").join("/")),
        format!("{}/\r\n", rows(", ").join(" /\r\n")),
        format!("[[{}]]", rows(",").join("],[")),
        format!(
            "( {{{}}}\n{{\n{}\n}} )",
            rows("  ")[0],
            rows("\n,").get(1..).unwrap_or(&[]).join("}{")
        ),
        format!("[\n  [\n    {}\n  ]\n]\n", rows(",\n    ").join("\n  ],\n  [\n    ")),
    ];
    if board.size().height() == 1 {
        // A list with one row may be a square board.
        forms.truncate(2);
    } else {
        let side = board.size().height().isqrt();
        if board.size().width() > 1 || side * side != board.size().height() {
            // One tile per line makes a square board if possible.
            forms.extend([rows(" ").join("\n"), rows("\t").join("\r\n\r\n")]);
            forms.extend([rows(" ").join(" ; ").replace(';', "/"), rows(" ").join(" ; ")]);
        }
        forms.push(format!("[{}]", rows(" ").join("]\n[")));
    }
    if board.size().cells() <= 10 {
        forms.push(format!("{}/", rows("").join("/")));
    }
    forms
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_form_is_parsed(board in any_board(), blank in "[xX0_.]") {
        let own = slashes(&board).to_string();
        prop_assert_eq!(parse_board(&own, None), Ok(board.clone()));
        prop_assert_eq!(parse_board(&board.to_string(), Some(board.size())), Ok(board.clone()));
        for form in forms(&board, &blank) {
            prop_assert_eq!(parse_board(&form, None), Ok(board.clone()), "{}", form);
            prop_assert_eq!(parse_board(&form, Some(board.size())), Ok(board.clone()), "{}", form);
        }
        let list = format!("[{}]", board.to_string().replace(' ', ",\n"));
        prop_assert_eq!(parse_board(&list, Some(board.size())), Ok(board.clone()));
    }

    #[test]
    fn any_text_is_read_or_rejected(text in r"([0-9x]{0,2}[ ,/\n\[\](){}\r]{0,2}|[0-9xX_. ]|\PC|[a\x00é…]){0,40}") {
        for size in [None, size("3x3"), size("1x2")] {
            if let Err(error) = parse_board(&text, size) {
                prop_assert!(error.source.get(error.span.clone()).is_some(), "{:?}", error);
                prop_assert!(error.line >= 1 && error.column() >= 1);
                prop_assert!(!error.message.is_empty());
            }
        }
        if let Err(error) = parse_moves(&text) {
            prop_assert!(error.source.get(error.span).is_some());
        }
    }

    #[test]
    fn paths_round_trip(path in prop::collection::vec(prop::sample::select(&Move::ALL[..]), 0..99)) {
        prop_assert_eq!(parse_moves(&moves_to_string(&path)), Ok(path));
    }
}

#[test]
fn sample_is_parsed_in_every_form() {
    for text in [
        "23415x768",
        "234/15X/768",
        "234\n15_\n768\n",
        "2 3 4/1 5 0/7 6 8",
        "2 3 4\r\n1 5 .\r\n7 6 8",
        "2,3,4,1,5,0,7,6,8",
        "[2, 3, 4, 1, 5, 0, 7, 6, 8]",
        "[[2,3,4],[1,5,0],[7,6,8]]",
        "[[2 3 4]\n [1 5 0]\n [7 6 8]]",
        "((2,3,4),(1,5,0),(7,6,8),)",
        "[2,3,4]\n[1,5,0]\n[7,6,8]\n",
        "\u{feff}2 3 4 1 5 x 7 6 8",
        "02 03 04 01 05 00 07 06 08",
    ] {
        assert_eq!(parse_board(text, None), Ok(sample()), "{text:?}");
        assert_eq!(parse_board(text, size("3x3")), Ok(sample()), "{text:?}");
    }
}

#[test]
fn tile_faults() {
    refused(
        "2 3 7 1 5 x 7 6 8",
        None,
        "line 1, column 13: tile 7 appears twice (cells 3 and 7); tile 4 is missing\n\
         2 3 7 1 5 x 7 6 8\n            ~",
    );
    refused(
        "2 3 4\n1 5 x\n7 . 8",
        None,
        "line 3, column 3: the blank appears twice (cells 6 and 8); tile 6 is missing\n\
         7 . 8\n  ~",
    );
    refused(
        "2 3 4/1 5 0/7 6 9",
        None,
        "line 1, column 17: tile 9 on cell 9 is out of range: 0 to 8; tile 8 is missing\n\
         2 3 4/1 5 0/7 6 9\n                ~",
    );
    refused(
        "2 3 4\r\n1 q 0\r\n7 6 8\r\n",
        None,
        "line 2, column 3: `q` is not a tile: tiles are numbers, the blank is x, X, 0, _ or .\n\
         1 q 0\n  ~",
    );
    for (word, quoted) in
        [("--", "`--`"), ("-2", "`-2`"), ("+1", "`+1`"), ("1.5", "`1.5`"), ("\0", r"`\0`")]
    {
        let error = parse_board(&format!("ä 1 {word} 2").replace('ä', "3"), None).unwrap_err();
        assert!(error.message.starts_with(&format!("{quoted} is not a tile")), "{error}");
        assert_eq!(&error.source[error.span], word);
    }
    refused(
        "99999999999 1 2 3",
        None,
        "line 1, column 1: `99999999999` is not a tile: the largest that any board has is 9999\n\
         99999999999 1 2 3\n~~~~~~~~~~~",
    );
    refused(
        "23415q768",
        None,
        "line 1, column 6: `q` is not a tile: tiles are numbers, the blank is x, X, 0, _ or .\n\
         23415q768\n     ~",
    );
}

#[test]
fn repeated_tile_is_one_fault() {
    let error = parse_board("xXxXxXxXx", None).unwrap_err();
    assert_eq!(
        shown(&error),
        "line 1, column 2: the blank appears 9 times (first on cells 1 and 2); tile 1 is missing; \
         tile 2 is missing; tile 3 is missing; and 5 more\nxXxXxXxXx\n ~"
    );
}

#[test]
fn tile_count_faults() {
    let long = "2 3 4 1 5 x 7 6 8 9";
    refused(
        "2 3 4 1 5 x 7 6",
        size("3x3"),
        "line 1, column 16: 8 tiles where 9 are needed\n2 3 4 1 5 x 7 6\n               ^",
    );
    refused(
        long,
        size("3x3"),
        &format!("line 1, column 19: 10 tiles where 9 are needed\n{long}\n                  ~"),
    );
    refused(
        long,
        None,
        &format!(
            "line 1, column 20: 10 cells: the shape is not clear\n{long}\n                   ^"
        ),
    );
    assert_eq!(
        help(long).unwrap(),
        "a 3x3 board has 9 cells; for another shape separate the rows by / or give --size 5x2"
    );
    assert_eq!(
        help("1 2 3 4 5 6 7 8 9 10 11 x").unwrap(),
        "separate the rows by / or give --size 4x3"
    );
    assert_eq!(help("7").unwrap(), "a board has 2 to 10,000 cells");
    for empty in ["", " ", "\n\n", "\r\n", "\u{feff}", "[]x", ",", "/", "[[]]", "[", "]"] {
        assert!(parse_board(empty, None).is_err(), "{empty:?}");
    }
    refused("", None, "line 1, column 1: there is no tile, so no board\n\n^");
    refused(
        "01234567x89",
        None,
        "line 1, column 1: `01234567x89` runs on: at most 10 tiles may be run together\n01234567x89\n~~~~~~~~~~~",
    );
    let error = parse_board(&"1 ".repeat(10_001), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 20001: more than 10,000 cells: a board has 2 to 10,000"
    );
    assert_eq!(&error.source[error.span], "1");
}

#[test]
fn row_faults() {
    refused(
        "2 3 4/1 5/7 6 8",
        None,
        "line 1, column 10: row 2 has 2 tiles and no blank, which may be in any of 3 places\n\
         2 3 4/1 5/7 6 8\n         ^",
    );
    refused(
        "2 3 4\n1 5 x 9\n7 6 8",
        None,
        "line 2, column 7: row 2 has 4 tiles where row 1 has 3\n1 5 x 9\n      ~",
    );
    refused(
        "2 3\n1 5 x\n7 6 8",
        size("3x3"),
        "line 1, column 4: row 1 has 2 tiles where a 3x3 board has 3\n2 3\n   ^",
    );
    refused(
        "2 3 4\n1 5 x\n",
        size("3x3"),
        "line 2, column 6: 2 rows where a 3x3 board has 3\n1 5 x\n     ^",
    );
    refused(
        "2 3 4/1 5 x/7 6 8/9 10 11",
        size("3x3"),
        "line 1, column 19: 4 rows where a 3x3 board has 3\n2 3 4/1 5 x/7 6 8/9 10 11\n                  ~",
    );
    refused("2 3 4//7 6 8", None, "line 1, column 7: row 2 is empty\n2 3 4//7 6 8\n      ~");
    refused("[[2,3],[]]", None, "line 1, column 9: row 2 is empty\n[[2,3],[]]\n        ~");
    refused(
        "0/",
        None,
        "line 1, column 1: a 1x1 board has 1 cell; boards have 2 to 10,000 cells\n0/\n~",
    );
}

#[test]
fn bracket_and_comma_faults() {
    refused("[[2,3],[1,0]", None, "line 1, column 1: `[` is never closed\n[[2,3],[1,0]\n~");
    refused(
        "[[2,3],[1,0]]]",
        None,
        "line 1, column 14: `]` closes nothing\n[[2,3],[1,0]]]\n             ~",
    );
    refused(
        "[[2,3),[1,0]]",
        None,
        "line 1, column 6: `)` closes a `[`; `]` is needed\n[[2,3),[1,0]]\n     ~",
    );
    refused(
        "[[[[2,3],[1,0]]]]",
        None,
        "line 1, column 3: brackets nest too deep: a list of rows is allowed\n[[[[2,3],[1,0]]]]\n  ~",
    );
    refused(
        "[2,3,1] 0",
        None,
        "line 1, column 9: `0` is outside the brackets\n[2,3,1] 0\n        ~",
    );
    refused(
        "[2,[3,1],0]",
        None,
        "line 1, column 5: `3` is nested unlike the tiles before it\n[2,[3,1],0]\n    ~",
    );
    refused(
        "2,,3,,1,",
        None,
        "line 1, column 8: 5 cells: the shape is not clear\n2,,3,,1,\n       ^",
    );
    refused(
        "[,2]/",
        Some(Size::new(2, 1).unwrap()),
        "line 1, column 3: tile 2 on cell 2 is out of range: 0 to 1; tile 1 is missing\n[,2]/\n  ~",
    );
}

#[test]
fn moves_are_parsed_and_other_text_is_rejected() {
    assert_eq!(moves_to_string(&parse_moves(" ul\tld\r\n").unwrap()), "ulld");
    assert_eq!(parse_moves(""), Ok(Vec::new()));
    let error = parse_moves("ulld\nuRd").unwrap_err();
    assert_eq!(
        shown(&error),
        "line 2, column 2: `R` is not a move: u, d, l and r are, the direction in which the blank \
         travels\nuRd\n ~"
    );
    assert_eq!(
        error.help.unwrap(),
        "write r if the blank goes there; write l if this is speed-solvers' notation, where the \
         tile does"
    );
    let error = parse_moves("ué").unwrap_err();
    assert_eq!((error.span, error.help), (1..3, None));
}

#[test]
fn boards_and_walks_are_written() {
    let path = parse_moves("ul").unwrap();
    assert_eq!(
        steps(&sample(), &path, Metric::SingleTile).unwrap().to_string(),
        "0\t2 3 4 1 5 0 7 6 8\n1\t2 3 0 1 5 4 7 6 8\n2\t2 0 3 1 5 4 7 6 8\n"
    );
    assert_eq!(
        steps(&sample(), &[], Metric::SingleTile).unwrap().to_string(),
        "0\t2 3 4 1 5 0 7 6 8\n"
    );
    assert!(steps(&sample(), &[Move::Right], Metric::SingleTile).is_err());
    assert!(grids(&sample(), &[Move::Right], Metric::SingleTile).is_err());
    let wide = parse_board("1 2 3 4/5 x 7 8/9 10 11 6", None).unwrap();
    let mut expected = String::from("┌─────────────┐\n");
    expected += "│  1  2  3  4 │\n│  5  ·  7  8 │\n│  9 10 11  6 │\n└─────────────┘\n";
    assert_eq!(grid(&wide).to_string(), expected);
    let mut walk = format!("0\n{}", grid(&sample()));
    write!(walk, "1 u\n{}", grid(&parse_board("2 3 0 1 5 4 7 6 8", None).unwrap())).unwrap();
    assert_eq!(grids(&sample(), &path[..1], Metric::SingleTile).unwrap().to_string(), walk);
    let row = parse_board("1 2 x 3", size("4x1")).unwrap();
    assert_eq!(slashes(&row).to_string(), "1 2 0 3/");
}
