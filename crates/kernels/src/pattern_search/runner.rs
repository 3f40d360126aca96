//! Runs the pipeline on the chosen instruction level.

use loyd_search::{Meter, Stop};

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::engine::{Engine, Pause};
use super::scalar;
use super::seeds::Queue;
use super::steps::Rows;
use super::tables::Tables;
use crate::cpu::Level;

/// The tables of a search and the instruction level to use.
pub struct Runner {
    pub level: Level,
    pub tables: Tables,
    pub rows: Rows,
}

/// Number of nodes expanded between two limit checks.
const SLICE: u64 = 2048;

impl Runner {
    /// Runs the engine until `left` nodes have been expanded or it has nothing left to do. Decrements `left`.
    pub fn run(&self, engine: &mut Engine, queue: &Queue<'_>, left: &mut u64) -> Pause {
        match self.level.cpu() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has this level.
            crate::cpu::Cpu::Avx512 => unsafe {
                avx512::run(engine, &self.tables, &self.rows, queue, left)
            },
            _ => scalar::run(engine, &self.tables, &self.rows, queue, left),
        }
    }

    /// Runs the engine until it has found a goal or has nothing left to do.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Memory`] if there is no room for parent links.
    pub fn finish(
        &self,
        engine: &mut Engine,
        queue: &Queue<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut granted = 0;
        loop {
            let mut left = granted;
            let pause = self.run(engine, queue, &mut left);
            meter.expand_many(granted - left);
            meter.generate(engine.take_generated());
            match pause {
                Pause::Goal | Pause::Empty => return Ok(()),
                Pause::Full => return Err(Stop::Memory),
                Pause::Spent => {}
            }
            meter.check()?;
            granted = meter.remaining_expansions().min(SLICE);
            if granted == 0 {
                return Err(Stop::Expanded);
            }
        }
    }
}
