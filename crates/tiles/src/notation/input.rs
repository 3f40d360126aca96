//! Lines of a reader: numbered, bounded, never refused as a whole.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use super::error::{Flaw, NotationError};

/// The longest line that is read, in bytes without its end.
pub(super) const LONGEST: usize = 64 * 1024;

/// A line of the input.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: usize,
    /// The text without its end; empty if the line is at fault.
    pub(super) text: String,
    /// The byte from which on it is still to be read.
    pub(super) from: usize,
    /// Why it cannot be read at all.
    pub(super) fault: Option<Box<NotationError>>,
}

impl Line {
    fn new(number: usize, bytes: &[u8]) -> Self {
        let fault = |flaw: Flaw| {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]);
            let fault = Some(Box::new(flaw.locate(&text, number)));
            Self { number, text: String::new(), from: 0, fault }
        };
        if bytes.len() > LONGEST {
            let message = format!("the line is longer than {} KiB", LONGEST / 1024);
            let end = usize::MAX..usize::MAX;
            return fault(Flaw::new(end, message).with_help("write one board a line"));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let marked = number == 1 && text.starts_with('\u{feff}');
                let text = if marked { text.trim_start_matches('\u{feff}') } else { text };
                Self { number, text: text.to_owned(), from: 0, fault: None }
            }
            Err(error) => {
                let at = error.valid_up_to();
                let message = format!("byte 0x{:02X} is not UTF-8 text", bytes[at]);
                let span = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
                fault(Flaw::new(span, message).with_help("save the file as UTF-8"))
            }
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.fault.is_none() && self.text[self.from..].trim_start().is_empty()
    }

    /// The text and where to start in it, unless the line is at fault.
    pub(super) fn checked(&self) -> Result<(&str, usize), NotationError> {
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
    read: usize,
    ended: bool,
    ahead: VecDeque<Line>,
    buffer: Vec<u8>,
}

impl Lines<io::Empty> {
    /// Lines that are in memory already.
    pub(super) fn of(lines: &[Line]) -> Self {
        Self { ahead: lines.iter().cloned().collect(), ..Self::new(io::empty()) }
    }
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        let (ahead, buffer) = (VecDeque::new(), Vec::new());
        Self { reader, read: 0, ended: false, ahead, buffer }
    }

    /// Takes the next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.read(),
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
        if self.ended || !self.fill()? {
            self.ended = true;
            return Ok(None);
        }
        self.read += 1;
        let bytes = self.buffer.strip_suffix(b"\r").unwrap_or(&self.buffer);
        Ok(Some(Line::new(self.read, bytes)))
    }

    /// Reads a line into the buffer, as much as may be kept, and skips the rest of it.
    fn fill(&mut self) -> io::Result<bool> {
        const KEPT: usize = LONGEST + "\r".len() + 1;
        self.buffer.clear();
        let mut found = false;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok([]) => return Ok(found),
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            found = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = KEPT - self.buffer.len();
            self.buffer.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    #[test]
    fn no_more_of_a_line_is_kept_than_may_be_read() {
        let vast = BufReader::new(io::repeat(b'7').take(8 << 20).chain(&b"\n1\n"[..]));
        let mut lines = Lines::new(vast);
        assert!(lines.next().unwrap().unwrap().fault.is_some());
        assert!(lines.buffer.capacity() <= 4 * LONGEST);
        assert_eq!(lines.next().unwrap().unwrap().text, "1");
    }
}
