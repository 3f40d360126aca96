//! What an [`ArraySpace`](super::ArraySpace) knows of a partial goal.

use super::state::ArrayState;
use crate::board::Board;
use crate::cell::Cell;
use crate::goal::Relabelling;
use crate::parity::Solvability;
use crate::partial_goal::PartialGoal;
use crate::size::Size;

/// A partial goal: one label for all don't-care tiles, and a set of goals, one for each cell on which the
/// blank may end.
#[derive(Clone, Debug)]
pub(super) struct Partial<const N: usize> {
    pub goal: PartialGoal,
    /// By label: whether the goal asks for the tile on a certain cell.
    pub constrained: Vec<bool>,
    pub goals: Vec<ArrayState<N>>,
    /// The label of all don't-care tiles, if there are any that can change places.
    dont_care: Option<u8>,
    /// The constrained cells and the labels that they must have, that of the blank included.
    required: Vec<(u8, u8)>,
}

impl<const N: usize> Partial<N> {
    /// The goals of `goal`, of which `board` is one: see [`PartialGoal::reachable`].
    pub fn new(goal: &PartialGoal, board: &Board, labels: &Relabelling) -> Self {
        let size = board.size();
        let required: Vec<(u8, u8)> = size
            .iter_cells()
            .filter_map(|cell| Some((cell.index() as u8, labels.label(goal.required(cell)?))))
            .collect();
        let mut constrained = vec![false; size.tiles()];
        for &(_, label) in required.iter().filter(|(_, label)| *label != Relabelling::BLANK) {
            constrained[usize::from(label)] = true;
        }
        let free = constrained.iter().filter(|&&constrained| !constrained).count();
        let first_free = constrained.iter().position(|&constrained| !constrained);
        // One tile alone cannot change places with another, nor can any on a line.
        let dont_care = first_free.filter(|_| free >= 2 && !size.is_line());
        let mut partial = Self {
            goal: goal.clone(),
            constrained,
            goals: Vec::new(),
            dont_care: dont_care.map(|label| label as u8),
            required,
        };
        let blanks = goal.blank_cells();
        partial.goals =
            blanks.iter().filter_map(|&blank| partial.goal_with(board, labels, blank)).collect();
        partial
    }

    /// The goal with the blank on a cell, if it can be reached.
    fn goal_with(&self, board: &Board, labels: &Relabelling, blank: Cell) -> Option<ArrayState<N>> {
        let goal = if board.size().is_line() {
            // The tiles between shift.
            board.with_blank_on(blank)
        } else {
            let mut numbers: Vec<u32> = board.numbers().map(u32::from).collect();
            numbers.swap(board.blank().index(), blank.index());
            Board::new(board.size(), &numbers).ok()?
        };
        let state = self.encode(ArrayState::new(labels, &goal));
        let reachable = self.has_places() || Solvability::test(&goal, labels);
        (reachable && self.is_met_by(&state)).then_some(state)
    }

    /// The state with one label for all don't-care tiles.
    pub fn encode(&self, mut state: ArrayState<N>) -> ArrayState<N> {
        if let Some(dont_care) = self.dont_care {
            for label in state.labels.iter_mut().filter(|label| **label != Relabelling::BLANK) {
                if !self.constrained[usize::from(*label)] {
                    *label = dont_care;
                }
            }
        }
        state
    }

    /// Whether all constrained cells have what the goal asks for.
    #[inline]
    pub fn is_met_by(&self, state: &ArrayState<N>) -> bool {
        self.required.iter().all(|&(cell, label)| state.labels[usize::from(cell)] == label)
    }

    /// Whether states are numbered by the places of their constrained tiles, rather than as if all tiles
    /// were different.
    pub fn has_places(&self) -> bool {
        self.dont_care.is_some()
    }

    /// cells! / (cells - 1 - constrained)!: a cell for the blank, then one for each constrained tile.
    pub fn place_count(&self, size: Size) -> Option<u64> {
        let (cells, tiles) = (size.cells() as u64, self.constrained_labels().count() as u64);
        (0..=tiles).try_fold(1_u64, |product, i| product.checked_mul(cells - i))
    }

    fn constrained_labels(&self) -> impl Iterator<Item = u8> + '_ {
        let labels = self.constrained.iter().enumerate().filter(|(_, constrained)| **constrained);
        labels.map(|(label, _)| label as u8)
    }

    /// The number of a state: the cell of the blank, then the place of each constrained tile among the
    /// cells that are left.
    pub fn rank(&self, size: Size, state: &ArrayState<N>) -> u64 {
        let cells = size.cells();
        // The cells in the order in which places are counted, those that are taken moved to the end.
        let mut left: Vec<u8> = (0..cells).map(|cell| cell as u8).collect();
        let mut rank = 0;
        let mut place = |cell: u8| {
            let at = left.iter().position(|&other| other == cell).unwrap_or(0);
            rank = rank * left.len() as u64 + at as u64;
            left.swap_remove(at);
        };
        let mut on = [0; N];
        for (cell, &label) in state.labels[..cells].iter().enumerate() {
            if label != Relabelling::BLANK {
                on[usize::from(label)] = cell as u8;
            }
        }
        place(state.blank);
        self.constrained_labels().for_each(|label| place(on[usize::from(label)]));
        rank
    }

    /// The state with this number; the inverse of [`rank`](Self::rank).
    pub fn unrank(&self, size: Size, mut rank: u64) -> ArrayState<N> {
        let cells = size.cells();
        let constrained: Vec<u8> = self.constrained_labels().collect();
        let mut places: Vec<usize> = (cells - constrained.len()..=cells)
            .map(|radix| {
                let place = rank % radix as u64;
                rank /= radix as u64;
                place as usize
            })
            .collect();
        let mut left: Vec<u8> = (0..cells).map(|cell| cell as u8).collect();
        let mut labels = [Relabelling::BLANK; N];
        labels[..cells].fill(self.dont_care.unwrap_or(0));
        let blank = left.swap_remove(places.pop().unwrap_or(0));
        labels[usize::from(blank)] = Relabelling::BLANK;
        for label in constrained {
            let cell = left.swap_remove(places.pop().unwrap_or(0));
            labels[usize::from(cell)] = label;
        }
        ArrayState { labels, blank }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use loyd_search::{Meter, Packable, Rankable, StateSpace, retrograde};

    use super::*;
    use crate::goal::Goal;
    use crate::moves::Move;
    use crate::notation::parse_partial_goal;
    use crate::size::Size;
    use crate::spaces::{ArraySpace, BoardSpace};

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
        let space = ArraySpace::<16>::to_partial(&goal, &board);
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
            assert!(space.encode(&space.decode(&state)) == state, "{text}: {board}");
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

    /// A goal that requires the first tiles on the first cells.
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
                let space = ArraySpace::<256>::to_partial(&goal, &board);
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
