//! State spaces for the searches.
//!
//! All spaces work on labels relative to the goal (see [`Relabelling`]), so any goal costs the same.
//! [`Packed3x3`] and [`Packed4x4`] are the fast spaces for the 8- and the 15-puzzle; [`ArraySpace`]
//! supports any size. Their actions move one tile. [`Slides`] wraps any of them with actions that move
//! all tiles between the blank and its new cell, and [`Costed`] with costs that depend on the moving
//! tile.

mod array;
mod array_partial;
mod array_states;
mod costed;
mod packed3x3;
mod packed4x4;
mod slides;

pub use array::ArraySpace;
pub use array_states::ArrayState;
pub use costed::Costed;
pub use packed3x3::Packed3x3;
pub use packed4x4::{Packed4x4, State4x4};
pub use slides::Slides;

use loyd_search::{Contexts, Goals, Packable, Rankable, Reversible, StateSpace};

use crate::board::{Board, Relabelling};
use crate::moves::{Metric, Move, MoveSet};
use crate::partial_goal::PartialGoal;
use crate::size::{Cell, Size, Tile};

/// Returns the legal moves by cell of the blank; entries past the last cell are empty.
const fn moves<const N: usize>(width: usize, height: usize) -> [MoveSet; N] {
    let mut moves = [MoveSet::EMPTY; N];
    let mut cell = 0;
    while cell < width * height {
        if cell >= width {
            moves[cell] = moves[cell].with(Move::Up);
        }
        if !cell.is_multiple_of(width) {
            moves[cell] = moves[cell].with(Move::Left);
        }
        if cell % width < width - 1 {
            moves[cell] = moves[cell].with(Move::Right);
        }
        if cell < width * (height - 1) {
            moves[cell] = moves[cell].with(Move::Down);
        }
        cell += 1;
    }
    moves
}

/// Number of kinds of nodes on boards of up to 16 cells.
const KINDS: usize = 4 * 16;

/// Returns the kind of a node, which determines its moves: the cell of the blank (below 16) and the last move.
#[inline(always)]
fn kind(blank: u8, last: Move) -> usize {
    16 * last as usize + usize::from(blank & 15)
}

/// Returns the cell of the blank and the last move of a node of this kind.
const fn of_kind(kind: usize) -> (u8, Option<Move>) {
    (kind as u8 % 16, Some(Move::ALL[kind / 16]))
}

/// Dispatches to the code for a kind. The arguments list for each move the cells on which it can leave the blank.
macro_rules! specialize {
    ($kind:expr, $code:expr, $up:tt, $left:tt, $right:tt, $down:tt) => {
        match ($kind / 16, $kind % 16) {
            (0, blank) => specialize!(@cells blank, $code, 0, $up),
            (1, blank) => specialize!(@cells blank, $code, 16, $left),
            (2, blank) => specialize!(@cells blank, $code, 32, $right),
            (_, blank) => specialize!(@cells blank, $code, 48, $down),
        }
    };
    (@cells $blank:expr, $code:expr, $first:literal, [$($cell:literal)*]) => {
        match $blank {
            $($cell => $code.run::<{ $first + $cell }>(),)*
            _ => unreachable!("the last move cannot leave the blank on this cell"),
        }
    };
}
use specialize;

/// A sliding-tile state space, with the operations that heuristics and front ends need beyond searching.
///
/// A state holds the label of the tile on each cell and the cell of the blank.
pub trait BoardSpace: StateSpace + Reversible + Goals + Packable + Rankable + Contexts {
    /// Maximum number of cells of a board.
    const MAX_CELLS: usize;

    /// The metric in which each action counts one.
    const METRIC: Metric;

    /// The space of the same states whose actions move one tile: `Self`, unless the actions are slides.
    type Steps: StepSpace<State = Self::State>;

    /// Returns the space of the same states with single steps as actions.
    fn steps(&self) -> &Self::Steps;

    /// Folds `memo` over the single steps of `action`, from `parent` to `child`. `each` takes the memo, the state
    /// before a step, the step, and the state after it.
    fn fold_steps<M>(
        &self,
        memo: M,
        parent: &Self::State,
        action: Self::Action,
        child: &Self::State,
        each: impl FnMut(M, &Self::State, Move, &Self::State) -> M,
    ) -> M;

    /// Returns the moves of the blank, one per cell, that make up a path.
    fn moves(path: &[Self::Action]) -> Vec<Move>;

    /// Returns the goal and the labels of its tiles.
    fn relabelling(&self) -> &Relabelling;

    /// Returns the state of `board`, which must have the size of the goal.
    fn encode(&self, board: &Board) -> Self::State;

    /// Returns the partial goal if the space has one.
    fn partial_goal(&self) -> Option<&PartialGoal> {
        None
    }

    /// Returns whether the goal constrains the tile with this label to one cell.
    fn is_constrained(&self, _label: u8) -> bool {
        true
    }

    /// Returns the cell of the blank.
    fn blank(&self, state: &Self::State) -> Cell;

    /// Returns the label of the tile on `cell`, which must not be the blank's.
    fn label(&self, state: &Self::State, cell: Cell) -> u8;

    /// Returns the size of all boards.
    fn size(&self) -> Size {
        self.relabelling().goal().size()
    }

    /// Returns the board of `state`. Don't-care tiles that share a label get their numbers in any order.
    fn decode(&self, state: &Self::State) -> Board {
        let blank = self.blank(state);
        let number = |cell: Cell| match cell {
            cell if cell == blank => 0,
            cell => self.relabelling().tile(self.label(state, cell)).number().into(),
        };
        let mut numbers: Vec<u32> = self.size().iter_cells().map(number).collect();
        if let Some(goal) = self.partial_goal() {
            make_distinct(&mut numbers, goal);
        }
        Board::new(self.size(), &numbers).expect("a state holds each label once")
    }
}

/// Replaces repeated numbers by the distinct numbers of the interchangeable tiles.
fn make_distinct(numbers: &mut [u32], goal: &PartialGoal) {
    let tile = |number: u32| Tile::new(number as u16);
    let tiles = goal.dont_care_tiles().into_iter().map(|tile| u32::from(tile.number()));
    let mut left: Vec<u32> = tiles.filter(|tile| !numbers.contains(tile)).collect();
    for cell in 1..numbers.len() {
        if numbers[..cell].contains(&numbers[cell]) {
            let alike = |&other: &u32| goal.are_interchangeable(tile(other), tile(numbers[cell]));
            let index = left.iter().rposition(alike);
            numbers[cell] = left.remove(index.expect("each tile has a cell"));
        }
    }
}

/// A sliding-tile space whose actions move one tile each.
pub trait StepSpace: BoardSpace<Action = Move, Actions = MoveSet> {
    /// Returns the cell to which the legal `action` moves the blank, and from which the tile comes.
    fn target(&self, state: &Self::State, action: Move) -> Cell;

    /// Returns the label of the tile that the legal `action` moves.
    #[inline]
    fn moving(&self, state: &Self::State, action: Move) -> u8 {
        self.label(state, self.target(state, action))
    }
}

/// The items of [`BoardSpace`] shared by all spaces whose actions move one tile.
macro_rules! single_steps {
    () => {
        const METRIC: $crate::Metric = $crate::Metric::SingleTile;

        type Steps = Self;

        #[inline]
        fn steps(&self) -> &Self {
            self
        }

        #[inline(always)]
        fn fold_steps<M>(
            &self,
            memo: M,
            parent: &Self::State,
            action: Move,
            child: &Self::State,
            mut each: impl FnMut(M, &Self::State, Move, &Self::State) -> M,
        ) -> M {
            each(memo, parent, action, child)
        }

        fn moves(path: &[Move]) -> Vec<Move> {
            path.to_vec()
        }
    };
}
use single_steps;

/// Implements [`Contexts`] for a space whose actions move one tile. The context is the cell of the blank, and actions
/// are indexed in search order. `$example` returns the state with the blank on a cell and distinct labels elsewhere.
macro_rules! contexts_of_steps {
    ($example:expr) => {
        fn context_count(&self) -> usize {
            self.size().cells()
        }

        #[inline]
        fn context(&self, state: &Self::State) -> usize {
            self.blank(state).index()
        }

        fn representative(&self, context: usize) -> Self::State {
            let example: fn(&Self, $crate::Cell) -> Self::State = $example;
            example(self, $crate::Cell::new(context))
        }

        fn action_count(&self) -> usize {
            Move::ALL.len()
        }

        #[inline]
        fn action_index(&self, action: Move) -> usize {
            action as usize
        }

        #[inline]
        fn action(&self, index: usize) -> Move {
            Move::ALL[index]
        }
    };
}
use contexts_of_steps;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use loyd_search::{Contexts, SpecializedCode};
    use proptest::prelude::*;

    use super::*;
    use crate::goal::Goal;

    /// Checks that assuming the kind of a state changes neither the state nor the last move.
    struct Known<'a, S: StateSpace>(&'a S, &'a S::State, S::Action);

    impl<S: StateSpace> SpecializedCode for Known<'_, S> {
        type Output = bool;

        fn run<const KIND: usize>(self) -> bool {
            let Self(space, state, last) = self;
            let (known, by) = space.assume::<KIND>(state.clone(), None);
            known == *state && by == (S::KINDS > 1).then_some(last)
        }
    }

    /// Makes the same random moves on the board and in the space, and compares them after each.
    fn walk<S: StepSpace>(space: &S, steps: &[u8]) -> Result<(), TestCaseError> {
        let mut board = space.relabelling().goal().clone();
        let mut state = space.encode(&board);
        prop_assert!(space.is_goal(&state));
        prop_assert!(space.goals() == [state.clone()]);
        for &step in steps {
            let legal: Vec<Move> = board.moves().into_iter().collect();
            prop_assert!(space.actions(&state).into_iter().eq(legal.iter().copied()));
            let m = legal[usize::from(step) % legal.len()];
            let (before, target) = (state.clone(), space.target(&state, m));
            prop_assert_eq!(space.moving(&state, m), space.label(&state, target));
            board.apply(m).unwrap();
            space.apply(&mut state, m);
            prop_assert_eq!(space.blank(&state), target);
            prop_assert_eq!(&space.decode(&state), &board);
            prop_assert!(space.encode(&board) == state);
            prop_assert!(space.unpack(space.pack(&state)) == state);
            prop_assert!(space.successor(&state, space.inverse(m)) == before);
            if space.state_count().is_some() {
                prop_assert!(space.unrank(space.rank(&state)) == state);
            }
            prop_assert_eq!(space.is_goal(&state), board == *space.relabelling().goal());
            let kind = space.kind(&state, m);
            prop_assert!(kind < S::KINDS && space.specialize(kind, Known(space, &state, m)));
            for m in legal {
                let is_goal = space.is_goal(&space.successor(&before, m));
                prop_assert_eq!(space.leads_to_goal(&before, m), is_goal);
            }
        }
        Ok(())
    }

    #[test]
    fn representatives_have_all_tiles_once() {
        for size in ["16x16", "2x128", "15x17"] {
            let size: Size = size.parse().unwrap();
            let space = ArraySpace::<256>::new(&Goal::BlankLast.board(size).unwrap());
            for context in 0..space.context_count() {
                let state = space.representative(context);
                assert_eq!(space.context(&state), context);
                let tiles: BTreeSet<_> = space.decode(&state).tiles().iter().copied().collect();
                assert_eq!(tiles.len(), size.cells(), "{size}, {context}");
            }
        }
    }

    fn any_board(w: u32, h: u32) -> impl Strategy<Value = Board> {
        let size = Size::new(w, h).unwrap();
        Just((0..size.cells() as u32).collect::<Vec<_>>())
            .prop_shuffle()
            .prop_map(move |numbers| Board::new(size, &numbers).unwrap())
    }

    proptest! {
        #[test]
        fn packed_3x3_walks_like_the_board(
            goal in any_board(3, 3),
            steps in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let packed = Packed3x3::new(&goal);
            let plain = ArraySpace::<16>::new(&goal);
            walk(&packed, &steps)?;
            walk(&plain, &steps)?;
        }

        #[test]
        fn packed_4x4_walks_like_the_board(
            goal in any_board(4, 4),
            steps in prop::collection::vec(any::<u8>(), 0..120),
        ) {
            let packed = Packed4x4::new(&goal);
            let plain = ArraySpace::<16>::new(&goal);
            walk(&packed, &steps)?;
            walk(&plain, &steps)?;
        }

        #[test]
        fn packed_and_plain_4x4_states_have_the_same_ranks(
            goal in any_board(4, 4),
            rank in 0..10_461_394_944_000_u64,
        ) {
            let (packed, plain) = (Packed4x4::new(&goal), ArraySpace::<16>::new(&goal));
            prop_assert_eq!(packed.state_count(), plain.state_count());
            let state = packed.unrank(rank);
            prop_assert_eq!(packed.rank(&state), rank);
            prop_assert_eq!(plain.rank(&plain.encode(&packed.decode(&state))), rank);
        }

        #[test]
        fn plain_spaces_walk_like_the_board(
            (w, h) in (1..=7_u32, 1..=7_u32).prop_filter("two cells", |(w, h)| w * h > 1),
            steps in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let goal = Goal::BlankFirst.board(Size::new(w, h).unwrap()).unwrap();
            walk(&ArraySpace::<64>::new(&goal), &steps)?;
        }
    }

    #[test]
    fn array_space_holds_the_largest_boards() {
        for (w, h) in [(16, 16), (256, 1), (1, 256)] {
            let goal = Goal::BlankLast.board(Size::new(w, h).unwrap()).unwrap();
            walk(&ArraySpace::<256>::new(&goal), &[0, 1, 2, 3, 4, 5]).unwrap();
        }
    }

    #[test]
    fn packed_and_plain_spaces_rank_all_3x3_states_alike() {
        for goal in [Goal::BlankLast, Goal::BlankFirst] {
            let goal = goal.board(Size::EIGHT).unwrap();
            let (packed, plain) = (Packed3x3::new(&goal), ArraySpace::<16>::new(&goal));
            assert_eq!(packed.state_count(), Some(181_440));
            for rank in 0..181_440 {
                let state = packed.unrank(rank);
                assert_eq!(packed.rank(&state), rank);
                assert_eq!(plain.rank(&plain.encode(&packed.decode(&state))), rank);
            }
        }
    }
}
