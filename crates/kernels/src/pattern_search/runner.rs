//! The pipeline with the instructions of some machine.

use loyd_search::{Meter, Stop};

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::engine::{Engine, Pause};
use super::rows::Rows;
use super::scalar;
use super::seeds::Queue;
use super::tables::Tables;
use crate::cpu::Level;

/// The pipeline on a level of instructions.
pub struct Runner {
    pub level: Level,
    pub tables: Tables,
    pub rows: Rows,
}

/// Expansions between two looks at the meter.
const SLICE: u64 = 2048;

impl Runner {
    /// Runs until `left` nodes have been expanded, which is counted down, or there is nothing left to do.
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

    /// Runs until the engine has found a goal or has nothing left to do.
    pub fn finish(
        &self,
        engine: &mut Engine,
        queue: &Queue<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut granted = 0;
        loop {
            let mut left = granted;
            let rest = self.run(engine, queue, &mut left);
            meter.expand_many(granted - left);
            meter.generate(engine.take_generated());
            match rest {
                Pause::Goal | Pause::Empty => return Ok(()),
                Pause::Full => return Err(Stop::Memory),
                Pause::Spent => {}
            }
            meter.check()?;
            granted = meter.left_to_expand().min(SLICE);
            if granted == 0 {
                return Err(Stop::Expanded);
            }
        }
    }
}
