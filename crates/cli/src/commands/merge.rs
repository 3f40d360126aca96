//! `loyd merge`.

mod batch;
mod board;
mod shards;
mod source;

use anyhow::{anyhow, bail};

use crate::Status;
use crate::args::MergeArgs;
use crate::failure::Failure;
use source::{Kind, Source};

/// Why a file is empty.
const NOT_ENDED: &str =
    "there is nothing in it: the shard has not ended; continue it with the same command";

/// Joins what shards have printed or saved.
pub fn run(args: &MergeArgs) -> Result<Status, Failure> {
    let sources: anyhow::Result<Vec<Source>> =
        args.files.iter().map(|path| Source::read(path)).collect();
    let sources = sources?;
    match kind(&sources)? {
        Kind::Board => board::merge(&sources, args.output),
        Kind::Records => batch::merge_records(&sources),
        Kind::Moves => batch::merge_moves(&sources),
    }
}

/// What the files have, which is the same in all of them. A shard of a batch may have no board.
fn kind(sources: &[Source]) -> anyhow::Result<Kind> {
    let mut said = sources.iter().filter_map(|source| Some((source, source.kind()?)));
    let (first, kind) = said.next().ok_or_else(|| anyhow!("{}: {NOT_ENDED}", sources[0].name))?;
    if let Some((other, its)) = said.find(|&(_, its)| its != kind) {
        let (a, b) = (&other.name, &first.name);
        bail!("{a} has {}, and {b} has {}: merge each by itself", its.words(), kind.words());
    }
    if kind == Kind::Board
        && let Some(empty) = sources.iter().find(|source| source.kind().is_none())
    {
        bail!("{}: {NOT_ENDED}", empty.name);
    }
    Ok(kind)
}
