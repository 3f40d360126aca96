//! The state space of the 8-puzzle, with 28 bits per state.

use loyd_search::{Contexts, Goals, Packable, Rankable, Reversible, SpecializedCode, StateSpace};

use super::{
    BoardSpace, KINDS, StepSpace, contexts_of_steps, kind, moves, of_kind, single_steps, specialize,
};
use crate::board::{Board, Relabelling};
use crate::moves::{Move, MoveSet};
use crate::ranking::StateRanking;
use crate::size::{Cell, Size};

/// The space of all 3x3 boards, each in a `u32`.
///
/// | bits | content |
/// |---|---|
/// | 0–23 | the labels of the eight tiles in reading order without the blank, three bits each, the first lowest |
/// | 24–27 | the cell of the blank |
///
/// A horizontal move does not change the order. A vertical move carries one tile past two others: it rotates a
/// field of nine bits.
#[derive(Clone, Debug)]
pub struct Packed3x3 {
    relabelling: Relabelling,
    goal: u32,
    /// The state from which each move leads to the goal, or an impossible state if the move cannot lead there.
    before_goal: [u32; 4],
    ranking: StateRanking,
}

const BLANK_SHIFT: u32 = 24;
/// Number of reachable tile orders per cell of the blank: 8!/2.
const ORDERS: u64 = 20_160;

/// The legal moves by cell of the blank, padded to a power of two so that a mask bounds the index.
const MOVES: [MoveSet; 16] = moves(3, 3);

/// The effect of a move on the bits of a state. Looked up, because the direction of the next move is
/// unpredictable, and a mispredicted branch costs more than a lookup.
#[derive(Clone, Copy)]
struct Step {
    /// The value to add to the state to move the blank.
    travel: u32,
    /// The lowest bit of the field of three tiles whose order changes.
    at: u8,
    /// The rotation of the field to the right, in bits.
    turn: u8,
    /// The lowest bit of the tile that moves.
    tile: u8,
    /// The new cell of the blank.
    target: u8,
}

/// The effects of all moves, by cell of the blank (padded to 16) and move.
const STEPS: [Step; 64] = {
    let mut steps = [Step { travel: 0, at: 0, turn: 0, tile: 0, target: 0 }; 64];
    let mut cell = 0;
    while cell < 9 {
        let mut moves = 0;
        while moves < 4 {
            let action = Move::ALL[moves];
            if MOVES[cell].contains(action) {
                // The new cell of the blank, the index of the moving tile in the order, the first index
                // that changes, and the rotation in tiles.
                let (target, tile, first, turn) = match action {
                    Move::Up => (cell - 3, cell - 3, cell - 3, 1),
                    Move::Left => (cell - 1, cell - 1, 0, 0),
                    Move::Right => (cell + 1, cell, 0, 0),
                    Move::Down => (cell + 3, cell + 2, cell, 2),
                };
                steps[4 * cell + moves] = Step {
                    travel: ((target as u32).wrapping_sub(cell as u32)) << BLANK_SHIFT,
                    at: 3 * first as u8,
                    turn: 3 * turn,
                    tile: 3 * tile as u8,
                    target: target as u8,
                };
            }
            moves += 1;
        }
        cell += 1;
    }
    steps
};

#[inline]
fn step(state: u32, action: Move) -> Step {
    STEPS[(4 * (blank(state) & 15)) as usize + action as usize]
}

/// The Cantor rank of an order of eight tiles is the sum of one entry for its first four tiles and one
/// for its last four: a digit of the first four depends only on the tiles before it, a digit of the last
/// four only on the tiles after it.
const FIRST_FOUR: [u16; 4096] = half_ranks(true);
const LAST_FOUR: [u16; 4096] = half_ranks(false);

const fn half_ranks(first: bool) -> [u16; 4096] {
    let weights: [u16; 4] = if first { [5040, 720, 120, 24] } else { [6, 2, 1, 0] };
    let mut ranks = [0_u16; 4096];
    let mut word = 0;
    while word < 4096 {
        let mut i = 0;
        while i < 4 {
            let label = word >> (3 * i) & 7;
            // For the first four, starts from all smaller labels and subtracts those that come before.
            let mut count = if first { label as u16 } else { 0 };
            let (mut j, end) = if first { (0, i) } else { (i + 1, 4) };
            while j < end {
                let smaller = (word >> (3 * j) & 7) < label;
                count =
                    if first { count.wrapping_sub(smaller as u16) } else { count + smaller as u16 };
                j += 1;
            }
            ranks[word] = ranks[word].wrapping_add(count.wrapping_mul(weights[i]));
            i += 1;
        }
        word += 1;
    }
    ranks
}

impl Packed3x3 {
    /// Creates the space of all boards that can reach `goal`.
    ///
    /// # Panics
    /// If the goal is not a 3x3 board.
    pub fn new(goal: &Board) -> Self {
        assert_eq!(goal.size(), Size::EIGHT, "Packed3x3 holds 3x3 boards only");
        let relabelling = Relabelling::new(goal);
        let ranking = StateRanking::new(Size::EIGHT, goal.blank()).expect("181,440 fits 64 bits");
        let goal = encode(&relabelling, goal);
        let before_goal = Move::ALL.map(|action| {
            let back = action.inverse();
            let is_legal = MOVES[blank(goal) as usize].contains(back);
            if is_legal { child(goal, back) } else { u32::MAX }
        });
        Self { goal, before_goal, relabelling, ranking }
    }
}

/// Returns the state after a legal move.
#[inline]
fn child(state: u32, action: Move) -> u32 {
    let step = step(state, action);
    let field = state >> step.at & 0o777;
    // The mask shows the compiler that the bits of the blank do not change.
    let turned = field >> step.turn | field << (9 - step.turn);
    (state ^ ((field ^ turned) & 0o777) << step.at).wrapping_add(step.travel)
}

fn encode(relabelling: &Relabelling, board: &Board) -> u32 {
    pack(board.blank(), relabelling.labels(board).filter(|&label| label != Relabelling::BLANK))
}

fn pack(blank: Cell, order: impl IntoIterator<Item = u8>) -> u32 {
    let word = (0..).zip(order).fold(0, |word, (i, label)| word | u32::from(label) << (3 * i));
    word | (blank.index() as u32) << BLANK_SHIFT
}

#[inline]
fn blank(state: u32) -> u32 {
    state >> BLANK_SHIFT
}

impl StateSpace for Packed3x3 {
    type State = u32;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &u32) -> MoveSet {
        MOVES[(blank(*state) & 15) as usize]
    }

    #[inline]
    fn apply(&self, state: &mut u32, action: Move) {
        *state = child(*state, action);
    }

    const KINDS: usize = KINDS;

    #[inline(always)]
    fn kind(&self, state: &u32, last: Move) -> usize {
        kind(blank(*state) as u8, last)
    }

    #[inline(always)]
    fn specialize<C: SpecializedCode>(&self, kind: usize, code: C) -> C::Output {
        specialize!(kind, code, [0 1 2 3 4 5], [0 1 3 4 6 7], [1 2 4 5 7 8], [3 4 5 6 7 8])
    }

    #[inline(always)]
    fn assume<const KIND: usize>(&self, state: u32, _: Option<Move>) -> (u32, Option<Move>) {
        let (blank, last) = const { of_kind(KIND) };
        (state & ((1 << BLANK_SHIFT) - 1) | u32::from(blank) << BLANK_SHIFT, last)
    }

    #[inline]
    fn is_goal(&self, state: &u32) -> bool {
        *state == self.goal
    }

    #[inline]
    fn leads_to_goal(&self, state: &u32, action: Move) -> bool {
        *state == self.before_goal[action as usize]
    }
}

impl Reversible for Packed3x3 {
    #[inline]
    fn inverse(&self, action: Move) -> Move {
        action.inverse()
    }
}

impl Goals for Packed3x3 {
    fn goals(&self) -> Vec<u32> {
        vec![self.goal]
    }
}

impl Packable for Packed3x3 {
    type Key = u32;

    #[inline]
    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    #[inline]
    fn unpack(&self, key: u32) -> u32 {
        key
    }
}

impl Rankable for Packed3x3 {
    fn state_count(&self) -> Option<u64> {
        Some(9 * ORDERS)
    }

    #[inline]
    fn rank(&self, state: &u32) -> u64 {
        let first = FIRST_FOUR[(*state & 0xfff) as usize];
        let last = LAST_FOUR[(*state >> 12 & 0xfff) as usize];
        u64::from(blank(*state)) * ORDERS + u64::from(first + last) / 2
    }

    fn unrank(&self, rank: u64) -> u32 {
        let mut order = [0; 8];
        let blank = self.ranking.unrank(rank, &mut order);
        pack(blank, order)
    }
}

impl Contexts for Packed3x3 {
    contexts_of_steps!(|_, blank| pack(blank, 0..8));
}

impl BoardSpace for Packed3x3 {
    const MAX_CELLS: usize = 9;

    single_steps!();

    fn relabelling(&self) -> &Relabelling {
        &self.relabelling
    }

    fn encode(&self, board: &Board) -> u32 {
        encode(&self.relabelling, board)
    }

    #[inline]
    fn blank(&self, state: &u32) -> Cell {
        Cell::new(blank(*state) as usize)
    }

    #[inline]
    fn label(&self, state: &u32, cell: Cell) -> u8 {
        let place = cell.index() as u32 - u32::from(cell.index() as u32 > blank(*state));
        (*state >> (3 * place) & 7) as u8
    }
}

impl StepSpace for Packed3x3 {
    #[inline]
    fn target(&self, state: &u32, action: Move) -> Cell {
        Cell::new(step(*state, action).target.into())
    }

    #[inline]
    fn moving(&self, state: &u32, action: Move) -> u8 {
        (*state >> step(*state, action).tile & 7) as u8
    }
}
