//! Lines of a reader: numbered, bounded, never refused as a whole.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use super::error::{Flaw, NotationError};

/// The longest line of boards that is read, in bytes without its end.
pub(super) const LONGEST: usize = 64 * 1024;

/// What is wrong with a longer one, and what to do about it.
const BOARDS: [&str; 2] = ["the line is longer than 64 KiB", "write one board a line"];

/// Whether this is white space, or the frame of a drawn board, which is as good as that.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{2500}'..='\u{257f}')
}

/// Whether tiles are separated by this.
pub(super) fn separates(letter: char) -> bool {
    is_space(letter) || letter == ','
}

/// A line of the input, or a piece of one that is too long.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: usize,
    /// The text without its end; empty if it cannot be read.
    pub(super) text: String,
    /// The byte from which on it is still to be read.
    pub(super) from: usize,
    /// Whether the line ends with this text.
    pub(super) ends: bool,
    /// Whether this is a comment.
    comment: bool,
    /// Characters of the line before this text.
    before: usize,
    /// Why it cannot be read at all.
    fault: Option<Box<NotationError>>,
    /// Why it cannot be read as a whole.
    too_long: Option<Box<NotationError>>,
}

impl Line {
    fn new(number: usize, before: usize, bytes: &[u8], ends: bool) -> Self {
        let line = |text: &str| {
            let text = text.to_owned();
            let (comment, fault, too_long) = (false, None, None);
            Self { number, text, from: 0, ends, comment, before, fault, too_long }
        };
        match std::str::from_utf8(bytes) {
            Ok(text) if number == 1 && before == 0 => {
                line(text.strip_prefix('\u{feff}').unwrap_or(text))
            }
            Ok(text) => line(text),
            Err(error) => {
                let at = error.valid_up_to();
                let message = format!("byte 0x{:02X} is not UTF-8 text", bytes[at]);
                let span = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
                let flaw = Flaw::new(span, message).with_help("save the file as UTF-8");
                let fault = line(&String::from_utf8_lossy(bytes)).locate(flaw);
                Self { fault: Some(Box::new(fault)), ..line("") }
            }
        }
    }

    /// The fault in this text.
    pub(super) fn locate(&self, flaw: Flaw) -> NotationError {
        flaw.locate(&self.text, self.number).within_line(self.before, self.ends)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.checked().is_ok() && self.text[self.from..].chars().all(is_space)
    }

    /// The text and where to start in it, unless the line is at fault.
    pub(super) fn checked(&self) -> Result<(&str, usize), NotationError> {
        match &self.too_long {
            Some(fault) => Err((**fault).clone()),
            None => self.checked_piece(),
        }
    }

    /// The same for who can do with a piece of the line.
    pub(super) fn checked_piece(&self) -> Result<(&str, usize), NotationError> {
        match &self.fault {
            Some(fault) => Err((**fault).clone()),
            None => Ok((&self.text, self.from)),
        }
    }
}

/// The lines of a reader, which can be looked at before they are taken.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    /// The longest line that is read, in bytes without its end.
    longest: usize,
    /// What is wrong with a longer one, and what to do about it.
    longer: [&'static str; 2],
    read: usize,
    ended: bool,
    ahead: VecDeque<Line>,
    /// Characters taken of the line that the reader stands in, if it stands in one.
    within: Option<usize>,
    /// Of that line the bytes that were read and not taken.
    buffer: Vec<u8>,
}

/// Why no more is read into the buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Line,
    Input,
    Full,
}

impl Lines<io::Empty> {
    /// Lines that are in memory already.
    pub(super) fn of(lines: &[Line]) -> Self {
        Self { ahead: lines.iter().cloned().collect(), ..Self::new(io::empty()) }
    }
}

impl<R: BufRead> Lines<R> {
    /// Lines of boards.
    pub(super) fn new(reader: R) -> Self {
        Self::up_to(LONGEST, BOARDS, reader)
    }

    /// Lines of at most so many bytes; what is wrong with `longer` ones, and what to do about it.
    pub(super) fn up_to(longest: usize, longer: [&'static str; 2], reader: R) -> Self {
        let (ahead, buffer) = (VecDeque::new(), Vec::new());
        Self { reader, longest, longer, read: 0, ended: false, ahead, within: None, buffer }
    }

    pub(super) fn reader(&self) -> &R {
        &self.reader
    }

    /// Takes the next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.read(),
        }
    }

    /// Takes the next line or, within a line that is too long, its next piece, which begins and ends
    /// between words unless there is a word that is too long.
    pub(super) fn next_piece(&mut self) -> io::Result<Option<Line>> {
        match (self.ahead.pop_front(), self.within) {
            (Some(line), _) => Ok(Some(line)),
            (None, Some(before)) => self.read_piece(before),
            (None, None) => self.read(),
        }
    }

    /// Takes the next line that is not blank.
    pub(super) fn next_filled(&mut self) -> io::Result<Option<Line>> {
        loop {
            match self.next()? {
                Some(line) if line.is_blank() => {}
                line => return Ok(line),
            }
        }
    }

    /// Looks at the line that `index` others precede.
    pub(super) fn peek(&mut self, index: usize) -> io::Result<Option<&Line>> {
        while self.ahead.len() <= index {
            match self.read()? {
                Some(line) => self.ahead.push_back(line),
                None => return Ok(None),
            }
        }
        Ok(self.ahead.get(index))
    }

    /// Lets `line` be the next one again.
    pub(super) fn put_back(&mut self, line: Line) {
        self.ahead.push_front(line);
    }

    /// All lines that were looked at and not taken.
    pub(super) fn ahead(&mut self) -> &[Line] {
        self.ahead.make_contiguous()
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        loop {
            self.skip_rest()?;
            self.buffer.clear();
            match self.read_piece(0)? {
                Some(line) if line.comment => {}
                line => return Ok(line),
            }
        }
    }

    fn read_piece(&mut self, before: usize) -> io::Result<Option<Line>> {
        let stop = if self.ended { Stop::Input } else { self.fill()? };
        self.ended |= stop == Stop::Input;
        self.within = None;
        if stop == Stop::Input && self.buffer.is_empty() {
            return Ok(None);
        }
        self.read += usize::from(before == 0);
        let ends = stop != Stop::Full;
        let length = if ends { self.buffer.len() } else { piece(&self.buffer) };
        let bytes = &self.buffer[..length];
        let bytes = if ends { bytes.strip_suffix(b"\r").unwrap_or(bytes) } else { bytes };
        let comment = before == 0 && begins_comment(&self.buffer, self.read);
        let mut line = Line { comment, ..Line::new(self.read, before, bytes, ends) };
        if before == 0 && !(ends && bytes.len() <= self.longest) {
            line.too_long = Some(Box::new(self.too_long()));
        }
        if !ends {
            self.within = Some(before + line.text.chars().count());
        }
        self.buffer.drain(..length);
        Ok(Some(line))
    }

    /// Skips what was not taken yet of the line that the reader stands in.
    pub(super) fn skip_rest(&mut self) -> io::Result<()> {
        while self.within.is_some() {
            self.buffer.clear();
            let stop = self.fill()?;
            self.ended |= stop == Stop::Input;
            self.within = self.within.filter(|_| stop == Stop::Full);
        }
        self.buffer.clear();
        Ok(())
    }

    /// Reads on to the end of the line, or until the buffer holds as much as may be kept.
    fn fill(&mut self) -> io::Result<Stop> {
        let kept = self.longest + "\r".len() + 1;
        while self.buffer.len() < kept {
            let chunk = match self.reader.fill_buf() {
                Ok([]) => return Ok(Stop::Input),
                Ok(chunk) => &chunk[..chunk.len().min(kept - self.buffer.len())],
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            self.buffer.extend_from_slice(part);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Stop::Line);
            }
        }
        Ok(Stop::Full)
    }

    /// What is wrong with the line in the buffer.
    fn too_long(&self) -> NotationError {
        let text = String::from_utf8_lossy(&self.buffer[..self.buffer.len().min(self.longest)]);
        let [message, help] = self.longer;
        Flaw::new(usize::MAX..usize::MAX, message).with_help(help).locate(&text, self.read)
    }
}

/// Whether the bytes are those of a comment, however long it is, at the beginning of line `number`.
fn begins_comment(bytes: &[u8], number: usize) -> bool {
    let mark = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| number == 1);
    mark.unwrap_or(bytes).trim_ascii_start().starts_with(b"#")
}

/// How many of these bytes of a long line to take at once: all up to the last that separates words.
fn piece(bytes: &[u8]) -> usize {
    let Some(chunk) = bytes.utf8_chunks().next() else { return 0 };
    let (text, unreadable) = (chunk.valid(), chunk.invalid().len());
    match text.char_indices().rev().find(|&(_, letter)| separates(letter)) {
        Some((at, letter)) => at + letter.len_utf8(),
        // The next piece may have the rest of a letter that this one ends within.
        None if text.len() + unreadable == bytes.len() && !text.is_empty() => text.len(),
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    #[test]
    fn comments_are_skipped_however_long_they_are() {
        let long = "x".repeat(2 * LONGEST);
        let text = format!("\u{feff}# one\n1 x\n  #{long}\n\n# two\n2 x #\n#");
        let mut lines = Lines::new(text.as_bytes());
        let mut next = || lines.next().unwrap().map(|line| (line.number, line.text));
        assert_eq!(next(), Some((2, "1 x".to_owned())));
        assert_eq!(next(), Some((4, String::new())));
        assert_eq!(next(), Some((6, "2 x #".to_owned())));
        assert_eq!(next(), None);
    }

    #[test]
    fn no_more_of_a_line_is_kept_than_may_be_read() {
        let vast = BufReader::new(io::repeat(b'7').take(8 << 20).chain(&b"\n1\n"[..]));
        let mut lines = Lines::new(vast);
        assert!(lines.next().unwrap().unwrap().checked().is_err());
        assert!(lines.buffer.capacity() <= 4 * LONGEST);
        assert_eq!(lines.next().unwrap().unwrap().text, "1");
    }
}
