//! What qualities have in common.

use loyd_heuristics::{LineCrossings, LinearConflict};
use loyd_search::{Cost, Heuristic};
use loyd_tiles::{BoardSpace, Metric};

use crate::choices::{Quality, TableChoice};
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::{LINE_CROSSINGS, LINEAR_CONFLICT};
use crate::problem::Problem;
use crate::space::{AnySpace, in_space};

/// Refuses a choice of how to search beside a quality.
pub(crate) fn check(config: &Config) -> Result<(), Error> {
    let Some(quality) = config.quality else { return Ok(()) };
    let chosen = [
        (config.algorithm.is_some(), "the algorithm"),
        (config.heuristic.is_some(), "the heuristic"),
        (config.weight.is_some(), "the weight"),
        (config.closed.is_some(), "the duplicate detection"),
        (config.prune.is_some(), "the pruning"),
        (config.tables != TableChoice::Default && quality == Quality::Fast, "the tables"),
        (!config.parity_check, "going without the parity test"),
    ];
    match chosen.into_iter().find(|(chosen, _)| *chosen) {
        Some((_, option)) => Err(Error::QualityDecides { quality, option }),
        None => Ok(()),
    }
}

/// The heuristic that makes the lower bound.
pub(crate) fn bound_heuristic(config: &Config) -> &'static str {
    match config.metric {
        Metric::SingleTile => LINEAR_CONFLICT.name,
        Metric::MultiTile => LINE_CROSSINGS.name,
    }
}

/// Linear conflict of the start, or the alternating slides that the lines ask for: no solution is shorter.
pub(crate) fn lower_bound(problem: &Problem, metric: Metric) -> Cost {
    // The states are the same in both metrics.
    let least = in_space!(&AnySpace::new(problem, Metric::SingleTile), space => {
        let (labels, start) = (space.relabelling(), space.encode(problem.start()));
        let is_constrained = |label| space.is_constrained(label);
        let steps = space.steps();
        match metric {
            Metric::SingleTile => {
                LinearConflict::new(labels).of_constrained(is_constrained).h(steps, &start)
            }
            Metric::MultiTile => {
                let crossings = LineCrossings::new(labels).of_constrained(is_constrained);
                crossings.alternating(steps, &start)
            }
        }
    });
    // What is not solved needs a move.
    least.max(1)
}
