//! The representation of a partial goal in an [`ArraySpace`](super::ArraySpace).

use super::array_states::{Arrangements, ArrayState};
use crate::board::{Board, Relabelling};
use crate::parity::Solvability;
use crate::partial_goal::PartialGoal;
use crate::size::{Cell, Size};

/// A partial goal: one label for each class of interchangeable tiles, and a set of goal states, one for each cell on
/// which the blank may end.
///
/// All don't-care tiles form one class; with equal tiles, all tiles of a number form a class.
#[derive(Clone, Debug)]
pub(super) struct Partial<const N: usize> {
    pub goal: PartialGoal,
    /// By label: whether the goal constrains the tile to one cell.
    pub constrained: Vec<bool>,
    pub goals: Vec<ArrayState<N>>,
    /// By label: the label of its class, which is the label of the first tile of the class.
    class: Vec<u8>,
    /// The label of all don't-care tiles, if there are several that can change places.
    dont_care: Option<u8>,
    /// The arrangements of classes, if there are equal tiles that can change places.
    arrangements: Option<Arrangements>,
    /// Each constrained cell, with the label that it requires: that of a class or the blank's.
    required: Vec<(u8, u8)>,
}

impl<const N: usize> Partial<N> {
    /// Creates the representation of `goal`; `board` must meet it: see [`PartialGoal::reachable`].
    pub fn new(goal: &PartialGoal, board: &Board, labels: &Relabelling) -> Self {
        let size = board.size();
        let mut constrained = vec![false; size.tiles()];
        goal.constrained(labels).iter().for_each(|&label| constrained[usize::from(label)] = true);
        let class = classes(goal, labels);
        let has_equal_tiles = goal.equal_tiles().is_some();
        let required = size.iter_cells().filter_map(|cell| {
            let tile = goal.required(cell).or(has_equal_tiles.then(|| board.tile(cell)))?;
            let label = labels.label(tile);
            Some((cell.index() as u8, class.get(usize::from(label)).copied().unwrap_or(label)))
        });
        let shared = (0..size.tiles()).find(|&label| usize::from(class[label]) != label);
        let shared = shared.map(|label| class[label]);
        let mut partial = Self {
            goal: goal.clone(),
            constrained,
            goals: Vec::new(),
            required: required.collect(),
            class,
            dont_care: shared.filter(|_| !has_equal_tiles),
            arrangements: None,
        };
        if has_equal_tiles && shared.is_some() {
            let state = partial.encode(ArrayState::<N>::new(labels, board));
            partial.arrangements = Some(Arrangements::new(&state.labels[..size.cells()]));
        }
        let blanks = goal.blank_cells();
        partial.goals =
            blanks.iter().filter_map(|&blank| partial.goal_with(board, labels, blank)).collect();
        partial
    }

    /// Returns the goal state with the blank on `blank`, or `None` if it cannot be reached.
    fn goal_with(&self, board: &Board, labels: &Relabelling, blank: Cell) -> Option<ArrayState<N>> {
        let goal = if board.size().is_line() {
            // On a line the tiles between the two cells shift.
            board.with_blank_on(blank)
        } else {
            let mut numbers: Vec<u32> = board.numbers().map(u32::from).collect();
            numbers.swap(board.blank().index(), blank.index());
            Board::new(board.size(), &numbers).ok()?
        };
        let state = self.encode(ArrayState::new(labels, &goal));
        let reachable = self.has_places() || Solvability::is_reachable(&goal, labels.goal());
        (reachable && self.is_met_by(&state)).then_some(state)
    }

    /// Replaces each label of the state by the label of its class.
    pub fn encode(&self, mut state: ArrayState<N>) -> ArrayState<N> {
        for label in state.labels.iter_mut().filter(|label| **label != Relabelling::BLANK) {
            *label = self.class[usize::from(*label)];
        }
        state
    }

    /// Returns whether all constrained cells have the labels that the goal requires.
    #[inline]
    pub fn is_met_by(&self, state: &ArrayState<N>) -> bool {
        self.required.iter().all(|&(cell, label)| state.labels[usize::from(cell)] == label)
    }

    /// Returns whether ranks are based on the places of the constrained tiles or on the arrangements of classes, rather
    /// than on distinct tiles.
    pub fn has_places(&self) -> bool {
        self.dont_care.is_some() || self.arrangements.is_some()
    }

    /// Returns the number of ranks, or `None` if it does not fit 64 bits: cells! / (cells − 1 − constrained)!, a cell
    /// for the blank, then one for each constrained tile. With equal tiles, the number of arrangements of the multiset.
    pub fn place_count(&self, size: Size) -> Option<u64> {
        if let Some(arrangements) = &self.arrangements {
            return arrangements.count();
        }
        let (cells, tiles) = (size.cells() as u64, self.constrained_labels().count() as u64);
        (0..=tiles).try_fold(1_u64, |product, i| product.checked_mul(cells - i))
    }

    fn constrained_labels(&self) -> impl Iterator<Item = u8> + '_ {
        let labels = self.constrained.iter().enumerate().filter(|(_, constrained)| **constrained);
        labels.map(|(label, _)| label as u8)
    }

    /// Returns the rank of a state: the cell of the blank, then the place of each constrained tile among the
    /// remaining cells. With equal tiles, the rank of the arrangement.
    pub fn rank(&self, size: Size, state: &ArrayState<N>) -> u64 {
        if let Some(arrangements) = &self.arrangements {
            return arrangements.rank(state);
        }
        let cells = size.cells();
        // The free cells in the order in which places are counted; `swap_remove` moves the last one into each gap.
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

    /// Returns the state with this rank; the inverse of [`rank`](Self::rank).
    pub fn unrank(&self, size: Size, mut rank: u64) -> ArrayState<N> {
        if let Some(arrangements) = &self.arrangements {
            return arrangements.unrank(rank);
        }
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

/// Returns for each label the label of its class. On a line no two tiles can change places, so each is a class.
fn classes(goal: &PartialGoal, labels: &Relabelling) -> Vec<u8> {
    let all = 0..goal.size().tiles() as u8;
    let alike = |one: u8, other: u8| {
        one == other || goal.are_interchangeable(labels.tile(one), labels.tile(other))
    };
    let first = |label: u8| all.clone().find(|&other| alike(other, label)).unwrap_or(label);
    all.clone().map(|label| if goal.size().is_line() { label } else { first(label) }).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use loyd_search::{Meter, Packable, Rankable, StateSpace, retrograde};

    use super::*;
    use crate::goal::Goal;
    use crate::moves::Move;
    use crate::notation::{parse_numbers, parse_partial_goal};
    use crate::size::Size;
    use crate::spaces::{ArraySpace, BoardSpace};

    /// Returns all boards that can be reached from `start`.
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

    /// Returns the distance of each of `boards` to the nearest one that meets `goal`, searching on boards.
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
        check_goal(&parse_partial_goal(text, None).unwrap());
    }

    fn check_goal(goal: &PartialGoal) {
        let (size, text) = (goal.size(), goal.to_string());
        let start = Goal::BlankLast.board(size).unwrap();
        let Some(board) = goal.reachable(&start) else { panic!("{text} cannot be reached") };
        let space = ArraySpace::<16>::with_partial_goal(goal, &board);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        let boards = reachable(&start);
        let truth = distances(goal, &boards);
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
    fn distances_equal_search_on_boards() {
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

    #[test]
    fn distances_with_equal_tiles_equal_search_on_boards() {
        for text in [
            "1 1/1 x",
            "1 2/2 x",
            "1 1 2/2 x 3",
            "7 7 7/7 7 x",
            "9 5 5/x 5 5",
            "x 300 2/4 300 5",
            "1 1 x 2/",
            "1 1 1 x/",
        ] {
            let (size, numbers) = parse_numbers(text, None).unwrap();
            check_goal(&PartialGoal::with_equal_tiles(size, &numbers).unwrap());
        }
    }

    #[test]
    fn distances_with_equal_tiles_on_three_by_three() {
        for text in ["3 3 2/2 2 1/1 1 x", "1 2 3/4 5 6/7 7 x", "1 1 1/1 x 1/1 1 1"] {
            let (size, numbers) = parse_numbers(text, None).unwrap();
            check_goal(&PartialGoal::with_equal_tiles(size, &numbers).unwrap());
        }
    }

    #[test]
    fn arrangement_counts_of_large_boards() {
        let count = |size: &str, numbers: &[u32]| {
            let size: Size = size.parse().unwrap();
            let goal = PartialGoal::with_equal_tiles(size, numbers).unwrap();
            let space = ArraySpace::<256>::with_partial_goal(&goal, &goal.example());
            let count = space.state_count();
            for rank in count.map_or(vec![], |count| vec![0, 1, count / 3, count - 1]) {
                assert_eq!(space.rank(&space.unrank(rank)), rank, "{size}");
            }
            count
        };
        let all = |ones: usize, twos: usize| [vec![0], vec![1; ones], vec![2; twos]].concat();
        assert_eq!(count("16x16", &all(255, 0)), Some(256));
        assert_eq!(count("16x16", &all(250, 5)), Some(256 * 8_637_487_551));
        assert_eq!(count("5x5", &all(12, 12)), Some(25 * 2_704_156));
        assert_eq!(count("16x16", &all(128, 127)), None);
    }

    /// Returns a goal that requires the first `tiles` tiles on the first cells.
    fn first_cells_goal(size: &str, tiles: usize) -> PartialGoal {
        let size: Size = size.parse().unwrap();
        let numbers: Vec<Option<u32>> =
            (1..=size.cells()).map(|n| (n <= tiles).then_some(n as u32)).collect();
        PartialGoal::new(size, &numbers).unwrap()
    }

    #[test]
    fn ranks_round_trip_on_the_largest_boards() {
        for size in ["16x16", "8x32", "128x2"] {
            for tiles in [1, 2] {
                let goal = first_cells_goal(size, tiles);
                let board = goal.reachable(&goal.example()).unwrap();
                let space = ArraySpace::<256>::with_partial_goal(&goal, &board);
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
