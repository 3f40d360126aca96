//! `loyd pdb build`.

use std::time::Instant;

use loyd::tables::{Build, LoadedTable, Warning};
use serde_json::json;

use super::{path_in, record, with};
use crate::Status;
use crate::args::pdb::BuildArgs;
use crate::failure::{Failure, tell};
use crate::units::{duration, grouped, size};

/// Builds tables, unless they are there already. The exit status is 1 if they could not be kept.
pub fn run(args: &BuildArgs) -> Result<Status, Failure> {
    with_key!(&args.tables.contents()?, key => build(args, key))
}

fn build<K: Build>(args: &BuildArgs, key: &K) -> Result<Status, Failure> {
    let contents = key.contents();
    let store = args.cache.store();
    let path = path_in(&store, &contents)?;
    let started = Instant::now();
    let loaded = args.effort.spend(key, |meter| store.get_or_build(key, meter, K::build))?;
    let elapsed = started.elapsed().as_nanos() as u64;
    let LoadedTable { table, built, warnings } = loaded;
    for warning in &warnings {
        tell(format_args!("warning: {warning}"));
    }
    let kept = !warnings.iter().any(|warning| matches!(warning, Warning::NotKept(_)));
    let states = K::states(&table);
    let text = || {
        let (states, bytes) = (grouped(states), size(K::bytes(&table)));
        let what = match built {
            false => format!("{contents} is there already\n"),
            true => {
                format!("{contents}: {states} states in {bytes}, built in {}\n", duration(elapsed))
            }
        };
        if kept { format!("{what}kept in {}\n", path.display()) } else { what }
    };
    let outcome = json!({
        "file": kept.then(|| path.display().to_string()), "bytes": K::bytes(&table),
        "states": states, "built": built, "elapsed_ns": elapsed,
        "warnings": warnings.iter().map(Warning::to_string).collect::<Vec<_>>(),
    });
    args.output.print(text, || with(record(&contents), outcome))?;
    Ok(if kept { Status::Yes } else { Status::No })
}
