//! `loyd review`.

use std::fmt::Write as _;

use loyd::moves::{Metric, moves_in};
use loyd::notation::{MoveText, Style};
use loyd::study::{Bounds, Review, ReviewError, Segment};
use loyd::{Board, Move, Problem, Solver};
use loyd_api::ReviewAnswer;
use serde_json::json;

use super::each::{Asked, Attended, each_solution};
use super::hint::written;
use crate::Status;
use crate::args::ReviewArgs;
use crate::failure::Failure;
use crate::table::Table;
use crate::units::counted;

/// Tells where moves were lost.
pub fn run(args: &ReviewArgs) -> Result<Status, Failure> {
    let metrics = args.metric.map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
    let items = args.pair.items(args.shared.problem.size, args.read_as.notation)?;
    let mut solvers = Vec::new();
    let attended = Attended::new(&args.shared, args.pair.file.is_none())?;
    each_solution(items, &args.shared, &attended, |problem, read, asked| {
        if solvers.is_empty() {
            // There is a search for each board on the way.
            let boards = read.moves.len() as u64;
            for &metric in &metrics {
                let mut config = args.shared.config(metric, boards);
                // The time is for all that is done for a board.
                let time = &mut config.limits.max_time;
                *time = time.map(|time| time / metrics.len() as u32);
                solvers.push(Solver::new(config)?);
            }
        }
        let (mut status, mut best) = (Status::Bad, None);
        for solver in &solvers {
            // Nobody plays for both metrics at once.
            let by = (solver, &attended, &mut best);
            status = status.min(review_by(by, problem, read, asked)?);
        }
        Ok(status)
    })
}

/// The same in the metric of the solver. The `best` solution found in another metric may be better than its own.
fn review_by(
    (solver, attended, best): (&Solver, &Attended, &mut Option<Vec<Move>>),
    problem: &Problem,
    read: &MoveText,
    asked: &Asked<'_>,
) -> Result<Status, Failure> {
    let metric = solver.config().metric;
    let reviewed =
        attended.search(|cancel, observer| solver.review(problem, &read.moves, cancel, observer));
    let (status, text, record) = match reviewed {
        Ok(mut review) => {
            if let Some(best) = best {
                review.takes(best);
            }
            *best = Some(review.best.clone());
            let status = if review.lost().upper == 0 { Status::Yes } else { Status::No };
            (status, text(&review, problem, read)?, ReviewAnswer::new(problem, &review))
        }
        // That is an answer.
        Err(ReviewError::Unsolvable) => {
            let text = format!("{metric}: unsolvable: `loyd explain` tells why\n");
            (Status::Yes, text, ReviewAnswer::unsolvable(problem, metric))
        }
        Err(ReviewError::Config(error)) => return Err(error.into()),
        Err(error) => return Err(anyhow::anyhow!(error).into()),
    };
    asked.print(|| text, || json!(record))?;
    Ok(status)
}

/// A distance, or its bounds: `14`, `97 to 139`.
fn distance(Bounds { lower, upper }: Bounds) -> String {
    if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") }
}

/// Where moves were lost.
pub fn text(
    review: &Review,
    problem: &Problem,
    read: &MoveText,
) -> Result<String, std::fmt::Error> {
    let mut text = format!("{}: {}", review.metric, counted(review.metric, review.length));
    if review.left != Bounds::exact(0) {
        write!(text, ", and the goal is {} away", distance(review.left))?;
    }
    let lost = review.lost();
    match (lost.proved(), review.shortest.proved()) {
        (Some(0), _) if review.left == Bounds::exact(0) => writeln!(text, ", as few as can be")?,
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
    let told: usize = review.segments.iter().map(Segment::lost).sum();
    if told < lost.lower {
        writeln!(text, "where {} more were lost is not known", lost.lower - told)?;
    }
    let is_news = review.shortest.upper < review.length + review.left.upper;
    if is_news && review.shortest.proved().is_none() {
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
            None => written(&board, &segment.instead, style(read)).join(" or "),
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

/// What is true of moves that are reviewed.
const ON_BOARD: &str = "the moves stay on the board";

/// How moves were written that were read.
fn style(read: &MoveText) -> Style {
    let notation = read.notation;
    // Of tiles that are pushed at once, the farthest tells the whole slide.
    Style { notation, runs: notation.row().needs_board }
}

/// Moves one after the other from `board`, written as they were read.
fn one_by_one(board: &Board, moves: &[Vec<Move>], read: &MoveText) -> Vec<String> {
    let (mut board, mut texts) = (board.clone(), Vec::new());
    for steps in moves {
        texts.extend(written(&board, std::slice::from_ref(steps), style(read)));
        board.walk(steps).expect(ON_BOARD);
    }
    texts
}
