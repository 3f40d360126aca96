//! Boards in which some tiles are alike.

use loyd_search::{Goals, Packable, Rankable, Reversible, StateSpace};

use super::{BoardSpace, StepSpace};
use crate::board::Board;
use crate::cell::Cell;
use crate::goal::Relabelling;
use crate::metric::Metric;
use crate::moves::{Move, MoveSet};
use crate::partial_goal::PartialGoal;
use crate::spaces::array::{ArraySpace, ArrayState};

/// The boards from which a [`PartialGoal`] might be reached: a byte a cell, and one label for all tiles that
/// no marked cell wants.
///
/// The goals form a set: a state for each cell on which the blank may end.
#[derive(Clone, Debug)]
pub struct PartialSpace<const N: usize> {
    steps: ArraySpace<N>,
    goal: PartialGoal,
    /// By label: whether a marked cell wants the tile.
    marked: Vec<bool>,
    /// What free tiles are called: the label of one of them.
    free: Option<u8>,
    /// The marked cells and the labels that they want, that of the blank included.
    wanted: Vec<(u8, u8)>,
    goals: Vec<ArrayState<N>>,
    ranking: Ranking,
}

/// How states are numbered.
#[derive(Clone, Debug)]
enum Ranking {
    /// As if all tiles were different, which they are if at most one is free, or on a line.
    Plain,
    /// The cell of the blank, then the place of each marked tile among the cells that are left.
    Places(Option<u64>),
}

impl<const N: usize> PartialSpace<N> {
    /// The space of boards that lead to `goal`, of which `board` is one that meets it and can be reached
    /// from the starts that are meant: see [`PartialGoal::reachable`].
    ///
    /// # Panics
    /// If the board has more than `N` cells, or does not meet the goal.
    pub fn new(goal: &PartialGoal, board: &Board) -> Self {
        assert!(goal.is_met_by(board), "{board} does not meet {goal}");
        let steps = ArraySpace::<N>::new(board);
        let (size, labels) = (board.size(), steps.relabelling());
        let cells = size.iter_cells();
        let wanted: Vec<(u8, u8)> = cells
            .filter_map(|cell| Some((cell.index() as u8, labels.label(goal.wanted(cell)?))))
            .collect();
        let mut marked = vec![false; size.tiles()];
        for &(_, label) in wanted.iter().filter(|(_, label)| *label != Relabelling::BLANK) {
            marked[usize::from(label)] = true;
        }
        let free = marked.iter().position(|&marked| !marked).map(|label| label as u8);
        let frees = marked.iter().filter(|&&marked| !marked).count();
        let ranking = match frees < 2 || size.is_line() {
            true => Ranking::Plain,
            false => Ranking::Places(places(size.cells(), size.tiles() - frees)),
        };
        let mut space =
            Self { steps, goal: goal.clone(), marked, free, wanted, goals: Vec::new(), ranking };
        space.goals =
            goal.blank_cells().iter().filter_map(|&blank| space.goal_with(board, blank)).collect();
        space
    }

    /// The goal with the blank on a cell, if it can be reached.
    fn goal_with(&self, board: &Board, blank: Cell) -> Option<ArrayState<N>> {
        let goal = if self.steps.size().is_line() {
            // The tiles between shift.
            board.with_blank_on(blank)
        } else {
            let mut numbers: Vec<u32> = board.numbers().map(u32::from).collect();
            numbers.swap(board.blank().index(), blank.index());
            Board::new(board.size(), &numbers).ok()?
        };
        let state = self.encode(&goal);
        let reachable = match self.ranking {
            Ranking::Places(_) => true,
            Ranking::Plain => crate::parity::Solvability::test(&goal, self.steps.relabelling()),
        };
        (reachable && self.is_goal(&state)).then_some(state)
    }
}

/// cells! / (cells - 1 - marked)!: a cell for the blank, then one for each marked tile.
fn places(cells: usize, marked: usize) -> Option<u64> {
    (0..=marked as u64).try_fold(1_u64, |product, i| product.checked_mul(cells as u64 - i))
}

impl<const N: usize> StateSpace for PartialSpace<N> {
    type State = ArrayState<N>;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &Self::State) -> MoveSet {
        self.steps.actions(state)
    }

    #[inline]
    fn apply(&self, state: &mut Self::State, action: Move) {
        self.steps.apply(state, action);
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        let label = |cell: u8| self.steps.label(state, Cell::new(cell.into()));
        self.wanted.iter().all(|&(cell, wanted)| label(cell) == wanted)
    }
}

impl<const N: usize> Reversible for PartialSpace<N> {
    #[inline]
    fn inverse(&self, action: Move) -> Move {
        action.inverse()
    }
}

impl<const N: usize> Goals for PartialSpace<N> {
    fn goals(&self) -> Vec<Self::State> {
        self.goals.clone()
    }
}

impl<const N: usize> Packable for PartialSpace<N> {
    type Key = [u8; N];

    fn pack(&self, state: &Self::State) -> Self::Key {
        self.steps.pack(state)
    }

    fn unpack(&self, key: Self::Key) -> Self::State {
        self.steps.unpack(key)
    }
}

impl<const N: usize> Rankable for PartialSpace<N> {
    fn state_count(&self) -> Option<u64> {
        match self.ranking {
            Ranking::Plain => self.steps.state_count(),
            Ranking::Places(count) => count,
        }
    }

    fn rank(&self, state: &Self::State) -> u64 {
        if let Ranking::Plain = self.ranking {
            return self.steps.rank(state);
        }
        let size = self.steps.size();
        // The cells in the order in which places are counted, those that are taken moved to the end.
        let mut left: Vec<u8> = size.iter_cells().map(|cell| cell.index() as u8).collect();
        let mut rank = 0;
        let mut place = |cell: usize| {
            let at = left.iter().position(|&other| usize::from(other) == cell).unwrap_or(0);
            rank = rank * left.len() as u64 + at as u64;
            left.swap_remove(at);
        };
        let mut cells = [0; N];
        for cell in size.iter_cells() {
            let label = self.steps.label(state, cell);
            if label != Relabelling::BLANK && self.is_constrained(label) {
                cells[usize::from(label)] = cell.index();
            }
        }
        place(self.steps.blank(state).index());
        (0..size.tiles()).filter(|&label| self.marked[label]).for_each(|label| place(cells[label]));
        rank
    }

    fn unrank(&self, mut rank: u64) -> Self::State {
        if let Ranking::Plain = self.ranking {
            return self.steps.unrank(rank);
        }
        let size = self.steps.size();
        let (cells, tiles) = (size.cells(), size.tiles());
        let marked: Vec<u8> =
            (0..tiles as u8).filter(|&label| self.is_constrained(label)).collect();
        let mut places: Vec<usize> = (cells - marked.len()..=cells)
            .map(|radix| {
                let place = rank % radix as u64;
                rank /= radix as u64;
                place as usize
            })
            .collect();
        let mut left: Vec<u8> = size.iter_cells().map(|cell| cell.index() as u8).collect();
        let mut labels = [Relabelling::BLANK; N];
        labels[..cells].fill(self.free.unwrap_or(0));
        let blank = left.swap_remove(places.pop().unwrap_or(0));
        labels[usize::from(blank)] = Relabelling::BLANK;
        for label in marked {
            let cell = left.swap_remove(places.pop().unwrap_or(0));
            labels[usize::from(cell)] = label;
        }
        self.steps.unpack_with_blank(labels, blank)
    }
}

impl<const N: usize> BoardSpace for PartialSpace<N> {
    const MAX_CELLS: usize = N;
    const METRIC: Metric = Metric::SingleTile;

    fn moves(path: &[Move]) -> Vec<Move> {
        path.to_vec()
    }

    fn relabelling(&self) -> &Relabelling {
        self.steps.relabelling()
    }

    fn encode(&self, board: &Board) -> Self::State {
        let state = self.steps.encode(board);
        let (Some(free), Ranking::Places(_)) = (self.free, &self.ranking) else { return state };
        let alike = |label: u8| match label {
            Relabelling::BLANK => label,
            label if self.is_constrained(label) => label,
            _ => free,
        };
        self.steps
            .unpack_with_blank(self.steps.pack(&state).map(alike), board.blank().index() as u8)
    }

    fn part(&self) -> Option<&PartialGoal> {
        Some(&self.goal)
    }

    fn is_constrained(&self, label: u8) -> bool {
        self.marked[usize::from(label)]
    }

    #[inline]
    fn blank(&self, state: &Self::State) -> Cell {
        self.steps.blank(state)
    }

    #[inline]
    fn label(&self, state: &Self::State, cell: Cell) -> u8 {
        self.steps.label(state, cell)
    }
}

impl<const N: usize> StepSpace for PartialSpace<N> {
    #[inline]
    fn target(&self, state: &Self::State, action: Move) -> Cell {
        self.steps.target(state, action)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use loyd_search::{Meter, retrograde};

    use super::*;
    use crate::goal::Goal;
    use crate::notation::parse_partial_goal;
    use crate::size::Size;

    /// All boards that can be reached from `start`.
    fn reachable(start: &Board) -> HashSet<Board> {
        let (mut met, mut open) = (HashSet::from([start.clone()]), vec![start.clone()]);
        while let Some(board) = open.pop() {
            for m in Move::ALL {
                let mut next = board.clone();
                if next.apply(m).is_ok() && met.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        met
    }

    /// The distance of each of `boards` to the nearest one that meets `goal`, from boards alone.
    fn distances(goal: &PartialGoal, boards: &HashSet<Board>) -> HashMap<Board, u32> {
        let mut layer: Vec<Board> =
            boards.iter().filter(|board| goal.is_met_by(board)).cloned().collect();
        let mut met: HashMap<Board, u32> = layer.iter().map(|b| (b.clone(), 0)).collect();
        for distance in 1.. {
            let mut next = Vec::new();
            for board in &layer {
                for m in Move::ALL {
                    let mut board = board.clone();
                    if board.apply(m).is_ok() && !met.contains_key(&board) {
                        met.insert(board.clone(), distance);
                        next.push(board);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        met
    }

    fn check(text: &str) {
        let goal = parse_partial_goal(text, None).unwrap();
        let size: Size = goal.size();
        let start = Goal::BlankLast.board(size).unwrap();
        let Some(board) = goal.reachable(&start) else { panic!("{text} cannot be reached") };
        let space = PartialSpace::<16>::new(&goal, &board);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        let boards = reachable(&start);
        let truth = distances(&goal, &boards);
        assert_eq!(truth.len(), boards.len());
        for (board, distance) in &truth {
            let state = space.encode(board);
            assert_eq!(table.distance(&space, &state), *distance, "{text}: {board}");
            assert_eq!(space.is_goal(&state), *distance == 0, "{text}: {board}");
            let rank = space.rank(&state);
            assert!(Some(rank) < space.state_count());
            assert!(space.unrank(rank) == state, "{text}: {board}");
        }
        let states: HashSet<_> =
            truth.keys().map(|board| space.pack(&space.encode(board))).collect();
        assert_eq!(table.census().iter().sum::<u64>(), states.len() as u64, "{text}");
    }

    #[test]
    fn distances_are_those_to_the_nearest_board_that_meets_the_goal() {
        for text in [
            "1 2/* *",
            "* */* x",
            "1 2 3/* * *",
            "* * x/4 * *",
            "1 2 3/4 * x",
            "1 2 3/4 5 *",
            "1 2 3/4 * *",
            "* * * x/",
            "1 * * */",
            "* * * *",
        ] {
            check(text);
        }
    }

    /// A goal that wants the first tiles on the first cells.
    fn wants_first(size: &str, tiles: usize) -> PartialGoal {
        let size: Size = size.parse().unwrap();
        let numbers: Vec<Option<u32>> =
            (1..=size.cells()).map(|n| (n <= tiles).then_some(n as u32)).collect();
        PartialGoal::new(size, &numbers).unwrap()
    }

    #[test]
    fn ranks_number_the_states_of_the_largest_boards() {
        for size in ["16x16", "8x32", "128x2"] {
            for tiles in [1, 2] {
                let goal = wants_first(size, tiles);
                let board = goal.reachable(&goal.example()).unwrap();
                let space = PartialSpace::<256>::new(&goal, &board);
                let count = space.state_count().unwrap();
                assert_eq!(count, [256 * 255, 256 * 255 * 254][tiles - 1]);
                for rank in (0..count).step_by(997).chain([count - 1]) {
                    assert_eq!(space.rank(&space.unrank(rank)), rank, "{size}");
                }
            }
        }
    }

    #[test]
    fn distances_on_three_by_three() {
        for text in
            ["1 2 3/* * */* * *", "1 * */4 * */7 * x", "* * */* x */* * *", "1 2 3/4 5 6/7 * *"]
        {
            check(text);
        }
    }
}
