//! The layout of the boards in a file, which [`Format::Auto`] detects from the first lines.

use std::io::{self, BufRead};

use super::columns::Header;
use super::error::{Flaw, NotationError};
use super::format::Format;
use super::heading::Heading;
use super::input::{Line, Lines};
use super::line_formats::{self, KorfOrder};
use super::reading::{Case, Hints};
use super::records::Pending;
use super::sized::{self, Sides, body, sides};
use super::write::slashes;
use super::{grid, pddl, tokens};
use crate::board::Board;
use crate::size::Size;

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
    /// Number of boards so far that have no goal.
    without_goal: usize,
    sides: Option<Sides>,
    /// The line with the number of boards.
    count_line: Option<Line>,
    /// The size of the last board.
    last: Option<Size>,
    /// The line of the last board.
    last_line: usize,
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
            without_goal: 0,
            sides: None,
            count_line: None,
            last: None,
            last_line: 1,
        }
    }

    /// Returns the same layout for boards of `size`.
    pub(super) fn of_size(self, size: Size) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Reads the next board of `lines`, with its goal if a heading announces one.
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        let hints = Hints { size: hints.size.or(self.size), ..hints };
        let first = !std::mem::replace(&mut self.has_started, true);
        if first && let Some(fault) = self.preamble(lines, hints)? {
            return Ok(Some(fault));
        }
        if lines.has_headings() {
            skip_steps(lines)?;
        }
        let goal = match lines.has_headings() && is_goal_next(lines)? {
            true => self.one(lines, hints, first)?,
            false => None,
        };
        if let Some(case) = self.count_is_over(lines)? {
            return Ok(case);
        }
        let size = |case: &Case| case.board.as_ref().ok().map(Board::size);
        let known = goal.as_ref().and_then(size).or(hints.size);
        let mut case = match (self.one(lines, Hints { size: known, ..hints }, first)?, &goal) {
            (Some(case), _) => case,
            (None, None) => return Ok(self.too_few()),
            (None, Some(goal)) => return Ok(Some(Case::fault(lone_goal(goal)))),
        };
        self.boards += 1;
        self.last = size(&case);
        self.last_line = case.line;
        let own = match lines.has_headings() && is_goal_next(lines)? {
            true => {
                let size = size(&case).or(hints.size);
                self.one(lines, Hints { size, ..hints }, false)?
            }
            false => None,
        };
        match goal.or(own).map(|goal| goal.board) {
            Some(Ok(goal)) => {
                case.goal = Some(goal);
                if self.without_goal > 0 {
                    let message = "read the goal as that of this board alone";
                    case.notes.push(message.into());
                }
            }
            Some(Err(error)) => case.board = case.board.and(Err(error)),
            None => self.without_goal += 1,
        }
        Ok(Some(case))
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
                return body(lines, self.sides.expect("the arm checks it"), hints);
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
                        let case = body(lines, found, hints)?;
                        Ok(Some(case.unwrap_or_else(|| Case::fault(missing()))))
                    }
                    Err(error) => Ok(Some(Case::fault(error))),
                };
            }
            Preamble::Nothing | Preamble::Count(_) => {}
        }
        match self.format {
            Format::Auto | Format::Lines | Format::Counted => {
                Ok(lines.next_filled()?.map(|line| line_formats::read_line(&line, hints)))
            }
            Format::Grid => grid::next(lines, hints, self.last.map(|last| (last, self.last_line))),
            Format::Tokens => tokens::next(lines, hints, self.size.is_some()),
            Format::ThreeLines => line_formats::next_three_lines(lines, hints, first),
            Format::Korf => Ok(lines
                .next_filled()?
                .map(|line| line_formats::read_korf(&line, hints, &mut self.order))),
            Format::Sized => body(lines, Sides::of_size(hints.size.unwrap_or(Size::EIGHT)), hints),
            Format::Positions => sized::next_positions(lines, hints),
            Format::Csv => self.row(lines, hints),
            Format::Json => self.pending.next(lines, hints),
            Format::Pddl => pddl::next(lines),
        }
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

/// Returns the fault of a goal that belongs to no board.
fn lone_goal(goal: &Case) -> NotationError {
    let text =
        goal.board.as_ref().map_or_else(|_| String::new(), |board| slashes(board).to_string());
    let flaw = Flaw::new(0..text.len(), "this goal has no board");
    flaw.with_help("write the board to solve before it").locate(&text, goal.line)
}

/// Skips the step numbers before drawn boards, as printed by `loyd solve --output grid`.
fn skip_steps<R: BufRead>(lines: &mut Lines<R>) -> io::Result<()> {
    loop {
        while lines
            .peek(0)?
            .is_some_and(|line| line.heading.is_none() && line.is_blank() && !line.is_rule())
        {
            lines.next()?;
        }
        let is_step = lines.peek(0)?.is_some_and(|line| is_step(&line.text));
        if !(is_step && lines.peek(1)?.is_some_and(|line| line.begins_frame())) {
            return Ok(());
        }
        lines.next()?;
    }
}

/// Returns whether a line has a step number and the moves of the step.
pub(super) fn is_step(text: &str) -> bool {
    let (number, moves) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    number.parse::<u32>().is_ok() && moves.chars().all(|letter| "udlr".contains(letter))
}

/// Returns whether the next heading, if only blank lines precede it, is that of a goal. Skips it if so.
fn is_goal_next<R: BufRead>(lines: &mut Lines<R>) -> io::Result<bool> {
    while let Some(line) = lines.peek(0)? {
        match line.heading {
            Some(Heading::Goal) => {
                lines.next()?;
                return Ok(true);
            }
            Some(Heading::Start) => return Ok(false),
            None if line.is_blank() || line.is_rule() => {
                lines.next()?;
            }
            None => return Ok(false),
        }
    }
    Ok(false)
}
