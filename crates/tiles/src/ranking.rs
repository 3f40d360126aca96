//! Numbers for permutations: Cantor's over all of them, and a dense one over the reachable half.

use crate::cell::Cell;
use crate::size::Size;

/// The most elements whose permutations fit 64 bits: 20! < 2^64 < 21!.
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
    /// How many later elements are smaller.
    pub count: u64,
    /// How many elements follow: the summand is `count × following!`.
    pub following: usize,
}

impl CantorTerm {
    /// `count × following!`.
    pub fn value(self) -> u64 {
        self.count * FACTORIAL[self.following]
    }
}

/// Why there is no such rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RankError {
    /// The ranks would not fit 64 bits.
    #[error("{0} elements have more permutations than 64 bits can number; at most 20 are allowed")]
    TooMany(usize),
    /// The elements are not each of 0 to n − 1 once.
    #[error("{element} is out of range or there twice: a permutation has each of 0 to {} once", *.elements - 1)]
    NotAPermutation {
        /// The first element that is too large, or that an earlier one equals.
        element: u8,
        /// The number of elements, n.
        elements: usize,
    },
    /// No permutation has this rank.
    #[error("rank {rank} is out of range: {elements} elements have the ranks 0 to {}", FACTORIAL[*.elements] - 1)]
    OutOfRange {
        /// The rank asked for.
        rank: u64,
        /// The number of elements.
        elements: usize,
    },
}

/// The summands of the Cantor expansion of a permutation of 0 to n − 1, in order.
///
/// # Errors
/// When there are more than 20 elements, or not each of 0 to n − 1 once.
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

/// The place of a permutation of 0 to n − 1 in lexicographic order, from 0.
///
/// # Errors
/// When there are more than 20 elements, or not each of 0 to n − 1 once.
///
/// # Examples
/// ```
/// assert_eq!(loyd_tiles::cantor_rank(&[1, 2, 3, 4, 5, 6, 7, 8, 0]), Ok(46_233));
/// ```
pub fn cantor_rank(permutation: &[u8]) -> Result<u64, RankError> {
    Ok(cantor_terms(permutation)?.into_iter().map(CantorTerm::value).sum())
}

/// The permutation of 0 to `elements` − 1 with this Cantor rank.
///
/// # Errors
/// When there are more than 20 elements or the rank is not below the factorial of their number.
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

/// For each element, how many later ones are smaller, and how many follow.
fn digits(permutation: &[u8]) -> impl Iterator<Item = (u64, usize)> + '_ {
    let mut seen = 0_u32;
    permutation.iter().enumerate().map(move |(index, &element)| {
        // Of the smaller elements, those not seen yet come later.
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

/// Numbers the states that can reach a goal, without gaps: cell of the blank × half the tile orders.
///
/// States are given as labels (see [`Relabelling`](crate::Relabelling)) in reading order with the
/// blank left out. Two orders whose Cantor ranks differ in the lowest bit differ by an exchange of
/// the last two tiles, so just one of each pair is reachable and half the rank is dense. On boards
/// of one line the order never changes, so the cell of the blank is the whole rank.
#[derive(Clone, Debug)]
pub struct DenseRank {
    size: Size,
    goal_row: usize,
    /// Reachable tile orders for each cell of the blank.
    orders: u64,
}

impl DenseRank {
    /// The ranking for boards of `size` whose goal has the blank on `goal_blank`; `None` when the
    /// states are too many for 64 bits.
    pub fn new(size: Size, goal_blank: Cell) -> Option<Self> {
        let orders = match size.tiles() {
            _ if size.is_line() => 1,
            tiles if tiles <= MAX_ELEMENTS => FACTORIAL[tiles] / 2,
            _ => return None,
        };
        orders.checked_mul(size.cells() as u64)?;
        Some(Self { size, goal_row: size.row(goal_blank), orders })
    }

    /// How many states there are.
    pub fn state_count(&self) -> u64 {
        self.orders * self.size.cells() as u64
    }

    /// The number of the state with the blank on `blank` and the other labels in this order.
    pub fn rank(&self, blank: Cell, order: &[u8]) -> u64 {
        let order_rank = if self.orders == 1 {
            0
        } else {
            digits(order).map(|(count, following)| count * FACTORIAL[following]).sum::<u64>() / 2
        };
        blank.index() as u64 * self.orders + order_rank
    }

    /// Writes the order of the state `rank` to `order` (one place a tile); returns the blank's cell.
    pub fn unrank(&self, rank: u64, order: &mut [u8]) -> Cell {
        let blank = Cell::new((rank / self.orders) as usize);
        if self.orders == 1 {
            (0_u8..).zip(order).for_each(|(label, place)| *place = label);
            return blank;
        }
        unrank_into(rank % self.orders * 2, order);
        if inversions_odd(order) != self.odd(blank) {
            let last = order.len() - 1;
            order.swap(last - 1, last);
        }
        blank
    }

    /// Whether reachable orders have an odd number of inversions when the blank is on `blank`.
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
            "2 is out of range or there twice: a permutation has each of 0 to 2 once"
        );
    }

    #[test]
    fn dense_ranks_are_a_bijection() {
        for (w, h, goal) in
            [(1, 2, 0), (2, 2, 3), (3, 2, 5), (2, 3, 4), (4, 2, 7), (1, 6, 2), (7, 1, 3)]
        {
            let size = Size::new(w, h).unwrap();
            let ranking = DenseRank::new(size, Cell::new(goal)).unwrap();
            let mut order = vec![0; size.tiles()];
            for rank in 0..ranking.state_count() {
                let blank = ranking.unrank(rank, &mut order);
                assert_eq!(ranking.rank(blank, &order), rank, "{size}");
            }
        }
    }

    #[test]
    fn counts_are_those_of_the_literature() {
        let count =
            |w, h| DenseRank::new(Size::new(w, h).unwrap(), Cell::new(0)).map(|r| r.state_count());
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
