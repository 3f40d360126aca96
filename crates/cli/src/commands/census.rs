//! `loyd census`.

mod disk;
mod folder;
mod print;
mod save;

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::anyhow;
use loyd::CancelToken;
use loyd::search::{Limits, Meter, Stop};
use loyd_lab::census::{CensusSpec, Survey, all_goals};

use crate::args::CensusArgs;
use crate::failure::{Failure, Status, print_note};
use crate::input::{goal_board, partial_goal};
use crate::interrupt;
use crate::memory;
use crate::progress::CensusProgress;
use crate::units::{size, with_commas};
use folder::SavedFolder;
use save::Checkpoints;

/// Runs the census and prints its results.
pub fn run(args: &CensusArgs) -> Result<Status, Failure> {
    let mut survey = Survey::new(questions(args)?, args.farthest);
    let threads = args.threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get).min(MAX_THREADS);
    let planned = match &args.save {
        // A folder that is not there yet is only created for a census that is not refused.
        Some(folder) if args.on_disk && !folder.exists() => {
            let room = folder_of(folder).map_or(Ok(None), memory::free_disk)?;
            Some(disk::plan(args, &survey, threads, None, room)?)
        }
        _ => None,
    };
    if !args.on_disk {
        check_memory(args, &survey)?;
    }
    let saved = args.save.as_deref().map(|folder| SavedFolder::open(folder, args, &survey));
    let saved = saved.transpose()?;
    let resumed_from = saved.as_ref().and_then(|saved| saved.resumed_from.clone());
    let start = Instant::now();
    let bytes = match saved {
        Some(saved) if args.on_disk => {
            let plan = match planned {
                Some(plan) => plan,
                None => {
                    disk::plan(args, &survey, threads, saved.number(), saved.room(disk::BLOCKS)?)?
                }
            };
            let Some(counted) = disk::count(args, survey, plan, saved)? else {
                return Ok(Status::No);
            };
            survey = counted;
            plan.memory
        }
        saved => {
            let saved = saved.map(|saved| Checkpoints::new(saved, args.every, &survey));
            let saved = saved.transpose()?;
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
            if !count(args, &mut survey, saved)? {
                return Ok(Status::No);
            }
            survey.bytes()
        }
    };
    let resources = print::Resources { elapsed: start.elapsed(), bytes };
    print::print(args.output, &survey, &resources, resumed_from.as_deref())?;
    if let Some(sum) = resumed_from {
        print_note(format_args!("resumed from a census.json with SHA-256 {sum}, which is trusted"));
    }
    Ok(Status::Yes)
}

/// Returns the existing folder in which `folder` will be created.
fn folder_of(folder: &Path) -> Option<&Path> {
    let existing = folder.ancestors().find(|path| path.exists() || path.as_os_str().is_empty());
    existing.map(|path| if path.as_os_str().is_empty() { Path::new(".") } else { path })
}

/// Maximum number of threads of a census.
pub const MAX_THREADS: usize = 256;

/// Returns the goals to count from.
pub fn questions(args: &CensusArgs) -> Result<Vec<CensusSpec>, Failure> {
    let (size, goal) = (args.size, args.goal.as_deref());
    if args.all_goals {
        return Ok(all_goals(size, args.metric)?);
    }
    let question = match partial_goal(Some(size), goal)? {
        Some(goal) => CensusSpec::new(goal, args.metric)?,
        None => CensusSpec::to_board(&goal_board(Some(size), goal)?, args.metric)?,
    };
    Ok(vec![question])
}

/// Reports the memory that the census needs, and refuses the census if that is more than allowed.
fn check_memory(args: &CensusArgs, survey: &Survey) -> Result<(), Failure> {
    let bytes = survey.bytes();
    let (states, searches) = (survey.specs()[0].state_count(), survey.searches());
    let each = if searches > 1 { format!("{searches} searches of ") } else { String::new() };
    print_note(format_args!("{each}{} states, {} of memory", with_commas(states), size(bytes)));
    refuse(args, bytes)
}

/// Refuses a census that needs `bytes` of memory if that is more than allowed.
pub fn refuse(args: &CensusArgs, bytes: u64) -> Result<(), Failure> {
    let (allowed, what) = match args.max_memory {
        Some(given) => (memory::allowed(Some(given), None), "allowed"),
        None => (Some(memory::free()), "free"),
    };
    match allowed {
        Some(allowed) if allowed < bytes => {
            let (bytes, allowed) = (size(bytes), size(allowed));
            Err(anyhow!("the census needs {bytes}, but only {allowed} are {what} (--max-memory)")
                .into())
        }
        _ => Ok(()),
    }
}

/// Counts the boards, and returns whether the census is complete.
///
/// With `saved`, it writes checkpoints, and an interruption takes effect between levels only.
fn count(
    args: &CensusArgs,
    survey: &mut Survey,
    mut saved: Option<Checkpoints>,
) -> Result<bool, Failure> {
    let cancel = interrupt::token()?;
    let immediate_cancel = if saved.is_some() { CancelToken::new() } else { cancel.clone() };
    let mut progress =
        CensusProgress::new(args.progress.progress, survey.searches(), survey.bytes());
    let mut meter = Meter::new(Limits::default(), immediate_cancel);
    if let Some(observer) = progress.observer() {
        meter = meter.with_observer(observer);
    }
    if let Some(saved) = &mut saved {
        saved.restore(survey, &mut meter)?;
    }
    let bytes = survey.bytes();
    let interrupted = |stop: Stop| match stop {
        Stop::Cancelled => anyhow::Error::new(stop).context("the census was not saved"),
        Stop::Memory => anyhow!("the system cannot allocate {} of memory", size(bytes)),
        stop => stop.into(),
    };
    while survey.advance(&mut meter).map_err(interrupted)? {
        let Some(saved) = &mut saved else { continue };
        if cancel.is_cancelled() {
            saved.write(survey)?;
            drop(meter);
            drop(progress);
            print_note(format_args!(
                "interrupted: the census is saved in {}; run the same command with --resume to continue",
                saved.folder().path().display()
            ));
            return Ok(false);
        }
        saved.write_if_due(survey)?;
    }
    saved.map_or(Ok(()), |mut saved| saved.write(survey))?;
    Ok(true)
}
