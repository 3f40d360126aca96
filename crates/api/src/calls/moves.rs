//! Boards and moves in other forms.

use loyd::notation::{Form, Notation, Style, parse_board, read_moves};

use crate::answers::Converted;
use crate::fault::Fault;
use crate::progress::Listener;
use crate::request::Request;
use crate::work::{Work, json};

/// Writes a board in another form, or moves in another notation.
pub fn convert(work: &Work<'_>, _: Listener<'_>) -> Result<String, Fault> {
    let request = &work.request;
    let text = Request::needed("text", request.text.as_deref())?;
    let to = Request::needed("to", request.to.as_deref())?;
    let text = match (to.parse::<Form>(), to.parse::<Notation>()) {
        (Ok(form), _) => {
            let board = parse_board(text, request.size()?).map_err(Fault::in_text("text", text))?;
            form.write(&board).map_err(|error| Fault::of("to", error.to_string()))?
        }
        (_, Ok(notation)) => {
            let board = request.board.is_some().then(|| request.board()).transpose()?;
            let from = request.from.as_deref().map(str::parse::<Notation>).transpose();
            let from = from.map_err(|error| Fault::of("from", error.to_string()))?;
            let read = read_moves(text, from, board.as_ref());
            let read = read.map_err(Fault::in_text("text", text))?;
            let style = Style { notation, runs: request.runs.unwrap_or(false) };
            let written = style.write(&read.moves, board.as_ref());
            written.map_err(|error| Fault::of("to", error.to_string()))?
        }
        (Err(form), Err(notation)) => return Err(Fault::of("to", format!("{form}; {notation}"))),
    };
    json(&Converted { text })
}
