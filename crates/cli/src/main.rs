//! The `loyd` binary.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    loyd_cli::main()
}
