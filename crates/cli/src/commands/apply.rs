//! `loyd apply`.

use loyd::notation::slashes;

use super::answers::{self, Said};
use crate::Status;
use crate::args::ApplyArgs;
use crate::failure::Failure;
use crate::input::GivenItems;

/// Makes moves on a board.
pub fn run(args: &ApplyArgs) -> Result<Status, Failure> {
    let items = GivenItems::new(
        &args.moves,
        args.file.as_deref(),
        args.board.as_deref(),
        args.size,
        args.read_as.notation,
    )?;
    answers::run(items, args.output, |given| {
        let Some(board) = &given.board else {
            let message =
                "the board is missing: name one, or put it and a tab in front of the moves";
            return Err(anyhow::anyhow!(message).into());
        };
        let moves = &given.read.moves;
        let mut end = board.clone();
        end.walk(moves)?;
        let text = slashes(&end).to_string();
        let mut record = answers::record(Some(board), moves);
        record.insert("end".to_owned(), text.clone().into());
        Ok(Said { text, record: record.into(), remark: None })
    })
}
