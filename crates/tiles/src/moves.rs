//! The four moves, sets and sequences of moves, and the metrics in which solutions are counted.

use std::fmt;
use std::str::FromStr;

use loyd_search::ActionSet;

/// The direction in which **the blank** moves; the tile it swaps with moves the opposite way.
///
/// The order up, left, right, down is the order in which every search generates children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Move {
    /// The blank moves up, and a tile moves down.
    Up = 0,
    /// The blank moves left.
    Left = 1,
    /// The blank moves right.
    Right = 2,
    /// The blank moves down.
    Down = 3,
}

impl Move {
    /// All moves in search order.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// Returns the index of the move in search order, 0 to 3.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the move that undoes this one.
    #[inline]
    pub fn inverse(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }

    /// Returns the judges' letter: `u`, `l`, `r` or `d`.
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'u',
            Self::Left => 'l',
            Self::Right => 'r',
            Self::Down => 'd',
        }
    }

    /// Returns the move with the given judges' letter, or `None` if `letter` is not one of them.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.letter() == letter)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of moves in four bits; iterates in search order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveSet(u8);

impl MoveSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns whether `m` is in the set.
    pub const fn contains(self, m: Move) -> bool {
        self.0 >> m as u8 & 1 == 1
    }

    /// Returns the set with `m` added.
    #[must_use]
    pub const fn with(self, m: Move) -> Self {
        Self(self.0 | 1 << m as u8)
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl ActionSet<Move> for MoveSet {
    #[inline]
    fn without(self, m: Option<Move>) -> Self {
        Self(self.0 & !m.map_or(0, |m| 1 << m as u8))
    }

    #[inline]
    fn count(self) -> u64 {
        self.into_iter().left.into()
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        moves.into_iter().fold(Self::default(), Self::with)
    }
}

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = Moves;

    #[inline]
    fn into_iter(self) -> Moves {
        SEQUENCES[usize::from(self.0 & 15)]
    }
}

/// Iterator over a [`MoveSet`] from either end. Holds the remaining moves as a sequence of two bits per move,
/// taken from a table, so that each step is one shift.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    forward: u8,
    backward: u8,
    left: u8,
}

const SEQUENCES: [Moves; 16] = {
    let mut sequences = [Moves { forward: 0, backward: 0, left: 0 }; 16];
    let mut set = 0;
    while set < 16 {
        let (mut forward, mut backward, mut left) = (0, 0, 0);
        let mut m = 0;
        while m < 4 {
            if set >> m & 1 == 1 {
                forward |= m << (2 * left);
                backward = backward << 2 | m;
                left += 1;
            }
            m += 1;
        }
        sequences[set as usize] = Moves { forward, backward, left };
        set += 1;
    }
    sequences
};

impl Moves {
    #[inline]
    fn take(&mut self, bits: u8) -> Move {
        self.left -= 1;
        match bits & 3 {
            0 => Move::Up,
            1 => Move::Left,
            2 => Move::Right,
            _ => Move::Down,
        }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.left == 0 {
            return None;
        }
        let bits = self.forward;
        self.forward >>= 2;
        Some(self.take(bits))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.into(), Some(self.left.into()))
    }
}

impl DoubleEndedIterator for Moves {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        if self.left == 0 {
            return None;
        }
        let bits = self.backward;
        self.backward >>= 2;
        Some(self.take(bits))
    }
}

impl ExactSizeIterator for Moves {}

/// Returns the moves that undo `moves`: their inverses in reverse order.
///
/// # Examples
/// ```
/// use loyd_tiles::{invert, notation::{moves_to_string, parse_moves}};
/// assert_eq!(moves_to_string(&invert(&parse_moves("ull")?)), "rrd");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[must_use]
pub fn invert(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|m| m.inverse()).collect()
}

/// Removes adjacent pairs of moves that undo each other until none is left.
///
/// The result leads to the same board, is legal wherever `moves` are, and does not depend on the
/// order in which pairs are cancelled.
///
/// # Examples
/// ```
/// use loyd_tiles::{notation::{moves_to_string, parse_moves}, simplify};
/// assert_eq!(moves_to_string(&simplify(&parse_moves("uldurruld")?)), "uruld");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[must_use]
pub fn simplify(moves: &[Move]) -> Vec<Move> {
    let mut left: Vec<Move> = Vec::with_capacity(moves.len());
    for &m in moves {
        match left.last() {
            Some(last) if last.inverse() == m => {
                left.pop();
            }
            _ => left.push(m),
        }
    }
    left
}

/// Iterates over the maximal runs of equal moves in `moves`; each run is one slide of several tiles.
///
/// # Examples
/// ```
/// use loyd_tiles::{notation::parse_moves, runs};
/// let moves = parse_moves("ullld")?;
/// assert_eq!(runs(&moves).map(<[_]>::len).collect::<Vec<_>>(), [1, 3, 1]);
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn runs(moves: &[Move]) -> impl Iterator<Item = &[Move]> {
    moves.chunk_by(|a, b| a == b)
}

/// The unit in which the length of a solution is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Each move of a single tile counts one (STM).
    #[default]
    SingleTile,
    /// Each slide of one or more tiles in a line counts one (MTM).
    MultiTile,
}

/// An unknown metric name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a metric: stm (each tile counts) or mtm (each slide of tiles in a line) is allowed"
)]
pub struct MetricError(String);

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 2] = [Self::SingleTile, Self::MultiTile];

    /// Returns `stm` or `mtm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::SingleTile => "stm",
            Self::MultiTile => "mtm",
        }
    }

    /// Returns the length of a solution in this metric.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::{Metric, notation::parse_moves};
    /// let moves = parse_moves("rrdl").unwrap();
    /// assert_eq!(Metric::SingleTile.length(&moves), 4);
    /// assert_eq!(Metric::MultiTile.length(&moves), 3);
    /// ```
    pub fn length(self, moves: &[Move]) -> usize {
        match self {
            Self::SingleTile => moves.len(),
            Self::MultiTile => runs(moves).count(),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Self, MetricError> {
        let named = |metric: &Self| metric.name() == text;
        Self::ALL.into_iter().find(named).ok_or_else(|| MetricError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_in_search_order_from_both_ends() {
        let all: MoveSet = Move::ALL.into_iter().collect();
        assert!(all.into_iter().eq(Move::ALL));
        assert!(all.into_iter().rev().eq(Move::ALL.into_iter().rev()));
        for bits in 0..16 {
            assert_eq!(MoveSet(bits).count(), u64::from(bits.count_ones()));
            for m in Move::ALL {
                let rest: Vec<Move> = MoveSet(bits).into_iter().filter(|&x| x != m).collect();
                assert!(MoveSet(bits).without(Some(m)).into_iter().eq(rest.iter().copied()));
                assert!(
                    MoveSet(bits).without(Some(m)).into_iter().rev().eq(rest.into_iter().rev())
                );
            }
            assert_eq!(MoveSet(bits).without(None), MoveSet(bits));
        }
    }

    #[test]
    fn letters_and_inverses_agree() {
        for m in Move::ALL {
            assert_eq!(Move::from_letter(m.letter()), Some(m));
            assert_eq!(m.inverse().inverse(), m);
            assert_ne!(m.inverse(), m);
        }
        assert_eq!(Move::from_letter('U'), None);
    }
}
