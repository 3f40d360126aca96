//! The boards of a file, one after the other.

use std::io::{self, BufRead};

use super::case::Case;
use super::format::Format;
use super::input::Lines;
use super::{auto, eight, grid, korf, lines, tokens};
use crate::size::Size;

/// The cases of a reader, read as they are asked for.
///
/// Memory: a line of at most 64 KiB, or as many as a row-a-line board stands on, or 64 KiB of a longer
/// line of [`Format::Tokens`]. A faulty case is an item like
/// any other, and reading goes on behind it; only a failing reader ends the iteration early.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Cases, Format};
/// let file = "2 3 4 1 5 x 7 6 8\n2 3 4 1 5 x 7 6 6\n23415x768\n";
/// let cases: Vec<_> = Cases::new(file.as_bytes(), Format::Auto, None).collect::<Result<_, _>>()?;
/// assert_eq!(cases[0].board, cases[2].board);
/// assert_eq!(cases[1].board.as_ref().unwrap_err().line, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Cases<R> {
    lines: Lines<R>,
    format: Format,
    size: Option<Size>,
    begun: bool,
    ended: bool,
}

impl<R: BufRead> Cases<R> {
    /// The cases of `reader` in `format`, all of `size` if that is given.
    pub fn new(reader: R, format: Format, size: Option<Size>) -> Self {
        Self { lines: Lines::new(reader), format, size, begun: false, ended: false }
    }

    /// The format that is read: for [`Format::Auto`], the one that the first lines look like.
    ///
    /// # Errors
    /// When the reader fails.
    pub fn format(&mut self) -> io::Result<Format> {
        if self.format == Format::Auto {
            self.format = auto::detect(&mut self.lines, self.size)?;
        }
        Ok(self.format)
    }

    /// The reader, which may have been read further than the cases.
    pub fn reader(&self) -> &R {
        self.lines.reader()
    }

    fn read(&mut self) -> io::Result<Option<Case>> {
        let format = self.format()?;
        let first = !std::mem::replace(&mut self.begun, true);
        let (lines, size) = (&mut self.lines, self.size);
        match format {
            Format::Auto | Format::Lines => {
                Ok(lines.next_filled()?.map(|line| lines::read(&line, size)))
            }
            Format::Grid => grid::next(lines, size),
            Format::Tokens => tokens::next(lines, size),
            Format::Eight => eight::next(lines, size, first),
            Format::Korf => Ok(lines.next_filled()?.map(|line| korf::read(&line, size))),
        }
    }
}

impl<R: BufRead> Iterator for Cases<R> {
    type Item = io::Result<Case>;

    fn next(&mut self) -> Option<io::Result<Case>> {
        if self.ended {
            return None;
        }
        let case = self.read().transpose();
        self.ended = !matches!(case, Some(Ok(_)));
        case
    }
}
