//! Parses cases in any layout, byte by byte. The parser can be interrupted between any two bytes.

use std::io;

use loyd_tiles::Tile;

use super::output::{Fault, FaultKind, MAX_SHOWN, Output};
use crate::tables::path_index;

/// Returns the number of the tile that a single byte stands for, 0 for the blank.
pub const fn number(token: u8) -> Option<u8> {
    match token {
        b'1'..=b'8' => Some(token - b'0'),
        b'x' | b'X' | b'0' | b'_' | b'.' => Some(0),
        _ => None,
    }
}

/// Written by some programs at the start of UTF-8 text; not part of the text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns whether the byte is a space, tab, line feed, vertical tab, form feed or carriage return.
fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

/// A position in the input. Both numbers count from 1, columns in bytes.
#[derive(Clone, Copy)]
struct Position {
    line: u64,
    column: u64,
}

impl Position {
    const START: Self = Self { line: 1, column: 1 };

    fn fault(self, kind: FaultKind) -> Fault {
        Fault { line: self.line, column: self.column, kind }
    }
}

/// The current token; empty between tokens.
struct Token {
    /// Its first bytes, the ones that a message shows.
    bytes: [u8; MAX_SHOWN],
    /// Total number of bytes.
    length: u64,
    /// Position of the first byte.
    begin: Position,
}

impl Token {
    fn shown(&self) -> &[u8] {
        &self.bytes[..self.length.min(MAX_SHOWN as u64) as usize]
    }

    /// Returns the number of the tile, or `None` if the token is not a tile.
    fn number(&self) -> Option<u8> {
        if self.length == 1 { number(self.bytes[0]) } else { None }
    }
}

/// The parser, with the state of the current case and token.
pub struct Cases {
    /// Position of the next byte.
    here: Position,
    token: Token,
    /// The tiles of the case so far as digits in base nine, the first one highest.
    tiles: u32,
    /// Number of these tiles.
    count: usize,
    /// Set of these tiles, one bit per number.
    seen: u16,
    /// Position of the first token of the case.
    begin: Position,
    /// Whether the rest of this line belongs to an invalid case.
    skipping: bool,
    /// Whether the input started with a byte order mark.
    mark_skipped: bool,
}

impl Default for Cases {
    fn default() -> Self {
        Self {
            here: Position::START,
            token: Token { bytes: [0; MAX_SHOWN], length: 0, begin: Position::START },
            tiles: 0,
            count: 0,
            seen: 0,
            begin: Position::START,
            skipping: false,
            mark_skipped: false,
        }
    }
}

impl Cases {
    /// Returns whether the next byte is outside of any case, so that [`line`](super::line) can parse on from there.
    pub fn is_between_cases(&self) -> bool {
        self.count == 0 && self.token.length == 0 && !self.skipping
    }

    /// Advances the position past `lines` lines, at least one, that [`line`](super::line) has parsed.
    pub fn skip_lines(&mut self, lines: usize) {
        self.here = Position { line: self.here.line + lines as u64, column: 1 };
    }

    /// Parses up to the next line end outside of any case, or to the end of `bytes`. Returns the remaining bytes.
    pub fn read<'a>(&mut self, bytes: &'a [u8], output: &mut Output<'_>) -> io::Result<&'a [u8]> {
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            if self.skipping {
                rest = self.skip(rest);
                continue;
            }
            if !is_space(*byte) {
                self.push_byte(*byte);
            } else if self.token.length > 0 {
                self.finish_token(output)?;
            }
            rest = after;
            self.here.column += 1;
            if *byte == b'\n' {
                self.end_line();
                if self.is_between_cases() {
                    break;
                }
            }
        }
        Ok(rest)
    }

    /// Handles the end of the input: finishes the last token, and reports an incomplete case.
    pub fn end(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        if self.token.length > 0 {
            self.finish_token(output)?;
        }
        if self.count > 0 {
            let fault = self.begin.fault(FaultKind::Incomplete(self.count));
            self.invalid(&fault, output)?;
        }
        Ok(())
    }

    /// Skips the rest of the line and returns the bytes from its line feed on. Columns are not updated, since the next
    /// token is on another line.
    fn skip<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        self.skipping = end.is_none();
        &bytes[end.unwrap_or(bytes.len())..]
    }

    /// Advances the position to the start of the next line.
    fn end_line(&mut self) {
        self.here = Position { line: self.here.line + 1, column: 1 };
        self.skipping = false;
    }

    /// Appends a byte to the token.
    fn push_byte(&mut self, byte: u8) {
        let token = &mut self.token;
        if token.length == 0 {
            token.begin = self.here;
        }
        if token.length < MAX_SHOWN as u64 {
            token.bytes[token.length as usize] = byte;
        }
        token.length += 1;
        if token.length == BYTE_ORDER_MARK.len() as u64 && !self.mark_skipped {
            self.skip_byte_order_mark();
        }
    }

    /// Discards the token if it is a byte order mark at the start of the input.
    fn skip_byte_order_mark(&mut self) {
        let Position { line, column } = self.token.begin;
        if (line, column) == (1, 1) && self.token.shown() == BYTE_ORDER_MARK {
            self.mark_skipped = true;
            self.token.length = 0;
            // The caller increments this: the next byte is in column 1, as editors count.
            self.here.column = 0;
        }
    }

    /// Adds the token to the case, and answers the case if it is complete.
    fn finish_token(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let Some(number) = self.token.number().filter(|number| self.seen >> number & 1 == 0) else {
            return self.reject_token(output);
        };
        if self.count == 0 {
            self.begin = self.token.begin;
        }
        self.token.length = 0;
        self.seen |= 1 << number;
        self.tiles = self.tiles * 9 + u32::from(number);
        self.count += 1;
        if self.count == 9 { self.complete(output) } else { Ok(()) }
    }

    /// Rejects the case because of the current token.
    #[cold]
    fn reject_token(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let kind = match self.token.number() {
            Some(number) => FaultKind::Repeated(Tile::new(number.into())),
            None => FaultKind::not_a_tile(self.token.shown(), self.token.length),
        };
        self.token.length = 0;
        self.skipping = true;
        self.invalid(&self.token.begin.fault(kind), output)
    }

    /// Answers a case of nine different tiles.
    fn complete(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        const LAST_FIVE: u32 = 9_u32.pow(5);
        let index = path_index(self.tiles / LAST_FIVE, self.tiles % LAST_FIVE);
        self.clear_case();
        output.answer(&[index.expect("nine different tiles are a board")])
    }

    /// Answers `invalid` and reports the fault.
    fn invalid(&mut self, fault: &Fault, output: &mut Output<'_>) -> io::Result<()> {
        self.clear_case();
        output.invalid(fault)
    }

    /// Discards the tiles of the case.
    fn clear_case(&mut self) {
        (self.tiles, self.count, self.seen) = (0, 0, 0);
    }
}
