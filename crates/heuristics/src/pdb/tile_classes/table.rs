//! The table of the distances of all abstract boards, and its construction.
//!
//! | bits of a word (`u32`, one per arrangement) | contents |
//! |---|---|
//! | 2p and 2p + 1 | distance modulo 3 of the board with the blank on place p, or 3 if the goal cannot be reached |
//!
//! Words are indexed by the number of the arrangement ([`Arrangements::number`]). Boards have at most 16 places, so
//! all places of the blank fit in one word; a slide along a line (a column) stays within the word.
//!
//! # Construction
//! A breadth-first search from the goal, one level at a time. `table` and `along` have one 32-bit word per arrangement:
//!
//! | array | bits 2p and 2p + 1 (blank on place p) |
//! |---|---|
//! | `table` | distance modulo 3, or 3 ([`UNREACHED`]) |
//! | `along` | bit 2p is set if the last level reached the board by a slide along a line; bit 2p + 1 is 0 |
//!
//! Words are grouped into stretches of [`STRETCH`] words, with flags for whether the last level reached any board in
//! them; other stretches are skipped.
//!
//! # Stages of a level of the construction
//! All boards that differ by slides in the same direction (the blank moves within one row or one column) form a group;
//! any two of them are one slide apart. A group *along* a line is part of one word. The boards of a group *across*
//! lines are in different words, far from each other. But a group has to be expanded only once, from the first of its
//! boards that is reached, because that assigns all others. The first board of a group across lines was reached along a
//! line, or is the goal. So a level takes two passes:
//!
//! 1. [`expand_across`](Job::expand_across): expands the boards that the last level reached along lines (the set
//!    bits of `along`), one by one.
//! 2. [`expand_along`](Job::expand_along): expands all boards of the last level in the flagged stretches, all places
//!    of a line at once, and writes the new set `along`.

use std::borrow::Cow;
use std::ops::Range;

use loyd_search::{Cost, Meter, Stop, breadth_first_levels, walk_down};

use super::arrangements::{Arrangement, Arrangements, Line, UNREACHED, code, place};
use super::classes::TileClasses;
use crate::file::{AnyTableKey, TableKey};
use crate::pdb::Words;

/// The distance in slides of every abstract board, modulo 3, in two bits per board.
///
/// Places number the cells column by column in canonical orientation, where columns are at least as long as rows. A
/// board is the place of its blank and the [`Arrangement`] of its tiles by place. All boards with the same
/// arrangement share a 32-bit word, so the boards reached by a slide along a column are in the same word.
///
/// A slide changes the distance by at most one, so the change follows from the two distances
/// modulo 3. Distances are updated along a path, starting from one that is found by descending to the goal.
#[derive(Debug)]
pub struct TileClassTable {
    classes: TileClasses,
    arrangements: Arrangements,
    line: Line,
    words: Words,
    census: Vec<u64>,
}

/// Exceeds the distance of every board, so a longer descent must be in a cycle.
const FARTHEST: Cost = 255;

impl TileClassTable {
    /// Returns the bytes needed to build a table, including the table.
    pub fn build_bytes(classes: &TileClasses) -> u64 {
        let arrangements = Arrangements::new(classes.counts());
        2 * 4 * arrangements.count() as u64 + arrangements.bytes()
    }

    /// Builds the table by breadth-first search from the goal.
    ///
    /// Cost: one thread, some 40 million boards per second; 2 bits per board, and 2 more during the build.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
    pub fn build(classes: TileClasses, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let arrangements = Arrangements::new(classes.counts());
        let (size, line) = (classes.size(), Line::new(&classes));
        let count = arrangements.count();
        meter.reserve_more(8 * count as u64 + arrangements.bytes())?;
        let zeroed = || Words::zeroed(count.div_ceil(2)).map_err(|_| Stop::Memory);
        let (mut words, mut scratch) = (zeroed()?, zeroed()?);
        let goal = goal(&classes, &arrangements);
        let job = Job {
            arrangements: &arrangements,
            line,
            goal: (arrangements.number(goal), place(size, classes.blank().into()) as u32),
        };
        let table = &mut bytemuck::cast_slice_mut(&mut words)[..count];
        let census =
            job.build(table, &mut bytemuck::cast_slice_mut(&mut scratch)[..count], meter)?;
        Ok(Self { classes, arrangements, line, words, census })
    }

    /// Returns the classes.
    pub fn classes(&self) -> &TileClasses {
        &self.classes
    }

    /// Returns the numbering of arrangements.
    pub fn arrangements(&self) -> &Arrangements {
        &self.arrangements
    }

    /// Returns the dimensions of the table.
    #[inline]
    pub fn line(&self) -> Line {
        self.line
    }

    /// Returns the words, one per arrangement: two bits for each place of the blank, the first place in the lowest
    /// bits. They are the distance modulo 3, or 3 for boards from which the goal cannot be reached.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &bytemuck::cast_slice(&self.words)[..self.arrangements.count()]
    }

    /// Returns the number of boards at each distance.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// Returns the bytes of memory that the table holds.
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + self.arrangements.bytes()
    }

    /// Returns the word of an arrangement.
    #[inline]
    pub fn word(&self, arrangement: Arrangement) -> u32 {
        self.words()[self.arrangements.number(arrangement) as usize]
    }

    /// Returns the distance of a board, found by descending to the goal (some microseconds), or 0 if the goal cannot be
    /// reached. Returns `None` if the table is damaged and the descent does not end at the goal.
    pub fn distance(&self, arrangement: Arrangement, blank: u32) -> Option<Cost> {
        if code(self.word(arrangement), blank) == UNREACHED {
            return Some(0);
        }
        let goal_blank = place(self.classes.size(), self.classes.blank().into()) as u32;
        let goal = (goal(&self.classes, &self.arrangements), goal_blank);
        let nearer = |(arrangement, blank), steps| {
            let code = code(self.word(arrangement), blank);
            let leads_on = code != UNREACHED && steps < FARTHEST;
            let nearer = leads_on.then(|| self.nearer(arrangement, blank, (code + 2) % 3));
            nearer.flatten().ok_or(())
        };
        walk_down((arrangement, blank), |&board| board == goal, nearer).ok()
    }

    /// Returns a neighbour with the code `wanted_code`.
    fn nearer(
        &self,
        arrangement: Arrangement,
        blank: u32,
        wanted_code: u32,
    ) -> Option<(Arrangement, u32)> {
        let Line { places, lines, .. } = self.line;
        // Along the line of the blank first: its codes are in the same word.
        let (first, word) = (blank / places * places, self.word(arrangement));
        if let Some(to) = (first..first + places).find(|&to| code(word, to) == wanted_code) {
            return Some((arrangement, to));
        }
        let across = (0..lines).map(|line| line * places + blank % places);
        let slid = across.map(|to| (self.line.after_slide(arrangement, blank, to), to));
        let mut nearer = slid.filter(|&(slid, to)| code(self.word(slid), to) == wanted_code);
        nearer.next()
    }
}

impl TableKey for TileClasses {
    type Table = TileClassTable;

    fn contents(&self) -> AnyTableKey {
        AnyTableKey::TileClasses(self.clone())
    }

    fn piece_lengths(&self, _: &[Vec<u64>]) -> Vec<u64> {
        vec![self.arrangements().div_ceil(2)]
    }

    fn restore(
        &self,
        mut pieces: Vec<Words>,
        mut censuses: Vec<Vec<u64>>,
    ) -> Option<TileClassTable> {
        let mut words = pieces.pop().expect("a table has one piece");
        if cfg!(target_endian = "big") {
            words.iter_mut().for_each(|word| *word = word.rotate_left(u32::BITS));
        }
        Some(TileClassTable {
            classes: self.clone(),
            arrangements: Arrangements::new(self.counts()),
            line: Line::new(self),
            words,
            census: censuses.pop().unwrap_or_default(),
        })
    }

    fn pieces(table: &TileClassTable) -> Vec<Cow<'_, [u64]>> {
        // A word has two of 32 bits. In a file, the first one is in the lower half, as in a little-endian memory.
        match cfg!(target_endian = "big") {
            true => {
                vec![table.words.iter().map(|word| word.rotate_left(u32::BITS)).collect()]
            }
            false => vec![table.words[..].into()],
        }
    }

    fn censuses(table: &TileClassTable) -> Vec<Vec<u64>> {
        vec![table.census.clone()]
    }

    fn bytes(table: &TileClassTable) -> u64 {
        table.bytes()
    }
}

/// Returns the arrangement of the goal.
fn goal(classes: &TileClasses, arrangements: &Arrangements) -> Arrangement {
    let size = classes.size();
    let mut cells: Vec<_> = size.iter_cells().collect();
    cells.sort_unstable_by_key(|cell| place(size, cell.index()));
    let tiles = cells.into_iter().filter(|cell| cell.index() != usize::from(classes.blank()));
    let bits = (0..).map(|tile| tile * arrangements.bits());
    tiles.zip(bits).fold(0, |goal, (cell, bits)| goal | u64::from(classes.of(cell)) << bits)
}

/// The parameters of a build.
struct Job<'a> {
    arrangements: &'a Arrangements,
    line: Line,
    /// The number of the goal's arrangement, and the place of the blank.
    goal: (u32, u32),
}

/// Words per stretch: few enough to stay in L1, and at most a few milliseconds of work.
const STRETCH: usize = 1 << 12;

/// Flags of a stretch of words.
#[derive(Clone, Copy, Default)]
struct Stretch {
    /// The last level reached boards in the stretch along a line.
    along: bool,
    /// The last level reached boards in the stretch across lines.
    across: bool,
    /// The level being computed has reached boards in the stretch across lines.
    next_across: bool,
}

/// The low bit of each 2-bit code: bits 0, 2, 4, ….
const EVEN: u32 = 0x5555_5555;

impl Job<'_> {
    /// Fills `table`, one word per arrangement, and returns the number of boards at each distance.
    /// `along` is scratch memory of the same length.
    fn build(
        &self,
        table: &mut [u32],
        along: &mut [u32],
        meter: &mut Meter<'_>,
    ) -> Result<Vec<u64>, Stop> {
        let places = self.line.places * self.line.lines;
        let total = table.len() as u64 * u64::from(places);
        let mut stretches = vec![Stretch::default(); table.len().div_ceil(STRETCH)];
        let (goal, blank) = (self.goal.0 as usize, 2 * self.goal.1);
        table.fill(u32::MAX);
        table[goal] ^= UNREACHED << blank;
        along[goal] = 1 << blank;
        stretches[goal / STRETCH].along = true;
        breadth_first_levels(1, |level, before| {
            let code = (level - 1) as u32 % 3;
            let mut met = self.expand_across(code, table, along, &mut stretches, meter)?;
            for (place, stretch) in stretches.iter_mut().enumerate() {
                let reached = stretch.along || stretch.across;
                stretch.across = std::mem::take(&mut stretch.next_across);
                if reached {
                    let words = words_of(place, table.len());
                    let along = &mut along[words.clone()];
                    let found = self.expand_along(code, &mut table[words], along);
                    stretch.along = found > 0;
                    met += found;
                }
                if place % 64 == 0 {
                    meter.check()?;
                }
            }
            if met > 0 {
                meter.progress(before + met, total)?;
            }
            Ok(met)
        })
    }

    /// Expands the boards in `along` by slides across lines, and returns the number of new boards.
    ///
    /// `code` is the distance modulo 3 of the last level.
    fn expand_across(
        &self,
        code: u32,
        table: &mut [u32],
        along: &[u32],
        stretches: &mut [Stretch],
        meter: &mut Meter<'_>,
    ) -> Result<u64, Stop> {
        let (line, mut met) = (self.line, 0);
        let places = line.places * line.lines;
        // XOR with this turns UNREACHED into the code of the new level.
        let flip = UNREACHED ^ ((code + 1) % 3);
        for place in 0..stretches.len() {
            if !stretches[place].along {
                continue;
            }
            meter.check()?;
            self.arrangements.each(words_of(place, along.len()), |number, arrangement| {
                let mut add_if_new = |arrangement, to: u32| {
                    let number = self.arrangements.number(arrangement) as usize;
                    let word = table[number];
                    // No branch, so that the loads of many words overlap. 1 if both bits of the code are set:
                    let unreached = (word & word >> 1) >> (2 * to) & 1;
                    table[number] = word ^ (unreached * flip) << (2 * to);
                    stretches[number / STRETCH].next_across |= unreached == 1;
                    met += u64::from(unreached);
                };
                let mut from = along[number];
                while from != 0 {
                    // Next board of the word, by the place of its blank.
                    let blank = from.trailing_zeros() / 2;
                    from &= from - 1;
                    let (mut moved, mut to) = (arrangement, blank);
                    while to + line.places < places {
                        moved = line.next_line(moved, to);
                        to += line.places;
                        add_if_new(moved, to);
                    }
                    (moved, to) = (arrangement, blank);
                    while to >= line.places {
                        moved = line.previous_line(moved, to);
                        to -= line.places;
                        add_if_new(moved, to);
                    }
                }
                Ok::<(), Stop>(())
            })?;
        }
        Ok(met)
    }

    /// Expands all boards with `code` by slides along lines, overwrites `along` with the set of new boards, and returns
    /// their number. Boards of smaller distances with the same code are expanded again, but yield nothing new.
    fn expand_along(&self, code: u32, table: &mut [u32], along: &mut [u32]) -> u64 {
        let codes = code * EVEN;
        along.fill(0);
        for line in 0..self.line.lines {
            // The low bits of the codes of this line.
            let width = 2 * self.line.places;
            let mask = (((1_u64 << width) - 1) << (line * width)) as u32 & EVEN;
            for (word, along) in table.iter().zip(&mut *along) {
                // A code that equals `code` becomes 0, so both bits are clear.
                let other = word ^ codes;
                let any = !(other | other >> 1) & mask != 0;
                // If the line has a board of the last level, all its unreached boards (both bits set) are new.
                *along |= if any { word & word >> 1 & mask } else { 0 };
            }
        }
        let (flip, mut met) = (UNREACHED ^ ((code + 1) % 3), 0);
        for (word, along) in table.iter_mut().zip(&*along) {
            // Multiplying copies the two bits of `flip` to each set position; there are no carries.
            *word ^= along * flip;
            met += u64::from(along.count_ones());
        }
        met
    }
}

/// Returns the range of words of a stretch.
fn words_of(stretch: usize, words: usize) -> Range<usize> {
    stretch * STRETCH..((stretch + 1) * STRETCH).min(words)
}
