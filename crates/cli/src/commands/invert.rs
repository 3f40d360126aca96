//! `loyd invert`.

use loyd::moves::invert;
use loyd::notation::Style;

use super::answers;
use crate::Status;
use crate::args::InvertArgs;
use crate::failure::Failure;

/// Prints the moves that lead back.
pub fn run(args: &InvertArgs) -> Result<Status, Failure> {
    let items = args.answers.items(args.style.read_as.notation)?;
    answers::run(items, args.output, |board, read| {
        let mut end = board.cloned();
        end.as_mut().map_or(Ok(()), |board| board.walk(&read.moves))?;
        let style = Style { notation: read.notation, runs: args.style.runs };
        answers::written(end.as_ref(), &invert(&read.moves), style)
    })
}
