//! Numbers for the orders in which tiles of some classes can stand.

use std::collections::BTreeMap;

/// The classes of all tiles in a fixed order of the cells, the blank left out: [`Arrangements::bits`] bits
/// a tile, the first one lowest.
pub type Arrangement = u64;

/// Numbers all arrangements of so many tiles of each class, without gaps.
///
/// An arrangement is cut in two. The numbers of those that share a lower part follow each other, and
/// where the upper one comes among them depends on nothing but itself, for the lower part has the tiles
/// that the upper one has not. So a number is the sum of two table entries; for 4x4 boards with four
/// classes the tables have 320 KB.
#[derive(Clone, Debug)]
pub struct Arrangements {
    bits: u32,
    lower_bits: u32,
    /// By lower part: the first number of arrangements with it.
    first: Vec<u32>,
    /// By upper part: its place among those of the same tiles.
    place: Vec<u32>,
    lowers: Vec<Lower>,
    /// Upper parts, those of the same tiles side by side and in the order of their places.
    uppers: Vec<u32>,
    count: usize,
}

/// A lower part that there is.
#[derive(Clone, Copy, Debug)]
struct Lower {
    part: u32,
    first: u32,
    /// Where the upper parts that go with it begin, and how many they are.
    uppers: (u32, u32),
}

/// How many tiles of each class.
type Counts = Vec<u8>;

impl Arrangements {
    /// Those of so many tiles of each class; at most eight classes and 15 tiles.
    ///
    /// # Panics
    /// If there are more arrangements than 32 bits can number.
    pub fn new(counts: &[u8]) -> Self {
        let bits = Self::bits_of(counts);
        let tiles: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        let lower_tiles = tiles.div_ceil(2);
        let (mut uppers, mut groups) = (Vec::new(), BTreeMap::new());
        let mut place = vec![0; 1 << (bits * (tiles - lower_tiles))];
        for (counts, parts) in by_counts(bits, tiles - lower_tiles, counts) {
            (0..).zip(&parts).for_each(|(index, &part)| place[part as usize] = index);
            groups.insert(counts, (uppers.len() as u32, parts.len() as u32));
            uppers.extend(parts);
        }
        let mut lowers = Vec::new();
        for (taken, parts) in by_counts(bits, lower_tiles, counts) {
            let left: Counts = counts.iter().zip(taken).map(|(all, taken)| all - taken).collect();
            let uppers = groups[&left];
            lowers.extend(parts.into_iter().map(|part| Lower { part, first: 0, uppers }));
        }
        lowers.sort_unstable_by_key(|lower| lower.part);
        let mut first = vec![0; 1 << (bits * lower_tiles)];
        let mut count = 0_u32;
        for lower in &mut lowers {
            (lower.first, first[lower.part as usize]) = (count, count);
            count = count.checked_add(lower.uppers.1).expect("32 bits number all arrangements");
        }
        let lower_bits = bits * lower_tiles;
        Self { bits, lower_bits, first, place, lowers, uppers, count: count as usize }
    }

    /// The bits that a tile takes if there are so many classes.
    pub(super) fn bits_of(counts: &[u8]) -> u32 {
        if counts.len() <= 4 { 2 } else { 3 }
    }

    /// The bits that a tile takes in an [`Arrangement`].
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bytes that numbering takes.
    pub fn bytes(&self) -> u64 {
        let entries = self.first.len() + self.place.len() + self.uppers.len();
        (entries * size_of::<u32>() + self.lowers.len() * size_of::<Lower>()) as u64
    }

    /// The number of an arrangement.
    #[inline]
    pub fn number(&self, arrangement: Arrangement) -> u32 {
        let lower = arrangement & ((1 << self.lower_bits) - 1);
        self.first[lower as usize] + self.place[(arrangement >> self.lower_bits) as usize]
    }

    /// The two tables whose entries for the lower and the upper part of an arrangement add up to its
    /// number, and the bits of the lower part: for kernels.
    pub fn parts(&self) -> (&[u32], &[u32], u32) {
        (&self.first, &self.place, self.lower_bits)
    }

    /// Calls `visit` with the arrangements of these numbers, in order, as long as it returns `Ok`.
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

/// All parts of so many tiles that take no more of a class than there are, by what they take.
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
    fn any_stretch_of_numbers_can_be_walked() {
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
