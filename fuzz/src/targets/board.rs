//! One board in any form. The first line has its size, or none.

use loyd::Board;
use loyd::notation::{FORMS, Form, parse_board, parse_partial_goal};

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (size, text) = laws::sized(bytes);
    let read = parse_board(&text, size);
    let board = match &read {
        Err(error) => return laws::is_in(error, &text),
        Ok(board) => board,
    };
    assert!(size.is_none_or(|size| size == board.size()));
    assert_eq!(parse_board(&text, Some(board.size())), read);
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let windows = bare.replace("\r\n", "\n").replace('\n', "\r\n");
    for same in [windows, format!("\u{feff}{bare}\n"), format!("\n {bare}")] {
        assert_eq!(parse_board(&same, size), read, "{same:?}");
    }
    let goal = parse_partial_goal(&text, size).expect("a board is a goal");
    let wants = |cell| goal.required(cell) == Some(board.tile(cell));
    assert!(goal.size() == board.size() && board.size().iter_cells().all(wants));
    is_read_back(board);
}

/// Every form in which the board is written is read as the same.
fn is_read_back(board: &Board) {
    for form in FORMS.iter().map(|row| row.form) {
        let Ok(text) = form.write(board) else {
            assert!(form == Form::Compact && board.size().cells() > 10);
            continue;
        };
        assert_eq!(parse_board(&text, Some(board.size())).as_ref(), Ok(board), "{text}");
        if matches!(form, Form::Slashes | Form::Compact | Form::List) {
            assert_eq!(parse_board(&text, None).as_ref(), Ok(board), "{text}");
        }
    }
}
