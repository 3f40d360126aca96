//! Plans: makes the choices that a configuration leaves open, for the boards of one goal.
//!
//! [`Config::algorithm`] and [`Config::heuristic`] document the defaults.

use std::sync::OnceLock;

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::AnyTableKey;
use loyd_kernels::LargestSumSearch;
use loyd_search::{ClosedKind, Cost, Direction, Limits};
use loyd_tiles::{Metric, Size};

use crate::algorithms::{Algorithm, IDASTAR, Plan, Resumed, ReverseProblem, TableFit};
use crate::choices::{Prune, TableChoice};
use crate::config::Config;
use crate::costs::LONGEST_PATH;
use crate::defaults::{LARGE_CELLS, choose, scaled_costs};
use crate::error::Error;
use crate::heuristics::exact::{LARGEST_ARRAY, too_many_states};
use crate::heuristics::{
    EXACT, HEURISTICS, HeuristicRow, LINE_CROSSINGS, LINEAR_CONFLICT, PDB, Setting, Stage, ZERO,
    catalogue, fit_together, is_admissible, is_for_easy_boards,
};
use crate::problem::Problem;
use crate::quality::Weight;
use crate::space::AnySpace;

/// Maximum size in bytes of a ranked closed list that is chosen by default.
const RANKED_BYTES: u64 = 64 << 20;
/// Bytes per state of a ranked closed list.
const RANKED_STATE_BYTES: u64 = 4;

/// Maximum distance of a 3x3 board. Slides and partial goals need no more moves.
const EIGHT_DEPTH: Cost = 31;

/// Length of the words of the automaton on 4x4 boards, which is built in a few milliseconds.
const FIFTEEN_WORDS: u32 = 10;

/// Length of the words on boards of 17 to 25 cells for the last of several tables. Building the automaton takes most
/// of a second.
const HARD_WORDS: u32 = 14;

/// Returns the plan for problems with the goal of `problem`.
///
/// # Errors
/// Returns an error if a choice is not valid for such boards.
pub(crate) fn plan(config: &Config, problem: &Problem) -> Result<Plan, Error> {
    let what = match (config.quality, config.algorithm) {
        (Some(quality), _) => format!("the quality {quality}"),
        (None, Some(algorithm)) => format!("the algorithm {algorithm}"),
        (None, None) => "a search for a shortest solution".to_owned(),
    };
    problem.check_size(what, true)?;
    let space = AnySpace::new(problem, config.metric);
    let setting = Setting { space: &space, config };
    let (algorithm, heuristic) = choose(&setting)?;
    let costs = scaled_costs((algorithm, heuristic), &setting)?;
    let uses_tables = algorithm.uses_heuristic && heuristic.name == PDB.name;
    if config.tables != TableChoice::Default && !uses_tables {
        let user = if algorithm.uses_heuristic { heuristic.name } else { algorithm.name };
        return Err(Error::TablesUnused(user));
    }
    check_heuristic(heuristic, &setting)?;
    let mut limits = limits(algorithm, &setting)?;
    if costs.is_some() {
        limits.max_depth = Some(LONGEST_PATH);
    }
    if algorithm.uses_table {
        (EXACT.check)(&setting)?;
    }
    if config.closed == Some(ClosedKind::Ranked) && !space.fits(RANKED_STATE_BYTES, LARGEST_ARRAY) {
        return Err(too_many_states(&space, "`ranked`", "`hashed` does not"));
    }
    let default = match space.fits(RANKED_STATE_BYTES, RANKED_BYTES) {
        true => ClosedKind::Ranked,
        false => ClosedKind::Hashed,
    };
    let leading = if algorithm.uses_table { &EXACT } else { heuristic };
    let mut stages = match algorithm.uses_heuristic || algorithm.uses_table {
        true => (leading.stages)(leading, &setting)?,
        false => Vec::new(),
    };
    if let Some(what) = config.needs_large_kernel()
        && !has_large_kernel(algorithm, &space, stages.last())
    {
        return Err(Error::NotSuspendable {
            what,
            instead: match is_large(algorithm, &space, stages.last()) {
                true => {
                    "tables of at most 8 GiB, with at most eight tiles in a pattern and eight patterns for a tile"
                }
                false => "the algorithm idastar with the heuristic pdb",
            },
        });
    }
    let takes_long = |words| words > Prune::default_words(space.size(), space.metric());
    match config.prune {
        None => prune_by_default(algorithm, &mut stages, &space),
        Some(Prune::Automaton { words: Some(words) }) if takes_long(words) => {
            // Only hard boards use the automaton; it is built while the easier ones are solved.
            prune_by_default(algorithm, &mut stages, &space);
            let last = stages.len().saturating_sub(1);
            for (place, stage) in stages.iter_mut().enumerate() {
                let is_hard = place == last
                    || matches!(space, AnySpace::Fifteen(_))
                        && stage.tables.is_some()
                        && !is_for_easy_boards(stage);
                stage.prune = if is_hard { None } else { stage.prune.or(Some(Prune::Undo)) };
            }
        }
        Some(_) => {}
    }
    // With several boards, each gets one thread.
    let threads = if config.boards.unwrap_or(1) > 1 { 1 } else { config.threads.max(1) };
    Ok(Plan {
        algorithm,
        heuristic: stages.last().map_or(&ZERO, |stage| stage.heuristic),
        // A shard searches only some subtrees, so it proves nothing about the whole.
        admissible: is_admissible(heuristic, &setting) && config.shard.is_none(),
        stages,
        weight: config.weight.unwrap_or(Weight::DEFAULT),
        closed: config.closed.unwrap_or(default),
        prune: prune(algorithm, &setting)?,
        open: config.open,
        limits,
        threads,
        space,
        costs,
    })
}

/// Returns the pruning rule of a depth-first search, with the length of words.
fn prune(algorithm: &Algorithm, setting: &Setting<'_>) -> Result<Option<Prune>, Error> {
    let prune = setting.config.prune;
    algorithm.check_prune(prune)?;
    if !algorithm.is_depth_first {
        return Ok(None);
    }
    let Some(Prune::Automaton { words }) = prune else { return Ok(Some(Prune::Undo)) };
    let (size, metric) = (setting.space.size(), setting.space.metric());
    let most = AutomatonKey::word_length_limit(size, metric);
    let key = setting.space.automaton(words).ok_or(Error::WordsTooLong { size, metric, most })?;
    Ok(Some(Prune::Automaton { words: Some(key.max_word_length()) }))
}

/// Selects an automaton for stages with a kernel that supports it. It saves a sixth to a third of the expansions, and
/// is built in about 3 ms on 4x4 boards and about 0.1 s on larger ones. The stage with small tables on 4x4 boards, and
/// the stage before the tables on larger ones, go without, so that easy boards do not wait. The last of several tables
/// for larger boards serves hard ones, so longer words pay off.
fn prune_by_default(algorithm: &Algorithm, stages: &mut [Stage], space: &AnySpace) {
    let prune = |words| {
        let key = space.automaton(words);
        key.map(|key| Prune::Automaton { words: Some(key.max_word_length()) })
    };
    let mut with_tables: Vec<&mut Stage> =
        stages.iter_mut().filter(|stage| stage.tables.is_some()).collect();
    let Some((last, before)) = with_tables.split_last_mut() else { return };
    if is_large(algorithm, space, Some(last)) {
        last.prune = prune((!before.is_empty()).then_some(HARD_WORDS));
        before.iter_mut().for_each(|stage| stage.prune = prune(None));
    } else if matches!(space, AnySpace::Fifteen(_))
        && algorithm.name == IDASTAR.name
        && space.partial_goal().is_none()
    {
        with_tables.retain(|stage| !is_for_easy_boards(stage));
        with_tables.iter_mut().for_each(|stage| stage.prune = prune(Some(FIFTEEN_WORDS)));
    }
}

/// Returns whether a kernel supports this search on boards of more than 16 cells with the tables of its last stage.
pub(crate) fn has_large_kernel(
    algorithm: &Algorithm,
    space: &AnySpace,
    last: Option<&Stage>,
) -> bool {
    let takes = |stage: &Stage| match &stage.tables {
        Some(AnyTableKey::Patterns(partition)) => LargestSumSearch::supports(partition),
        _ => false,
    };
    is_large(algorithm, space, last) && last.is_some_and(takes)
}

/// Returns whether this is a search with pattern databases on boards of more than 16 cells. Whether a kernel
/// supports the tables is another question.
fn is_large(algorithm: &Algorithm, space: &AnySpace, last: Option<&Stage>) -> bool {
    let size = space.size();
    algorithm.name == IDASTAR.name
        && space.metric() == Metric::SingleTile
        && space.partial_goal().is_none()
        && LARGE_CELLS.contains(&size.cells())
        && (2..=12).contains(&size.width())
        && (2..=12).contains(&size.height())
        && last.is_some_and(|stage| stage.heuristic.name == PDB.name)
}

/// Returns the reverse problem with its plan if the search has to run backward, ran backward when it was suspended
/// (`resumed`), or may choose to: on hard boards with a named set of partitions in both directions, if both fit into
/// memory.
///
/// # Errors
/// Returns an error if the configuration is not valid for the reverse problem, but the search needs it.
pub(crate) fn reverse_problem(
    config: &Config,
    problem: &Problem,
    plan: &Plan,
    resumed: Option<&Resumed>,
) -> Result<Option<ReverseProblem>, Error> {
    let last = plan.stages.last();
    let is_resumed = resumed.is_some_and(|resumed| {
        resumed.direction == Some(Direction::Backward) || resumed.table_fit != TableFit::Untried
    });
    let may_be = match config.direction {
        Some(direction) => direction == Direction::Backward,
        None if is_resumed => true,
        None => {
            config.shard.is_none() && config.boards.unwrap_or(1) <= 1 && catalogue(last).is_some()
        }
    };
    if !may_be || !has_large_kernel(plan.algorithm, &plan.space, last) {
        return Ok(None);
    }
    let problem = problem.reversed();
    let reverse = self::plan(config, &problem).map(|plan| ReverseProblem {
        problem,
        plan,
        board_tables: OnceLock::new(),
    });
    if config.direction.is_some() || is_resumed {
        return reverse.map(Some).map_err(|error| Error::ReverseProblem(Box::new(error)));
    }
    let fits =
        |reverse: &ReverseProblem| match (catalogue(last), catalogue(reverse.plan.stages.last())) {
            (Some(forward), Some(backward)) => {
                forward == backward || fit_together(forward, backward, config)
            }
            _ => false,
        };
    Ok(reverse.ok().filter(fits))
}

/// Returns the limits, with a depth limit if the algorithm needs one.
fn limits(algorithm: &Algorithm, setting: &Setting<'_>) -> Result<Limits, Error> {
    let (mut limits, size) = (setting.config.limits, setting.space.size());
    if algorithm.needs_depth && limits.max_depth.is_none() {
        if size != Size::EIGHT {
            return Err(Error::DepthNeeded { algorithm: algorithm.name, size });
        }
        limits.max_depth = Some(EIGHT_DEPTH);
    }
    Ok(limits)
}

/// Checks that a heuristic is admissible for such boards and has tables for them.
pub(crate) fn check_heuristic(row: &HeuristicRow, setting: &Setting<'_>) -> Result<(), Error> {
    let (space, heuristic) = (setting.space, row.name);
    let instead =
        || HEURISTICS.iter().filter(|row| row.supports(setting)).map(|row| row.name).collect();
    if !row.supports_metric(space.metric()) {
        return Err(match space.metric() {
            Metric::SingleTile => Error::OnlyForSlides(heuristic),
            Metric::MultiTile => Error::NotForSlides { heuristic, instead: instead() },
        });
    }
    if space.partial_goal().is_some() && !row.partial_goals {
        return Err(Error::NotForPartialGoals { heuristic, instead: instead() });
    }
    if !row.fits(space.size()) {
        let instead = match space.metric() {
            Metric::SingleTile => &LINEAR_CONFLICT,
            Metric::MultiTile => &LINE_CROSSINGS,
        };
        let instead = instead.name;
        let (boards, size) = (row.boards.words, space.size());
        return Err(Error::HeuristicSize { heuristic, boards, size, instead });
    }
    (row.check)(setting)
}

#[cfg(test)]
mod tests {
    use loyd_tiles::{Goal, Move};

    use super::*;
    use crate::solver::Solver;

    /// Returns the maximum length of words of the automaton of each stage.
    fn words(size: &str, prune: Option<Prune>) -> Vec<Option<u32>> {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let mut board = goal.clone();
        board.apply(Move::Up).unwrap();
        let problem = Problem::between(board, goal).unwrap();
        let config = Config { prune, ..Config::default() };
        let plan = Solver::new(config).unwrap().plan(&problem).unwrap();
        let of = |stage| plan.automaton(Some(stage)).map(|key| key.max_word_length());
        plan.stages.iter().map(of).collect()
    }

    #[test]
    fn harder_boards_get_automata_of_longer_words() {
        assert_eq!(words("5x5", None), [None, Some(12), Some(14)]);
        assert_eq!(words("4x5", None), [None, Some(12)]);
        assert_eq!(words("4x4", None), [None, Some(10), Some(10)]);
        assert_eq!(
            words("5x5", Some(Prune::Automaton { words: Some(16) })),
            [None, Some(12), Some(16)]
        );
        assert_eq!(words("5x5", Some(Prune::Undo)), [None, None, None]);
    }
}
