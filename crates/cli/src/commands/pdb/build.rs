//! `loyd pdb build`.

use std::io::{self, Write};
use std::time::Instant;

use loyd::{Obtained, Warning, build_tables};
use serde_json::json;

use super::{path_in, record, title, with};
use crate::Status;
use crate::args::Output;
use crate::args::pdb::BuildArgs;
use crate::failure::{Failure, tell};
use crate::units::{duration, grouped, size};

/// Builds tables, unless they are there already. The exit status is 1 if they could not be kept.
pub fn run(args: &BuildArgs) -> Result<Status, Failure> {
    let partition = args.tables.partition()?;
    let store = args.cache.store();
    let path = path_in(&store, &partition)?;
    let started = Instant::now();
    let obtained = args
        .effort
        .spend(&partition, |meter| store.get_or_build(&partition, meter, build_tables))?;
    let elapsed = started.elapsed().as_nanos() as u64;
    let Obtained { database, built, warnings } = obtained;
    for warning in &warnings {
        tell(format_args!("warning: {warning}"));
    }
    let kept = !warnings.iter().any(|warning| matches!(warning, Warning::NotKept(_)));
    let mut out = io::stdout().lock();
    match args.output {
        Output::Json => {
            let warnings: Vec<String> = warnings.iter().map(Warning::to_string).collect();
            let outcome = json!({
                "file": kept.then(|| path.display().to_string()), "bytes": database.bytes(),
                "states": database.states(), "built": built, "elapsed_ns": elapsed,
                "warnings": warnings,
            });
            writeln!(out, "{}", with(record(&partition), outcome))?;
        }
        Output::Text => {
            let title = title(&partition);
            let what = match built {
                false => format!("{title} is there already"),
                true => format!(
                    "{title}: {} states in {}, built in {}",
                    grouped(database.states()),
                    size(database.bytes()),
                    duration(elapsed)
                ),
            };
            writeln!(out, "{what}")?;
            if kept {
                writeln!(out, "kept in {}", path.display())?;
            }
        }
    }
    Ok(if kept { Status::Yes } else { Status::No })
}
