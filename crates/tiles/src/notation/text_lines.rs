//! Lines of text, for files with a solution on each line.

use std::io::{self, BufRead};

use super::MOST_MOVES;
use super::error::NotationError;
use super::input::{LONGEST, Lines};

/// The lines of a reader with their numbers, read as they are asked for; empty ones too, since a solution
/// may have no moves. Only comments, which begin with `#`, are skipped.
///
/// A line that is no text or too long is a fault, and reading goes on behind it; only a failing reader ends the
/// iteration early. What is written by [`Style`](super::Style) is never too long: a line may have
/// [`MOST_MOVES`] moves in any notation, with a board in front.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::TextLines;
/// let lines: Vec<_> = TextLines::new("ull\n\nDR2".as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(lines, [(1, Ok("ull".to_owned())), (2, Ok(String::new())), (3, Ok("DR2".to_owned()))]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextLines<R>(Lines<R>);

impl<R: BufRead> TextLines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        /// Coordinates are the longest words: two numbers, of four digits together, for no board has more than
        /// 256 cells.
        const WORD: usize = "16,16 ".len();
        let longest = MOST_MOVES * WORD + LONGEST;
        let longer = [
            "the line is longer than 1,000,000 moves and a board can be",
            "write one solution on each line",
        ];
        Self(Lines::up_to(longest, longer, reader))
    }

    /// The reader, which may have been read further than the lines.
    pub fn reader(&self) -> &R {
        self.0.reader()
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = io::Result<(usize, Result<String, NotationError>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.0.next().transpose()?;
        Some(line.map(|line| (line.number, line.checked().map(|(text, _)| text.to_owned()))))
    }
}
