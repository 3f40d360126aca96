//! `loyd merge`.

mod batch;
mod board;
mod comparison;
mod dataset;
mod missing;
mod source;

use anyhow::{anyhow, bail};

use crate::args::MergeArgs;
use crate::failure::{Failure, Status};
use crate::memory;
use source::{Kind, Source};

/// Error for an empty file.
const NOT_ENDED: &str =
    "the file is empty: the shard has not finished; run the same command again to continue it";

/// Merges the printed or saved output of shards.
pub fn run(args: &MergeArgs) -> Result<Status, Failure> {
    if args.missing {
        return missing::print(&args.files);
    }
    match &args.save {
        Some(path) => return dataset::merge(&args.files, path),
        None if args.files.iter().any(|path| path.is_dir()) => {
            return Err(anyhow!(
                "folders are datasets, which need a folder for the joined one: name it with --save"
            )
            .into());
        }
        None => {}
    }
    if args.files.iter().any(|path| comparison::is_comparison(path)) {
        if args.file.is_some() {
            return Err(anyhow!("--file applies to shards of a file of boards").into());
        }
        return comparison::merge(&args.files, args.output);
    }
    // The text of a file is in memory twice while it is divided into lines, and its records are parsed.
    let mut left = memory::free() / 3;
    let sources: anyhow::Result<Vec<Source>> =
        args.files.iter().map(|path| Source::read(path, &mut left)).collect();
    let sources = sources?;
    let boards = args.file.as_deref();
    match kind(&sources)? {
        Kind::Board if boards.is_some() => {
            Err(anyhow!("--file applies to shards of a file of boards, not of one board").into())
        }
        Kind::Board => board::merge(&sources, args.output),
        Kind::Records => batch::merge_records(&sources, boards),
        Kind::Moves => batch::merge_moves(&sources, boards),
    }
}

/// Returns the kind of the files, which must all have the same one. A shard of a file of boards may be empty.
fn kind(sources: &[Source]) -> anyhow::Result<Kind> {
    let mut kinds = sources.iter().filter_map(|source| Some((source, source.kind()?)));
    let (first, kind) = kinds.next().ok_or_else(|| anyhow!("{}: {NOT_ENDED}", sources[0].name))?;
    if let Some((other, other_kind)) = kinds.find(|&(_, other_kind)| other_kind != kind) {
        let (a, b) = (&other.name, &first.name);
        bail!(
            "{a} contains {}, but {b} contains {}: merge them separately",
            other_kind.description(),
            kind.description()
        );
    }
    if kind == Kind::Board
        && let Some(empty) = sources.iter().find(|source| source.kind().is_none())
    {
        bail!("{}: {NOT_ENDED}", empty.name);
    }
    Ok(kind)
}
