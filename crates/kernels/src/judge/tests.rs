//! Compares the filter on every level with plain code: boards, parity test and descent from the library, and a
//! tokenizer of the whole input.

use std::sync::LazyLock;

use loyd_search::{Meter, Outcome, Rankable, descend, replay, retrograde};
use loyd_tiles::{
    Board, BoardSpace, Goal, Move, Packed3x3, Size, Solvability, Tile, cantor_unrank,
};
use proptest::prelude::*;

use super::output::MAX_SHOWN;
use super::*;
use crate::eight::ExactEight;

static SPACE: LazyLock<Packed3x3> =
    LazyLock::new(|| Packed3x3::new(&Goal::BlankLast.board(Size::EIGHT).unwrap()));

/// Returns the answer to a board, without the line end.
fn plain_answer(board: &Board) -> String {
    let space = &*SPACE;
    if !Solvability::is_reachable(board, space.relabelling().goal()) {
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

/// Returns the output and the faults of the whole filter.
fn plain_judge(input: &[u8]) -> (String, Vec<Fault>) {
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
                &token.bytes[..token.bytes.len().min(MAX_SHOWN)],
                token.bytes.len() as u64,
            )),
        };
        let kind = kind.and_then(|tile| match case.contains(&tile) {
            true => Err(FaultKind::Repeated(Tile::new(tile as u16))),
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
        let kind = FaultKind::Incomplete(case.len());
        faults.push(Fault { line: begin.0, column: begin.1, kind });
        output += "invalid\n";
    }
    (output, faults)
}

/// A reader that returns one of its pieces per call.
struct Pieces<'a>(std::collections::VecDeque<&'a [u8]>);

impl<'a> Pieces<'a> {
    fn new(input: &'a [u8], lengths: impl IntoIterator<Item = usize>) -> Self {
        let (mut pieces, mut rest) = (Self(Default::default()), input);
        for length in lengths {
            let (piece, after) = rest.split_at(length.min(rest.len()));
            pieces.0.push_back(piece);
            rest = after;
        }
        pieces.0.push_back(rest);
        pieces.0.retain(|piece| !piece.is_empty());
        pieces
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.front_mut() else { return Ok(0) };
        let count = piece.read(buffer)?;
        if piece.is_empty() {
            self.0.pop_front();
        }
        Ok(count)
    }
}

fn run_judge(input: impl Read, cpu: Cpu) -> (String, Vec<Fault>, AnswerCounts) {
    let (mut output, mut faults) = (Vec::new(), Vec::new());
    let tally = judge(input, &mut output, cpu, &mut |fault| faults.push(fault.clone())).unwrap();
    (String::from_utf8(output).unwrap(), faults, tally)
}

/// Checks that the filter on every level, given the whole input and byte by byte, agrees with plain code. Returns the
/// output and the messages.
fn checked(input: &[u8]) -> (String, Vec<String>) {
    let (expected, expected_faults) = plain_judge(input);
    for cpu in Cpu::available() {
        for single_bytes in [false, true] {
            let lengths = std::iter::repeat_n(1, if single_bytes { input.len() } else { 0 });
            let (output, faults, tally) = run_judge(Pieces::new(input, lengths), cpu);
            let shown = String::from_utf8_lossy(&input[..input.len().min(200)]);
            assert_eq!(output, expected, "{cpu} on {shown:?}");
            assert_eq!(faults, expected_faults, "{cpu} on {shown:?}");
            assert_eq!(tally, plain_tally(&output), "{cpu} on {shown:?}");
        }
    }
    (expected, expected_faults.iter().map(Fault::to_string).collect())
}

fn plain_tally(output: &str) -> AnswerCounts {
    let count = |answer: &str| output.lines().filter(|line| *line == answer).count() as u64;
    let (cases, unsolvable, invalid) =
        (output.lines().count() as u64, count("unsolvable"), count("invalid"));
    AnswerCounts { cases, solved: cases - unsolvable - invalid, unsolvable, invalid }
}

/// Iterates over all arrangements of the nine tiles in scattered order.
fn all_boards() -> impl Iterator<Item = Board> {
    (0..362_880_u64).map(|i| {
        let numbers = cantor_unrank(9, i * 149_993 % 362_880).unwrap();
        Board::new(Size::EIGHT, &numbers.into_iter().map(u32::from).collect::<Vec<_>>()).unwrap()
    })
}

#[test]
fn all_boards_agree_with_plain_code() {
    let space = &*SPACE;
    let table = retrograde(space, &mut Meter::default()).unwrap();
    let (mut input, mut expected) = (String::new(), String::new());
    for board in all_boards() {
        input += &format!("{board}\n");
        let answer = plain_answer(&board);
        if answer != "unsolvable" {
            let start = space.encode(&board);
            let path: Vec<Move> = answer.chars().filter_map(Move::from_letter).collect();
            assert_eq!(path.len(), answer.len());
            assert_eq!(replay(space, &start, &path), Ok(table.distance(space, &start)));
        }
        expected = expected + &answer + "\n";
    }
    let tally = AnswerCounts { cases: 362_880, solved: 181_440, unsolvable: 181_440, invalid: 0 };
    let forms =
        [input.replace('\n', "\r\n"), input.replace('x', "0"), input.replace(' ', "\t"), input];
    for cpu in Cpu::available() {
        for form in &forms {
            let (output, faults, counts) = run_judge(form.as_bytes(), cpu);
            assert!(output == expected, "{cpu}: {}", &form[..20]);
            assert_eq!((faults, counts), (vec![], tally));
        }
    }
    assert_eq!(space.state_count(), Some(tally.solved));
}

#[test]
fn every_byte_at_every_position_of_a_line_agrees_with_plain_code() {
    let mut input = Vec::new();
    for line in [&b"1 2 3 4 5 x 7 8 6\n"[..], b"1 2 3 4 5 x 7 8 6\r\n"] {
        for place in 0..line.len() {
            for byte in 0..=255 {
                let mut changed = line.to_vec();
                changed[place] = byte;
                // Lines are parsed in groups of four: put the changed line at each position of a group.
                input.extend(line.repeat(usize::from(byte) % 4));
                input.extend(changed);
                input.extend(line.repeat(3));
                // End a case that the changed line may have left incomplete.
                input.extend_from_slice(b"! !\n");
            }
        }
    }
    checked(&input);
}

#[test]
fn layouts_do_not_matter() {
    let solved = "1 2 3 4 5 6 7 8 x\n";
    for (input, answers) in [
        ("", ""),
        ("\n", ""),
        (" \t\r\n\x0b\x0c\n", ""),
        (solved, "\n"),
        ("1 2 3 4 5 6 7 8 x", "\n"),
        ("1 2 3 4 5 6 7 x 8", "r\n"),
        ("1 2 3 4 5 6 7 x 8\r\n1 2 3 4 5 x 7 8 6\r\n", "r\nd\n"),
        (
            "1 2 3 4 5 6 7 X 8\n1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 7 _ 8\n1 2 3 4 5 6 7 . 8\n",
            "r\nr\nr\nr\n",
        ),
        ("1 2 3\n4 5 6\n7 x 8\n\n1 2 3\n4 5 x\n7 8 6", "r\nd\n"),
        ("1 2 3 4 5 6 7 x 8 1 2 3 4 5 x 7 8 6\n", "r\nd\n"),
        ("  1\t2\x0b3\x0c4  5 6 7 x 8  \n\n\n1 2 3 4 5 x 7 8 6\n", "r\nd\n"),
        ("1 2 3 4 5 6 7 x\n8 1 2 3 4 5 x 7 8 6\n1 2 3 4 5 6 x 7 8\n", "r\nd\nrr\n"),
        ("1 2 3 4 5 6 8 7 x\n", "unsolvable\n"),
    ] {
        assert_eq!(checked(input.as_bytes()), (answers.to_owned(), vec![]), "{input:?}");
    }
}

#[test]
fn faults_give_the_position_and_the_allowed_tokens() {
    const ALLOWED: &str = "1 to 8 and the blank (x, X, 0, _ or .) are allowed";
    let not_a_tile = |at: &str, token: &str| format!("{at}: `{token}` is not a tile: {ALLOWED}");
    let long = format!("\n1 2 {}\n", "9".repeat(1_000_000));
    let cases: [(&[u8], &str, Vec<String>); 17] = [
        (b"1 2 3 4 5 6 7 8 9\n", "invalid\n", vec![not_a_tile("line 1, column 17", "9")]),
        (b"1 2 3 4 5 a 7 8 x\r\n", "invalid\n", vec![not_a_tile("line 1, column 11", "a")]),
        (b"1 2 3 4 5 6 7 8 12\n", "invalid\n", vec![not_a_tile("line 1, column 17", "12")]),
        (b"1 2 3 4 5 6 7 8 -1", "invalid\n", vec![not_a_tile("line 1, column 17", "-1")]),
        (
            b"1,2,3,4,5,6,7,8,x\n",
            "invalid\n",
            vec![not_a_tile("line 1, column 1", "1,2,3,4,5,6,7,8,x")],
        ),
        (b"1 2 3 4 5 \0 7 8 x\n", "invalid\n", vec![not_a_tile("line 1, column 11", "\\0")]),
        (b"1 2 \xff\xfe\n", "invalid\n", vec![not_a_tile("line 1, column 5", "\\xff\\xfe")]),
        (
            "\u{feff}\u{feff}1 2\n".as_bytes(),
            "invalid\n",
            vec![not_a_tile("line 1, column 1", "\\u{feff}1")],
        ),
        (
            "äääääääääääääääääääää 1\n".as_bytes(),
            "invalid\n",
            vec![not_a_tile("line 1, column 1", "ääääääääääää…")],
        ),
        (
            "aäääääääääääääääääääää 1\n".as_bytes(),
            "invalid\n",
            vec![not_a_tile("line 1, column 1", "aäääääääääää…")],
        ),
        (
            long.as_bytes(),
            "invalid\n",
            vec![not_a_tile("line 2, column 5", "999999999999999999999999…")],
        ),
        (
            b"1 2 3 4 5 6 7 7 x\n1 2 3 4 5 6 7 x 8\n",
            "invalid\nr\n",
            vec!["line 1, column 15: tile 7 appears twice in this case".to_owned()],
        ),
        (
            b"1 2 3 x 5 6 7 8 x 1 2 3\n1 2 3 4 5 6 7 x 8\n",
            "invalid\nr\n",
            vec!["line 1, column 17: the blank appears twice in this case".to_owned()],
        ),
        (
            b"1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 x 8\n1 2 3 4 5 6 7 x 8\n",
            "invalid\nr\n",
            vec!["line 2, column 1: tile 1 appears twice in this case".to_owned()],
        ),
        (
            b"1 2 3 4 5 6 7 8 x 1\n2 3 4",
            "\ninvalid\n",
            vec!["line 1, column 19: the input ends after 4 of 9 tokens".to_owned()],
        ),
        (
            b"1 2 3 4 5 6 7 x 8\n\n 1 2 3 4 5\n",
            "r\ninvalid\n",
            vec!["line 3, column 2: the input ends after 5 of 9 tokens".to_owned()],
        ),
        (
            b"1\n2\n3 q 9 9 9\n1 2 3 4 5 6 7 x 8 y 8\n1 2 3 4 5 6 7 x 8\n",
            "invalid\nr\ninvalid\nr\n",
            vec![not_a_tile("line 3, column 3", "q"), not_a_tile("line 4, column 19", "y")],
        ),
    ];
    for (input, answers, faults) in cases {
        assert_eq!(checked(input), (answers.to_owned(), faults));
    }
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_start_only() {
    let at = |place: &str, token: &str| {
        format!(
            "{place}: `{token}` is not a tile: 1 to 8 and the blank (x, X, 0, _ or .) are allowed"
        )
    };
    for (text, answers, faults) in [
        ("\u{feff}", "", vec![]),
        ("\u{feff}\r\n", "", vec![]),
        ("\u{feff}1 2 3 4 5 6 7 x 8\r\n1 2 3 4 5 x 7 8 6\r\n", "r\nd\n", vec![]),
        ("\u{feff} 1\n2 3 4 5 6 7 x 8\n", "r\n", vec![]),
        ("\u{feff}1 q\n", "invalid\n", vec![at("line 1, column 3", "q")]),
        (" \u{feff}1\n", "invalid\n", vec![at("line 1, column 2", "\\u{feff}1")]),
        ("\n\u{feff}1\n", "invalid\n", vec![at("line 2, column 1", "\\u{feff}1")]),
        ("\u{fefe}1\n", "invalid\n", vec![at("line 1, column 1", "\\u{fefe}1")]),
    ] {
        assert_eq!(checked(text.as_bytes()), (answers.to_owned(), faults), "{text:?}");
    }
    assert_eq!(checked(b"\xef\xbb").1, [at("line 1, column 1", "\\xef\\xbb")]);
}

#[test]
fn lines_are_counted_across_batches_and_buffers() {
    let mut input = "1 2 3 4 5 6 7 x 8\n".repeat(20_000);
    input += &"1 2 3 4 5 6 7 x 8\r\n".repeat(1_000);
    input += "1 2 3 4 5 6 7 x\n8 1 2 3 4 5 6 7 x 8 z\n";
    let (output, faults, tally) = run_judge(input.as_bytes(), Cpu::detect());
    assert_eq!(output, "r\n".repeat(21_002) + "invalid\n");
    assert_eq!((faults[0].line, faults[0].column), (21_002, 21));
    assert_eq!((faults.len(), tally.cases), (1, 21_003));
}

#[test]
fn a_line_without_end_takes_linear_time() {
    let input = b"1 2 3 4 5 6 7 x 8 ".repeat(500_000);
    let (output, _, tally) = run_judge(&*input, Cpu::detect());
    assert_eq!((output.len(), tally.solved), (1_000_000, 500_000));
    let junk = vec![b'7'; 10_000_000];
    assert_eq!(run_judge(&*junk, Cpu::detect()).2.invalid, 1);
}

#[test]
fn read_and_write_errors_are_returned() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::TimedOut.into())
        }
    }
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let read = judge(Broken, io::sink(), Cpu::Scalar, &mut |_| ());
    assert_eq!(read.unwrap_err().kind(), ErrorKind::TimedOut);
    let written = judge(&b"1 2 3 4 5 6 7 x 8\n"[..], Broken, Cpu::Scalar, &mut |_| ());
    assert_eq!(written.unwrap_err().kind(), ErrorKind::BrokenPipe);
}

#[test]
fn answers_are_written_before_waiting_for_input() {
    /// Records how much had been written at each read.
    struct Conversation<'a> {
        lines: std::array::IntoIter<&'a [u8], 3>,
        written: &'a std::cell::RefCell<Vec<u8>>,
        seen: Vec<usize>,
    }
    impl Read for &mut Conversation<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.seen.push(self.written.borrow().len());
            self.lines.next().unwrap_or_default().read(buffer)
        }
    }
    struct Shared<'a>(&'a std::cell::RefCell<Vec<u8>>);
    impl Write for Shared<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let written = Default::default();
    let lines = [&b"1 2 3 4 5 6 7 x 8\n"[..], b"1 2 3 4 5 6 x ", b"7 8\n"];
    let mut conversation =
        Conversation { lines: lines.into_iter(), written: &written, seen: vec![] };
    judge(&mut conversation, Shared(&written), Cpu::detect(), &mut |_| ()).unwrap();
    assert_eq!(conversation.seen, [0, 2, 2, 5]);
}

/// Generates text similar to a judge file.
fn nearly_cases() -> impl Strategy<Value = Vec<u8>> {
    let board = Just("12345678x".chars().collect::<Vec<_>>()).prop_shuffle();
    let line = board.prop_map(|tiles| {
        tiles.iter().map(char::to_string).collect::<Vec<_>>().join(" ").into_bytes()
    });
    let ending = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", " ", "", "\n\n", " \n"]);
    let junk = prop_oneof![
        prop::collection::vec(prop::sample::select(b"12345678x09 \t\r\n\x0bXy._".to_vec()), 0..40),
        prop::collection::vec(any::<u8>(), 0..40),
    ];
    let piece = prop_oneof![
        8 => (line, ending).prop_map(|(line, ending)| [&line[..], ending.as_bytes()].concat()),
        1 => junk,
    ];
    prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_input_in_any_pieces_agrees_with_plain_code(
        input in nearly_cases(),
        lengths in prop::collection::vec(1..200_usize, 0..40),
    ) {
        let (expected, expected_faults) = plain_judge(&input);
        for cpu in Cpu::available() {
            let pieces = Pieces::new(&input, lengths.iter().copied());
            let (output, faults, tally) = run_judge(pieces, cpu);
            prop_assert_eq!(&output, &expected);
            prop_assert_eq!(&faults, &expected_faults);
            prop_assert_eq!(tally, plain_tally(&expected));
        }
    }
}
