//! Building a table: breadth-first from the goal, a distance at a time.
//!
//! Boards that differ by a slide form groups. A group *along* a line is part of a word, and whole words
//! are dealt with at once. The boards of a group *across* lines lie in as many words, far from each other;
//! but a group has to be looked at only once: when its first board is met, all others are one slide
//! farther at most. That first board was then met along a line, or it is the goal. So each distance takes
//! two passes: across lines from the boards that were last met along one, then along lines from all boards of
//! the last distance.

use std::ops::Range;

use loyd_search::{Meter, Stop, level_by_level};

use super::arrangements::Arrangements;
use super::lines::{Line, UNREACHED};

/// What is to be built.
pub struct Job<'a> {
    pub arrangements: &'a Arrangements,
    pub line: Line,
    /// The number of the goal's arrangement, and the place of its blank.
    pub goal: (u32, u32),
}

/// Words that are dealt with together: few enough to stay in the nearest cache, and some milliseconds of
/// work at most.
const STRETCH: usize = 1 << 12;

/// What is known of a stretch of words.
#[derive(Clone, Copy, Default)]
struct Stretch {
    /// Boards of the last distance were met along a line, or across.
    along: bool,
    across: bool,
    /// The same for the next distance.
    next_across: bool,
}

/// One bit of each code.
const EVEN: u32 = 0x5555_5555;

impl Job<'_> {
    /// Fills `table`, a word an arrangement, and returns how many boards there are at each distance.
    /// `along` is as large, and for nothing but this.
    pub fn build(
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
        level_by_level(1, |level, before| {
            let code = (level - 1) as u32 % 3;
            let mut met = self.go_across(code, table, along, &mut stretches, meter)?;
            for (place, stretch) in stretches.iter_mut().enumerate() {
                let reached = stretch.along || stretch.across;
                stretch.across = std::mem::take(&mut stretch.next_across);
                if reached {
                    let words = words_of(place, table.len());
                    let along = &mut along[words.clone()];
                    let found = self.go_along(code, &mut table[words], along);
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

    /// From the boards that were last met along lines to all that are a slide across from them.
    fn go_across(
        &self,
        code: u32,
        table: &mut [u32],
        along: &[u32],
        stretches: &mut [Stretch],
        meter: &mut Meter<'_>,
    ) -> Result<u64, Stop> {
        let (line, mut met) = (self.line, 0);
        let places = line.places * line.lines;
        let flip = UNREACHED ^ ((code + 1) % 3);
        for place in 0..stretches.len() {
            if !stretches[place].along {
                continue;
            }
            meter.check()?;
            self.arrangements.each(words_of(place, along.len()), |number, arrangement| {
                let mut meet = |arrangement, to: u32| {
                    let number = self.arrangements.number(arrangement) as usize;
                    let word = table[number];
                    // Without a branch, so that the words of many boards are on their way at once.
                    let unreached = (word & word >> 1) >> (2 * to) & 1;
                    table[number] = word ^ (unreached * flip) << (2 * to);
                    stretches[number / STRETCH].next_across |= unreached == 1;
                    met += u64::from(unreached);
                };
                let mut from = along[number];
                while from != 0 {
                    let blank = from.trailing_zeros() / 2;
                    from &= from - 1;
                    let (mut moved, mut to) = (arrangement, blank);
                    while to + line.places < places {
                        moved = line.onward(moved, to);
                        to += line.places;
                        meet(moved, to);
                    }
                    (moved, to) = (arrangement, blank);
                    while to >= line.places {
                        moved = line.back(moved, to);
                        to -= line.places;
                        meet(moved, to);
                    }
                }
                Ok::<(), Stop>(())
            })?;
        }
        Ok(met)
    }

    /// From all boards with `code` to those of the same line that have not been met, which `along` tells
    /// then, and forgets what it told before. Boards of smaller distances with the same code lead to
    /// nothing new.
    fn go_along(&self, code: u32, table: &mut [u32], along: &mut [u32]) -> u64 {
        let codes = code * EVEN;
        along.fill(0);
        for line in 0..self.line.lines {
            let width = 2 * self.line.places;
            let mask = (((1_u64 << width) - 1) << (line * width)) as u32 & EVEN;
            for (word, along) in table.iter().zip(&mut *along) {
                let other = word ^ codes;
                let any = !(other | other >> 1) & mask != 0;
                *along |= if any { word & word >> 1 & mask } else { 0 };
            }
        }
        let (flip, mut met) = (UNREACHED ^ ((code + 1) % 3), 0);
        for (word, along) in table.iter_mut().zip(&*along) {
            *word ^= along * flip;
            met += u64::from(along.count_ones());
        }
        met
    }
}

/// The words of a stretch.
fn words_of(stretch: usize, words: usize) -> Range<usize> {
    stretch * STRETCH..((stretch + 1) * STRETCH).min(words)
}
