//! Entry points for reading one board or goal in any form, on one line or on several.

use super::board::{self, first_table, mark, scanned, shape, span, tables, with_shape};
use super::cases::Cases;
use super::error::{Flaw, NotationError};
use super::format::Format;
use super::heading::heading;
use super::naming::Naming;
use super::reading::{BoardText, Case, Hints};
use super::surroundings::quotation;
use super::symbols::{decimal, number};
use super::table::Table;
use crate::board::Board;
use crate::goal::{GOALS, Goal};
use crate::partial_goal::PartialGoal;
use crate::size::Size;

/// Reads the board in `text`, in any form on one or several lines; the [module](super) lists the forms.
///
/// If the text has rows, they determine the shape and must agree with `size`. A plain list of
/// tiles is square unless `size` is given.
///
/// # Errors
/// Returns every fault of the tiles, or the first fault of their arrangement.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::parse_board;
/// let board = parse_board("23415x768", None)?;
/// for text in ["2 3 4 1 5 _ 7 6 8", "2 3 4/1 5 0/7 6 8", "[[2,3,4],[1,5,0],[7,6,8]]"] {
///     assert_eq!(parse_board(text, None)?, board);
/// }
/// assert!(parse_board("2 3 4/1 5/7 6 8", None).is_err());
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn parse_board(text: &str, size: Option<Size>) -> Result<Board, NotationError> {
    read_board(text, Hints { size, blank: None }).map(|read| read.board)
}

/// Like [`parse_board`], but takes all [`Hints`] and returns the assumptions made.
///
/// # Errors
/// Returns the errors of [`parse_board`]. A text with two possible readings is rejected with both.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Hints, read_board};
/// let read = read_board("3\n1 2 3\n4 5 6\n7 9 8", Hints::default())?;
/// assert_eq!(read.board.to_string(), "1 2 3 4 5 6 7 x 8");
/// assert_eq!(read.notes[0], "read 9 as the blank: it is the number of cells");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn read_board(text: &str, hints: Hints<'_>) -> Result<BoardText, NotationError> {
    let line = text.trim_start().lines().next().unwrap_or_default();
    if line.starts_with(char::is_alphabetic) && matches!(heading(line), Some((Naming::Goal, _))) {
        return Err(with_goal().locate(text, 1));
    }
    read_one(text, hints)
}

/// Returns the flaw of a text that has a goal where one board is expected.
fn with_goal() -> Flaw {
    let flaw = Flaw::new(0..0, "the text has a goal, where only a board is expected");
    flaw.with_help("leave the goal out, and give it separately: --goal")
}

/// Reads the board in a text, which may be named as a goal if there is no other board.
fn read_one(text: &str, hints: Hints<'_>) -> Result<BoardText, NotationError> {
    let from = mark(text);
    let from = from + quotation(&text[from..]);
    let is_document = text[from..].trim_start().starts_with(['{', '(', '[', ';']);
    let one = match board::read(text, from, 1, hints) {
        Err(error) if is_document || text[from..].trim_end().contains('\n') => error,
        read => return read,
    };
    let mut cases = Cases::with_hints(text.as_bytes(), Format::Auto, hints);
    let mut next = || cases.next().transpose().ok().flatten();
    match (next(), next()) {
        (Some(Case { goal, goal_text, board: Ok(_), .. }), None)
            if goal.is_some() || goal_text.is_some() =>
        {
            Err(with_goal().locate(text.lines().next().unwrap_or_default(), 1))
        }
        (Some(Case { board: Ok(board), notes, .. }), None) => Ok(BoardText { board, notes }),
        (Some(Case { board: Ok(_), .. }), Some(Case { board: Ok(_), line, .. })) => {
            let flaw = Flaw::new(0..0, "there are several boards where one is expected");
            let text = text.lines().nth(line - 1).unwrap_or_default();
            Err(flaw.with_help("give one of them; files may have several").locate(text, line))
        }
        (Some(Case { board: Err(error), .. }), None) if is_document => Err(error),
        _ => Err(one),
    }
}

/// Reads the tile numbers and the shape of a board without checking that they are the tiles of a board: numbers
/// may be missing or repeated.
///
/// # Errors
/// Returns the first word that is not a tile, or the fault of the rows.
pub fn parse_numbers(text: &str, size: Option<Size>) -> Result<(Size, Vec<u32>), NotationError> {
    let read = || -> Result<(Size, Vec<u32>), Flaw> {
        let (scanner, size) = scanned(text, mark(text), size)?;
        let table = first_table(&scanner, text);
        let numbers = decimal(text, table.cells(), None)?.numbers;
        Ok((shape(&table, size)?, numbers))
    };
    read().map_err(|flaw| flaw.locate(text, 1))
}

impl Goal {
    /// Parses a name from [`GOALS`] or a board of `size`.
    ///
    /// # Errors
    /// Returns the error of the board if the text is neither a name nor a valid board of `size`.
    pub fn parse(text: &str, size: Size) -> Result<Self, NotationError> {
        match GOALS.iter().find(|row| row.name == text) {
            Some(row) => Ok(row.goal.clone()),
            None => Ok(Self::Board(parse_board(text, Some(size))?)),
        }
    }
}

/// Reads the goal in `text`: a board in any form of [`parse_board`], with `*` on
/// unconstrained cells.
///
/// # Errors
/// Returns every fault of the tiles, or the first fault of their arrangement.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::parse_partial_goal;
/// let goal = parse_partial_goal("1 2 3 4/5 6 7 8/* * * */* * * *", None)?;
/// assert_eq!(goal.to_string(), "1 2 3 4/5 6 7 8/* * * */* * * *");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn parse_partial_goal(text: &str, size: Option<Size>) -> Result<PartialGoal, NotationError> {
    let of_board = |board: Board| {
        let numbers: Vec<Option<u32>> = board.numbers().map(|n| Some(n.into())).collect();
        PartialGoal::new(board.size(), &numbers).expect("a board is a goal")
    };
    let hints = Hints { size, blank: None };
    let read = || read_one(text, hints).map(|read| of_board(read.board));
    if !text.contains('*') {
        return read();
    }
    // The text may be a board with all tiles and `*` for the blank, which is the only tile left for that cell.
    read_partial(text, size).or_else(|flaw| read().map_err(|_| flaw.locate(text, 1)))
}

/// Reads the goal from the most likely table of the text or, if that makes none, from the only one that makes one.
fn read_partial(text: &str, size: Option<Size>) -> Result<PartialGoal, Flaw> {
    let (scanner, size) = scanned(text, mark(text), size)?;
    if scanner.words().is_empty() {
        return Err(Flaw::new(0..0, "there is no tile, so no board"));
    }
    let flaw = match partial(&first_table(&scanner, text), text, size) {
        Ok(goal) => return Ok(goal),
        Err(flaw) => flaw,
    };
    let mut goals = Vec::new();
    for goal in tables(&scanner, text).iter().filter_map(|table| partial(table, text, size).ok()) {
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    match goals.as_slice() {
        [goal] => Ok(goal.clone()),
        _ => Err(flaw),
    }
}

fn partial(table: &Table, text: &str, size: Option<Size>) -> Result<PartialGoal, Flaw> {
    let wanted = table.cells().iter().map(|word| match &text[word.clone()] {
        "*" => Ok(None),
        _ => number(text, word, None).map(Some),
    });
    let wanted: Vec<Option<u32>> = wanted.collect::<Result<_, _>>()?;
    let (table, size) = with_shape(table, size)?;
    PartialGoal::new(size, &wanted)
        .map_err(|error| Flaw::new(span(&error, table.cells()), error.to_string()))
}
