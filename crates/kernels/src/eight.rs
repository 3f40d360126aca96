//! Exact distances of the 8-puzzle from one bit a state.

use std::convert::Infallible;
use std::fmt;

use loyd_search::{ActionSet, Cost, Heuristic, IncrementalHeuristic, walk_down};
use loyd_tiles::{BoardSpace, Cell, Move, Size, StepSpace};

use crate::tables::SecondBits;

/// The distance of every 3x3 board from the goals whose blank is on one cell.
///
/// Shape: bit 1 of the distance, `table[rank]`, 22,680 bytes in the program for each of the nine
/// cells; this is a handle. Bit 0 needs no table: every move changes the distance by exactly one,
/// and the colour of the blank's cell as on a chessboard tells odd from even. So distances are known
/// modulo 4, and that tells a move that comes nearer from one that goes away.
///
/// Guarantees: exact, so admissible and consistent. All states that have a rank are reachable
/// ones: whether a board can be solved is asked before it is encoded.
///
/// # Examples
/// ```
/// use loyd_kernels::ExactEight;
/// use loyd_tiles::{Board, BoardSpace, Goal, Packed3x3, Size};
/// let space = Packed3x3::new(&Goal::BlankLast.board(Size::EIGHT).unwrap());
/// let board = Board::new(Size::EIGHT, &[2, 3, 4, 1, 5, 0, 7, 6, 8])?;
/// let exact = ExactEight::new(&space);
/// assert_eq!(exact.distance(&space, &space.encode(&board)), 19);
/// # Ok::<(), loyd_tiles::BoardError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ExactEight {
    goal_blank: Cell,
    bits: SecondBits,
}

/// The distance of a state, carried down a path by [`ExactEight`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactMemo(Cost);

impl ExactEight {
    /// The largest distance there is, whatever the goal.
    const DIAMETER: Cost = 31;

    /// The handle for `space`, which is of 3x3 boards, and for all others whose goal has its blank on the same cell.
    pub fn new(space: &impl BoardSpace) -> Self {
        assert_eq!(space.size(), Size::EIGHT, "the table is for 3x3 boards");
        let goal_blank = space.relabelling().goal().blank();
        Self { goal_blank, bits: SecondBits::new(goal_blank) }
    }

    /// How many moves `state` is from the goal of `space`.
    ///
    /// Cost: a walk to the goal of at most 31 moves.
    ///
    /// # Panics
    /// If the goal of `space` has its blank on another cell than that of the handle, and if `state`
    /// is none of `space`, so that no walk leads to the goal.
    pub fn distance<S: StepSpace>(&self, space: &S, state: &S::State) -> Cost {
        let start = (state.clone(), None, self.modulo_4(space, state));
        let is_goal = |(state, ..): &(S::State, _, _)| space.is_goal(state);
        let Ok(distance) = walk_down(start, is_goal, |(state, undo, modulo_4), steps| {
            assert!(steps < Self::DIAMETER, "the state is none of this space");
            let modulo_4 = modulo_4.wrapping_sub(1) & 3;
            let nearer = space.actions(&state).without(undo).into_iter().find_map(|action| {
                let child = space.successor(&state, action);
                // One nearer and one farther differ in this bit.
                let nearer = self.bits.bit(space.rank(&child)) == modulo_4 >> 1;
                nearer.then(|| (child, Some(space.inverse(action)), modulo_4))
            });
            let nearer =
                nearer.expect("the distance of a state of this space falls along some move");
            Ok::<_, Infallible>(nearer)
        });
        distance
    }

    /// The distance modulo 4.
    #[inline]
    fn modulo_4<S: StepSpace>(&self, space: &S, state: &S::State) -> u32 {
        let goal = space.relabelling().goal().blank();
        assert_eq!(goal, self.goal_blank, "the table belongs to another goal");
        // Cells of a board three wide are coloured by the parity of their index.
        let odd = space.blank(state).index() ^ self.goal_blank.index();
        self.bits.bit(space.rank(state)) << 1 | odd as u32 & 1
    }
}

impl fmt::Debug for ExactEight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExactEight").field("goal_blank", &self.goal_blank).finish_non_exhaustive()
    }
}

impl<S: StepSpace> Heuristic<S> for ExactEight {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.distance(space, state)
    }
}

/// The memo is the distance d. The child is at d + 1 if bit 1 of its distance is that of d + 1, and
/// at d − 1 otherwise: the two differ by 2, so in exactly that bit. One rank a step.
impl<S: StepSpace> IncrementalHeuristic<S> for ExactEight {
    type Memo = ExactMemo;

    fn memo(&self, space: &S, state: &S::State) -> ExactMemo {
        ExactMemo(self.distance(space, state))
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        memo: ExactMemo,
        _: &S::State,
        _: Move,
        child: &S::State,
    ) -> ExactMemo {
        let away = memo.0 + 1;
        let nearer = (away >> 1 ^ self.bits.bit(space.rank(child))) & 1;
        ExactMemo(away - 2 * nearer)
    }

    #[inline]
    fn value(&self, memo: &ExactMemo) -> Cost {
        memo.0
    }
}

#[cfg(test)]
mod tests;
