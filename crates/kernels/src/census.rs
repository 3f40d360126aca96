//! A census: counts the states at each distance from a goal, level by level, on bit sets.
//!
//! There is no set of all visited states. Moves are reversible, so a state reached from the last level is new unless it
//! is in the last level or in the one before. Two sets suffice, and the next level overwrites the level before the
//! last:
//!
//! ```text
//! next = reached(last) & !(last | previous)
//! ```
//!
//! A single-tile move changes the chessboard colour of the blank's cell. If all goals have the blank on one colour, a
//! level has states of one colour only, and two sets of half the states each are enough. Slides, and goals with the
//! blank on both colours, need two sets of all states.
//!
//! # Layout
//! The placements are in one or two *parts* ([`Placements`]): by colour of the blank's cell for single-tile moves, all
//! in one for slides. A [`Set`] has, for each placement of a part, the words described in [`placement`].

mod blocks;
mod goals;
mod levels;
mod packing;
mod placements;
mod slices;

use loyd_heuristics::pdb::Words;
use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::{Board, Cell, Metric, PartialGoal, Size};

use crate::cpu::{Cpu, Level};
use crate::placement::{self, Edges, Jumps};
pub use blocks::{BlockCensus, BoardOrder, Slice, Window};
use goals::Goals;
use levels::{Set, Slides, Steps};
use placements::Placements;
pub use slices::PackedSlice;

/// Number of words per block when sets are saved and restored: 1 MB.
const BLOCK: usize = 1 << 17;

/// A census of all boards that can reach a goal, computed level by level.
pub struct Census {
    goals: Goals,
    placements: Placements,
    moves: Moves,
    level: Level,
    counts: Vec<u64>,
    /// By part: the states of the last level and of the one before, or `None` where that level can have none.
    last: Vec<Option<Set>>,
    previous: Vec<Option<Set>>,
}

/// The moves between placements.
enum Moves {
    Steps { edges: [Edges; 2], jumps: Jumps },
    Slides(Slides),
}

impl Census {
    /// Maximum number of cells of a board.
    pub const MAX_CELLS: usize = 15;

    /// Starts a census at the boards that meet `goal` and can be reached from `example`, which must meet it.
    ///
    /// Uses as many threads as [other tables](loyd_heuristics::threads::thread_count), and the instructions of `cpu` or
    /// the highest level of this machine, whichever is lower.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the census needs more memory than allowed, see [`bytes`](Self::bytes).
    ///
    /// # Panics
    /// If a board has more than [`MAX_CELLS`](Self::MAX_CELLS) cells, and for goals on a line that leave a cell open.
    pub fn new(
        goal: &PartialGoal,
        example: &Board,
        metric: Metric,
        cpu: Cpu,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        assert!(
            goal.size().cells() <= Self::MAX_CELLS,
            "the board has too many cells for a census"
        );
        meter.reserve(Self::bytes(goal, metric))?;
        let goals = Goals::new(goal, example);
        let (placements, moves) = Moves::new(goals.size(), goals.blank(), metric, meter)?;
        let mut census = Self {
            level: Level::at_most(cpu),
            counts: Vec::new(),
            last: Vec::new(),
            previous: Vec::new(),
            goals,
            placements,
            moves,
        };
        census.insert_goals()?;
        Ok(census)
    }

    /// Returns an upper bound on the memory for the census of a goal, in bytes.
    pub fn bytes(goal: &PartialGoal, metric: Metric) -> u64 {
        let size = goal.size();
        let cells = goal.blank_cells();
        let colour = |cell: Cell| size.distance(cells[0], cell) % 2;
        let halves = match metric {
            Metric::SingleTile if cells.iter().all(|&cell| colour(cell) == 0) => 2,
            _ => 4,
        };
        let (placed, permuted) = placement::split_tiles(size);
        let placements: usize = (size.cells() - placed..=size.cells()).product();
        let words = placements * placement::words_per_placement(permuted);
        // Per placement: its code, up to four edges, and the flags of the sets.
        let tables = placements * 48 + 4 * size.cells().pow(1 + placed as u32);
        halves * Words::allocated_bytes(words.div_ceil(2)) + tables as u64 + (3 << 20)
    }

    /// Returns the number of reachable states on boards of `size`, with all tiles distinct.
    pub fn state_count(size: Size) -> u64 {
        placement::state_count(size)
    }

    /// Returns the number of states at each distance found so far, with all tiles distinct.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Allocates the sets and makes the states that meet the goal the first level.
    fn insert_goals(&mut self) -> Result<(), Stop> {
        let parts = self.placements.parts();
        let has_goals: Vec<bool> = (0..parts)
            .map(|part| {
                self.placements.part(part).any(|cells| self.goals.states_in(&cells).is_some())
            })
            .collect();
        for part in 0..parts {
            // With single-tile moves the colours alternate: this part is used in the next level if the source part has
            // goals.
            let has_others = has_goals[self.moves.source(part)];
            let set = || Set::empty(self.placements.part(part).len(), self.width());
            let sets = (has_goals[part].then(set), has_others.then(set));
            self.last.push(sets.0.transpose()?);
            self.previous.push(sets.1.transpose()?);
        }
        let mut count = 0;
        for part in 0..parts {
            let Some(mut set) = self.last[part].take() else { continue };
            let width = set.width();
            let placements = set.words.chunks_exact_mut(width).zip(&mut set.occupied);
            for ((words, occupied), cells) in placements.zip(self.placements.part(part)) {
                // Most placements have no goals, and are not even read.
                if let Some(goals) = self.goals.states_in(&cells) {
                    words.copy_from_slice(&goals);
                    let states: u64 = goals.iter().map(|word| u64::from(word.count_ones())).sum();
                    *occupied = states > 0;
                    count += states;
                }
            }
            self.last[part] = Some(set);
        }
        self.counts.push(count);
        Ok(())
    }

    /// Returns the number of words in a placement.
    fn width(&self) -> usize {
        placement::words_per_placement(self.placements.permuted())
    }

    /// Computes the next level and returns its number of states, with all tiles distinct. If there are none, the last
    /// level is unchanged.
    ///
    /// # Errors
    /// The limit that was reached. The census cannot be used after that.
    pub fn advance(&mut self, meter: &mut Meter<'_>) -> Result<u64, Stop> {
        let (met, all) =
            (self.counts.iter().sum::<u64>(), Self::state_count(self.placements.size()));
        let mut next: Vec<_> = self.last.iter().map(|_| None).collect();
        let mut reached = 0;
        for (part, next) in next.iter_mut().enumerate() {
            let Some(source) = &self.last[self.moves.source(part)] else { continue };
            let mut set =
                self.previous[part].take().expect("the part is reached from the last level");
            let from = (source, self.last[part].as_ref());
            let watch = |new| meter.progress(met + reached + new, all);
            reached += match &self.moves {
                Moves::Steps { edges, jumps } => {
                    let edges = &edges[part];
                    set.advance(from, &Steps { edges, jumps }, self.level, watch)?
                }
                Moves::Slides(slides) => set.advance(from, slides, self.level, watch)?,
            };
            *next = Some(set);
        }
        if reached == 0 {
            self.previous = next;
        } else {
            self.previous = std::mem::replace(&mut self.last, next);
            self.counts.push(reached);
        }
        Ok(reached)
    }

    /// Returns the distance of the last level.
    pub fn depth(&self) -> Cost {
        self.counts.len() as Cost - 1
    }

    /// Returns up to `limit` boards of the last level. Of boards that differ only by a permutation of tiles that the
    /// goal does not specify, it returns one.
    pub fn farthest(&self, limit: usize) -> Vec<Board> {
        let parts = self.last.iter().enumerate();
        let sets = parts.filter_map(|(part, set)| Some((part, set.as_ref()?)));
        let placements = sets.flat_map(|(part, set)| {
            let words = set.words.chunks_exact(set.width()).zip(&set.occupied);
            words.zip(self.placements.part(part)).filter(|((_, occupied), _)| **occupied)
        });
        let boards = placements.flat_map(|((words, _), cells)| self.goals.boards(cells, words));
        boards.take(limit).collect()
    }

    /// Returns the sets from which the next level is computed, as blocks of words in a fixed order. Save them to
    /// [resume](Self::resume) the census later, from memory or a file.
    pub fn saved_blocks(&self) -> impl Iterator<Item = &[u64]> {
        let sets = self.last.iter().chain(&self.previous).flatten();
        sets.flat_map(|set| set.words.chunks(BLOCK))
    }

    /// Resumes a census from its counts per distance and its [blocks](Self::saved_blocks), which `read` fills in one
    /// after the other. Returns whether the blocks match the counts.
    ///
    /// # Errors
    /// The errors of `read`.
    pub fn resume<E>(
        &mut self,
        counts: Vec<u64>,
        mut read: impl FnMut(&mut [u64]) -> Result<(), E>,
    ) -> Result<bool, E> {
        let Some(more) = counts.len().checked_sub(self.counts.len()) else { return Ok(false) };
        // The two sets change roles with each level.
        if more % 2 == 1 {
            std::mem::swap(&mut self.last, &mut self.previous);
        }
        for set in self.last.iter_mut().chain(&mut self.previous).flatten() {
            set.words.chunks_mut(BLOCK).try_for_each(&mut read)?;
        }
        self.counts = counts;
        let count = |sets: &mut [Option<Set>]| sets.iter_mut().flatten().map(Set::count).sum();
        let found: [u64; 2] = [count(&mut self.last), count(&mut self.previous)];
        let mut counts = self.counts.iter().rev();
        Ok(found.iter().all(|found| counts.next().unwrap_or(&0) == found))
    }
}

impl Moves {
    fn new(
        size: Size,
        blank: u8,
        metric: Metric,
        meter: &mut Meter<'_>,
    ) -> Result<(Placements, Self), Stop> {
        if metric == Metric::MultiTile {
            let placements = Placements::by_column(size, blank);
            let slides = Slides::new(&placements, meter)?;
            return Ok((placements, Self::Slides(slides)));
        }
        let placements = Placements::by_colour(size, blank);
        let (jumps, number) = (Jumps::new(placements.permuted()), placements.numbers());
        let mut edges =
            |part| Edges::new((size, blank), &jumps, placements.part(part), &number, meter);
        let edges = [edges(0)?, edges(1)?];
        drop(number);
        Ok((placements, Self::Steps { edges, jumps }))
    }

    /// Returns the part from which moves lead into `part`.
    fn source(&self, part: usize) -> usize {
        match self {
            Self::Steps { .. } => 1 - part,
            Self::Slides(_) => part,
        }
    }
}

#[cfg(test)]
mod tests;
