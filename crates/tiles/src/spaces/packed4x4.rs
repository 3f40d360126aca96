//! The state space of the 15-puzzle, with a 64-bit word per board.

use loyd_search::{Contexts, Goals, Packable, Rankable, Reversible, SpecializedCode, StateSpace};

use super::{
    BoardSpace, KINDS, StepSpace, contexts_of_steps, kind, moves, of_kind, single_steps, specialize,
};
use crate::board::{Board, Relabelling};
use crate::moves::{Move, MoveSet};
use crate::ranking::StateRanking;
use crate::size::{Cell, Size};

const CELLS: usize = 16;
const TILES: usize = 15;

/// The space of all 4x4 boards, each in a `u64` plus the cell of the blank.
#[derive(Clone, Debug)]
pub struct Packed4x4 {
    relabelling: Relabelling,
    goal: State4x4,
    ranking: StateRanking,
}

/// A state of [`Packed4x4`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State4x4 {
    /// The label of the tile on each cell, four bits per cell, the first cell lowest. The blank's cell holds 0, so that
    /// two exclusive ors move a tile.
    word: u64,
    blank: u8,
}

const MOVES: [MoveSet; CELLS] = moves(4, 4);

impl State4x4 {
    /// Creates the state with these nibbles in the order of the cells.
    fn new(blank: usize, nibbles: impl Iterator<Item = u8>) -> Self {
        let word =
            (0..).zip(nibbles).fold(0, |word, (i, nibble)| word | u64::from(nibble) << (4 * i));
        Self { word, blank: blank as u8 }
    }

    /// Returns the nibble of `cell` modulo 16, which keeps the shift in range.
    #[inline]
    fn nibble(self, cell: u8) -> u64 {
        self.word >> (4 * (cell & 15)) & 15
    }

    /// Returns the cell to which a legal move takes the blank.
    #[inline]
    fn target(self, action: Move) -> u8 {
        match action {
            Move::Up => self.blank.wrapping_sub(4),
            Move::Left => self.blank.wrapping_sub(1),
            Move::Right => self.blank + 1,
            Move::Down => self.blank + 4,
        }
    }
}

impl Packed4x4 {
    /// Creates the space of all boards that can reach `goal`.
    ///
    /// # Panics
    /// If the goal is not a 4x4 board.
    pub fn new(goal: &Board) -> Self {
        assert_eq!(goal.size(), Size::FIFTEEN, "Packed4x4 holds 4x4 boards only");
        let relabelling = Relabelling::new(goal);
        let ranking = StateRanking::new(Size::FIFTEEN, goal.blank()).expect("16!/2 fits 64 bits");
        Self { goal: encode(&relabelling, goal), relabelling, ranking }
    }
}

fn encode(relabelling: &Relabelling, board: &Board) -> State4x4 {
    let nibble = |label| if label == Relabelling::BLANK { 0 } else { label };
    let nibbles = relabelling.labels(board).map(nibble);
    State4x4::new(board.blank().index(), nibbles)
}

impl StateSpace for Packed4x4 {
    type State = State4x4;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &State4x4) -> MoveSet {
        MOVES[usize::from(state.blank & 15)]
    }

    #[inline]
    fn apply(&self, state: &mut State4x4, action: Move) {
        let target = state.target(action) & 15;
        let tile = state.nibble(target);
        state.word ^= tile << (4 * target) ^ tile << (4 * (state.blank & 15));
        state.blank = target;
    }

    const KINDS: usize = KINDS;

    #[inline(always)]
    fn kind(&self, state: &State4x4, last: Move) -> usize {
        kind(state.blank, last)
    }

    #[inline(always)]
    fn specialize<C: SpecializedCode>(&self, kind: usize, code: C) -> C::Output {
        specialize!(
            kind,
            code,
            [0 1 2 3 4 5 6 7 8 9 10 11],
            [0 1 2 4 5 6 8 9 10 12 13 14],
            [1 2 3 5 6 7 9 10 11 13 14 15],
            [4 5 6 7 8 9 10 11 12 13 14 15]
        )
    }

    #[inline(always)]
    fn assume<const KIND: usize>(
        &self,
        state: State4x4,
        _: Option<Move>,
    ) -> (State4x4, Option<Move>) {
        let (blank, last) = const { of_kind(KIND) };
        (State4x4 { blank, ..state }, last)
    }

    #[inline]
    fn is_goal(&self, state: &State4x4) -> bool {
        state.word == self.goal.word && state.blank == self.goal.blank
    }
}

impl Reversible for Packed4x4 {
    #[inline]
    fn inverse(&self, action: Move) -> Move {
        action.inverse()
    }
}

impl Goals for Packed4x4 {
    fn goals(&self) -> Vec<State4x4> {
        vec![self.goal]
    }
}

impl Packable for Packed4x4 {
    type Key = u64;

    /// The nibble of the blank is 15, a label that no tile has.
    #[inline]
    fn pack(&self, state: &State4x4) -> u64 {
        state.word | 15 << (4 * (state.blank & 15))
    }

    #[inline]
    fn unpack(&self, key: u64) -> State4x4 {
        // Finds the lowest nibble of 15 in `key`, which is 0 in `!key`: a borrow can only come from such a nibble.
        let low = 0x1111_1111_1111_1111;
        let fifteen = (!key).wrapping_sub(low) & key & (low << 3);
        let at = fifteen.trailing_zeros() & 0b11_1100;
        State4x4 { word: key & !(15 << at), blank: (at / 4) as u8 }
    }
}

impl Rankable for Packed4x4 {
    fn state_count(&self) -> Option<u64> {
        Some(self.ranking.state_count())
    }

    fn rank(&self, state: &State4x4) -> u64 {
        let mut order = [0; TILES];
        let cells = (0..CELLS as u8).filter(|&cell| cell != state.blank);
        let labels = cells.map(|cell| state.nibble(cell) as u8);
        order.iter_mut().zip(labels).for_each(|(place, label)| *place = label);
        self.ranking.rank(self.blank(state), &order)
    }

    fn unrank(&self, rank: u64) -> State4x4 {
        let mut order = [0; TILES];
        let blank = self.ranking.unrank(rank, &mut order).index();
        let (before, after) = order.split_at(blank);
        State4x4::new(blank, before.iter().chain(&[0]).chain(after).copied())
    }
}

impl Contexts for Packed4x4 {
    contexts_of_steps!(|_, blank| {
        let (before, after) = (0..blank.index() as u8, blank.index() as u8..TILES as u8);
        State4x4::new(blank.index(), before.chain([0]).chain(after))
    });
}

impl BoardSpace for Packed4x4 {
    const MAX_CELLS: usize = 16;

    single_steps!();

    fn relabelling(&self) -> &Relabelling {
        &self.relabelling
    }

    fn encode(&self, board: &Board) -> State4x4 {
        encode(&self.relabelling, board)
    }

    #[inline]
    fn blank(&self, state: &State4x4) -> Cell {
        Cell::new(state.blank.into())
    }

    #[inline]
    fn label(&self, state: &State4x4, cell: Cell) -> u8 {
        state.nibble(cell.index() as u8) as u8
    }
}

impl StepSpace for Packed4x4 {
    #[inline]
    fn target(&self, state: &State4x4, action: Move) -> Cell {
        Cell::new(state.target(action).into())
    }
}
