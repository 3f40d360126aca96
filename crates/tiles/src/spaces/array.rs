//! The general state space: one byte per cell, for boards of any size and partial goals.

use loyd_search::{Contexts, Goals, Packable, Rankable, Reversible, StateSpace};

use super::array_partial::Partial;
use super::array_states::ArrayState;
use super::{BoardSpace, StepSpace, contexts_of_steps, single_steps};
use crate::board::{Board, Relabelling};
use crate::moves::{Move, MoveSet};
use crate::partial_goal::PartialGoal;
use crate::ranking::StateRanking;
use crate::size::{Cell, MoveTable};

/// The space of boards of at most `N` cells, with one byte per cell.
///
/// With a [`PartialGoal`], all don't-care tiles share one label, as do all equal tiles of a number, and there is a
/// set of goal states: one for each cell on which the blank may end.
#[derive(Clone, Debug)]
pub struct ArraySpace<const N: usize> {
    relabelling: Relabelling,
    goal: ArrayState<N>,
    moves: MoveTable,
    ranking: Option<StateRanking>,
    partial: Option<Partial<N>>,
}

impl<const N: usize> ArraySpace<N> {
    /// Creates the space of all boards that can reach `goal`.
    ///
    /// # Panics
    /// If the goal has more than `N` cells.
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        assert!(size.cells() <= N, "a {size} board has more than {N} cells");
        let relabelling = Relabelling::new(goal);
        Self {
            goal: ArrayState::new(&relabelling, goal),
            moves: MoveTable::new(size),
            ranking: StateRanking::new(size, goal.blank()),
            relabelling,
            partial: None,
        }
    }

    /// Creates the space of all boards that can meet the partial goal `goal`. `board` must meet the goal and be
    /// reachable from the intended starts: see [`PartialGoal::reachable`].
    ///
    /// # Panics
    /// If the board has more than `N` cells or does not meet the goal.
    pub fn with_partial_goal(goal: &PartialGoal, board: &Board) -> Self {
        assert!(goal.is_met_by(board), "{board} does not meet {goal}");
        let space = Self::new(board);
        let partial = Partial::new(goal, board, &space.relabelling);
        Self { partial: Some(partial), ..space }
    }

    /// Returns the partial goal if ranks are based on the places of its constrained tiles.
    fn by_places(&self) -> Option<&Partial<N>> {
        self.partial.as_ref().filter(|partial| partial.has_places())
    }

    fn ranking(&self) -> &StateRanking {
        self.ranking.as_ref().expect("states have ranks only if state_count() is Some")
    }
}

impl<const N: usize> StateSpace for ArraySpace<N> {
    type State = ArrayState<N>;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &Self::State) -> MoveSet {
        self.moves.moves(state.blank)
    }

    #[inline]
    fn apply(&self, state: &mut Self::State, action: Move) {
        let to = self.target(state, action).index();
        state.labels[usize::from(state.blank)] = state.labels[to];
        state.labels[to] = Relabelling::BLANK;
        state.blank = to as u8;
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        match &self.partial {
            None => state.blank == self.goal.blank && state.labels == self.goal.labels,
            Some(partial) => partial.is_met_by(state),
        }
    }
}

impl<const N: usize> Reversible for ArraySpace<N> {
    #[inline]
    fn inverse(&self, action: Move) -> Move {
        action.inverse()
    }
}

impl<const N: usize> Goals for ArraySpace<N> {
    fn goals(&self) -> Vec<Self::State> {
        self.partial.as_ref().map_or(vec![self.goal], |partial| partial.goals.clone())
    }
}

impl<const N: usize> Packable for ArraySpace<N> {
    type Key = [u8; N];

    #[inline]
    fn pack(&self, state: &Self::State) -> Self::Key {
        state.labels
    }

    #[inline]
    fn unpack(&self, labels: Self::Key) -> Self::State {
        let blank = labels.iter().position(|&label| label == Relabelling::BLANK);
        ArrayState { labels, blank: blank.expect("every key has a blank") as u8 }
    }
}

impl<const N: usize> Rankable for ArraySpace<N> {
    fn state_count(&self) -> Option<u64> {
        match self.by_places() {
            None => self.ranking.as_ref().map(StateRanking::state_count),
            Some(partial) => partial.place_count(self.size()),
        }
    }

    fn rank(&self, state: &Self::State) -> u64 {
        if let Some(partial) = self.by_places() {
            return partial.rank(self.size(), state);
        }
        let (before, rest) = state.labels.split_at(state.blank.into());
        let mut order = [0; N];
        order[..before.len()].copy_from_slice(before);
        order[before.len()..N - 1].copy_from_slice(&rest[1..]);
        self.ranking().rank(self.blank(state), &order[..self.size().tiles()])
    }

    fn unrank(&self, rank: u64) -> Self::State {
        if let Some(partial) = self.by_places() {
            return partial.unrank(self.size(), rank);
        }
        let mut order = [0; N];
        let tiles = self.size().tiles();
        let blank = self.ranking().unrank(rank, &mut order[..tiles]);
        let mut labels = [Relabelling::BLANK; N];
        let split = blank.index();
        labels[..split].copy_from_slice(&order[..split]);
        labels[split + 1..=tiles].copy_from_slice(&order[split..tiles]);
        ArrayState { labels, blank: split as u8 }
    }
}

impl<const N: usize> Contexts for ArraySpace<N> {
    // Don't-care tiles get distinct labels too: move sequences that agree only on the other tiles are not equivalent.
    contexts_of_steps!(|space, blank| {
        let mut labels = [Relabelling::BLANK; N];
        let cells = (0..space.size().cells()).filter(|&cell| cell != blank.index());
        cells.zip(0..).for_each(|(cell, label)| labels[cell] = label);
        ArrayState { labels, blank: blank.index() as u8 }
    });
}

impl<const N: usize> BoardSpace for ArraySpace<N> {
    const MAX_CELLS: usize = N;

    single_steps!();

    fn relabelling(&self) -> &Relabelling {
        &self.relabelling
    }

    fn encode(&self, board: &Board) -> Self::State {
        let state = ArrayState::new(&self.relabelling, board);
        self.partial.as_ref().map_or(state, |partial| partial.encode(state))
    }

    fn partial_goal(&self) -> Option<&PartialGoal> {
        self.partial.as_ref().map(|partial| &partial.goal)
    }

    fn is_constrained(&self, label: u8) -> bool {
        self.partial.as_ref().is_none_or(|partial| partial.constrained[usize::from(label)])
    }

    #[inline]
    fn blank(&self, state: &Self::State) -> Cell {
        Cell::new(state.blank.into())
    }

    #[inline]
    fn label(&self, state: &Self::State, cell: Cell) -> u8 {
        state.labels[cell.index()]
    }
}

impl<const N: usize> StepSpace for ArraySpace<N> {
    #[inline]
    fn target(&self, state: &Self::State, action: Move) -> Cell {
        Cell::new(self.moves.target(state.blank, action).into())
    }
}
