//! `loyd hint` and `loyd review`.

use std::fmt::Write as _;
use std::io::{self, Write};

use loyd::notation::{moves_to_string, read_answer, slashes};
use loyd::{
    Board, CancelToken, Hint, Metric, Move, Problem, Review, ReviewError, Solver, Status as Ended,
};
use serde_json::{Value, json};

use crate::Status;
use crate::args::{HintArgs, Output, ReviewArgs};
use crate::failure::{Failure, tell};
use crate::input;
use crate::table::Table;

/// Tells what to play next.
pub fn hint(args: &HintArgs) -> Result<Status, Failure> {
    let problem = input::problem(&args.board, &args.shared.problem)?;
    let solver = Solver::new(args.shared.config(args.metric, 1))?;
    let hint = solver.hint(&problem, &CancelToken::new())?;
    let mut out = io::stdout().lock();
    match args.shared.output {
        Output::Text => write!(out, "{}", in_words(&problem, &hint))?,
        Output::Json => writeln!(out, "{}", hint_record(&problem, &hint))?,
    }
    let stopped = hint.stopped.is_some() || matches!(hint.report.status, Ended::Stopped(_));
    Ok(if stopped { Status::No } else { Status::Yes })
}

fn in_words(problem: &Problem, hint: &Hint) -> String {
    let report = &hint.report;
    let Some(length) = report.length() else {
        return match report.status {
            Ended::Stopped(stop) => format!("not known: {stop}\n"),
            _ => "unsolvable: `loyd explain` tells why\n".to_owned(),
        };
    };
    if length == 0 {
        return "this is the goal\n".to_owned();
    }
    let mut text = String::new();
    for steps in &hint.best {
        text += &format!("{:<5}{}\n", moves_to_string(steps), tiles(problem.start(), steps));
    }
    let left = counted(report.metric, length - 1);
    text += &format!("{left} from there\n");
    if let Some(stop) = hint.stopped {
        text += &format!("there may be other ways: {stop}\n");
    }
    text
}

/// What the tiles do: `tile 5 goes up`.
fn tiles(board: &Board, steps: &[Move]) -> String {
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

fn counted(metric: Metric, number: usize) -> String {
    let word = match metric {
        Metric::SingleTile => "move",
        Metric::MultiTile => "slide",
    };
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

fn words(all: &[Vec<Move>]) -> Vec<String> {
    all.iter().map(|steps| moves_to_string(steps)).collect()
}

fn hint_record(problem: &Problem, hint: &Hint) -> Value {
    let report = &hint.report;
    json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "status": report.status.name(), "metric": report.metric.name(), "length": report.length(),
        "best": words(&hint.best), "complete": hint.stopped.is_none(),
        "moves": report.moves.as_deref().map(moves_to_string),
    })
}

/// Tells where moves were lost.
pub fn review(args: &ReviewArgs) -> Result<Status, Failure> {
    let problem = input::problem(std::slice::from_ref(&args.board), &args.shared.problem)?;
    let steps = read_answer(&args.moves, None, Some(problem.start()));
    let steps = steps.map_err(Failure::in_text("moves"))?.moves;
    let metrics = args.metric.map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
    let (mut status, mut out) = (Status::Yes, io::stdout().lock());
    for metric in metrics {
        let solver = Solver::new(args.shared.config(metric, steps.len() as u64))?;
        match solver.review(&problem, &steps, &CancelToken::new()) {
            Ok(review) => {
                let whole = review.lost() == 0 && review.left == 0;
                status = status.max(if whole { Status::Yes } else { Status::No });
                match args.shared.output {
                    Output::Text => write!(out, "{}", review_text(&review)?)?,
                    Output::Json => writeln!(out, "{}", review_record(&problem, &review))?,
                }
            }
            Err(stopped @ ReviewError::Stopped { .. }) => {
                tell(format_args!("{metric}: {stopped}"));
                status = status.max(Status::No);
            }
            Err(ReviewError::Config(error)) => return Err(error.into()),
            Err(error) => return Err(anyhow::anyhow!(error).into()),
        }
    }
    Ok(status)
}

fn review_text(review: &Review) -> Result<String, std::fmt::Error> {
    let mut text = format!("{}: ", review.metric);
    let played = counted(review.metric, review.length);
    if review.left > 0 {
        write!(text, "{played}, and the goal is {} away", review.left)?;
    } else {
        write!(text, "{played}")?;
    }
    match (review.lost(), review.left) {
        (0, 0) => writeln!(text, ", as few as can be")?,
        (0, _) => writeln!(text, "; none was lost")?,
        (lost, _) => writeln!(text, "; {} would have been enough, {lost} lost", review.shortest)?,
    }
    if review.stretches.is_empty() {
        return Ok(text);
    }
    let heading = vec!["move", "played", "instead", "goal away", "lost"];
    let mut table = Table::new(3, heading);
    for stretch in &review.stretches {
        let last = stretch.number + stretch.played.len() - 1;
        let number = match last == stretch.number {
            true => last.to_string(),
            false => format!("{}-{last}", stretch.number),
        };
        table.row(vec![
            number,
            words(&stretch.played).join(" "),
            words(&stretch.instead).join(" or "),
            format!("{} -> {}", stretch.before, stretch.after),
            stretch.lost().to_string(),
        ]);
    }
    write!(text, "{table}")?;
    Ok(text)
}

fn review_record(problem: &Problem, review: &Review) -> Value {
    let stretch = |stretch: &loyd::Stretch| {
        json!({
            "number": stretch.number, "played": words(&stretch.played), "before": stretch.before,
            "after": stretch.after, "lost": stretch.lost(), "instead": words(&stretch.instead),
        })
    };
    json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "metric": review.metric.name(), "length": review.length, "shortest": review.shortest,
        "left": review.left, "lost": review.lost(),
        "stretches": review.stretches.iter().map(stretch).collect::<Vec<_>>(),
    })
}
