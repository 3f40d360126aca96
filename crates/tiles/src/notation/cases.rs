//! Iterates over the boards of a file.

use std::io::{self, BufRead};

use super::auto::detect;
use super::format::Format;
use super::input::Lines;
use super::layout::Layout;
use super::pairs::Pairs;
use super::reading::{Case, Hints};
use crate::board::Board;
use crate::size::Size;

/// Iterator over the cases of a reader, which are read one at a time.
///
/// Memory: a line of at most 256 KiB, or the lines of one board, or a value of JSON of at most 1 MiB, or 256 KiB
/// of a longer line of [`Format::Tokens`]. A faulty case is an item like any other, and reading continues after
/// it; only a failing reader ends the iteration early. A file that can be read in two ways is one fault.
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
    blank: Option<String>,
    layout: Option<Layout>,
    pairs: Pairs,
    ended: bool,
    /// Whether the next case is the first one.
    first: bool,
}

impl<R: BufRead> Cases<R> {
    /// Reads `reader` in `format`, with all boards of `size` if it is given.
    pub fn new(reader: R, format: Format, size: Option<Size>) -> Self {
        Self::with_hints(reader, format, Hints { size, blank: None })
    }

    /// Like [`new`](Self::new), but takes all [`Hints`] about the boards.
    pub fn with_hints(reader: R, format: Format, hints: Hints<'_>) -> Self {
        let mut lines = Lines::new(reader);
        if hints.blank == Some("#") {
            lines.hash_is_blank();
        }
        let blank = hints.blank.map(str::to_owned);
        Self {
            lines,
            format,
            size: hints.size,
            blank,
            layout: None,
            pairs: Pairs::default(),
            ended: false,
            first: true,
        }
    }

    /// Returns the format: for [`Format::Auto`], the one detected from the first lines. A file with two possible
    /// readings has [`Format::Auto`], and its only case is a fault.
    ///
    /// # Errors
    /// Returns the error of the reader.
    pub fn format(&mut self) -> io::Result<Format> {
        self.layout()?;
        Ok(self.layout.as_ref().map_or(Format::Auto, Layout::input_name))
    }

    /// Returns the reader, which may be ahead of the cases returned so far.
    pub fn reader(&self) -> &R {
        self.lines.reader()
    }

    /// Detects the layout if it is not known yet. Returns the fault of a file with several layouts.
    fn layout(&mut self) -> io::Result<Option<Case>> {
        if self.layout.is_some() || self.ended {
            return Ok(None);
        }
        let hints = Hints { size: self.size, blank: self.blank.as_deref() };
        match detect(&mut self.lines, self.format, hints)? {
            Ok(layout) => {
                self.layout = Some(layout);
                Ok(None)
            }
            Err(error) => Ok(Some(Case::fault(error))),
        }
    }

    fn read(&mut self) -> io::Result<Option<Case>> {
        if let Some(fault) = self.layout()? {
            self.ended = true;
            return Ok(Some(fault));
        }
        let hints = Hints { size: self.size, blank: self.blank.as_deref() };
        let Some(layout) = &mut self.layout else { return Ok(None) };
        let mut case = self.pairs.next(layout, &mut self.lines, hints)?;
        if let Some(case) = case.as_mut().filter(|case| case.board.is_ok())
            && std::mem::take(&mut self.first)
            && self.format != layout.input_name()
        {
            let size = case.board.as_ref().ok().map(Board::size);
            case.notes.extend(layout.note(size).map(Into::into));
        }
        Ok(case)
    }
}

impl<R: BufRead> Iterator for Cases<R> {
    type Item = io::Result<Case>;

    fn next(&mut self) -> Option<io::Result<Case>> {
        if self.ended {
            return None;
        }
        let case = self.read().transpose();
        self.ended |= !matches!(case, Some(Ok(_)));
        case
    }
}
