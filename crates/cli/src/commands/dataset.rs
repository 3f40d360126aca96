//! `loyd dataset`.

mod feed;
mod folder;

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::ControlFlow;

use anyhow::anyhow;
use loyd::moves::Metric;
use loyd::search::{Limits, TableChoice};
use loyd::{Board, CancelToken, Config, Size};
use loyd_lab::dataset::{Format, Labelled, Labels, Shape, Wanted, label_all};

use crate::Status;
use crate::args::{DatasetArgs, Form};
use crate::failure::{Failure, tell};
use crate::features;
use crate::input::goal_board;
use crate::interrupt;
use crate::progress::{BatchProgress, Watch};
use crate::units::grouped;
use feed::Feed;
use folder::Folder;

/// Writes labelled boards.
pub fn run(args: &DatasetArgs) -> Result<Status, Failure> {
    check(args)?;
    let seed = seed(args);
    let cancel = interrupt::token()?;
    let goal = goal(args)?;
    let mut feed = Feed::open(args, seed, &goal)?;
    let mut out = match &args.out {
        None => Out::Text { format: args.format.into(), names: true },
        Some(path) => Out::Folder(Box::new(Folder::open(path, args, seed, &goal)?)),
    };
    let done = out.boards();
    feed.skip(done, &cancel)?;
    let labels = labels(args, &goal, feed.number(), &cancel)?;
    if let Out::Folder(folder) = &mut out {
        folder.begin(labels.part());
    }
    let progress = BatchProgress::new(args.progress.progress, done, feed.number());
    let mut writing = Writing { out: &mut out, progress: &progress, row: done };
    let (mut status, mut ended) = (Status::Yes, Ok(()));
    let shape = Shape { threads: args.threads(), part_rows: args.part_rows };
    label_all(&labels, feed.boards(&cancel), shape, &cancel, |labelled| {
        if cancel.is_cancelled() {
            return ControlFlow::Break(());
        }
        status = status.max(if labelled.left_out.is_empty() { Status::Yes } else { Status::No });
        ended = writing.add(labelled);
        if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    ended?;
    drop(progress);
    if cancel.is_cancelled() {
        tell(if args.out.is_some() { "interrupted: --resume continues" } else { "interrupted" });
        return Ok(Status::No.max(status));
    }
    status = status.max(feed.end()?);
    if let Out::Folder(folder) = &mut out {
        folder.finish()?;
        let (rows, path) = (grouped(folder.rows()), folder.path().display());
        tell(format_args!("{rows} rows written to {path}"));
    }
    Ok(status)
}

/// The seed that is given, that of the dataset to be continued, or any other, which is told.
fn seed(args: &DatasetArgs) -> u64 {
    let begun = args.out.as_deref().filter(|_| args.resume).and_then(folder::seed_in);
    args.seed.or(begun).unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(0);
        if args.file.is_none() || args.split.is_some() {
            tell(format_args!("--seed {seed}"));
        }
        seed
    })
}

/// Refuses what does not go together.
fn check(args: &DatasetArgs) -> Result<(), Failure> {
    if args.format == Form::Parquet {
        features::check("parquet")?;
    }
    if args.out.is_none() && matches!(args.format, Form::Parquet | Form::Npz) {
        return Err(anyhow!("this form is for files: name a folder with --out").into());
    }
    if args.lengths.is_some() && args.metric == Metric::MultiTile {
        return Err(anyhow!("--lengths are those of single tiles: leave --metric mtm out").into());
    }
    Ok(())
}

/// The goal of all boards; where no size is given, that of the first board in a file counts.
fn goal(args: &DatasetArgs) -> Result<Board, Failure> {
    let size = match (&args.file, args.size, &args.goal) {
        (Some(path), None, None) => feed::size_in_file(path)?,
        _ => args.size,
    };
    goal_board(size, args.goal.as_deref())
}

/// How boards are solved, if there are so many.
fn config(args: &DatasetArgs, size: Size, number: Option<u64>) -> Config {
    let is_fifteen = size == Size::FIFTEEN && args.metric == Metric::SingleTile;
    let tables = if is_fifteen { TableChoice::Auto } else { TableChoice::Default };
    Config {
        metric: args.metric,
        tables: args.tables.clone().unwrap_or(tables),
        store: args.cache.store(),
        // Threads have boards of their own.
        boards: Some(number.map_or(u64::MAX, |number| number.max(2))),
        threads: args.threads().get(),
        limits: Limits { max_depth: None, ..args.limits.limits(None) },
        ..Config::default()
    }
}

fn labels(
    args: &DatasetArgs,
    goal: &Board,
    number: Option<u64>,
    cancel: &CancelToken,
) -> Result<Labels, Failure> {
    let config = config(args, goal.size(), number);
    let mut heuristics = args.heuristics.clone();
    heuristics.dedup();
    let wanted = Wanted { first_moves: args.first_moves, solutions: args.solutions, heuristics };
    let watch = Watch::new(args.progress, config.limits.max_time);
    let mut progress = watch.search();
    Ok(Labels::new(goal, wanted, config, cancel, progress.observer())?)
}

/// Where rows go.
enum Out {
    /// Standard output; whether the line of names is still to be written.
    Text {
        format: Format,
        names: bool,
    },
    Folder(Box<Folder>),
}

impl Out {
    /// The boards that are done already.
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
    /// The number of the next board, from 0.
    row: u64,
}

impl Writing<'_> {
    fn add(&mut self, labelled: Labelled) -> Result<(), Failure> {
        for (number, why) in &labelled.left_out {
            let row = self.row + number + 1;
            self.progress.off_the_clock(|| tell(format_args!("board {row} has no labels: {why}")));
        }
        self.row += labelled.boards;
        let rows = labelled.part.len() as u64;
        match self.out {
            Out::Folder(folder) => folder.add(labelled)?,
            Out::Text { format, names } => {
                let names = std::mem::take(names) && *format == Format::Csv;
                let out = io::stdout().lock();
                self.progress.off_the_clock(|| labelled.part.write_text(*format, names, out))?;
            }
        }
        self.progress.advance(rows, rows, self.row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    fn config_of(arguments: &str) -> Config {
        let words = ["loyd", "dataset"].into_iter().chain(arguments.split(' '));
        let Command::Dataset(args) = Cli::parse_from(words).command else { unreachable!() };
        let goal = goal(&args).unwrap();
        let feed = Feed::open(&args, 1, &goal).unwrap();
        config(&args, goal.size(), feed.number())
    }

    /// `loyd` has the number of boards from which on such tables are 7-8, and its tests.
    #[test]
    fn tables_of_4x4_boards_follow_from_the_number_of_rows() {
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
