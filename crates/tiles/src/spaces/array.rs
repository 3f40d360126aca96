//! The plain space: a byte a cell, for boards of any size.

use loyd_search::{Goals, Packable, Rankable, Reversible, StateSpace};

use super::{BoardSpace, StepSpace};
use crate::board::Board;
use crate::cell::Cell;
use crate::goal::Relabelling;
use crate::metric::Metric;
use crate::moves::{Move, MoveSet};
use crate::ranking::DenseRank;

/// Labels by cell, and the cell of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayState<const N: usize> {
    /// The blank and the cells past the board hold [`Relabelling::BLANK`].
    labels: [u8; N],
    blank: u8,
}

/// Boards of at most `N` cells, a byte a cell.
#[derive(Clone, Debug)]
pub struct ArraySpace<const N: usize> {
    relabelling: Relabelling,
    goal: ArrayState<N>,
    moves: Vec<MoveSet>,
    /// Where the blank goes from each cell by each move; the same cell where it cannot.
    targets: Vec<[u8; 4]>,
    ranking: Option<DenseRank>,
}

impl<const N: usize> ArraySpace<N> {
    /// The space of all boards from which `goal` might be reached.
    ///
    /// # Panics
    /// If the goal has more than `N` cells.
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        assert!(size.cells() <= N, "a {size} board has more than {N} cells");
        let relabelling = Relabelling::new(goal);
        let targets =
            |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u8);
        Self {
            goal: encode(&relabelling, goal),
            moves: size.iter_cells().map(|cell| size.moves(cell)).collect(),
            targets: size.iter_cells().map(targets).collect(),
            ranking: DenseRank::new(size, goal.blank()),
            relabelling,
        }
    }

    /// The state with these labels, the blank's being on the cell `blank`.
    pub(super) fn unpack_with_blank(&self, labels: [u8; N], blank: u8) -> ArrayState<N> {
        ArrayState { labels, blank }
    }

    fn ranking(&self) -> &DenseRank {
        self.ranking.as_ref().expect("ranks were asked for where state_count() is None")
    }
}

fn encode<const N: usize>(relabelling: &Relabelling, board: &Board) -> ArrayState<N> {
    let mut labels = [Relabelling::BLANK; N];
    labels.iter_mut().zip(relabelling.labels(board)).for_each(|(place, label)| *place = label);
    ArrayState { labels, blank: board.blank().index() as u8 }
}

impl<const N: usize> StateSpace for ArraySpace<N> {
    type State = ArrayState<N>;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &Self::State) -> MoveSet {
        self.moves[usize::from(state.blank)]
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
        state.blank == self.goal.blank && state.labels == self.goal.labels
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
        vec![self.goal]
    }
}

impl<const N: usize> Packable for ArraySpace<N> {
    type Key = [u8; N];

    fn pack(&self, state: &Self::State) -> Self::Key {
        state.labels
    }

    fn unpack(&self, labels: Self::Key) -> Self::State {
        let blank = labels.iter().position(|&label| label == Relabelling::BLANK);
        ArrayState { labels, blank: blank.expect("every key has a blank") as u8 }
    }
}

impl<const N: usize> Rankable for ArraySpace<N> {
    fn state_count(&self) -> Option<u64> {
        self.ranking.as_ref().map(DenseRank::state_count)
    }

    fn rank(&self, state: &Self::State) -> u64 {
        let (before, rest) = state.labels.split_at(state.blank.into());
        let mut order = [0; N];
        order[..before.len()].copy_from_slice(before);
        order[before.len()..N - 1].copy_from_slice(&rest[1..]);
        self.ranking().rank(self.blank(state), &order[..self.size().tiles()])
    }

    fn unrank(&self, rank: u64) -> Self::State {
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

impl<const N: usize> BoardSpace for ArraySpace<N> {
    const MAX_CELLS: usize = N;
    const METRIC: Metric = Metric::SingleTile;

    fn moves(path: &[Move]) -> Vec<Move> {
        path.to_vec()
    }

    fn relabelling(&self) -> &Relabelling {
        &self.relabelling
    }

    fn encode(&self, board: &Board) -> Self::State {
        encode(&self.relabelling, board)
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
        Cell::new(self.targets[usize::from(state.blank)][action.index()].into())
    }
}
