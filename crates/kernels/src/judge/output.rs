//! The answers of the filter: their counts, the faults of invalid cases, and the buffered output.

use std::io::{self, Write};

use loyd_tiles::Tile;

use super::letters::{self, MAX_ANSWER};
use crate::cpu::Level;
use crate::tables::UNSOLVABLE;

/// The number of cases by kind of answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    /// Number of all cases.
    pub cases: u64,
    /// Number of cases answered with moves, including empty answers.
    pub solved: u64,
    /// Number of cases answered `unsolvable`.
    pub unsolvable: u64,
    /// Number of cases answered `invalid`.
    pub invalid: u64,
}

/// Maximum number of bytes of a token in a message; longer tokens are clipped.
pub const MAX_SHOWN: usize = 24;

/// Why a case is invalid, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct Fault {
    /// Line, counted from 1.
    pub line: u64,
    /// Byte within the line, counted from 1, at which the faulty token starts. If the input ends too early, the start
    /// of the first token of the unfinished case.
    pub column: u64,
    /// The kind of fault.
    pub kind: FaultKind,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// The token is not a tile. Holds its text, with unprintable bytes escaped and long tokens clipped.
    #[error("`{0}` is not a tile: 1 to 8 and the blank (x, X, 0, _ or .) are allowed")]
    NotATile(String),
    /// The tile appears twice in the case.
    #[error("{} appears twice in this case", (*.0).name())]
    Repeated(Tile),
    /// The input ends within the case that starts here, after this number of tokens.
    #[error("the input ends after {0} of 9 tokens")]
    Incomplete(usize),
}

impl FaultKind {
    /// Returns the fault for a token of `length` bytes that is not a tile. `bytes` are its first bytes, at most
    /// [`MAX_SHOWN`].
    pub(super) fn not_a_tile(bytes: &[u8], length: u64) -> Self {
        let clipped = length > bytes.len() as u64;
        let mut text = String::new();
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                match c {
                    '\'' | '"' | '\\' => text.push(c),
                    c => text.extend(c.escape_debug()),
                }
            }
            // Clipping may have split a character; its bytes are not invalid input.
            if !(clipped && chunks.peek().is_none()) {
                text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
            }
        }
        if clipped {
            text.push('…');
        }
        Self::NotATile(text)
    }
}

/// Size of the output buffer.
const WRITE_BYTES: usize = 64 << 10;

/// Collects and counts answers, and writes them in large pieces.
pub struct Output<'a> {
    writer: &'a mut dyn Write,
    buffer: Vec<u8>,
    used: usize,
    level: Level,
    on_fault: &'a mut dyn FnMut(&Fault),
    counts: AnswerCounts,
}

impl<'a> Output<'a> {
    /// Creates an empty output.
    pub fn new(
        writer: &'a mut dyn Write,
        level: Level,
        on_fault: &'a mut dyn FnMut(&Fault),
    ) -> Self {
        let buffer = vec![0; WRITE_BYTES];
        Self { writer, buffer, used: 0, level, on_fault, counts: AnswerCounts::default() }
    }

    /// Answers boards given by the indices of their path words.
    pub fn answer(&mut self, indices: &[u32]) -> io::Result<()> {
        self.make_room(MAX_ANSWER * indices.len())?;
        self.used += letters::write(self.level, indices, &mut self.buffer[self.used..]);
        let unsolvable = indices.iter().filter(|&&index| index == UNSOLVABLE).count() as u64;
        self.counts.cases += indices.len() as u64;
        self.counts.unsolvable += unsolvable;
        self.counts.solved += indices.len() as u64 - unsolvable;
        Ok(())
    }

    /// Answers an invalid case.
    pub fn invalid(&mut self, fault: &Fault) -> io::Result<()> {
        const ANSWER: &[u8] = b"invalid\n";
        self.make_room(ANSWER.len())?;
        self.buffer[self.used..][..ANSWER.len()].copy_from_slice(ANSWER);
        self.used += ANSWER.len();
        self.counts.cases += 1;
        self.counts.invalid += 1;
        (self.on_fault)(fault);
        Ok(())
    }

    /// Writes all pending answers and flushes the writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.writer.flush()
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> AnswerCounts {
        self.counts
    }

    /// Ensures that `bytes` more bytes fit into the buffer.
    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        if self.buffer.len() - self.used < bytes { self.write_out() } else { Ok(()) }
    }

    /// Writes the buffer and empties it, even on error.
    fn write_out(&mut self) -> io::Result<()> {
        let used = std::mem::take(&mut self.used);
        self.writer.write_all(&self.buffer[..used])
    }
}
