//! Moves in every notation and boards in every form: properties, and the exact message of every fault.

use loyd_tiles::notation::{
    MAX_MOVES, NOTATIONS, Notation, NotationError, Style, TextLines, UnwritableMoves,
    moves_to_string, parse_board, parse_moves, read_moves, read_moves_to,
};
use loyd_tiles::{Board, Goal, Move, Random, Size, invert, random_walk, runs, simplify};
use proptest::prelude::*;

fn any_board() -> impl Strategy<Value = Board> {
    let sizes = prop_oneof![(1..=5_u32, 1..=5_u32), Just((16, 16)), Just((1, 256)), Just((256, 1))];
    let sizes = sizes.prop_filter_map("no board", |(w, h)| Size::new(w, h).ok());
    sizes.prop_flat_map(|size| {
        let numbers: Vec<u32> = (0..size.cells() as u32).collect();
        Just(numbers).prop_shuffle().prop_map(move |numbers| Board::new(size, &numbers).unwrap())
    })
}

/// Generates a board and moves that stay on it.
fn any_walk() -> impl Strategy<Value = (Board, Vec<Move>)> {
    let steps = prop::collection::vec((0..4_usize, 1..9_usize), 0..30);
    (any_board(), steps).prop_map(|(start, steps)| {
        let (mut board, mut moves) = (start.clone(), Vec::new());
        for m in steps.into_iter().flat_map(|(m, times)| vec![Move::ALL[m]; times]) {
            if board.apply(m).is_ok() {
                moves.push(m);
            }
        }
        (start, moves)
    })
}

fn any_moves() -> impl Strategy<Value = Vec<Move>> {
    let run = (prop::sample::select(&Move::ALL[..]), prop_oneof![Just(1), Just(2), Just(300)]);
    prop::collection::vec(run, 0..20)
        .prop_map(|runs| runs.into_iter().flat_map(|(m, times)| vec![m; times]).collect())
}

fn styles() -> impl Iterator<Item = Style> {
    NOTATIONS
        .iter()
        .flat_map(|row| [false, true].map(|runs| Style { notation: row.notation, runs }))
}

/// Returns whether the signs of a notation have this meaning if only the text is known.
fn has_default(notation: Notation) -> bool {
    notation.row().needs_board || matches!(notation, Notation::Blank | Notation::Tile)
}

fn is_letters(notation: Notation) -> bool {
    use Notation::{Blank, Capitals, Tile, TileSmall};
    matches!(notation, Blank | Tile | Capitals | TileSmall)
}

/// Returns a walk of `moves` moves and the board at its start.
fn walk_on(width: u32, height: u32, moves: usize) -> (Board, Vec<Move>) {
    let board = Goal::BlankLast.board(Size::new(width, height).unwrap()).unwrap();
    let walk = random_walk(&board, moves, &mut Random::new(1)).unwrap();
    (board, walk)
}

fn check_read_back(board: &Board, walk: &[Move], style: Style) {
    let text = format!("{board}\t{}", style.write(walk, Some(board)).unwrap());
    let line = TextLines::new(text.as_bytes()).next().unwrap().unwrap().1.unwrap();
    let (_, moves) = line.split_once('\t').unwrap();
    let answer = read_moves(moves, Some(style.notation), Some(board)).unwrap();
    assert!(answer.moves == walk, "{style:?} on {}", board.size());
}

#[test]
fn long_walks_round_trip() {
    for (width, height) in [(2, 128), (128, 2), (16, 16), (10, 25), (40, 250)] {
        let (board, walk) = walk_on(width, height, 300_000);
        styles().for_each(|style| check_read_back(&board, &walk, style));
    }
}

#[test]
fn longest_walks_round_trip() {
    let (board, walk) = walk_on(100, 100, MAX_MOVES);
    check_read_back(&board, &walk, Style::default());
    // All words have maximum length, although no walk has only such words.
    let longest = format!("{board}\t{}", "100,100 ".repeat(MAX_MOVES));
    let line = TextLines::new(longest.as_bytes()).next().unwrap().unwrap();
    assert!(line.1.is_ok_and(|text| text == longest));
}

#[test]
fn too_long_walks_are_rejected() {
    let (board, mut walk) = walk_on(2, 128, MAX_MOVES);
    let back = walk.last().unwrap().inverse();
    walk.push(back);
    for style in [Style::default(), Style { notation: Notation::Coordinates, runs: true }] {
        let text = style.write(&walk, Some(&board)).unwrap();
        let notation = Some(style.notation).filter(|&notation| !has_default(notation));
        let error = read_moves(&text, notation, Some(&board)).unwrap_err();
        assert_eq!(
            error.message, "more than 10,000,000 moves, the most that a solution may have",
            "{style:?}"
        );
        assert!(error.source.starts_with('…') && error.source.len() < 200, "{style:?}");
    }
    let runs = "R255".repeat(MAX_MOVES / 255 + 1);
    assert!(
        read_moves(&runs, None, None).unwrap_err().message.contains("more than 10,000,000 moves")
    );
    let long = "u".repeat(81 << 20);
    let text = format!("{long}\nul\n");
    let mut lines = TextLines::new(text.as_bytes()).map(|line| line.unwrap());
    let (number, error) = lines.next().unwrap();
    assert_eq!(
        (number, error.unwrap_err().message),
        (1, "the line is longer than 10,000,000 moves and a board can be".to_owned())
    );
    assert_eq!(lines.next(), Some((2, Ok("ul".to_owned()))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_notation_round_trips((board, moves) in any_walk()) {
        for style in styles() {
            let text = style.write(&moves, Some(&board)).unwrap();
            let read = read_moves(&text, Some(style.notation), Some(&board)).unwrap();
            prop_assert_eq!(&read.moves, &moves, "{:?} {}", style, text);
            let mut end = board.clone();
            end.walk(&moves).unwrap();
            prop_assert_eq!(read.apply_to(&board), Ok(end.clone()));
            let is_solved = |reached: &Board| *reached == end;
            let guesses = [
                read_moves(&text, None, Some(&board)),
                read_moves_to(&text, None, &board, is_solved),
            ];
            for guess in guesses {
                match guess {
                    Ok(read) if read.notation == style.notation => {
                        prop_assert_eq!(&read.moves, &moves, "{:?} {}", style, text);
                    }
                    Ok(read) if read.moves == moves => {}
                    // The opposite reading of the signs is legal too.
                    Ok(read) => {
                        let turned: Vec<Move> = moves.iter().map(|m| m.inverse()).collect();
                        prop_assert!(!has_default(style.notation) && read.moves == turned);
                    }
                    Err(error) => {
                        prop_assert!(!has_default(style.notation) || style.notation.row().needs_board);
                        prop_assert!(error.message.contains("two ways"), "{}", error);
                    }
                }
            }
        }
    }

    #[test]
    fn letters_need_no_board(moves in any_moves()) {
        for style in styles().filter(|style| !style.notation.row().needs_board) {
            let text = style.write(&moves, None).unwrap();
            let read = read_moves(&text, Some(style.notation), None).unwrap();
            prop_assert_eq!((&read.moves, read.notation), (&moves, style.notation));
            let guess = read_moves(&text, None, None);
            if has_default(style.notation) {
                let guess = guess.unwrap();
                prop_assert_eq!(&guess.moves, &moves);
                prop_assert!(moves.is_empty() || guess.notation == style.notation);
            } else if !is_letters(style.notation) && !moves.is_empty() {
                prop_assert!(guess.unwrap_err().message.contains("two ways"));
            }
        }
    }

    #[test]
    fn blank_and_tile_move_in_opposite_directions(moves in any_moves(), runs: bool) {
        let text = |notation, moves: &[Move]| Style { notation, runs }.write(moves, None).unwrap();
        let opposite: Vec<Move> = moves.iter().map(|m| m.inverse()).collect();
        prop_assert_eq!(
            text(Notation::Tile, &moves),
            text(Notation::Blank, &opposite).to_ascii_uppercase()
        );
    }

    #[test]
    fn inverted_walk_returns_to_the_start((start, moves) in any_walk()) {
        let mut board = start.clone();
        board.walk(&moves).unwrap();
        board.walk(&invert(&moves)).unwrap();
        prop_assert_eq!(&board, &start);
        prop_assert_eq!(invert(&invert(&moves)), moves);
    }

    #[test]
    fn simplified_walk_has_no_inverse_pairs((start, moves) in any_walk()) {
        let less = simplify(&moves);
        let (mut board, mut end) = (start.clone(), start);
        end.walk(&moves).unwrap();
        board.walk(&less).unwrap();
        prop_assert_eq!(board, end);
        prop_assert!(less.windows(2).all(|two| two[0] != two[1].inverse()));
        prop_assert_eq!(moves.len() % 2, less.len() % 2);
        prop_assert_eq!(simplify(&[moves.clone(), invert(&moves)].concat()), Vec::new());
        prop_assert_eq!(runs(&moves).flatten().copied().collect::<Vec<_>>(), moves);
    }

    #[test]
    fn any_text_is_read_or_rejected(text in r#"([udlrUDLR]|up|Left|[↑￬⬅\u{fe0f}]|[0-9]{1,3}|[ ,;()\[\]'"\n]|\PC|[\x00é…│·]){0,40}"#, board in any_board()) {
        for board in [None, Some(&board)] {
            for notation in NOTATIONS.iter().map(|row| Some(row.notation)).chain([None]) {
                let error = match read_moves(&text, notation, board) {
                    Ok(answer) => board.and_then(|board| answer.apply_to(board).err()),
                    Err(error) => Some(error),
                };
                if let Some(error) = error {
                    prop_assert!(error.source.get(error.span.clone()).is_some(), "{:?}", error);
                    prop_assert!(!error.message.is_empty() && error.column() >= 1);
                }
            }
        }
    }
}

/// Formats the fault with its position underlined, and the help.
fn shown(error: NotationError) -> String {
    let before = error.source[..error.span.start].chars().count();
    let marks = error.source[error.span.clone()].chars().count().max(1);
    let help = error.help.unwrap_or_default();
    format!(
        "{}\n{}{}\n{}\n{help}",
        error.source,
        " ".repeat(before),
        "~".repeat(marks),
        error.message
    )
}

fn sample() -> Board {
    parse_board("2 3 4/1 5 x/7 6 8", None).unwrap()
}

/// Returns the fault of `text` as moves of the sample.
fn fault(text: &str, notation: Option<Notation>) -> String {
    let read = read_moves(text, notation, Some(&sample()));
    shown(read.and_then(|answer| answer.apply_to(&sample())).unwrap_err())
}

#[test]
fn registry_examples_are_the_same_moves() {
    for row in NOTATIONS {
        assert_eq!(row.name.parse(), Ok(row.notation));
        for (runs, example) in [false, true].into_iter().zip(row.examples) {
            let notation = Some(row.notation).filter(|&notation| is_letters(notation));
            let read = read_moves(example, notation, Some(&sample())).unwrap();
            assert_eq!(
                (moves_to_string(&read.moves).as_str(), read.notation),
                ("ull", row.notation)
            );
            let style = Style { notation: row.notation, runs };
            assert_eq!(style.write(&read.moves, Some(&sample())).unwrap(), example);
        }
    }
    assert_eq!(
        "moves".parse::<Notation>().unwrap_err().to_string(),
        "`moves` is not a notation; there are blank, tile, capitals, tile-small, words, tile-words, arrows, \
         tile-arrows, numbers, coordinates"
    );
}

#[test]
fn lenient_spellings_are_accepted() {
    for text in [" u, l\tl ", "u l2", "u1L2", "4, 3 2", "4,3,2", "1,3; 1,1", "(1,3)( 1 , 1 )"] {
        let read = read_moves(text, None, Some(&sample()));
        match text {
            "u1L2" => assert!(read.is_err()),
            _ => assert_eq!(moves_to_string(&read.unwrap().moves), "ull", "{text}"),
        }
    }
    assert_eq!(read_moves(" \n", None, None).unwrap().moves, []);
}

#[test]
fn invalid_words_are_rejected() {
    assert_eq!(
        fault("DRu", None),
        "DRu\n  ~\n`u` is not a move: U, D, L and R are, the direction in which the tile travels\n\
         write U if the tile goes there; write D if the blank does"
    );
    assert_eq!(
        fault("ul0", None),
        "ul0\n  ~\n`0` is not a number of moves\n1 to 255 are, as in R3"
    );
    assert_eq!(
        fault("ul256", None),
        "ul256\n  ~~~\n`256` is not a number of moves\n1 to 255 are, as in R3"
    );
    assert_eq!(
        fault("4 0", None),
        "4 0\n  ~\n`0` is not the number of a tile\nname the tile that moves, not the blank"
    );
    assert_eq!(
        fault("1,3 1,x", Some(Notation::Coordinates)),
        "1,3 1,x\n    ~~~\n`1,x` is not a row and a column\nwrite 2,3 or (2, 3) for row 2 and column 3"
    );
    assert_eq!(
        shown(read_moves("4 3", None, None).unwrap_err()),
        "4 3\n~\nnumbers and coordinates have no meaning without the board on which the moves begin: name it \
         with --board, or put it and a tab in front of the moves\n"
    );
    for text in ["43210", "<4,3>", "4-3"] {
        assert!(fault(text, None).ends_with(
            "is not a move in any notation\n\
             write tile numbers, from 1, separated by spaces, as in 4 3 2"
        ));
    }
    let notations = "the notations are blank as in ull, tile as in DRR, capitals as in ULL, tile-small as in drr, \
                     words as in up left left, tile-words as in down right right, arrows as in ↑←←, tile-arrows \
                     as in ↓→→, numbers as in 4 3 2, coordinates as in 1,3 1,2 1,1";
    assert!(
        fault("2L", None).ends_with(&format!("`2L` is not a move in any notation\n{notations}"))
    );
    assert!(fault("ulq", None).ends_with(notations));
}

#[test]
fn illegal_moves_are_rejected() {
    assert_eq!(
        fault("uu", None),
        "uu\n ~\nthe blank, on row 1 and column 3, cannot go up\nthe board is then 2 3 0/1 5 4/7 6 8"
    );
    assert_eq!(
        fault("DRD", None),
        "DRD\n  ~\nno tile can move down here: there is none above the blank, on row 1 and column 2\n\
         the board is then 2 0 3/1 5 4/7 6 8"
    );
    assert_eq!(
        fault("ULLD", None),
        "ULLD\n ~\nno tile can move left here: there is none right of the blank, on row 3 and column 3\n\
         as moves of the blank these could be made: those are written in small letters, or named --notation \
         capitals"
    );
    assert_eq!(
        fault("rr", None),
        "rr\n~\nthe blank, on row 2 and column 3, cannot go right\n\
         as moves of tiles these could be made: those are written in capitals, or named --notation tile-small"
    );
    assert_eq!(
        fault("3", None),
        "3\n~\ntile 3 is not in line with the blank, on row 2 and column 3\n"
    );
    assert_eq!(
        fault("3,2 3,1", None),
        "3,2 3,1\n~\ntile 3 is not in line with the blank, on row 2 and column 3\n\
         as coordinates: row 3 and column 2 is not in line with the blank, on row 2 and column 3"
    );
    assert_eq!(fault("9", None), "9\n~\na 3x3 board has no tile 9\n");
    assert_eq!(
        fault("2,3", Some(Notation::Coordinates)),
        "2,3\n~~~\nrow 2 and column 3 has the blank, not a tile\n"
    );
    assert_eq!(
        fault("4,1", Some(Notation::Coordinates)),
        "4,1\n~~~\na 3x3 board has no row 4 and column 1\n"
    );
}

#[test]
fn ambiguous_moves_are_rejected() {
    let board = parse_board("2 1/x 3", None).unwrap();
    // Tiles 2 and 1, or the tile on row 2 and column 1, which is the blank: one reading remains.
    assert_eq!(read_moves("2,1", None, Some(&board)).unwrap().notation, Notation::Numbers);
    let board = parse_board("1 2/3 x", None).unwrap();
    let error = read_moves(" 2,1 ", None, Some(&board)).unwrap_err();
    assert_eq!(
        shown(error),
        " 2,1 \n ~~~\nthis can be read in two ways: as numbers the blank goes ul, as coordinates the \
         blank goes l\nname the notation, numbers or coordinates: --notation, or --from of convert"
    );
    for (notation, moves) in [(Notation::Numbers, "ul"), (Notation::Coordinates, "l")] {
        let read = read_moves("2,1", Some(notation), Some(&board)).unwrap();
        assert_eq!(moves_to_string(&read.moves), moves);
    }
}

#[test]
fn unwritable_moves_are_rejected() {
    let style = Style { notation: Notation::Numbers, runs: false };
    let moves = parse_moves("ur").unwrap();
    assert_eq!(style.write(&moves, None), Err(UnwritableMoves::NoBoard(Notation::Numbers)));
    assert_eq!(
        style.write(&moves, Some(&sample())).unwrap_err().to_string(),
        "the blank on cell 3 cannot go Right"
    );
}
