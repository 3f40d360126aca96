//! `loyd hint` and `loyd review`.

use std::fmt::Write as _;

use loyd::moves::{Metric, moves_in};
use loyd::notation::{MoveText, Style};
use loyd::study::{Bounds, Hint, Review, ReviewError, Segment};
use loyd::{Board, Move, Problem, Solver};
use loyd_api::{HintAnswer, ReviewAnswer};
use serde_json::{Value, json};

use super::supervisor::{Reply, Supervisor, for_each_board, for_each_solution, goals};
use crate::args::{HintArgs, ReviewArgs};
use crate::failure::{Failure, Status};
use crate::input::Items;
use crate::units::{Table, length_text};

/// Prints the moves to play next.
pub fn hint(args: &HintArgs) -> Result<Status, Failure> {
    let file = args.file.as_deref();
    let items = Items::new(&args.board, file, &args.shared.problem)?;
    let solver = Solver::new(args.shared.config(args.metric, 1))?;
    let style = args.style.chosen_style();
    let supervisor = Supervisor::new(&args.shared, items.known_count() == Some(1))?;
    for_each_board(items, args.shared.output, &supervisor, |problem, reply| {
        let hint = supervisor.search(|cancel, observer| solver.hint(problem, cancel, observer))?;
        let text = || hint_text(problem, &hint, style);
        reply.print(text, || hint_record(problem, &hint, style))?;
        Ok(Status::Yes)
    })
}

/// Returns the text of a hint.
pub fn hint_text(problem: &Problem, hint: &Hint, style: Option<Style>) -> String {
    let report = &hint.report;
    let Some(length) = report.length() else {
        return "unsolvable: `loyd explain` shows why\n".to_owned();
    };
    if length == 0 {
        return "this is the goal\n".to_owned();
    }
    let mut text = String::new();
    let moves = moves_texts(problem.start(), &hint.best, style.unwrap_or_default());
    for (steps, moves) in hint.best.iter().zip(moves) {
        text += &format!("{moves:<4} {}\n", tiles(problem.start(), steps));
    }
    let count = |length| length_text(report.metric, length);
    text += &match report.optimal {
        true => format!("{} from there\n", count(length - 1)),
        false => best_known(report.metric, length, report.lower_bound.unwrap_or(0) as usize),
    };
    if let Some(stop) = hint.stopped.filter(|_| report.optimal) {
        text += &format!("there may be other shortest solutions: {stop}\n");
    }
    text
}

/// Returns the text on a solution that is not proved shortest.
fn best_known(metric: Metric, length: usize, least: usize) -> String {
    format!(
        "best known, {} in all; a shortest solution has at least {least}\n",
        length_text(metric, length)
    )
}

/// Describes the movement of the tiles: `tile 5 goes up`.
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

/// Returns each of `all`, sequences of moves from `board`, in notation.
fn moves_texts(board: &Board, all: &[Vec<Move>], style: Style) -> Vec<String> {
    let one = |steps: &Vec<Move>| style.write(steps, Some(board));
    all.iter().map(|steps| one(steps).expect("a hint stays on the board")).collect()
}

fn hint_record(problem: &Problem, hint: &Hint, style: Option<Style>) -> Value {
    let mut record = json!(HintAnswer::new(problem, hint));
    if let Some(style) = style {
        record["notation"] = style.notation.row().name.into();
        record["written"] = moves_texts(problem.start(), &hint.best, style).into();
    }
    record
}

/// Reports where moves were lost.
pub fn review(args: &ReviewArgs) -> Result<Status, Failure> {
    let metrics = args.metric.map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
    let items = args.pair.items(args.shared.problem.size, args.read_as.notation)?;
    let items = items.towards(goals(&args.shared));
    let mut solvers = Vec::new();
    let supervisor = Supervisor::new(&args.shared, args.pair.file.is_none())?;
    for_each_solution(items, &args.shared, &supervisor, |problem, read, reply| {
        if solvers.is_empty() {
            // One search per board along the moves.
            let boards = read.moves.len() as u64;
            for &metric in &metrics {
                let mut config = args.shared.config(metric, boards);
                // The time limit is for all metrics together.
                let time = &mut config.limits.max_time;
                *time = time.map(|time| time / metrics.len() as u32);
                solvers.push(Solver::new(config)?);
            }
        }
        let (mut status, mut best) = (Status::Bad, None);
        for solver in &solvers {
            // The status is 0 if no move was lost in at least one metric; nobody plays for both metrics at once.
            let by = (solver, &supervisor, &mut best);
            status = status.min(review_by(by, problem, read, reply)?);
        }
        Ok(status)
    })
}

/// Reviews in the metric of the solver. Updates `best`, because a solution found in another metric may also be the
/// better one in this metric.
fn review_by(
    (solver, supervisor, best): (&Solver, &Supervisor, &mut Option<Vec<Move>>),
    problem: &Problem,
    read: &MoveText,
    reply: &Reply<'_>,
) -> Result<Status, Failure> {
    let metric = solver.config().metric;
    let reviewed =
        supervisor.search(|cancel, observer| solver.review(problem, &read.moves, cancel, observer));
    let (status, text, record) = match reviewed {
        Ok(mut review) => {
            if let Some(best) = best {
                review.offer_solution(best);
            }
            *best = Some(review.best.clone());
            let status = if review.lost().upper == 0 { Status::Yes } else { Status::No };
            (
                status,
                review_text(&review, problem, read)?,
                ReviewAnswer::new(problem, &review, read.notation),
            )
        }
        // Unsolvable is an answer, not a failure.
        Err(ReviewError::Unsolvable) => {
            let text = format!("{metric}: unsolvable: `loyd explain` shows why\n");
            (Status::Yes, text, ReviewAnswer::unsolvable(problem, metric, read.notation))
        }
        Err(ReviewError::Config(error)) => return Err(error.into()),
        Err(error) => return Err(anyhow::anyhow!(error).into()),
    };
    reply.print(|| text, || json!(record))?;
    Ok(status)
}

/// Formats a distance or its bounds: `14`, `97 to 139`.
fn distance(Bounds { lower, upper }: Bounds) -> String {
    if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") }
}

/// Formats a review.
pub fn review_text(
    review: &Review,
    problem: &Problem,
    read: &MoveText,
) -> Result<String, std::fmt::Error> {
    let mut text = format!("{}: {}", review.metric, length_text(review.metric, review.length));
    if review.remaining != Bounds::exact(0) {
        write!(text, ", and the goal is {} away", distance(review.remaining))?;
    }
    let lost = review.lost();
    match (lost.exact_value(), review.shortest.exact_value()) {
        (Some(0), _) if review.remaining == Bounds::exact(0) => {
            writeln!(text, ", the fewest possible")?;
        }
        (Some(0), _) => writeln!(text, "; none was lost")?,
        (Some(lost), Some(shortest)) => {
            writeln!(text, "; {shortest} would have been enough, {lost} lost")?;
        }
        _ => {
            let Bounds { lower, upper } = review.shortest;
            writeln!(text, "; best known {upper}, at least {lower}: {} lost", distance(lost))?;
        }
    }
    if !review.segments.is_empty() {
        write!(text, "{}", table(review, problem, read))?;
    }
    let located: usize = review.segments.iter().map(Segment::lost).sum();
    if located < lost.lower {
        writeln!(text, "the location of {} more lost moves is unknown", lost.lower - located)?;
    }
    let is_news = review.shortest.upper < review.length + review.remaining.upper;
    if is_news && review.shortest.exact_value().is_none() {
        let best = style(read).write(&review.best, Some(problem.start()));
        writeln!(text, "best known: {}", best.expect(ON_BOARD))?;
    }
    Ok(text)
}

fn table(review: &Review, problem: &Problem, read: &MoveText) -> Table {
    let mut table = Table::new(3, vec!["move", "played", "instead", "goal away", "lost"]);
    let moves = moves_in(review.metric, &read.moves);
    let (mut board, mut at) = (problem.start().clone(), 0);
    for segment in &review.segments {
        let first = segment.number - 1;
        moves[at..first].iter().for_each(|steps| board.walk(steps).expect(ON_BOARD));
        at = first;
        let last = first + segment.played.len();
        let number = match segment.played.len() {
            1 => last.to_string(),
            _ => format!("{}-{last}", segment.number),
        };
        let instead = match &segment.shortcut {
            Some(way) => one_by_one(&board, way, read).join(" "),
            None => moves_texts(&board, &segment.better_moves, style(read)).join(" or "),
        };
        table.row(vec![
            number,
            one_by_one(&board, &segment.played, read).join(" "),
            instead,
            format!("{} -> {}", distance(segment.before), distance(segment.after)),
            segment.lost().to_string(),
        ]);
    }
    table
}

/// Panic message: reviewed moves are legal.
const ON_BOARD: &str = "the moves stay on the board";

/// Returns the style in which `read` was written.
fn style(read: &MoveText) -> Style {
    let notation = read.notation;
    // When several tiles are pushed at once, naming the farthest one describes the whole slide.
    Style { notation, runs: notation.row().needs_board }
}

/// Formats consecutive moves from `board`, each in the style of `read`.
fn one_by_one(board: &Board, moves: &[Vec<Move>], read: &MoveText) -> Vec<String> {
    let (mut board, mut texts) = (board.clone(), Vec::new());
    for steps in moves {
        texts.extend(moves_texts(&board, std::slice::from_ref(steps), style(read)));
        board.walk(steps).expect(ON_BOARD);
    }
    texts
}
