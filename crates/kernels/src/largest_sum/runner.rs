//! Dispatch of the search to the instruction set of the machine.

#[cfg(target_arch = "x86_64")]
use super::avx2::{v3, v4};
use super::engine::{Engine, PathLimit};
use super::node::Node;
use super::steps::{Scalar, Unpack};
use super::tables::Tables;
#[cfg(target_arch = "x86_64")]
use crate::cpu::Cpu;
use crate::cpu::Level;
use crate::move_rows::MoveRows;

/// The tables of a search and the instruction set that it runs on.
pub struct Runner {
    /// The instruction set, which the machine has.
    pub level: Level,
    /// The tables of the kernel.
    pub tables: Tables,
    /// The automaton of beams: it forbids only the inverse of the last move, so that beams can merge equal boards.
    pub beam_rows: MoveRows,
}

/// Calls the instance of a function of [`v3`] for the number of vectors of the tables.
#[cfg(target_arch = "x86_64")]
macro_rules! by_vectors {
    ($tables:expr, $function:ident, $arguments:tt) => {
        // SAFETY: a `Level` is one that the machine has.
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
    /// Calls [`Engine::run`].
    pub fn run(
        &self,
        engine: &mut Engine,
        rows: &MoveRows,
        (limit, most): (PathLimit, u64),
    ) -> u64 {
        let (tables, rows) = (&self.tables, rows.rows());
        match self.level.cpu() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` is one that the machine has.
            Cpu::Avx512 => unsafe { v4::run::<4>(engine, tables, rows, (limit, most)) },
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => by_vectors!(tables, run, (engine, tables, rows, (limit, most))),
            _ => engine.run(Scalar, tables, rows, (limit, most)),
        }
    }

    /// Calls [`Engine::expand_batch`].
    pub fn expand_batch(
        &self,
        engine: &mut Engine,
        rows: &MoveRows,
        batch: &[impl Unpack],
        each: &mut dyn FnMut(&Node),
    ) {
        let (tables, rows) = (&self.tables, rows.rows());
        match self.level.cpu() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` is one that the machine has.
            Cpu::Avx512 => unsafe { v4::expand_batch::<4>(engine, tables, rows, batch, each) },
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => by_vectors!(tables, expand_batch, (engine, tables, rows, batch, each)),
            _ => engine.expand_batch(Scalar, tables, rows, batch, each),
        }
    }
}
