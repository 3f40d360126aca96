//! `loyd dataset`.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::ControlFlow;

use anyhow::anyhow;
use loyd::goal::GOALS;
use loyd::moves::Metric;
use loyd::{Board, CancelToken, Size};
use loyd_lab::dataset::{
    Format, LabelOptions, LabelledBoards, Labeller, Part, WorkLayout, label_all,
};

use super::check_on;
use super::dataset_boards::{Feed, config, size_in_file};
use super::dataset_files::Folder;
#[cfg(feature = "queue")]
use super::dataset_files::options as folder_options;
use super::dataset_layout::seed_in;
#[cfg(feature = "queue")]
use super::dataset_remote::RemoteLabels;
use super::dataset_shards::OwnParts;
#[cfg(feature = "queue")]
use super::queue::{connect_on, run_name};
use crate::args::{DatasetArgs, Form};
use crate::failure::{Failure, Status, check_feature, print_note};
use crate::input::goal_board;
use crate::interrupt;
use crate::progress::{BatchProgress, Watch};
use crate::units::with_commas;

/// Writes labelled boards.
pub fn run(args: &DatasetArgs) -> Result<Status, Failure> {
    check_on(&args.on)?;
    check_options(args)?;
    let seed = seed(args)?;
    let cancel = interrupt::token()?;
    let goal = goal(args)?;
    let (size, most) = (goal.size(), Size::MAX_SEARCH_CELLS);
    if !size.is_searchable() {
        let cells = size.cells();
        return Err(anyhow!(
            "dataset takes boards of at most {most} cells, but a {size} board has {cells}"
        )
        .into());
    }
    let mut feed = Feed::open(args, seed, &goal)?;
    #[cfg(feature = "queue")]
    let queue = connect_on(&args.on)?;
    let mut out = match &args.save {
        None => Out::Text { format: args.output.into(), names: true },
        Some(path) => Out::Folder(Box::new(Folder::open(path, args, seed, &goal)?)),
    };
    let done = out.boards();
    feed.skip_to(done, &cancel)?;
    let (number, options) = (feed.number(), options(args));
    if let Out::Folder(folder) = &mut out {
        folder.set_empty_part(Part::new(goal.size(), &options));
    }
    #[cfg(feature = "queue")]
    let remote = queue.as_ref().map(|queue| {
        let config = config(args, goal.size(), number);
        let name = run_name(&folder_options(args, seed, &goal));
        RemoteLabels { queue, name, goal: &goal, options: &options, config, args }
    });
    let mut labels = None;
    #[cfg(feature = "queue")]
    let is_local = remote.is_none();
    #[cfg(not(feature = "queue"))]
    let is_local = true;
    if is_local {
        labels = Some(labeller(args, &goal, number, options.clone(), &cancel)?);
    }
    let progress = BatchProgress::new(args.progress.progress, done, number);
    let mut writing =
        Writing { out: &mut out, progress: &progress, own: OwnParts::new(args), row: done };
    let mut status = Status::Yes;
    let mut deliver = |labelled: LabelledBoards| {
        status = status.max(if labelled.skipped.is_empty() { Status::Yes } else { Status::No });
        writing.add(labelled)
    };
    #[cfg(feature = "queue")]
    if let Some(remote) = &remote {
        match remote.label(feed, &progress, &cancel, &mut deliver)? {
            Some(ended) => feed = ended,
            None => return Ok(interrupted(args, status)),
        }
    }
    if let Some(labels) = &labels {
        let (mut ended, shape) =
            (Ok(()), WorkLayout { threads: args.threads(), part_rows: args.part_rows });
        label_all(labels, feed.boards(&cancel), shape, &cancel, |labelled| {
            if cancel.is_cancelled() {
                return ControlFlow::Break(());
            }
            ended = deliver(labelled);
            if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        ended?;
    }
    drop(progress);
    if cancel.is_cancelled() {
        return Ok(interrupted(args, status));
    }
    status = status.max(feed.end()?);
    if let Out::Folder(folder) = &mut out {
        folder.finish(feed.given(), status)?;
        let (rows, path) = (with_commas(folder.rows()), folder.path().display());
        print_note(format_args!("{rows} rows written to {path}"));
    }
    // The status of the boards is that of `loyd merge`.
    Ok(if args.shard.is_some() { Status::Yes } else { status })
}

/// Prints that the command was interrupted. Returns the exit status.
fn interrupted(args: &DatasetArgs, status: Status) -> Status {
    print_note(if args.save.is_some() {
        "interrupted: run the same command with --resume to continue"
    } else {
        "interrupted"
    });
    Status::No.max(status)
}

/// Returns the given seed, that of the dataset to resume, or a random one, which is printed.
///
/// # Errors
/// Fails without a seed if shards would need the same one.
fn seed(args: &DatasetArgs) -> Result<u64, Failure> {
    let saved = args.save.as_deref().filter(|_| args.resume).and_then(seed_in);
    if let Some(seed) = args.seed.or(saved) {
        return Ok(seed);
    }
    let is_needed = args.file.is_none() || args.split.is_some();
    if is_needed && args.shard.is_some() {
        return Err(anyhow!("--shard needs a --seed, the same one for all shards").into());
    }
    let seed = RandomState::new().hash_one(0);
    if is_needed {
        print_note(format_args!("--seed {seed}"));
    }
    Ok(seed)
}

/// Refuses conflicting options.
fn check_options(args: &DatasetArgs) -> Result<(), Failure> {
    if args.output == Form::Parquet {
        check_feature("parquet")?;
    }
    if args.save.is_none() && matches!(args.output, Form::Parquet | Form::Npz) {
        return Err(anyhow!("this format requires files: name a folder with --save").into());
    }
    if args.length.is_some() && args.metric == Metric::MultiTile {
        return Err(anyhow!(
            "--length counts single-tile moves and cannot be used with --metric mtm"
        )
        .into());
    }
    Ok(())
}

/// Returns the goal of all boards; without `--size` and the board of a goal, the first board of the file gives the size.
fn goal(args: &DatasetArgs) -> Result<Board, Failure> {
    let is_named = |goal: &String| GOALS.iter().any(|row| row.name == goal);
    let size = match (&args.file, args.size) {
        (Some(path), None) if args.goal.as_ref().is_none_or(is_named) => size_in_file(path)?,
        _ => args.size,
    };
    goal_board(size, args.goal.as_deref())
}

/// Returns the labels to compute besides the distance.
fn options(args: &DatasetArgs) -> LabelOptions {
    let mut heuristics = args.heuristics.clone();
    heuristics.dedup();
    LabelOptions { first_moves: args.first_moves, solutions: args.solutions, heuristics }
}

fn labeller(
    args: &DatasetArgs,
    goal: &Board,
    number: Option<u64>,
    wanted: LabelOptions,
    cancel: &CancelToken,
) -> Result<Labeller, Failure> {
    let config = config(args, goal.size(), number);
    let watch = Watch::new(args.progress, config.limits.max_time);
    let mut progress = watch.search();
    Ok(Labeller::new(goal, wanted, config, cancel, progress.observer())?)
}

/// The destination of rows.
enum Out {
    /// Standard output; `names` is whether the header line is still to be written.
    Text {
        format: Format,
        names: bool,
    },
    Folder(Box<Folder>),
}

impl Out {
    /// Returns the number of boards that already have labels.
    fn boards(&self) -> u64 {
        match self {
            Self::Text { .. } => 0,
            Self::Folder(folder) => folder.boards(),
        }
    }
}

struct Writing<'a> {
    out: &'a mut Out,
    progress: &'a BatchProgress,
    own: OwnParts,
    /// The number of the next board, from 0, or of one before it that belongs to another shard.
    row: u64,
}

impl Writing<'_> {
    fn add(&mut self, labelled: LabelledBoards) -> Result<(), Failure> {
        self.row = self.own.next_board(self.row);
        for (number, why) in &labelled.skipped {
            let row = self.row + number + 1;
            self.progress
                .suspended(|| print_note(format_args!("board {row} has no labels: {why}")));
        }
        self.row += labelled.boards;
        let rows = labelled.part.len() as u64;
        match self.out {
            Out::Folder(folder) => folder.add(labelled)?,
            Out::Text { format, names } => {
                let names = std::mem::take(names) && *format == Format::Csv;
                let out = io::stdout().lock();
                self.progress.suspended(|| labelled.part.write_text(*format, names, out))?;
            }
        }
        self.progress.advance(rows, rows, self.row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use loyd::Config;
    use loyd::search::TableChoice;

    use super::*;
    use crate::args::{Cli, Command};

    fn config_of(arguments: &str) -> Config {
        let words = ["loyd", "dataset"].into_iter().chain(arguments.split(' '));
        let Command::Dataset(args) = Cli::parse_from(words).command else { unreachable!() };
        let goal = goal(&args).unwrap();
        let feed = Feed::open(&args, 1, &goal).unwrap();
        config(&args, goal.size(), feed.number())
    }

    /// The crate `loyd` has the threshold for the 7-8 tables, and tests it.
    #[test]
    fn number_of_rows_selects_tables_of_4x4_boards() {
        let chosen = |arguments| {
            let config = config_of(arguments);
            (config.tables, config.boards)
        };
        assert_eq!(chosen("-n 1000000"), (TableChoice::Auto, Some(1_000_000)));
        assert_eq!(chosen("-n 10 --threads 1"), (TableChoice::Auto, Some(10)));
        let given = TableChoice::Partition("5-5-5".to_owned());
        assert_eq!(chosen("-n 1000000 --tables 5-5-5"), (given, Some(1_000_000)));
        assert_eq!(chosen("-n 1000000 --metric mtm").0, TableChoice::Default);
        assert_eq!(chosen("-n 1000000 --size 3x5").0, TableChoice::Default);
    }
}
