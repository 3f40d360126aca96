//! A board in any form. The first line has its size or is empty.

use loyd::Board;
use loyd::notation::{
    BoardText, Cases, FORMS, Form, Format, Hints, NotationError, parse_board, parse_partial_goal,
    read_board,
};

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (size, text) = laws::sized(bytes);
    let hints = Hints { size, blank: None };
    let read = read_board(&text, hints);
    let BoardText { board, notes } = match &read {
        Err(error) => return laws::is_shown(error),
        Ok(read) => read,
    };
    assert!(size.is_none_or(|size| size == board.size()));
    assert_eq!(parse_board(&text, size).as_ref(), Ok(board));
    is_read_back(board);
    if !notes.is_empty() {
        return;
    }
    laws::tiles_occur_in_order(board, &text);
    let known = read_board(&text, Hints { size: Some(board.size()), blank: None });
    // Quoted lines are read one by one, so a slash on its own line is not the end of the row before if the size is known.
    assert!(known == read || known.is_err() && text.contains('>'), "{known:?} {read:?}");
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let windows = bare.replace("\r\n", "\n").replace('\n', "\r\n");
    for same in [windows, format!("\u{feff}{bare}\n"), format!("\n {bare}")] {
        assert_eq!(parse_board(&same, size).as_ref(), Ok(board), "{same:?}");
    }
    if !text.contains('*') {
        let goal = parse_partial_goal(&text, size).expect("a board is a goal");
        let wants = |cell| goal.required(cell) == Some(board.tile(cell));
        assert!(goal.size() == board.size() && board.size().iter_cells().all(wants));
    }
}

/// Checks that the board can be read back from every form.
fn is_read_back(board: &Board) {
    for form in FORMS.iter().map(|row| row.form) {
        let Ok(text) = form.write(board) else {
            let (size, small) =
                (board.size(), matches!(form, Form::Compact | Form::Hex | Form::Letters));
            let square = matches!(form, Form::Princeton | Form::FortyTwo);
            assert!(small && size.cells() > 10 || square && size.width() != size.height());
            continue;
        };
        if form == Form::Korf {
            // This form is a line of a file.
            let size = Some(board.size());
            let case = Cases::new(text.as_bytes(), Format::Korf, size).next();
            let case = case.expect("there is a line").expect("memory can be read");
            let refused = |error: &NotationError| error.message.contains("or the last one");
            let read = case.board.as_ref().map_or_else(refused, |read| read == board);
            assert!(board.size().cells() < 4 || read, "{text}");
            continue;
        }
        assert_eq!(parse_board(&text, Some(board.size())).as_ref(), Ok(board), "{text}");
        // A list with one row may be a square board.
        let is_row = board.size().height() == 1;
        if matches!(form, Form::Slashes | Form::Compact) || form == Form::List && !is_row {
            assert_eq!(parse_board(&text, None).as_ref(), Ok(board), "{text}");
        }
    }
}
