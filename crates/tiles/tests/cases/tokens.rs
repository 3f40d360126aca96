//! A fixed number of tiles per board, regardless of line breaks.

use std::io::{self, BufReader, Read};

use loyd_tiles::notation::Format;

use crate::{LONG, all, line_of, read};

#[test]
fn tokens() {
    let text = "2 3 4 1\n5 x 7\n\n6 8 1 2 3 4\r\n5,6,7,8 x 2 3\n4 1 5 x 7 6 8";
    assert_eq!(
        read(text, Format::Tokens, None),
        ["1: 2 3 4/1 5 0/7 6 8", "4: 1 2 3/4 5 6/7 8 0", "5: 2 3 4/1 5 0/7 6 8"]
    );
    assert_eq!(read("1 2 3 x 3 2 1\nx", Format::Tokens, Some("2x2")), ["1: 1 2/3 0", "1: 3 2/1 0"]);
    assert_eq!(
        read("2 3 4 1 5 x 7 6 8\n2 3 4\n1 5\n\n", Format::Tokens, None),
        ["1: 2 3 4/1 5 0/7 6 8", "2: line 3, column 4: the input ends after 5 of 9 tokens"]
    );
}

/// A reader that yields the same bytes `times` times.
struct Again {
    piece: &'static [u8],
    times: usize,
}

impl Read for Again {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let whole = self.times.min(buffer.len() / self.piece.len());
        for place in buffer.chunks_exact_mut(self.piece.len()).take(whole) {
            place.copy_from_slice(self.piece);
        }
        self.times -= whole;
        Ok(whole * self.piece.len())
    }
}

#[test]
fn any_number_of_commas_separates_tokens() {
    assert_eq!(
        read(",\n , ,\n2 3 4 1 5,\n,\n,,x 7 6 8,\n,,\n1 2\n,\n", Format::Tokens, None),
        ["3: 2 3 4/1 5 0/7 6 8", "7: line 7, column 4: the input ends after 2 of 9 tokens"]
    );
    assert_eq!(read(",\n".repeat(9999), Format::Tokens, None), [""; 0]);
}

#[test]
fn all_tokens_may_be_on_one_line() {
    const TIMES: usize = 20_000;
    for (piece, format) in [
        (&b"2 3 4 1 5 x 7 6 8 "[..], Format::Tokens),
        (b"2 3 4 1 5 x 7 6 8 ", Format::Auto),
        (b"2,3,4,1,5,x,7,6,\xC2\xA08,\t ", Format::Tokens),
    ] {
        let text = Again { piece, times: TIMES }.chain(&b"1 2 3 4 q 1\n12 1\n"[..]);
        let cases: Vec<_> = all(BufReader::new(text), format, None).iter().map(line_of).collect();
        assert_eq!(cases.len(), TIMES + 2);
        assert!(cases[..TIMES].iter().all(|case| case == "1: 2 3 4/1 5 0/7 6 8"));
        let column = TIMES * std::str::from_utf8(piece).unwrap().chars().count() + 9;
        assert!(cases[TIMES].starts_with(&format!("1: line 1, column {column}: `q` is not")));
        assert!(cases[TIMES + 1].starts_with("2: line 2, column 1: tile 12 on cell 1"));
    }
    for length in LONG - 30..LONG + 30 {
        let text = format!("{}2 3 4 1 5 x 7 6 8\r\n1 2 3 4 5 6 7 8 x", " ".repeat(length));
        let expected = ["1: 2 3 4/1 5 0/7 6 8", "2: 1 2 3/4 5 6/7 8 0"];
        assert_eq!(read(&text, Format::Tokens, None), expected, "{length}");
    }
    let text =
        [&b"1 2 3 4 5 6 7 8 x ".repeat(39_999)[..], b"1 2 \xFF 3\n1 2 3 4 5 6 7 8 x"].concat();
    let cases = read(text, Format::Tokens, None);
    let valid = cases.iter().filter(|case| case.ends_with("1 2 3/4 5 6/7 8 0")).count();
    // The fault discards only the piece that contains it.
    assert!(valid > 39_999 - LONG / 18 && cases.len() == valid + 1, "{valid}");
    let first = "2 3 4 1 5\nx 7 6 8\n".to_owned();
    let cases = read(first + &"1 2 3 4 5 6 7 8 x ".repeat(9999), Format::Tokens, None);
    assert_eq!((cases.len(), cases[9999].as_str()), (10_000, "3: 1 2 3/4 5 6/7 8 0"));
}

#[test]
fn huge_tokens_are_faults_and_huge_spaces_are_not() {
    const WORDS: &str = "`000000000000000000000000…` is not a tile: it is longer than 1 KiB";
    for length in [1025, LONG + 1, LONG + 2, LONG + 3, 5 << 20] {
        let vast = io::repeat(b'0').take(length as u64).chain(&b"5 2 3\n23 "[..]);
        let cases = all(BufReader::new((&b"1 2 "[..]).chain(vast)), Format::Tokens, None);
        let error = cases[0].board.as_ref().unwrap_err();
        assert_eq!(error.to_string(), format!("line 1, column 5: {WORDS}"), "{length}");
        assert!(error.source.len() < 200);
        assert!(line_of(&cases[1]).starts_with("2: line 2, column 1: tile 23 on cell 1"));
        assert_eq!(cases.len(), 2);
    }
    let vast = io::repeat(b' ').take(5 << 20).chain(&b"2 3 4 1 5 x 7 6 8\n1"[..]);
    let cases = all(BufReader::new(vast), Format::Tokens, None);
    assert_eq!(line_of(&cases[0]), "1: 2 3 4/1 5 0/7 6 8");
    assert_eq!(line_of(&cases[1]), "2: line 2, column 2: the input ends after 1 of 9 tokens");
}

#[test]
fn faulty_case_ends_with_the_line_of_its_fault() {
    let good = "1 2 3 4 5 6 7 8 x\n";
    for (bad, message) in [
        (
            "2 3 4 1 5 x 7 6 7 1 2\n",
            "line 1, column 17: tile 7 appears twice (cells 7 and 9); tile 8 is missing",
        ),
        (
            "2 3 4 1 5\nx 7 9 8 1 2\n",
            "line 2, column 5: tile 9 on cell 8 is out of range: 0 to 8; tile 6 is missing",
        ),
        ("2 3 4 x\n1 x\n", "line 2, column 3: the blank appears twice (cells 4 and 6)"),
        (
            "2 3 q 1 5 x 7 6 8\n",
            "line 1, column 5: `q` is not a tile: tiles are numbers, the blank is x, X, 0, _ or .",
        ),
        (
            "2 3 99999999999\n",
            "line 1, column 5: `99999999999` is not a tile: the largest that any board has is 9999",
        ),
        (
            "2 3 \0\n",
            "line 1, column 5: `\\0` is not a tile: tiles are numbers, the blank is x, X, 0, _ or .",
        ),
    ] {
        let text = format!("{bad}{good}");
        let line = bad.lines().count() + 1;
        let expected = [format!("1: {message}"), format!("{line}: 1 2 3/4 5 6/7 8 0")];
        assert_eq!(read(&text, Format::Tokens, None), expected, "{bad:?}");
        assert_eq!(read(text.replace('\n', "\r\n"), Format::Tokens, None), expected, "{bad:?}");
    }
    let text = [b"2 3 4\n1 5 \xC3 x\n", good.as_bytes()].concat();
    assert_eq!(
        read(text, Format::Tokens, None),
        ["1: line 2, column 5: byte 0xC3 is not UTF-8 text", "3: 1 2 3/4 5 6/7 8 0"]
    );
}
