//! Commands that answer each line of moves with a line: the shared parts, `loyd apply`, `loyd invert`, `loyd simplify`
//! and `loyd optimize`.

use std::io::{self, Write};

use loyd::notation::{MoveText, Style, moves_to_string, slashes};
use loyd::study::OptimizedMoves;
use loyd::{Board, CancelToken, Goal, Solver, moves};
use loyd_api::OptimizeAnswer;
use serde_json::{Map, Value, json};

use crate::args::{ApplyArgs, InvertArgs, OptimizeArgs, Output, SimplifyArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Goals, MovesEntry, MovesItem, MovesItems, MovesOrStatus};
use crate::interrupt;
use crate::units::{self, length_text};

/// The answer to one line of the input.
pub struct Answer {
    /// Text output.
    pub text: String,
    /// JSON output, an object.
    pub record: Value,
    /// A note for standard error in text output.
    pub remark: Option<String>,
}

/// Prints answers as soon as they are known, and keeps the exit status.
pub struct Printer {
    output: Output,
    /// Whether the input is a single item, for which a failure needs no placeholder on standard output.
    single: bool,
    status: Status,
}

impl Printer {
    pub fn new(output: Output, single: bool) -> Self {
        Self { output, single, status: Status::Yes }
    }

    /// Prints the answer to the input on `line`, or its error.
    pub fn print(
        &mut self,
        line: Option<usize>,
        answer: Result<Answer, Failure>,
    ) -> Result<(), Failure> {
        let silent = answer.is_err() && self.single;
        let Answer { text, mut record, remark } = answer.unwrap_or_else(|failure| {
            self.status = Status::Bad;
            let failure = match (failure, line) {
                (Failure::Other(error), Some(line)) => error.context(format!("line {line}")).into(),
                (failure, _) => failure,
            };
            failure.print();
            let record = json!({"status": "invalid", "error": failure.to_line()});
            Answer { text: "invalid".to_owned(), record, remark: None }
        });
        if let (Some(line), Some(fields)) = (line, record.as_object_mut()) {
            fields.insert("line".to_owned(), line.into());
        }
        let mut out = io::stdout().lock();
        match self.output {
            Output::Text if silent => {}
            Output::Text => writeln!(out, "{text}")?,
            Output::Json => writeln!(out, "{record}")?,
        }
        out.flush()?;
        if let (Some(remark), Output::Text) = (remark, self.output) {
            print_note(remark);
        }
        Ok(())
    }

    /// Returns the answer for a line that has `word`, the result of a solver, instead of moves.
    pub fn forward_word(&mut self, board: Option<&Board>, word: &'static str) -> Answer {
        // `unsolvable` counts as an answer.
        let status = if word == UNSOLVABLE { Status::Yes } else { Status::No };
        self.status = self.status.max(status);
        let board = board.map(|board| slashes(board).to_string());
        Answer {
            text: word.to_owned(),
            record: json!({"board": board, "status": word}),
            remark: None,
        }
    }

    /// Returns the exit status.
    pub fn status(&self) -> Status {
        self.status
    }
}

/// Prints the result of `answer_to` for each sequence of moves, and forwards words such as `unsolvable`.
pub fn run(
    items: MovesItems,
    output: Output,
    answer_to: impl Fn(Option<&Board>, &MoveText) -> Result<Answer, Failure>,
) -> Result<Status, Failure> {
    let mut printer = Printer::new(output, items.is_one());
    for item in items {
        let MovesItem { line, entry, .. } = item?;
        let answer = entry.and_then(|MovesEntry { board, content, .. }| match content {
            MovesOrStatus::Moves(read) => answer_to(board.as_ref(), &read),
            MovesOrStatus::Status(word) => Ok(printer.forward_word(board.as_ref(), word)),
        });
        printer.print(line, answer)?;
    }
    Ok(printer.status())
}

/// The word that solvers print for a board without a solution.
pub const UNSOLVABLE: &str = "unsolvable";

/// Returns the error for moves without a board.
pub fn no_board() -> anyhow::Error {
    anyhow::anyhow!(
        "the board is missing: name it with --board, or put it and a tab in front of the moves"
    )
}

/// Returns the common fields of records of moves: the starting board if it is known, the moves of the blank and their
/// number.
pub fn record(board: Option<&Board>, moves: &[loyd::Move]) -> Map<String, Value> {
    let mut fields = Map::new();
    if let Some(board) = board {
        fields.insert("board".to_owned(), slashes(board).to_string().into());
    }
    fields.insert("moves".to_owned(), moves_to_string(moves).into());
    fields.insert("length".to_owned(), moves.len().into());
    fields
}

/// Returns the answer with moves from `board` written in `style`.
pub fn moves_answer(
    board: Option<&Board>,
    moves: &[loyd::Move],
    style: Style,
) -> Result<Answer, Failure> {
    let text = style.write(moves, board)?;
    let mut fields = record(board, moves);
    fields.insert("notation".to_owned(), style.notation.row().name.into());
    fields.insert("written".to_owned(), text.clone().into());
    Ok(Answer { text, record: fields.into(), remark: None })
}

/// Runs `loyd apply`: makes moves on a board and prints the resulting board.
pub fn apply(args: &ApplyArgs) -> Result<Status, Failure> {
    let items = args.pair.items(args.size, args.read_as.notation)?;
    run(items, args.output, |board, read| {
        let board = board.ok_or_else(no_board)?;
        let mut end = board.clone();
        end.walk(&read.moves)?;
        let text = slashes(&end).to_string();
        let mut record = record(Some(board), &read.moves);
        record.insert("notation".to_owned(), read.notation.row().name.into());
        record.insert("end".to_owned(), text.clone().into());
        Ok(Answer { text, record: record.into(), remark: None })
    })
}

/// Runs `loyd invert`: prints the moves that lead back.
pub fn invert(args: &InvertArgs) -> Result<Status, Failure> {
    let items = args.answers.items(args.style.read_as.notation)?;
    run(items, args.output, |board, read| {
        let mut end = board.cloned();
        end.as_mut().map_or(Ok(()), |board| board.walk(&read.moves))?;
        let style = Style { notation: read.notation, runs: args.style.runs };
        moves_answer(end.as_ref(), &moves::invert(&read.moves), style)
    })
}

/// Removes moves that undo each other.
pub fn simplify(args: &SimplifyArgs) -> Result<Status, Failure> {
    let items = args.answers.items(args.style.read_as.notation)?;
    run(items, args.output, |board, read| {
        let simplified = moves::simplify(&read.moves);
        let style = Style { notation: read.notation, runs: args.style.runs };
        let mut answer = moves_answer(board, &simplified, style)?;
        answer.record["length_before"] = read.moves.len().into();
        answer.remark = board
            .map(|_| format!("{}, before {}", units::moves(simplified.len()), read.moves.len()));
        Ok(answer)
    })
}

/// Shortens solutions.
pub fn optimize(args: &OptimizeArgs) -> Result<Status, Failure> {
    let items = args.pair.items(args.size, args.style.read_as.notation)?;
    let mut items = items.towards(Goals::new(None, Goal::BlankLast));
    let solver = Solver::new(args.config())?;
    let is_single = items.is_one();
    let mut printer = Printer::new(args.output, is_single);
    let cancel = interrupt::token()?;
    while let Some(item) = interrupt::while_waiting(&cancel, || items.next()).flatten() {
        let MovesItem { line, entry, .. } = item?;
        let answer = entry.and_then(|MovesEntry { board, goal, content, .. }| match content {
            MovesOrStatus::Moves(read) => {
                let board = board.ok_or_else(no_board)?;
                let mut answer = optimized_answer(args, (&solver, &cancel), &board, &read)?;
                // The record names the goal of the original problem.
                if let Some(goal) = goal {
                    answer.record["goal"] = goal.into();
                }
                Ok(answer)
            }
            MovesOrStatus::Status(word) => Ok(printer.forward_word(board.as_ref(), word)),
        });
        printer.print(line, answer)?;
    }
    // Lines of the input may be left unread.
    let cut = cancel.is_cancelled() && !is_single;
    Ok(if cut { printer.status().max(Status::No) } else { printer.status() })
}

/// Optimizes moves on a board.
fn optimized_answer(
    args: &OptimizeArgs,
    (solver, cancel): (&Solver, &CancelToken),
    board: &Board,
    read: &MoveText,
) -> Result<Answer, Failure> {
    let window = args.window.map(|window| window.get());
    let found = solver.optimize(board, &read.moves, window, cancel, None)?;
    let style = Style { notation: read.notation, runs: args.style.runs };
    let answer = OptimizeAnswer::new(board, &found, style)?;
    let (text, remark) = (answer.written.clone(), Some(remark(&found)));
    Ok(Answer { text, record: json!(answer), remark })
}

/// Describes how much shorter the moves are, and what is proved about them.
fn remark(found: &OptimizedMoves) -> String {
    let length = length_text(found.metric, found.bounds.upper);
    let before = match found.before - found.bounds.upper {
        0 => "as many as before".to_owned(),
        saved => format!("{saved} fewer than before"),
    };
    match found.bounds.exact_value() {
        Some(_) => format!("{length}, {before}; the fewest possible"),
        None => format!("{length}, {before}; at least {} are needed", found.bounds.lower),
    }
}
