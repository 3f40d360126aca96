//! What can be wrong with a case.

use loyd_tiles::Tile;

/// Bytes of a token that are shown; a longer one is clipped.
pub const SHOWN: usize = 24;

/// Why a case is invalid, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct Fault {
    /// The line, from 1.
    pub line: u64,
    /// The byte within the line, from 1, with which the token at fault begins; where the input ends
    /// too early, the first token of the unfinished case.
    pub column: u64,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// What is wrong with a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// It is no tile. Unprintable bytes are escaped, and a long token is clipped.
    #[error("`{0}` is not a tile: 1 to 8 and the blank (x, X, 0, _ or .) are allowed")]
    NotATile(String),
    /// The case has it already.
    #[error("{} appears twice in this case", (*.0).name())]
    Twice(Tile),
    /// The case that begins here is not finished.
    #[error("the input ends after {0} of 9 tokens")]
    Unfinished(usize),
}

impl FaultKind {
    /// The fault of a token with these first bytes, [`SHOWN`] at most, of `length`.
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
            // Clipping may have cut a character in two, which is no fault of the input.
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
