//! The layout of the boards in a file, which [`Format::Auto`] detects from the first lines.

use std::io::{self, BufRead};

use super::columns::Header;
use super::doubts::{HEADER, doubtful, gives_goal, is_header, is_usual_goal, refusal, unnamed};
use super::error::{Flaw, NotationError};
use super::format::Format;
use super::grid::{Rows, is_step_next};
use super::input::{Line, Lines};
use super::line_formats::{self, KorfOrder};
use super::naming::Naming;
use super::reading::{BoardText, Case, Hints};
use super::records::Pending;
use super::signs::{is_ornament, is_quote, is_words};
use super::sized::{self, Sides, body, sides};
use super::write::slashes;
use super::{pddl, tokens};
use crate::board::Board;
use crate::goal::GOALS;
use crate::quote::quote;
use crate::size::Size;

/// A board, or the board under the heading of a goal.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The meaning of the heading that separates it from other puzzles, if there is one, such as `Puzzle 2:`.
    pub(super) apart: Option<Naming>,
    pub(super) content: Content,
}

impl Part {
    /// Returns whether it is a line that is no board.
    pub(super) fn is_fault(&self) -> bool {
        match &self.content {
            Content::Words(_) => true,
            Content::Board(case) => case.board.is_err(),
            Content::Goal(_) | Content::Doubt(_) => false,
        }
    }
}

/// The meaning of the heading of a board, if it has one.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A board to solve, or its fault.
    Board(Case),
    /// The fault of a line of words, which is no board.
    Words(Case),
    /// A goal.
    Goal(Goal),
    /// The fault of a board whose heading leaves in doubt whether it is a goal.
    Doubt(NotationError),
}

/// A goal of a text.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// The line of its heading.
    pub(super) line: usize,
    pub(super) read: Result<GivenGoal, NotationError>,
}

/// A goal, as a text gives it.
#[derive(Clone, Debug)]
pub(super) enum GivenGoal {
    Board(BoardText),
    /// The name of a goal.
    Name(&'static str),
}

impl Goal {
    /// Returns the size of the goal, if it is a board.
    pub(super) fn size(&self) -> Option<Size> {
        match &self.read {
            Ok(GivenGoal::Board(read)) => Some(read.board.size()),
            _ => None,
        }
    }
}

/// A layout, and the progress of reading a file in it.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The form of one board.
    pub(super) format: Format,
    /// Lines before the boards.
    pub(super) preamble: Preamble,
    /// The size of all boards, if the layout determines it.
    pub(super) size: Option<Size>,
    /// The columns, for [`Format::Csv`].
    pub(super) header: Option<Header>,
    /// The text that was read ahead for the next board, for [`Format::Json`].
    pub(super) pending: Pending,
    has_started: bool,
    /// The order of words, for [`Format::Korf`].
    order: Option<KorfOrder>,
    /// Number of boards so far.
    boards: usize,
    sides: Option<Sides>,
    /// The line with the number of boards.
    count_line: Option<Line>,
    /// The progress in the rows of boards, for [`Format::Grid`].
    pub(super) rows: Rows,
    /// The size of the last board that could be read.
    last: Option<Size>,
    /// The line of the last board.
    last_line: usize,
    /// The name of the last board, if it is that of a start: a board with an unknown name, or none, may be its goal.
    last_name: Option<Naming>,
    /// The line between records that may give the goal of all of them.
    goal_line: Option<usize>,
}

/// Lines before the boards of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Preamble {
    #[default]
    Nothing,
    /// A line with the size of all boards.
    Size,
    /// A line with its size before each board.
    Sizes,
    /// A line with the number of boards.
    Count(Option<usize>),
    /// A line with the number of boards, and before each board a line with its size.
    CountAndSizes(Option<usize>),
}

impl Layout {
    pub(super) fn new(format: Format, preamble: Preamble) -> Self {
        Self {
            format,
            preamble,
            size: None,
            header: None,
            pending: Pending::default(),
            has_started: false,
            order: None,
            boards: 0,
            sides: None,
            count_line: None,
            rows: Rows::new(preamble == Preamble::Nothing),
            last: None,
            last_line: 1,
            last_name: None,
            goal_line: None,
        }
    }

    /// Returns the same layout for boards of `size`.
    pub(super) fn of_size(self, size: Size) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Reads the next board or goal of `lines`.
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Part>> {
        let hints = Hints { size: hints.size.or(self.size), ..hints };
        let first = !std::mem::replace(&mut self.has_started, true);
        let (mut apart, mut last, mut name) = (None, self.last_name, None);
        if first && let Some(fault) = self.preamble(lines, hints)? {
            return Ok(Some(Part { apart, content: Content::Board(fault) }));
        }
        if self.preamble == Preamble::Nothing
            && let Format::Auto | Format::Lines = self.format
            && let Some(line) = lines.next_filled_or_heading()?
        {
            // By far the most common lines need not be stored for a second look.
            let is_plain = line.heading.is_none() && last != Some(Naming::Start);
            if is_plain && !(lines.had_heading() && line.is_rule()) {
                let case = self.line(&line, lines, hints);
                return Ok(Some(self.part(None, false, case)));
            }
            lines.put_back(line);
        }
        if self.has_headings() && !self.rows.is_waiting() {
            self.rows.end_block(lines)?;
            while let Some(heading) = next_heading(lines)? {
                let Some(line) = lines.next()? else { break };
                last = self.last_name.take();
                match heading {
                    Naming::Start | Naming::Board => {}
                    Naming::Numbered | Naming::Unknown => apart = Some(heading),
                    Naming::Goal => {
                        let content = Content::Goal(self.goal(&line, lines, hints, first)?);
                        return Ok(Some(Part { apart, content }));
                    }
                    Naming::Doubtful => {
                        if !is_heading_next(lines)? {
                            self.one(lines, hints, first)?;
                        }
                        return Ok(Some(Part { apart, content: Content::Doubt(doubtful(&line)) }));
                    }
                }
                name = Some((heading, line));
            }
        }
        if let Some(case) = self.count_is_over(lines)? {
            return Ok(case.map(|case| Part { apart, content: Content::Board(case) }));
        }
        let Some(case) = self.one(lines, hints, first)? else {
            return Ok(self.too_few().map(|case| Part { apart, content: Content::Board(case) }));
        };
        self.last_name = None;
        if let Ok(board) = &case.board {
            let doubt = match &name {
                Some((Naming::Unknown, heading))
                    if last.is_some() || is_usual_goal(board) && self.has_others(lines)? =>
                {
                    Some(doubtful(heading))
                }
                None if last == Some(Naming::Start) => Some(unnamed(board, case.line)),
                _ => None,
            };
            if let Some(fault) = doubt {
                return Ok(Some(Part { apart, content: Content::Doubt(fault) }));
            }
        }
        let name = name.map(|(naming, _)| naming);
        let name = name.filter(|naming| matches!(naming, Naming::Start | Naming::Board));
        // A line of words is not the end of a puzzle.
        self.last_name = match (name, &case.board) {
            (_, Ok(_)) => name,
            (None, Err(_)) => last,
            (Some(_), Err(_)) => None,
        };
        Ok(Some(self.part(apart, name.is_some(), case)))
    }

    /// Returns whether the text has more than the board read last.
    fn has_others<R: BufRead>(&self, lines: &mut Lines<R>) -> io::Result<bool> {
        Ok(self.boards > 0 || lines.peek(0)?.is_some())
    }

    /// Counts a board. `is_named` is whether it is under the heading of a board.
    fn part(&mut self, apart: Option<Naming>, is_named: bool, case: Case) -> Part {
        self.boards += 1;
        self.last = case.board.as_ref().ok().map(Board::size).or(self.last);
        self.last_line = case.line;
        let content = match &case.board {
            Err(error) if !is_named && is_words(&error.source) => Content::Words(case),
            _ => Content::Board(case),
        };
        Part { apart, content }
    }

    /// Returns whether headings between the boards have a meaning.
    fn has_headings(&self) -> bool {
        match self.format {
            Format::Auto
            | Format::Lines
            | Format::Counted
            | Format::Grid
            | Format::Sized
            | Format::Korf => true,
            Format::Tokens | Format::ThreeLines | Format::Positions => false,
            Format::Csv | Format::Json | Format::Pddl => false,
        }
    }

    /// Returns whether the next line, but for blank ones, may be that of a goal.
    pub(super) fn is_goal_next<R: BufRead>(&self, lines: &mut Lines<R>) -> io::Result<bool> {
        let follows_start = self.last_name == Some(Naming::Start);
        if !self.has_headings() || self.rows.is_waiting() {
            return Ok(follows_start);
        }
        Ok(match next_heading(lines)? {
            Some(Naming::Goal | Naming::Doubtful | Naming::Unknown) => true,
            Some(_) => false,
            None => follows_start && lines.peek(0)?.is_some(),
        })
    }

    /// Reads the goal under a heading: a board, or a name on the same line.
    fn goal<R: BufRead>(
        &mut self,
        heading: &Line,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
        first: bool,
    ) -> io::Result<Goal> {
        let text = &heading.text[heading.from..];
        let sign = text.find([':', '=']).filter(|_| !heading.has_board);
        let name = sign.map_or("", |sign| text[sign + 1..].trim_matches(is_around_name));
        let name = if name.contains(char::is_alphanumeric) { name } else { "" };
        let start = heading.from;
        let end = heading.text.trim_end().len().max(start);
        let read =
            if let Some(row) = GOALS.iter().find(|row| row.name.eq_ignore_ascii_case(name)) {
                Ok(GivenGoal::Name(row.name))
            } else if !name.is_empty() {
                let names = GOALS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
                let flaw = Flaw::new(start..end, format!("{} is not a goal", quote(name)));
                Err(heading.locate(flaw.with_help(format!("write a board, or a name: {names}"))))
            } else if is_heading_next(lines)? {
                let flaw = Flaw::new(start..end, "there is no goal under this heading");
                Err(heading.locate(flaw.with_help("write a board or the name of a goal behind it")))
            } else {
                match self.one(lines, hints, first)? {
                    Some(Case { board: Ok(board), notes, .. }) => {
                        Ok(GivenGoal::Board(BoardText { board, notes }))
                    }
                    Some(Case { board: Err(error), .. }) => Err(error),
                    None => Err(heading
                        .locate(Flaw::new(start..end, "there is no goal under this heading"))),
                }
            };
        Ok(Goal { line: heading.number, read })
    }

    /// Reads the lines before the first board. Returns their fault, if they have one.
    fn preamble<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        match &mut self.preamble {
            Preamble::Count(count) | Preamble::CountAndSizes(count) => {
                let Some(line) = lines.next_filled()? else { return Ok(None) };
                *count = line.text.trim().parse().ok();
                self.count_line = Some(line.clone());
                let flaw =
                    || Flaw::new(0..line.text.len(), "the number of boards is expected here");
                Ok(count.is_none().then(|| Case::fault(line.locate(flaw()))))
            }
            Preamble::Size => {
                let Some(line) = lines.next_filled()? else { return Ok(None) };
                match sides(&line, hints) {
                    Ok(found) => self.sides = Some(found),
                    Err(error) => return Ok(Some(Case::fault(error))),
                }
                Ok(None)
            }
            Preamble::Nothing | Preamble::Sizes => Ok(None),
        }
    }

    /// Ends a file after as many boards as its first line gives, or returns the fault that it has more or fewer.
    #[expect(clippy::option_option, reason = "no answer, the end, or a fault")]
    fn count_is_over<R: BufRead>(&self, lines: &mut Lines<R>) -> io::Result<Option<Option<Case>>> {
        let (Preamble::Count(Some(count)) | Preamble::CountAndSizes(Some(count))) = self.preamble
        else {
            return Ok(None);
        };
        if self.boards < count {
            return Ok(None);
        }
        let Some(line) = lines.next_filled()? else { return Ok(Some(None)) };
        if self.boards > count {
            return Ok(Some(None));
        }
        let message =
            format!("the first line gives the number of boards, {count}, and there are more");
        Ok(Some(Some(Case::fault(line.locate(Flaw::new(0..line.text.len(), message))))))
    }

    /// Returns once the fault of a file that has fewer boards than its first line gives.
    fn too_few(&mut self) -> Option<Case> {
        let (Preamble::Count(Some(count)) | Preamble::CountAndSizes(Some(count))) = self.preamble
        else {
            return None;
        };
        let line = self.count_line.take().filter(|_| self.boards < count)?;
        let message = format!(
            "the first line gives the number of boards, {count}, and there {}",
            match self.boards {
                1 => "is 1".to_owned(),
                boards => format!("are {boards}"),
            }
        );
        Some(Case::fault(Flaw::new(0..0, message).locate("", self.last_line.max(line.number))))
    }

    /// Reads one board.
    fn one<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
        first: bool,
    ) -> io::Result<Option<Case>> {
        match self.preamble {
            Preamble::Size if self.sides.is_some() => {
                return body(lines, self.sides.expect("the arm checks it"), false, hints);
            }
            Preamble::Size | Preamble::Sizes | Preamble::CountAndSizes(_) => {
                let Some(line) = lines.next_filled()? else { return Ok(None) };
                return match sides(&line, hints) {
                    Ok(found) => {
                        let missing = || {
                            line.locate(Flaw::new(
                                0..line.text.len(),
                                "the board of this size is missing",
                            ))
                        };
                        let case = body(lines, found, true, hints)?;
                        Ok(Some(case.unwrap_or_else(|| Case::fault(missing()))))
                    }
                    Err(error) => Ok(Some(Case::fault(error))),
                };
            }
            Preamble::Nothing | Preamble::Count(_) => {}
        }
        match self.format {
            Format::Auto | Format::Lines | Format::Counted => {
                Ok(lines.next_filled()?.map(|line| self.line(&line, lines, hints)))
            }
            Format::Grid => self.rows.next(lines, hints),
            Format::Tokens => tokens::next(lines, hints, self.size.is_some()),
            Format::ThreeLines => line_formats::next_three_lines(lines, hints, first),
            Format::Korf => Ok(lines
                .next_filled()?
                .map(|line| line_formats::read_korf(&line, hints, &mut self.order))),
            Format::Sized => {
                body(lines, Sides::of_size(hints.size.unwrap_or(Size::EIGHT)), false, hints)
            }
            Format::Positions => sized::next_positions(lines, hints),
            Format::Csv => Ok(self.row(lines, hints)?.map(|case| self.record(case))),
            Format::Json => Ok(self.pending.next(lines, hints)?.map(|case| self.record(case))),
            Format::Pddl => pddl::next(lines),
        }
    }

    /// Refuses a record behind a line that may give the goal of all records.
    fn record(&mut self, mut case: Case) -> Case {
        match (&case.board, self.goal_line) {
            (Ok(board), Some(line)) => {
                let message = format!("line {line} may give the goal of this board");
                let help = "give the goal in each record, or for all: --goal";
                case.board = Err(refusal(board, case.line, &message, help));
            }
            (Err(error), None) if gives_goal(error) => self.goal_line = Some(case.line),
            _ => {}
        }
        case
    }

    /// Reads the board on a line.
    fn line<R: BufRead>(&self, line: &Line, lines: &mut Lines<R>, hints: Hints<'_>) -> Case {
        let mut case = line_formats::read_line(line, hints);
        if hints.size.is_none()
            && line_formats::is_four_tiles(line, &case)
            && let Ok(board) = &case.board
            && line_formats::is_doubtful(board, self.last, lines.ahead())
        {
            let flaw = Flaw::new(line.from..line.text.trim_end().len(), line_formats::DOUBTFUL);
            let rows = slashes(board);
            let flaw = flaw.with_help(format!("write its rows, {rows}, or leave it out"));
            case.board = Err(line.locate(flaw));
        }
        let text = &line.text[line.from..];
        if case.board.as_ref().is_ok_and(|board| is_header(text, board))
            && self.boards == 0
            && !lines.ahead().is_empty()
        {
            let flaw = Flaw::new(line.from..line.text.trim_end().len(), HEADER);
            case.board = Err(line.locate(flaw.with_help("write numbers, or leave it out")));
        }
        case
    }

    /// Reads a line of columns, first the header if it has not been read yet.
    fn row<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        if self.header.is_none() {
            let Some(line) = lines.next_filled()? else { return Ok(None) };
            self.header = Header::of(&line);
            if self.header.is_none() {
                let flaw = Flaw::new(0..line.text.len(), "no column is named `board`");
                return Ok(Some(Case::fault(line.locate(flaw))));
            }
        }
        self.header.as_ref().map_or(Ok(None), |header| header.next(lines, hints))
    }

    /// Returns the name of the layout for `--input`.
    pub(super) fn input_name(&self) -> Format {
        match self.preamble {
            Preamble::Count(_) | Preamble::CountAndSizes(_) => Format::Counted,
            Preamble::Size | Preamble::Sizes => Format::Sized,
            Preamble::Nothing if self.format == Format::Sized => Format::Tokens,
            Preamble::Nothing => self.format,
        }
    }

    /// Returns a note for the user on a layout that is not obvious.
    pub(super) fn note(&self, size: Option<Size>) -> Option<String> {
        let size = size.map_or_else(String::new, |size| format!("{size} "));
        Some(match (self.preamble, self.format) {
            (Preamble::Size, _) => format!("read as {size}boards after a line with their size"),
            (Preamble::Sizes, _) => "read as boards that follow a line with their size".to_owned(),
            (Preamble::Count(_) | Preamble::CountAndSizes(_), _) => {
                "read the first line as the number of boards".to_owned()
            }
            (_, Format::Csv) => self.header.as_ref()?.note(),
            (_, Format::Korf) => {
                "read each line as a published instance, whose goal is blank-first: name, length of a shortest solution if given, tiles"
                    .to_owned()
            }
            (_, Format::Sized) => format!("read as {size}boards with one tile on each line"),
            (_, Format::Tokens) => format!("read as {size}boards, several on a line"),
            _ => return None,
        })
    }
}

/// Returns whether `letter` may surround the name of a goal.
fn is_around_name(letter: char) -> bool {
    is_ornament(letter) || is_quote(letter) || matches!(letter, '.' | ',' | ';')
}

/// Returns the heading on the next line, but for blank ones and numbers of steps, which are skipped.
fn next_heading<R: BufRead>(lines: &mut Lines<R>) -> io::Result<Option<Naming>> {
    while let Some(line) = lines.peek(0)? {
        if line.heading.is_some() {
            return Ok(line.heading);
        }
        let is_skipped = line.is_blank() || line.is_rule() && !line.begins_frame();
        if !is_skipped && !is_step_next(lines)? {
            return Ok(None);
        }
        lines.next()?;
    }
    Ok(None)
}

/// Returns whether no board comes before the next heading or the end.
fn is_heading_next<R: BufRead>(lines: &mut Lines<R>) -> io::Result<bool> {
    Ok(next_heading(lines)?.is_some() || lines.peek(0)?.is_none())
}
