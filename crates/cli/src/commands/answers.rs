//! What commands that answer line by line share.

use std::io::{self, Write};

use loyd::Board;
use loyd::notation::{MoveText, Style, moves_to_string, slashes};
use serde_json::{Map, Value, json};

use crate::Status;
use crate::args::Output;
use crate::failure::{Failure, tell};
use crate::input::{self, Given, GivenItem, GivenItems, in_a_line};

/// What is said about one line of the input.
pub struct Said {
    /// The answer for people.
    pub text: String,
    /// The answer for machines: an object.
    pub record: Value,
    /// What is told on standard error, if people are told.
    pub remark: Option<String>,
}

/// Prints what was said about lines, each as soon as it is known.
pub struct Printer {
    output: Output,
    /// Whether one thing was asked for, so that nothing has to stand in place of the answer.
    alone: bool,
    status: Status,
}

impl Printer {
    pub fn new(output: Output, alone: bool) -> Self {
        Self { output, alone, status: Status::Yes }
    }

    /// Prints what was said about the input on `line`, or what is wrong with it.
    pub fn print(
        &mut self,
        line: Option<usize>,
        said: Result<Said, Failure>,
    ) -> Result<(), Failure> {
        let silent = said.is_err() && self.alone;
        let Said { text, mut record, remark } = said.unwrap_or_else(|failure| {
            self.status = Status::Bad;
            let failure = match (failure, line) {
                (Failure::Other(error), Some(line)) => error.context(format!("line {line}")).into(),
                (failure, _) => failure,
            };
            failure.print();
            let record = json!({"status": "invalid", "error": in_a_line(&failure)});
            Said { text: "invalid".to_owned(), record, remark: None }
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
            tell(remark);
        }
        Ok(())
    }

    /// What is said where there are no moves.
    pub fn pass_on(&mut self, board: Option<&Board>, word: &'static str) -> Said {
        // That is an answer.
        let status = if word == UNSOLVABLE { Status::Yes } else { Status::No };
        self.status = self.status.max(status);
        let board = board.map(|board| slashes(board).to_string());
        Said {
            text: word.to_owned(),
            record: json!({"board": board, "status": word}),
            remark: None,
        }
    }

    /// The exit status.
    pub fn status(&self) -> Status {
        self.status
    }
}

/// Says something about all moves that were given. Where a solver has found none, its word is passed on.
pub fn run(
    items: GivenItems,
    output: Output,
    say: impl Fn(Option<&Board>, &MoveText) -> Result<Said, Failure>,
) -> Result<Status, Failure> {
    let mut printer = Printer::new(output, items.is_one());
    for item in items {
        let GivenItem { line, given, .. } = item?;
        let said = given.and_then(|Given { board, said, .. }| match said {
            input::Said::Moves(read) => say(board.as_ref(), &read),
            input::Said::Word(word) => Ok(printer.pass_on(board.as_ref(), word)),
        });
        printer.print(line, said)?;
    }
    Ok(printer.status())
}

/// What a solver says of a board that has no solution.
pub const UNSOLVABLE: &str = "unsolvable";

/// The failure of moves without a board.
pub fn no_board() -> anyhow::Error {
    anyhow::anyhow!(
        "the board is missing: name it with --board, or put it and a tab in front of the moves"
    )
}

/// What every record of moves has: the board on which it begins, if that is known, the moves of the
/// blank and their number.
pub fn record(board: Option<&Board>, moves: &[loyd::Move]) -> Map<String, Value> {
    let mut fields = Map::new();
    if let Some(board) = board {
        fields.insert("board".to_owned(), slashes(board).to_string().into());
    }
    fields.insert("moves".to_owned(), moves_to_string(moves).into());
    fields.insert("length".to_owned(), moves.len().into());
    fields
}

/// The moves from `board` as they are to be written, and the record with them.
pub fn written(board: Option<&Board>, moves: &[loyd::Move], style: Style) -> Result<Said, Failure> {
    let text = style.write(moves, board)?;
    let mut fields = record(board, moves);
    fields.insert("notation".to_owned(), style.notation.row().name.into());
    fields.insert("written".to_owned(), text.clone().into());
    Ok(Said { text, record: fields.into(), remark: None })
}
