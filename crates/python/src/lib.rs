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
    use pyo3::types::PyDict;

    #[pymodule_export]
    use crate::environments::Environments;
    #[pymodule_export]
    use crate::objects::{Anytime, Board, Goal, Solution, convert};
    #[pymodule_export]
    use crate::solver::Solver;

    /// Runs the command `loyd` with these arguments, including the program name, and returns its exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        crate::interrupt::detach(py, || loyd_cli::main_with(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let end = wrap_pyfunction!(crate::interrupt::end_calls, module)?;
        let py = module.py();
        py.import("atexit")?.call_method1("register", (end,))?;
        // Windows has no `fork`.
        if let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? {
            let options = PyDict::new(py);
            let forget = wrap_pyfunction!(crate::interrupt::forget_threads, module)?;
            options.set_item("after_in_child", forget)?;
            register.call((), Some(&options))?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
