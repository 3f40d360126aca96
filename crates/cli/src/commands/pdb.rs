//! `loyd pdb`.

mod build;
mod check;
mod describe;

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use loyd::pdb::{Database, Frame, MAX_CELLS, Partition};
use loyd::{CancelToken, Config, Limits, Meter, Relabelling, Size, Stop, Store};
use serde_json::{Value, json};

use crate::Status;
use crate::args::pdb::{EffortArgs, PdbArgs, PdbCommand, RemoveArgs, TablesArgs};
use crate::failure::Failure;
use crate::input::goal_board;
use crate::progress::Progress;
use crate::units::{Limit, size};

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
    let removed = match &args.partition {
        None => store.remove_all()?,
        Some(partition) => {
            let partition = partition_of(partition, args.size, args.goal.as_deref())?;
            let path = path_in(&store, &partition)?;
            if !store.remove(&partition)? {
                let advice = "`loyd pdb list` shows the files that there are";
                return Err(anyhow!("there is no {}; {advice}", path.display()).into());
            }
            vec![path]
        }
    };
    let mut out = io::stdout().lock();
    for path in removed {
        writeln!(out, "removed {}", path.display())?;
    }
    Ok(Status::Yes)
}

impl TablesArgs {
    /// The partition that is meant.
    fn partition(&self) -> Result<Partition, Failure> {
        partition_of(&self.partition, self.size, self.goal.as_deref())
    }
}

fn partition_of(text: &str, size: Option<Size>, goal: Option<&str>) -> Result<Partition, Failure> {
    let goal = goal_board(size, goal)?;
    let frame = Frame::new(&Relabelling::new(&goal)).ok_or_else(|| {
        let cells = goal.size().cells();
        anyhow!(
            "a {} board has {cells} cells; pattern databases are for boards of at most {MAX_CELLS}",
            goal.size()
        )
    })?;
    Ok(Partition::parse(text, frame.size(), frame.blank())?)
}

/// The file of `partition`.
fn path_in(store: &Store, partition: &Partition) -> Result<PathBuf, Failure> {
    let path = store.path(partition);
    Ok(path.context("there is no folder for tables: name one with --cache or LOYD_CACHE")?)
}

/// `7-7-1 of 4x4 boards with goal cell 0 of the blank`.
fn title(partition: &Partition) -> String {
    format!(
        "{} of {} boards with goal cell {} of the blank",
        partition.name(),
        partition.size(),
        partition.blank()
    )
}

/// What a partition is called, for machines.
fn record(partition: &Partition) -> Value {
    json!({
        "name": partition.name(), "partition": partition.to_string(),
        "size": partition.size().to_string(), "blank": partition.blank(),
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

    /// Does `work`, which is to build `partition`, on as many threads and within the limits that were
    /// asked for, with a progress bar.
    fn spend<T>(
        &self,
        partition: &Partition,
        work: impl FnOnce(&mut Meter<'_>) -> Result<T, Stop>,
    ) -> Result<T, Failure> {
        let threads = self.threads.unwrap_or(0).into();
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        let mut progress = Progress::new(None);
        let mut meter = Meter::new(self.limits(), CancelToken::new()).observed_by(&mut progress);
        let result = work(&mut meter);
        drop(progress);
        result.map_err(|stop| match stop {
            Stop::Memory => {
                let bytes = size(Database::build_bytes(partition));
                anyhow!("building these tables takes {bytes}, more than is allowed (--max-memory)")
                    .into()
            }
            stop => stop.into(),
        })
    }
}
