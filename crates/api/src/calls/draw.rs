//! Boards drawn at random.

use loyd::Config;
use loyd::notation::{moves_to_string, slashes};
use loyd::scramble::{ScrambleError, Scrambler};

use crate::answers::{ScrambledBoard, Scrambles};
use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::Request;
use crate::work::{Work, json};

/// Seeds that are drawn: those that JavaScript reads exactly.
const SEEDS: u64 = 1 << 53;

/// Boards that are solved for one that is drawn, about: what tables pay depends on it.
const SOLVED_FOR_ONE: u64 = 20;

/// Draws boards.
pub fn scramble(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let request = &work.request;
    let size = Request::needed("size", request.size()?.as_ref()).copied()?;
    let (goal, partial) = request.goal(size)?;
    if request.length.is_some() && request.steps.is_some() {
        return Err(Fault::of("steps", "a board has a length or is reached by steps, not both"));
    }
    let number = request.number.unwrap_or(1) as usize;
    let number = Work::at_most("number", number, work.most.boards)? as u64;
    let steps = request.steps.unwrap_or(0) as usize;
    Work::at_most("steps", steps, work.most.moves)?;
    let seed = request.seed.unwrap_or_else(|| (work.random)() % SEEDS);
    let boards = Some(number.saturating_mul(SOLVED_FOR_ONE));
    // A quality chooses the search itself, and lengths have to be proved.
    let config = Config { quality: None, boards, ..work.config()? };
    let mut scrambler = match &partial {
        Some(partial) => {
            Scrambler::to_partial(partial, seed, config).map_err(|error| fault(&error))?
        }
        None => Scrambler::new(goal.clone(), seed, config)?,
    };
    let goal_text = partial.map_or_else(|| slashes(&goal).to_string(), |goal| goal.to_string());
    let mut watcher = work.watcher(listener);
    let mut draw = |number| {
        let mut drawn = ScrambledBoard {
            board: String::new(),
            goal: goal_text.clone(),
            seed,
            number,
            length: request.length,
            uniform: None,
            moves_from_goal: None,
        };
        let board = match (request.length, request.steps) {
            (Some(length), _) => {
                let found = scrambler.of_length(length, work.cancel, Some(&mut watcher))?;
                drawn.uniform = Some(found.uniform);
                found.board
            }
            (None, Some(steps)) => {
                let (board, walk) = scrambler.by_moves(steps as usize)?;
                // On which of the boards that meet the goal it began is not told.
                drawn.moves_from_goal = (!drawn.goal.contains('*')).then(|| moves_to_string(&walk));
                board
            }
            (None, None) => scrambler.any(),
        };
        drawn.board = slashes(&board).to_string();
        Ok(drawn)
    };
    let boards: Result<_, ScrambleError> = (1..=number).map(&mut draw).collect();
    json(&Scrambles { seed, boards: boards.map_err(|error| fault(&error))? })
}

fn fault(error: &ScrambleError) -> Fault {
    let message = error.to_string();
    match error {
        ScrambleError::NotFound { .. } => Fault::stopped(message),
        ScrambleError::TooLong { .. } => Fault::of("length", message),
        ScrambleError::TurnsBack(_) => Fault::of("steps", message),
        ScrambleError::Line(_) | ScrambleError::BothHalves(_) => Fault::of("goal", message),
        _ => Fault::wrong(message),
    }
}
