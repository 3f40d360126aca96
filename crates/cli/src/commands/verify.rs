//! `loyd verify`.

use loyd::moves::Metric;
use loyd::notation::{MoveText, slashes};
use loyd::study::{Bounds, Verification, WentWrong};
use loyd::{Problem, Solver};
use serde_json::json;

use super::each::{Attended, each_solution};
use crate::Status;
use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::units::{counted, moves};

/// Tells whether moves solve a board.
pub fn run(args: &VerifyArgs) -> Result<Status, Failure> {
    let items = args.pair.items(args.shared.problem.size, args.read_as.notation)?;
    let solver = Solver::new(args.shared.config(args.metric, 1))?;
    let attended = Attended::new(&args.shared, args.pair.file.is_none())?;
    each_solution(items.unchecked(), &args.shared, &attended, |problem, read, asked| {
        let mut found = attended
            .search(|cancel, observer| solver.verify(problem, &read.moves, cancel, observer))?;
        if read.apply_to(problem.start()).is_err() && !is_illegal(&found) {
            // What was read ends before a tile that cannot move.
            found.went_wrong = Some(WentWrong::Illegal { number: read.moves.len() + 1 });
        }
        let text = || text(problem, read, &found, args.metric) + "\n";
        asked.print(text, || record(problem, &found))?;
        Ok(if found.is_solution() { Status::Yes } else { Status::No })
    })
}

fn is_illegal(found: &Verification) -> bool {
    matches!(found.went_wrong, Some(WentWrong::Illegal { .. }))
}

fn text(problem: &Problem, read: &MoveText, found: &Verification, metric: Metric) -> String {
    let verdict = match &found.went_wrong {
        None => format!("a solution in {}", counted(metric, found.length)),
        Some(wrong) => format!("not a solution: {}", describe(wrong, found, problem, read)),
    };
    let shortest = match found.bounds {
        None => "the board cannot be solved: `loyd explain` tells why".to_owned(),
        Some(bounds) if found.is_solution() => compared(bounds, found, metric),
        Some(bounds) => match bounds.proved() {
            Some(least) => format!("a shortest solution has {}", counted(metric, least)),
            None => {
                format!("best known {}, at least {}", counted(metric, bounds.upper), bounds.lower)
            }
        },
    };
    format!("{verdict}\n{shortest}")
}

/// What is said of a solution beside the best one known.
fn compared(bounds: Bounds, found: &Verification, metric: Metric) -> String {
    let Bounds { lower, upper } = bounds;
    let suffice = if upper == 1 { "suffices" } else { "suffice" };
    match (found.is_shortest(), bounds.proved()) {
        (Some(true), _) => "shortest: yes".to_owned(),
        (Some(false), proved) => {
            let least = proved.map_or(format!("; at least {lower} are needed"), |_| String::new());
            format!("shortest: no, {} {suffice}{least}", counted(metric, upper))
        }
        (None, _) => {
            format!("shortest: not known; at least {} are needed", counted(metric, lower))
        }
    }
}

/// Wrong cells that are named.
const SHOWN: usize = 8;

fn describe(wrong: &WentWrong, found: &Verification, problem: &Problem, read: &MoveText) -> String {
    let end = slashes(&found.end);
    match wrong {
        WentWrong::Illegal { number } => {
            let error = read.apply_to(problem.start()).expect_err("a move was found impossible");
            let (word, message) = (&error.source[error.span], &error.message);
            let then = match number {
                1 => String::new(),
                _ => format!("\nthe board was then {end}"),
            };
            format!("move {number} ({word}): {message}{then}")
        }
        WentWrong::NotAtGoal { wrong, passed_goal_after } => {
            let cells: Vec<String> =
                wrong.iter().take(SHOWN).map(|cell| cell.to_string()).collect();
            let (s, more) = match wrong.len() {
                1 => ("", String::new()),
                0..=SHOWN => ("s", String::new()),
                number => ("s", format!(" and {} more", number - SHOWN)),
            };
            let passed = match passed_goal_after {
                Some(number) => format!("\nthe goal was reached after {} and left", moves(*number)),
                None => String::new(),
            };
            format!("it ends at {end}, wrong on cell{s} {}{more}{passed}", cells.join(", "))
        }
    }
}

fn record(problem: &Problem, found: &Verification) -> serde_json::Value {
    let illegal_move = match &found.went_wrong {
        Some(WentWrong::Illegal { number }) => Some(*number),
        _ => None,
    };
    json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "solution": found.is_solution(), "length": found.length, "shortest": found.shortest(),
        "best_known": found.bounds.map(|bounds| bounds.upper),
        "lower_bound": found.bounds.map(|bounds| bounds.lower),
        "is_shortest": found.is_shortest(), "illegal_move": illegal_move,
        "end": slashes(&found.end).to_string(),
    })
}
