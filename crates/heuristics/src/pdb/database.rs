//! The tables of a partition.

use std::collections::BTreeMap;
use std::sync::Arc;

use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::{Cell, Move};

use super::build::{Job, working_bytes};
use super::graph::{Graph, dark_cells};
use super::{Coordinates, Partition, Pattern, Permuter, Position, Words};
use crate::file::{Contents, TableKey};

/// The distances of all patterns of a [`Partition`], one bit a state, side by side in one piece of
/// memory.
///
/// The bit of a state is bit 1 of its distance D: `words` bit `first_bit + rank · stride + q` of its
/// [`Part`]. The parity of D is that of the cells, see [`Part::parity`]. States from which the goal
/// cannot be reached have meaningless bits.
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
    dark: u16,
    goal_region: u16,
    census: Vec<u64>,
}

impl Part {
    /// The goal cells of its tiles, in canonical orientation.
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

    /// The bits of its table.
    pub fn bits(&self) -> u64 {
        self.coordinates.permutations() * self.coordinates.stride()
    }

    /// How many states there are at each distance.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// The parity of the distances of states with tiles on the cells of `mask`: each move of a tile
    /// changes the colour of its cell.
    #[inline]
    pub fn parity(&self, mask: u16) -> u32 {
        ((mask ^ self.pattern.mask()) & self.dark).count_ones() & 1
    }

    /// What the rank of the order gains, modulo 2³², when the tile `label` goes from cell `from` to
    /// cell `to`, where `at` tells the label of this pattern on a cell, if there is one.
    #[inline]
    pub fn jump(&self, label: u8, from: u8, to: u8, at: impl Fn(u8) -> Option<u8>) -> u32 {
        let mut gain = 0_u32;
        for other in (from.min(to) + 1..from.max(to)).filter_map(at) {
            let weight = self.coordinates.weight(label.min(other).into());
            // The larger of the two comes before the smaller one, or no longer does.
            let before = (other > label) == (from < to);
            gain = if before { gain.wrapping_add(weight) } else { gain.wrapping_sub(weight) };
        }
        gain
    }
}

/// Where the tiles of a pattern are, on the way down to the goal.
struct Walker {
    labels: [Option<u8>; super::MAX_CELLS],
    mask: u16,
    rank: u32,
    q: u32,
    bit: u32,
}

/// Farther than any pattern is from its goal on 16 cells: a walk as long as this runs in circles.
const FARTHEST: Cost = 255;

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
        let (size, mut first_bit) = (partition.size(), 0);
        let dark = dark_cells(size);
        let mut parts: Vec<Part> = Vec::new();
        for pattern in partition.patterns() {
            let coordinates = Coordinates::of(size, pattern.tiles());
            let q = coordinates.q(pattern.mask(), partition.blank());
            let part = Part {
                pattern: pattern.clone(),
                goal_region: coordinates.layouts()[q as usize].region,
                coordinates,
                first_bit,
                dark,
                census: Vec::new(),
            };
            first_bit += part.bits();
            parts.push(part);
        }
        assert_eq!(first_bit, 64 * words.len() as u64, "the tables have as many words");
        Self { partition, parts, words }
    }

    /// The distances of all states of all patterns, found from the goal outwards on the threads of
    /// the current rayon pool.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build<M: Permuter>(partition: Partition, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let mut database = Self::zeroed(partition)?;
        let (blank, total) = (database.partition.blank(), database.states());
        let beside = database.parts.iter().map(|part| working_bytes(&part.coordinates)).max();
        let beside = beside.unwrap_or(0);
        meter.reserve_more(database.bytes() + beside)?;
        let mut memory = Words::zeroed((beside / 8) as usize).map_err(|_| Stop::Memory)?;
        let mut rest = &mut *database.words;
        let (mut done, mut used) = (0, 0);
        let mut graphs = BTreeMap::new();
        for part in &mut database.parts {
            let (table, others) = rest.split_at_mut((part.bits() / 64) as usize);
            rest = others;
            meter.progress(done, total)?;
            let Part { pattern, coordinates, .. } = &*part;
            let (graph, mover) = graphs.entry(pattern.tiles()).or_insert_with(|| {
                let graph = Graph::new(coordinates);
                let mover = M::new(&graph.permutations);
                (graph, mover)
            });
            let watch = |meter: &mut Meter<'_>, met| meter.progress(done + met, total);
            let job = Job { coordinates, graph, mover, pattern, blank };
            let words = (working_bytes(coordinates) / 8) as usize;
            memory[..used.min(words)].fill(0);
            used = used.max(words);
            let memory = &mut memory[..words];
            part.census = job.build(memory, table, meter, watch)?;
            done += part.coordinates.states();
        }
        Ok(database)
    }

    /// The bytes that it takes to build the tables of `partition`, they themselves included.
    pub fn build_bytes(partition: &Partition) -> u64 {
        let beside = partition
            .patterns()
            .iter()
            .map(|pattern| working_bytes(&Coordinates::of(partition.size(), pattern.tiles())));
        partition.table_bytes() + beside.max().unwrap_or(0)
    }

    /// Which tiles go together.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The tables of the patterns.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The bits of all tables.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The bits of all tables, for reading them from somewhere.
    pub fn words_mut(&mut self) -> &mut Words {
        &mut self.words
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// The number of states of all patterns.
    pub fn states(&self) -> u64 {
        self.parts.iter().map(|part| part.coordinates.states()).sum()
    }

    /// The bit of the state of pattern `part` with this rank of the order and this q.
    #[inline]
    pub fn bit(&self, part: usize, rank: u32, q: u32) -> u32 {
        let part = &self.parts[part];
        let bit = part.first_bit + u64::from(rank) * part.coordinates.stride() + u64::from(q);
        (self.words[(bit / 64) as usize] >> (bit % 64)) as u32 & 1
    }

    /// The distance of pattern `part` in `position`; `None` if the walk down does not end at the goal: it
    /// cannot be reached, or the tables are wrong.
    ///
    /// Cost: that walk, some lookups a step; microseconds.
    pub fn distance(&self, part: usize, position: &Position) -> Option<Cost> {
        let cells = &self.parts[part].pattern;
        let mut walker = self.walker(part, position);
        let mut distance = 0;
        while walker.mask != cells.mask() || walker.rank != 0 || !self.at_goal_region(part, &walker)
        {
            if distance == FARTHEST || !self.step_down(part, &mut walker) {
                return None;
            }
            distance += 1;
        }
        Some(distance)
    }

    fn at_goal_region(&self, part: usize, walker: &Walker) -> bool {
        let part = &self.parts[part];
        part.coordinates.layouts()[walker.q as usize].region == part.goal_region
    }

    fn walker(&self, index: usize, position: &Position) -> Walker {
        let part = &self.parts[index];
        let cells = part.pattern.cells();
        let used = &position[..self.partition.size().cells()];
        let mut labels = [None; super::MAX_CELLS];
        for (label, goal) in labels.iter_mut().zip(used) {
            *label = cells.iter().position(|cell| cell == goal).map(|label| label as u8);
        }
        let occupied = (0..used.len()).filter(|&cell| labels[cell].is_some());
        let mask = occupied.fold(0, |mask, cell| mask | 1 << cell);
        let order: Vec<u8> = labels.iter().flatten().copied().collect();
        let blank = used.iter().position(|&goal| goal == self.partition.blank());
        let blank = blank.expect("a position has a blank") as u8;
        let (rank, q) = (part.coordinates.rank(&order), part.coordinates.q(mask, blank));
        Walker { labels, mask, rank, q, bit: self.bit(index, rank, q) }
    }

    /// Takes the first move that brings the goal nearer, if there is one; those that bring a tile nearer
    /// to its own goal cell are tried first.
    fn step_down(&self, index: usize, walker: &mut Walker) -> bool {
        let part = &self.parts[index];
        let size = self.partition.size();
        let region = part.coordinates.layouts()[walker.q as usize].region;
        let parity = part.parity(walker.mask);
        for nearer in [true, false] {
            for from in size.iter_cells() {
                let Some(label) = walker.labels[from.index()] else { continue };
                let goal = Cell::new(part.pattern.cells()[usize::from(label)].into());
                for to in Move::ALL.into_iter().filter_map(|m| size.neighbour(from, m)) {
                    let open = region >> to.index() & 1 == 1;
                    if !open || (size.distance(to, goal) < size.distance(from, goal)) != nearer {
                        continue;
                    }
                    let (a, b) = (from.index() as u8, to.index() as u8);
                    let at = |cell: u8| walker.labels[usize::from(cell)];
                    let rank = walker.rank.wrapping_add(part.jump(label, a, b, at));
                    let mask = walker.mask ^ 1 << a ^ 1 << b;
                    let q = part.coordinates.q(mask, a);
                    let bit = self.bit(index, rank, q);
                    if !distance_increases(parity, walker.bit, bit) {
                        walker.labels.swap(from.index(), to.index());
                        (walker.mask, walker.rank, walker.q, walker.bit) = (mask, rank, q, bit);
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl TableKey for Partition {
    type Table = Database;

    fn contents(&self) -> Contents {
        Contents::Patterns(self.clone())
    }

    fn lengths(&self) -> Vec<u64> {
        vec![self.table_bytes() / 8]
    }

    fn restore(&self, mut pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Database {
        let words = pieces.pop().expect("a database is one piece");
        let mut database = Database::of_words(self.clone(), words);
        for (part, census) in database.parts.iter_mut().zip(censuses) {
            part.census = census;
        }
        database
    }

    fn pieces(database: &Database) -> Vec<&[u64]> {
        vec![database.words()]
    }

    fn censuses(database: &Database) -> Vec<Vec<u64>> {
        database.parts.iter().map(|part| part.census.clone()).collect()
    }

    fn bytes(database: &Database) -> u64 {
        database.bytes()
    }
}

/// Whether the distance distance_increases, rather than falls, by the move that takes a state of this parity from
/// one bit to the other.
#[inline]
pub fn distance_increases(parity: u32, before: u32, after: u32) -> bool {
    before ^ after ^ parity == 0
}
