//! `loyd hint`.

use loyd::moves::Metric;
use loyd::notation::{Format, Style};
use loyd::study::Hint;
use loyd::{Board, Move, Problem, Solver};
use loyd_api::HintAnswer;
use serde_json::{Value, json};

use super::each::{Attended, each};
use crate::Status;
use crate::args::HintArgs;
use crate::failure::Failure;
use crate::input::Items;
use crate::units::counted;

/// Tells what to play next.
pub fn run(args: &HintArgs) -> Result<Status, Failure> {
    let file = args.file.as_deref();
    let items = Items::new(&args.board, file, Format::Auto, &args.shared.problem)?;
    let solver = Solver::new(args.shared.config(args.metric, 1))?;
    let style = args.style.asked();
    let attended = Attended::new(&args.shared, items.known_count() == Some(1))?;
    each(items, args.shared.output, &attended, |problem, asked| {
        let hint = attended.search(|cancel, observer| solver.hint(problem, cancel, observer))?;
        let text = || in_words(problem, &hint, style);
        asked.print(text, || record(problem, &hint, style))?;
        Ok(Status::Yes)
    })
}

/// What to play next.
pub fn in_words(problem: &Problem, hint: &Hint, style: Option<Style>) -> String {
    let report = &hint.report;
    let Some(length) = report.length() else {
        return "unsolvable: `loyd explain` tells why\n".to_owned();
    };
    if length == 0 {
        return "this is the goal\n".to_owned();
    }
    let mut text = String::new();
    let moves = written(problem.start(), &hint.best, style.unwrap_or_default());
    for (steps, moves) in hint.best.iter().zip(moves) {
        text += &format!("{moves:<4} {}\n", tiles(problem.start(), steps));
    }
    let count = |length| counted(report.metric, length);
    text += &match report.optimal {
        true => format!("{} from there\n", count(length - 1)),
        false => best_known(report.metric, length, report.lower_bound.unwrap_or(0) as usize),
    };
    if let Some(stop) = hint.stopped {
        text += &format!("there may be other ways: {stop}\n");
    }
    text
}

/// What is said of a solution that is not proved to be shortest.
fn best_known(metric: Metric, length: usize, least: usize) -> String {
    format!(
        "best known, {} in all; a shortest solution has at least {least}\n",
        counted(metric, length)
    )
}

/// What the tiles do: `tile 5 goes up`.
pub fn tiles(board: &Board, steps: &[Move]) -> String {
    let (mut board, mut moved) = (board.clone(), Vec::new());
    for &step in steps {
        let blank = board.blank();
        if board.apply(step).is_ok() {
            moved.push(board.tiles()[blank.index()].to_string());
        }
    }
    let direction = match steps.first() {
        Some(Move::Up) => "down",
        Some(Move::Left) => "right",
        Some(Move::Right) => "left",
        _ => "up",
    };
    let (s, go) = if moved.len() == 1 { ("", "goes") } else { ("s", "go") };
    format!("tile{s} {} {go} {direction}", moved.join(", "))
}

/// Moves that begin on `board`, each by itself.
pub fn written(board: &Board, all: &[Vec<Move>], style: Style) -> Vec<String> {
    let one = |steps: &Vec<Move>| style.write(steps, Some(board));
    all.iter().map(|steps| one(steps).expect("a hint stays on the board")).collect()
}

fn record(problem: &Problem, hint: &Hint, style: Option<Style>) -> Value {
    let mut record = json!(HintAnswer::new(problem, hint));
    if let Some(style) = style {
        record["notation"] = style.notation.row().name.into();
        record["written"] = written(problem.start(), &hint.best, style).into();
    }
    record
}
