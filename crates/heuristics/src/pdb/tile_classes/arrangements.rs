//! Numbering of the arrangements of the tiles of all classes, and the effect of a slide on arrangements and on the
//! codes of their distances.
//!
//! # Data layout
//! An [`Arrangement`] is the sequence of the classes of the tiles, in the order of their places, without the blank:
//!
//! | bits | contents |
//! |---|---|
//! | `bits · i` to `bits · (i + 1) - 1` | class of tile i; `bits` is 2 for at most four classes, else 3 |
//!
//! It is cut into a lower part, the first ⌈tiles / 2⌉ tiles (`lower_bits` bits), and an upper part, the others. The
//! number of an arrangement is
//!
//! ```text
//! first[lower part] + place[upper part]
//! ```
//!
//! The arrangements with the same lower part have consecutive numbers, starting from `first`. The lower part determines
//! how many tiles of each class the upper part has, and `place` is the index of the upper part among all parts with
//! those counts. So `place` does not depend on the lower part, and the sum has no gaps.
//!
//! # Slides
//! Places number the cells of a board in canonical orientation column by column: `column · height + row`. A *line* is a
//! column, with `places` = height consecutive places. The tiles of an arrangement are in the order of their
//! places, without the blank, so the tile on place p has index p if it comes before the blank, else p − 1.
//!
//! * A slide along a line changes the place of the blank, but not the order of the tiles.
//! * A slide across lines, by one line, moves one tile past `places − 1` others: the `places` tiles between the old and
//!   the new place of the blank are rotated by one.

use std::collections::BTreeMap;

use loyd_search::Cost;
use loyd_tiles::Size;

use super::classes::TileClasses;

/// The classes of all tiles in the order of their places, without the blank: [`Arrangements::bits`] bits per tile, the
/// first tile in the lowest bits.
pub type Arrangement = u64;

/// Numbers all arrangements of given numbers of tiles of each class, without gaps.
///
/// An arrangement is cut into a lower and an upper part, and its number is the sum of a table entry for each. For 4x4
/// boards with four classes the tables take 320 KB.
#[derive(Clone, Debug)]
pub struct Arrangements {
    bits: u32,
    lower_bits: u32,
    /// By lower part: the smallest number of the arrangements with this part.
    first: Vec<u32>,
    /// By upper part: its index among the parts with the same counts.
    place: Vec<u32>,
    /// The lower parts that occur, in ascending order.
    lowers: Vec<Lower>,
    /// The upper parts that occur, grouped by their counts, in the order of `place`.
    uppers: Vec<u32>,
    count: usize,
}

/// A lower part that occurs.
#[derive(Clone, Copy, Debug)]
struct Lower {
    part: u32,
    first: u32,
    /// The matching upper parts: index of the first one in [`Arrangements::uppers`], and their number.
    uppers: (u32, u32),
}

/// Number of tiles of each class.
type Counts = Vec<u8>;

impl Arrangements {
    /// Creates the numbering for `counts[c]` tiles of each class c: at most eight classes and 15 tiles.
    ///
    /// # Panics
    /// Panics if there are 2³² arrangements or more.
    pub fn new(counts: &[u8]) -> Self {
        let bits = Self::bits_of(counts);
        let tiles: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        let lower_tiles = tiles.div_ceil(2);
        // Upper parts, grouped by counts.
        let (mut uppers, mut groups) = (Vec::new(), BTreeMap::new());
        let mut place = vec![0; 1 << (bits * (tiles - lower_tiles))];
        for (counts, parts) in by_counts(bits, tiles - lower_tiles, counts) {
            (0..).zip(&parts).for_each(|(index, &part)| place[part as usize] = index);
            groups.insert(counts, (uppers.len() as u32, parts.len() as u32));
            uppers.extend(parts);
        }
        // Lower parts: what they leave of each class determines the group of upper parts.
        let mut lowers = Vec::new();
        for (taken, parts) in by_counts(bits, lower_tiles, counts) {
            let left: Counts = counts.iter().zip(taken).map(|(all, taken)| all - taken).collect();
            let uppers = groups[&left];
            lowers.extend(parts.into_iter().map(|part| Lower { part, first: 0, uppers }));
        }
        lowers.sort_unstable_by_key(|lower| lower.part);
        // Each lower part gets as many consecutive numbers as its group has upper parts.
        let mut first = vec![0; 1 << (bits * lower_tiles)];
        let mut count = 0_u32;
        for lower in &mut lowers {
            (lower.first, first[lower.part as usize]) = (count, count);
            count = count.checked_add(lower.uppers.1).expect("arrangements must fit in 32 bits");
        }
        let lower_bits = bits * lower_tiles;
        Self { bits, lower_bits, first, place, lowers, uppers, count: count as usize }
    }

    /// Returns the number of bits per tile for these classes.
    pub(super) fn bits_of(counts: &[u8]) -> u32 {
        if counts.len() <= 4 { 2 } else { 3 }
    }

    /// Returns the number of bits per tile in an [`Arrangement`].
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the number of arrangements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the bytes of memory that the tables of the numbering hold.
    pub fn bytes(&self) -> u64 {
        let entries = self.first.len() + self.place.len() + self.uppers.len();
        (entries * size_of::<u32>() + self.lowers.len() * size_of::<Lower>()) as u64
    }

    /// Returns the number of an arrangement.
    #[inline]
    pub fn number(&self, arrangement: Arrangement) -> u32 {
        let lower = arrangement & ((1 << self.lower_bits) - 1);
        self.first[lower as usize] + self.place[(arrangement >> self.lower_bits) as usize]
    }

    /// Returns the two tables whose entries for the lower and the upper part of an arrangement add up to its
    /// number, and the number of bits of the lower part. Used by the kernels.
    pub fn parts(&self) -> (&[u32], &[u32], u32) {
        (&self.first, &self.place, self.lower_bits)
    }

    /// Calls `visit` with the arrangements of these numbers, in order, until it returns an error.
    pub fn each<E>(
        &self,
        numbers: std::ops::Range<usize>,
        mut visit: impl FnMut(usize, Arrangement) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = self.lowers.partition_point(|lower| lower.first as usize <= numbers.start) - 1;
        let mut number = numbers.start;
        while number < numbers.end {
            let Lower { part, first, uppers: (begin, len) } = self.lowers[at];
            let uppers = &self.uppers[begin as usize..][..len as usize];
            let skipped = number - first as usize;
            for &upper in &uppers[skipped..uppers.len().min(numbers.end - first as usize)] {
                visit(number, u64::from(part) | u64::from(upper) << self.lower_bits)?;
                number += 1;
            }
            at += 1;
        }
        Ok(())
    }
}

/// Returns all parts of `tiles` tiles with at most `most[c]` tiles of each class c, grouped by their counts.
fn by_counts(bits: u32, tiles: u32, most: &[u8]) -> BTreeMap<Counts, Vec<u32>> {
    let mut parts = BTreeMap::from([(vec![0; most.len()], vec![0])]);
    for place in 0..tiles {
        let mut longer: BTreeMap<Counts, Vec<u32>> = BTreeMap::new();
        for (counts, parts) in parts {
            for class in (0..most.len()).filter(|&class| counts[class] < most[class]) {
                let mut counts = counts.clone();
                counts[class] += 1;
                let with = parts.iter().map(|part| part | (class as u32) << (bits * place));
                longer.entry(counts).or_default().extend(with);
            }
        }
        parts = longer;
    }
    parts
}

/// The code of boards from which the goal cannot be reached, and of places that are no cells of the board.
pub const UNREACHED: u32 = 3;

/// The dimensions of the table, and the effect of slides across lines.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Number of places per line.
    pub places: u32,
    /// Number of lines.
    pub lines: u32,
    /// Bits per tile in an arrangement.
    bits: u32,
}

impl Line {
    pub(super) fn new(classes: &TileClasses) -> Self {
        let (places, lines) = (classes.size().height() as u32, classes.size().width() as u32);
        Self { places, lines, bits: Arrangements::bits_of(classes.counts()) }
    }

    /// Returns the arrangement after the blank has moved from `place` to the same place of the next line: the last
    /// of the tiles between becomes the first.
    #[inline]
    pub fn next_line(self, arrangement: Arrangement, place: u32) -> Arrangement {
        // The tiles after the blank have indices from `place` on.
        let (at, width) = (place * self.bits, self.places * self.bits);
        let tiles = arrangement >> at & ((1 << width) - 1);
        let rotated = (tiles << self.bits | tiles >> (width - self.bits)) & ((1 << width) - 1);
        arrangement ^ (tiles ^ rotated) << at
    }

    /// Returns the arrangement after the blank has moved from `place` to the same place of the previous line: the
    /// first of the tiles between becomes the last.
    #[inline]
    pub fn previous_line(self, arrangement: Arrangement, place: u32) -> Arrangement {
        // The tiles before the blank have indices up to `place - 1`.
        let (at, width) = ((place - self.places) * self.bits, self.places * self.bits);
        let tiles = arrangement >> at & ((1 << width) - 1);
        let rotated = tiles >> self.bits | (tiles << (width - self.bits) & ((1 << width) - 1));
        arrangement ^ (tiles ^ rotated) << at
    }

    /// Returns the arrangement after the blank has moved across lines from place `from` to place `to`.
    #[inline]
    pub fn after_slide(self, mut arrangement: Arrangement, mut from: u32, to: u32) -> Arrangement {
        while from < to {
            arrangement = self.next_line(arrangement, from);
            from += self.places;
        }
        while from > to {
            arrangement = self.previous_line(arrangement, from);
            from -= self.places;
        }
        arrangement
    }
}

/// Returns the code of a place in a word: the distance modulo 3, or [`UNREACHED`].
#[inline]
pub fn code(word: u32, place: u32) -> u32 {
    word >> (2 * place) & 3
}

/// Returns the change of the distance by a slide (−1, 0 or 1), modulo 2³², given the codes before and after it.
#[inline]
pub fn change(before: u32, after: u32) -> Cost {
    const CHANGE: [Cost; 16] = {
        let mut change = [0; 16];
        let mut code = 0;
        // Code + 1 (mod 3) is one slide farther, code + 2 one slide nearer. All other pairs change nothing.
        while code < 3 {
            change[4 * code + (code + 1) % 3] = 1;
            change[4 * code + (code + 2) % 3] = Cost::MAX;
            code += 1;
        }
        change
    };
    CHANGE[(4 * before + after) as usize & 15]
}

/// Returns the place of a cell in canonical orientation.
pub fn place(size: Size, cell: usize) -> usize {
    cell % size.width() * size.height() + cell / size.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_bijection() {
        for (counts, expected) in [
            (&[3][..], 1),
            (&[1, 1, 1], 6),
            (&[2, 3, 4], 1260),
            (&[1, 2, 1, 2, 1], 1260),
            (&[1, 1, 1, 1, 1, 1, 1, 1], 40_320),
        ] {
            let arrangements = Arrangements::new(counts);
            assert_eq!(arrangements.count(), expected, "{counts:?}");
            let mut met = 0;
            let done = arrangements.each(0..expected, |number, arrangement| {
                assert_eq!(arrangements.number(arrangement) as usize, number);
                let mut left = counts.to_vec();
                for place in 0..counts.iter().sum::<u8>() {
                    let class = arrangement >> (arrangements.bits() * u32::from(place)) & 7;
                    left[class as usize & ((1 << arrangements.bits()) - 1)] -= 1;
                }
                assert!(left.iter().all(|&count| count == 0));
                assert_eq!(number, met);
                met += 1;
                Ok::<(), ()>(())
            });
            assert_eq!((done, met), (Ok(()), expected));
        }
    }

    #[test]
    fn any_range_of_numbers_can_be_visited() {
        let arrangements = Arrangements::new(&[2, 3, 4]);
        let mut all = Vec::new();
        let walk = |range, seen: &mut Vec<_>| {
            arrangements.each::<()>(range, |number, arrangement| {
                seen.push((number, arrangement));
                Ok(())
            })
        };
        walk(0..1260, &mut all).unwrap();
        for (start, end) in [(0, 0), (0, 1), (7, 7), (100, 333), (1259, 1260)] {
            let mut some = Vec::new();
            walk(start..end, &mut some).unwrap();
            assert_eq!(some, all[start..end]);
        }
        let stopped =
            arrangements.each(5..50, |number, _| if number < 9 { Ok(()) } else { Err(number) });
        assert_eq!(stopped, Err(9));
    }
}
