//! `loyd verify` and `loyd filter-optimal`: whether solutions are shortest.

use std::io::{self, Write};

use anyhow::anyhow;
use loyd::moves::Metric;
use loyd::notation::{Cases, Format, MoveText, moves_to_string, parse_board, slashes};
use loyd::study::{Bounds, InvalidSolution, Verification};
use loyd::{Board, Goal, Problem, Size, Solver};
use serde_json::{Value, json};

use super::answers::{UNSOLVABLE, no_board};
use super::supervisor::{Supervisor, can_be_solved, for_each_solution, goals};
use super::verify_certificate::verify_certificate;
use crate::args::{FilterArgs, Output, VerifyArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::{
    Goals, Length, MovesEntry, MovesItem, MovesItems, MovesOrStatus, length_in_record,
};
use crate::units::{length_text, moves};

/// Reports whether moves solve a board, and whether they are shortest.
pub fn verify(args: &VerifyArgs) -> Result<Status, Failure> {
    if let Some(path) = &args.certificate {
        return verify_certificate(args, path);
    }
    let items = args.pair.items(args.shared.problem.size, args.read_as.notation)?;
    let items = items.towards(goals(&args.shared));
    let solver = Solver::new(args.shared.config(args.metric, 1))?;
    let supervisor = Supervisor::new(&args.shared, args.pair.file.is_none())?;
    for_each_solution(items.without_checks(), &args.shared, &supervisor, |problem, read, reply| {
        let mut found = supervisor
            .search(|cancel, observer| solver.verify(problem, &read.moves, cancel, observer))?;
        if read.apply_to(problem.start()).is_err() && !is_illegal(&found) {
            // Parsing stopped at a tile that cannot move: the first illegal move is the one after those read.
            found.fault = Some(InvalidSolution::Illegal { number: read.moves.len() + 1 });
        }
        let text = || verdict_text(problem, read, &found, args.metric) + "\n";
        reply.print(text, || verdict_record(problem, read, &found))?;
        Ok(if found.is_solution() { Status::Yes } else { Status::No })
    })
}

fn is_illegal(found: &Verification) -> bool {
    matches!(found.fault, Some(InvalidSolution::Illegal { .. }))
}

fn verdict_text(
    problem: &Problem,
    read: &MoveText,
    found: &Verification,
    metric: Metric,
) -> String {
    let verdict = match &found.fault {
        None => format!("a solution in {}", length_text(metric, found.length)),
        Some(wrong) => format!("not a solution: {}", describe(wrong, found, problem, read)),
    };
    let shortest = match found.bounds {
        None => "the board cannot be solved: `loyd explain` shows why".to_owned(),
        Some(bounds) if found.is_solution() => comparison(bounds, found, metric),
        Some(bounds) => match bounds.exact_value() {
            Some(least) => format!("a shortest solution has {}", length_text(metric, least)),
            None => {
                let best = bounds.best_known().map(|best| length_text(metric, best));
                let best = best.map_or(String::new(), |best| format!("best known {best}, "));
                format!("{best}at least {}", bounds.lower)
            }
        },
    };
    format!("{verdict}\n{shortest}")
}

/// Compares a solution with the best one known.
fn comparison(bounds: Bounds, found: &Verification, metric: Metric) -> String {
    let Bounds { lower, upper } = bounds;
    let suffice = if upper == 1 { "suffices" } else { "suffice" };
    match (found.is_shortest(), bounds.exact_value()) {
        (Some(true), _) => "shortest: yes".to_owned(),
        (Some(false), proved) => {
            let least = proved.map_or(format!("; at least {lower} are needed"), |_| String::new());
            format!("shortest: no, {} {suffice}{least}", length_text(metric, upper))
        }
        (None, _) => {
            format!("shortest: unknown; at least {} are needed", length_text(metric, lower))
        }
    }
}

/// Maximum number of wrong cells listed.
const SHOWN: usize = 8;

fn describe(
    wrong: &InvalidSolution,
    found: &Verification,
    problem: &Problem,
    read: &MoveText,
) -> String {
    let end = slashes(&found.end);
    match wrong {
        InvalidSolution::Illegal { number } => {
            let error = read.apply_to(problem.start()).expect_err("a move was found impossible");
            let (word, message) = (&error.source[error.span], &error.message);
            let then = match number {
                1 => String::new(),
                _ => format!("\nthe board was then {end}"),
            };
            format!("move {number} ({word}): {message}{then}")
        }
        InvalidSolution::NotAtGoal { wrong, passed_goal_after } => {
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

fn verdict_record(problem: &Problem, read: &MoveText, found: &Verification) -> Value {
    let illegal_move = match &found.fault {
        Some(InvalidSolution::Illegal { number }) => Some(*number),
        _ => None,
    };
    json!({
        "board": slashes(problem.start()).to_string(), "goal": problem.goal_text(),
        "notation": read.notation.row().name, "solution": found.is_solution(), "length": found.length, "shortest": found.shortest(),
        "best_known": found.bounds.and_then(Bounds::best_known),
        "lower_bound": found.bounds.map(|bounds| bounds.lower),
        "is_shortest": found.is_shortest(), "illegal_move": illegal_move,
        "end": slashes(&found.end).to_string(),
    })
}

/// A claim of the input: the length of a shortest solution of a board.
struct Claim {
    problem: Problem,
    length: usize,
    /// The moves, or `None` if the input has only their number.
    moves: Option<MoveText>,
}

/// The result of checking a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Shortest,
    Longer,
    /// The moves do not solve the board, or no solution is as short as the number.
    Wrong,
    Unknown,
}

impl Verdict {
    /// Returns the name for records.
    fn name(self) -> &'static str {
        match self {
            Self::Shortest => "shortest",
            Self::Longer => "longer",
            Self::Wrong => "wrong",
            Self::Unknown => "unknown",
        }
    }
}

/// Prints the lines whose solutions are proved shortest, or those with the requested verdicts.
pub fn filter(args: &FilterArgs) -> Result<Status, Failure> {
    let FilterArgs { file, board, metric, read_as, shared, .. } = args;
    let size = shared.problem.size;
    let items = MovesItems::new(&[], file.as_deref(), board.as_deref(), size, read_as.notation)?;
    let solver = Solver::new(shared.config(*metric, 1))?;
    let goals = |default| Goals::new(shared.problem.goal.clone(), default);
    let (own, korf) = (goals(Goal::BlankLast), goals(Goal::BlankFirst));
    let supervisor = Supervisor::new(shared, false)?;
    let mut filter =
        Filter { args, solver, supervisor: &supervisor, goals: own, korf, counts: [0; 4] };
    let mut items = items.without_checks().towards(goals(Goal::BlankLast));
    let (mut status, mut last) = (Status::Yes, None);
    while let Some(item) = supervisor.next(&mut items) {
        let item = item?;
        // All solutions of a record have the same length, so the first one suffices.
        if item.line.is_some() && std::mem::replace(&mut last, item.line) == item.line {
            continue;
        }
        status = status.max(filter.line(item)?);
    }
    if args.shared.output == Output::Text {
        let [shortest, longer, wrong, unknown] = filter.counts;
        print_note(format_args!(
            "{shortest} shortest, {longer} longer, {wrong} wrong, {unknown} unknown"
        ));
    }
    Ok(supervisor.exit_status(status))
}

struct Filter<'a> {
    args: &'a FilterArgs,
    solver: Solver,
    supervisor: &'a Supervisor,
    goals: Goals,
    /// The goals of lines in korf format.
    korf: Goals,
    /// Number of claims with each verdict.
    counts: [usize; 4],
}

impl Filter<'_> {
    /// Checks a line and prints it if its verdict is requested; prints its error if it is invalid.
    fn line(&mut self, item: MovesItem) -> Result<Status, Failure> {
        let (line, text) = (item.line, item.text.clone());
        let decided = match self.claim(item) {
            Ok(Ok(claim)) => self.decide(&claim).map(|decided| (claim, decided)),
            Ok(Err(word)) => {
                if self.args.shared.output == Output::Json {
                    writeln!(io::stdout().lock(), "{}", json!({"status": word, "line": line}))?;
                }
                return Ok(if word == UNSOLVABLE { Status::Yes } else { Status::No });
            }
            Err(failure) => Err(failure),
        };
        let (claim, (verdict, bounds)) = match decided {
            Ok(decided) => decided,
            Err(failure) => {
                let failure = match (failure, line) {
                    (Failure::Other(error), Some(line)) => {
                        error.context(format!("line {line}")).into()
                    }
                    (failure, _) => failure,
                };
                failure.print();
                if self.args.shared.output == Output::Json {
                    let error = failure.to_line();
                    let record = json!({"status": "invalid", "error": error, "line": line});
                    writeln!(io::stdout().lock(), "{record}")?;
                }
                return Ok(Status::Bad);
            }
        };
        self.counts[verdict as usize] += 1;
        if self.is_requested(verdict) {
            match self.args.shared.output {
                Output::Text => writeln!(io::stdout().lock(), "{text}")?,
                Output::Json => {
                    let record = self.record(&claim, verdict, bounds, line);
                    writeln!(io::stdout().lock(), "{record}")?;
                }
            }
        }
        Ok(if verdict == Verdict::Unknown { Status::No } else { Status::Yes })
    }

    fn is_requested(&self, verdict: Verdict) -> bool {
        let FilterArgs { not, unknown, .. } = *self.args;
        match verdict {
            Verdict::Shortest => !not && !unknown,
            Verdict::Longer | Verdict::Wrong => not || self.prints_all(),
            Verdict::Unknown => unknown || self.prints_all(),
        }
    }

    /// Returns whether all lines are printed: JSON records include the verdict.
    fn prints_all(&self) -> bool {
        let FilterArgs { not, unknown, .. } = *self.args;
        self.args.shared.output == Output::Json && !not && !unknown
    }

    /// Returns the claim of a line, or the word that it has instead of moves.
    fn claim(&mut self, item: MovesItem) -> Result<Result<Claim, &'static str>, Failure> {
        let MovesItem { line, entry, text } = item;
        let size = self.args.shared.problem.size;
        if let Some(Length { board, goal, length, metric }) = length_in_record(&text, size) {
            if let Some(metric) = metric.filter(|metric| metric != self.args.metric.name()) {
                return Err(anyhow!("the length is in {metric}: use --metric {metric}").into());
            }
            let board = board.map_err(Failure::in_text("board"));
            let problem = self.goals.problem_of_record(board, goal.as_deref())??;
            return Ok(Ok(Claim { problem, length, moves: None }));
        }
        if let Some((board, number)) = text.split_once('\t')
            && let Ok(length) = number.trim().parse()
        {
            let board = parse_board(board, size).map_err(|mut error| {
                error.line = line.unwrap_or(error.line);
                Failure::in_text("board")(error)
            });
            let problem = self.goals.problem_of(board, None)??;
            return Ok(Ok(Claim { problem, length, moves: None }));
        }
        let MovesEntry { board, goal, content, .. } = match entry {
            Ok(entry) if entry.board.is_some() => entry,
            entry => match korf_line(&text, size) {
                Some((board, length)) => {
                    let problem = self.korf.problem(board, None)?;
                    return Ok(Ok(Claim { problem, length, moves: None }));
                }
                None => entry?,
            },
        };
        let read = match content {
            MovesOrStatus::Status(word) => {
                if let (UNSOLVABLE, Some(board)) = (word, board) {
                    let problem = self.goals.problem_of_record(Ok(board), goal.as_deref())??;
                    if can_be_solved(&problem) {
                        return Err(anyhow!("not unsolvable: the board can be solved").into());
                    }
                }
                return Ok(Err(word));
            }
            MovesOrStatus::Moves(read) => read,
        };
        let board = board.ok_or_else(no_board)?;
        let problem = self.goals.problem_of_record(Ok(board), goal.as_deref())??;
        let length = self.args.metric.length(&read.moves);
        Ok(Ok(Claim { problem, length, moves: Some(read) }))
    }

    /// Searches until the verdict is known or a limit is reached.
    fn decide(&self, claim: &Claim) -> Result<(Verdict, Option<Bounds>), Failure> {
        let Claim { problem, length, moves } = claim;
        if moves.as_ref().is_some_and(|moves| !solves(problem, moves)) {
            return Ok((Verdict::Wrong, None));
        }
        // The given moves are an upper bound.
        let given = if moves.is_some() { *length } else { usize::MAX };
        let verdict = |bounds: Bounds| match bounds {
            Bounds { lower, .. } if lower > *length => Verdict::Wrong,
            Bounds { upper, .. } if upper < *length => Verdict::Longer,
            Bounds { lower, upper } if lower == *length && upper.min(given) == *length => {
                Verdict::Shortest
            }
            _ => Verdict::Unknown,
        };
        let enough = |bounds| verdict(bounds) != Verdict::Unknown;
        let bounds = self
            .supervisor
            .search(|cancel, observer| self.solver.bounds(problem, cancel, observer, enough))?;
        let bounds =
            bounds.map(|Bounds { lower, upper }| Bounds { lower, upper: upper.min(given) });
        Ok((bounds.map_or(Verdict::Wrong, verdict), bounds))
    }

    fn record(
        &self,
        claim: &Claim,
        verdict: Verdict,
        bounds: Option<Bounds>,
        line: Option<usize>,
    ) -> Value {
        let mut record = json!({
            "board": slashes(claim.problem.start()).to_string(), "goal": claim.problem.goal_text(),
            "metric": self.args.metric.name(), "length": claim.length, "verdict": verdict.name(),
            "best_known": bounds.and_then(Bounds::best_known),
            "lower_bound": bounds.map(|bounds| bounds.lower), "line": line,
        });
        if let Some(moves) = &claim.moves {
            record["moves"] = moves_to_string(&moves.moves).into();
            record["notation"] = moves.notation.row().name.into();
        }
        record
    }
}

fn solves(problem: &Problem, moves: &MoveText) -> bool {
    moves.apply_to(problem.start()).is_ok_and(|end| problem.is_solved_by(&end))
}

/// Parses the board and the length of a line in korf format: a name, a length, and the tiles.
fn korf_line(text: &str, size: Option<Size>) -> Option<(Board, usize)> {
    let case = Cases::new(text.as_bytes(), Format::Korf, size).next()?.ok()?;
    Some((case.board.ok()?, case.expected? as usize))
}
