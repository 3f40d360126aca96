//! The 8-puzzle in 28 bits.

use loyd_search::{Contexts, Goals, Packable, Rankable, Reversible, Specialized, StateSpace};

use super::{
    BoardSpace, KINDS, StepSpace, contexts_of_steps, kind, moves, of_kind, single_steps, specialize,
};
use crate::board::Board;
use crate::cell::Cell;
use crate::goal::Relabelling;
use crate::moves::{Move, MoveSet};
use crate::ranking::DenseRank;
use crate::size::Size;

/// All 3x3 boards, each in a `u32`.
///
/// Bits 0 to 23 hold the labels of the eight tiles in reading order with the blank left out, three
/// bits each, the first tile lowest; bits 24 to 27 the cell of the blank. A sideways move leaves the
/// order alone. A move up or down takes one tile past two others: it turns a field of nine bits.
#[derive(Clone, Debug)]
pub struct Packed3x3 {
    relabelling: Relabelling,
    goal: u32,
    /// The state from which each move leads to the goal; one that there is not if the move is not legal.
    before_goal: [u32; 4],
    ranking: DenseRank,
}

const BLANK_SHIFT: u32 = 24;
/// Tile orders for each cell of the blank: 8!/2.
const ORDERS: u64 = 20_160;

/// Padded to a power of two, so that a mask bounds the index.
const MOVES: [MoveSet; 16] = moves(3, 3);

/// What a move does to the bits of a state. Looked up, because which way the blank goes next is
/// nothing that a processor could predict.
#[derive(Clone, Copy)]
struct Step {
    /// Added to the state, moves the blank.
    travel: u32,
    /// The lowest bit of the three tiles among which the order changes.
    at: u8,
    /// How far these turn to the right, in bits.
    turn: u8,
    /// The lowest bit of the tile that moves.
    tile: u8,
    /// Where the blank goes.
    target: u8,
}

/// By cell of the blank (padded to 16) and move.
const STEPS: [Step; 64] = {
    let mut steps = [Step { travel: 0, at: 0, turn: 0, tile: 0, target: 0 }; 64];
    let mut cell = 0;
    while cell < 9 {
        let mut moves = 0;
        while moves < 4 {
            let action = Move::ALL[moves];
            if MOVES[cell].contains(action) {
                // The target, the place of the moving tile in the order, the first place that
                // changes, and the turn in tiles.
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

/// The Cantor rank of an order of eight is the sum of one entry for its first four tiles and one
/// for its last four: a digit of the first four depends on those before it, one of the last four
/// on those after it.
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
            // For the first four, count all smaller labels and take off those before.
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
    /// The space of all boards from which `goal` might be reached.
    ///
    /// # Panics
    /// If the goal is not a 3x3 board.
    pub fn new(goal: &Board) -> Self {
        assert_eq!(goal.size(), Size::EIGHT, "Packed3x3 holds 3x3 boards only");
        let relabelling = Relabelling::new(goal);
        let ranking = DenseRank::new(Size::EIGHT, goal.blank()).expect("181,440 fits 64 bits");
        let goal = encode(&relabelling, goal);
        let before_goal = Move::ALL.map(|action| {
            let back = action.inverse();
            let is_legal = MOVES[blank(goal) as usize].contains(back);
            if is_legal { child(goal, back) } else { u32::MAX }
        });
        Self { goal, before_goal, relabelling, ranking }
    }
}

/// The state after a legal move.
#[inline]
fn child(state: u32, action: Move) -> u32 {
    let step = step(state, action);
    let field = state >> step.at & 0o777;
    // The mask says that the bits of the blank stay as they are.
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
    fn specialize<C: Specialized>(&self, kind: usize, code: C) -> C::Output {
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
