//! Lines of text, for files with one solution per line.

use std::io::{self, BufRead};

use super::MAX_MOVES;
use super::error::NotationError;
use super::input::{LONGEST, Lines};

/// Iterator over the numbered lines of a reader, read one at a time. Empty lines are included, because a solution
/// may have no moves. Only comments, lines that start with `#`, are skipped.
///
/// A line that is not text or too long is a fault, and reading continues after it; only a failing reader ends the
/// iteration early. A line written by [`Style`](super::Style) is never too long: a line may hold
/// [`MAX_MOVES`] moves in any notation, preceded by a board.
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
    /// Creates the iterator over the lines of `reader`.
    pub fn new(reader: R) -> Self {
        /// The longest words are coordinates: two numbers of six digits in total, because boards have at most 10,000
        /// cells.
        const WORD: usize = "100,100 ".len();
        let longest = MAX_MOVES * WORD + LONGEST;
        let longer = [
            "the line is longer than 10,000,000 moves and a board can be",
            "write one solution on each line",
        ];
        Self(Lines::up_to(longest, longer, reader))
    }

    /// Returns the reader, which may be ahead of the lines returned so far.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Among solutions, the name of a goal is no heading.
    #[test]
    fn comments_with_any_words_are_skipped() {
        let lines = TextLines::new("ull\n# goal\n#end\nr".as_bytes());
        let lines: Vec<_> = lines.map(|line| line.unwrap().0).collect();
        assert_eq!(lines, [1, 4]);
    }
}
