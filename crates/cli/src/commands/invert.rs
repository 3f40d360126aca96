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
    answers::run(items, args.output, |given| {
        let answer = &given.answer;
        let mut end = given.board.clone();
        end.as_mut().map_or(Ok(()), |board| board.walk(&answer.moves))?;
        let style = Style { notation: answer.notation, runs: args.style.runs };
        answers::written(end.as_ref(), &invert(&answer.moves), style)
    })
}
