//! `loyd trace`.

use std::io::{self, BufWriter};

use anyhow::{anyhow, bail};
use loyd::search::Status as Ended;
use loyd::{Problem, Solver};
use loyd_lab::trace::{TraceError, TraceOutput, trace};

use super::command_line;
use crate::args::TraceArgs;
use crate::failure::{Failure, Status, print_note};
use crate::input::Items;
use crate::interrupt;
use crate::progress::Watch;
use crate::units::with_commas;

/// Writes the events of a search, node by node.
pub fn run(args: &TraceArgs) -> Result<Status, Failure> {
    let config = args.config();
    if let Some(quality) = config.quality {
        return Err(anyhow!(
            "a trace shows a single search, and quality `{quality}` may run any: use --algorithm"
        )
        .into());
    }
    let watch = Watch::new(args.progress, config.limits.max_time);
    let solver = Solver::new(config)?;
    let problem = problem(args)?;
    let cancel = interrupt::token()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let output = TraceOutput {
        out: &mut out,
        format: args.output.into(),
        max_events: args.max_events.get(),
        command: &command_line(),
    };
    let traced = trace(&solver, &problem, (&cancel, watch.search().observer()), output);
    solver
        .take_warnings()
        .into_iter()
        .for_each(|warning| print_note(format_args!("warning: {warning}")));
    let traced = match traced {
        Err(TraceError::Write(error)) => return Err(error.into()),
        traced => traced?,
    };
    if traced.truncated {
        let events = with_commas(traced.events);
        print_note(format_args!(
            "the trace and its search end after {events} events: raise --max-events for more"
        ));
    }
    match traced.report.status {
        Ended::Stopped(_) if !traced.truncated => Ok(Status::No),
        _ => Ok(Status::Yes),
    }
}

/// Returns the single problem of the input.
fn problem(args: &TraceArgs) -> Result<Problem, Failure> {
    let items = Items::new(&args.board, args.file.as_deref(), &args.problem)?;
    let mut problems = items.map(|item| item?.problem);
    let first = problems.next();
    match (first, problems.next()) {
        (Some(problem), None) => problem,
        (None, _) => one_board("none is given").map_err(Failure::from),
        (Some(_), Some(_)) => one_board("several are given").map_err(Failure::from),
    }
}

/// Returns the error for an input that is not exactly one board.
fn one_board(instead: &str) -> anyhow::Result<Problem> {
    bail!("a trace needs exactly one board, but {instead}")
}
