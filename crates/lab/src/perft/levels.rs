//! States by the depth at which they are first reached, a level at a time.
//!
//! Every move changes the colour of the blank's cell, as on a chessboard. So the neighbours of a state are in the level
//! before its own or in the one after. A state comes with all moves that lead back to the level before; its neighbours
//! by other moves are in the next level. So only one level is kept (Korf's frontier search, with used-operator bits).

use std::fmt;
use std::io;

use loyd::engine::{Meter, Stop};

use super::packed::{Layout, Packed, Unpacked};
use super::region::Region;
use super::runs::{Merge, PORTION, Run, Scratch, Writer, sort_and_merge};
use super::start::{PerftError, Start};

/// Counts the states that are first reached at each depth.
pub struct States<'a>(Box<dyn NextLevel + 'a>);

/// The memory that states may take where no limit is set.
const UNLIMITED: u64 = 1 << 40;
/// The memory that is needed in any case.
const LEAST: u64 = 1 << 20;
/// States between two looks at limits.
const POLL: usize = 1 << 16;

impl<'a> States<'a> {
    /// States from depth 0 to `depth`. What does not fit in memory goes to files that `scratch` makes.
    ///
    /// # Errors
    /// When states of this depth have no form: on small boards there is no such depth, on boards of thousands of
    /// cells it is beyond 45 or so.
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
            _ => return Err(PerftError::TooDeep { depth, most: of.1.most_displaced(32) }),
        }))
    }

    /// The number of states first reached at the next depth, from 0 on; 0 beyond the last.
    ///
    /// Cost: at most the memory that `meter` allows; `meter` counts states of the depth before as expanded.
    ///
    /// # Errors
    /// When a limit is reached, or a file fails: the count ends then.
    pub fn next(&mut self, meter: &mut Meter<'_>) -> Result<u64, PerftError> {
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
    /// The depth of the next level, and that of the last one.
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

    /// The neighbours of the level that are in the next one, with repetitions, as sorted runs.
    fn expand(&mut self, most: usize, meter: &mut Meter<'_>) -> Result<Merge<N, S>, PerftError> {
        let (runs, mut file) = std::mem::take(&mut self.level);
        let (mut states, mut unpacked) = (Vec::new(), Unpacked::default());
        let mut writer = Writer::new();
        for mut run in runs {
            while let Some(state) = run.next(file.as_mut())? {
                meter.expand()?;
                unpacked.successors((&self.region, &self.layout), &state, |child| {
                    meter.generate(1);
                    if states.len() == states.capacity() {
                        let more = states.len().max(PORTION).min(most - states.len());
                        states.reserve_exact(more);
                        meter.reserve((states.capacity() * Packed::<N>::BYTES) as u64)?;
                    }
                    states.push(child);
                    if states.len() < most {
                        return Ok(());
                    }
                    sort_and_merge(&mut states);
                    // Where few are left, there is room for more.
                    if states.len() > most / 2 {
                        writer.write(&states, true, &mut self.scratch)?;
                        states.clear();
                    }
                    Ok::<_, PerftError>(())
                })?;
            }
        }
        sort_and_merge(&mut states);
        let portion = most / 2 / (writer.len() + 1);
        if portion < PORTION {
            return Err(Stop::Memory.into());
        }
        let (mut runs, file) = writer.into_runs(portion);
        runs.push(Run::of(states));
        Ok(Merge::new((runs, file))?)
    }

    /// Takes the states of `merge` for the next level, at most so many in memory; counts them.
    fn keep(
        &mut self,
        mut merge: Merge<N, S>,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<u64, PerftError> {
        let (mut count, mut kept) = (0, Vec::new());
        let mut writer = Writer::new();
        while let Some(state) = merge.next()? {
            count += 1;
            if count % POLL as u64 == 0 {
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
        let (mut runs, file) = writer.into_runs(PORTION);
        runs.push(Run::of(kept));
        self.level = (runs, file);
        Ok(count)
    }
}

impl<const N: usize, S: Scratch, F: FnMut() -> io::Result<S>> NextLevel for Levels<N, S, F> {
    fn next(&mut self, meter: &mut Meter<'_>) -> Result<u64, PerftError> {
        let memory = meter.left_to_reserve().unwrap_or(UNLIMITED);
        if memory < LEAST {
            return Err(Stop::Memory.into());
        }
        // Half is for what is sorted, the rest for a level and for what is read of runs.
        let most = (memory / 2) as usize / Packed::<N>::BYTES;
        let count = match self.depth {
            0 => {
                self.level = (vec![Run::of(vec![Packed::START])], None);
                1
            }
            _ => {
                let merge = self.expand(most, meter)?;
                self.keep(merge, most / 4, meter)?
            }
        };
        self.depth += 1;
        Ok(count)
    }
}
