//! Gives the goals of a text to its boards.
//!
//! A goal belongs to one board, the board directly before it or the board directly after it; the first pair decides
//! which for the whole text. Blank lines, comments and headings such as `Start:` may come between the two. Any other
//! heading, `Puzzle 2:`, and a line of words separates them. In a text that gives goals, a goal without a board and a
//! board without a goal are faults, because no board must be solved to a goal that was not meant for it.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::doubts::refusal;
use super::error::Flaw;
use super::input::Lines;
use super::layout::{Content, GivenGoal, Goal, Layout, Part};
use super::naming::Naming;
use super::reading::{Case, Hints};
use super::write::slashes;
use crate::board::Board;

/// Help for boards and goals that make no pair.
const HELP: &str =
    "write each goal directly behind its board, or give one goal for all boards: --goal";

/// Maximum number of lines of words between a board and its goal.
const MOST_WORDS: usize = 8;

/// Which of a board and its goal comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    BoardFirst,
    GoalFirst,
}

/// A goal, or a fault, that may belong to the next board.
#[derive(Clone, Debug)]
enum Waiting {
    Goal(Goal),
    /// The line of a heading that may be that of a goal.
    Doubt(usize),
}

/// The progress of giving goals to boards.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    order: Option<Order>,
    waiting: Option<Waiting>,
    /// Whether boards without a goal were read since the last heading that separates puzzles.
    had_board: bool,
    /// The line that leaves the order of goals and boards in doubt, until the next such heading.
    unclear: Option<usize>,
    /// Cases to return before reading on.
    ready: VecDeque<Case>,
    /// Parts that were read ahead.
    next: VecDeque<Part>,
}

impl Pairs {
    /// Reads the next board of `layout`, with its goal if the text gives one.
    pub(super) fn next<R: BufRead>(
        &mut self,
        layout: &mut Layout,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        loop {
            if let Some(case) = self.ready.pop_front() {
                return Ok(Some(case));
            }
            let size = match &self.waiting {
                Some(Waiting::Goal(goal)) => goal.size(),
                _ => None,
            };
            let near = Hints { size: size.or(hints.size), ..hints };
            let next = match self.next.pop_front() {
                None => layout.next(lines, near)?,
                part => part,
            };
            let Some(part) = next else {
                self.separate();
                return Ok(self.ready.pop_front());
            };
            if let Some(heading) = part.apart {
                let doubt = self.waiting.take_if(|waiting| matches!(waiting, Waiting::Doubt(_)));
                self.separate();
                // Under an unknown name, a board may still be that of the goal in doubt.
                self.waiting = doubt.filter(|_| heading == Naming::Unknown);
            }
            match part.content {
                Content::Board(case) if !lines.had_heading() => {
                    self.had_board |= case.board.is_ok();
                    return Ok(Some(case));
                }
                Content::Board(case) => self.board(case, layout, lines, hints)?,
                Content::Words(case) => {
                    self.separate();
                    self.ready.push_back(case);
                }
                Content::Goal(goal) => self.goal(goal),
                Content::Doubt(fault) => self.doubt(Case::fault(fault)),
            }
        }
    }

    /// Ends a puzzle: what was read so far does not belong to what follows.
    fn separate(&mut self) {
        if let Some(Waiting::Goal(goal)) = self.waiting.take() {
            self.ready.push_back(lone(&goal));
        }
        self.had_board = false;
        self.unclear = None;
    }

    /// Adds a board, with the goal before it or behind it.
    fn board<R: BufRead>(
        &mut self,
        case: Case,
        layout: &mut Layout,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<()> {
        match self.waiting.take() {
            Some(Waiting::Goal(goal)) => self.pair(case, goal, Order::GoalFirst),
            Some(Waiting::Doubt(line)) if case.board.is_ok() => {
                self.refuse(case, &format!("line {line} may give the goal of this board"));
            }
            _ if self.order != Some(Order::GoalFirst) && layout.is_goal_next(lines)? => {
                let size = case.board.as_ref().ok().map(Board::size).or(hints.size);
                let mut next = layout.next(lines, Hints { size, ..hints })?;
                // Lines of words may stand between a start and a board without a name.
                while let Some(part) = &next
                    && part.is_fault()
                    && self.next.len() < MOST_WORDS
                    && layout.is_goal_next(lines)?
                {
                    self.next.extend(next);
                    next = layout.next(lines, Hints { size, ..hints })?;
                }
                match next {
                    Some(Part { content: Content::Goal(goal), .. }) if self.next.is_empty() => {
                        self.pair(case, goal, Order::BoardFirst);
                    }
                    Some(Part { content: Content::Doubt(fault), apart }) => {
                        let line = fault.line;
                        let reason = format!("line {line} may give the goal of this board");
                        self.refuse(case, &reason);
                        self.next.push_back(Part { content: Content::Doubt(fault), apart });
                    }
                    part => {
                        self.next.extend(part);
                        self.alone(case, lines.had_goal());
                    }
                }
            }
            _ => self.alone(case, lines.had_goal()),
        }
        Ok(())
    }

    /// Adds a board without a goal.
    fn alone(&mut self, case: Case, others_have_goals: bool) {
        match self.unclear {
            Some(line) => self.refuse(case, &unclear(line)),
            None if others_have_goals => {
                self.had_board |= case.board.is_ok();
                self.refuse(
                    case,
                    "this board has no goal, and the text gives goals for other boards",
                );
            }
            None => {
                self.had_board |= case.board.is_ok();
                self.ready.push_back(case);
            }
        }
    }

    /// Adds a board and the goal next to it.
    fn pair(&mut self, mut case: Case, goal: Goal, order: Order) {
        if self.order.is_none() {
            // A faulty board may also be a line that is no board.
            let doubtful = if case.board.is_err() || self.had_board {
                Some(case.line.min(goal.line))
            } else {
                None
            };
            self.unclear = self.unclear.or(doubtful);
            self.order = if self.unclear.is_none() { Some(order) } else { None };
        }
        if let Some(line) = self.unclear {
            return self.refuse(case, &unclear(line));
        }
        match goal.read {
            Ok(GivenGoal::Board(read)) => {
                case.notes.extend(read.notes);
                case.goal = Some(read.board);
            }
            Ok(GivenGoal::Name(name)) => case.goal_text = Some(name.to_owned()),
            Err(error) => {
                case.line = case.line.min(error.line);
                case.board = case.board.and(Err(error));
            }
        }
        self.ready.push_back(case);
    }

    /// Adds a goal that no board precedes directly.
    fn goal(&mut self, goal: Goal) {
        match self.waiting.take() {
            Some(Waiting::Goal(other)) => self.ready.push_back(lone(&other)),
            // The goal may be that of the board in doubt.
            Some(Waiting::Doubt(line)) if self.order != Some(Order::GoalFirst) => {
                self.unclear = self.unclear.or(Some(line).filter(|_| self.order.is_none()));
            }
            _ => {}
        }
        if self.order.is_none() && self.had_board {
            self.unclear = self.unclear.or(Some(goal.line));
        }
        match self.order {
            Some(Order::BoardFirst) => self.ready.push_back(lone(&goal)),
            None if self.unclear.is_some() => self.ready.push_back(lone(&goal)),
            _ => self.waiting = Some(Waiting::Goal(goal)),
        }
    }

    /// Adds the fault of a board that may be a goal, or a board to solve.
    fn doubt(&mut self, fault: Case) {
        let line = fault.line;
        match self.waiting.replace(Waiting::Doubt(line)) {
            Some(Waiting::Goal(_)) if self.order.is_none() => {
                self.unclear = self.unclear.or(Some(line));
            }
            _ => {}
        }
        self.ready.push_back(fault);
    }

    /// Adds a board that is refused for this reason, unless it is faulty by itself.
    fn refuse(&mut self, mut case: Case, reason: &str) {
        if let Ok(board) = &case.board {
            case.board = Err(refusal(board, case.line, reason, HELP));
        }
        self.ready.push_back(case);
    }
}

/// Returns the reason to refuse boards and goals whose order is not clear.
fn unclear(line: usize) -> String {
    format!(
        "it is not clear which goal belongs to this board: line {line} may be without its goal or without its board"
    )
}

/// Returns the fault of a goal that belongs to no board.
fn lone(goal: &Goal) -> Case {
    let error = match &goal.read {
        Err(error) => error.clone(),
        Ok(given) => {
            let text = match given {
                GivenGoal::Board(read) => slashes(&read.board).to_string(),
                GivenGoal::Name(name) => (*name).to_owned(),
            };
            let flaw = Flaw::new(0..text.len(), "this goal has no board");
            flaw.with_help(HELP).locate(&text, goal.line)
        }
    };
    Case::fault(error)
}
