//! Merges the shards of a comparison.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use loyd::search::Shard;
use loyd_lab::compare::{Header, Record};
use serde_json::Value;

use super::source::in_order;
use crate::args::Output;
use crate::commands::compare::{print_records, print_refusals, print_summary, status};
use crate::commands::plot;
use crate::failure::{Failure, Status, print_note};

/// Maximum length of the first line of a comparison in bytes.
const MAX_HEADER: u64 = 64 << 20;

/// Results of a shard.
struct ShardResults {
    name: String,
    shard: Shard,
    header: Header,
    records: Vec<Record>,
}

/// Prints the results of the comparison of which the files are shards, as a single process would have written them, or
/// their summary.
pub fn merge(paths: &[PathBuf], output: Output) -> Result<Status, Failure> {
    let shards: anyhow::Result<Vec<ShardResults>> = paths.iter().map(|path| read(path)).collect();
    let shards = shards?;
    let names: Vec<_> = shards.iter().map(|shard| (shard.shard, shard.name.clone())).collect();
    let first = &shards[in_order(&names)?[0]];
    let header = first.header.clone().without_shard();
    for other in &shards {
        check_same(first, &header, other)?;
    }
    let mut records: Vec<Record> =
        shards.iter().flat_map(|shard| shard.records.iter().cloned()).collect();
    header.sort(&mut records);
    header.check_boards(&records).map_err(|error| anyhow!("the files together: {error}"))?;
    let mut out = io::stdout().lock();
    match output {
        Output::Text => print_summary(&mut out, &records)?,
        Output::Json => print_records(&mut out, &header, &records)?,
    }
    print_refusals(&records);
    match first.header.has_invalid_boards() {
        false => Ok(status(&records)),
        true => {
            print_note("some boards are invalid");
            Ok(Status::Bad)
        }
    }
}

/// Returns whether a file has the results of a comparison. Other files may have any content.
pub fn is_comparison(path: &Path) -> bool {
    let first_line = || {
        // Not pipes, of which a line could be read only once.
        let file = File::open(path).ok().filter(|_| path.is_file())?;
        let mut line = Vec::new();
        BufReader::new(file).take(MAX_HEADER).read_until(b'\n', &mut line).ok()?;
        serde_json::from_slice::<Value>(&line).ok()
    };
    first_line().is_some_and(|header| header["loyd"] == "compare")
}

/// Returns the shard of a comparison in a file, and whether it is complete; `None` if it has no shard of one.
pub fn result(path: &Path) -> anyhow::Result<Option<(Shard, bool)>> {
    let (header, records) = plot::read(path)?;
    Ok(header.shard().map(|shard| (shard, header.check_complete(&records).is_ok())))
}

fn read(path: &Path) -> anyhow::Result<ShardResults> {
    let name = path.display().to_string();
    if !is_comparison(path) {
        bail!("{name} has no comparison: merge the files of comparisons separately from others");
    }
    let (header, records) = plot::read(path)?;
    let shard = header.shard();
    let shard = shard
        .with_context(|| format!("{name} belongs to no shard: it was written without --shard"))?;
    Ok(ShardResults { name, shard, header, records })
}

/// Checks that a shard is complete, and belongs to the same comparison as the first, whose header without a shard is
/// `header`.
fn check_same(first: &ShardResults, header: &Header, other: &ShardResults) -> anyhow::Result<()> {
    let (name, first_name) = (&other.name, &first.name);
    if let Some(field) = other.header.clone().without_shard().difference(header) {
        bail!("{name} belongs to other work than {first_name}: `{field}` differs");
    }
    if other.header.has_invalid_boards() != first.header.has_invalid_boards() {
        bail!("{name} belongs to other work than {first_name}: it had other invalid boards");
    }
    other.header.check_complete(&other.records).map_err(|error| {
        anyhow!("{name}: the shard is incomplete or damaged: {error}; run the same command with --resume to continue it")
    })
}
