//! The call `convert`.

use std::borrow::Cow;

use loyd::notation::{Form, Notation, Style, read_board, read_moves, read_moves_to};

use crate::answers::ConvertAnswer;
use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::Request;
use crate::work::{Work, json};

/// Writes a board in another form, or moves in another notation.
pub fn convert(work: &Work<'_>, _: Listener<'_>) -> Result<String, Fault> {
    let request = work.request;
    let text = Request::needed("text", request.text.as_deref())?;
    let to = Request::needed("to", request.to.as_deref())?;
    let converted = match (to.parse::<Form>(), to.parse::<Notation>()) {
        (Ok(form), _) => {
            let read = read_board(text, request.hints()?).map_err(Fault::in_text("text", text))?;
            let notes = read.notes.into_iter().map(Cow::into_owned).collect();
            let text =
                form.write(&read.board).map_err(|error| Fault::of("to", error.to_string()))?;
            ConvertAnswer { text, notes, read_as: None }
        }
        (_, Ok(notation)) => moves(request, text, notation)?,
        (Err(form), Err(notation)) => return Err(Fault::of("to", format!("{form}; {notation}"))),
    };
    json(&converted)
}

/// Converts moves. If a goal is given, the moves are expected to reach it.
fn moves(request: &Request, text: &str, notation: Notation) -> Result<ConvertAnswer, Fault> {
    let board = request.board.is_some().then(|| request.board()).transpose()?;
    let from = request.from()?;
    let read = match &board {
        Some(board) if request.goal.is_some() => {
            let problem = request.problem_of(board.clone())?;
            let read = read_moves_to(text, from, board, |end| problem.is_solved_by(end));
            read.and_then(|read| read.apply_to(board).map(|_| read))
        }
        _ => read_moves(text, from, board.as_ref()),
    };
    let read = read.map_err(Fault::in_text("text", text))?;
    let style = Style { notation, runs: request.runs.unwrap_or(false) };
    let written = style.write(&read.moves, board.as_ref());
    Ok(ConvertAnswer {
        text: written.map_err(|error| Fault::of("to", error.to_string()))?,
        read_as: Some(read.notation.row().name),
        notes: read.note().map(str::to_owned).into_iter().collect(),
    })
}
