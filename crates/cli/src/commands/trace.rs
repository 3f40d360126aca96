//! `loyd trace`.

use std::io::{self, BufWriter};

use anyhow::{anyhow, bail};
use loyd::notation::Format;
use loyd::search::Status as Ended;
use loyd::{Problem, Solver};
use loyd_lab::trace::{TraceError, TraceOutput, trace};

use super::command_line;
use crate::Status;
use crate::args::TraceArgs;
use crate::failure::{Failure, tell};
use crate::input::Items;
use crate::interrupt;
use crate::progress::Watch;
use crate::units::grouped;

/// Writes what happens to each node of a search.
pub fn run(args: &TraceArgs) -> Result<Status, Failure> {
    let config = args.config();
    if let Some(quality) = config.quality {
        return Err(anyhow!(
            "a trace shows one search, and the quality `{quality}` leaves open which: use --algorithm"
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
        format: args.format.into(),
        max_events: args.max_events.get(),
        command: &command_line(),
    };
    let traced = trace(&solver, &problem, (&cancel, watch.search().observer()), output);
    solver.take_warnings().into_iter().for_each(|warning| tell(format_args!("warning: {warning}")));
    let traced = match traced {
        Err(TraceError::Write(error)) => return Err(error.into()),
        traced => traced?,
    };
    if traced.cut {
        let events = grouped(traced.events);
        tell(format_args!(
            "the trace ends after {events} events, and the search with it: --max-events allows more"
        ));
    }
    match traced.report.status {
        Ended::Stopped(_) if !traced.cut => Ok(Status::No),
        _ => Ok(Status::Yes),
    }
}

/// The one problem that is given.
fn problem(args: &TraceArgs) -> Result<Problem, Failure> {
    let items = Items::new(&args.board, args.file.as_deref(), Format::Auto, &args.problem)?;
    let mut problems = items.map(|item| item?.problem);
    let first = problems.next();
    match (first, problems.next()) {
        (Some(problem), None) => problem,
        (None, _) => one_board("there is none").map_err(Failure::from),
        (Some(_), Some(_)) => one_board("there are several").map_err(Failure::from),
    }
}

fn one_board(instead: &str) -> anyhow::Result<Problem> {
    bail!("a trace is of one board, and {instead}")
}
