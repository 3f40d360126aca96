//! A level of a census, and how the next one is computed from it, all permutations of a placement at once.
//!
//! [`Set`] holds the states of a level. [`Set::advance`] shares its placements among the threads in [`Piece`]s, and
//! [`advance`] computes one piece with what an [`Inflow`] has gathered: [`Steps`] for single-tile moves, [`Slides`] for
//! slides. The placements of a [packed slice](super::slices) are advanced by the same function.
//!
//! A slide moves the blank any number of cells along a row or column. The placements that a blank passes on its way
//! through a column are consecutive, so the states that slide down are accumulated in `carried`: at each row the states
//! there are added, one tile jumps, and the result belongs to the next row. The same goes upwards. A column thus costs
//! as many jumps as single-tile moves would.

use loyd_heuristics::pdb::Words;
use loyd_heuristics::pdb::levels::Source;
use loyd_heuristics::threads::{self, sum_parallel};
use loyd_search::{Meter, Stop};

use super::placements;
use crate::cpu::{Cpu, Level};
use crate::placement::{self, Edges, Jumps};

/// Number of bytes processed between two limit checks: a few milliseconds of work.
const BATCH: usize = 1 << 25;

/// Minimum number of bytes in a unit of work for a thread.
const PIECE: usize = 1 << 17;

/// A set of states of one part.
#[derive(Debug)]
pub struct Set {
    /// The words of all placements of the part, one placement after the other.
    pub words: Words,
    /// By placement: whether it contains any state of the set.
    pub occupied: Vec<bool>,
}

impl Set {
    /// Creates an empty set for `placements` placements of `words` words each.
    pub fn empty(placements: usize, words: usize) -> Result<Self, Stop> {
        let words = Words::zeroed(placements * words).map_err(|_| Stop::Memory)?;
        Ok(Self { words, occupied: vec![false; placements] })
    }

    /// Returns the number of words in a placement.
    pub fn width(&self) -> usize {
        self.words.len() / self.occupied.len()
    }

    /// Recomputes `occupied` and returns the number of states.
    pub fn count(&mut self) -> u64 {
        let width = self.width();
        let mut count = 0;
        for (words, occupied) in self.words.chunks_exact(width).zip(&mut self.occupied) {
            let states = words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            *occupied = states > 0;
            count += states;
        }
        count
    }

    /// Replaces the level before the last, which the set holds, by the next level, and returns the number of its
    /// states. `last` is the last level in this part, if it can have states here. Calls `watch` with the number of
    /// states found so far after each batch.
    pub fn advance(
        &mut self,
        (source, last): (&Self, Option<&Self>),
        flow: &impl Inflow,
        level: Level,
        mut watch: impl FnMut(u64) -> Result<(), Stop>,
    ) -> Result<u64, Stop> {
        let source = Source { reached: &source.words, fresh: &source.occupied };
        let threads = threads::thread_count();
        let pieces = if threads == 1 { 1 } else { 4 * threads };
        let (width, group) = (self.width(), flow.group());
        let bytes = width * group * size_of::<u64>();
        let groups = (BATCH / pieces).max(PIECE).div_ceil(bytes);
        let words = self.words.chunks_mut(groups * group * width);
        let mut last = last.map(|last| last.words.chunks(groups * group * width));
        let mut work = words.zip(self.occupied.chunks_mut(groups * group)).enumerate();
        let mut reached = 0;
        loop {
            let batch = work.by_ref().take(pieces).map(|(piece, (words, occupied))| {
                let last = last.as_mut().and_then(Iterator::next);
                Piece { first: piece * groups, words, occupied, last }
            });
            let batch: Vec<_> = batch.collect();
            if batch.is_empty() {
                return Ok(reached);
            }
            reached += sum_parallel(batch, |mut piece| {
                advance(flow, level, &source, piece.first, &mut piece)
            });
            watch(reached)?;
        }
    }
}

/// The moves into the placements of a part.
pub trait Inflow: Sync {
    /// Returns the number of consecutive placements that are processed together.
    fn group(&self) -> usize;

    /// Collects in `buffers.reached` the states of a group that one move from `source` reaches. Returns `false` if
    /// no placement leading there has any states.
    fn gather(&self, group: usize, source: &Source<'_, u64>, buffers: &mut Buffers) -> bool;
}

/// Scratch memory of a thread.
pub struct Buffers {
    /// The states of a group that are reached.
    pub reached: Vec<u64>,
    /// States of one placement, on their way through a column.
    pub carried: Vec<u64>,
    /// The same after a jump.
    pub jumped: Vec<u64>,
    /// Whether `carried` may be nonempty.
    pub is_carrying: bool,
}

impl Buffers {
    fn new(words: usize, group: usize) -> Self {
        let [carried, jumped] = [(); 2].map(|()| vec![0; words]);
        Self { reached: vec![0; words * group], carried, jumped, is_carrying: false }
    }

    /// Clears the carried states.
    pub fn clear_carried(&mut self) {
        self.carried.fill(0);
        self.is_carrying = false;
    }
}

/// Single-tile moves.
pub struct Steps<'a> {
    pub edges: &'a Edges,
    pub jumps: &'a Jumps,
}

impl Inflow for Steps<'_> {
    fn group(&self) -> usize {
        1
    }

    #[inline(always)]
    fn gather(&self, placement: usize, source: &Source<'_, u64>, buffers: &mut Buffers) -> bool {
        self.edges.gather(self.jumps, placement, source, &mut buffers.reached)
    }
}

/// Consecutive placements whose last two levels are known and whose next level is computed, in order.
pub trait Placements {
    /// Returns the number of placements.
    fn len(&self) -> usize;

    /// Returns the number of words in a placement.
    fn width(&self) -> usize;

    /// Sets the next level of a placement to the `reached` states that are in neither of the last two levels, and
    /// returns their number.
    fn advance(&mut self, placement: usize, reached: &[u64]) -> u64;

    /// Leaves the next level of a placement without states.
    fn clear(&mut self, placement: usize);
}

/// Consecutive groups of placements of a set: a unit of work.
pub struct Piece<'a> {
    /// Number of the first group.
    pub first: usize,
    /// The states of the level before the last, to be overwritten by the next level.
    pub words: &'a mut [u64],
    /// By placement: whether `words` has any states.
    pub occupied: &'a mut [bool],
    /// The states of the last level in these placements, if it can have any.
    pub last: Option<&'a [u64]>,
}

impl Placements for Piece<'_> {
    fn len(&self) -> usize {
        self.occupied.len()
    }

    fn width(&self) -> usize {
        self.words.len() / self.occupied.len()
    }

    #[inline(always)]
    fn advance(&mut self, placement: usize, reached: &[u64]) -> u64 {
        let start = placement * reached.len();
        let words = &mut self.words[start..][..reached.len()];
        let last = self.last.map(|last| &last[start..][..reached.len()]);
        let states = replace(words, reached, last);
        self.occupied[placement] = states > 0;
        states
    }

    #[inline(always)]
    fn clear(&mut self, placement: usize) {
        // Clears what is left of the level before the last.
        if self.occupied[placement] {
            let width = self.width();
            self.words[placement * width..][..width].fill(0);
            self.occupied[placement] = false;
        }
    }
}

/// Computes the next level of `placements`, whose first group has the number `first`, and returns its number of states.
pub fn advance(
    flow: &impl Inflow,
    level: Level,
    source: &Source<'_, u64>,
    first: usize,
    placements: &mut impl Placements,
) -> u64 {
    match level.cpu() {
        Cpu::Scalar => advance_inlined(flow, source, first, placements),
        // SAFETY: a `Level` is never above what the machine has.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2 => unsafe { advance_avx2(flow, source, first, placements) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 => unsafe { advance_avx512(flow, source, first, placements) },
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
    }
}

/// [`advance_inlined`], compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn advance_avx2(
    flow: &impl Inflow,
    source: &Source<'_, u64>,
    first: usize,
    placements: &mut impl Placements,
) -> u64 {
    advance_inlined(flow, source, first, placements)
}

/// [`advance_inlined`], compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn advance_avx512(
    flow: &impl Inflow,
    source: &Source<'_, u64>,
    first: usize,
    placements: &mut impl Placements,
) -> u64 {
    advance_inlined(flow, source, first, placements)
}

/// Computes the next level of `placements`. This function and all that it calls are inlined, so that the compiler
/// vectorizes a copy for each instruction level.
#[inline(always)]
fn advance_inlined(
    flow: &impl Inflow,
    source: &Source<'_, u64>,
    first: usize,
    placements: &mut impl Placements,
) -> u64 {
    let (group, width) = (flow.group(), placements.width());
    let mut buffers = Buffers::new(width, group);
    let mut count = 0;
    for index in 0..placements.len() / group {
        let members = index * group..(index + 1) * group;
        if flow.gather(first + index, source, &mut buffers) {
            for (placement, reached) in members.zip(buffers.reached.chunks_exact(width)) {
                count += placements.advance(placement, reached);
            }
        } else {
            members.for_each(|placement| placements.clear(placement));
        }
    }
    count
}

/// Replaces the level before the last (`words`) by the reached states that are in neither of the two levels. Returns
/// their number.
#[inline(always)]
pub fn replace(words: &mut [u64], reached: &[u64], last: Option<&[u64]>) -> u64 {
    match last {
        None => replace_with(words, reached, std::iter::repeat(&0)),
        Some(last) => replace_with(words, reached, last),
    }
}

#[inline(always)]
fn replace_with<'a>(
    words: &mut [u64],
    reached: &[u64],
    last: impl IntoIterator<Item = &'a u64>,
) -> u64 {
    // 32 bits: vectors of counts are half as long.
    let mut count = 0_u32;
    for ((word, reached), last) in words.iter_mut().zip(reached).zip(last) {
        let new = reached & !(*word | last);
        *word = new;
        count += new.count_ones();
    }
    count.into()
}

/// The slides between placements.
#[derive(Debug)]
pub struct Slides {
    /// Number of rows of the board.
    rows: usize,
    /// By placement, `others` entries each: the placements from which the blank can slide along its row.
    across: Vec<u32>,
    /// Number of other cells in a row.
    others: usize,
    /// By placement, except the last of each column: the jumps of the tile when the blank goes one cell down, and when
    /// it comes back. `None` if the permutation does not change.
    jumps: Vec<Option<[u8; 2]>>,
    /// By placement: whether its permutations are odd.
    parities: Vec<bool>,
    tables: Jumps,
    /// Number of words in a placement.
    words: usize,
}

impl Slides {
    /// Computes the slides between `placements`, which must be in column order.
    ///
    /// # Errors
    /// The limit of `meter` that was reached.
    pub fn new(placements: &placements::Placements, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let (width, rows) = (placements.size().width(), placements.size().height());
        let (tables, number) = (Jumps::new(placements.permuted()), placements.numbers());
        let (mut across, mut jumps, mut parities) = (Vec::new(), Vec::new(), Vec::new());
        for cells in placements.part(0) {
            if parities.len() % placement::CHECKED == 0 {
                meter.check()?;
            }
            let (row, column) = (usize::from(cells[0]) / width, usize::from(cells[0]) % width);
            across.extend((0..width).filter(|&other| other != column).map(|other| {
                let mut slid = cells;
                while usize::from(slid[0]) % width != other {
                    let to = if other < column { slid[0] - 1 } else { slid[0] + 1 };
                    slid = placement::moved(&slid, to).0;
                }
                number(&slid)
            }));
            if row + 1 < rows {
                let (_, places) = placement::moved(&cells, cells[0] + width as u8);
                jumps.push(
                    places.map(|(here, there)| {
                        [tables.number(here, there), tables.number(there, here)]
                    }),
                );
            }
            parities.push(placements.is_odd(&cells));
        }
        let words = placement::words_per_placement(placements.permuted());
        Ok(Self { rows, across, others: width - 1, jumps, parities, tables, words })
    }

    /// Adds the states of row `from` to the carried ones and moves them all to the adjacent row `to`.
    #[inline(always)]
    fn carry(
        &self,
        (first, from, to): (usize, usize, usize),
        jump: Option<u8>,
        source: &Source<'_, u64>,
        buffers: &mut Buffers,
    ) {
        let Buffers { reached, carried, jumped, is_carrying } = buffers;
        if source.fresh[first + from] {
            let states = &source.reached[(first + from) * self.words..][..self.words];
            carried.iter_mut().zip(states).for_each(|(into, from)| *into |= from);
            *is_carrying = true;
        }
        if !*is_carrying {
            return;
        }
        if let Some(jump) = jump {
            jumped.fill(0);
            self.tables.apply(jump, self.parities[first + to].into(), carried, jumped);
            std::mem::swap(carried, jumped);
        }
        let reached = &mut reached[to * self.words..][..self.words];
        reached.iter_mut().zip(&*carried).for_each(|(into, from)| *into |= from);
    }
}

impl Inflow for Slides {
    fn group(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn gather(&self, column: usize, source: &Source<'_, u64>, buffers: &mut Buffers) -> bool {
        let first = column * self.rows;
        let across = &self.across[first * self.others..][..self.rows * self.others];
        let comes_down = source.fresh[first..first + self.rows].contains(&true);
        if !comes_down && !across.iter().any(|&from| source.fresh[from as usize]) {
            return false;
        }
        buffers.reached.fill(0);
        for (index, &from) in across.iter().enumerate() {
            if source.fresh[from as usize] {
                let into = &mut buffers.reached[index / self.others * self.words..][..self.words];
                let states = &source.reached[from as usize * self.words..][..self.words];
                into.iter_mut().zip(states).for_each(|(into, from)| *into |= from);
            }
        }
        if comes_down {
            let jumps = &self.jumps[column * (self.rows - 1)..][..self.rows - 1];
            buffers.clear_carried();
            for (row, jump) in jumps.iter().enumerate() {
                self.carry((first, row, row + 1), jump.map(|jump| jump[0]), source, buffers);
            }
            buffers.clear_carried();
            for (row, jump) in jumps.iter().enumerate().rev() {
                self.carry((first, row + 1, row), jump.map(|jump| jump[1]), source, buffers);
            }
        }
        true
    }
}
