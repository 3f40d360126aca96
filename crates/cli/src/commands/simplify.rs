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
    answers::run(items, args.output, |given| {
        let (answer, board) = (&given.answer, given.board.as_ref());
        let less = simplify(&answer.moves);
        let style = Style { notation: answer.notation, runs: args.style.runs };
        let mut said = answers::written(board, &less, style)?;
        said.record["length_before"] = answer.moves.len().into();
        said.remark =
            board.map(|_| format!("{}, before {}", moves(less.len()), answer.moves.len()));
        Ok(said)
    })
}
