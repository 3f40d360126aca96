//! The table of one pattern.

use loyd_search::{Cost, Meter, Stop};

use super::WidePattern;
use super::build::build;
use super::grid::{Grid, bits};
use crate::pdb::Words;
use crate::pdb::database::distance_increases;

/// The distances of all states of a [`WidePattern`]: bit 1 of each, the parity being that of the cells.
///
/// Places that stand for no state, and states from which the goal cannot be reached, have meaningless
/// bits.
#[derive(Debug)]
pub struct WideTable {
    pattern: WidePattern,
    words: Words,
    census: Vec<u64>,
}

/// More than any pattern is from its goal: a walk as long as this runs in circles.
const FARTHEST: Cost = 255;

impl WideTable {
    /// The distances of all states, found from the goal outwards, level by level.
    ///
    /// Cost: five tiles on 5x5 take 30 MB, twice that and a tenth while they are made, and about a second.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build(pattern: WidePattern, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let (words, census) = build(&pattern, meter)?;
        Ok(Self { pattern, words, census })
    }

    /// A table that was made before.
    pub(super) fn restored(pattern: WidePattern, words: Words, census: Vec<u64>) -> Self {
        Self { pattern, words, census }
    }

    /// Bit 1 of the distances.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// What the table is about.
    pub fn pattern(&self) -> &WidePattern {
        &self.pattern
    }

    /// How many states there are at each distance.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// What is added to a place for the tile with each label, once for each cell that it is away from the
    /// first one; see [`bit`](Self::bit).
    pub fn weight(&self, label: usize) -> u32 {
        weight(&self.pattern, label)
    }

    /// Bit 1 of the distance of the state at `place`: the cell of the blank, and for each tile its
    /// [weight](Self::weight) times its cell.
    #[inline]
    pub fn bit(&self, place: u32) -> u32 {
        (self.words[(place / 64) as usize] >> (place % 64)) as u32 & 1
    }

    /// The distance of the state with the tiles on `cells`, by label, and the blank on `blank`; `None` if
    /// the walk down does not end at the goal: it cannot be reached, or the table is wrong.
    ///
    /// Cost: that walk; microseconds.
    pub fn distance(&self, cells: &[u8], blank: u8) -> Option<Cost> {
        let (goal, size) = (self.pattern.cells(), self.pattern.size());
        let grid = Grid::new(size);
        let width = size.width() as u32;
        let colour = |&cell: &u8| u32::from(cell) / width + u32::from(cell) % width;
        let mut parity = goal.iter().chain(cells).map(colour).sum::<u32>() & 1;
        let (mut cells, mut region, mut distance) = (cells.to_vec(), 1 << blank, 0);
        let mut bit = self.bit(self.place(&cells, blank));
        loop {
            let tiles = cells.iter().fold(0, |set, &cell| set | 1 << cell);
            region = grid.region(region, tiles);
            if cells == goal && region & self.pattern.blanks() != 0 {
                return Some(distance);
            }
            if distance == FARTHEST {
                return None;
            }
            let steps = (0..cells.len()).flat_map(|label| {
                bits(grid.beside(cells[label]) & region).map(move |to| (label, to))
            });
            let lower = steps.into_iter().find_map(|(label, to)| {
                let mut next = cells.clone();
                let from = std::mem::replace(&mut next[label], to);
                let after = self.bit(self.place(&next, from));
                (!distance_increases(parity, bit, after)).then_some((next, from, after))
            });
            let (next, from, after) = lower?;
            (cells, region, bit) = (next, 1 << from, after);
            (parity, distance) = (parity ^ 1, distance + 1);
        }
    }

    fn place(&self, cells: &[u8], blank: u8) -> u32 {
        let tile = |(label, &cell)| self.weight(label) * u32::from(cell);
        u32::from(blank) + cells.iter().enumerate().map(tile).sum::<u32>()
    }
}

/// What a cell counts for the tile with this label.
pub(super) fn weight(pattern: &WidePattern, label: usize) -> u32 {
    (pattern.size().cells() as u32).pow(label as u32 + 1)
}
