//! `loyd census`.

mod memory;
mod print;
mod save;

use std::time::Instant;

use anyhow::anyhow;
use loyd::CancelToken;
use loyd::search::{Limits, Meter, Stop};
use loyd_lab::census::{Question, Survey, all_goals};

use crate::Status;
use crate::args::CensusArgs;
use crate::failure::{Failure, tell};
use crate::input::{goal_board, partial_goal};
use crate::interrupt;
use crate::progress::CensusProgress;
use crate::units::{Limit, grouped, size};
use save::Saved;

/// Counts, and prints what was found.
pub fn run(args: &CensusArgs) -> Result<Status, Failure> {
    let mut survey = Survey::new(questions(args)?, args.farthest);
    check_memory(args, &survey)?;
    let saved = args.save.as_deref().map(|folder| Saved::open(folder, args, &survey));
    let saved = saved.transpose()?;
    let threads = args.threads.map_or(0, |threads| threads.get().min(MOST_THREADS));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let begun = Instant::now();
    if !count(args, &mut survey, saved)? {
        return Ok(Status::No);
    }
    print::print(args.output, &survey, begun.elapsed())?;
    Ok(Status::Yes)
}

/// More than any machine has use for.
pub const MOST_THREADS: usize = 256;

/// What is asked for.
pub fn questions(args: &CensusArgs) -> Result<Vec<Question>, Failure> {
    let (size, goal) = (args.size, args.goal.as_deref());
    if args.all_goals {
        return Ok(all_goals(size, args.metric)?);
    }
    let question = match partial_goal(Some(size), goal)? {
        Some(goal) => Question::new(goal, args.metric)?,
        None => Question::to_board(&goal_board(Some(size), goal)?, args.metric)?,
    };
    Ok(vec![question])
}

/// Says how much memory the census takes, and refuses it if that is more than allowed.
fn check_memory(args: &CensusArgs, survey: &Survey) -> Result<(), Failure> {
    let bytes = survey.bytes();
    let (states, searches) = (survey.questions()[0].states(), survey.searches());
    let each = if searches > 1 { format!("{searches} searches of ") } else { String::new() };
    tell(format_args!("{each}{} states, {} of memory", grouped(states), size(bytes)));
    refuse(args, bytes)
}

/// Refuses a census of so many bytes if that is more than allowed.
pub fn refuse(args: &CensusArgs, bytes: u64) -> Result<(), Failure> {
    let (allowed, what) = match args.max_memory {
        Some(Limit(limit)) => (limit, "allowed"),
        None => (Some(memory::free()), "free"),
    };
    match allowed {
        Some(allowed) if allowed < bytes => {
            let (bytes, allowed) = (size(bytes), size(allowed));
            Err(anyhow!("the census takes {bytes}, and {allowed} are {what} (--max-memory)").into())
        }
        _ => Ok(()),
    }
}

/// Counts all; returns whether it came to the end. It writes checkpoints if they are wanted, and is then interrupted
/// between levels only.
fn count(
    args: &CensusArgs,
    survey: &mut Survey,
    mut saved: Option<Saved>,
) -> Result<bool, Failure> {
    let cancel = interrupt::token()?;
    let ends_at_once = if saved.is_some() { CancelToken::new() } else { cancel.clone() };
    let mut progress =
        CensusProgress::new(args.progress.progress, survey.searches(), survey.bytes());
    let mut meter = Meter::new(Limits::default(), ends_at_once);
    if let Some(observer) = progress.observer() {
        meter = meter.observed_by(observer);
    }
    if let Some(saved) = &mut saved {
        saved.restore(survey, &mut meter)?;
    }
    let bytes = survey.bytes();
    let interrupted = |stop: Stop| match stop {
        Stop::Cancelled => anyhow::Error::new(stop).context("nothing is kept of the census"),
        Stop::Memory => anyhow!("the system does not give {} of memory", size(bytes)),
        stop => stop.into(),
    };
    while survey.advance(&mut meter).map_err(interrupted)? {
        let Some(saved) = &mut saved else { continue };
        if cancel.is_cancelled() {
            saved.write(survey)?;
            drop(meter);
            drop(progress);
            tell(format_args!(
                "interrupted: the census is kept in {}; the same command with --resume goes on",
                saved.folder().display()
            ));
            return Ok(false);
        }
        saved.write_if_due(survey)?;
    }
    saved.map_or(Ok(()), |mut saved| saved.write(survey))?;
    Ok(true)
}
