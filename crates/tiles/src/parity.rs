//! Which boards can be solved, and why the others cannot.

use crate::board::Board;
use crate::goal::Relabelling;
use crate::size::Size;
use crate::tile::Tile;

/// Why a board can or cannot be brought to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The goal can be reached.
    Solvable,
    /// The number of inversions (with the rows that the blank is away, on an even width) is odd,
    /// and every move keeps it odd.
    OddSum,
    /// A single row or column whose tiles stand in another order, which no move changes.
    FixedOrder,
}

/// A board seen from a goal: its inversions, the blank's rows, and what follows.
///
/// An inversion is a pair of tiles that stand the other way round than in the goal's reading order,
/// the blank never counted. A sideways move changes no pair; a move up or down carries one tile past
/// `width − 1` others. So on odd widths the parity of the inversions never changes, and on even
/// widths that of the inversions plus the rows between the blank and its goal row.
///
/// # References
/// Johnson and Story (1879), "Notes on the '15' puzzle", American Journal of Mathematics 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solvability {
    /// The size of both boards.
    pub size: Size,
    /// Pairs of tiles in the wrong order: the one that stands first, then the one that should.
    pub inversions: Vec<(Tile, Tile)>,
    /// Rows between the blank and its goal row.
    pub blank_rows: usize,
    /// Two tiles whose exchange would make an unsolvable board solvable, where one exchange can.
    pub mend: Option<(Tile, Tile)>,
    /// The answer.
    pub verdict: Verdict,
}

impl Solvability {
    /// Compares `start` with `goal`.
    ///
    /// Cost: the square of the number of tiles.
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
        let labels = Relabelling::new(goal);
        let order: Vec<u8> = labels.labels(start).filter(|&l| l != Relabelling::BLANK).collect();
        let pair = |(i, j): (usize, usize)| (labels.tile(order[i]), labels.tile(order[j]));
        let inversions: Vec<_> = inverted(&order).map(pair).collect();
        let blank_rows = size.row(start.blank()).abs_diff(size.row(goal.blank()));
        let verdict = verdict(size, inversions.len(), blank_rows);
        let mend = match verdict {
            Verdict::Solvable => None,
            Verdict::OddSum => {
                // Any exchange will do; an inverted pair of neighbours is the natural one.
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
        Self { size, inversions, blank_rows, mend, verdict }
    }

    /// Whether the goal can be reached.
    pub fn is_solvable(&self) -> bool {
        self.verdict == Verdict::Solvable
    }

    /// The answer alone, without the reasons and without allocating for them.
    ///
    /// # Panics
    /// If the boards differ in size.
    pub fn test(start: &Board, goal: &Relabelling) -> bool {
        let size = start.size();
        assert_eq!(size, goal.goal().size(), "start and goal must have the same size");
        let mut order = [0; Size::MAX_CELLS];
        let mut tiles = 0;
        for label in goal.labels(start).filter(|&l| l != Relabelling::BLANK) {
            order[tiles] = label;
            tiles += 1;
        }
        let blank_rows = size.row(start.blank()).abs_diff(size.row(goal.goal().blank()));
        let inversions = inverted(&order[..tiles]).count();
        verdict(size, inversions, blank_rows) == Verdict::Solvable
    }
}

fn inverted(order: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..order.len())
        .flat_map(move |i| (i + 1..order.len()).map(move |j| (i, j)))
        .filter(|&(i, j)| order[i] > order[j])
}

fn verdict(size: Size, inversions: usize, blank_rows: usize) -> Verdict {
    let sum = inversions + if size.width().is_multiple_of(2) { blank_rows } else { 0 };
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

    /// Every permutation of a small board, against what moves from the goal really reach.
    fn agrees_with_reachability(width: u32, height: u32, goal: &Goal) {
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
        let labels = Relabelling::new(&goal);
        let n = size.cells();
        for rank in 0..(1..=n as u64).product() {
            let numbers = crate::cantor_unrank(n, rank).unwrap();
            let numbers: Vec<u32> = numbers.into_iter().map(u32::from).collect();
            let start = Board::new(size, &numbers).unwrap();
            let seen = Solvability::new(&start, &goal);
            assert_eq!(seen.is_solvable(), reached.contains(&start), "{start} to {goal}");
            assert_eq!(seen.is_solvable(), Solvability::test(&start, &labels));
            if let Some((a, b)) = seen.mend {
                let swap = |t: u32| match Tile::new(t as u8) {
                    t if t == a => u32::from(b.number()),
                    t if t == b => u32::from(a.number()),
                    t => t.number().into(),
                };
                let mended: Vec<u32> = numbers.iter().map(|&t| swap(t)).collect();
                let mended = Board::new(size, &mended).unwrap();
                assert!(
                    Solvability::new(&mended, &goal).is_solvable(),
                    "{start}: swap {a} and {b}"
                );
            } else {
                assert!(seen.is_solvable() || size.is_line(), "{start} has no mend");
            }
        }
    }

    #[test]
    fn parity_is_reachability_on_every_small_board() {
        for (w, h) in [(1, 2), (2, 1), (1, 5), (6, 1), (2, 2), (3, 2), (2, 3), (4, 2), (2, 4)] {
            agrees_with_reachability(w, h, &Goal::BlankLast);
            agrees_with_reachability(w, h, &Goal::BlankFirst);
        }
        agrees_with_reachability(3, 2, &Goal::Board(board(3, 2, &[5, 1, 0, 4, 2, 3])));
        agrees_with_reachability(2, 3, &Goal::Board(board(2, 3, &[5, 1, 0, 4, 2, 3])));
        agrees_with_reachability(5, 1, &Goal::Board(board(5, 1, &[3, 1, 0, 4, 2])));
    }

    #[test]
    fn the_blank_is_not_counted() {
        let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
        let seen = Solvability::new(&board(3, 3, &[2, 3, 4, 1, 5, 0, 7, 6, 8]), &goal);
        let pairs: Vec<_> = seen.inversions.iter().map(|(a, b)| (a.number(), b.number())).collect();
        assert_eq!(pairs, [(2, 1), (3, 1), (4, 1), (7, 6)]);
        assert!(seen.is_solvable());
    }
}
