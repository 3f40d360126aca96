//! `loyd scramble`.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::time::Duration;

use anyhow::Context;
use loyd::goal::PartialGoal;
use loyd::moves::invert;
use loyd::notation::{moves_to_string, slashes};
use loyd::scramble::{ScrambleError, Scrambled, Scrambler};
use loyd::search::{Limits, Quality, Stop};
use loyd::{Board, CancelToken, Config, Move, Problem, Solver};
use serde_json::json;

use crate::Status;
use crate::args::{Drawn, Output, ScrambleArgs, for_searches};
use crate::failure::{Failure, tell};
use crate::input::{goal_board, partial_goal};
use crate::interrupt;
use crate::progress::Watch;
use crate::units::{Limit, moves};

/// How long a board of a given length is looked for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Boards that are solved for one that is drawn, about: what tables pay depends on it.
const SOLVED_FOR_ONE: u64 = 20;

/// Draws boards and prints each as soon as it is there.
pub fn run(args: &ScrambleArgs) -> Result<Status, Failure> {
    let (goal, partial) = goal(args)?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(0);
        tell(format_args!("--seed {seed}"));
        seed
    });
    let max_time = args.max_time.map_or(Some(PATIENCE), |Limit(limit)| limit);
    let defaults = Config::default();
    let max_bytes = args.max_memory.map_or(defaults.limits.max_bytes, |Limit(limit)| limit);
    let max_bytes = max_bytes.map(for_searches);
    let config = Config {
        store: args.cache.store(),
        limits: Limits { max_time, max_bytes, ..defaults.limits },
        boards: Some(args.number.get().saturating_mul(SOLVED_FOR_ONE)),
        ..defaults
    };
    let solver = solver(args, &config)?;
    let scrambler = match &partial {
        Some(partial) => Scrambler::to_partial(partial, seed, config)?,
        None => Scrambler::new(goal.clone(), seed, config)?,
    };
    let goal_text = partial.map_or_else(|| slashes(&goal).to_string(), |goal| goal.to_string());
    let drawn = HashSet::new();
    // Only boards of a length are searched for.
    let cancel =
        args.length.as_ref().map_or_else(|| Ok(CancelToken::new()), |_| interrupt::token())?;
    let watch = Watch::new(args.progress, max_time);
    let mut drawing = Drawing {
        args,
        seed,
        goal,
        goal_text,
        scrambler,
        printed: 0,
        drawn,
        solver,
        watch,
        cancel,
    };
    let mut status = Status::Yes;
    match &args.length {
        None => status = drawing.any_or_by_moves()?,
        Some(lengths) => {
            for &length in &lengths.0 {
                drawing.scrambler.check_length(length)?;
            }
            for &length in &lengths.0 {
                status = status.max(drawing.of_length(length)?);
                if drawing.cancel.is_cancelled() {
                    break;
                }
            }
        }
    }
    Ok(status)
}

/// The goal, and whether it is a partial one, of which the board is an example then.
fn goal(args: &ScrambleArgs) -> Result<(Board, Option<PartialGoal>), Failure> {
    let Some(goal) = partial_goal(args.size, args.goal.as_deref())? else {
        return Ok((goal_board(args.size, args.goal.as_deref())?, None));
    };
    if args.drawn == Drawn::Moves {
        let message = "moves from a goal with `*` could begin on several boards: leave --as moves out, or the `*`";
        return Err(anyhow::anyhow!(message).into());
    }
    Ok((goal.example(), Some(goal)))
}

/// What finds moves to a board that was drawn, where these are wanted and not known from drawing it.
fn solver(args: &ScrambleArgs, config: &Config) -> Result<Option<Solver>, Failure> {
    if args.drawn == Drawn::Boards || args.moves.is_some() {
        return Ok(None);
    }
    let config = match args.length {
        Some(_) => Config { boards: Some(args.number.get()), ..config.clone() },
        None => Config { quality: Some(Quality::Fast), ..config.clone() },
    };
    Ok(Some(Solver::new(config)?))
}

/// So many boards that were drawn before are enough to find the last of a thousand.
const MOST_MISSED: u32 = 100_000;

/// Where each has to be solved.
const MOST_MISSED_OF_LENGTH: u32 = 1_000;

/// Tells that there are fewer boards than were asked for.
fn no_more(drawn: u64) -> Status {
    let s = if drawn == 1 { "" } else { "s" };
    tell(format_args!("no more than {drawn} different board{s} found (--unique)"));
    Status::No
}

struct Drawing<'a> {
    args: &'a ScrambleArgs,
    seed: u64,
    goal: Board,
    goal_text: String,
    scrambler: Scrambler,
    printed: u64,
    /// Boards that may not be drawn again.
    drawn: HashSet<Board>,
    /// What finds moves to boards, where these are wanted.
    solver: Option<Solver>,
    watch: Watch,
    cancel: CancelToken,
}

impl Drawing<'_> {
    fn any_or_by_moves(&mut self) -> Result<Status, Failure> {
        let (mut missed, all) = (0, self.args.number.get());
        let mut left = all;
        while left > 0 {
            if missed == MOST_MISSED {
                return Ok(no_more(all - left));
            }
            let (board, walk) = match self.args.moves {
                None => (self.scrambler.any(), None),
                Some(moves) => {
                    let (board, walk) = self.scrambler.by_moves(moves as usize)?;
                    (board, Some(walk))
                }
            };
            if self.is_new(&board, &mut missed) {
                self.print(&board, None, walk.as_deref())?;
                left -= 1;
            }
        }
        Ok(Status::Yes)
    }

    /// Draws boards of a length, until one is not found.
    fn of_length(&mut self, length: u32) -> Result<Status, Failure> {
        let mut uniform = true;
        let (mut missed, all) = (0, self.args.number.get());
        let mut left = all;
        while left > 0 {
            if missed == MOST_MISSED_OF_LENGTH {
                return Ok(no_more(all - left));
            }
            let mut progress = self.watch.search();
            let found = self.scrambler.of_length(length, &self.cancel, progress.observer());
            drop(progress);
            match found {
                Ok(scrambled) => {
                    if !self.is_new(&scrambled.board, &mut missed) {
                        continue;
                    }
                    left -= 1;
                    uniform &= scrambled.uniform;
                    self.print(&scrambled.board, Some((length, &scrambled)), None)?;
                }
                Err(error @ ScrambleError::NotFound { stop, .. }) => {
                    match stop {
                        Stop::Cancelled => tell(error),
                        Stop::Memory => tell(format_args!("{error} (--max-memory)")),
                        _ => tell(format_args!("{error} (--max-time)")),
                    }
                    return Ok(Status::No);
                }
                Err(error) => return Err(error.into()),
            }
        }
        if !uniform {
            tell(format_args!(
                "boards of {} were found by random walks, so some are likelier than others",
                moves(length as usize)
            ));
        }
        Ok(Status::Yes)
    }

    /// Whether `board` may be printed: where none may come twice, it has to be new. `missed` counts those since the last
    /// new one that were not.
    fn is_new(&mut self, board: &Board, missed: &mut u32) -> bool {
        let is_new = !self.args.unique || self.drawn.insert(board.clone());
        *missed = if is_new { 0 } else { *missed + 1 };
        is_new
    }

    /// Moves from the goal to `board`, where these are wanted.
    fn way_to(&self, board: &Board) -> Result<Option<Vec<Move>>, Failure> {
        let Some(solver) = &self.solver else { return Ok(None) };
        let report = solver.solve(&Problem::between(board.clone(), self.goal.clone())?)?;
        let moves = report.moves.context("no moves to a board were found within the limits")?;
        Ok(Some(invert(&moves)))
    }

    fn print(
        &mut self,
        board: &Board,
        drawn: Option<(u32, &Scrambled)>,
        walk: Option<&[Move]>,
    ) -> Result<(), Failure> {
        self.printed += 1;
        let way = match walk {
            // Which of the boards that meet the goal it began on is not told.
            Some(_) if self.goal_text.contains('*') => None,
            Some(walk) => Some(walk.to_vec()),
            None => self.way_to(board)?,
        };
        let mut out = io::stdout().lock();
        let board = slashes(board).to_string();
        match (self.args.output, &way, self.args.drawn) {
            (Output::Text, Some(way), Drawn::Moves) => writeln!(out, "{}", moves_to_string(way))?,
            (Output::Text, ..) => writeln!(out, "{board}")?,
            (Output::Json, ..) => {
                let mut record = json!({
                    "board": board, "goal": self.goal_text,
                    "seed": self.seed, "number": self.printed,
                });
                if let Some((length, scrambled)) = drawn {
                    record["length"] = length.into();
                    record["uniform"] = scrambled.uniform.into();
                }
                if let Some(way) = way {
                    record["moves_from_goal"] = moves_to_string(&way).into();
                }
                writeln!(out, "{record}")?;
            }
        }
        Ok(())
    }
}
