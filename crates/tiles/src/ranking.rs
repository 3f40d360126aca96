//! Ranks of permutations: the Cantor rank over all permutations, and a dense rank over the reachable half.

use crate::size::{Cell, Size};

/// Maximum number of elements whose ranks fit 64 bits: 20! < 2^64 < 21!.
const MAX_ELEMENTS: usize = 20;

const FACTORIAL: [u64; MAX_ELEMENTS + 1] = {
    let mut factorial = [1; MAX_ELEMENTS + 1];
    let mut n = 1;
    while n <= MAX_ELEMENTS {
        factorial[n] = factorial[n - 1] * n as u64;
        n += 1;
    }
    factorial
};

/// One summand of a Cantor expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CantorTerm {
    /// The number of later elements that are smaller.
    pub count: u64,
    /// The number of elements that follow: the summand is `count × following!`.
    pub following: usize,
}

impl CantorTerm {
    /// Returns `count × following!`.
    pub fn value(self) -> u64 {
        self.count * FACTORIAL[self.following]
    }
}

/// An error of a ranking function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RankError {
    /// The ranks would not fit 64 bits.
    #[error("{0} elements have more permutations than 64 bits can number; at most 20 are allowed")]
    TooMany(usize),
    /// The elements are not a permutation of 0 to n − 1.
    #[error("{element} is out of range or repeated: a permutation has each of 0 to {} once", *.elements - 1)]
    NotAPermutation {
        /// The first element that is out of range or equal to an earlier one.
        element: u8,
        /// The number of elements, n.
        elements: usize,
    },
    /// No permutation has this rank.
    #[error("rank {rank} is out of range: {elements} elements have the ranks 0 to {}", FACTORIAL[*.elements] - 1)]
    OutOfRange {
        /// The requested rank.
        rank: u64,
        /// The number of elements.
        elements: usize,
    },
}

/// Returns the summands of the Cantor expansion of a permutation of 0 to n − 1, in order.
///
/// # Errors
/// Returns an error if there are more than 20 elements, or if they are not a permutation of 0 to n − 1.
///
/// # References
/// G. Cantor (1869), "Über die einfachen Zahlensysteme".
pub fn cantor_terms(permutation: &[u8]) -> Result<Vec<CantorTerm>, RankError> {
    let elements = permutation.len();
    if elements > MAX_ELEMENTS {
        return Err(RankError::TooMany(elements));
    }
    let mut seen = [false; MAX_ELEMENTS];
    for &element in permutation {
        match seen[..elements].get_mut(usize::from(element)) {
            Some(seen @ false) => *seen = true,
            _ => return Err(RankError::NotAPermutation { element, elements }),
        }
    }
    Ok(digits(permutation).map(|(count, following)| CantorTerm { count, following }).collect())
}

/// Returns the Cantor rank of a permutation of 0 to n − 1: its index in lexicographic order, from 0.
///
/// # Errors
/// Returns an error if there are more than 20 elements, or if they are not a permutation of 0 to n − 1.
///
/// # Examples
/// ```
/// assert_eq!(loyd_tiles::cantor_rank(&[1, 2, 3, 4, 5, 6, 7, 8, 0]), Ok(46_233));
/// ```
pub fn cantor_rank(permutation: &[u8]) -> Result<u64, RankError> {
    Ok(cantor_terms(permutation)?.into_iter().map(CantorTerm::value).sum())
}

/// Returns the permutation of 0 to `elements` − 1 with this Cantor rank.
///
/// # Errors
/// Returns an error if there are more than 20 elements or `rank` is not below `elements!`.
pub fn cantor_unrank(elements: usize, rank: u64) -> Result<Vec<u8>, RankError> {
    match FACTORIAL.get(elements) {
        None => Err(RankError::TooMany(elements)),
        Some(&count) if rank >= count => Err(RankError::OutOfRange { rank, elements }),
        Some(_) => {
            let mut permutation = vec![0; elements];
            unrank_into(rank, &mut permutation);
            Ok(permutation)
        }
    }
}

/// Yields for each element the number of later elements that are smaller, and the number of elements that follow.
fn digits(permutation: &[u8]) -> impl Iterator<Item = (u64, usize)> + '_ {
    let mut seen = 0_u32;
    permutation.iter().enumerate().map(move |(index, &element)| {
        // The smaller elements that have not been seen come later.
        let smaller_before = (seen & ((1 << element) - 1)).count_ones();
        seen |= 1 << element;
        (u64::from(u32::from(element) - smaller_before), permutation.len() - 1 - index)
    })
}

fn unrank_into(mut rank: u64, permutation: &mut [u8]) {
    let mut left: Vec<u8> = (0..permutation.len() as u8).collect();
    for element in permutation {
        let weight = FACTORIAL[left.len() - 1];
        *element = left.remove((rank / weight) as usize);
        rank %= weight;
    }
}

/// Ranks the states that can reach a goal, without gaps: cell of the blank × half the tile orders.
///
/// States are given as labels (see [`Relabelling`](crate::Relabelling)) in reading order without the
/// blank. Two orders whose Cantor ranks differ in the lowest bit differ by an exchange of
/// the last two tiles, so exactly one of each pair is reachable, and the halved rank is dense. On a
/// single line the order never changes, so the cell of the blank is the whole rank.
#[derive(Clone, Debug)]
pub struct StateRanking {
    size: Size,
    goal_row: usize,
    /// The number of reachable tile orders per cell of the blank.
    orders: u64,
}

impl StateRanking {
    /// Creates the ranking for boards of `size` with the goal cell `goal_blank` of the blank. Returns `None` if the
    /// number of states does not fit 64 bits.
    pub fn new(size: Size, goal_blank: Cell) -> Option<Self> {
        let orders = match size.tiles() {
            _ if size.is_line() => 1,
            tiles if tiles <= MAX_ELEMENTS => FACTORIAL[tiles] / 2,
            _ => return None,
        };
        orders.checked_mul(size.cells() as u64)?;
        Some(Self { size, goal_row: size.row(goal_blank), orders })
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> u64 {
        self.orders * self.size.cells() as u64
    }

    /// Returns the rank of the state with the blank on `blank` and the labels of the tiles in this order.
    pub fn rank(&self, blank: Cell, order: &[u8]) -> u64 {
        let order_rank = if self.orders == 1 {
            0
        } else {
            digits(order).map(|(count, following)| count * FACTORIAL[following]).sum::<u64>() / 2
        };
        blank.index() as u64 * self.orders + order_rank
    }

    /// Writes the labels of the state with this rank to `order` (one per tile) and returns the cell of the blank.
    pub fn unrank(&self, rank: u64, order: &mut [u8]) -> Cell {
        let blank = Cell::new((rank / self.orders) as usize);
        if self.orders == 1 {
            order.iter_mut().zip(0..).for_each(|(place, label)| *place = label);
            return blank;
        }
        unrank_into(rank % self.orders * 2, order);
        if inversions_odd(order) != self.odd(blank) {
            let last = order.len() - 1;
            order.swap(last - 1, last);
        }
        blank
    }

    /// Returns whether reachable orders have an odd number of inversions when the blank is on `blank`.
    fn odd(&self, blank: Cell) -> bool {
        self.size.width().is_multiple_of(2) && self.size.row(blank).abs_diff(self.goal_row) % 2 == 1
    }
}

fn inversions_odd(order: &[u8]) -> bool {
    digits(order).map(|(count, _)| count).sum::<u64>() % 2 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cantor_ranks_are_the_lexicographic_order() {
        let all: Vec<Vec<u8>> = (0..120).map(|rank| cantor_unrank(5, rank).unwrap()).collect();
        assert!(all.is_sorted_by(|a, b| a < b));
        assert!(all.iter().zip(0..).all(|(p, rank)| cantor_rank(p) == Ok(rank)));
        assert_eq!(cantor_unrank(3, 6), Err(RankError::OutOfRange { rank: 6, elements: 3 }));
        assert_eq!(cantor_unrank(21, 0), Err(RankError::TooMany(21)));
        assert_eq!(cantor_rank(&[0; 21]), Err(RankError::TooMany(21)));
        assert_eq!(
            RankError::OutOfRange { rank: 6, elements: 3 }.to_string(),
            "rank 6 is out of range: 3 elements have the ranks 0 to 5"
        );
    }

    #[test]
    fn only_permutations_have_a_cantor_rank() {
        assert_eq!(cantor_rank(&[]), Ok(0));
        for (wrong, element) in
            [(&[0, 1, 32][..], 32), (&[255], 255), (&[1], 1), (&[0, 2, 2], 2), (&[3, 1, 2, 4], 4)]
        {
            let error = RankError::NotAPermutation { element, elements: wrong.len() };
            assert_eq!(cantor_rank(wrong), Err(error));
            assert_eq!(cantor_terms(wrong), Err(error));
        }
        assert_eq!(
            cantor_rank(&[0, 2, 2]).unwrap_err().to_string(),
            "2 is out of range or repeated: a permutation has each of 0 to 2 once"
        );
    }

    #[test]
    fn dense_ranks_are_a_bijection() {
        for (w, h, goal) in
            [(1, 2, 0), (2, 2, 3), (3, 2, 5), (2, 3, 4), (4, 2, 7), (1, 6, 2), (7, 1, 3)]
        {
            let size = Size::new(w, h).unwrap();
            let ranking = StateRanking::new(size, Cell::new(goal)).unwrap();
            let mut order = vec![0; size.tiles()];
            for rank in 0..ranking.state_count() {
                let blank = ranking.unrank(rank, &mut order);
                assert_eq!(ranking.rank(blank, &order), rank, "{size}");
            }
        }
    }

    #[test]
    fn state_counts_match_the_literature() {
        let count = |w, h| {
            StateRanking::new(Size::new(w, h).unwrap(), Cell::new(0)).map(|r| r.state_count())
        };
        assert_eq!(count(3, 3), Some(181_440));
        assert_eq!(count(4, 3), Some(239_500_800));
        assert_eq!(count(4, 4), Some(10_461_394_944_000));
        assert_eq!(count(5, 4), Some(1_216_451_004_088_320_000));
        assert_eq!(count(5, 5), None);
        assert_eq!(count(256, 1), Some(256));
    }

    proptest! {
        #[test]
        fn unrank_inverts_rank(rank in 0..FACTORIAL[20]) {
            prop_assert_eq!(cantor_rank(&cantor_unrank(20, rank).unwrap()), Ok(rank));
        }
    }
}
