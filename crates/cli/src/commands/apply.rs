//! `loyd apply`.

use loyd::notation::slashes;

use super::answers::{self, Said};
use crate::Status;
use crate::args::ApplyArgs;
use crate::failure::Failure;

/// Makes moves on a board.
pub fn run(args: &ApplyArgs) -> Result<Status, Failure> {
    let items = args.pair.items(args.size, args.read_as.notation)?;
    answers::run(items, args.output, |board, read| {
        let board = board.ok_or_else(answers::no_board)?;
        let mut end = board.clone();
        end.walk(&read.moves)?;
        let text = slashes(&end).to_string();
        let mut record = answers::record(Some(board), &read.moves);
        record.insert("end".to_owned(), text.clone().into());
        Ok(Said { text, record: record.into(), remark: None })
    })
}
