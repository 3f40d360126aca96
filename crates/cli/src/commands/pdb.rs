//! `loyd pdb`: the commands that build, verify and remove tables.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::anyhow;
use loyd::Config;
use loyd::search::{Limits, Meter, Stop};
use loyd::tables::{Build, Check, Compared, LoadedTable, Warning, WrongEntry};
use serde_json::{Value, json};

use super::pdb_describe::{info, list};
use super::pdb_tables::{contents_of, missing_file, path_in, table_record, with_fields, with_key};
use crate::args::pdb::{BuildArgs, CheckArgs, EffortArgs, PdbArgs, PdbCommand, RemoveArgs};
use crate::failure::{Failure, Status, print_note};
use crate::interrupt;
use crate::memory;
use crate::progress::Watch;
use crate::units::{duration, size, with_commas};

/// Runs the subcommand.
pub fn run(args: &PdbArgs) -> Result<Status, Failure> {
    match &args.command {
        PdbCommand::Build(args) => build(args),
        PdbCommand::List(args) => list(args),
        PdbCommand::Info(args) => info(args),
        PdbCommand::Verify(args) => verify(args),
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
                let advice = "`loyd pdb list` shows the existing files";
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
        print_note(format_args!("warning: {warning}"));
    }
    Ok(if warnings.is_empty() { Status::Yes } else { Status::No })
}

impl EffortArgs {
    fn limits(&self) -> Limits {
        let max_bytes = memory::allowed(self.max_memory, Some(Config::DEFAULT_MAX_BYTES));
        Limits { max_bytes, ..Limits::default() }
    }

    /// Builds the tables of `key` with `work`, with the requested threads and limits and a progress bar.
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
            meter = meter.with_observer(observer);
        }
        let result = work(&mut meter);
        drop(progress);
        result.map_err(|stop| match stop {
            Stop::Memory => {
                let bytes = key.build_bytes().map(|bytes| format!("{}, ", size(bytes)));
                let bytes = bytes.unwrap_or_default();
                let limit = self.limits().max_bytes.map(|limit| format!(" of {}", size(limit)));
                let limit = limit.unwrap_or_default();
                anyhow!(
                    "building these tables takes {bytes}more than the limit{limit} (--max-memory)"
                )
                .into()
            }
            Stop::Cancelled => {
                anyhow::Error::new(stop).context("no part of these tables was stored").into()
            }
            stop => stop.into(),
        })
    }
}

/// Builds tables, unless they exist already. The exit status is 1 if they could not be stored.
pub fn build(args: &BuildArgs) -> Result<Status, Failure> {
    with_key!(&args.tables.contents()?, key => build_key(args, key))
}

fn build_key<K: Build>(args: &BuildArgs, key: &K) -> Result<Status, Failure> {
    let contents = key.contents();
    let store = args.cache.store();
    let path = path_in(&store, &contents)?;
    let started = Instant::now();
    let loaded = args.effort.spend(key, |meter| store.get_or_build(key, meter, K::build))?;
    let elapsed = started.elapsed().as_nanos() as u64;
    let LoadedTable { table, built, warnings } = loaded;
    for warning in &warnings {
        print_note(format_args!("warning: {warning}"));
    }
    let kept = !warnings.iter().any(|warning| matches!(warning, Warning::NotSaved(_)));
    let states = K::state_count(&table);
    let text = || {
        let (states, bytes) = (with_commas(states), size(K::bytes(&table)));
        let what = match built {
            false => format!("{contents} exists already\n"),
            true => {
                format!("{contents}: {states} states in {bytes}, built in {}\n", duration(elapsed))
            }
        };
        if kept { format!("{what}stored in {}\n", path.display()) } else { what }
    };
    let outcome = json!({
        "file": kept.then(|| path.display().to_string()), "bytes": K::bytes(&table),
        "states": states, "built": built, "elapsed_ns": elapsed,
        "warnings": warnings.iter().map(Warning::to_string).collect::<Vec<_>>(),
    });
    args.output.print(text, || with_fields(table_record(&contents), outcome))?;
    Ok(if kept { Status::Yes } else { Status::No })
}

/// Rebuilds tables and compares them with the file.
pub fn verify(args: &CheckArgs) -> Result<Status, Failure> {
    with_key!(&args.tables.contents()?, key => verify_key(args, key))
}

fn verify_key<K: Build>(args: &CheckArgs, key: &K) -> Result<Status, Failure> {
    let contents = key.contents();
    let store = args.cache.store();
    let path = path_in(&store, &contents)?;
    let check = args.effort.spend(key, |meter| store.verify(key, meter))?;
    let (sound, text, outcome) = match check {
        Check::Missing => return Err(missing_file(&contents, &path)),
        Check::Refused(error) => {
            (false, format!("not sound: {error}"), json!({"fault": error.to_string()}))
        }
        Check::Compared(compared) => {
            (compared.is_sound(), verdict_text(&compared), comparison_record(&compared))
        }
    };
    let advice = match sound {
        true => "",
        false => "`loyd pdb remove` removes the file; it is rebuilt when needed\n",
    };
    let file = json!({"file": path.display().to_string(), "sound": sound});
    args.output.print(
        || format!("{contents}\n{}\n{text}\n{advice}", path.display()),
        || with_fields(with_fields(table_record(&contents), file), outcome),
    )?;
    Ok(if sound { Status::Yes } else { Status::No })
}

fn verdict_text(compared: &Compared) -> String {
    let entries = with_commas(compared.entries);
    let mut lines = match compared.wrong {
        0 if compared.is_sound() => return format!("sound: all {entries} entries are correct"),
        0 => vec![format!("not sound, though the {entries} entries that were read are correct")],
        wrong => vec![format!("not sound: {} of {entries} entries are wrong", with_commas(wrong))],
    };
    lines.extend(compared.first.as_ref().map(|first| format!("the first is {}", place(first))));
    if !compared.census_is_right {
        lines.push("the numbers of states at each distance are wrong".to_owned());
    }
    lines.extend(compared.fault.as_ref().map(|fault| format!("{fault}")));
    lines.join("\n")
}

fn place(wrong: &WrongEntry) -> String {
    let bit =
        format!("bit {}, which should be {}", with_commas(wrong.bit), u8::from(wrong.expected));
    let Some(place) = &wrong.place else { return bit };
    let pattern = cell_list(place.pattern.cells());
    let state = place.state.as_ref().map_or("none".to_owned(), |state| {
        format!("tiles on {}, the blank on {}", cell_list(&state.tiles), cell_list(&state.blank))
    });
    format!("{bit}: pattern {pattern}, state: {state}")
}

fn cell_list(cells: &[u8]) -> String {
    cells.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

fn comparison_record(compared: &Compared) -> Value {
    let first = compared.first.as_ref().map(|first| {
        let place = first.place.as_ref();
        let state = place.and_then(|place| place.state.as_ref());
        json!({
            "bit": first.bit, "expected": u8::from(first.expected),
            "pattern": place.map(|place| place.pattern.cells()), "tiles": state.map(|state| &state.tiles),
            "blank": state.map(|state| &state.blank),
        })
    });
    json!({
        "entries": compared.entries, "wrong": compared.wrong, "first": first,
        "census_is_right": compared.census_is_right,
        "fault": compared.fault.as_ref().map(ToString::to_string),
    })
}
