//! A set of rows of bytes, to draw no board twice.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// Number of parts of a set: a part of a hundred million rows grows in some milliseconds.
const PARTS: usize = 256;

/// A set of rows that all have the same number of bytes, at least one.
///
/// The rows are divided among parts that grow one at a time, so no insertion takes long. The rows of a part are one
/// vector, so a large set is freed quickly too. Cost: up to 10 bytes per row besides the row.
#[derive(Debug)]
pub(crate) struct RowSet {
    /// Bytes per row.
    width: usize,
    len: usize,
    parts: Vec<Part>,
}

/// The rows whose hashes have some bits in common.
#[derive(Clone, Debug, Default)]
struct Part {
    /// All rows, one after another.
    rows: Vec<u8>,
    /// Numbers of the rows, by hash.
    numbers: HashTable<u32>,
}

impl RowSet {
    /// Creates an empty set of rows of `width` bytes.
    pub(crate) fn new(width: usize) -> Self {
        Self { width, len: 0, parts: vec![Part::default(); PARTS] }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Inserts `row` and returns whether it was not in the set.
    pub(crate) fn insert(&mut self, row: &[u8]) -> bool {
        let width = self.width;
        debug_assert_eq!(row.len(), width);
        let hash = FxBuildHasher.hash_one(row);
        // The tables use the lowest and the highest bits.
        let Part { rows, numbers } = &mut self.parts[(hash >> 40) as usize % PARTS];
        let stored = |number: u32| &rows[number as usize * width..][..width];
        let is_row = |&number: &u32| stored(number) == row;
        let Entry::Vacant(place) =
            numbers.entry(hash, is_row, |&number| FxBuildHasher.hash_one(stored(number)))
        else {
            return false;
        };
        place.insert((rows.len() / width) as u32);
        rows.extend_from_slice(row);
        self.len += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn agrees_with_the_standard_set() {
        let mut expected = HashSet::new();
        let mut rows = RowSet::new(3);
        for number in 0..200_000_u32 {
            let bytes = (number.wrapping_mul(2_654_435_761) >> 15).to_le_bytes();
            assert_eq!(rows.insert(&bytes[..3]), expected.insert(bytes[..3].to_vec()), "{number}");
            assert_eq!(rows.len(), expected.len());
        }
        assert!((1 << 16..200_000).contains(&rows.len()), "{}", rows.len());
    }

    #[test]
    fn parts_grow_evenly() {
        let mut rows = RowSet::new(4);
        (0..100_000_u32).for_each(|number| assert!(rows.insert(&number.to_le_bytes())));
        let largest = rows.parts.iter().map(|part| part.numbers.len()).max();
        assert!(largest < Some(2 * 100_000 / PARTS), "{largest:?}");
    }
}
