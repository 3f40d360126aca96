//! The search with the instructions of some machine.

#[cfg(target_arch = "x86_64")]
use super::avx2::{v3, v4};
use super::engine::{Engine, Within};
use super::jumps::JUMPED;
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

/// Calls a function of [`v3`] or [`v4`] that is compiled for as many vectors of lanes, and as many cells to jump, as the
/// tables have.
#[cfg(target_arch = "x86_64")]
macro_rules! by_shape {
    ($tables:expr, $($function:ident)::+, ($($argument:expr),*)) => {
        // SAFETY: the machine has this level.
        unsafe {
            match ($tables.vectors(), $tables.size.width().max($tables.size.height())) {
                (1, ..=5) => $($function)::+::<1, 4>($($argument),*),
                (..=3, ..=5) => $($function)::+::<3, 4>($($argument),*),
                (_, ..=5) => $($function)::+::<4, 4>($($argument),*),
                _ => $($function)::+::<4, JUMPED>($($argument),*),
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
            Cpu::Avx512 => by_shape!(tables, v4::run, (engine, tables, rows, (within, most))),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => by_shape!(tables, v3::run, (engine, tables, rows, (within, most))),
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
            Cpu::Avx512 => {
                by_shape!(tables, v4::expand_batch, (engine, tables, rows, batch, each));
            }
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => by_shape!(tables, v3::expand_batch, (engine, tables, rows, batch, each)),
            _ => engine.expand_batch(Scalar, tables, rows, batch, each),
        }
    }
}
