//! The command line of Loyd.
//!
//! Exit status: 0 answered yes, 1 answered no (`verify`) or not answered (a limit was reached), 2 bad
//! usage or bad input. `unsolvable` is an answer.
//!
//! It is a library, and the binary calls its one function, because a library is compiled while the code of the crates
//! below is still being generated: a first build takes a tenth less.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod failure;
mod features;
mod input;
mod interrupt;
pub mod library;
mod pddl;
mod progress;
mod replay;
mod table;
mod units;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use loyd::judge::Cpu;
use loyd::search::Stop;

use args::{Cli, Command};
use failure::Failure;

/// The program.
pub fn main() -> ExitCode {
    main_with(std::env::args_os().collect()).into()
}

/// The program with these arguments, the first of which is its name. Returns the exit status.
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

/// Does what the arguments ask for.
fn start(args: Vec<OsString>) -> Result<Status, Failure> {
    if let Some(command) = args.get(1).and_then(|word| word.to_str()) {
        features::check(command)?;
    }
    let cli = Cli::read(args::with_default_command(args));
    Cpu::from_env()?;
    let mut command = cli.command;
    input::settle(&mut command)?;
    run(command)
}

/// Does what `command` says.
fn run(command: Command) -> Result<Status, Failure> {
    match command {
        Command::Solve(args) => commands::solve::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Judge(args) => commands::judge::run(&args),
        Command::Realms(args) => commands::realms::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Hint(args) => commands::hint::run(&args),
        Command::Review(args) => commands::review::run(&args),
        #[cfg(feature = "tui")]
        Command::Play(args) => commands::play::run(&args),
        #[cfg(not(feature = "tui"))]
        Command::Play(_) => Err(features::missing("play", "tui").into()),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(feature = "serve")]
        Command::Page(args) => commands::page::run(&args),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(features::missing("serve", "serve").into()),
        #[cfg(not(feature = "serve"))]
        Command::Page(_) => Err(features::missing("page", "serve").into()),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Optimize(args) => commands::optimize::run(&args),
        Command::FilterOptimal(args) => commands::filter_optimal::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Apply(args) => commands::apply::run(&args),
        Command::Invert(args) => commands::invert::run(&args),
        Command::Simplify(args) => commands::simplify::run(&args),
        Command::Scramble(args) => commands::scramble::run(&args),
        Command::Plot(args) => commands::plot::run(&args),
        Command::Experiment(args) => commands::experiment::run(&args),
        Command::Rank(args) => commands::rank::run(&args),
        Command::Unrank(args) => commands::rank::run_inverse(&args),
        Command::Census(args) => commands::census::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Dataset(args) => commands::dataset::run(&args),
        Command::Pdb(args) => commands::pdb::run(&args),
        Command::List(args) => commands::list::run(&args),
        Command::Completions { shell } => commands::about::completions(shell),
        Command::Man => commands::about::man(),
    }
}

/// What a command found, worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Everything was answered, and with yes where that was the question.
    #[default]
    Yes,
    /// No, or not answered.
    No,
    /// Something in the input was wrong.
    Bad,
}

/// Whether the user has ended what the command did: nothing was wrong with it.
fn is_interrupted(failure: &Failure) -> bool {
    let Failure::Other(error) = failure else { return false };
    error.downcast_ref::<Stop>() == Some(&Stop::Cancelled)
}

/// Whoever reads the output has seen enough: that is no error.
fn is_closed_pipe(failure: &Failure) -> bool {
    let Failure::Other(error) = failure else { return false };
    let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.downcast_ref::<io::Error>().is_some_and(broken)
        || error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind)
            == Some(io::ErrorKind::BrokenPipe)
}
