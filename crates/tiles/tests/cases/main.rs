//! Files of boards: every format, malformed variants, and slow, huge or failing readers.

use std::io::{self, BufRead, BufReader, Read};

use loyd_tiles::Size;
use loyd_tiles::notation::{Case, Cases, Format, slashes};

mod eight;
mod tokens;

const LONG: usize = 256 * 1024;

fn all<R: BufRead>(reader: R, format: Format, size: Option<Size>) -> Vec<Case> {
    Cases::new(reader, format, size).collect::<io::Result<_>>().unwrap()
}

/// Formats a case as one line: its line number, then the board or the fault.
fn line_of(case: &Case) -> String {
    match &case.board {
        Ok(board) => format!("{}: {}", case.line, slashes(board)),
        Err(error) => {
            assert!(error.source.get(error.span.clone()).is_some(), "{error:?}");
            format!("{}: {error}", case.line)
        }
    }
}

fn read(text: impl AsRef<[u8]>, format: Format, size: Option<&str>) -> Vec<String> {
    let (text, size) = (text.as_ref(), size.map(|size| size.parse().unwrap()));
    let cases = all(text, format, size);
    assert_eq!(all(BufReader::with_capacity(1, text), format, size), cases, "a byte at a time");
    cases.iter().map(line_of).collect()
}

fn detected(text: &str, size: Option<&str>) -> Format {
    let size = size.map(|size| size.parse().unwrap());
    Cases::new(text.as_bytes(), Format::Auto, size).format().unwrap()
}

#[test]
fn lines() {
    let text = "2 3 4 1 5 x 7 6 8\r\n\r\n23415x768\n \n[[1,2],[3,0]]\n2 3 4 1 5 x 7 6\n12345678x";
    assert_eq!(
        read(text, Format::Lines, None),
        [
            "1: 2 3 4/1 5 0/7 6 8",
            "3: 2 3 4/1 5 0/7 6 8",
            "5: 1 2/3 0",
            "6: line 6, column 16: 8 cells: the shape is not clear",
            "7: 1 2 3/4 5 6/7 8 0",
        ]
    );
    assert_eq!(read("1 2 3 4 5 0\n\n", Format::Lines, Some("3x2")), ["1: 1 2 3/4 5 0"]);
    for format in [Format::Auto, Format::Lines, Format::Grid, Format::Tokens, Format::ThreeLines] {
        assert_eq!(read("", format, None), [""; 0]);
        assert_eq!(read("\r\n \n\n", format, None), [""; 0]);
    }
}

#[test]
fn unreadable_lines_are_separate_faults() {
    let longest = format!("12345678x{}", " ".repeat(LONG - 9));
    let mut text = format!("{longest}\r\n{longest} \n12345678x\n").into_bytes();
    text.extend(b"1 2 \xFF 3\n1 2 \0 3\n12345678x\n\xFF\xFE1\0");
    assert_eq!(
        read(text, Format::Lines, None),
        [
            "1: 1 2 3/4 5 6/7 8 0",
            "2: line 2, column 262145: the line is longer than 256 KiB",
            "3: 1 2 3/4 5 6/7 8 0",
            "4: line 4, column 5: byte 0xFF is not UTF-8 text",
            "5: line 5, column 5: `\\0` is not a tile: tiles are numbers, the blank is x, X, 0, _ or .",
            "6: 1 2 3/4 5 6/7 8 0",
            "7: line 7, column 1: byte 0xFF is not UTF-8 text",
        ]
    );
}

#[test]
fn huge_lines_are_skipped() {
    for format in [Format::Auto, Format::Lines, Format::ThreeLines, Format::Korf] {
        let vast = io::repeat(b'7').take(5 << 20).chain(&b"\n2 3 4 1 5 x 7 6 8\n"[..]);
        let cases = all(BufReader::new(vast), format, None);
        let error = cases[0].board.as_ref().unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (1, "the line is longer than 256 KiB"));
        assert!(error.source.len() < 200);
        if !matches!(format, Format::ThreeLines | Format::Korf) {
            assert_eq!(line_of(&cases[1]), "2: 2 3 4/1 5 0/7 6 8");
        }
    }
}

#[test]
fn grids() {
    let text = "2 3 4\n1 5 x\n7 6 8\n1 2 3\n4 5 6\n7 8 x\r\n\r\n1 2\n3 x\n";
    let expected = ["1: 2 3 4/1 5 0/7 6 8", "4: 1 2 3/4 5 6/7 8 0", "8: 1 2/3 0"];
    assert_eq!(read(text, Format::Grid, None), expected);
    assert_eq!(
        read("1 2 3\n4 5 x\n\n4 1 2\n3 5 x", Format::Grid, None),
        ["1: 1 2 3/4 5 0", "4: 4 1 2/3 5 0"]
    );
    assert_eq!(
        read("1 2 3\n4 5 x\n4 1 2\n3 5 x", Format::Grid, Some("3x2")),
        ["1: 1 2 3/4 5 0", "3: 4 1 2/3 5 0"]
    );
    assert_eq!(
        read("1 2\n3 4\n5 x\n\n1 2\n3 x", Format::Grid, None),
        ["1: 1 2/3 4/5 0", "5: 1 2/3 0"]
    );
    assert_eq!(read("x 1\n2 3\n4 5\n\n", Format::Grid, None), ["1: 0 1/2 3/4 5"]);
    assert_eq!(read("1\n2\nx\n\n1\nx\n", Format::Grid, None), ["1: 1/2/0", "5: 1/0"]);
    assert_eq!(
        read("[[1,2],\n [3,0]]\n[\n[1, 2]\n,[0, 3]\n]\n12\n3x", Format::Grid, None),
        ["1: 1 2/3 0", "3: 1 2/0 3", "7: 1 2/3 0"]
    );
}

#[test]
fn faulty_grids_do_not_affect_others() {
    let good = "1 2 3\n4 5 6\n7 8 x\n";
    for (bad, message) in [
        ("2 3\n1 5 x\n7 6 8\n", "line 2, column 5: row 2 has 3 tiles where row 1 has 2"),
        ("2 3 4\n5 x\n7 6 8\n", "line 2, column 4: row 2 has 2 tiles where row 1 has 3"),
        ("2 3 4 9\n1 5 x\n7 6 8\n", "line 2, column 6: row 2 has 3 tiles where row 1 has 4"),
        (
            "2 3 4\n1 5 x\n7 6 9\n",
            "line 3, column 5: tile 9 on cell 9 is out of range: 0 to 8; tile 8 is missing",
        ),
        (
            "2 3 4\n1 x x\n7 6 8\n",
            "line 2, column 5: the blank appears twice (cells 5 and 6); tile 5 is missing",
        ),
        (
            "2 3 4\n1 q x\n7 6 8\n",
            "line 2, column 3: `q` is not a tile: tiles are numbers, the blank is x, X, 0, _ or .",
        ),
        ("2 3 4\n]\n1 5 x\n7 6 8\n", "line 2, column 1: `]` closes nothing"),
    ] {
        let text = format!("{bad}\n{good}{good}");
        let lines = bad.lines().count() + 1;
        let expected = [
            format!("1: {message}"),
            format!("{}: 1 2 3/4 5 6/7 8 0", lines + 1),
            format!("{}: 1 2 3/4 5 6/7 8 0", lines + 4),
        ];
        assert_eq!(read(&text, Format::Grid, None), expected, "{bad:?}");
        assert_eq!(read(text.replace('\n', "\r\n"), Format::Grid, None), expected, "{bad:?}");
        assert_eq!(read(&text, Format::Auto, None), expected, "{bad:?}");
        // Without a blank line, rows of the faulty board may belong to the next one.
        let text = format!("{bad}{good}{good}");
        assert_eq!(read(&text, Format::Grid, None).len(), 1, "{bad:?}");
        assert_eq!(read(&text, Format::Auto, None).len(), 1, "{bad:?}");
    }
    let text = [b"2 3 4\n1 \xFF x\n7 6 8\n\n", good.as_bytes()].concat();
    assert_eq!(
        read(text, Format::Grid, Some("3x3")),
        ["1: line 2, column 3: byte 0xFF is not UTF-8 text", "5: 1 2 3/4 5 6/7 8 0"]
    );
    let text = format!("[{}\n\n{good}", "1 2 3 4\n".repeat(2_600));
    assert_eq!(
        read(text, Format::Grid, None),
        [
            "1: line 2501, column 1: more than 10,000 cells: a board has 2 to 10,000",
            "2603: 1 2 3/4 5 6/7 8 0"
        ]
    );
    assert_eq!(
        read("2 3 4\n1 5 x\n", Format::Grid, Some("3x3")),
        ["1: line 2, column 6: 2 rows where a 3x3 board has 3"]
    );
    let wide = format!("1 2{}\n3 x\n\n1 2\n3 x\n", " ".repeat(LONG - 5));
    assert_eq!(
        read(wide, Format::Grid, None),
        ["1: line 2, column 1: a board on more than 256 KiB", "4: 1 2/3 0"]
    );
}

#[test]
fn korf() {
    let text =
        "1 57 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\nb 5 1 2 x 3\nc q 1 2 3 x\nd 1\ne 1 1 2 3\n";
    let cases = all(text.as_bytes(), Format::Korf, None);
    assert_eq!((cases[0].id.as_deref(), cases[0].expected), (Some("1"), Some(57)));
    assert_eq!(cases[0].board.as_ref().unwrap().size().to_string(), "4x4");
    assert_eq!(
        read("b 3 1 2 x 3\n", Format::Korf, None),
        ["1: line 1, column 1: the length may be the second word or the last one"]
    );
    assert_eq!((cases[1].id.as_deref(), cases[1].expected), (Some("b"), Some(5)));
    assert_eq!(
        cases[2..].iter().map(line_of).collect::<Vec<_>>(),
        [
            "3: line 3, column 3: `q` is not the length of a solution",
            "4: line 4, column 4: the line ends before the tiles",
            "5: line 5, column 10: 3 tiles and no blank, which may be in any of 4 places",
        ]
    );
    assert_eq!(cases[4].expected, Some(1));
}

#[test]
fn detection() {
    let sample = "2 3 4 1 5 x 7 6 8\n";
    let korf = "1 57 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n";
    for (text, size, expected) in [
        (sample, None, Format::Lines),
        ("", None, Format::Lines),
        ("2 3 4 1 5 x 7 6\n", None, Format::Lines),
        ("2 3 4 1 5 x 7 6 8 9\n", None, Format::Lines),
        ("2 3 4 1 5 x 7 6\n2 3 4 1 5 x 7 6 8\n", None, Format::Lines),
        ("23415x768\n5\n", None, Format::Lines),
        ("2 3 4/1 5 x/7 6 8", None, Format::Lines),
        ("\n\n2 3 4\n1 5 x\n7 6 8\n", None, Format::Grid),
        ("0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n", None, Format::Grid),
        ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15\n", None, Format::Grid),
        ("1 2 3 4\n5 6 7 8\n9 10 11 x\n", None, Format::Grid),
        ("1 2 3\n4 5 6\n7 8 9\n10 11 x\n", None, Format::Grid),
        ("1 2 3 x\n4 5 6 7\n8 9 10 11\n12 13 14 15\n16 17 18 19\n", None, Format::Grid),
        ("234\n15x\n768\n", None, Format::Grid),
        ("[[2,3,4],\n[1,5,x],\n[7,6,8]]\n", None, Format::Grid),
        ("3 2 1 x\n2 1 3 x\n", None, Format::Lines),
        ("1\n2\nx\n", Some("1x3"), Format::Grid),
        ("2\n3\n4\n1\n5\nx\n7\n6\n8\n", None, Format::Tokens),
        ("2 3 4 1 5\nx 7 6 8\n", None, Format::Auto),
        ("2 3 4 1 5\nx 7 6 8 1 2\n3 4 5 6 7 8 x\n", None, Format::Auto),
        ("1 2 3 x 3 1\n2 x", Some("2x2"), Format::Auto),
        ("2 3 4 1 5 x 7 6 8 1 2 3 4 5 6 7 8 x\n", None, Format::Tokens),
        ("8 3 5 1 2 7 4 6 0\n8\n1 2 3 4 5 6 7 8 0\n", None, Format::ThreeLines),
        ("8 3 5 1 2 7 4 6 6\n9\n1 2 3 4 5 6 7 8 0\n", None, Format::ThreeLines),
        ("835127460\n8\n123456780", None, Format::ThreeLines),
        ("8 3 5 1 2 7 4 6 0\n8\n1 2 3 4 5 6 7 8 0\n2 3 4 1 5 x 7 6 8\n", None, Format::ThreeLines),
        ("835127460\n-1\n123456780", None, Format::ThreeLines),
        ("8 3 5 1 2 7 4 6 0\n23415x768\n", None, Format::Lines),
        ("8 3 5 1 2 7 4 6 0\n234150768\n1 2 3 4 5 6 7 8 0\n", None, Format::Lines),
        ("8 3 5 1 2 7 4 6 0\n234150766\n", None, Format::Lines),
        ("3 1 2 0\n1230\n", None, Format::Lines),
        ("3 1 0\n1 2 3\n", Some("3x1"), Format::Lines),
        (korf, None, Format::Korf),
    ] {
        assert_eq!(detected(text, size), expected, "{text:?}");
    }
    assert_eq!(detected(&sample.repeat(40).replacen('8', "7", 1), None), Format::Lines);
    assert_eq!(detected(&sample.repeat(40).replace('8', "7"), None), Format::Lines);
    assert_eq!(detected(&korf.repeat(40), Some("4x4")), Format::Korf);
    assert_eq!(detected(&"1 20 2 3 4 1 5 x 7 6 8\n".repeat(40), None), Format::Korf);
}

/// A reader that returns the scripted results, and fails when the script is exhausted.
struct Script(Vec<io::Result<&'static [u8]>>);

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("read too far"));
        }
        let bytes = self.0.remove(0)?;
        buffer[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

#[test]
fn failing_readers_end_the_cases_and_interruptions_do_not() {
    let script = Script(vec![
        Ok(b"2 3 4 1 5 x"),
        Err(io::ErrorKind::Interrupted.into()),
        Ok(b" 7 6 8\n1 2"),
    ]);
    let mut cases = Cases::new(BufReader::new(script), Format::Lines, None);
    assert!(cases.next().unwrap().unwrap().board.is_ok());
    assert_eq!(cases.next().unwrap().unwrap_err().to_string(), "read too far");
    assert!(cases.next().is_none());
}

#[test]
fn boards_are_returned_before_the_next_is_read() {
    let grid = Script(vec![Ok(b"2 3 4\n1 5 x\n7 6 8\n")]);
    let case =
        Cases::new(BufReader::new(grid), Format::Grid, Some(Size::EIGHT)).next().unwrap().unwrap();
    assert!(case.board.is_ok());
    let two = Script(vec![Ok(b"23415x768\n12345678x\n")]);
    let case = Cases::new(BufReader::new(two), Format::Auto, None).next().unwrap().unwrap();
    assert!(case.board.is_ok());
}
