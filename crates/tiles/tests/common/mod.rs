//! Files of boards as short texts, for tests.

use std::io;

use loyd_tiles::notation::{Case, Cases, Format, Hints, parse_partial_goal, slashes};

/// One move from the usual goal, and one from [`GOAL`].
pub const BOARD: &str = "1 2 3/4 5 6/7 0 8";
pub const GOAL: &str = "1 2 3/4 5 6/0 7 8";

/// Returns the boards of a file, with goals after `->`, or its faults.
pub fn file(text: &str) -> Vec<String> {
    let cases: io::Result<Vec<Case>> =
        Cases::with_hints(text.as_bytes(), Format::Auto, Hints::default()).collect();
    let shown = |case: Case| match (case.board, case.goal, case.goal_text) {
        (Ok(board), None, None) => slashes(&board).to_string(),
        (Ok(board), Some(goal), _) => format!("{} -> {}", slashes(&board), slashes(&goal)),
        (Ok(board), None, Some(goal)) => match parse_partial_goal(&goal, Some(board.size())) {
            Ok(goal) => format!("{} -> {goal}", slashes(&board)),
            Err(_) => format!("{} -> `{goal}`", slashes(&board)),
        },
        (Err(error), ..) => format!("! {error}"),
    };
    cases.unwrap().into_iter().map(shown).collect()
}

/// Checks that all boards of a text are refused, the first one with this message.
#[track_caller]
pub fn refused(text: &str, message: &str) {
    let read = file(text);
    let is_fault = |case: &String| case.starts_with('!');
    assert!(!read.is_empty() && read.iter().all(is_fault), "{text:?}: {read:?}");
    assert!(read[0].contains(message), "{text:?}: {read:?}");
}
