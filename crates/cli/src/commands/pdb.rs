//! `loyd pdb`.

/// Does the same with whatever kind of key.
macro_rules! with_key {
    ($contents:expr, $key:ident => $work:expr) => {
        match $contents {
            loyd::tables::file::Contents::Patterns($key) => $work,
            loyd::tables::file::Contents::TileClasses($key) => $work,
            loyd::tables::file::Contents::Automaton($key) => $work,
        }
    };
}

mod build;
mod check;
mod describe;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use loyd::engine::Relabelling;
use loyd::moves::Metric;
use loyd::search::{Limits, Meter, Prune, Stop};
use loyd::tables::file::{Contents, TableKey};
use loyd::tables::pdb::{DENSE_CELLS, MAX_CELLS, Orientation, Partition};
use loyd::tables::{AutomatonKey, Build, Store, default_tables};
use loyd::{Config, Size};
use serde_json::{Value, json};

use crate::Status;
use crate::args::pdb::{BoardsArgs, EffortArgs, PdbArgs, PdbCommand, RemoveArgs, TablesArgs};
use crate::failure::{Failure, tell};
use crate::input::goal_board;
use crate::interrupt;
use crate::progress::Watch;
use crate::units::{Limit, counted, size};

/// Does what is asked for.
pub fn run(args: &PdbArgs) -> Result<Status, Failure> {
    match &args.command {
        PdbCommand::Build(args) => build::run(args),
        PdbCommand::List(args) => describe::list(args),
        PdbCommand::Info(args) => describe::info(args),
        PdbCommand::Verify(args) => check::run(args),
        PdbCommand::Remove(args) => remove(args),
    }
}

fn remove(args: &RemoveArgs) -> Result<Status, Failure> {
    let store = args.cache.store();
    let (removed, warnings) = match &args.partition {
        None => store.remove_all()?,
        Some(partition) => {
            let contents = contents_of(partition, &args.boards)?;
            let path = path_in(&store, &contents)?;
            if !with_key!(&contents, key => store.remove(key))? {
                let advice = "`loyd pdb list` shows the files that there are";
                return Err(anyhow!("there is no {}; {advice}", path.display()).into());
            }
            (vec![path], Vec::new())
        }
    };
    let mut out = io::stdout().lock();
    for path in removed {
        writeln!(out, "removed {}", path.display())?;
    }
    for warning in &warnings {
        tell(format_args!("warning: {warning}"));
    }
    Ok(if warnings.is_empty() { Status::Yes } else { Status::No })
}

impl TablesArgs {
    /// The tables that are meant.
    fn contents(&self) -> Result<Contents, Failure> {
        contents_of(&self.partition, &self.boards)
    }
}

fn contents_of(partition: &str, boards: &BoardsArgs) -> Result<Contents, Failure> {
    let goal = goal_board(boards.size, boards.goal.as_deref())?;
    if partition.starts_with("automaton") {
        return Ok(Contents::Automaton(automaton(partition.parse()?, goal.size(), boards.metric)?));
    }
    let orientation = Orientation::new(&Relabelling::new(&goal));
    if let Some(orientation) = orientation.filter(|_| boards.metric == Metric::SingleTile) {
        let partition = Partition::parse(partition, orientation.size(), orientation.blank())?;
        return Ok(Contents::Patterns(partition));
    }
    let (size, cells) = (goal.size(), goal.size().cells());
    if partition != "default" {
        return Err(anyhow!(
            "`{partition}` names pattern databases, which are for single tiles on boards of at most {MAX_CELLS} cells; other tables have no names"
        )
        .into());
    }
    let most = match boards.metric {
        Metric::SingleTile => {
            format!("pattern databases are for boards of at most {MAX_CELLS}")
        }
        Metric::MultiTile => {
            "tables of tile classes are for boards of 10 to 16 in more than one line".to_owned()
        }
    };
    let contents = default_tables(&goal, boards.metric);
    Ok(contents.ok_or_else(|| anyhow!("a {size} board has {cells} cells; {most}"))?)
}

/// The automaton that prunes so.
fn automaton(prune: Prune, size: Size, metric: Metric) -> Result<AutomatonKey, Failure> {
    let default = Prune::default_words(size, metric);
    let words = match prune {
        Prune::Automaton { words: Some(words) } => words,
        _ => default,
    };
    let most = AutomatonKey::longest_words(size, metric);
    let key = AutomatonKey::new(size, metric, words).ok_or_else(|| {
        anyhow!(
            "an automaton for a {size} board knows words of up to {}",
            counted(metric, most as usize)
        )
    })?;
    if !key.is_filed() {
        return Err(anyhow!(
            "an automaton of words of {words} moves is made anew each time; for {size} boards those of {default} and more are kept"
        )
        .into());
    }
    Ok(key)
}

/// The file of these tables.
fn path_in(store: &Store, contents: &Contents) -> Result<PathBuf, Failure> {
    let path = with_key!(contents, key => store.path(key));
    Ok(path.context("there is no folder for tables: name one with --cache or LOYD_CACHE")?)
}

/// The failure to find the file of these tables.
fn missing(contents: &Contents, path: &Path) -> Failure {
    let (path, command) = (path.display(), command(contents));
    anyhow!("there is no {path}; `{command}` with the same options makes it").into()
}

/// What makes these tables, with the same options.
fn command(contents: &Contents) -> String {
    match contents {
        Contents::Patterns(partition) if !is_unnamed_default(partition) => {
            format!("loyd pdb build {}", partition.name())
        }
        Contents::Automaton(_) => format!("loyd pdb build {}", contents.name()),
        _ => "loyd pdb build".to_owned(),
    }
}

/// Whether a large board has this partition by default, and no name for it.
fn is_unnamed_default(partition: &Partition) -> bool {
    let (size, blank) = (partition.size(), partition.blank());
    size.cells() > DENSE_CELLS
        && *partition == Partition::default_for(size, blank)
        && partition.name() == partition.to_string()
}

/// What tables are called, for machines.
fn record(contents: &Contents) -> Value {
    json!({
        "kind": contents.kind(), "name": contents.name(), "partition": contents.groups_text(),
        "size": contents.size().to_string(), "blank": contents.blank(),
    })
}

/// `record` with the fields of `more`.
fn with(record: Value, more: Value) -> Value {
    match (record, more) {
        (Value::Object(mut record), Value::Object(more)) => {
            record.extend(more);
            Value::Object(record)
        }
        (record, _) => record,
    }
}

impl EffortArgs {
    fn limits(&self) -> Limits {
        let default = Limit(Some(Config::DEFAULT_MAX_BYTES));
        Limits { max_bytes: self.max_memory.unwrap_or(default).0, ..Limits::default() }
    }

    /// Does `work`, which is to build the tables of `key`, on as many threads and within the limits that were
    /// asked for, with a progress bar.
    fn spend<T>(
        &self,
        key: &impl Build,
        work: impl FnOnce(&mut Meter<'_>) -> Result<T, Stop>,
    ) -> Result<T, Failure> {
        let threads = self.threads.unwrap_or(0).into();
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        let mut progress = Watch::new(self.progress, None).search();
        let mut meter = Meter::new(self.limits(), interrupt::token()?);
        if let Some(observer) = progress.observer() {
            meter = meter.observed_by(observer);
        }
        let result = work(&mut meter);
        drop(progress);
        result.map_err(|stop| match stop {
            Stop::Memory => {
                let bytes = key.build_bytes().map(|bytes| format!("{}, ", size(bytes)));
                let bytes = bytes.unwrap_or_default();
                let most = self
                    .limits()
                    .max_bytes
                    .map_or("what".to_owned(), |most| format!("the {} that", size(most)));
                anyhow!(
                    "building these tables takes {bytes}more than {most} is allowed (--max-memory)"
                )
                .into()
            }
            Stop::Cancelled => {
                anyhow::Error::new(stop).context("nothing is kept of these tables").into()
            }
            stop => stop.into(),
        })
    }
}
