//! Which notation a text is in.

use super::super::error::{Flaw, NotationError, quote};
use super::super::path::moves_to_string;
use super::{
    MOST_MOVES, MoveText, NOTATIONS, Notation, NotationRow, Step, What, place, slide, steps,
    too_many_moves,
};
use crate::board::Board;
use crate::cell::Cell;
use crate::moves::Move;
use crate::tile::Tile;

/// Reads moves that begin on `board`.
///
/// Where no notation is given, it is the one that fits. Small letters are moves of the blank, capitals
/// moves of tiles, whatever the board; numbers are tried as tiles and as coordinates. Letters may have
/// a number behind them, `R3` for `RRR`. White space and commas separate words; pairs of numbers are
/// separated by white space and semicolons, and by commas if they are framed. The moves of letters need
/// not be possible: that is for [`MoveText::apply_to`] to say.
///
/// # Errors
/// The first word that says nothing, or no move that the board has, or is one too many ([`MOST_MOVES`]); numbers
/// without a board; and a text that two notations read differently, with both readings.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Notation, moves_to_string, parse_board, read_moves};
/// let board = parse_board("2 3 4/1 5 x/7 6 8", None)?;
/// for text in ["ull", "ul2", "DRR", "DR2", "4 3 2", "4 2", "1,3 1,2 1,1", "(1,3),(1,1)"] {
///     let read = read_moves(text, None, Some(&board))?;
///     assert_eq!(moves_to_string(&read.moves), "ull");
/// }
/// assert_eq!(read_moves("DR2", None, None)?.notation, Notation::Tile);
/// assert!(read_moves("4 3 2", None, None).is_err());
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn read_moves(
    text: &str,
    notation: Option<Notation>,
    board: Option<&Board>,
) -> Result<MoveText, NotationError> {
    let read = fit(text, notation, board).and_then(|read| match read.impossible {
        Some(flaw) => Err(flaw),
        None => Ok(read),
    });
    read.map_err(|flaw| flaw.locate(text, 1))
}

/// The same where a number or a coordinate may name a tile that cannot move: what is read ends before it, and
/// [`MoveText::apply_to`] tells what is wrong with it, as it does for letters.
///
/// # Errors
/// As those of [`read_moves`], but for that.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{parse_board, read_moves, read_moves_as_far};
/// let board = parse_board("2 3 4 1 5 x 7 6 8", None)?;
/// assert!(read_moves("4 7", None, Some(&board)).is_err());
/// let read = read_moves_as_far("4 7", None, Some(&board))?;
/// assert_eq!(read.moves.len(), 1);
/// assert!(read.apply_to(&board).unwrap_err().message.contains("tile 7 is not in line"));
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn read_moves_as_far(
    text: &str,
    notation: Option<Notation>,
    board: Option<&Board>,
) -> Result<MoveText, NotationError> {
    fit(text, notation, board).map_err(|flaw| flaw.locate(text, 1))
}

/// The moves that `text` spells: `u d l r`, the directions in which **the blank** travels.
///
/// White space and commas are skipped; `u3` is read as `uuu`. For other notations there is
/// [`read_moves`].
///
/// # Errors
/// The first letter that is not a move. Capitals are refused: speed-solvers write them for the
/// direction of the tile, which is the opposite one.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{moves_to_string, parse_moves};
/// let path = parse_moves("ul ld\n")?;
/// assert_eq!(moves_to_string(&path), "ulld");
/// assert!(parse_moves("UL").is_err());
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn parse_moves(text: &str) -> Result<Vec<Move>, NotationError> {
    read_moves(text, Some(Notation::Blank), None).map(|read| read.moves)
}

fn fit(text: &str, notation: Option<Notation>, board: Option<&Board>) -> Result<MoveText, Flaw> {
    let candidates = NOTATIONS.iter().map(|row| row.notation);
    let candidates = candidates.filter(|&one| notation.is_none_or(|wanted| wanted == one));
    let mut readings: Vec<MoveText> = Vec::new();
    let mut flaws = Vec::new();
    for candidate in candidates {
        let (understood, found) = match steps::read(text, candidate) {
            Ok(steps) => (true, on_board(text, candidate, steps, board)),
            Err(flaw) => (false, Err(flaw)),
        };
        let (flaw, read) = match found {
            Ok(MoveText { impossible: Some(flaw), moves, words, text, notation }) => {
                let read = MoveText { impossible: None, moves, words, text, notation };
                (flaw, Some(read))
            }
            Ok(reading) => {
                readings.push(reading);
                continue;
            }
            Err(flaw) => (flaw, None),
        };
        flaws.push(Misfit { notation: candidate, understood, flaw, read });
    }
    match readings.as_slice() {
        [first, others @ ..] => match others.iter().find(|o| o.moves != first.moves) {
            Some(second) => Err(ambiguity(text, first, second)),
            None => Ok(readings.swap_remove(0)),
        },
        [] => best(text, flaws),
    }
}

/// Why a text says nothing in a notation.
struct Misfit {
    notation: Notation,
    /// Whether its words have a meaning, which does not fit the board.
    understood: bool,
    flaw: Flaw,
    /// What is read before a tile that cannot move, if that is the flaw.
    read: Option<MoveText>,
}

/// What is read of a text that no notation fits, or what is wrong with it: what reads best is what was meant.
fn best(text: &str, mut flaws: Vec<Misfit>) -> Result<MoveText, Flaw> {
    let rank = |at: &usize| (flaws[*at].understood, flaws[*at].flaw.span.start);
    let at = (0..flaws.len()).rev().max_by_key(rank).expect("every notation has a row");
    let flaw = described(text, &flaws, &flaws[at]);
    match flaws[at].read.take() {
        Some(read) => Ok(MoveText { impossible: Some(flaw), ..read }),
        None => Err(flaw),
    }
}

/// What is wrong with a text according to the `best` of the notations.
fn described(text: &str, flaws: &[Misfit], best: &Misfit) -> Flaw {
    let rank = |misfit: &Misfit| (misfit.understood, misfit.flaw.span.start);
    if flaws.len() == 1 {
        return best.flaw.clone();
    }
    let start = text.len() - text.trim_start().len();
    if !best.understood && best.flaw.span.start == start {
        return in_no_notation(text, start);
    }
    let mut flaw = best.flaw.clone();
    let others = flaws.iter().filter(|other| {
        other.notation != best.notation
            && rank(other) == rank(best)
            && other.flaw.message != flaw.message
    });
    let others = others.map(|other| format!("as {}: {}", other.notation, other.flaw.message));
    let help: Vec<String> = flaw.help.take().into_iter().chain(others).collect();
    flaw.help = match help.as_slice() {
        [] => (!best.understood).then(notations),
        help => Some(help.join("; ")),
    };
    flaw
}

/// No notation reads as much as the first word.
fn in_no_notation(text: &str, start: usize) -> Flaw {
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |length| start + length);
    let word = &text[start..end];
    let numbers = word.contains(|letter: char| letter.is_ascii_digit())
        && !word.contains(char::is_alphabetic);
    let help = match numbers {
        true => "write numbers of tiles, from 1, and spaces between them, as in 4 3 2".to_owned(),
        false => notations(),
    };
    Flaw::new(start..end, format!("{} is a move in no notation", quote(word))).with_help(help)
}

fn notations() -> String {
    let example = |row: &NotationRow| format!("{} as in {}", row.name, row.examples[0]);
    let examples: Vec<String> = NOTATIONS.iter().map(example).collect();
    format!("the notations are {}", examples.join(", "))
}

fn ambiguity(text: &str, first: &MoveText, second: &MoveText) -> Flaw {
    const SHOWN: usize = 40;
    let shown = |reading: &MoveText| {
        let mut moves = moves_to_string(&reading.moves[..reading.moves.len().min(SHOWN)]);
        if reading.moves.len() > SHOWN {
            moves.push('…');
        }
        format!("as {} the blank goes {moves}", reading.notation)
    };
    let start = text.len() - text.trim_start().len();
    let message = format!("this can be read in two ways: {}, {}", shown(first), shown(second));
    let help = format!(
        "name the notation, {} or {}: --notation, or --from of convert",
        first.notation, second.notation
    );
    Flaw::new(start..text.trim_end().len(), message).with_help(help)
}

/// The moves that `steps` stand for on `board`, up to the first that it does not have.
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
                let message = "numbers and coordinates say nothing without the board on which the moves \
                               begin: name it with --board, or put it and a tab in front of the moves";
                return Err(Flaw::new(span, message));
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
                impossible = Some(on(board, &moves, Flaw::new(span, message)));
                break;
            }
        };
        if moves.len() + count > MOST_MOVES {
            return Err(too_many_moves(span));
        }
        moves.extend(std::iter::repeat_n(m, count));
        words.push((span, count));
    }
    Ok(MoveText { moves, notation, text: text.to_owned(), words, impossible })
}

/// The flaw with the board that it was met on.
fn on(board: &Board, moves: &[Move], flaw: Flaw) -> Flaw {
    match moves {
        [] => flaw,
        _ => flaw.with_help(format!("the board is then {}", super::super::slashes(board))),
    }
}

fn tile_cell(board: &Board, tile: Tile) -> Result<Cell, String> {
    board.find(tile).ok_or_else(|| format!("a {} board has no tile {tile}", board.size()))
}

fn cell(board: &Board, row: u16, column: u16) -> Result<Cell, String> {
    let size = board.size();
    let (row, column) = (usize::from(row), usize::from(column));
    if row > size.height() || column > size.width() {
        return Err(format!("a {size} board has no row {row} and column {column}"));
    }
    Ok(size.cell(row - 1, column - 1))
}

/// Pushes the tile on `target`, which messages call `name`, towards the blank.
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
