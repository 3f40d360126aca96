//! `loyd solve`.

mod alone;
mod answer;
mod batch;
mod dealt;
mod save;
mod share;
mod stats;
mod stream;
mod tally;
mod unsolvable;

use loyd::{Config, Solver};

use crate::Status;
use crate::args::{SolveArgs, SolveOutput};
use crate::failure::{Failure, tell};
use crate::input::{self, Items};
use crate::interrupt;
use answer::Answerer;
pub use save::settings_beside;
pub use share::ending;
use tally::Tally;

/// Solves boards and prints the solutions, each as soon as it and all before it are there.
pub fn run(args: &SolveArgs) -> Result<Status, Failure> {
    if args.boards.is_empty() && args.file.is_none() {
        return Err(anyhow::anyhow!("no board is given: name one, or a file with -f").into());
    }
    let says_how = args.answers.all || args.answers.count || args.batch.direction.is_some();
    let config = Config {
        boards: Some(input::expected_boards(&args.boards, args.file.as_deref())),
        threads: args.batch.threads().get(),
        store: args.cache.store(),
        direction: args.batch.direction,
        ..args.search.config(&args.limits, says_how)
    };
    let solver = Solver::new(config)?;
    if args.answers.all || args.answers.count {
        solver.check_shortest()?;
    }
    if let Some(message) = meaningless(args) {
        return Err(anyhow::anyhow!(message).into());
    }
    let format = args.input.unwrap_or_default();
    let items = Items::new(&args.boards, args.file.as_deref(), format, &args.problem)?;
    let alone = items.known_count() == Some(1);
    let (cancel, tally) = (interrupt::token()?, Tally::default());
    let mut answerer = Answerer { args, solver, cancel, tally, alone };
    let apart = args.batch.save.is_some() || args.batch.shard.is_some();
    let apart = apart && args.file.is_none();
    if let Some(message) = meaningless_alone(args, alone).filter(|_| apart) {
        return Err(anyhow::anyhow!(message).into());
    }
    let status = if apart {
        alone::run(&mut answerer, items)
    } else if args.answers.all && args.output != SolveOutput::Json {
        stream::run(&answerer, items)
    } else {
        batch::run(&answerer, items)
    };
    answerer.tally.tell();
    for warning in answerer.solver.take_warnings() {
        tell(format_args!("warning: {warning}"));
    }
    status
}

/// What is wrong with options that do not go together.
fn meaningless(args: &SolveArgs) -> Option<&'static str> {
    let drawn = [SolveOutput::Steps, SolveOutput::Grid].contains(&args.output);
    if args.answers.count && drawn {
        return Some("a number cannot be drawn: use --output moves or json with --count");
    }
    if args.batch.direction.is_some() && (args.answers.all || args.answers.count) {
        return Some("--all and --count search in a way that has no --direction");
    }
    if args.style.asked().is_some() && (drawn || args.answers.count) {
        return Some(
            "--notation and --runs are for moves: use --output moves or json, and no --count",
        );
    }
    if args.with_moves && args.output != SolveOutput::Steps {
        return Some("--with-moves adds a column to --output steps");
    }
    let a_line_a_board = !drawn && (!args.answers.all || args.output == SolveOutput::Json);
    if args.batch.save.is_some() && !a_line_a_board {
        return Some("--save needs solutions of one line each: use --output json");
    }
    if args.batch.shard.is_some() && !a_line_a_board {
        return Some("--shard needs solutions of one line each: use --output json");
    }
    None
}

/// What is wrong with --save or --shard where no file is given.
fn meaningless_alone(args: &SolveArgs, alone: bool) -> Option<&'static str> {
    if !alone {
        return Some("--save and --shard are for one board, or for a file of boards (-f)");
    }
    if args.answers.all || args.answers.count {
        return Some(
            "--all and --count search in a way that can be neither put aside nor divided: name a file of boards (-f), \
             or leave out --save and --shard",
        );
    }
    if args.batch.shard.is_some() && args.output != SolveOutput::Json {
        return Some(
            "--shard with one board needs --output json, whose records `loyd merge` reads",
        );
    }
    None
}
