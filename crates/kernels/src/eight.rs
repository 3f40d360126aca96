//! Exact distances of the 8-puzzle from one bit per state.

use std::convert::Infallible;
use std::fmt;

use loyd_search::{ActionSet, Cost, Heuristic, IncrementalHeuristic, walk_down};
use loyd_tiles::{BoardSpace, Cell, Move, Size, StepSpace};

use crate::tables::SecondBits;

/// The distance of every 3x3 board from the goals with the blank on a given cell.
///
/// Stores bit 1 of the distance by rank: 22,680 bytes, built into the program, for each of the nine goal cells. This
/// type is a handle to one of these tables. Bit 0 needs no table: every move changes the distance by exactly one, so
/// its parity is the chessboard colour of the blank's cell. Distances are thus known modulo 4, which distinguishes
/// moves towards the goal from moves away.
///
/// Guarantees: exact, hence admissible and consistent. Only solvable states have a rank; the caller tests boards
/// for solvability before encoding them.
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

/// The distance of a state, updated along a path by [`ExactEight`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactMemo(Cost);

impl ExactEight {
    /// The largest distance, for any goal.
    const DIAMETER: Cost = 31;

    /// Returns the handle for `space` and all other spaces whose goal has the blank on the same cell.
    ///
    /// # Panics
    /// If the boards of `space` are not 3x3.
    pub fn new(space: &impl BoardSpace) -> Self {
        assert_eq!(space.size(), Size::EIGHT, "the table is for 3x3 boards");
        let goal_blank = space.relabelling().goal().blank();
        Self { goal_blank, bits: SecondBits::new(goal_blank) }
    }

    /// Returns the number of moves from `state` to the goal of `space`.
    ///
    /// Cost: a walk to the goal of at most 31 moves.
    ///
    /// # Panics
    /// If the goal of `space` has the blank on another cell than the handle's, or if `state` does not belong to
    /// `space`, so that no walk leads to the goal.
    pub fn distance<S: StepSpace>(&self, space: &S, state: &S::State) -> Cost {
        let start = (state.clone(), None, self.modulo_4(space, state));
        let is_goal = |(state, ..): &(S::State, _, _)| space.is_goal(state);
        let Ok(distance) = walk_down(start, is_goal, |(state, undo, modulo_4), steps| {
            assert!(steps < Self::DIAMETER, "the state does not belong to this space");
            let modulo_4 = modulo_4.wrapping_sub(1) & 3;
            let nearer = space.actions(&state).without(undo).into_iter().find_map(|action| {
                let child = space.successor(&state, action);
                // Children are at distance d − 1 or d + 1, which differ in bit 1.
                let nearer = self.bits.bit(space.rank(&child)) == modulo_4 >> 1;
                nearer.then(|| (child, Some(space.inverse(action)), modulo_4))
            });
            let nearer = nearer.expect("some move decreases the distance of a state of this space");
            Ok::<_, Infallible>(nearer)
        });
        distance
    }

    /// Returns the distance modulo 4.
    #[inline]
    fn modulo_4<S: StepSpace>(&self, space: &S, state: &S::State) -> u32 {
        let goal = space.relabelling().goal().blank();
        assert_eq!(goal, self.goal_blank, "the table belongs to another goal");
        // On a board of odd width, the chessboard colour of a cell is the parity of its index.
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

/// The memo is the distance d. The child is at d + 1 if bit 1 of its distance equals that of d + 1, and at d − 1
/// otherwise: the two differ by 2, hence in that bit. Cost: one rank and one table look-up per step.
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
mod tests {
    use loyd_search::{Meter, Outcome, Rankable, StateSpace, descend, replay, retrograde};
    use loyd_tiles::{Board, Size};
    use proptest::prelude::*;

    use loyd_tiles::Packed3x3;

    use super::*;

    /// Returns a space whose goal has the blank on `goal_blank` and its tiles out of order.
    fn space(goal_blank: usize) -> Packed3x3 {
        let mut numbers = vec![3, 1, 2, 8, 5, 7, 4, 6];
        numbers.insert(goal_blank, 0);
        Packed3x3::new(&Board::new(Size::EIGHT, &numbers).unwrap())
    }

    #[test]
    fn distances_equal_retrograde_search_for_every_goal_cell() {
        for goal_blank in 0..9 {
            let space = space(goal_blank);
            let exact = ExactEight::new(&space);
            let table = retrograde(&space, &mut Meter::default()).unwrap();
            for rank in 0..space.state_count().unwrap() {
                let state = space.unrank(rank);
                let distance = exact.distance(&space, &state);
                assert_eq!(distance, table.distance(&space, &state), "{goal_blank}: {rank}");
            }
        }
    }

    #[test]
    fn both_tables_give_the_same_path() {
        let space = space(4);
        let exact = ExactEight::new(&space);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        for rank in (0..space.state_count().unwrap()).step_by(37) {
            let start = space.unrank(rank);
            let outcome = descend(&space, &exact, &start, &mut Meter::default());
            assert_eq!(outcome, descend(&space, &table, &start, &mut Meter::default()));
            let Outcome::Solved { path, cost } = outcome else { panic!("not solved") };
            assert_eq!(replay(&space, &start, &path), Ok(cost));
        }
    }

    #[test]
    #[should_panic(expected = "the table belongs to another goal")]
    fn the_table_of_another_goal_panics() {
        let state = space(0).unrank(5);
        ExactEight::new(&space(8)).distance(&space(0), &state);
    }

    #[test]
    #[should_panic(expected = "this space")]
    fn unsolvable_boards_panic() {
        let space = Packed3x3::new(&Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap());
        let board = Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap();
        ExactEight::new(&space).distance(&space, &space.encode(&board));
    }

    proptest! {
        #[test]
        fn incremental_update_equals_evaluation_from_scratch(
            goal_blank in 0..9_usize,
            start in 0..181_440_u64,
            steps in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let space = space(goal_blank);
            let exact = ExactEight::new(&space);
            let mut state = space.unrank(start);
            let mut memo = exact.memo(&space, &state);
            for step in steps {
                let actions: Vec<Move> = space.actions(&state).into_iter().collect();
                let action = actions[usize::from(step) % actions.len()];
                let child = space.successor(&state, action);
                let carried = exact.update(&space, memo, &state, action, &child);
                let value = |memo: &ExactMemo| IncrementalHeuristic::<Packed3x3>::value(&exact, memo);
                prop_assert_eq!(value(&memo).abs_diff(value(&carried)), 1);
                (memo, state) = (carried, child);
                prop_assert_eq!(value(&memo), exact.h(&space, &state));
            }
        }
    }
}
