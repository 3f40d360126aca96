//! Multi-tile moves on top of any step space.

use loyd_search::{Contexts, Goals, Packable, Rankable, Reversible, StateSpace};

use super::{BoardSpace, StepSpace};
use crate::board::{Board, Relabelling};
use crate::moves::{Metric, Move};
use crate::partial_goal::PartialGoal;
use crate::size::Cell;
use crate::slide::{Slide, SlideSet};

/// The states of `S` with slides of any number of tiles as actions: the multi-tile metric.
///
/// States, keys and ranks do not change. Two consecutive slides along the same line are never needed;
/// [`SlideSet`] omits the second one where searches omit the inverse of the last move.
#[derive(Clone, Debug)]
pub struct Slides<S> {
    steps: S,
    /// The slides by cell of the blank.
    slides: Vec<SlideSet>,
    /// All slides possible on some cell, in search order, and by direction the index of the first one.
    all: Vec<Slide>,
    first: [u16; 4],
}

impl<S: StepSpace> Slides<S> {
    /// Creates the space of slides over the states of `steps`.
    pub fn new(steps: S) -> Self {
        let size = steps.size();
        let slides = |cell: Cell| {
            let (row, column) = (size.row(cell) as u8, size.column(cell) as u8);
            let (width, height) = (size.width() as u16, size.height() as u16);
            let [right, down] = [width - 1 - u16::from(column), height - 1 - u16::from(row)];
            SlideSet::new([row, column, right as u8, down as u8])
        };
        let [right, down] = [size.width() - 1, size.height() - 1].map(|cells| cells as u8);
        let (all, first) = SlideSet::new([down, right, right, down]).numbered();
        Self { slides: size.iter_cells().map(slides).collect(), all, first, steps }
    }
}

impl<S: StepSpace> StateSpace for Slides<S> {
    type State = S::State;
    type Action = Slide;
    type Actions = SlideSet;

    #[inline]
    fn actions(&self, state: &S::State) -> SlideSet {
        self.slides[self.steps.blank(state).index()]
    }

    #[inline]
    fn apply(&self, state: &mut S::State, slide: Slide) {
        for _ in 0..slide.tiles {
            self.steps.apply(state, slide.direction);
        }
    }

    #[inline]
    fn is_goal(&self, state: &S::State) -> bool {
        self.steps.is_goal(state)
    }
}

impl<S: StepSpace> Reversible for Slides<S> {
    #[inline]
    fn inverse(&self, slide: Slide) -> Slide {
        slide.inverse()
    }
}

impl<S: StepSpace> Goals for Slides<S> {
    fn goals(&self) -> Vec<S::State> {
        self.steps.goals()
    }
}

impl<S: StepSpace> Packable for Slides<S> {
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

impl<S: StepSpace> Rankable for Slides<S> {
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

impl<S: StepSpace> Contexts for Slides<S> {
    fn context_count(&self) -> usize {
        self.steps.context_count()
    }

    #[inline]
    fn context(&self, state: &S::State) -> usize {
        self.steps.context(state)
    }

    fn representative(&self, context: usize) -> S::State {
        self.steps.representative(context)
    }

    fn action_count(&self) -> usize {
        self.all.len()
    }

    #[inline]
    fn action_index(&self, slide: Slide) -> usize {
        usize::from(self.first[slide.direction as usize]) + usize::from(slide.tiles) - 1
    }

    #[inline]
    fn action(&self, index: usize) -> Slide {
        self.all[index]
    }
}

impl<S: StepSpace> BoardSpace for Slides<S> {
    const MAX_CELLS: usize = S::MAX_CELLS;
    const METRIC: Metric = Metric::MultiTile;

    type Steps = S;

    #[inline]
    fn steps(&self) -> &S {
        &self.steps
    }

    #[inline]
    fn fold_steps<M>(
        &self,
        mut memo: M,
        parent: &S::State,
        slide: Slide,
        _: &S::State,
        mut each: impl FnMut(M, &S::State, Move, &S::State) -> M,
    ) -> M {
        let mut before = parent.clone();
        for _ in 0..slide.tiles {
            let after = self.steps.successor(&before, slide.direction);
            memo = each(memo, &before, slide.direction, &after);
            before = after;
        }
        memo
    }

    fn moves(path: &[Slide]) -> Vec<Move> {
        let steps = |slide: &Slide| std::iter::repeat_n(slide.direction, slide.tiles.into());
        path.iter().flat_map(steps).collect()
    }

    fn relabelling(&self) -> &Relabelling {
        self.steps.relabelling()
    }

    fn encode(&self, board: &Board) -> S::State {
        self.steps.encode(board)
    }

    fn partial_goal(&self) -> Option<&PartialGoal> {
        self.steps.partial_goal()
    }

    fn is_constrained(&self, label: u8) -> bool {
        self.steps.is_constrained(label)
    }

    #[inline]
    fn blank(&self, state: &S::State) -> Cell {
        self.steps.blank(state)
    }

    #[inline]
    fn label(&self, state: &S::State, cell: Cell) -> u8 {
        self.steps.label(state, cell)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use loyd_search::{Meter, retrograde};

    use super::*;
    use crate::goal::Goal;
    use crate::size::Size;
    use crate::spaces::{ArraySpace, Packed3x3};

    /// Counts boards by their distance to `goal` in slides of at most `longest` tiles, searching on boards.
    fn census(goal: &Board, longest: usize) -> Vec<u64> {
        let mut met = HashSet::from([goal.clone()]);
        let (mut layer, mut census) = (vec![goal.clone()], Vec::new());
        while !layer.is_empty() {
            census.push(layer.len() as u64);
            let mut next = Vec::new();
            for board in layer {
                for m in Move::ALL {
                    let mut board = board.clone();
                    for _ in 0..longest {
                        if board.apply(m).is_err() {
                            break;
                        }
                        if met.insert(board.clone()) {
                            next.push(board.clone());
                        }
                    }
                }
            }
            layer = next;
        }
        census
    }

    fn table_census<S: BoardSpace>(space: &S) -> Vec<u64> {
        retrograde(space, &mut Meter::default()).unwrap().census().to_vec()
    }

    #[test]
    fn census_equals_search_on_boards_in_both_metrics() {
        for (width, height) in [(1, 2), (5, 1), (2, 2), (2, 3), (4, 2), (3, 3)] {
            let size = Size::new(width, height).unwrap();
            for goal in [Goal::BlankLast, Goal::BlankFirst] {
                let goal = goal.board(size).unwrap();
                let steps = ArraySpace::<16>::new(&goal);
                assert_eq!(table_census(&steps), census(&goal, 1), "{goal}");
                assert_eq!(table_census(&Slides::new(steps)), census(&goal, usize::MAX), "{goal}");
            }
        }
    }

    /// The greatest distances to the goal in both metrics.
    #[test]
    fn greatest_distances_in_both_metrics() {
        for (width, height, steps, slides) in
            [(2, 2, 6, 6), (2, 3, 21, 20), (2, 4, 36, 25), (2, 5, 55, 36)]
        {
            let goal = Goal::BlankLast.board(Size::new(width, height).unwrap()).unwrap();
            let space = ArraySpace::<16>::new(&goal);
            assert_eq!(table_census(&space).len(), steps + 1);
            assert_eq!(table_census(&Slides::new(space)).len(), slides + 1);
        }
        let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
        let eight = table_census(&Slides::new(Packed3x3::new(&goal)));
        assert_eq!((eight.len(), eight.iter().sum()), (25, 181_440));
    }

    #[test]
    fn slides_equal_their_single_steps() {
        let goal = Goal::BlankLast.board(Size::FIFTEEN).unwrap();
        let space = Slides::new(ArraySpace::<16>::new(&goal));
        let mut state = space.encode(&goal);
        let path = [(Move::Up, 3), (Move::Left, 2), (Move::Down, 1)];
        let path = path.map(|(direction, tiles)| Slide { direction, tiles });
        let mut board = goal.clone();
        for slide in path {
            assert!(space.actions(&state).into_iter().any(|known| known == slide));
            let before = state;
            space.apply(&mut state, slide);
            assert!(space.successor(&state, space.inverse(slide)) == before);
        }
        for m in Slides::<ArraySpace<16>>::moves(&path) {
            board.apply(m).unwrap();
        }
        assert!(space.decode(&state) == board && !space.is_goal(&state));
    }
}
