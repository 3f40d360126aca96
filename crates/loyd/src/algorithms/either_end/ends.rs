//! Both ends of a board.

use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::{Move, invert};

use crate::algorithms::row::{Back, Run};
use crate::heuristics::Stage;

/// Does a search that begins at the start of a run.
pub type Search<'s> = dyn Fn(&Run<'_>, &Stage, &mut Meter<'_>) -> Result<Outcome<Move>, Stop> + 's;

/// A board that can be searched from both ends.
pub struct Ends<'a, 'r> {
    pub run: &'a Run<'r>,
    pub back: &'a Back,
    pub search: &'a Search<'a>,
    /// What leads the search from the start, and from the goal: own ones, whose tables are dropped when others come.
    pub forward: Stage,
    pub backward: Stage,
}

impl Ends<'_, '_> {
    /// What leads the search from this end.
    pub fn stage(&self, direction: Direction) -> &Stage {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        }
    }

    /// `run` as it is from this end.
    pub fn run<'b>(&'b self, direction: Direction, run: &Run<'b>) -> Run<'b> {
        let run = Run { back: None, direction, ..*run };
        match direction {
            Direction::Forward => run,
            Direction::Backward => {
                let Back { problem, plan, .. } = self.back;
                Run { problem, plan, stages: &plan.stages, ..run }
            }
        }
    }

    /// Searches from this end.
    pub fn from(
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
            run.heuristic_beside(stage, meter)?;
        }
        Ok(match (self.search)(&run, stage, meter)? {
            Outcome::Solved { path, cost } => Outcome::Solved { path: invert(&path), cost },
            other => other,
        })
    }
}
