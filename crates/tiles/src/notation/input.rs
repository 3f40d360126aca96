//! Numbered lines of a reader, of bounded length. A faulty line never stops the reader.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use super::error::{Flaw, NotationError};
use super::heading::heading;
use super::naming::{Naming, begins_with_goal, gives_goal, of_comment};
use super::signs::{is_rule, is_space, separates};
use super::surroundings::{begins_comment, quotation};

/// Maximum length of a line of boards, in bytes without its end.
pub(super) const LONGEST: usize = 256 * 1024;

/// Message and help for a line that is too long.
const BOARDS: [&str; 2] = ["the line is longer than 256 KiB", "write one board per line"];

/// A line of the input, or a piece of a line that is too long.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The line number, from 1.
    pub(super) number: usize,
    /// The text without its end; empty if it cannot be read.
    pub(super) text: String,
    /// Index of the first unread byte.
    pub(super) from: usize,
    /// Whether the line ends with this text.
    pub(super) ends: bool,
    /// Whether the line is a comment.
    comment: bool,
    /// The meaning of the heading on the line, if headings are marked.
    pub(super) heading: Option<Naming>,
    /// Whether the board of the heading is on the same line. It is the next line then.
    pub(super) has_board: bool,
    /// Number of characters of the line before this text.
    before: usize,
    /// The fault of a line that is not text.
    fault: Option<Box<NotationError>>,
    /// The fault of a line that is too long.
    too_long: Option<Box<NotationError>>,
}

impl Line {
    fn new(number: usize, before: usize, bytes: &[u8], ends: bool) -> Self {
        let line = |text: &str| {
            let text = text.to_owned();
            let (comment, heading, fault, too_long) = (false, None, None, None);
            let has_board = false;
            Self {
                number,
                text,
                from: 0,
                ends,
                comment,
                heading,
                has_board,
                before,
                fault,
                too_long,
            }
        };
        match std::str::from_utf8(bytes) {
            Ok(text) if number == 1 && before == 0 => {
                line(text.strip_prefix('\u{feff}').unwrap_or(text))
            }
            Ok(text) => line(text),
            Err(error) => {
                let at = error.valid_up_to();
                let is_utf_16 = number == 1 && matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
                let message = match is_utf_16 {
                    true => "the file is UTF-16 text, and UTF-8 text is needed".to_owned(),
                    false => format!("byte 0x{:02X} is not UTF-8 text", bytes[at]),
                };
                let span = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
                let flaw = Flaw::new(span, message).with_help("save the file as UTF-8");
                let fault = line(&String::from_utf8_lossy(bytes)).locate(flaw);
                Self { fault: Some(Box::new(fault)), ..line("") }
            }
        }
    }

    /// Returns this comment as a faulty line, because it may be the goal that the comment before it announces.
    fn in_goal_comment(self) -> Self {
        let flaw =
            Flaw::new(0..self.text.trim_end().len(), "the goal under this heading is in a comment");
        let flaw = flaw.with_help(
            "write the goal and its heading without the mark of the comment, or leave both out and give --goal",
        );
        let fault = Some(Box::new(self.locate(flaw)));
        Self { fault, text: String::new(), comment: false, ..self }
    }

    /// Locates the flaw in this text.
    pub(super) fn locate(&self, flaw: Flaw) -> NotationError {
        flaw.locate(&self.text, self.number).within_line(self.before, self.ends)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.heading.is_some()
            || self.checked().is_ok() && self.text[self.from..].chars().all(is_space)
    }

    /// Returns whether the line is a rule between the rows of a drawn board, or its frame.
    pub(super) fn is_rule(&self) -> bool {
        self.heading.is_none() && self.fault.is_none() && is_rule(&self.text[self.from..])
    }

    /// Returns whether the line is the upper edge of a drawn frame.
    pub(super) fn begins_frame(&self) -> bool {
        self.text[self.from..].trim_start().starts_with(['┌', '╔', '┏', '╭'])
    }

    /// Returns the text and the index of its first unread byte, or the fault of the line.
    pub(super) fn checked(&self) -> Result<(&str, usize), NotationError> {
        match &self.too_long {
            Some(fault) => Err((**fault).clone()),
            None => self.checked_piece(),
        }
    }

    /// Like [`checked`](Self::checked), for callers that accept a piece of the line.
    pub(super) fn checked_piece(&self) -> Result<(&str, usize), NotationError> {
        match &self.fault {
            Some(fault) => Err((**fault).clone()),
            None => Ok((&self.text, self.from)),
        }
    }
}

/// The lines of a reader, with lookahead.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    /// Maximum length of a line, in bytes without its end.
    longest: usize,
    /// Message and help for a line that is too long.
    longer: [&'static str; 2],
    /// Whether headings are marked.
    headings: bool,
    /// Whether there was a heading so far, even among the peeked lines.
    had_heading: bool,
    /// Whether there was the heading of a goal so far, even among the peeked lines.
    had_goal: bool,
    /// Whether the last line that was no comment is the heading of a goal in a comment.
    after_goal_comment: bool,
    /// Whether `#` is the declared blank, so that no line is a comment.
    hash_is_blank: bool,
    /// Whether the lines have boards, which may be quoted or have comments of programs between them.
    boards: bool,
    read: usize,
    ended: bool,
    ahead: VecDeque<Line>,
    /// The next line, if it has been read already: the line after a comment.
    behind: Option<Line>,
    /// The board after a heading on the same line, which comes before `behind`.
    headed: Option<Line>,
    /// The text of the previous line.
    last: String,
    /// Number of characters taken from the current line, if part of it is still unread.
    within: Option<usize>,
    /// Bytes of that line that were read but not taken.
    buffer: Vec<u8>,
}

/// The reason why reading into the buffer stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Line,
    Input,
    Full,
}

impl Lines<io::Empty> {
    /// Creates a reader of lines that are in memory, with their headings.
    pub(super) fn of(lines: &[Line]) -> Self {
        let had_heading = lines.iter().any(|line| line.heading.is_some());
        Self { ahead: lines.iter().cloned().collect(), had_heading, ..Self::new(io::empty()) }
    }
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of lines of boards.
    pub(super) fn new(reader: R) -> Self {
        Self { boards: true, ..Self::up_to(LONGEST, BOARDS, reader) }
    }

    /// Creates a reader of lines of at most `longest` bytes; `longer` is the message and the help for longer lines.
    pub(super) fn up_to(longest: usize, longer: [&'static str; 2], reader: R) -> Self {
        let (ahead, buffer) = (VecDeque::new(), Vec::new());
        Self {
            reader,
            longest,
            longer,
            headings: false,
            had_heading: false,
            had_goal: false,
            after_goal_comment: false,
            hash_is_blank: false,
            boards: false,
            read: 0,
            ended: false,
            ahead,
            behind: None,
            headed: None,
            last: String::new(),
            within: None,
            buffer,
        }
    }

    /// Makes `#` the blank instead of the start of a comment.
    pub(super) fn hash_is_blank(&mut self) {
        self.hash_is_blank = true;
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

    /// Takes the next line or, within a line that is too long, its next piece. Pieces are split between words unless a
    /// word is too long.
    pub(super) fn next_piece(&mut self) -> io::Result<Option<Line>> {
        let read = self.ahead.pop_front().or_else(|| self.headed.take());
        match (read.or_else(|| self.behind.take()), self.within) {
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

    /// Takes the next line that is not blank, or is a heading.
    pub(super) fn next_filled_or_heading(&mut self) -> io::Result<Option<Line>> {
        loop {
            match self.next()? {
                Some(line) if line.heading.is_none() && line.is_blank() => {}
                line => return Ok(line),
            }
        }
    }

    /// Peeks at the line with the given index, counted from the next one.
    pub(super) fn peek(&mut self, index: usize) -> io::Result<Option<&Line>> {
        while self.ahead.len() <= index {
            match self.read()? {
                Some(line) => self.ahead.push_back(line),
                None => return Ok(None),
            }
        }
        Ok(self.ahead.get(index))
    }

    /// Stores the text of a line for [`doubtful_row`](Self::doubtful_row), and marks headings.
    fn next_row(&mut self, line: Line) -> Line {
        const LONGEST_ROW: usize = 1024;
        let announces_goal =
            |line: &Line| matches!(of_comment(&line.text), Some(Naming::Goal | Naming::Doubtful));
        self.after_goal_comment = self.boards && announces_goal(&line);
        self.last.clear();
        if self.boards && line.text.len() <= LONGEST_ROW {
            self.last.push_str(&line.text[line.from..]);
        }
        self.split(line)
    }

    /// Returns a comment as a fault if it may be a row whose blank is the mark of the comment as well: it has numbers
    /// only, one fewer than the row before or after it.
    fn doubtful_row(&mut self, line: Line) -> io::Result<Option<Line>> {
        if !self.boards {
            return Ok(None);
        }
        let text = line.text.trim();
        let Some((numbers, words, letters)) = comment_row(text) else { return Ok(None) };
        let mark = text[..text.len() - numbers.len()].to_owned();
        let before = row_width(&self.last);
        let fits = |width: Option<(usize, usize)>| {
            width.is_some_and(|(other, length)| match other {
                1 => words == 1 && letters + 1 == length && length > 1,
                _ => words + 1 == other,
            })
        };
        let mut doubtful = fits(before);
        if !doubtful && line.ends {
            self.skip_rest()?;
            self.buffer.clear();
            if let Some(next) = self.read_piece(0)? {
                doubtful = !next.comment && fits(row_width(&next.text));
                if !next.comment {
                    self.behind = Some(next);
                }
            }
        }
        if !doubtful {
            return Ok(None);
        }
        let end = line.text.trim_end().len();
        let message = format!("this line may be a comment, or a row whose blank is {mark}");
        let help = match mark.as_str() {
            "#" => "name the blank with --blank '#', write 0 for it, or put words into the comment",
            _ => "write 0 for the blank, or put words into the comment",
        };
        let flaw = Flaw::new(0..end, message).with_help(help);
        let fault = Some(Box::new(line.locate(flaw)));
        Ok(Some(Line { fault, text: String::new(), comment: false, ..line }))
    }

    /// Marks `line` if it is a heading. A board after the heading on the same line becomes the next line.
    fn split(&mut self, mut line: Line) -> Line {
        let text = &line.text[line.from..];
        if !self.headings || line.before > 0 || !line.ends {
            return line;
        }
        let Some((naming, board)) = heading(text) else { return line };
        if let Some(at) = board {
            let at = line.from + at;
            self.headed = Some(Line { from: at, ..line.clone() });
            line.has_board = true;
        }
        self.had_heading = true;
        self.had_goal |= match naming {
            Naming::Goal => true,
            Naming::Doubtful => begins_with_goal(&line.text[line.from..]),
            Naming::Start | Naming::Board | Naming::Numbered | Naming::Unknown => false,
        };
        line.heading = Some(naming);
        line
    }

    /// Makes `line` the next one again.
    pub(super) fn put_back(&mut self, line: Line) {
        self.ahead.push_front(line);
    }

    /// Marks headings among the peeked lines and all later ones.
    pub(super) fn with_headings(&mut self) {
        self.headings = true;
        for line in std::mem::take(&mut self.ahead) {
            let line = self.split(line);
            self.ahead.push_back(line);
            self.ahead.extend(self.headed.take());
        }
    }

    /// Returns whether there was a heading so far, even among the peeked lines.
    pub(super) fn had_heading(&self) -> bool {
        self.had_heading
    }

    /// Returns whether there was the heading of a goal so far, even among the peeked lines.
    pub(super) fn had_goal(&self) -> bool {
        self.had_goal
    }

    /// Returns the lines that were peeked but not taken.
    pub(super) fn ahead(&mut self) -> &[Line] {
        self.ahead.make_contiguous()
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.headed.take() {
            return Ok(Some(line));
        }
        if let Some(line) = self.behind.take() {
            return Ok(Some(self.next_row(line)));
        }
        loop {
            self.skip_rest()?;
            self.buffer.clear();
            match self.read_piece(0)? {
                Some(line) if line.comment => {
                    // Among solutions, the goal of the boards is given otherwise.
                    if !self.boards && gives_goal(&line.text) {
                        return Ok(Some(line.in_goal_comment()));
                    }
                    if self.after_goal_comment && comment_row(&line.text).is_some() {
                        self.after_goal_comment = false;
                        return Ok(Some(line.in_goal_comment()));
                    }
                    let row = self.doubtful_row(line)?;
                    if row.is_some() {
                        return Ok(row);
                    }
                    if let Some(line) = self.behind.take() {
                        return Ok(Some(self.next_row(line)));
                    }
                }
                line => return Ok(line.map(|line| self.next_row(line))),
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
        let comment = before == 0
            && !self.hash_is_blank
            && begins_comment(&self.buffer, self.read, self.boards);
        let mut line = Line { comment, ..Line::new(self.read, before, bytes, ends) };
        if before == 0 && self.boards {
            line.from = quotation(&line.text);
        }
        if before == 0 && !(ends && bytes.len() <= self.longest) {
            line.too_long = Some(Box::new(self.too_long()));
        }
        if !ends {
            self.within = Some(before + line.text.chars().count());
        }
        self.buffer.drain(..length);
        Ok(Some(line))
    }

    /// Skips the unread rest of the current line.
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

    /// Reads to the end of the line, or until the buffer is full.
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

    /// Returns the fault of the line in the buffer, which is too long.
    fn too_long(&self) -> NotationError {
        let text = String::from_utf8_lossy(&self.buffer[..self.buffer.len().min(self.longest)]);
        let [message, help] = self.longer;
        Flaw::new(usize::MAX..usize::MAX, message).with_help(help).locate(&text, self.read)
    }
}

/// Returns the numbers of a comment that has nothing else, how many they are, and the total number of their letters.
fn comment_row(comment: &str) -> Option<(&str, usize, usize)> {
    let numbers = comment.trim().trim_start_matches(['#', '/', '%']);
    row_width(numbers).map(|(words, letters)| (numbers, words, letters))
}

/// Returns the number of words of a row of numbers only, and the total number of their letters.
fn row_width(text: &str) -> Option<(usize, usize)> {
    let mut width = (0, 0);
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        width = (width.0 + 1, width.1 + word.len());
    }
    (width.0 > 0).then_some(width)
}

/// Returns how many bytes of a long line to take at once: all up to the last separator between words.
fn piece(bytes: &[u8]) -> usize {
    let Some(chunk) = bytes.utf8_chunks().next() else { return 0 };
    let (text, unreadable) = (chunk.valid(), chunk.invalid().len());
    match text.char_indices().rev().find(|&(_, letter)| separates(letter)) {
        Some((at, letter)) => at + letter.len_utf8(),
        // The next piece may hold the rest of a character that is cut at the end of this one.
        None if text.len() + unreadable == bytes.len() && !text.is_empty() => text.len(),
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    #[test]
    fn long_comments_are_skipped() {
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
    fn buffered_bytes_of_a_long_line_are_bounded() {
        let vast = BufReader::new(io::repeat(b'7').take(8 << 20).chain(&b"\n1\n"[..]));
        let mut lines = Lines::new(vast);
        assert!(lines.next().unwrap().unwrap().checked().is_err());
        assert!(lines.buffer.capacity() <= 4 * LONGEST);
        assert_eq!(lines.next().unwrap().unwrap().text, "1");
    }
}
