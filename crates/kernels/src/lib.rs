//! Hand-written kernels: what is worth more than the generic searches give, and the only home of
//! `unsafe` in the project.
//!
//! Each kernel has plain code that tests compare it with, on every [`Cpu`] level that the
//! machine has.
#![deny(unsafe_op_in_unsafe_fn)]

mod cpu;

pub use cpu::{Cpu, CpuError};
