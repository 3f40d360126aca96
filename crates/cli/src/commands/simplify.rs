//! `loyd simplify`.

use loyd::moves::simplify;
use loyd::notation::Style;

use super::answers;
use crate::Status;
use crate::args::SimplifyArgs;
use crate::failure::Failure;
use crate::units::moves;

/// Leaves out moves that undo each other.
pub fn run(args: &SimplifyArgs) -> Result<Status, Failure> {
    let items = args.answers.items(args.style.read_as.notation)?;
    answers::run(items, args.output, |board, read| {
        let less = simplify(&read.moves);
        let style = Style { notation: read.notation, runs: args.style.runs };
        let mut said = answers::written(board, &less, style)?;
        said.record["length_before"] = read.moves.len().into();
        said.remark = board.map(|_| format!("{}, before {}", moves(less.len()), read.moves.len()));
        Ok(said)
    })
}
