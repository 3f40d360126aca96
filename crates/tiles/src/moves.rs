//! The four moves, and sets of them.

use std::fmt;

/// The direction in which **the blank** travels; the tile beside it travels the other way.
///
/// The order up, left, right, down is the order in which every search makes its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Move {
    /// The blank goes up, a tile comes down.
    Up = 0,
    /// The blank goes left.
    Left = 1,
    /// The blank goes right.
    Right = 2,
    /// The blank goes down.
    Down = 3,
}

impl Move {
    /// All moves in the order of search.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// 0 to 3 in the order of search.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The move that takes this one back.
    #[inline]
    pub fn inverse(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }

    /// The judges' letter: `u`, `l`, `r` or `d`.
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'u',
            Self::Left => 'l',
            Self::Right => 'r',
            Self::Down => 'd',
        }
    }

    /// The move of a judges' letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.letter() == letter)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of moves in four bits; iterates in the order of search and allocates nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveSet(u8);

impl MoveSet {
    /// The set without moves.
    pub const EMPTY: Self = Self(0);

    /// Whether `m` is in the set.
    pub fn contains(self, m: Move) -> bool {
        self.0 >> m.index() & 1 == 1
    }

    /// The set with `m` added.
    #[must_use]
    pub const fn with(self, m: Move) -> Self {
        Self(self.0 | 1 << m as u8)
    }

    /// How many moves are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no moves.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        moves.into_iter().fold(Self::default(), Self::with)
    }
}

impl Iterator for MoveSet {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let m = *Move::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(m)
    }
}

impl DoubleEndedIterator for MoveSet {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        let last = 7_u32.checked_sub(self.0.leading_zeros())?;
        self.0 &= !(1 << last);
        Some(Move::ALL[last as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_both_ways_in_the_order_of_search() {
        let all: MoveSet = Move::ALL.into_iter().collect();
        assert!(all.eq(Move::ALL));
        assert!(all.rev().eq(Move::ALL.into_iter().rev()));
        assert_eq!(MoveSet::default().next(), None);
        assert_eq!(MoveSet::default().next_back(), None);
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
