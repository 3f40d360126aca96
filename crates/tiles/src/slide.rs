//! Slides of several tiles and sets of slides.

use std::fmt;

use loyd_search::ActionSet;

use crate::moves::{Move, MoveSet};

/// A move of the blank by several cells in a line; the tiles in between move the opposite way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slide {
    /// The direction in which the blank moves.
    pub direction: Move,
    /// The number of cells that the blank moves and of tiles that move, at least 1.
    pub tiles: u8,
}

impl Slide {
    /// Returns the slide that undoes this one.
    pub fn inverse(self) -> Self {
        Self { direction: self.direction.inverse(), ..self }
    }
}

/// Writes the direction and the number of tiles: `r3`.
impl fmt::Debug for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.direction, self.tiles)
    }
}

/// The slides of a blank: the number of cells that it can move up, left, right and down.
///
/// Iterates in this order of directions, shorter slides before longer ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SlideSet([u8; 4]);

impl SlideSet {
    /// Creates the set of slides by at most `cells` cells, given for up, left, right and down.
    pub const fn new(cells: [u8; 4]) -> Self {
        Self(cells)
    }

    /// Returns all slides of the set in order, and for each direction the number of slides that precede its first one.
    pub(crate) fn numbered(self) -> (Vec<Slide>, [u16; 4]) {
        let before =
            |direction: usize| self.0[..direction].iter().map(|&cells| u16::from(cells)).sum();
        (self.into_iter().collect(), [0, 1, 2, 3].map(before))
    }

    /// Returns the directions that have slides.
    pub fn directions(self) -> MoveSet {
        Move::ALL.into_iter().filter(|m| self.0[m.index()] > 0).collect()
    }
}

impl ActionSet<Slide> for SlideSet {
    /// Returns the set without the slides along the line of `slide`. Each of them leads to a state that a sibling of
    /// the inverse of `slide` reaches, or back to the parent.
    #[inline]
    fn without(self, slide: Option<Slide>) -> Self {
        let [up, left, right, down] = self.0;
        match slide.map(|slide| slide.direction) {
            None => self,
            Some(Move::Up | Move::Down) => Self([0, left, right, 0]),
            Some(Move::Left | Move::Right) => Self([up, 0, 0, down]),
        }
    }

    #[inline]
    fn count(self) -> u64 {
        self.0.iter().map(|&cells| u64::from(cells)).sum()
    }
}

impl IntoIterator for SlideSet {
    type Item = Slide;
    type IntoIter = SlideSetIter;

    #[inline]
    fn into_iter(self) -> SlideSetIter {
        SlideSetIter { cells: self.0, next: 0, end: self.count() as u16 }
    }
}

/// Iterator over a [`SlideSet`] from either end.
#[derive(Clone, Debug)]
pub struct SlideSetIter {
    cells: [u8; 4],
    next: u16,
    end: u16,
}

impl SlideSetIter {
    /// Returns the slide at index `place` in the order of the set.
    #[inline]
    fn at(&self, place: u16) -> Slide {
        let mut left = place;
        for (direction, &cells) in Move::ALL.into_iter().zip(&self.cells) {
            if left < u16::from(cells) {
                return Slide { direction, tiles: left as u8 + 1 };
            }
            left -= u16::from(cells);
        }
        unreachable!("the place is below the number of slides")
    }
}

impl Iterator for SlideSetIter {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        Some(self.at(self.next - 1))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.end - self.next);
        (left, Some(left))
    }
}

impl DoubleEndedIterator for SlideSetIter {
    #[inline]
    fn next_back(&mut self) -> Option<Slide> {
        if self.next == self.end {
            return None;
        }
        self.end -= 1;
        Some(self.at(self.end))
    }
}

impl ExactSizeIterator for SlideSetIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_in_search_order_from_both_ends() {
        let set = SlideSet::new([2, 0, 1, 3]);
        let shown: Vec<String> = set.into_iter().map(|slide| format!("{slide:?}")).collect();
        assert_eq!(shown, ["u1", "u2", "r1", "d1", "d2", "d3"]);
        let mut back: Vec<String> = set.into_iter().rev().map(|s| format!("{s:?}")).collect();
        back.reverse();
        assert_eq!((back, set.count()), (shown, 6));
        let mut ends = set.into_iter();
        assert_eq!(
            (ends.next(), ends.next_back(), ends.len()),
            (set.into_iter().next(), set.into_iter().next_back(), 4)
        );
        assert_eq!(SlideSet::default().into_iter().next(), None);
    }

    #[test]
    fn without_leaves_only_the_other_axis() {
        let set = SlideSet::new([2, 1, 2, 1]);
        for slide in set {
            let left: Vec<Slide> = set.without(Some(slide.inverse())).into_iter().collect();
            let across = |m: Move| [Move::Left, Move::Right].contains(&m);
            let expected =
                set.into_iter().filter(|s| across(s.direction) != across(slide.direction));
            assert!(left.into_iter().eq(expected));
        }
        assert_eq!(set.without(None), set);
    }
}
