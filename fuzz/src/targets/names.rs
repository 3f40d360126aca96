//! Short values with a `FromStr` or a lookup by name: displaying and parsing them again changes nothing. The first line
//! has the size of the boards for goals.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use loyd::judge::Cpu;
use loyd::moves::Metric;
use loyd::notation::{Form, Format, Notation, parse_board};
use loyd::search::{Algorithm, HeuristicRow, Quality, TableChoice, Weight};
use loyd::{Goal, Problem, Size};

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (size, text) = laws::sized(bytes);
    is_shown_as_read::<Size>(&text);
    is_shown_as_read::<Metric>(&text);
    is_shown_as_read::<Notation>(&text);
    is_shown_as_read::<Form>(&text);
    is_shown_as_read::<Format>(&text);
    is_shown_as_read::<Weight>(&text);
    is_shown_as_read::<TableChoice>(&text);
    is_shown_as_read::<Quality>(&text);
    is_shown_as_read::<Cpu>(&text);
    assert!(Algorithm::named(&text).map_or(true, |row| row.name == text));
    assert!(HeuristicRow::named(&text).map_or(true, |row| row.name == text));
    let problem = text.parse::<Problem>().map(|problem| problem.start().clone()).ok();
    assert_eq!(problem, parse_board(&text, None).ok());
    is_goal(&text, size.unwrap_or(Size::EIGHT));
}

fn is_shown_as_read<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let shown = value.to_string();
            assert!(shown.parse::<T>().is_ok_and(|again| again == value), "{text:?}: {shown}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn is_goal(text: &str, size: Size) {
    match Goal::parse(text, size) {
        Ok(goal) => {
            assert_eq!(Goal::parse(&goal.to_string(), size).as_ref(), Ok(&goal));
            let board = goal.board(size).expect("the goal was read for this size");
            assert_eq!(board.size(), size);
        }
        Err(error) => laws::is_in(&error, text),
    }
}
