//! The tables of a partition.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use loyd_search::{Meter, Stop};
use loyd_tiles::{Cell, CellSet, Size, Symmetry};

use super::build::{Job, build_bytes, working_bytes};
use super::coordinates::Coordinates;
use super::graph::{Graph, dark_cells};
use super::partition::Partition;
use super::pattern::Pattern;
use super::permuter::Permuter;
use crate::file::{Contents, TableKey};
use crate::pdb::{MAX_CELLS, Words};

/// The distances of all patterns of a [`Partition`], or of a set of them, one bit a state, side by side in one
/// piece of memory.
///
/// The bit of a state is bit 1 of its distance D: `words` bit `first_bit + rank · stride + q` of its
/// [`Part`]. The parity of D is that of the cells, see [`Part::parity`]. States from which the goal
/// cannot be reached have meaningless bits. On boards of more than 16 cells, patterns that are images of
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
    census: Vec<u64>,
    images: [u8; MAX_CELLS],
}

impl Part {
    /// What the table is about. On boards of more than 16 cells that may be an image of the pattern, see
    /// [`image`](Self::image).
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The numbers of its states.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// The first bit of its table among the words of the database, a multiple of 512.
    pub fn first_bit(&self) -> u64 {
        self.first_bit
    }

    /// How many states there are at each distance.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// The cell in the table of a cell in canonical orientation: the same on boards of at most 16 cells.
    #[inline]
    pub fn image(&self, cell: u8) -> u8 {
        self.images[usize::from(cell) % MAX_CELLS]
    }

    /// The label in the table of the tile with this canonical goal cell, if it is one of the pattern.
    pub fn label(&self, goal: u8) -> Option<u8> {
        let cells = self.pattern.cells();
        cells.iter().position(|&cell| cell == self.image(goal)).map(|label| label as u8)
    }

    /// The parity of the distances of states with tiles on these cells: each move of a tile changes the
    /// colour of its cell.
    #[inline]
    pub fn parity(&self, tiles: CellSet) -> u32 {
        ((tiles ^ self.pattern.set()) & self.dark).len() as u32 & 1
    }

    /// The number of the bit of the state with this rank of the permutation and this q.
    #[inline]
    pub fn place(&self, rank: u32, q: u32) -> u64 {
        self.first_bit + u64::from(rank) * self.coordinates.stride() + u64::from(q)
    }
}

impl Database {
    /// An empty database: where each table is going to lie.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the system has not as much.
    fn zeroed(partition: Partition) -> Result<Self, Stop> {
        let words = usize::try_from(partition.table_bytes() / 8).map_err(|_| Stop::Memory)?;
        let words = Words::zeroed(words).map_err(|_| Stop::Memory)?;
        Ok(Self::of_words(partition, words))
    }

    /// The database with these words.
    fn of_words(partition: Partition, words: Words) -> Self {
        let size = partition.size();
        let mut first_bits = BTreeMap::new();
        let mut end = 0;
        for table in partition.tables() {
            let bits = Coordinates::of(size, table.tiles()).table_bits();
            first_bits.insert(table, end);
            end += bits;
        }
        assert_eq!(end, 64 * words.len() as u64, "the tables have as many words");
        let part = |pattern: &Pattern| {
            let (pattern, symmetry) = pattern.representative(size);
            Part {
                coordinates: Coordinates::of(size, pattern.tiles()),
                first_bit: first_bits[&pattern],
                dark: dark_cells(size),
                census: Vec::new(),
                images: images(size, symmetry),
                pattern,
            }
        };
        let parts = partition.patterns().iter().map(part).collect();
        Self { partition, parts, words }
    }

    /// The distances of all states of all patterns, found from the goal outwards on the threads of
    /// all [threads](crate::threads::count) that share work.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build<M: Permuter>(partition: Partition, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let (size, bytes) = (partition.size(), Self::build_bytes(&partition));
        meter.reserve_more(bytes)?;
        let mut database = Self::zeroed(partition)?;
        let tables = database.partition.tables();
        let coordinates: Vec<_> =
            tables.iter().map(|table| Coordinates::of(size, table.tiles())).collect();
        let total = coordinates.iter().map(|coordinates| coordinates.states()).sum();
        let largest = coordinates.iter().map(|coordinates| working_bytes(coordinates)).max();
        let mut memory =
            Words::zeroed((largest.unwrap_or(0) / 8) as usize).map_err(|_| Stop::Memory)?;
        let mut rest = &mut *database.words;
        let (mut done, mut used) = (0, 0);
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
            memory[..used.min(words)].fill(0);
            used = used.max(words);
            let watch = |meter: &mut Meter<'_>, met| meter.progress(done + met, total);
            let census = job.build(&mut memory[..words], table, meter, watch)?;
            let parts = database.parts.iter_mut().filter(|part| part.pattern == *pattern);
            parts.for_each(|part| part.census.clone_from(&census));
            done += coordinates.states();
        }
        Ok(database)
    }

    /// The bytes that it takes to build the tables of `partition`, they themselves included.
    pub fn build_bytes(partition: &Partition) -> u64 {
        let beside = partition
            .patterns()
            .iter()
            .map(|pattern| build_bytes(&Coordinates::of(partition.size(), pattern.tiles())));
        partition.table_bytes() + beside.max().unwrap_or(0)
    }

    /// Which tiles go together.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The tables of the patterns, in the order of the partition.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The bits of all tables.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// The bit at a [`place`](Part::place).
    #[inline]
    pub fn bit_at(&self, place: u64) -> u32 {
        (self.words[(place / 64) as usize] >> (place % 64)) as u32 & 1
    }

    /// The bit of the state of pattern `part` with this rank of the permutation and this q.
    #[inline]
    pub fn bit(&self, part: usize, rank: u32, q: u32) -> u32 {
        self.bit_at(self.parts[part].place(rank, q))
    }
}

/// Where each cell of a board of `size` goes.
pub(super) fn images(size: Size, symmetry: Symmetry) -> [u8; MAX_CELLS] {
    let image = |cell| match cell < size.cells() {
        true => symmetry.cell(size, Cell::new(cell)).index() as u8,
        false => cell as u8,
    };
    std::array::from_fn(image)
}

impl TableKey for Partition {
    type Table = Database;

    fn contents(&self) -> Contents {
        Contents::Patterns(self.clone())
    }

    fn lengths(&self, _: &[Vec<u64>]) -> Vec<u64> {
        vec![self.table_bytes() / 8]
    }

    fn restore(&self, mut pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Database> {
        let words = pieces.pop().expect("a database is one piece");
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
