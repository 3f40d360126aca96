//! Links to replays. The first line has a size or is empty. Then follows a link, or the unpacked contents of one: a
//! list, or, after a `;`, the solutions and times of a record.

use loyd::Size;
use loyd::notation::{Notation, read_moves};
use serde_json::json;

use crate::laws;
use crate::replay::{is_link, link, pack, packed_link, read};

/// Maximum number of moves for the slower checks.
const MAX_MOVES: usize = 3000;

pub fn check(bytes: &[u8]) {
    let (size, text) = laws::sized(bytes);
    let text = match text.strip_prefix(';') {
        Some(solves) => packed_link(&record(solves, size)).expect("memory can be written"),
        None if is_link(&text) => text,
        None => packed_link(&text).expect("memory can be written"),
    };
    let played = match read(&text, size) {
        Err(error) => return assert!(!error.to_string().is_empty()),
        Ok(played) => played,
    };
    for (board, text) in played {
        let read_as_tiles = read_moves(&text, Some(Notation::Tile), board.as_ref());
        let (Some(board), Ok(moves)) = (board, read_as_tiles) else { continue };
        if moves.moves.len() > MAX_MOVES {
            continue;
        }
        // Links can only be made for solutions that end at the goal.
        let Ok(link) = link(&board, &moves.moves) else { continue };
        let again = read(&link, None).expect("it was just written");
        let [(Some(start), text)] = again.as_slice() else { panic!("{again:?}") };
        let again = read_moves(text, Some(Notation::Tile), Some(start)).expect("the same moves");
        assert!(*start == board && again.moves == moves.moves, "{link}");
    }
}

/// Formats a record of the leaderboard.
fn record(solves: &str, size: Option<Size>) -> String {
    let size = size.unwrap_or(Size::EIGHT);
    let solves = pack(solves).expect("memory can be written");
    json!([{}, solves, "Standard", 1, size.width(), size.height(), "", -1, "", false]).to_string()
}
