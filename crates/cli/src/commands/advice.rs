//! `loyd hint` and `loyd review`.

use std::fmt::Write as _;

use loyd::moves::{Metric, moves_in};
use loyd::notation::{Format, MoveText, Style, moves_to_string, slashes};
use loyd::search::Stop;
use loyd::study::{Hint, Review, ReviewError, Segment};
use loyd::{Board, CancelToken, Move, Problem, Solver};
use serde_json::{Value, json};

use super::each::{each, each_solution};
use crate::Status;
use crate::args::{HintArgs, ReviewArgs};
use crate::failure::Failure;
use crate::input::Items;
use crate::table::Table;
use crate::units::counted;

/// Tells what to play next.
pub fn hint(args: &HintArgs) -> Result<Status, Failure> {
    let file = args.file.as_deref();
    let items = Items::new(&args.board, file, Format::Auto, &args.shared.problem)?;
    let solver = Solver::new(args.shared.config(args.metric, 1))?;
    let style = args.style.asked();
    each(items, args.shared.output, |problem| {
        let hint = solver.hint(problem, &CancelToken::new())?;
        let text = || in_words(problem, &hint, style);
        args.shared.output.print(text, || hint_record(problem, &hint, style))?;
        Ok(if hint.stopped.is_some() { Status::No } else { Status::Yes })
    })
}

fn in_words(problem: &Problem, hint: &Hint, style: Option<Style>) -> String {
    let report = &hint.report;
    let Some(length) = report.length() else { return unanswered(hint.stopped) + "\n" };
    if length == 0 {
        return "this is the goal\n".to_owned();
    }
    let mut text = String::new();
    let moves = written(problem.start(), &hint.best, style.unwrap_or_default());
    for (steps, moves) in hint.best.iter().zip(moves) {
        text += &format!("{moves:<4} {}\n", tiles(problem.start(), steps));
    }
    let left = counted(report.metric, length - 1);
    text += &format!("{left} from there\n");
    if let Some(stop) = hint.stopped {
        text += &format!("there may be other ways: {stop}\n");
    }
    text
}

/// Why nothing can be said: a limit was reached, or there is no solution.
fn unanswered(stopped: Option<Stop>) -> String {
    match stopped {
        Some(stop) => format!("not known: {stop}"),
        None => "unsolvable: `loyd explain` tells why".to_owned(),
    }
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

fn words(all: &[Vec<Move>]) -> Vec<String> {
    all.iter().map(|steps| moves_to_string(steps)).collect()
}

/// Moves that begin on `board`, each by itself.
fn written(board: &Board, all: &[Vec<Move>], style: Style) -> Vec<String> {
    let one = |steps: &Vec<Move>| style.write(steps, Some(board));
    all.iter().map(|steps| one(steps).expect("a hint stays on the board")).collect()
}

fn hint_record(problem: &Problem, hint: &Hint, style: Option<Style>) -> Value {
    let report = &hint.report;
    let mut record = json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "status": report.status.name(), "metric": report.metric.name(), "length": report.length(),
        "best": words(&hint.best), "complete": hint.stopped.is_none(),
        "stopped_by": hint.stopped.map(Stop::name),
        "moves": report.moves.as_deref().map(moves_to_string),
    });
    if let Some(style) = style {
        record["notation"] = style.notation.row().name.into();
        record["written"] = written(problem.start(), &hint.best, style).into();
    }
    record
}

/// Tells where moves were lost.
pub fn review(args: &ReviewArgs) -> Result<Status, Failure> {
    let metrics = args.metric.map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
    let items = args.pair.items(args.shared.problem.size, args.read_as.notation)?;
    each_solution(items, &args.shared, |problem, read| {
        let mut status = Status::Yes;
        for &metric in &metrics {
            status = status.max(review_in(metric, args, problem, read)?);
        }
        Ok(status)
    })
}

/// The same in one metric.
fn review_in(
    metric: Metric,
    args: &ReviewArgs,
    problem: &Problem,
    read: &MoveText,
) -> Result<Status, Failure> {
    let solver = Solver::new(args.shared.config(metric, read.moves.len() as u64))?;
    let (status, text, record) = match solver.review(problem, &read.moves, &CancelToken::new()) {
        Ok(review) => {
            let status = if review.lost() == 0 { Status::Yes } else { Status::No };
            (status, review_text(&review, problem, read)?, review_record(problem, &review))
        }
        Err(error @ ReviewError::Stopped { stop, .. }) => {
            (Status::No, format!("{metric}: {error}\n"), no_review(metric, problem, Some(stop)))
        }
        // That is an answer.
        Err(ReviewError::Unsolvable) => {
            let text = format!("{metric}: {}\n", unanswered(None));
            (Status::Yes, text, no_review(metric, problem, None))
        }
        Err(ReviewError::Config(error)) => return Err(error.into()),
        Err(error) => return Err(anyhow::anyhow!(error).into()),
    };
    args.shared.output.print(|| text, || record)?;
    Ok(status)
}

/// The record of a solution that there is nothing to compare with.
fn no_review(metric: Metric, problem: &Problem, stopped: Option<Stop>) -> Value {
    json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "metric": metric.name(), "status": if stopped.is_some() { "stopped" } else { "unsolvable" },
        "stopped_by": stopped.map(Stop::name),
    })
}

fn review_text(
    review: &Review,
    problem: &Problem,
    read: &MoveText,
) -> Result<String, std::fmt::Error> {
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
    if review.segments.is_empty() {
        return Ok(text);
    }
    let heading = vec!["move", "played", "instead", "goal away", "lost"];
    let mut table = Table::new(3, heading);
    for segment in &review.segments {
        let last = segment.number + segment.played.len() - 1;
        let number = match last == segment.number {
            true => last.to_string(),
            false => format!("{}-{last}", segment.number),
        };
        let [played, instead] = in_notation(review.metric, segment, problem, read);
        table.row(vec![
            number,
            played.join(" "),
            instead.join(" or "),
            format!("{} -> {}", segment.before, segment.after),
            segment.lost().to_string(),
        ]);
    }
    write!(text, "{table}")?;
    Ok(text)
}

/// What is true of a solution that is reviewed.
const ON_BOARD: &str = "the solution stays on the board";

/// What was played and what would have been better, written as it was read.
fn in_notation(
    metric: Metric,
    segment: &Segment,
    problem: &Problem,
    read: &MoveText,
) -> [Vec<String>; 2] {
    let notation = read.notation;
    // Of tiles that are pushed at once, the farthest tells the whole slide.
    let style = Style { notation, runs: notation.row().needs_board };
    let before = moves_in(metric, &read.moves)[..segment.number - 1].concat();
    let mut board = problem.start().clone();
    board.walk(&before).expect(ON_BOARD);
    let instead = written(&board, &segment.instead, style);
    let mut played = Vec::new();
    for steps in &segment.played {
        played.extend(written(&board, std::slice::from_ref(steps), style));
        board.walk(steps).expect(ON_BOARD);
    }
    [played, instead]
}

fn review_record(problem: &Problem, review: &Review) -> Value {
    let segment = |segment: &Segment| {
        json!({
            "number": segment.number, "played": words(&segment.played), "before": segment.before,
            "after": segment.after, "lost": segment.lost(), "instead": words(&segment.instead),
        })
    };
    json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "metric": review.metric.name(), "status": "solved", "length": review.length, "shortest": review.shortest,
        "left": review.left, "lost": review.lost(),
        "segments": review.segments.iter().map(segment).collect::<Vec<_>>(),
    })
}
