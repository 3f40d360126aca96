//! `loyd scramble`, `loyd rank` and `loyd unrank`.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use loyd::board::{CantorTerm, RankError, cantor_terms, cantor_unrank};
use loyd::goal::PartialGoal;
use loyd::moves::invert;
use loyd::notation::{moves_to_string, slashes};
use loyd::scramble::{ScrambleError, ScrambledBoard, Scrambler};
use loyd::search::{Limits, Quality, Stop};
use loyd::{Board, CancelToken, Config, Move, Problem, Solver};
use serde_json::json;

use super::supervisor::{Reply, Supervisor, for_each_board};
use crate::args::{ProblemArgs, RankArgs, ScrambleArgs, ScrambleOutput, UnrankArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Items, goal_board, partial_goal};
use crate::interrupt;
use crate::memory;
use crate::progress::Watch;
use crate::units::{Limit, Table, moves, with_commas};

/// Default time limit of the search for a board of a given length.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Approximate number of boards solved per drawn one, which decides which tables pay off.
const SOLVED_PER_BOARD: u64 = 20;

/// Draws boards and prints each as soon as it is found.
pub fn run(args: &ScrambleArgs) -> Result<Status, Failure> {
    if args.with_moves && args.output != ScrambleOutput::Json {
        return Err(anyhow::anyhow!("--with-moves requires --output json").into());
    }
    let (goal, partial) = goal(args)?;
    let unreachable =
        args.unsolvable.then(|| unreachable_board(args, &goal, partial.is_some())).transpose()?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(0);
        print_note(format_args!("--seed {seed}"));
        seed
    });
    let max_time = args.max_time.map_or(Some(DEFAULT_TIME), |Limit(limit)| limit);
    let defaults = Config::default();
    let max_bytes = memory::allowed(args.max_memory, defaults.limits.max_bytes);
    let max_bytes = max_bytes.map(memory::for_searches);
    let config = Config {
        store: args.cache.store(),
        limits: Limits { max_time, max_bytes, ..defaults.limits },
        boards: Some(args.number.get().saturating_mul(SOLVED_PER_BOARD)),
        ..defaults
    };
    let solver = solver(args, &config)?;
    let scrambler = match (&partial, unreachable) {
        (_, Some(board)) => Scrambler::new(board, seed, config)?,
        (Some(partial), _) => Scrambler::with_partial_goal(partial, seed, config)?,
        (None, None) => Scrambler::new(goal.clone(), seed, config)?,
    };
    let goal_text = partial.map_or_else(|| slashes(&goal).to_string(), |goal| goal.to_string());
    let drawn = HashSet::new();
    // Only boards of a given length need a search that can be interrupted.
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
        None => status = drawing.draw_any_or_by_moves()?,
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

/// Returns the goal and, if it is partial, also the partial goal, of which the board is an example.
fn goal(args: &ScrambleArgs) -> Result<(Board, Option<PartialGoal>), Failure> {
    let Some(goal) = partial_goal(args.size, args.goal.as_deref())? else {
        return Ok((goal_board(args.size, args.goal.as_deref())?, None));
    };
    if let Some(option) = moves_option(args) {
        let message = "moves from a goal with `*` could start from several boards: leave out";
        return Err(anyhow::anyhow!("{message} {option}, or the `*`").into());
    }
    Ok((goal.example(), Some(goal)))
}

/// Returns the option that requests the moves from the goal to each board, if one does.
fn moves_option(args: &ScrambleArgs) -> Option<&'static str> {
    match args.output {
        ScrambleOutput::Moves => Some("--output moves"),
        _ => args.with_moves.then_some("--with-moves"),
    }
}

/// Returns a board that cannot reach `goal`. Every board that cannot reach one of the two can reach the other.
fn unreachable_board(args: &ScrambleArgs, goal: &Board, is_partial: bool) -> anyhow::Result<Board> {
    let size = goal.size();
    if is_partial {
        bail!("--unsolvable needs a goal without `*`");
    }
    if size.is_line() {
        bail!(
            "--unsolvable does not apply to a single line: its order never changes, so nearly all boards are unsolvable"
        );
    }
    if let Some(option) = moves_option(args) {
        bail!("no moves lead from the goal to an unsolvable board: leave out {option}");
    }
    let mut numbers: Vec<u32> = goal.numbers().map(u32::from).collect();
    let tiles: Vec<usize> = (0..numbers.len()).filter(|&cell| numbers[cell] != 0).collect();
    numbers.swap(tiles[0], tiles[1]);
    Ok(Board::new(size, &numbers)?)
}

/// Returns the solver that finds moves to the drawn boards, if moves are requested and not known from drawing.
fn solver(args: &ScrambleArgs, config: &Config) -> Result<Option<Solver>, Failure> {
    if moves_option(args).is_none() || args.moves.is_some() {
        return Ok(None);
    }
    let config = match args.length {
        Some(_) => Config { boards: Some(args.number.get()), ..config.clone() },
        None => Config { quality: Some(Quality::Fast), ..config.clone() },
    };
    Ok(Some(Solver::new(config)?))
}

/// Draws without a new board before giving up, enough to find the last of a thousand boards.
const MAX_MISSED: u32 = 100_000;

/// Like `MAX_MISSED`, but for boards of a given length, each of which has to be solved.
const MAX_MISSED_OF_LENGTH: u32 = 1_000;

/// Reports that there are fewer boards than requested.
fn no_more(drawn: u64) -> Status {
    let s = if drawn == 1 { "" } else { "s" };
    print_note(format_args!("no more than {drawn} different board{s} found (--unique)"));
    Status::No
}

struct Drawing<'a> {
    args: &'a ScrambleArgs,
    seed: u64,
    goal: Board,
    goal_text: String,
    scrambler: Scrambler,
    printed: u64,
    /// Boards already printed, with `--unique`.
    drawn: HashSet<Board>,
    /// Finds moves to the boards, if requested.
    solver: Option<Solver>,
    watch: Watch,
    cancel: CancelToken,
}

impl Drawing<'_> {
    fn draw_any_or_by_moves(&mut self) -> Result<Status, Failure> {
        let (mut missed, all) = (0, self.args.number.get());
        let mut left = all;
        while left > 0 {
            if missed == MAX_MISSED {
                return Ok(no_more(all - left));
            }
            let (board, walk) = match self.args.moves {
                None => (self.scrambler.uniform(), None),
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

    /// Draws boards whose shortest solution has `length` moves; stops at the first that is not found within the limits.
    fn of_length(&mut self, length: u32) -> Result<Status, Failure> {
        let mut uniform = true;
        let (mut missed, all) = (0, self.args.number.get());
        let mut left = all;
        while left > 0 {
            if missed == MAX_MISSED_OF_LENGTH {
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
                        Stop::Cancelled => print_note(error),
                        Stop::Memory => print_note(format_args!("{error} (--max-memory)")),
                        _ => print_note(format_args!("{error} (--max-time)")),
                    }
                    return Ok(Status::No);
                }
                Err(error) => return Err(error.into()),
            }
        }
        if !uniform {
            print_note(format_args!(
                "boards of {} were found by random walks, so some are more likely than others",
                moves(length as usize)
            ));
        }
        Ok(Status::Yes)
    }

    /// Returns whether `board` may be printed; with `--unique` it must be new. `missed` counts the boards rejected
    /// since the last new one.
    fn is_new(&mut self, board: &Board, missed: &mut u32) -> bool {
        let is_new = !self.args.unique || self.drawn.insert(board.clone());
        *missed = if is_new { 0 } else { *missed + 1 };
        is_new
    }

    /// Returns moves from the goal to `board`, if requested.
    fn moves_to(&self, board: &Board) -> Result<Option<Vec<Move>>, Failure> {
        let Some(solver) = &self.solver else { return Ok(None) };
        let report = solver.solve(&Problem::between(board.clone(), self.goal.clone())?)?;
        let moves = report.moves.context("no moves to a board were found within the limits")?;
        Ok(Some(invert(&moves)))
    }

    fn print(
        &mut self,
        board: &Board,
        drawn: Option<(u32, &ScrambledBoard)>,
        walk: Option<&[Move]>,
    ) -> Result<(), Failure> {
        self.printed += 1;
        let moves = match walk {
            // The walk started on one of several boards that match the goal, and which one is not printed.
            Some(_) if self.goal_text.contains('*') => None,
            Some(walk) => Some(walk.to_vec()),
            None => self.moves_to(board)?,
        };
        let mut out = io::stdout().lock();
        let board = slashes(board).to_string();
        match (self.args.output, &moves) {
            (ScrambleOutput::Moves, Some(moves)) => writeln!(out, "{}", moves_to_string(moves))?,
            (ScrambleOutput::Text | ScrambleOutput::Moves, _) => writeln!(out, "{board}")?,
            (ScrambleOutput::Json, _) => {
                let mut record = json!({
                    "board": board, "goal": self.goal_text,
                    "seed": self.seed, "number": self.printed,
                });
                if self.args.unsolvable {
                    record["solvable"] = false.into();
                }
                if let Some((length, scrambled)) = drawn {
                    record["length"] = length.into();
                    record["uniform"] = scrambled.uniform.into();
                }
                if let Some(moves) = moves {
                    record["moves_from_goal"] = moves_to_string(&moves).into();
                }
                writeln!(out, "{record}")?;
            }
        }
        Ok(())
    }
}

/// Prints the Cantor rank of a board.
pub fn rank(args: &RankArgs) -> Result<Status, Failure> {
    let problem = ProblemArgs { size: args.size, ..ProblemArgs::default() };
    let items = Items::new(&args.board, args.file.as_deref(), &problem)?;
    for_each_board(items, args.output, &Supervisor::without_searches(), |problem, reply| {
        rank_board(problem.start(), reply)
    })
}

fn rank_board(board: &Board, reply: &Reply<'_>) -> Result<Status, Failure> {
    if !board.size().is_searchable() {
        return Err(RankError::TooMany(board.size().cells()).into());
    }
    let numbers: Vec<u8> = board.bytes().collect();
    let terms = cantor_terms(&numbers)?;
    let rank: u64 = terms.iter().map(|term| term.value()).sum();
    let counts: Vec<u64> = terms.iter().map(|term| term.count).collect();
    let shown = slashes(board).to_string();
    let record = || json!({"board": shown, "rank": rank, "counts": counts});
    reply.print(|| rank_text(board, &terms, rank), record)?;
    Ok(Status::Yes)
}

fn rank_text(board: &Board, terms: &[CantorTerm], rank: u64) -> String {
    let mut table = Table::new(0, vec!["cell", "tile", "smaller later", "x", "adds"]);
    for ((cell, tile), term) in board.size().iter_cells().zip(board.tiles()).zip(terms) {
        table.row(vec![
            cell.to_string(),
            tile.to_string(),
            term.count.to_string(),
            format!("{}!", term.following),
            with_commas(term.value()),
        ]);
    }
    let products: Vec<String> =
        terms.iter().map(|term| format!("{}*{}!", term.count, term.following)).collect();
    format!("{table}\n{} = {}\n", products.join(" + "), rank)
}

/// Prints the board of a Cantor rank.
pub fn unrank(args: &UnrankArgs) -> Result<Status, Failure> {
    let numbers = cantor_unrank(args.size.cells(), args.rank)?;
    let numbers: Vec<u32> = numbers.into_iter().map(u32::from).collect();
    let board = Board::new(args.size, &numbers)?;
    // A board that is not square is written on one line with slashes, which show its shape.
    let text = || match args.size.width() == args.size.height() {
        true => format!("{board}\n"),
        false => format!("{}\n", slashes(&board)),
    };
    let record = || json!({"rank": args.rank, "board": slashes(&board).to_string()});
    args.output.print(text, record)?;
    Ok(Status::Yes)
}
