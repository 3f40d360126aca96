//! `loyd optimize`.

use loyd::board::Board;
use loyd::notation::{MoveText, Style};
use loyd::study::Optimized;
use loyd::{CancelToken, Solver};
use loyd_api::OptimizeAnswer;
use serde_json::json;

use super::answers::{self, Printer, Said};
use crate::Status;
use crate::args::OptimizeArgs;
use crate::failure::Failure;
use crate::input::{self, Given, GivenItem};
use crate::interrupt;
use crate::units::counted;

/// Makes solutions shorter.
pub fn run(args: &OptimizeArgs) -> Result<Status, Failure> {
    let mut items = args.pair.items(args.size, args.style.read_as.notation)?;
    let solver = Solver::new(args.config())?;
    let alone = items.is_one();
    let mut printer = Printer::new(args.output, alone);
    let cancel = interrupt::token()?;
    while let Some(item) = interrupt::while_waiting(&cancel, || items.next()).flatten() {
        let GivenItem { line, given, .. } = item?;
        let said = given.and_then(|Given { board, goal, said, .. }| match said {
            input::Said::Moves(read) => {
                let board = board.ok_or_else(answers::no_board)?;
                let mut said = optimized(args, (&solver, &cancel), &board, &read)?;
                // Whoever reads the record solves the same problem.
                if let Some(goal) = goal {
                    said.record["goal"] = goal.into();
                }
                Ok(said)
            }
            input::Said::Word(word) => Ok(printer.pass_on(board.as_ref(), word)),
        });
        printer.print(line, said)?;
    }
    // Lines may be left.
    let cut = cancel.is_cancelled() && !alone;
    Ok(if cut { printer.status().max(Status::No) } else { printer.status() })
}

/// What is said of moves on a board.
fn optimized(
    args: &OptimizeArgs,
    (solver, cancel): (&Solver, &CancelToken),
    board: &Board,
    read: &MoveText,
) -> Result<Said, Failure> {
    let window = args.window.map(|window| window.get());
    let found = solver.optimize(board, &read.moves, window, cancel, None)?;
    let style = Style { notation: read.notation, runs: args.style.runs };
    let answer = OptimizeAnswer::new(board, &found, style)?;
    let (text, remark) = (answer.written.clone(), Some(remark(&found)));
    Ok(Said { text, record: json!(answer), remark })
}

/// How much shorter the moves are, and what is proved.
fn remark(found: &Optimized) -> String {
    let length = counted(found.metric, found.bounds.upper);
    let before = match found.before - found.bounds.upper {
        0 => "no fewer than before".to_owned(),
        saved => format!("{saved} fewer than before"),
    };
    match found.bounds.proved() {
        Some(_) => format!("{length}, {before}; as few as can be"),
        None => format!("{length}, {before}; at least {} are needed", found.bounds.lower),
    }
}
