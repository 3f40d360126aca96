//! Partial goals. The first line has the size or is empty.

use loyd::notation::{parse_board, parse_partial_goal};

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (size, text) = laws::sized(bytes);
    let read = parse_partial_goal(&text, size);
    let goal = match &read {
        Err(error) => {
            // A text without `*` may be a record, whose faults are located in the text of its board.
            if text.contains('*') {
                laws::is_in(error, &text);
            } else {
                laws::is_shown(error);
            }
            // A board may have `*` for the blank.
            assert!(parse_board(&text, size).is_err());
            return;
        }
        Ok(goal) => goal,
    };
    assert!(size.is_none_or(|size| size == goal.size()));
    for size in [None, Some(goal.size())] {
        assert_eq!(parse_partial_goal(&goal.to_string(), size).as_ref(), Ok(goal));
    }
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for same in [format!("\n{bare}"), format!("\u{feff}{bare}")] {
        assert_eq!(parse_partial_goal(&same, size), read, "{same:?}");
    }
    let example = goal.example();
    assert!(goal.is_met_by(&example), "{goal} {example}");
    assert!(goal.blank_cells().contains(&example.blank()));
    let reached = goal.reachable(&example).expect("it is met already");
    assert!(goal.is_met_by(&reached), "{goal} {reached}");
    if goal.size().iter_cells().all(|cell| goal.required(cell).is_some()) {
        assert_eq!(parse_board(&text, size), Ok(example));
    }
}
