//! One board whose search can be put aside, or is divided into shards.

use std::io;

use anyhow::anyhow;
use loyd::batch::Record;
use loyd::search::{Limits, Status as Ended, Stop, TableChoice};
use loyd::{Config, Problem, Report};

use super::answer::{Answerer, Answers, Found, with_option};
use super::save::SavedOne;
use super::stats::stats;
use super::{batch, share};
use crate::Status;
use crate::args::SolveOutput;
use crate::failure::{Failure, tell};
use crate::input::Items;
use crate::interrupt;
use crate::progress::Watch;

/// Solves the board and prints or saves the solution.
pub fn run(answerer: &mut Answerer<'_>, mut items: Items) -> Result<Status, Failure> {
    let args = answerer.args;
    let Some(item) = items.next() else { return Ok(Status::Yes) };
    let problem = item?.problem?;
    let refused = |error| with_option(error, args, None);
    if !answerer.solver.can_be_put_aside(&problem).map_err(refused)? {
        return Err(not_put_aside(answerer, &problem).into());
    }
    let save = args.batch.save.as_deref();
    let mut saved = save.map(|path| SavedOne::open(answerer, path, &problem)).transpose()?;
    if saved.as_ref().is_some_and(|saved| saved.is_done) {
        return Ok(Status::Yes);
    }
    let config = Config {
        checkpoint: saved.as_ref().map(|saved| saved.checkpoint.clone()),
        shard: args.batch.shard,
        ..answerer.solver.config().clone()
    };
    answerer.solver = answerer.solver.sharing(config)?;
    let found = search(answerer, &problem).map_err(refused)?;
    let (is_stopped, is_deep) = ends(answerer, &found.report);
    let answers = answers(answerer, found, is_deep)?;
    match &mut saved {
        None => batch::write(&answers, &mut io::stdout())?,
        Some(saved) => {
            answers.remarks.iter().for_each(|(_, remark)| tell(remark));
            if !is_stopped || is_deep {
                saved.write(&answers.text, !is_stopped)?;
            } else {
                tell(saved.how_to_continue());
            }
        }
    }
    Ok(answers.status)
}

fn not_put_aside(answerer: &Answerer<'_>, problem: &Problem) -> anyhow::Error {
    let option = if answerer.args.batch.save.is_some() { "--save" } else { "--shard" };
    let config = answerer.solver.config();
    let could_be = |config: Config| {
        let solver = answerer.solver.sharing(config);
        solver.is_ok_and(|solver| solver.can_be_put_aside(problem) == Ok(true))
    };
    if could_be(Config { tables: TableChoice::Default, ..config.clone() }) {
        return anyhow!(
            "{option} with one board is for tables of at most 8 GiB, with at most eight tiles in a pattern and eight \
             patterns for a tile, those for the transposed board included; leave out --tables, or ask for others"
        );
    }
    let limits = Limits { max_bytes: None, ..config.limits };
    if could_be(Config { limits, ..config.clone() }) {
        return anyhow!(
            "--max-memory has no room for the pattern databases that {option} with one board needs; the default of 1 GB has"
        );
    }
    anyhow!(
        "{option} with one board is for IDA* with pattern databases: for boards of 17 to 25 cells, as 5x5 ones, whose goal \
         is whole, in single tiles; ask for it with `--quality optimal` or `--heuristic pdb`. Boards of a file (-f) may be \
         any"
    )
}

fn search(answerer: &Answerer<'_>, problem: &Problem) -> Result<Found, loyd::Error> {
    let max_time = answerer.solver.config().limits.max_time;
    let mut watch = Watch::new(answerer.args.progress, max_time).search();
    interrupt::while_searching(|| answerer.find(problem, watch.observer()))
}

/// Whether the search was stopped, and whether that is because a shard has searched everything up to `--max-depth`.
fn ends(answerer: &Answerer<'_>, report: &Report) -> (bool, bool) {
    let is_shard = answerer.args.batch.shard.is_some();
    let is_deep = is_shard && report.status == Ended::Stopped(Stop::Depth);
    (matches!(report.status, Ended::Stopped(_)), is_deep)
}

/// What is printed of it. A shard that has nothing more to do up to `--max-depth` has done what it was asked for.
fn answers(answerer: &Answerer<'_>, found: Found, is_deep: bool) -> Result<Answers, Failure> {
    let (args, report) = (answerer.args, &found.report);
    let mut answers = Answers::default();
    if !is_deep {
        answers.judge(answerer, report, None, None);
    }
    let stats = args.stats.then(|| stats(report));
    let below = share::searched_below(report, args.search.max_depth);
    match args.output {
        SolveOutput::Json => {
            let complete = share::complete(report, below);
            let record = answerer.record(found);
            let shard = args.batch.shard;
            let expanded_complete = shard.map_or(record.expanded_complete, |_| complete);
            Record { expanded_complete, ..record }.write_json_line(&mut answers.text);
            if let Some(shard) = shard {
                share::mark(&mut answers.text, shard, Some(below));
            }
        }
        _ => answerer.print(report, &mut answers.text)?,
    }
    stats.into_iter().for_each(|stats| answers.remark(stats));
    Ok(answers)
}
