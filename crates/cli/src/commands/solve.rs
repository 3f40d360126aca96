//! `loyd solve`: chooses how to solve the boards, and solves a single board whose search can be suspended or is divided
//! into shards. The modules below solve batches, format solutions, and save them.

mod answer;
mod batch;
mod batch_file;
mod kept_lines;
mod messages;
mod print;
#[cfg(feature = "queue")]
mod remote;
#[cfg(feature = "queue")]
mod remote_board;
mod save;
mod saved_answers;
mod shard;

use std::io;

use anyhow::anyhow;
use loyd::batch::Record;
use loyd::search::{Limits, Status as Ended, Stop, TableChoice};
use loyd::{Config, Problem, Report, Solver};

#[cfg(feature = "queue")]
use super::queue::connect_on;
use super::{certificate, check_on};
use crate::args::{SolveArgs, SolveOutput};
use crate::failure::{Failure, Status, print_note};
use crate::input::{self, Items};
use crate::interrupt;
use crate::memory;
use crate::progress::Watch;
pub use answer::{Answerer, Answers, exit_status};
use answer::{Found, with_option};
use batch::print_all_solutions;
use batch_file::{Input, settings};
pub use batch_file::{Notes, read_notes};
pub use messages::Counters;
use messages::stats;
use save::SavedBoard;
pub use saved_answers::check_answers;
pub use shard::{PER_SHARD, WorkIdentity, without_shard};
use shard::{expanded_below, mark_resumed, mark_shard, searched_below};

/// Solves boards and prints the solutions in the order of the input, each as soon as it and all before it are found.
pub fn run(args: &SolveArgs) -> Result<Status, Failure> {
    check_on(&args.on)?;
    if args.boards.is_empty() && args.file.is_none() {
        return Err(anyhow::anyhow!("no board is given: name one, or a file with -f").into());
    }
    let boards = input::expected_boards(&args.boards, args.file.as_deref());
    let solver = Solver::new(config(args, boards))?;
    if args.answers.all || args.answers.count {
        solver.check_shortest()?;
    }
    if let Some(message) = conflicting_options(args) {
        return Err(anyhow::anyhow!(message).into());
    }
    let items = Items::with_equal_tiles(&args.boards, args.file.as_deref(), &args.problem)?;
    let single_board = items.known_count() == Some(1);
    if let Some(export) = &args.export {
        print::check_export(export, args, single_board)?;
    }
    certificate::check_options(args, solver.config(), single_board)?;
    let (cancel, counters) = (interrupt::token()?, Counters::default());
    let identity = WorkIdentity::default();
    let repeats_cancelled = args.batch.save.is_some();
    let mut answerer =
        Answerer { args, solver, cancel, counters, identity, single_board, repeats_cancelled };
    if let (true, Some(file)) = (args.batch.shard.is_some() || args.on.on.is_some(), &args.file) {
        answerer.identity = WorkIdentity::new(settings(&answerer, &Input::Printed(file))?);
    }
    let suspendable = args.batch.save.is_some() || args.batch.shard.is_some();
    let suspendable = suspendable && args.file.is_none();
    if let Some(message) =
        conflicting_single_board_options(args, single_board).filter(|_| suspendable)
    {
        return Err(anyhow::anyhow!(message).into());
    }
    let status = if suspendable {
        solve_single_board(&mut answerer, items)
    } else if args.answers.all && args.output != SolveOutput::Json {
        print_all_solutions(&answerer, items)
    } else {
        batch::run(&answerer, items)
    };
    answerer.counters.print();
    for warning in answerer.solver.take_warnings() {
        print_note(format_args!("warning: {warning}"));
    }
    status
}

/// Returns the configuration for `boards` boards.
pub fn config(args: &SolveArgs, boards: u64) -> Config {
    let chooses_search = args.answers.all || args.answers.count || args.batch.direction.is_some();
    let threads = args.batch.threads().get();
    let mut config = Config {
        boards: Some(boards),
        threads,
        store: args.cache.store(),
        direction: args.batch.direction,
        ..args.search.config(&args.limits, chooses_search)
    };
    let max_bytes = &mut config.limits.max_bytes;
    *max_bytes = memory::shared(*max_bytes, boards.min(threads as u64));
    config
}

/// Returns an error message if options conflict.
fn conflicting_options(args: &SolveArgs) -> Option<&'static str> {
    let is_drawn = [SolveOutput::Steps, SolveOutput::Grid].contains(&args.output);
    if args.answers.count && is_drawn {
        return Some("--count prints a number: use --output moves or json");
    }
    if args.batch.direction.is_some() && (args.answers.all || args.answers.count) {
        return Some("--direction does not apply to --all and --count");
    }
    let is_length = args.output == SolveOutput::Length;
    if is_length && args.answers.all {
        return Some("all shortest solutions have the same length: leave out --all");
    }
    if args.style.chosen_style().is_some() && (is_drawn || is_length || args.answers.count) {
        return Some(
            "--notation and --runs apply to moves: use --output moves or json, without --count",
        );
    }
    if args.style.notation.is_some() && args.output == SolveOutput::Words {
        return Some("--output words is a notation: leave out --notation, or use --output moves");
    }
    if args.on.on.is_some() && args.batch.shard.is_some() {
        return Some("--on divides the work itself: leave out --shard");
    }
    if args.with_moves && args.output != SolveOutput::Steps {
        return Some("--with-moves requires --output steps");
    }
    let one_line_per_board = !is_drawn && (!args.answers.all || args.output == SolveOutput::Json);
    if args.batch.save.is_some() && !one_line_per_board {
        return Some("--save needs one line per solution: use --output json");
    }
    if args.batch.shard.is_some() && !one_line_per_board {
        return Some("--shard needs one line per solution: use --output json");
    }
    if args.batch.shard.is_some() && args.batch.save.is_none() && args.output != SolveOutput::Json {
        return Some(
            "--shard requires --output json or --save: `loyd merge` needs to know the shard of each file",
        );
    }
    None
}

/// Returns an error message if options conflict with --save or --shard for a single board given as argument.
fn conflicting_single_board_options(args: &SolveArgs, single_board: bool) -> Option<&'static str> {
    if !single_board {
        return Some("--save and --shard require a single board, or a file of boards (-f)");
    }
    if args.answers.all || args.answers.count {
        return Some(
            "searches with --all or --count can be neither suspended nor divided: specify a file of boards (-f), or \
             leave out --save and --shard",
        );
    }
    if args.on.on.is_some() && args.limits.max_expanded.is_some() {
        return Some(
            "--max-expanded does not apply to one board that workers search: use --max-time",
        );
    }
    if args.batch.shard.is_some() && args.output != SolveOutput::Json {
        return Some("--shard with one board requires --output json, which `loyd merge` reads");
    }
    None
}

/// Solves the board and prints or saves the solution.
fn solve_single_board(answerer: &mut Answerer<'_>, mut items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    let Some(item) = items.next() else { return Ok(Status::Yes) };
    let problem = item?.problem?;
    let to_failure = |error| with_option(error, args, None);
    if !answerer.solver.is_suspendable(&problem).map_err(to_failure)? {
        return Err(cannot_suspend(answerer, &problem).into());
    }
    answerer.identity = WorkIdentity::new(settings(answerer, &Input::Board(&problem))?);
    #[cfg(feature = "queue")]
    let queue = connect_on(&args.on)?;
    let save = args.batch.save.as_deref();
    let mut saved = save.map(|path| SavedBoard::open(answerer, path, &problem)).transpose()?;
    if saved.as_ref().is_some_and(|saved| saved.is_done) {
        if let Some(path) = &args.certificate {
            let path = path.display();
            print_note(format_args!("{path} is not written: the search has ended before"));
        }
        return Ok(Status::Yes);
    }
    let config = Config {
        checkpoint: saved.as_ref().map(|saved| saved.checkpoint.clone()),
        shard: args.batch.shard,
        ..answerer.solver.config().clone()
    };
    #[cfg(feature = "queue")]
    let found = match (&queue, &config.checkpoint) {
        (Some(queue), Some(checkpoint)) => {
            let local = &mut |answerer: &Answerer<'_>| {
                let found = search(answerer, &problem);
                found.map_err(|error| with_option(error, args, None))
            };
            remote_board::search(answerer, queue, checkpoint, &problem, local)?
        }
        _ => None,
    };
    #[cfg(not(feature = "queue"))]
    let found = None;
    let found = match found {
        Some(found) => found,
        None => {
            answerer.solver = answerer.solver.sharing(config)?;
            search(answerer, &problem).map_err(to_failure)?
        }
    };
    let (is_stopped, is_complete) = stop_state(answerer, &found.report);
    let resumed_from = saved.as_ref().and_then(|saved| saved.resumed_from.as_deref());
    let certificate = args.certificate.as_deref().map_or(Ok(()), |path| {
        certificate::write(path, answerer.solver.config(), &found.report, resumed_from)
    });
    let answers = single_board_answers(answerer, found, is_complete, resumed_from)?;
    match &mut saved {
        None => answers.write(&mut io::stdout())?,
        Some(saved) => {
            answers.remarks.iter().for_each(|(_, remark)| print_note(remark));
            if !is_stopped || is_complete {
                saved.write(&answers.text, !is_stopped)?;
            } else {
                print_note(saved.resume_hint());
            }
        }
    }
    // Reported last, so that the answer is not lost.
    certificate?;
    Ok(answers.status)
}

/// Explains why the search for `problem` can be neither suspended nor divided.
fn cannot_suspend(answerer: &Answerer<'_>, problem: &Problem) -> anyhow::Error {
    let option = if answerer.args.batch.save.is_some() { "--save" } else { "--shard" };
    let config = answerer.solver.config();
    let is_possible = |config: Config| {
        let solver = answerer.solver.sharing(config);
        solver.is_ok_and(|solver| solver.is_suspendable(problem) == Ok(true))
    };
    if is_possible(Config { tables: TableChoice::Default, ..config.clone() }) {
        return anyhow!(
            "{option} with one board supports tables of at most 8 GiB with at most eight tiles per pattern and eight \
             patterns per tile, including those for the transposed board; leave out --tables, or specify others"
        );
    }
    let limits = Limits { max_bytes: None, ..config.limits };
    if is_possible(Config { limits, ..config.clone() }) {
        return anyhow!(
            "--max-memory is too small for the pattern databases that {option} with one board needs; the default of 1 GB is enough"
        );
    }
    anyhow!(
        "{option} with one board requires IDA* with pattern databases: a board of 17 to 25 cells such as 5x5, a complete \
         goal and the single-tile metric; select it with `--quality optimal` or `--heuristic pdb`. Boards in a file (-f) \
         are not restricted"
    )
}

/// Searches with a progress display.
fn search(answerer: &Answerer<'_>, problem: &Problem) -> Result<Found, loyd::Error> {
    let max_time = answerer.solver.config().limits.max_time;
    let mut watch = Watch::new(answerer.args.progress, max_time).search();
    interrupt::while_searching(|| answerer.find(problem, watch.observer()))
}

/// Returns whether the search was stopped, and whether that is because a shard has searched everything up to
/// `--max-depth`.
fn stop_state(answerer: &Answerer<'_>, report: &Report) -> (bool, bool) {
    let is_shard = answerer.args.batch.shard.is_some();
    let is_complete = is_shard && report.status == Ended::Stopped(Stop::Depth);
    (matches!(report.status, Ended::Stopped(_)), is_complete)
}

/// Returns the output. A shard that has searched everything up to `--max-depth` is complete, so it is not reported as
/// unsolved.
fn single_board_answers(
    answerer: &Answerer<'_>,
    found: Found,
    is_complete: bool,
    resumed_from: Option<&str>,
) -> Result<Answers, Failure> {
    let (args, report) = (answerer.args, &found.report);
    let mut answers = Answers::default();
    if !is_complete {
        answers.judge(answerer, report, None, None);
    }
    let stats = args.stats.then(|| stats(report));
    let below = searched_below(report, args.search.max_depth);
    match args.output {
        SolveOutput::Json => {
            let expanded = expanded_below(report, below);
            let record = answerer.record(found);
            let shard = args.batch.shard;
            let expanded_complete = shard.map_or(record.expanded_complete, |_| expanded);
            Record { expanded_complete, ..record }.write_json_line(&mut answers.text);
            if let Some(sum) = resumed_from {
                mark_resumed(&mut answers.text, sum);
            }
            if let Some(shard) = shard {
                mark_shard(&mut answers.text, shard, &answerer.identity, Some(below));
            }
        }
        _ => answerer.print(report, &mut answers.text)?,
    }
    if let Some(sum) = resumed_from {
        answers.remark(format!("resumed from a checkpoint with SHA-256 {sum}, which is trusted"));
    }
    stats.into_iter().for_each(|stats| answers.remark(stats));
    Ok(answers)
}
