//! `loyd compare` without its files.

use std::ops::ControlFlow;

use loyd::notation::slashes;
use loyd::{Board, CancelToken, Config};
use loyd_lab::compare::{Comparison, Record};

use super::{Message, read};
use crate::args::CompareArgs;
use crate::commands::compare::{boards_of, rows};
use crate::failure::Failure;

/// Runs the searches that `words` name on these boards, or on those that they name: arguments of `loyd compare`. The
/// records are in the order of boards, and of rows on each board. What `cancel` ends has no record.
///
/// # Errors
/// What the command line says of such arguments, and of boards that are none.
pub fn compare(
    mut words: Vec<String>,
    boards: &[Board],
    cancel: &CancelToken,
) -> Result<Vec<Record>, Message> {
    words.push("--".to_owned());
    words.extend(boards.iter().map(|board| slashes(board).to_string()));
    let args: CompareArgs = read(words)?;
    let config = Config {
        metric: args.rows.metric,
        store: args.cache.store(),
        limits: args.limits.limits(None),
        ..Config::default()
    };
    let (boards, _) = boards_of(&args.boards, &config, cancel)?;
    let comparison = Comparison::new(rows(&args.rows)?, boards, &config)?;
    let threads = args.threads.map_or(std::num::NonZeroUsize::MIN, |_| args.threads());
    let mut records = Vec::new();
    comparison.run(&[], threads, cancel, |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    let names: Vec<String> = comparison.rows().map(|row| row.name()).collect();
    let place = |record: &Record| names.iter().position(|name| *name == record.row);
    records.sort_by_key(|record| (record.board_id, place(record)));
    Ok(records)
}

impl From<anyhow::Error> for Message {
    fn from(error: anyhow::Error) -> Self {
        Failure::Other(error).into()
    }
}
