//! The two directions in which a board can be searched: searches in either one, probes of both, and the choice between
//! them.

use std::sync::Mutex;
use std::time::Duration;

use loyd_kernels::Progress;
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::{Move, invert};

use crate::algorithms::row::{Checkpointer, Resumed, ReverseProblem, Run, TableFit};
use crate::heuristics::Stage;
use crate::sync::lock;

/// Searches from the start of a run with the heuristic of a stage.
pub type Search<'s> = dyn Fn(&Run<'_>, &Stage, &mut Meter<'_>) -> Result<Outcome<Move>, Stop> + 's;

/// A board that can be searched in both directions.
pub struct DirectionChoice<'a, 'r> {
    pub run: &'a Run<'r>,
    /// The reverse problem.
    pub reverse: &'a ReverseProblem,
    pub search: &'a Search<'a>,
    /// Stage of the forward search. Both stages are copies, so that their tables can be dropped before board-specific
    /// ones are built.
    pub forward: Stage,
    /// Stage of the backward search.
    pub backward: Stage,
}

impl DirectionChoice<'_, '_> {
    /// Returns the stage of the search in `direction`.
    pub fn stage(&self, direction: Direction) -> &Stage {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        }
    }

    /// Converts `run` to a run in `direction`: backward, it is one of the reverse problem.
    pub fn run<'b>(&'b self, direction: Direction, run: &Run<'b>) -> Run<'b> {
        let run = Run { reverse: None, direction, ..*run };
        match direction {
            Direction::Forward => run,
            Direction::Backward => {
                let ReverseProblem { problem, plan, .. } = self.reverse;
                Run { problem, plan, stages: &plan.stages, ..run }
            }
        }
    }

    /// Searches in `direction`. Solutions of the reverse problem are inverted, so that they lead from the start to the
    /// goal.
    pub fn search_from(
        &self,
        direction: Direction,
        stage: &Stage,
        run: &Run<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome<Move>, Stop> {
        let run = self.run(direction, run);
        if direction == Direction::Forward {
            return (self.search)(&run, stage, meter);
        }
        if stage.made().is_none() && stage.tables != self.forward.tables {
            run.additional_heuristic(stage, meter)?;
        }
        Ok(match (self.search)(&run, stage, meter)? {
            Outcome::Solved { path, cost } => Outcome::Solved { path: invert(&path), cost },
            other => other,
        })
    }
}

/// The progress of a search in one direction: held in memory, and forwarded to the checkpoint of the run if there is
/// one.
pub struct Relay<'a> {
    pub direction: Direction,
    /// Whether the search uses this direction; otherwise the direction is being probed.
    pub is_chosen: bool,
    pub progress: Mutex<Progress>,
    /// Whether the meter has counted all of `progress`.
    pub is_counted: bool,
    pub checkpointer: Option<&'a dyn Checkpointer>,
}

impl Relay<'_> {
    /// Saves the progress, and with it the direction if it is chosen.
    pub fn save_progress(&self) {
        let progress = lock(&self.progress).clone();
        self.save(Some(self.direction), &progress);
    }
}

impl Checkpointer for Relay<'_> {
    fn resume(&self) -> Resumed {
        Resumed {
            direction: self.is_chosen.then_some(self.direction),
            progress: lock(&self.progress).clone(),
            is_counted: self.is_counted,
            table_fit: TableFit::Untried,
        }
    }

    fn interval(&self) -> Duration {
        self.checkpointer.map_or(Duration::MAX, |checkpointer| checkpointer.interval())
    }

    fn save(&self, _: Option<Direction>, progress: &Progress) {
        lock(&self.progress).clone_from(progress);
        let direction = self.is_chosen.then_some(self.direction);
        self.checkpointer.inspect(|checkpointer| checkpointer.save(direction, progress));
    }

    fn save_table_fit(&self, fit: TableFit) {
        self.checkpointer.inspect(|checkpointer| checkpointer.save_table_fit(fit));
    }

    fn reject(&self) {
        self.checkpointer.inspect(|checkpointer| checkpointer.reject());
    }
}

/// A search that is interrupted to compare directions.
pub struct Probe<'a> {
    pub relay: Relay<'a>,
    /// Nodes expanded and generated in total.
    pub counts: (u64, u64),
}

impl<'a> Probe<'a> {
    /// Returns a probe that resumes from `progress`.
    pub fn new(
        direction: Direction,
        progress: Progress,
        checkpointer: Option<&'a dyn Checkpointer>,
    ) -> Self {
        let (counts, progress) = (total_counts(&progress), Mutex::new(progress));
        let relay =
            Relay { direction, is_chosen: false, progress, is_counted: false, checkpointer };
        Self { relay, counts }
    }
}

/// Returns the nodes expanded and generated in total.
pub fn total_counts(progress: &Progress) -> (u64, u64) {
    let (iterations, outside) = (iteration_counts(progress), progress.outside_iterations);
    (iterations.0 + outside.0, iterations.1 + outside.1)
}

/// Returns the nodes expanded and generated in all iterations, and beyond the bound of the incomplete one.
fn iteration_counts(progress: &Progress) -> (u64, u64) {
    let now = [(progress.expanded, progress.generated), progress.past_bound];
    let now = now.into_iter().filter(|_| !progress.pending.is_empty());
    let complete =
        progress.iterations.iter().map(|&(_, expanded, generated)| (expanded, generated));
    complete.chain(now).fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1))
}

/// Returns the maximum number of expansions of the backward probe: 1.25 times the expansions of the complete forward
/// iterations, where the quarter is for beams and for nodes beyond the bound, but at most `limit`. Returns `limit` if
/// no forward iteration is complete.
pub fn backward_limit(forward: &Progress, limit: u64) -> u64 {
    let expanded: u64 = forward.iterations.iter().map(|iteration| iteration.1).sum();
    match expanded {
        0 => limit,
        expanded => limit.min(expanded + expanded / 4),
    }
}

/// Returns the search in the better direction: backward if the backward probe completed the last iteration that the
/// forward probe completed, and with fewer expansions, or if its first bound is larger. The counts of both probes are
/// included.
pub fn better_direction<'a>(
    probes: &[Probe<'_>; 2],
    checkpointer: Option<&'a dyn Checkpointer>,
) -> Relay<'a> {
    let all = probes.iter().map(|probe| probe.counts);
    let counts = all.fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    let [forward, backward] = probes.each_ref().map(|probe| lock(&probe.relay.progress).clone());
    let last = |progress: &Progress| progress.iterations.last().map_or((0, 0), |&(b, e, _)| (b, e));
    let (bound, expanded) = last(&forward);
    let same = backward.iterations.iter().find(|iteration| iteration.0 == bound);
    let is_backward =
        last(&backward).0 >= bound && same.map_or(0, |iteration| iteration.1) < expanded;
    let (direction, mut progress) = match is_backward {
        true => (Direction::Backward, backward),
        false => (Direction::Forward, forward),
    };
    let iterations = iteration_counts(&progress);
    // Everything that belongs to no iteration of the chosen search counts outside its iterations.
    progress.outside_iterations =
        (counts.0.saturating_sub(iterations.0), counts.1.saturating_sub(iterations.1));
    let progress = Mutex::new(progress);
    Relay { direction, is_chosen: true, progress, is_counted: true, checkpointer }
}
