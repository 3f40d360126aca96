//! Solvability of boards by parity, with the reason.

use crate::board::Board;
use crate::size::{Size, Tile};

/// Whether a board can reach a goal, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The goal can be reached.
    Solvable,
    /// The number of inversions (plus, for an even width, the rows between the blank and its goal row) is odd.
    /// Every move keeps it odd.
    OddSum,
    /// The board is a single row or column with a different tile order, which no move changes.
    FixedOrder,
}

/// Comparison of a board with a goal: inversions, row distance of the blank, and verdict.
///
/// An inversion is a pair of tiles in the opposite of their order in the goal (reading order, without the
/// blank). A horizontal move changes no pair; a vertical move carries one tile past
/// `width − 1` others. So the parity of the inversions is invariant for odd widths, and for even
/// widths that of the inversions plus the rows between the blank and its goal row.
///
/// # References
/// Johnson and Story (1879), "Notes on the '15' puzzle", American Journal of Mathematics 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solvability {
    /// The size of both boards.
    pub size: Size,
    /// Pairs of tiles in the wrong order: first the tile that comes first on the board, then the tile that should.
    /// Empty on boards of more than [`Size::MAX_SEARCH_CELLS`] cells, which have millions of them.
    pub inversions: Vec<(Tile, Tile)>,
    /// The number of pairs of tiles in the wrong order.
    pub inversion_count: u64,
    /// The number of rows between the blank and its goal row.
    pub blank_rows: usize,
    /// Two tiles whose exchange would make an unsolvable board solvable, if a single exchange suffices.
    pub repair_swap: Option<(Tile, Tile)>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Solvability {
    /// Compares `start` with `goal`.
    ///
    /// Cost: quadratic in the number of tiles on boards of up to [`Size::MAX_SEARCH_CELLS`] cells, `n log n` for `n`
    /// tiles on larger ones.
    ///
    /// # Panics
    /// If the boards differ in size.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::{Board, Goal, Size, Solvability};
    /// let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
    /// let swapped = Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0])?;
    /// assert!(!Solvability::new(&swapped, &goal).is_solvable());
    /// # Ok::<(), loyd_tiles::BoardError>(())
    /// ```
    pub fn new(start: &Board, goal: &Board) -> Self {
        assert_eq!(start.size(), goal.size(), "start and goal must have the same size");
        let size = start.size();
        let order = order(start, &places(goal));
        // `order` holds goal positions, which index the tiles of the goal.
        let named: Vec<Tile> =
            goal.tiles().iter().copied().filter(|tile| !tile.is_blank()).collect();
        let tile = |at: usize| named[usize::from(order[at])];
        let pair = |(i, j): (usize, usize)| (tile(i), tile(j));
        let inversions: Vec<_> = match size.is_searchable() {
            true => inverted(&order).map(pair).collect(),
            false => Vec::new(),
        };
        let inversion_count = match size.is_searchable() {
            true => inversions.len() as u64,
            false => count_inversions(&mut order.clone()),
        };
        let blank_rows = size.row(start.blank()).abs_diff(size.row(goal.blank()));
        let verdict = verdict(size, inversion_count, blank_rows);
        let repair_swap = match verdict {
            Verdict::Solvable => None,
            Verdict::OddSum => {
                // Any exchange works; adjacent inverted tiles are the natural choice.
                let first = (1..order.len()).find(|&i| order[i - 1] > order[i]);
                let i = first.unwrap_or(order.len() - 1);
                Some(pair((i - 1, i)))
            }
            Verdict::FixedOrder => {
                let wrong: Vec<usize> =
                    (0..order.len()).filter(|&i| usize::from(order[i]) != i).collect();
                (wrong.len() == 2).then(|| pair((wrong[0], wrong[1])))
            }
        };
        Self { size, inversions, inversion_count, blank_rows, repair_swap, verdict }
    }

    /// Returns whether the goal can be reached.
    pub fn is_solvable(&self) -> bool {
        self.verdict == Verdict::Solvable
    }

    /// Returns whether `goal` can be reached from `start`, without the reasons.
    ///
    /// Cost: linear in the number of cells.
    ///
    /// # Panics
    /// If the boards differ in size.
    pub fn is_reachable(start: &Board, goal: &Board) -> bool {
        let size = start.size();
        assert_eq!(size, goal.size(), "start and goal must have the same size");
        if size.is_line() {
            let [start, goal] =
                [start, goal].map(|board| board.tiles().iter().filter(|tile| !tile.is_blank()));
            return start.eq(goal);
        }
        // Each move swaps the blank with a tile and flips the colour of the blank's cell on a chessboard.
        let is_odd = match size.cells() {
            ..=SMALL => is_odd(start, goal, &mut [0; SMALL]),
            cells => is_odd(start, goal, &mut vec![0; cells]),
        };
        is_odd == (size.distance(start.blank(), goal.blank()) % 2 == 1)
    }
}

/// Maximum number of cells of boards whose tables fit on the stack.
const SMALL: usize = 64;

/// Returns whether the permutation from `start` to `goal`, including the blank, is odd. `places` must have an entry
/// for each cell.
fn is_odd(start: &Board, goal: &Board, places: &mut [u16]) -> bool {
    let cells = start.tiles().len();
    for (cell, tile) in (0..).zip(goal.tiles()) {
        places[tile.index()] = cell;
    }
    // A cycle of n cells takes n − 1 exchanges; `COUNTED` marks the cells of counted cycles.
    const COUNTED: u16 = u16::MAX;
    let mut exchanges = 0;
    for first in 0..cells {
        let mut tile = start.tiles()[first].index();
        while places[tile] != COUNTED {
            let next = usize::from(std::mem::replace(&mut places[tile], COUNTED));
            exchanges += usize::from(next != first);
            tile = start.tiles()[next].index();
        }
    }
    exchanges % 2 == 1
}

/// Returns for each tile number its position among the tiles of `goal`. The entry of the blank is unused.
fn places(goal: &Board) -> Vec<u16> {
    let mut places = vec![0; goal.tiles().len()];
    let tiles = goal.tiles().iter().filter(|tile| !tile.is_blank());
    tiles.zip(0..).for_each(|(tile, place)| places[tile.index()] = place);
    places
}

/// Returns the `places` of the tiles of `board` in reading order.
fn order(board: &Board, places: &[u16]) -> Vec<u16> {
    let tiles = board.tiles().iter().filter(|tile| !tile.is_blank());
    tiles.map(|tile| places[tile.index()]).collect()
}

fn inverted(order: &[u16]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..order.len())
        .flat_map(move |i| (i + 1..order.len()).map(move |j| (i, j)))
        .filter(|&(i, j)| order[i] > order[j])
}

/// Counts the inversions of `order` by merge sort, which sorts `order`.
fn count_inversions(order: &mut [u16]) -> u64 {
    if order.len() < 2 {
        return 0;
    }
    let (left, right) = order.split_at_mut(order.len() / 2);
    let mut count = count_inversions(left) + count_inversions(right);
    let (mut merged, mut taken) = (Vec::with_capacity(left.len() + right.len()), 0);
    for &place in &*right {
        let before = left[taken..].partition_point(|&other| other < place);
        merged.extend(&left[taken..taken + before]);
        taken += before;
        merged.push(place);
        count += (left.len() - taken) as u64;
    }
    merged.extend(&left[taken..]);
    order.copy_from_slice(&merged);
    count
}

fn verdict(size: Size, inversions: u64, blank_rows: usize) -> Verdict {
    let sum = inversions + if size.width().is_multiple_of(2) { blank_rows as u64 } else { 0 };
    match (size.is_line(), inversions, sum % 2) {
        (true, 0, _) | (false, _, 0) => Verdict::Solvable,
        (true, ..) => Verdict::FixedOrder,
        (false, ..) => Verdict::OddSum,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::goal::Goal;

    fn board(width: u32, height: u32, numbers: &[u32]) -> Board {
        Board::new(Size::new(width, height).unwrap(), numbers).unwrap()
    }

    /// Compares the verdict for every permutation of a small board with reachability by moves from the goal.
    fn check_reachability(width: u32, height: u32, goal: &Goal) {
        let size = Size::new(width, height).unwrap();
        let goal = goal.board(size).unwrap();
        let mut reached = HashSet::from([goal.clone()]);
        let mut todo = vec![goal.clone()];
        while let Some(board) = todo.pop() {
            for m in board.moves() {
                let mut next = board.clone();
                next.apply(m).unwrap();
                if reached.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        let n = size.cells();
        for rank in 0..(1..=n as u64).product() {
            let numbers = crate::cantor_unrank(n, rank).unwrap();
            let numbers: Vec<u32> = numbers.into_iter().map(u32::from).collect();
            let start = Board::new(size, &numbers).unwrap();
            let seen = Solvability::new(&start, &goal);
            assert_eq!(seen.is_solvable(), reached.contains(&start), "{start} to {goal}");
            assert_eq!(seen.is_solvable(), Solvability::is_reachable(&start, &goal));
            if let Some((a, b)) = seen.repair_swap {
                let swap = |t: u32| match Tile::new(t as u16) {
                    t if t == a => u32::from(b.number()),
                    t if t == b => u32::from(a.number()),
                    t => t.number().into(),
                };
                let repaired: Vec<u32> = numbers.iter().map(|&t| swap(t)).collect();
                let repaired = Board::new(size, &repaired).unwrap();
                assert!(
                    Solvability::new(&repaired, &goal).is_solvable(),
                    "{start}: swap {a} and {b}"
                );
            } else {
                assert!(seen.is_solvable() || size.is_line(), "{start} has no repair swap");
            }
        }
    }

    #[test]
    fn parity_equals_reachability_on_small_boards() {
        for (w, h) in [(1, 2), (2, 1), (1, 5), (6, 1), (2, 2), (3, 2), (2, 3), (4, 2), (2, 4)] {
            check_reachability(w, h, &Goal::BlankLast);
            check_reachability(w, h, &Goal::BlankFirst);
        }
        check_reachability(3, 2, &Goal::Board(board(3, 2, &[5, 1, 0, 4, 2, 3])));
        check_reachability(2, 3, &Goal::Board(board(2, 3, &[5, 1, 0, 4, 2, 3])));
        check_reachability(5, 1, &Goal::Board(board(5, 1, &[3, 1, 0, 4, 2])));
    }

    /// Tests solvability by counting inverted pairs, including the blank, and the colour of the blank's cell.
    fn is_solvable_by_pairs(start: &Board, goal: &Board) -> bool {
        let mut place = vec![0; goal.tiles().len()];
        (0..).zip(goal.tiles()).for_each(|(cell, tile)| place[tile.index()] = cell);
        let order: Vec<u32> = start.tiles().iter().map(|tile| place[tile.index()]).collect();
        let pairs: usize =
            (0..order.len()).map(|i| order[i..].iter().filter(|&&p| p < order[i]).count()).sum();
        pairs as u32 % 2 == start.size().distance(start.blank(), goal.blank()) % 2
    }

    #[test]
    fn large_boards_agree_with_counted_pairs() {
        let mut random = crate::Random::new(8);
        for (width, height) in [(17, 16), (16, 17), (2, 200), (300, 3), (64, 33), (100, 100)] {
            let size = Size::new(width, height).unwrap();
            let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
            for goal in [Goal::BlankLast, Goal::Spiral] {
                let goal = goal.board(size).unwrap();
                random.shuffle(&mut numbers);
                let start = board(width, height, &numbers);
                numbers.swap(3, 7);
                let other = board(width, height, &numbers);
                for start in [&start, &other] {
                    let (seen, truth) =
                        (Solvability::new(start, &goal), is_solvable_by_pairs(start, &goal));
                    assert_eq!(seen.is_solvable(), truth, "{size}");
                    assert_eq!(Solvability::is_reachable(start, &goal), truth, "{size}");
                    assert_eq!(seen.repair_swap.is_none(), truth);
                }
            }
        }
    }

    #[test]
    fn merge_sort_counts_inversions() {
        let mut random = crate::Random::new(9);
        for length in [0, 1, 2, 3, 10, 333] {
            let mut order: Vec<u16> = (0..length).collect();
            random.shuffle(&mut order);
            let pairs = inverted(&order).count() as u64;
            assert_eq!(count_inversions(&mut order), pairs);
            assert!(order.is_sorted());
        }
    }

    #[test]
    fn inversions_exclude_the_blank() {
        let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
        let seen = Solvability::new(&board(3, 3, &[2, 3, 4, 1, 5, 0, 7, 6, 8]), &goal);
        let pairs: Vec<_> = seen.inversions.iter().map(|(a, b)| (a.number(), b.number())).collect();
        assert_eq!(pairs, [(2, 1), (3, 1), (4, 1), (7, 6)]);
        assert!(seen.is_solvable());
    }
}
