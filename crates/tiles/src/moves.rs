//! The four moves, and sets of them.

use std::fmt;

use loyd_search::ActionSet;

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

/// A set of moves in four bits; iterates in the order of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveSet(u8);

impl MoveSet {
    /// The set without moves.
    pub const EMPTY: Self = Self(0);

    /// Whether `m` is in the set.
    pub const fn contains(self, m: Move) -> bool {
        self.0 >> m as u8 & 1 == 1
    }

    /// The set with `m` added.
    #[must_use]
    pub const fn with(self, m: Move) -> Self {
        Self(self.0 | 1 << m as u8)
    }

    /// Whether the set has no moves.
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

/// The moves of a set, one after the other from either end: sequences of two bits a move, looked up
/// once, so that a step costs a shift.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_both_ways_in_the_order_of_search() {
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
