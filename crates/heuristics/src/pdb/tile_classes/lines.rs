//! What a slide does to arrangements, and to the codes of their distances.

use loyd_search::Cost;
use loyd_tiles::Size;

use super::arrangements::{Arrangement, Arrangements};
use super::classes::TileClasses;

/// The code of boards from which the goal cannot be reached, and of places that no cell has.
pub const UNREACHED: u32 = 3;

/// The lines of the table: how a blank goes from one to another.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// How many places a line has.
    pub places: u32,
    /// How many lines there are.
    pub lines: u32,
    /// The bits of a tile in an arrangement.
    bits: u32,
}

impl Line {
    pub(super) fn new(classes: &TileClasses) -> Self {
        let (places, lines) = (classes.size().height() as u32, classes.size().width() as u32);
        Self { places, lines, bits: Arrangements::bits_of(classes.counts()) }
    }

    /// The arrangement after the blank has gone from `place` to the same place of the next line: the last
    /// of the tiles between goes before the others.
    #[inline]
    pub fn onward(self, arrangement: Arrangement, place: u32) -> Arrangement {
        let (at, width) = (place * self.bits, self.places * self.bits);
        let tiles = arrangement >> at & ((1 << width) - 1);
        let rotated = (tiles << self.bits | tiles >> (width - self.bits)) & ((1 << width) - 1);
        arrangement ^ (tiles ^ rotated) << at
    }

    /// The same to the line before: the first of the tiles between goes behind the others.
    #[inline]
    pub fn back(self, arrangement: Arrangement, place: u32) -> Arrangement {
        let (at, width) = ((place - self.places) * self.bits, self.places * self.bits);
        let tiles = arrangement >> at & ((1 << width) - 1);
        let rotated = tiles >> self.bits | (tiles << (width - self.bits) & ((1 << width) - 1));
        arrangement ^ (tiles ^ rotated) << at
    }

    /// The arrangement after the blank has gone across lines from one place to the other.
    #[inline]
    pub fn slid(self, mut arrangement: Arrangement, mut from: u32, to: u32) -> Arrangement {
        while from < to {
            arrangement = self.onward(arrangement, from);
            from += self.places;
        }
        while from > to {
            arrangement = self.back(arrangement, from);
            from -= self.places;
        }
        arrangement
    }
}

/// The two bits of a place.
#[inline]
pub fn code(word: u32, place: u32) -> u32 {
    word >> (2 * place) & 3
}

/// What a slide changes the distance by, modulo 2³², given the codes before and after it.
#[inline]
pub fn change(before: u32, after: u32) -> Cost {
    const CHANGE: [Cost; 16] = {
        let mut change = [0; 16];
        let mut code = 0;
        while code < 3 {
            change[4 * code + (code + 1) % 3] = 1;
            change[4 * code + (code + 2) % 3] = Cost::MAX;
            code += 1;
        }
        change
    };
    CHANGE[(4 * before + after) as usize & 15]
}

/// The place of a cell in canonical orientation.
pub fn place(size: Size, cell: usize) -> usize {
    cell % size.width() * size.height() + cell / size.width()
}
