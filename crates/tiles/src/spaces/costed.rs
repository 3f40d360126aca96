//! Move costs that depend on the moving tile.

use loyd_search::{Cost, Packable, Rankable, Reversible, StateSpace};

use super::StepSpace;
use crate::moves::{Move, MoveSet};

/// The states and moves of `S`, with a cost for moving each tile.
///
/// States, keys and ranks do not change. All nodes have the same kind, because kinds require actions of cost 1.
#[derive(Clone, Debug)]
pub struct Costed<S> {
    steps: S,
    /// The cost of moving each tile, by label.
    costs: Vec<Cost>,
}

impl<S: StepSpace> Costed<S> {
    /// Creates the space over the states of `steps` where moving tile `n` costs `by_tile[n - 1]`.
    ///
    /// # Panics
    /// If the number of costs differs from the number of tiles, or if `steps` has a partial goal, whose don't-care
    /// tiles share a label and so could not have separate costs.
    pub fn new(steps: S, by_tile: &[Cost]) -> Self {
        assert_eq!(by_tile.len(), steps.size().tiles(), "there must be one cost for each tile");
        assert!(
            steps.partial_goal().is_none(),
            "tiles that share a label cannot have separate costs"
        );
        let labels = steps.relabelling();
        let costs = (0..by_tile.len() as u8).map(|label| by_tile[labels.tile(label).index() - 1]);
        Self { costs: costs.collect(), steps }
    }

    /// Returns the underlying space.
    pub fn steps(&self) -> &S {
        &self.steps
    }

    /// Returns the cost of moving the tile with this label.
    #[inline]
    pub fn cost(&self, label: u8) -> Cost {
        self.costs[usize::from(label)]
    }
}

impl<S: StepSpace> StateSpace for Costed<S> {
    type State = S::State;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &S::State) -> MoveSet {
        self.steps.actions(state)
    }

    #[inline]
    fn apply(&self, state: &mut S::State, action: Move) {
        self.steps.apply(state, action);
    }

    #[inline]
    fn is_goal(&self, state: &S::State) -> bool {
        self.steps.is_goal(state)
    }

    #[inline]
    fn action_cost(&self, state: &S::State, action: Move) -> Cost {
        self.cost(self.steps.moving(state, action))
    }
}

impl<S: StepSpace> Reversible for Costed<S> {
    #[inline]
    fn inverse(&self, action: Move) -> Move {
        action.inverse()
    }
}

impl<S: StepSpace> Packable for Costed<S> {
    type Key = S::Key;

    #[inline]
    fn pack(&self, state: &S::State) -> S::Key {
        self.steps.pack(state)
    }

    #[inline]
    fn unpack(&self, key: S::Key) -> S::State {
        self.steps.unpack(key)
    }
}

impl<S: StepSpace> Rankable for Costed<S> {
    fn state_count(&self) -> Option<u64> {
        self.steps.state_count()
    }

    #[inline]
    fn rank(&self, state: &S::State) -> u64 {
        self.steps.rank(state)
    }

    fn unrank(&self, rank: u64) -> S::State {
        self.steps.unrank(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_board;
    use crate::spaces::{ArraySpace, BoardSpace};

    #[test]
    fn costs_follow_tiles_for_every_goal() {
        let start = parse_board("1 2 3/4 x 5/7 8 6", None).unwrap();
        let by_tile: Vec<Cost> = (1..=8).map(|n| 10 * n).collect();
        for goal in ["1 2 3/4 5 6/7 8 x", "x 8 7/6 5 4/3 2 1"] {
            let goal = parse_board(goal, None).unwrap();
            let space = Costed::new(ArraySpace::<16>::new(&goal), &by_tile);
            let state = space.steps().encode(&start);
            let costs = Move::ALL.map(|m| space.action_cost(&state, m));
            // Up, left, right and down move the tiles 2, 4, 5 and 8.
            assert_eq!(costs, [20, 40, 50, 80]);
        }
    }

    #[test]
    #[should_panic(expected = "one cost for each tile")]
    fn missing_costs_panic() {
        let goal = parse_board("1 2 3/4 5 6/7 8 x", None).unwrap();
        Costed::new(ArraySpace::<16>::new(&goal), &[1; 7]);
    }
}
