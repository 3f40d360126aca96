//! A census whose levels are in files.

use anyhow::anyhow;
use loyd::moves::Metric;
use loyd::search::{Limits, Meter, Stop};
use loyd_lab::census::{DiskPlan, DiskSurvey, ResumeError, Survey};

use super::folder::SavedFolder;
use crate::args::CensusArgs;
use crate::failure::{Failure, print_note};
use crate::interrupt;
use crate::memory;
use crate::progress::{CensusProgress, rough_duration};
use crate::units::{Limit, size, with_commas};

/// Prefix of the names of the files of blocks.
pub const BLOCKS: &str = "search-";

/// Number of states that a thread counts in a second, measured on 2x7, for the estimate.
const SPEED: f64 = 4e8;

/// Number of bytes that are written for each state, measured on 2x7.
const WRITTEN: f64 = 0.87;

/// Prints how the census is divided, its memory and its disk space, and refuses it if that is more than allowed. It has up to `threads`
/// threads; `anchors` is the number of anchors of a census that is resumed, and `room` the bytes that the disk has for the files, if known.
///
/// # Errors
/// Fails if memory or disk do not suffice, or if slides are to be counted.
pub fn plan(
    args: &CensusArgs,
    survey: &Survey,
    threads: usize,
    anchors: Option<u64>,
    room: Option<u64>,
) -> anyhow::Result<DiskPlan> {
    if args.metric == Metric::MultiTile {
        return Err(anyhow!("--on-disk counts single-tile moves (--metric stm) only"));
    }
    let (most_memory, what) = match args.max_memory {
        Some(given) => (memory::allowed(Some(given), None), "allowed"),
        None => (Some(memory::free()), "free"),
    };
    let anchors = anchors.map(|anchors| usize::try_from(anchors).unwrap_or(usize::MAX));
    let plan = DiskPlan::new(survey, anchors, threads, most_memory).map_err(|least| {
        let most = most_memory.map_or_else(String::new, size);
        let least = size(least);
        anyhow!("the census needs {least} of memory, but only {most} are {what} (--max-memory)")
    })?;
    let (states, searches) = (survey.specs()[0].state_count(), survey.searches());
    let each = if searches > 1 { format!("{searches} searches of ") } else { String::new() };
    let all_states = states as f64 * searches as f64;
    let seconds = all_states / SPEED / plan.threads as f64;
    print_note(format_args!(
        "{each}{} states in {} {} on {} {}: {} of memory, at most {} of disk, about {} plus the time to write {}",
        with_commas(states),
        plan.blocks,
        if plan.blocks == 1 { "block" } else { "blocks" },
        plan.threads,
        if plan.threads == 1 { "thread" } else { "threads" },
        size(plan.memory),
        size(plan.disk),
        rough_duration(seconds),
        size((all_states * WRITTEN) as u64),
    ));
    let (most_disk, what) = match args.max_disk {
        Some(Limit(limit)) => (limit, "allowed"),
        None => (room, "free"),
    };
    match most_disk.filter(|&most| most < plan.disk) {
        Some(most) => Err(anyhow!(
            "the files may take {}, but only {} are {what} (--max-disk)",
            size(plan.disk),
            size(most)
        )),
        None => Ok(plan),
    }
}

/// Counts the boards. Returns the survey if it is complete, or `None` if it was interrupted.
///
/// # Errors
/// Fails if a file cannot be read or written, or is damaged.
pub fn count(
    args: &CensusArgs,
    survey: Survey,
    plan: DiskPlan,
    mut saved: SavedFolder,
) -> Result<Option<Survey>, Failure> {
    let folder = saved.path().to_owned();
    let mut progress = CensusProgress::new(args.progress.progress, survey.searches(), plan.memory);
    let mut meter = Meter::new(Limits::default(), interrupt::token()?);
    if let Some(observer) = progress.observer() {
        meter = meter.with_observer(observer);
    }
    let mut survey = DiskSurvey::new(survey, plan, folder.clone());
    let counted = count_levels(&mut survey, &mut saved, plan, &mut meter);
    drop(meter);
    drop(progress);
    match counted {
        Ok(()) => Ok(Some(survey.into_survey())),
        Err(error) => match error.downcast_ref() {
            Some(ResumeError::Stop(Stop::Cancelled)) => {
                print_note(format_args!(
                    "interrupted: the census is saved in {}; run the same command with --resume to continue",
                    folder.display()
                ));
                Ok(None)
            }
            Some(ResumeError::Io(_)) => Err(error.into()),
            _ => Err(error.context(folder.display().to_string()).into()),
        },
    }
}

/// Counts the levels one after the other, and saves the counts of each.
fn count_levels(
    survey: &mut DiskSurvey,
    saved: &mut SavedFolder,
    plan: DiskPlan,
    meter: &mut Meter<'_>,
) -> anyhow::Result<()> {
    if let Some(checkpoint) = saved.take_checkpoint() {
        survey.resume(checkpoint, meter)?;
    }
    let mut is_incomplete = true;
    while is_incomplete {
        is_incomplete = survey.advance(meter)?;
        saved.write(plan.anchors as u64, survey.checkpoint())?;
        survey.remove_old_files()?;
    }
    Ok(())
}
