//! Loyd for Python: the extension module `loyd._loyd` of the package `loyd`.
//!
//! Long operations release the GIL and can be interrupted with Ctrl-C: see [`interrupt`].
#![forbid(unsafe_code)]

mod batch;
mod core;
mod environments;
mod interrupt;
mod objects;
mod solver;

use pyo3::prelude::*;

#[pymodule]
mod _loyd {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::environments::Environments;
    #[pymodule_export]
    use crate::objects::{Anytime, Board, Goal, Solution, convert};
    #[pymodule_export]
    use crate::solver::Solver;

    /// Runs the command `loyd` with these arguments, including the program name, and returns its exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| loyd_cli::main_with(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
