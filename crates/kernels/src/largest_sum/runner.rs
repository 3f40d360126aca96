//! The search with the instructions of some machine.

#[cfg(target_arch = "x86_64")]
use super::avx2::{v3, v4};
use super::engine::{Engine, Within};
use super::kept::Unfold;
use super::node::Node;
use super::scalar::Scalar;
use super::tables::Tables;
use crate::cpu::{Cpu, Level};
use crate::move_rows::MoveRows;

/// The tables, and the instructions.
pub struct Runner {
    pub level: Level,
    pub tables: Tables,
    /// The automaton of beams.
    pub beam_rows: MoveRows,
}

/// Calls a function of [`v3`] that is compiled for as many vectors of lanes as the tables have.
#[cfg(target_arch = "x86_64")]
macro_rules! by_vectors {
    ($tables:expr, $function:ident, $arguments:tt) => {
        // SAFETY: the machine has this level.
        unsafe {
            match $tables.vectors() {
                1 => v3::$function::<1> $arguments,
                ..=3 => v3::$function::<3> $arguments,
                _ => v3::$function::<4> $arguments,
            }
        }
    };
}

impl Runner {
    /// [`Engine::run`].
    pub fn run(&self, engine: &mut Engine, rows: &MoveRows, (within, most): (Within, u64)) -> u64 {
        let (tables, rows) = (&self.tables, rows.rows());
        match self.level.cpu() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has this level.
            Cpu::Avx512 => unsafe { v4::run::<4>(engine, tables, rows, (within, most)) },
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => by_vectors!(tables, run, (engine, tables, rows, (within, most))),
            _ => engine.run(Scalar, tables, rows, (within, most)),
        }
    }

    /// [`Engine::expand_batch`].
    pub fn expand_batch(
        &self,
        engine: &mut Engine,
        rows: &MoveRows,
        batch: &[impl Unfold],
        each: &mut dyn FnMut(&Node),
    ) {
        let (tables, rows) = (&self.tables, rows.rows());
        match self.level.cpu() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has this level.
            Cpu::Avx512 => unsafe { v4::expand_batch::<4>(engine, tables, rows, batch, each) },
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => by_vectors!(tables, expand_batch, (engine, tables, rows, batch, each)),
            _ => engine.expand_batch(Scalar, tables, rows, batch, each),
        }
    }
}
