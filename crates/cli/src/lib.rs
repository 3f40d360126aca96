//! The command line of Loyd.
//!
//! Exit status: 0 for a positive answer, 1 for a negative answer (`verify`) or none (a limit was reached), 2 for
//! invalid usage or input. `unsolvable` counts as an answer.
//!
//! The crate is a library with a tiny binary because cargo can compile a library while it still generates code for its
//! dependencies, which makes a clean build 10 % faster.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod failure;
mod files;
mod input;
mod interrupt;
pub mod library;
mod memory;
mod pddl;
mod progress;
mod replay;
mod saved_files;
mod units;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use loyd::judge::Cpu;
use loyd::search::Stop;

use args::{Cli, Command};
#[cfg(not(all(feature = "queue", feature = "serve", feature = "tui")))]
use failure::missing_feature;
use failure::{Failure, Status, check_feature};

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    main_with(std::env::args_os().collect()).into()
}

/// Runs the program with `args`, the first of which is its name, and returns the exit status.
pub fn main_with(args: Vec<OsString>) -> u8 {
    let status = match start(args) {
        Ok(status) => status,
        Err(failure) if is_closed_pipe(&failure) => Status::Yes,
        Err(failure) => {
            failure.print();
            if is_interrupted(&failure) { Status::No } else { Status::Bad }
        }
    };
    status as u8
}

/// Parses the arguments and runs the command.
fn start(args: Vec<OsString>) -> Result<Status, Failure> {
    if let Some(command) = args.get(1).and_then(|word| word.to_str()) {
        check_feature(command)?;
    }
    let cli = Cli::read(args::with_default_command(args));
    Cpu::from_env()?;
    let mut command = cli.command;
    input::resolve_input(&mut command)?;
    run(command)
}

/// Runs `command`.
fn run(command: Command) -> Result<Status, Failure> {
    match command {
        Command::Solve(args) => commands::solve::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Judge(args) => commands::judge::run(&args),
        Command::Realms(args) => commands::realms::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Verify(args) => commands::verify::verify(&args),
        Command::Hint(args) => commands::advice::hint(&args),
        Command::Review(args) => commands::advice::review(&args),
        #[cfg(feature = "tui")]
        Command::Play(args) => commands::play::run(&args),
        #[cfg(not(feature = "tui"))]
        Command::Play(_) => Err(missing_feature("play", "tui").into()),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(feature = "serve")]
        Command::Page(args) => commands::serve::write_page(&args),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(missing_feature("serve", "serve").into()),
        #[cfg(not(feature = "serve"))]
        Command::Page(_) => Err(missing_feature("page", "serve").into()),
        #[cfg(feature = "queue")]
        Command::Work(args) => commands::work::run(args),
        #[cfg(not(feature = "queue"))]
        Command::Work(_) => Err(missing_feature("work", "queue").into()),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Optimize(args) => commands::answers::optimize(&args),
        Command::FilterOptimal(args) => commands::verify::filter(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Apply(args) => commands::answers::apply(&args),
        Command::Invert(args) => commands::answers::invert(&args),
        Command::Simplify(args) => commands::answers::simplify(&args),
        Command::Scramble(args) => commands::scramble::run(&args),
        Command::Plot(args) => commands::plot::run(&args),
        Command::Experiment(args) => commands::experiment::run(&args),
        Command::Rank(args) => commands::scramble::rank(&args),
        Command::Unrank(args) => commands::scramble::unrank(&args),
        Command::Census(args) => commands::census::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Dataset(args) => commands::dataset::run(&args),
        Command::Pdb(args) => commands::pdb::run(&args),
        Command::List(args) => commands::about::list(&args),
        Command::Completions { shell } => commands::about::completions(shell),
        Command::Man => commands::about::man(),
    }
}

/// Returns whether the failure is an interruption by the user, which is not an error.
fn is_interrupted(failure: &Failure) -> bool {
    let Failure::Other(error) = failure else { return false };
    error.downcast_ref::<Stop>() == Some(&Stop::Cancelled)
}

/// Returns whether the reader of standard output closed the pipe, which is not an error.
fn is_closed_pipe(failure: &Failure) -> bool {
    let Failure::Other(error) = failure else { return false };
    let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.downcast_ref::<io::Error>().is_some_and(broken)
        || error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind)
            == Some(io::ErrorKind::BrokenPipe)
}
