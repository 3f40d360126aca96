//! Exact distances of the 8-puzzle from one bit per state.

use std::convert::Infallible;
use std::fmt;

use loyd_search::{
    ActionSet, Cost, Heuristic, IncrementalHeuristic, Meter, Outcome, Path, Stop, walk_down,
};
use loyd_tiles::{BoardSpace, Cell, Move, Size, StepSpace};

use crate::tables::SecondBits;

/// The distance of every 3x3 board from the goals with the blank on a given cell.
///
/// Stores bit 1 of the distance by rank: 22,680 bytes for each of the nine goal cells, built into the program or, in
/// WebAssembly, computed when they are needed first. This type is a handle to one of these tables. Bit 0 needs no table: every move changes the distance by exactly one, so
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
        let Ok(distance) = self.walk(space, state, |_| Ok::<_, Infallible>(()), |_| ());
        distance
    }

    /// Descends from `start` to the goal of `space`. Expands the same nodes as
    /// [`descend`](loyd_search::descend), in half the time: it needs no distance in advance.
    ///
    /// # Panics
    /// Like [`distance`](Self::distance).
    pub fn descend<S: StepSpace>(
        &self,
        space: &S,
        start: &S::State,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        let depth = meter.limits().depth();
        if depth < Self::DIAMETER && self.distance(space, start) > depth {
            return Outcome::Stopped(Stop::Depth);
        }
        let mut path = Path::with_capacity(Self::DIAMETER as usize);
        let expand = |children| {
            meter.expand()?;
            meter.generate(children);
            Ok(())
        };
        match self.walk(space, start, expand, |action| path.push(action)) {
            Ok(cost) => Outcome::Solved { path, cost },
            Err(stop) => Outcome::Stopped(stop),
        }
    }

    /// Walks from `start` to the goal. Calls `expand` with the number of children of each state on the way, and then
    /// `step` with the move that leads nearer.
    fn walk<S: StepSpace, E>(
        &self,
        space: &S,
        start: &S::State,
        mut expand: impl FnMut(u64) -> Result<(), E>,
        mut step: impl FnMut(Move),
    ) -> Result<Cost, E> {
        let start = (start.clone(), None, self.modulo_4(space, start));
        let is_goal = |(state, ..): &(S::State, _, _)| space.is_goal(state);
        walk_down(start, is_goal, |(state, undo, modulo_4), steps| {
            assert!(steps < Self::DIAMETER, "the state does not belong to this space");
            let actions = space.actions(&state).without(undo);
            expand(actions.count())?;
            let modulo_4 = modulo_4.wrapping_sub(1) & 3;
            let nearer = actions.into_iter().find_map(|action| {
                let child = space.successor(&state, action);
                // Children are at distance d − 1 or d + 1, which differ in bit 1.
                let is_nearer = self.bits.bit(space.rank(&child)) == modulo_4 >> 1;
                is_nearer.then_some((action, child))
            });
            let (action, child) =
                nearer.expect("some move decreases the distance of a state of this space");
            step(action);
            Ok((child, Some(space.inverse(action)), modulo_4))
        })
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
    use loyd_search::{CancelToken, Limits, Rankable, StateSpace, descend, replay, retrograde};
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
    fn all_descents_are_the_same() {
        let space = space(4);
        let exact = ExactEight::new(&space);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        for rank in (0..space.state_count().unwrap()).step_by(37) {
            let start = space.unrank(rank);
            let limited = |max_expanded, max_depth| {
                let limits = Limits { max_expanded, max_depth, ..Limits::default() };
                let meter = || Meter::new(limits, CancelToken::new());
                let mut meters = [meter(), meter(), meter()];
                let outcomes = [
                    exact.descend(&space, &start, &mut meters[0]),
                    descend(&space, &exact, &start, &mut meters[1]),
                    descend(&space, &table, &start, &mut meters[2]),
                ];
                let mut counts = outcomes
                    .into_iter()
                    .zip(meters)
                    .map(|(outcome, meter)| (outcome, meter.expanded(), meter.generated()));
                let first = counts.next().unwrap();
                assert!(counts.all(|other| other == first), "{rank}: {first:?}");
                first.0
            };
            let Outcome::Solved { path, cost } = limited(None, None) else { panic!("not solved") };
            assert_eq!(replay(&space, &start, &path), Ok(cost));
            for limit in [0, 7, 19, 30] {
                limited(Some(limit), None);
                limited(None, Some(limit as Cost));
            }
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
