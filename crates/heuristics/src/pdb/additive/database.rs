//! The tables of a partition.
//!
//! # Data layout
//! All tables lie in one array of 64-bit words, one after the other, in the order of [`Partition::tables`]. Within a
//! table:
//!
//! | bit | contents |
//! |---|---|
//! | `first_bit + rank · stride + q` | bit 1 of the distance of the state with this rank and q |
//! | `first_bit + rank · stride + number of layouts` to the next multiple of 512 | padding, without meaning |
//!
//! Bit 0 of the distance is not stored, as it follows from the cells of the tiles ([`Part::parity`]). `first_bit` and
//! `stride` are multiples of 512, a cache line. Looking up a state takes:
//!
//! 1. [`Part::image`]: the cells in the table, if the pattern uses the table of one of its images;
//! 2. [`Coordinates::q`] of the cells and the blank, and [`Coordinates::rank`] of the labels;
//! 3. [`Part::place`] and [`Database::bit_at`].
//!
//! Along a path, [`Coordinates::jump`] updates the rank instead.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Cell, CellSet, Size, Symmetry};

use super::build::{Graph, Job, build_bytes, dark_cells, working_bytes};
use super::coordinates::Coordinates;
use super::partition::Partition;
use super::pattern::Pattern;
use super::permuter::Permuter;
use crate::file::{AnyTableKey, TableKey};
use crate::pdb::{MAX_CELLS, Words};

/// The distances of all patterns of a [`Partition`] or of a set of partitions, one bit per state, in one contiguous
/// block of memory.
///
/// The bit of a state is bit 1 of its distance D, at bit `first_bit + rank · stride + q` of the words, see
/// [`Part::place`]. The parity of D follows from the cells of the tiles, see [`Part::parity`]. The bits of states from
/// which the goal cannot be reached have no meaning. On boards of more than 16 cells, patterns that are images of
/// each other share a table.
#[derive(Debug)]
pub struct Database {
    partition: Partition,
    parts: Vec<Part>,
    words: Words,
}

/// The table of one pattern.
#[derive(Clone, Debug)]
pub struct Part {
    pattern: Pattern,
    coordinates: Arc<Coordinates>,
    first_bit: u64,
    /// Cells of one colour of a chessboard.
    dark: CellSet,
    /// The goal cells of the pattern.
    goals: CellSet,
    /// Number of states at each distance.
    census: Vec<u64>,
    /// Cell in the table, by canonical cell.
    images: [u8; MAX_CELLS],
}

impl Part {
    /// Returns the pattern of the table. On boards of more than 16 cells it may be an image of the partition's pattern,
    /// see [`image`](Self::image).
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Returns the numbering of the states.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// Returns the index of the table's first bit in the words of the database, a multiple of 512.
    pub fn first_bit(&self) -> u64 {
        self.first_bit
    }

    /// Returns the number of states at each distance.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// Returns the cell in the table for a cell in canonical orientation. It is the same cell on boards of at most 16
    /// cells.
    #[inline]
    pub fn image(&self, cell: u8) -> u8 {
        self.images[usize::from(cell) % MAX_CELLS]
    }

    /// Returns the label in the table of the tile with this canonical goal cell, or `None` if the tile is not in the
    /// pattern.
    pub fn label(&self, goal: u8) -> Option<u8> {
        let cells = self.pattern.cells();
        cells.iter().position(|&cell| cell == self.image(goal)).map(|label| label as u8)
    }

    /// Returns the parity of the distance of states with tiles on these cells. Each move of a tile changes the colour
    /// of its cell, so it is the parity of the number of dark cells that differs from the goal.
    #[inline]
    pub fn parity(&self, tiles: CellSet) -> u32 {
        ((tiles ^ self.goals) & self.dark).len() as u32 & 1
    }

    /// Returns the index, in the words of the database, of the bit of the state with this rank and this q.
    #[inline]
    pub fn place(&self, rank: u32, q: u32) -> u64 {
        self.first_bit + u64::from(rank) * self.coordinates.stride() + u64::from(q)
    }
}

impl Database {
    /// Allocates a zeroed database.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the system is out of memory.
    fn zeroed(partition: Partition) -> Result<Self, Stop> {
        let words = usize::try_from(partition.table_bytes() / 8).map_err(|_| Stop::Memory)?;
        let words = Words::zeroed(words).map_err(|_| Stop::Memory)?;
        Ok(Self::of_words(partition, words))
    }

    /// Creates a database from its words. The censuses are empty.
    fn of_words(partition: Partition, words: Words) -> Self {
        let size = partition.size();
        let mut first_bits = BTreeMap::new();
        let mut end = 0;
        for table in partition.tables() {
            let bits = Coordinates::of(size, table.tiles()).table_bits();
            first_bits.insert(table, end);
            end += bits;
        }
        assert_eq!(end, 64 * words.len() as u64, "the words must have the size of the tables");
        let part = |pattern: &Pattern| {
            let (pattern, symmetry) = pattern.representative(size);
            Part {
                coordinates: Coordinates::of(size, pattern.tiles()),
                first_bit: first_bits[&pattern],
                dark: dark_cells(size),
                goals: pattern.set(),
                census: Vec::new(),
                images: images(size, symmetry),
                pattern,
            }
        };
        let parts = partition.patterns().iter().map(part).collect();
        Self { partition, parts, words }
    }

    /// Builds the tables of all patterns by breadth-first search from the goal, on all
    /// [threads](crate::threads::thread_count) of the current pool.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
    pub fn build<M: Permuter>(partition: Partition, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let (size, bytes) = (partition.size(), Self::build_bytes(&partition));
        meter.reserve_more(bytes)?;
        let mut database = Self::zeroed(partition)?;
        let tables = database.partition.tables();
        let coordinates: Vec<_> =
            tables.iter().map(|table| Coordinates::of(size, table.tiles())).collect();
        let total = coordinates.iter().map(|coordinates| coordinates.state_count()).sum();
        let largest = coordinates.iter().map(|coordinates| working_bytes(coordinates)).max();
        let mut memory =
            Words::zeroed((largest.unwrap_or(0) / 8) as usize).map_err(|_| Stop::Memory)?;
        let mut rest = &mut *database.words;
        let (mut done, mut used) = (0, 0);
        // Consecutive patterns of the same number of tiles share graph and permuter.
        let mut ready: Option<(usize, Graph, M)> = None;
        for (pattern, coordinates) in tables.iter().zip(&coordinates) {
            let (table, others) = rest.split_at_mut((coordinates.table_bits() / 64) as usize);
            rest = others;
            meter.progress(done, total)?;
            let known = ready.take().filter(|(tiles, ..)| *tiles == pattern.tiles());
            let (_, graph, permuter) = ready.insert(known.unwrap_or_else(|| {
                let graph = Graph::new(coordinates);
                let permuter = M::new(&graph.tables);
                (pattern.tiles(), graph, permuter)
            }));
            let job = Job { coordinates, graph, permuter, pattern };
            let words = (working_bytes(coordinates) / 8) as usize;
            // Only what earlier builds have written needs to be cleared.
            memory[..used.min(words)].fill(0);
            used = used.max(words);
            let watch = |meter: &mut Meter<'_>, met| meter.progress(done + met, total);
            let census = job.build(&mut memory[..words], table, meter, watch)?;
            let parts = database.parts.iter_mut().filter(|part| part.pattern == *pattern);
            parts.for_each(|part| part.census.clone_from(&census));
            done += coordinates.state_count();
        }
        Ok(database)
    }

    /// Returns the bytes needed to build the tables of `partition`, including the tables.
    pub fn build_bytes(partition: &Partition) -> u64 {
        let working = partition
            .patterns()
            .iter()
            .map(|pattern| build_bytes(&Coordinates::of(partition.size(), pattern.tiles())));
        partition.table_bytes() + working.max().unwrap_or(0)
    }

    /// Returns the partition, or the set of partitions.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the tables of the patterns, in the order of [`Partition::patterns`].
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the words of all tables.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// Returns the bit at a [`place`](Part::place).
    #[inline]
    pub fn bit_at(&self, place: u64) -> u32 {
        (self.words[(place / 64) as usize] >> (place % 64)) as u32 & 1
    }

    /// Returns the bit of the state of pattern `part` with this rank and this q.
    #[inline]
    pub fn bit(&self, part: usize, rank: u32, q: u32) -> u32 {
        self.bit_at(self.parts[part].place(rank, q))
    }
}

/// Returns the image of each cell of a board of `size` under `symmetry`. Cells outside the board are mapped to
/// themselves.
pub(super) fn images(size: Size, symmetry: Symmetry) -> [u8; MAX_CELLS] {
    let image = |cell| match cell < size.cells() {
        true => symmetry.cell(size, Cell::new(cell)).index() as u8,
        false => cell as u8,
    };
    std::array::from_fn(image)
}

impl TableKey for Partition {
    type Table = Database;

    fn contents(&self) -> AnyTableKey {
        AnyTableKey::Patterns(self.clone())
    }

    fn piece_lengths(&self, _: &[Vec<u64>]) -> Vec<u64> {
        vec![self.table_bytes() / 8]
    }

    fn restore(&self, mut pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Database> {
        let words = pieces.pop().expect("a database has one piece");
        let mut database = Database::of_words(self.clone(), words);
        for (&place, census) in self.sums().iter().flatten().zip(censuses) {
            database.parts[place].census = census;
        }
        Some(database)
    }

    fn pieces(database: &Database) -> Vec<Cow<'_, [u64]>> {
        vec![database.words().into()]
    }

    fn censuses(database: &Database) -> Vec<Vec<u64>> {
        let places = database.partition.sums().iter().flatten();
        places.map(|&place| database.parts[place].census.clone()).collect()
    }

    fn bytes(database: &Database) -> u64 {
        database.bytes()
    }
}
