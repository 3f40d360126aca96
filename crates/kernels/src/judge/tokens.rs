//! Cases in any layout, byte by byte: may be interrupted between any two bytes.

use std::io;

use loyd_tiles::Tile;

use super::fault::{Fault, FaultKind, SHOWN};
use super::output::Output;
use crate::tables::path_index;

/// The number of the tile that is written as this one byte, 0 for the blank.
pub const fn number(token: u8) -> Option<u8> {
    match token {
        b'1'..=b'8' => Some(token - b'0'),
        b'x' | b'X' | b'0' | b'_' | b'.' => Some(0),
        _ => None,
    }
}

/// What some programs begin UTF-8 text with: no part of it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Space, or one of tab, line feed, vertical tab, form feed and carriage return.
fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

/// A place in the input, both numbers from 1; columns count bytes.
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

/// A token of which some bytes were read, or none.
struct Token {
    /// Its first bytes.
    bytes: [u8; SHOWN],
    /// All its bytes.
    length: u64,
    begin: Position,
}

impl Token {
    fn shown(&self) -> &[u8] {
        &self.bytes[..self.length.min(SHOWN as u64) as usize]
    }

    /// The number of the tile that it names, if it does.
    fn number(&self) -> Option<u8> {
        if self.length == 1 { number(self.bytes[0]) } else { None }
    }
}

/// The reader: what it knows of the case and the token that it is in.
pub struct Cases {
    /// The next byte.
    here: Position,
    token: Token,
    /// The tiles of the case so far as digits in base nine, the first highest.
    tiles: u32,
    /// How many they are.
    count: usize,
    /// The set of them.
    seen: u16,
    begin: Position,
    /// An invalid case ends at the end of this line.
    skipping: bool,
    /// Whether the input began with a byte order mark.
    marked: bool,
}

impl Default for Cases {
    fn default() -> Self {
        Self {
            here: Position::START,
            token: Token { bytes: [0; SHOWN], length: 0, begin: Position::START },
            tiles: 0,
            count: 0,
            seen: 0,
            begin: Position::START,
            skipping: false,
            marked: false,
        }
    }
}

impl Cases {
    /// Whether the next byte is outside of any case, so that lines can be read without this reader.
    pub fn is_between(&self) -> bool {
        self.count == 0 && self.token.length == 0 && !self.skipping
    }

    /// Notes that so many lines, at least one, were read without this reader.
    pub fn skip_lines(&mut self, lines: usize) {
        self.here = Position { line: self.here.line + lines as u64, column: 1 };
    }

    /// Reads on to the end of the next line that ends outside of any case, or to the end of `bytes`;
    /// returns what follows.
    pub fn read<'a>(&mut self, bytes: &'a [u8], output: &mut Output<'_>) -> io::Result<&'a [u8]> {
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            if self.skipping {
                rest = self.skip(rest);
                continue;
            }
            if !is_space(*byte) {
                self.take(*byte);
            } else if self.token.length > 0 {
                self.finish_token(output)?;
            }
            rest = after;
            self.here.column += 1;
            if *byte == b'\n' {
                self.end_line();
                if self.is_between() {
                    break;
                }
            }
        }
        Ok(rest)
    }

    /// Ends the input.
    pub fn end(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        if self.token.length > 0 {
            self.finish_token(output)?;
        }
        if self.count > 0 {
            let fault = self.begin.fault(FaultKind::Unfinished(self.count));
            self.invalid(&fault, output)?;
        }
        Ok(())
    }

    /// Passes over the rest of the line; returns the bytes from its end. Columns need not be counted:
    /// the next token is on another line.
    fn skip<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        self.skipping = end.is_none();
        &bytes[end.unwrap_or(bytes.len())..]
    }

    fn end_line(&mut self) {
        self.here = Position { line: self.here.line + 1, column: 1 };
        self.skipping = false;
    }

    fn take(&mut self, byte: u8) {
        let token = &mut self.token;
        if token.length == 0 {
            token.begin = self.here;
        }
        if token.length < SHOWN as u64 {
            token.bytes[token.length as usize] = byte;
        }
        token.length += 1;
        if token.length == BYTE_ORDER_MARK.len() as u64 && !self.marked {
            self.pass_mark();
        }
    }

    /// Forgets the token if it is a byte order mark at the start of the input.
    fn pass_mark(&mut self) {
        let Position { line, column } = self.token.begin;
        if (line, column) == (1, 1) && self.token.shown() == BYTE_ORDER_MARK {
            self.marked = true;
            self.token.length = 0;
            // The column of the next byte will be 1, as editors count.
            self.here.column = 0;
        }
    }

    /// Adds the token to the case, which may end with it.
    fn finish_token(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let Some(number) = self.token.number().filter(|number| self.seen >> number & 1 == 0) else {
            return self.refuse_token(output);
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

    /// Ends the case with the fault of the token.
    #[cold]
    fn refuse_token(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let kind = match self.token.number() {
            Some(number) => FaultKind::Twice(Tile::new(number)),
            None => FaultKind::not_a_tile(self.token.shown(), self.token.length),
        };
        self.token.length = 0;
        self.skipping = true;
        self.invalid(&self.token.begin.fault(kind), output)
    }

    fn complete(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        const LAST_FIVE: u32 = 9_u32.pow(5);
        let index = path_index(self.tiles / LAST_FIVE, self.tiles % LAST_FIVE);
        self.forget();
        output.answer(&[index.expect("nine different tiles are a board")])
    }

    fn invalid(&mut self, fault: &Fault, output: &mut Output<'_>) -> io::Result<()> {
        self.forget();
        output.invalid(fault)
    }

    fn forget(&mut self) {
        (self.tiles, self.count, self.seen) = (0, 0, 0);
    }
}
