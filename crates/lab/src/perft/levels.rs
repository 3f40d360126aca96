//! States grouped by the depth at which they are first reached, one level at a time.
//!
//! Every move changes the chessboard colour of the blank's cell, so the neighbours of a state at depth `d` are at depth
//! `d - 1` or `d + 1`. Each state stores which moves lead back to the previous level; all other moves lead to the next
//! level. So only one level is stored: Korf's frontier search with used-operator bits.

use std::fmt;
use std::io;

use loyd::engine::{Meter, Stop};

use super::packed::{Layout, PackedState, UnpackedState};
use super::region::{PerftError, Region, Start};
use super::runs::{MIN_CHUNK, Merge, Run, RunWriter, Scratch, sort_and_merge};

/// Counts the states first reached at each depth.
pub struct States<'a>(Box<dyn NextLevel + 'a>);

/// Assumed memory limit if none is set, in bytes.
const DEFAULT_MEMORY: u64 = 1 << 40;
/// Minimum memory limit, in bytes.
const MIN_MEMORY: u64 = 1 << 20;
/// Number of states between two checks of the limits.
const CHECK_INTERVAL: usize = 1 << 16;

impl<'a> States<'a> {
    /// Creates a counter of states from depth 0 to `depth`. States that do not fit in memory go to files created by
    /// `scratch`.
    ///
    /// # Errors
    /// Returns an error if states of this depth need more than 32 words. On small boards this never happens; on boards
    /// of thousands of cells it happens beyond depth 72 at the earliest.
    pub fn new<S: Scratch + 'a>(
        start: &Start,
        depth: u32,
        scratch: impl FnMut() -> io::Result<S> + 'a,
    ) -> Result<Self, PerftError> {
        let region = Region::new(start, depth);
        let layout = Layout::new(&region, depth);
        let of = (region, layout, depth);
        Ok(Self(match of.1.words() {
            1 => Box::new(Levels::<1, S, _>::new(of, scratch)),
            2 => Box::new(Levels::<2, S, _>::new(of, scratch)),
            3 => Box::new(Levels::<3, S, _>::new(of, scratch)),
            4 => Box::new(Levels::<4, S, _>::new(of, scratch)),
            5 | 6 => Box::new(Levels::<6, S, _>::new(of, scratch)),
            7 | 8 => Box::new(Levels::<8, S, _>::new(of, scratch)),
            9..=16 => Box::new(Levels::<16, S, _>::new(of, scratch)),
            17..=32 => Box::new(Levels::<32, S, _>::new(of, scratch)),
            _ => return Err(PerftError::TooDeep { depth, most: of.1.max_displaced_in(32) }),
        }))
    }

    /// Returns the number of states first reached at the next depth, starting at depth 0, and 0 past the last depth.
    ///
    /// Memory: at most what `meter` allows. The states of the previous depth count as expanded.
    ///
    /// # Errors
    /// Returns an error if a limit is reached or a file fails; the counter is unusable afterwards.
    pub fn next_count(&mut self, meter: &mut Meter<'_>) -> Result<u64, PerftError> {
        self.0.next(meter)
    }
}

impl fmt::Debug for States<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States").finish_non_exhaustive()
    }
}

trait NextLevel {
    fn next(&mut self, meter: &mut Meter<'_>) -> Result<u64, PerftError>;
}

struct Levels<const N: usize, S, F> {
    region: Region,
    layout: Layout,
    /// Depth of the next level, and the largest depth to count.
    depth: u32,
    last: u32,
    /// The level before the next one.
    level: (Vec<Run<N>>, Option<S>),
    scratch: F,
}

impl<const N: usize, S: Scratch, F: FnMut() -> io::Result<S>> Levels<N, S, F> {
    fn new((region, layout, last): (Region, Layout, u32), scratch: F) -> Self {
        Self { region, layout, depth: 0, last, level: (Vec::new(), None), scratch }
    }

    /// Generates the successors in the next level, with repetitions, as sorted runs.
    fn expand(&mut self, most: usize, meter: &mut Meter<'_>) -> Result<Merge<N, S>, PerftError> {
        let (runs, mut file) = std::mem::take(&mut self.level);
        let (mut states, mut unpacked) = (Vec::new(), UnpackedState::default());
        let mut writer = RunWriter::new();
        for mut run in runs {
            while let Some(state) = run.next(file.as_mut())? {
                meter.expand()?;
                unpacked.successors((&self.region, &self.layout), &state, |child| {
                    meter.generate(1);
                    if states.len() == states.capacity() {
                        let more = states.len().max(MIN_CHUNK).min(most - states.len());
                        states.reserve_exact(more);
                        meter.reserve((states.capacity() * PackedState::<N>::BYTES) as u64)?;
                    }
                    states.push(child);
                    if states.len() < most {
                        return Ok(());
                    }
                    sort_and_merge(&mut states);
                    // After merging, a buffer that is at most half full is filled further instead of written.
                    if states.len() > most / 2 {
                        writer.write(&states, true, &mut self.scratch)?;
                        states.clear();
                    }
                    Ok::<_, PerftError>(())
                })?;
            }
        }
        sort_and_merge(&mut states);
        let chunk = most / 2 / (writer.len() + 1);
        if chunk < MIN_CHUNK {
            return Err(Stop::Memory.into());
        }
        let (mut runs, file) = writer.into_runs(chunk);
        runs.push(Run::in_memory(states));
        Ok(Merge::new((runs, file))?)
    }

    /// Stores the states of `merge` as the next level, at most `most` of them in memory, and returns their number.
    fn store_level(
        &mut self,
        mut merge: Merge<N, S>,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<u64, PerftError> {
        let (mut count, mut kept) = (0, Vec::new());
        let mut writer = RunWriter::new();
        while let Some(state) = merge.next()? {
            count += 1;
            if count % CHECK_INTERVAL as u64 == 0 {
                meter.check()?;
            }
            if self.depth == self.last {
                continue;
            }
            kept.push(state);
            if kept.len() == most {
                writer.write(&kept, false, &mut self.scratch)?;
                kept.clear();
            }
        }
        let (mut runs, file) = writer.into_runs(MIN_CHUNK);
        runs.push(Run::in_memory(kept));
        self.level = (runs, file);
        Ok(count)
    }
}

impl<const N: usize, S: Scratch, F: FnMut() -> io::Result<S>> NextLevel for Levels<N, S, F> {
    fn next(&mut self, meter: &mut Meter<'_>) -> Result<u64, PerftError> {
        let memory = meter.remaining_bytes().unwrap_or(DEFAULT_MEMORY);
        if memory < MIN_MEMORY {
            return Err(Stop::Memory.into());
        }
        // Half of the memory is for sorting; the rest is for a level and for the read buffers of the runs.
        let most = (memory / 2) as usize / PackedState::<N>::BYTES;
        let count = match self.depth {
            0 => {
                self.level = (vec![Run::in_memory(vec![PackedState::START])], None);
                1
            }
            _ => {
                let merge = self.expand(most, meter)?;
                self.store_level(merge, most / 4, meter)?
            }
        };
        self.depth += 1;
        Ok(count)
    }
}
