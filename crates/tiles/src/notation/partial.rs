//! Goals in which only some cells matter.

use super::board::{mark, number, shape, span};
use super::error::{Flaw, NotationError};
use super::scan::Scanner;
use crate::partial_goal::PartialGoal;
use crate::size::Size;

/// The goal that `text` shows: a board in any form of [`parse_board`](super::parse_board), with `*` on
/// cells that may have whatever there is.
///
/// # Errors
/// All that is wrong with the tiles, or the first thing that is wrong with their arrangement.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::parse_partial_goal;
/// let goal = parse_partial_goal("1 2 3 4/5 6 7 8/* * * */* * * *", None)?;
/// assert_eq!(goal.to_string(), "1 2 3 4/5 6 7 8/* * * */* * * *");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn parse_partial_goal(text: &str, size: Option<Size>) -> Result<PartialGoal, NotationError> {
    read(text, size).map_err(|flaw| flaw.locate(text, 1))
}

fn read(text: &str, size: Option<Size>) -> Result<PartialGoal, Flaw> {
    let scanner = Scanner::of(text, mark(text));
    scanner.check()?;
    let scanner = scanner.split_compact(text)?;
    let wanted = scanner.words().iter().map(|word| match &text[word.clone()] {
        "*" => Ok(None),
        _ => number(text, word).map(Some),
    });
    let wanted: Vec<Option<u32>> = wanted.collect::<Result<_, _>>()?;
    let size = shape(&scanner, size)?;
    PartialGoal::new(size, &wanted)
        .map_err(|error| Flaw::new(span(&error, scanner.words()), error.to_string()))
}
