//! `loyd filter-optimal`.

use std::io::{self, Write};

use anyhow::anyhow;
use loyd::goal::Goal;
use loyd::notation::{Cases, Format, MoveText, moves_to_string, parse_board, slashes};
use loyd::study::Bounds;
use loyd::{Board, Problem, Solver};
use serde_json::{Value, json};

use super::answers::{UNSOLVABLE, no_board};
use super::each::Attended;
use crate::Status;
use crate::args::{FilterArgs, Output};
use crate::failure::{Failure, tell};
use crate::input::{
    Given, GivenItem, GivenItems, Goals, Length, Said, in_a_line, length_in_record,
};

/// What is claimed of a board.
struct Claim {
    problem: Problem,
    length: usize,
    /// The moves, if they are given; otherwise a number is.
    moves: Option<MoveText>,
}

/// What is known of a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Shortest,
    Longer,
    /// The moves do not solve the board, or no solution is as short as the number.
    Wrong,
    Unknown,
}

impl Verdict {
    /// The word for records.
    fn name(self) -> &'static str {
        match self {
            Self::Shortest => "shortest",
            Self::Longer => "longer",
            Self::Wrong => "wrong",
            Self::Unknown => "unknown",
        }
    }
}

/// Prints the lines whose solutions are proved to be shortest, or those that are asked for.
pub fn run(args: &FilterArgs) -> Result<Status, Failure> {
    let FilterArgs { file, board, metric, read_as, shared, .. } = args;
    let size = shared.problem.size;
    let items = GivenItems::new(&[], file.as_deref(), board.as_deref(), size, read_as.notation)?;
    let solver = Solver::new(shared.config(*metric, 1))?;
    let goals = |default| Goals::new(shared.problem.goal.clone(), default);
    let (own, korf) = (goals(Goal::BlankLast), goals(Goal::BlankFirst));
    let attended = Attended::new(shared, false)?;
    let mut filter = Filter { args, solver, attended: &attended, goals: own, korf, counts: [0; 4] };
    let mut items = items.unchecked();
    let (mut status, mut last) = (Status::Yes, None);
    while let Some(item) = attended.next(&mut items) {
        let item = item?;
        // All solutions of a record are as long.
        if item.line.is_some() && std::mem::replace(&mut last, item.line) == item.line {
            continue;
        }
        status = status.max(filter.line(item)?);
    }
    if args.shared.output == Output::Text {
        let [shortest, longer, wrong, unknown] = filter.counts;
        tell(format_args!(
            "{shortest} shortest, {longer} longer, {wrong} wrong, {unknown} not known"
        ));
    }
    Ok(attended.ended(status))
}

struct Filter<'a> {
    args: &'a FilterArgs,
    solver: Solver,
    attended: &'a Attended,
    goals: Goals,
    /// The goals of lines of korf.
    korf: Goals,
    /// How many claims had each verdict.
    counts: [usize; 4],
}

impl Filter<'_> {
    /// Prints the line, or what is wrong with it.
    fn line(&mut self, item: GivenItem) -> Result<Status, Failure> {
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
                    let error = in_a_line(&failure);
                    let record = json!({"status": "invalid", "error": error, "line": line});
                    writeln!(io::stdout().lock(), "{record}")?;
                }
                return Ok(Status::Bad);
            }
        };
        self.counts[verdict as usize] += 1;
        if self.is_asked_for(verdict) {
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

    fn is_asked_for(&self, verdict: Verdict) -> bool {
        let FilterArgs { not, unknown, .. } = *self.args;
        match verdict {
            Verdict::Shortest => !not && !unknown,
            Verdict::Longer | Verdict::Wrong => not || self.tells_all(),
            Verdict::Unknown => unknown || self.tells_all(),
        }
    }

    /// Records have verdicts.
    fn tells_all(&self) -> bool {
        let FilterArgs { not, unknown, .. } = *self.args;
        self.args.shared.output == Output::Json && !not && !unknown
    }

    /// What is claimed on a line, or the word that stands there in place of moves.
    fn claim(&mut self, item: GivenItem) -> Result<Result<Claim, &'static str>, Failure> {
        let GivenItem { line, given, text } = item;
        let size = self.args.shared.problem.size;
        if let Some(Length { board, goal, length, metric }) = length_in_record(&text, size) {
            if let Some(metric) = metric.filter(|metric| metric != self.args.metric.name()) {
                return Err(anyhow!("the length is in {metric}: --metric {metric}").into());
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
        let Given { board, goal, said, .. } = match given {
            Ok(given) if given.board.is_some() => given,
            given => match numbered(&text, size) {
                Some((board, length)) => {
                    let problem = self.korf.problem(board, None)?;
                    return Ok(Ok(Claim { problem, length, moves: None }));
                }
                None => given?,
            },
        };
        let read = match said {
            Said::Word(word) => return Ok(Err(word)),
            Said::Moves(read) => read,
        };
        let board = board.ok_or_else(no_board)?;
        let problem = self.goals.problem_of_record(Ok(board), goal.as_deref())??;
        let length = self.args.metric.length(&read.moves);
        Ok(Ok(Claim { problem, length, moves: Some(read) }))
    }

    /// Searches until the claim is decided.
    fn decide(&self, claim: &Claim) -> Result<(Verdict, Option<Bounds>), Failure> {
        let Claim { problem, length, moves } = claim;
        if moves.as_ref().is_some_and(|moves| !solves(problem, moves)) {
            return Ok((Verdict::Wrong, None));
        }
        // A solution that is there need not be found.
        let own = if moves.is_some() { *length } else { usize::MAX };
        let verdict = |bounds: Bounds| match bounds {
            Bounds { lower, .. } if lower > *length => Verdict::Wrong,
            Bounds { upper, .. } if upper < *length => Verdict::Longer,
            Bounds { lower, upper } if lower == *length && upper.min(own) == *length => {
                Verdict::Shortest
            }
            _ => Verdict::Unknown,
        };
        let enough = |bounds| verdict(bounds) != Verdict::Unknown;
        let bounds = self
            .attended
            .search(|cancel, observer| self.solver.bounds(problem, cancel, observer, enough))?;
        let bounds = bounds.map(|Bounds { lower, upper }| Bounds { lower, upper: upper.min(own) });
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
            "best_known": bounds.map(|bounds| bounds.upper),
            "lower_bound": bounds.map(|bounds| bounds.lower), "line": line,
        });
        if let Some(moves) = &claim.moves {
            record["moves"] = moves_to_string(&moves.moves).into();
        }
        record
    }
}

fn solves(problem: &Problem, moves: &MoveText) -> bool {
    moves.apply_to(problem.start()).is_ok_and(|end| problem.is_solved_by(&end))
}

/// The board and the number of a line of Korf's: a name, a length, and the tiles.
fn numbered(text: &str, size: Option<loyd::Size>) -> Option<(Board, usize)> {
    let case = Cases::new(text.as_bytes(), Format::Korf, size).next()?.ok()?;
    Some((case.board.ok()?, case.expected? as usize))
}
