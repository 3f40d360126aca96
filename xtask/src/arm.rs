//! Runs tests of the kernels and the engine for 64-bit Arm in an emulator.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::compiler::{self, first_with_target};
use crate::run::{cargo, find_program, metadata, succeed};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
/// The dynamic loader, by which the programs are started.
const LOADER: &str = "/lib/ld-linux-aarch64.so.1";
const EMULATORS: [&str; 2] = ["qemu-aarch64-static", "qemu-aarch64"];

/// The error if there is no compiler, and how to install one.
const MISSING: &str = "no compiler has the standard library of aarch64-unknown-linux-gnu: \
    `rustup target add aarch64-unknown-linux-gnu`, or on Debian `dpkg --add-architecture arm64 && apt-get update && \
    apt-get install rustc-web libstd-rust-web-dev:arm64`";

/// Tests of the kernels that take 15 to 80 seconds each in an emulator. Other tests run the same code.
const SLOW: [&str; 7] = [
    "beams_preserve_lengths_and_complete_iterations",
    "idle_time_is_a_few_slices_for_any_number_of_threads",
    "layers_keep_the_boards_with_the_highest_scores",
    "lookahead_solutions_are_verified_for_any_goal_cell_of_the_blank",
    "no_iteration_starts_after_the_given_expansions",
    "samples_are_the_nodes_of_an_iteration",
    "shares_add_up_to_the_iterations_of_one_search",
];

/// Run tests of the kernels and the engine for 64-bit Arm in an emulator
#[derive(clap::Args)]
pub struct Args {}

/// The programs that this needs.
pub struct Tools {
    rustc: PathBuf,
    linker: PathBuf,
    emulator: PathBuf,
}

impl Tools {
    /// Finds the programs.
    ///
    /// # Errors
    /// Fails if one is missing; the message explains how to install it.
    pub fn find() -> Result<Self> {
        let rustc = first_with_target(&compiler::all(), TARGET).context(MISSING)?.into();
        let linker = find_program(LINKER)
            .context("no linker for 64-bit Arm: `apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross`")?;
        let emulator = EMULATORS.into_iter().find_map(find_program);
        let emulator =
            emulator.context("no emulator of 64-bit Arm: `apt-get install qemu-user-static`")?;
        anyhow::ensure!(
            Path::new(LOADER).exists(),
            "no libraries of 64-bit Arm: `apt-get install libc6:arm64`"
        );
        Ok(Self { rustc, linker, emulator })
    }

    /// Returns a command of cargo for the target. Its target directory is a separate one: with another compiler, cargo
    /// would compile everything again.
    fn cargo(&self, arguments: &[&str]) -> Result<Command> {
        let metadata = metadata()?;
        let target = metadata["target_directory"].as_str().context("no target directory")?;
        let mut command = cargo(arguments);
        command
            .env("CARGO_BUILD_TARGET", TARGET)
            .env("CARGO_TARGET_DIR", PathBuf::from(target).join("arm"))
            .env("RUSTC", &self.rustc)
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", &self.linker)
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &self.emulator);
        Ok(command)
    }
}

pub fn run(_: &Args) -> Result<()> {
    let tools = Tools::find()?;
    let mut kernels = tools.cargo(&["test", "--package", "loyd-kernels", "--lib", "--"])?;
    succeed(kernels.args(SLOW.iter().flat_map(|test| ["--skip", test])))?;
    let engine = ["test", "--package", "loyd-solver", "--test", "fifteen"];
    succeed(&mut tools.cargo(&engine)?)
}
