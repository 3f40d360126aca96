//! Calls about the boards of a size: `scramble` and `census`.

use loyd::notation::{moves_to_string, slashes};
use loyd::scramble::{ScrambleError, Scrambler};
use loyd::search::{Limits, Meter};
use loyd::{CancelToken, Config};
use loyd_lab::census::{CensusSpec, Survey};

use crate::answers::{CensusAnswer, ScrambledBoard, Scrambles};
use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::Request;
use crate::work::{Budget, Work, json};

/// Exclusive bound on random seeds: JavaScript represents all integers up to 2^53 exactly.
const SEEDS: u64 = 1 << 53;

/// Estimated number of boards solved per board drawn. The solver weighs the cost of building tables against it.
const SOLVED_FOR_ONE: u64 = 20;

/// Maximum number of farthest boards in an answer.
const FARTHEST: usize = 100;

/// Draws boards.
pub fn scramble(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let request = work.request;
    let size = Request::needed("size", request.size()?.as_ref()).copied()?;
    let (goal, partial) = request.goal(size)?;
    if request.length.is_some() && request.steps.is_some() {
        return Err(Fault::of("steps", "give either a length or steps"));
    }
    let number = request.number.unwrap_or(1) as usize;
    let number = Work::at_most("number", number, work.limits.boards)? as u64;
    let steps = request.steps.unwrap_or(0) as usize;
    Work::at_most("steps", steps, work.limits.moves)?;
    let seed = request.seed.unwrap_or_else(|| (work.random)() % SEEDS);
    let boards = Some(number.saturating_mul(SOLVED_FOR_ONE));
    // A quality would select the search by itself and need not prove lengths, which is required here.
    let config = Config { quality: None, boards, ..work.config()? };
    let budget = Budget::start(&config);
    let mut scrambler = match &partial {
        Some(partial) => Scrambler::with_partial_goal(partial, seed, config)
            .map_err(|error| scramble_fault(&error))?,
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
                scrambler.set_limits(budget.share(1, 1));
                let found = scrambler.of_length(length, work.cancel, Some(&mut watcher))?;
                drawn.uniform = Some(found.uniform);
                found.board
            }
            (None, Some(steps)) => {
                let (board, walk) = scrambler.by_moves(steps as usize)?;
                // The walk is left out for a partial goal, because the answer does not contain the board at which it
                // started.
                drawn.moves_from_goal = (!drawn.goal.contains('*')).then(|| moves_to_string(&walk));
                board
            }
            (None, None) => scrambler.uniform(),
        };
        drawn.board = slashes(&board).to_string();
        Ok(drawn)
    };
    let boards: Result<_, ScrambleError> = (1..=number).map(&mut draw).collect();
    json(&Scrambles { seed, boards: boards.map_err(|error| scramble_fault(&error))? })
}

fn scramble_fault(error: &ScrambleError) -> Fault {
    let message = error.to_string();
    match error {
        ScrambleError::NotFound { .. } => Fault::stopped(message),
        ScrambleError::TooLong { .. } => Fault::of("length", message),
        ScrambleError::WalkTooLong(_) => Fault::of("steps", message),
        ScrambleError::Line(_) | ScrambleError::BothHalves(_) => Fault::of("goal", message),
        _ => Fault::wrong(message),
    }
}

/// Counts the states at each distance from a goal.
pub fn census(work: &Work<'_>, listener: Listener<'_>) -> Result<String, Fault> {
    let request = work.request;
    let size = Request::needed("size", request.size()?.as_ref()).copied()?;
    let most = work.limits.census_cells;
    if size.cells() > most {
        let message = format!(
            "a census takes at most {most} cells here; a {size} board has {}",
            size.cells()
        );
        return Err(Fault::of("size", message));
    }
    let metric = request.metric()?;
    let question = match request.goal(size)? {
        (_, Some(goal)) => CensusSpec::new(goal, metric),
        (goal, None) => CensusSpec::to_board(&goal, metric),
    };
    let question = question.map_err(|error| Fault::of("goal", error.to_string()))?;
    let mut survey = Survey::new(vec![question], FARTHEST);
    let config = work.config()?;
    let limits = Limits { max_time: config.limits.max_time, ..Limits::default() };
    let mut watcher = work.watcher(listener);
    let cancel = CancelToken::clone(work.cancel);
    let mut meter = Meter::with_clock(config.clock, limits, cancel).with_observer(&mut watcher);
    while survey.advance(&mut meter).map_err(|stop| Fault::stopped(stop.to_string()))? {}
    let elapsed = meter.finish().elapsed;
    json(&CensusAnswer::new(&survey.specs()[0], &survey.results()[0], survey.bytes(), elapsed))
}
