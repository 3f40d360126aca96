//! `loyd explain`.

use std::fmt::Write as _;
use std::io::{self, Write};

use loyd::board::{Solvability, Tile, Verdict};
use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::notation::grid;
use loyd::search::DistanceMatrix;
use loyd::study::{Bounds, Explanation};
use loyd::{Problem, Size, Solver};
use loyd_api::ExplainAnswer;
use serde_json::json;

use super::supervisor::{Supervisor, for_each_board};
use crate::args::ExplainArgs;
use crate::failure::{Failure, Status};
use crate::input::{self, Items};
use crate::units::with_commas;

/// Maximum number of inversions listed; the rest is only counted.
const MAX_LISTED: usize = 40;

/// Explains a board, or prints the distances between its cells.
pub fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    if args.matrix {
        let matrix = DistanceMatrix::manhattan(matrix_size(args)?);
        write!(io::stdout().lock(), "{matrix}")?;
        return Ok(Status::Yes);
    }
    let file = args.file.as_deref();
    let items = Items::new(&args.board, file, &args.shared.problem)?;
    let solver = Solver::new(args.shared.config(Metric::SingleTile, 1))?;
    let supervisor = Supervisor::new(&args.shared, items.known_count() == Some(1))?;
    for_each_board(items, args.shared.output, &supervisor, |problem, reply| {
        let explanation =
            supervisor.search(|cancel, observer| solver.explain(problem, cancel, observer))?;
        let text = text(problem, &explanation)?;
        reply.print(|| text, || json!(ExplainAnswer::new(problem, &explanation)))?;
        Ok(Status::Yes)
    })
}

fn matrix_size(args: &ExplainArgs) -> Result<Size, Failure> {
    match args.board.as_slice() {
        [] => Ok(args.shared.problem.size.unwrap_or(Size::EIGHT)),
        words => Ok(input::board(words, args.shared.problem.size)?.size()),
    }
}

/// Returns the text that explains whether and why a board is solvable, and its distance from the goal.
pub fn text(problem: &Problem, explanation: &Explanation) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let solvability = &explanation.solvability;
    writeln!(text, "{}", grid(problem.start()).to_string().trim_end())?;
    writeln!(text, "goal        {}", problem.goal_text())?;
    writeln!(text, "solvable    {}", if solvability.is_solvable() { "yes" } else { "no" })?;
    if let Some(goals) = problem.solvable_goals().filter(|goals| !goals.is_empty()) {
        writeln!(text, "can reach   {}", goals.join(", "))?;
    }
    writeln!(text, "\n{}", why(problem, solvability))?;
    for estimate in &explanation.estimates {
        let name = estimate.heuristic.name;
        match estimate.value {
            Ok(Some(value)) => writeln!(text, "{name:<20}{value:>4}")?,
            Ok(None) => writeln!(text, "{name:<20}none: the board cannot be solved")?,
            Err(stop) => writeln!(text, "{name:<20}not known: {stop}")?,
        }
    }
    if !solvability.size.is_searchable() {
        let most = Size::MAX_SEARCH_CELLS;
        writeln!(text, "Other heuristics take boards of at most {most} cells.")?;
    }
    match explanation.bounds() {
        None => writeln!(text, "{:<20}none: the board cannot be solved", "true distance")?,
        Some(Bounds { lower, upper }) if lower == upper => {
            writeln!(text, "{:<20}{lower:>4}", "true distance")?;
        }
        Some(bounds @ Bounds { lower, .. }) => {
            writeln!(text, "true distance       not known within the limits")?;
            writeln!(text, "{:<20}{lower:>4}", "at least")?;
            if let Some(upper) = bounds.best_known() {
                writeln!(text, "{:<20}{upper:>4}", "best known")?;
            }
        }
    }
    Ok(text)
}

fn pairs(pairs: &[(Tile, Tile)]) -> String {
    if pairs.is_empty() {
        return "none".to_owned();
    }
    let mut words: Vec<String> = pairs
        .iter()
        .take(MAX_LISTED)
        .map(|(first, later)| format!("{first} before {later}"))
        .collect();
    if pairs.len() > MAX_LISTED {
        words.push(format!("and {} more", pairs.len() - MAX_LISTED));
    }
    words.join(", ")
}

fn parity(number: usize) -> &'static str {
    if number.is_multiple_of(2) { "even" } else { "odd" }
}

fn order(board: &loyd::Board) -> String {
    let tiles = board.tiles().iter().filter(|tile| !tile.is_blank());
    tiles.map(Tile::to_string).collect::<Vec<_>>().join(" ")
}

fn why(problem: &Problem, solvability: &Solvability) -> String {
    let Solvability { size, inversions, inversion_count, blank_rows, repair_swap, verdict } =
        solvability;
    if let Some(tiles) =
        problem.partial_goal().map(PartialGoal::dont_care_tiles).filter(|free| free.len() > 1)
        && !size.is_line()
    {
        let tiles: Vec<String> = tiles.iter().map(Tile::to_string).collect();
        return format!(
            "Tiles {} are interchangeable, so every board can be solved.\n",
            tiles.join(", ")
        );
    }
    if size.is_line() {
        return line_reasons(problem, *verdict, *repair_swap);
    }
    let count = *inversion_count as usize;
    let listed = match inversions.len() == count {
        true => pairs(inversions),
        false => format!("{} pairs, too many to list", with_commas(*inversion_count)),
    };
    let mut text = format!(
        "Pairs of tiles in the wrong order for the goal (the blank does not count):\n  {listed}\n"
    );
    text += &if size.width() % 2 == 1 {
        format!(
            "That makes {count}, {}. On a board {} wide, no move changes odd to even or even to odd,\n\
             and the goal has 0.\n",
            parity(count),
            size.width()
        )
    } else {
        let sum = count + blank_rows;
        format!(
            "That makes {count}, and the blank is {blank_rows} {} from its goal row: {sum}, {}.\n\
             On a board {} wide, no move changes this sum from odd to even or from even to odd,\n\
             and the goal has 0.\n",
            if *blank_rows == 1 { "row" } else { "rows" },
            parity(sum),
            size.width()
        )
    };
    if let Some((a, b)) = repair_swap {
        text += &format!("Swapping tiles {a} and {b} would make the board solvable.\n");
    }
    text
}

fn line_reasons(problem: &Problem, verdict: Verdict, repair_swap: Option<(Tile, Tile)>) -> String {
    let have = order(problem.start());
    let want = match problem.partial_goal() {
        Some(part) => part.to_string(),
        None => order(problem.goal()),
    };
    let mut text =
        "In a single line, tiles cannot pass each other, so their order never changes.\n"
            .to_owned();
    text += &if verdict == Verdict::Solvable {
        format!("It is {have}, as in the goal.\n")
    } else {
        format!("It is {have}, but the goal has {want}.\n")
    };
    if let Some((a, b)) = repair_swap {
        text += &format!("Swapping tiles {a} and {b} would make the board solvable.\n");
    }
    text
}
