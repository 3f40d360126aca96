//! Moves in any notation: the result of reading, and the conversion of steps into moves on a board.

mod fit;
mod notations;
mod steps;

pub use fit::{parse_moves, read_moves, read_moves_prefix, read_moves_to};
pub use notations::{NOTATIONS, Notation, NotationRow, Style, UnknownNotation, UnwritableMoves};

use std::ops::Range;

use super::error::{Flaw, NotationError};
use crate::board::Board;
use crate::moves::Move;
use crate::size::{Cell, Size, Tile};
use notations::Mover;

/// Maximum number of moves of a text: five times as many as a fast solution of a random 100x100 board has.
pub const MAX_MOVES: usize = 10_000_000;

/// Returns the flaw of a text with too many moves, at the first excess move.
fn too_many_moves(span: Range<usize>) -> Flaw {
    Flaw::new(span, "more than 10,000,000 moves, the most that a solution may have")
        .with_help("split it into several solutions")
}

/// Moves read from a text, with their positions in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// The directions in which the blank moves.
    pub moves: Vec<Move>,
    /// The notation in which they were written.
    pub notation: Notation,
    text: String,
    /// The words, each with the number of its moves.
    words: Vec<(Span, u32)>,
    /// The flaw of the next word, if it names a tile that cannot move.
    impossible: Option<Flaw>,
    /// The message of [`note`](Self::note).
    note: Option<String>,
}

impl MoveText {
    /// Returns a message for the author of the moves if they were not read in the usual way, or if only the board
    /// decided between two readings.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns the board to which the moves lead from `start`.
    ///
    /// # Errors
    /// Returns the first illegal move, with its position in the text.
    ///
    /// # Examples
    /// ```
    /// use loyd_tiles::notation::{parse_board, read_moves};
    /// let read = read_moves("u l2", None, None)?;
    /// let end = read.apply_to(&parse_board("234/15x/768", None)?)?;
    /// assert_eq!(end.to_string(), "x 2 3 1 5 4 7 6 8");
    /// let error = read.apply_to(&parse_board("234/1x5/768", None)?).unwrap_err();
    /// assert_eq!(&error.source[error.span], "l2");
    /// # Ok::<(), loyd_tiles::notation::NotationError>(())
    /// ```
    pub fn apply_to(&self, start: &Board) -> Result<Board, NotationError> {
        let mut board = start.clone();
        let mut made = 0;
        for &(span, count) in &self.words {
            let count = count as usize;
            for &m in &self.moves[made..made + count] {
                if board.apply(m).is_err() {
                    let flaw = self.illegal(span.range(), m, &board, start);
                    return Err(flaw.locate(&self.text, 1));
                }
            }
            made += count;
        }
        match &self.impossible {
            Some(flaw) => Err(flaw.clone().locate(&self.text, 1)),
            None => Ok(board),
        }
    }

    /// Describes the impossible move `m` of the word at `span` on `board`.
    fn illegal(&self, span: Range<usize>, m: Move, board: &Board, start: &Board) -> Flaw {
        let (size, blank) = (board.size(), board.blank());
        let at = place(size, blank);
        let is_of_tiles = self.notation.mover() == Some(Mover::Tile);
        let message = if is_of_tiles {
            let (way, side) = (direction(m.inverse()), side(m));
            format!("no tile can move {way} here: there is none {side} the blank, on {at}")
        } else {
            format!("the blank, on {at}, cannot go {}", direction(m))
        };
        let flaw = Flaw::new(span, message);
        let turned: Vec<Move> = self.moves.iter().map(|m| m.inverse()).collect();
        let twin = self.notation.twin().filter(|_| start.clone().walk(&turned).is_ok());
        match (self.notation, twin) {
            (Notation::Tile, Some(twin)) => flaw.with_help(format!(
                "as moves of the blank these could be made: those are written in small letters, or named --notation {twin}"
            )),
            (Notation::Blank, Some(twin)) => flaw.with_help(format!(
                "as moves of tiles these could be made: those are written in capitals, or named --notation {twin}"
            )),
            (_, Some(twin)) => flaw.with_help(format!(
                "as {} these could be made: those are named --notation {twin}", twin.meaning()
            )),
            _ if board == start => flaw,
            _ => flaw.with_help(format!("the board is then {}", super::slashes(board))),
        }
    }
}

/// Returns the name of a direction for messages.
fn direction(m: Move) -> &'static str {
    match m {
        Move::Up => "up",
        Move::Left => "left",
        Move::Right => "right",
        Move::Down => "down",
    }
}

/// Describes the position, relative to the blank, of the tile that swaps with it.
fn side(m: Move) -> &'static str {
    match m {
        Move::Up => "above",
        Move::Left => "left of",
        Move::Right => "right of",
        Move::Down => "below",
    }
}

/// Returns the name of a cell for messages: row and column, from 1.
fn place(size: Size, cell: Cell) -> String {
    format!("row {} and column {}", size.row(cell) + 1, size.column(cell) + 1)
}

/// Returns the slide of the blank to `target` in its row or column: a direction and a number of moves.
fn slide(board: &Board, target: Cell) -> Option<(Move, usize)> {
    let (size, blank) = (board.size(), board.blank());
    let rows = (size.row(blank), size.row(target));
    let columns = (size.column(blank), size.column(target));
    let (m, (from, to)) = match (rows.0 == rows.1, columns.0 == columns.1) {
        (true, false) if columns.1 < columns.0 => (Move::Left, columns),
        (true, false) => (Move::Right, columns),
        (false, true) if rows.1 < rows.0 => (Move::Up, rows),
        (false, true) => (Move::Down, rows),
        _ => return None,
    };
    Some((m, from.abs_diff(to)))
}

/// A word of a text, decoded as far as possible without a board.
#[derive(Clone, Debug)]
struct Step {
    span: Span,
    what: What,
}

/// The byte range of a word in a text of less than 4 GiB: half the size of a [`Range<usize>`], because a text may have
/// millions of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn new(span: Range<usize>) -> Self {
        let byte = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Self { start: byte(span.start), end: byte(span.end) }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// A number of moves of the blank in a direction.
    Run(Move, u8),
    /// A tile and all tiles between it and the blank.
    Tile(Tile),
    /// The tile in this row and column, from 1, and all tiles between it and the blank.
    At(u16, u16),
}

/// Returns the moves of `steps` on `board`, up to the first illegal one.
fn on_board(
    text: &str,
    notation: Notation,
    steps: Vec<Step>,
    board: Option<&Board>,
) -> Result<MoveText, Flaw> {
    let mut board = board.cloned();
    let (mut moves, mut words) = (Vec::new(), Vec::with_capacity(steps.len()));
    let mut impossible = None;
    for Step { span, what } in steps {
        let pushed = match (what, &mut board) {
            (What::Run(m, count), _) => Ok((m, usize::from(count))),
            (_, None) => {
                let message = "numbers and coordinates have no meaning without the board on which the moves \
                               begin: name it with --board, or put it and a tab in front of the moves";
                return Err(Flaw::new(span.range(), message));
            }
            (What::Tile(tile), Some(board)) => {
                pushed(board, tile_cell(board, tile), &tile.name()).map_err(|flaw| (flaw, board))
            }
            (What::At(row, column), Some(board)) => {
                let name = format!("row {row} and column {column}");
                pushed(board, cell(board, row, column), &name).map_err(|flaw| (flaw, board))
            }
        };
        let (m, count) = match pushed {
            Ok(pushed) => pushed,
            Err((message, board)) => {
                impossible = Some(on(board, &moves, Flaw::new(span.range(), message)));
                break;
            }
        };
        if moves.len() + count > MAX_MOVES {
            return Err(too_many_moves(span.range()));
        }
        moves.extend(std::iter::repeat_n(m, count));
        words.push((span, count as u32));
    }
    Ok(MoveText { moves, notation, text: text.to_owned(), words, impossible, note: None })
}

/// Adds the board on which the flaw occurred.
fn on(board: &Board, moves: &[Move], flaw: Flaw) -> Flaw {
    match moves {
        [] => flaw,
        _ => flaw.with_help(format!("the board is then {}", super::slashes(board))),
    }
}

fn tile_cell(board: &Board, tile: Tile) -> Result<Cell, String> {
    // A tile that can move is near the blank, and a search through all cells of a large board takes microseconds.
    let (size, blank) = (board.size(), board.blank());
    let mut neighbours = board.moves().into_iter().filter_map(|m| size.neighbour(blank, m));
    let neighbour = neighbours.find(|&cell| board.tile(cell) == tile);
    let in_line = || {
        let row = (0..size.width()).map(|column| size.cell(size.row(blank), column));
        let column = (0..size.height()).map(|row| size.cell(row, size.column(blank)));
        row.chain(column).find(|&cell| board.tile(cell) == tile)
    };
    let found = neighbour.or_else(in_line).or_else(|| board.find(tile));
    found.ok_or_else(|| format!("a {} board has no tile {tile}", board.size()))
}

fn cell(board: &Board, row: u16, column: u16) -> Result<Cell, String> {
    let size = board.size();
    let (row, column) = (usize::from(row), usize::from(column));
    if row > size.height() || column > size.width() {
        return Err(format!("a {size} board has no row {row} and column {column}"));
    }
    Ok(size.cell(row - 1, column - 1))
}

/// Pushes the tile on `target`, called `name` in messages, towards the blank.
fn pushed(
    board: &mut Board,
    target: Result<Cell, String>,
    name: &str,
) -> Result<(Move, usize), String> {
    let target = target?;
    let (m, count) = slide(board, target).ok_or_else(|| {
        let blank = place(board.size(), board.blank());
        match target == board.blank() {
            true => format!("{name} has the blank, not a tile"),
            false => format!("{name} is not in line with the blank, on {blank}"),
        }
    })?;
    for _ in 0..count {
        board.apply(m).map_err(|error| error.to_string())?;
    }
    Ok((m, count))
}
