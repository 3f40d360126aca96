//! Detects the notation of a text and reads its moves. Of several readings, chooses the intended one.

use super::notations::{NOTATIONS, Notation, NotationRow};
use super::steps::{self, unframed};
use super::{MoveText, on_board};
use crate::board::Board;
use crate::goal::GOALS;
use crate::moves::Move;
use crate::notation::error::{Flaw, NotationError};
use crate::notation::write::moves_to_string;
use crate::quote::quote;

/// Reads moves that start on `board`.
///
/// If no notation is given, the one that fits is chosen. Small letters are moves of the blank, capitals moves of
/// tiles; they are read the opposite way only if the board does not have these moves and the opposite ones lead to a
/// named goal. Words and arrows may be moves of either: the board decides. Numbers are tried as tiles and as
/// coordinates. Letters, words and arrows may be followed by a count, `R3` for `RRR`. White space and commas separate
/// words; pairs of numbers are separated by white space and semicolons, and by commas if they are in brackets. Quotes
/// around words and brackets around the whole text are skipped, as in `['r', 'd']`. Letters, words and arrows that are
/// illegal on the board are reported by [`MoveText::apply_to`].
///
/// # Errors
/// Returns the first word that is not a move or not legal on the board; the first move above the limit of
/// [`MAX_MOVES`](super::MAX_MOVES); numbers without a board; a list that is never closed; and a text that two
/// notations read differently, with both readings.
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
    let read = fit(text, notation, board, Aim::Unknown).and_then(|read| match read.impossible {
        Some(flaw) => Err(flaw),
        None => Ok(read),
    });
    read.map_err(|flaw| flaw.locate(text, 1))
}

/// Like [`read_moves`], but accepts numbers and coordinates of tiles that cannot move: the moves end before the first
/// such tile, and [`MoveText::apply_to`] reports it, as it does for letters.
///
/// # Errors
/// Returns the errors of [`read_moves`], except for illegal moves.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{parse_board, read_moves, read_moves_prefix};
/// let board = parse_board("2 3 4 1 5 x 7 6 8", None)?;
/// assert!(read_moves("4 7", None, Some(&board)).is_err());
/// let read = read_moves_prefix("4 7", None, Some(&board))?;
/// assert_eq!(read.moves.len(), 1);
/// assert!(read.apply_to(&board).unwrap_err().message.contains("tile 7 is not in line"));
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn read_moves_prefix(
    text: &str,
    notation: Option<Notation>,
    board: Option<&Board>,
) -> Result<MoveText, NotationError> {
    fit(text, notation, board, Aim::Unknown).map_err(|flaw| flaw.locate(text, 1))
}

/// Reads moves intended to lead from `board` to a board for which `is_solved` returns `true`. Like
/// [`read_moves_prefix`], it leaves it to [`MoveText::apply_to`] to report illegal moves.
///
/// If no notation is given and the moves are a solution in exactly one reading, that reading is returned, with a
/// [note](MoveText::note) if it is not the usual one. If there is no solution, letters are read by their convention.
///
/// # Errors
/// Returns the errors of [`read_moves_prefix`].
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Notation, parse_board, read_moves_to};
/// let board = parse_board("1 2 3/4 5 6/x 7 8", None)?;
/// let goal = parse_board("1 2 3/4 5 6/7 8 x", None)?;
/// for (text, notation) in [("LL", Notation::Tile), ("RR", Notation::Capitals), ("→ →", Notation::Arrows)] {
///     let read = read_moves_to(text, None, &board, |end| *end == goal)?;
///     assert_eq!((read.notation, read.apply_to(&board)?), (notation, goal.clone()));
/// }
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn read_moves_to(
    text: &str,
    notation: Option<Notation>,
    board: &Board,
    is_solved: impl Fn(&Board) -> bool,
) -> Result<MoveText, NotationError> {
    let read = fit(text, notation, Some(board), Aim::Solved(&is_solved));
    read.map_err(|flaw| flaw.locate(text, 1))
}

/// Reads moves in the judges' notation: `u d l r`, the directions in which **the blank** moves.
///
/// White space and commas are skipped; `u3` is read as `uuu`. For other notations, use
/// [`read_moves`].
///
/// # Errors
/// Returns the first letter that is not a move. Capitals are rejected: speed-solvers write them for the
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

fn fit(
    text: &str,
    notation: Option<Notation>,
    board: Option<&Board>,
    aim: Aim<'_>,
) -> Result<MoveText, Flaw> {
    let candidates = NOTATIONS.iter().map(|row| row.notation);
    let candidates =
        candidates.filter(|&one| notation.map_or(one.is_guessed(), |wanted| wanted == one));
    let mut readings: Vec<MoveText> = Vec::new();
    let mut flaws = Vec::new();
    for candidate in candidates {
        let (understood, found) = match steps::read(text, candidate) {
            Ok(steps) => (true, on_board(text, candidate, steps, board)),
            Err(flaw) => (false, Err(flaw)),
        };
        let (flaw, read) = match found {
            Ok(MoveText { impossible: Some(flaw), moves, words, text, notation, note }) => {
                let read = MoveText { impossible: None, moves, words, text, notation, note };
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
    match readings.len() {
        0 => best(text, flaws),
        1 if notation.is_some() => Ok(readings.swap_remove(0)),
        _ => choose(text, readings, board, aim),
    }
}

/// The reason why a text cannot be read in a notation.
struct Misfit {
    notation: Notation,
    /// Whether the words are valid but do not fit the board.
    understood: bool,
    flaw: Flaw,
    /// The moves before a tile that cannot move, if that is the flaw.
    read: Option<MoveText>,
}

/// Returns the best partial reading of a text that no notation fits, or its flaw in the notation that fits best.
fn best(text: &str, mut flaws: Vec<Misfit>) -> Result<MoveText, Flaw> {
    let rank = |at: &usize| (flaws[*at].understood, flaws[*at].flaw.span.start);
    let at = (0..flaws.len()).rev().max_by_key(rank).expect("every notation has a row");
    let flaw = described(text, &flaws, &flaws[at]);
    match flaws[at].read.take() {
        Some(read) => Ok(MoveText { impossible: Some(flaw), ..read }),
        None => Err(flaw),
    }
}

/// Describes the flaw of a text in the `best` of the notations.
fn described(text: &str, flaws: &[Misfit], best: &Misfit) -> Flaw {
    let rank = |misfit: &Misfit| (misfit.understood, misfit.flaw.span.start);
    if flaws.len() == 1 {
        return best.flaw.clone();
    }
    if let Err(flaw) = unframed(text, Notation::Blank) {
        return flaw;
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

/// Returns the flaw of a text whose first word fits no notation.
fn in_no_notation(text: &str, start: usize) -> Flaw {
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |length| start + length);
    let word = &text[start..end];
    let numbers = word.contains(|letter: char| letter.is_ascii_digit())
        && !word.contains(char::is_alphabetic);
    let help = match numbers {
        true => "write tile numbers, from 1, separated by spaces, as in 4 3 2".to_owned(),
        false => notations(),
    };
    Flaw::new(start..end, format!("{} is not a move in any notation", quote(word))).with_help(help)
}

fn notations() -> String {
    let example = |row: &NotationRow| format!("{} as in {}", row.name, row.examples[0]);
    let examples: Vec<String> = NOTATIONS.iter().map(example).collect();
    format!("the notations are {}", examples.join(", "))
}

/// The goal of the moves, if it is known.
#[derive(Clone, Copy)]
pub(super) enum Aim<'a> {
    /// No goal is known.
    Unknown,
    /// The moves are a solution if this returns `true` for the board to which they lead.
    Solved(&'a dyn Fn(&Board) -> bool),
}

impl Aim<'_> {
    fn is_reached(self, end: &Board) -> bool {
        match self {
            Self::Unknown => false,
            Self::Solved(is_solved) => is_solved(end),
        }
    }
}

/// Returns the intended reading. All `readings` are in notations that are tried for any board.
///
/// Letters have a convention, which only a solution overrules. For other signs, readings that are illegal on the board
/// are dropped, and of the rest the only one that solves the board is chosen.
///
/// # Errors
/// Returns an error if several readings are possible.
pub(super) fn choose(
    text: &str,
    readings: Vec<MoveText>,
    board: Option<&Board>,
    aim: Aim<'_>,
) -> Result<MoveText, Flaw> {
    let Some(board) = board else { return agreed(text, readings) };
    if let [Notation::Blank | Notation::Tile, ..] = notations_of(&readings)[..] {
        let first = readings.into_iter().next().expect("readings are not empty");
        return Ok(resolve_letters(text, first, board, aim));
    }
    let is_directed = readings.iter().all(|reading| reading.notation.mover().is_some());
    let (possible, others): (Vec<_>, Vec<_>) =
        readings.into_iter().partition(|reading| end(reading, board).is_some());
    if possible.is_empty() {
        return Ok(longest_legal(others, board));
    }
    let solves = |reading: &MoveText| end(reading, board).is_some_and(|end| aim.is_reached(&end));
    match (agreed(text, possible.clone()), possible.len()) {
        (Ok(only), 1) if is_directed => {
            let other = others.first().map(|other| other.notation);
            Ok(only.instead_of(other, "cannot be made"))
        }
        (Err(flaw), _) => {
            let (mut solutions, others): (Vec<_>, Vec<_>) = possible.into_iter().partition(solves);
            match (solutions.pop(), solutions.as_slice(), others.first()) {
                (Some(only), [], Some(other)) => {
                    Ok(only.instead_of(Some(other.notation), "do not solve the board"))
                }
                _ => Err(flaw),
            }
        }
        (agreed, _) => agreed,
    }
}

fn notations_of(readings: &[MoveText]) -> Vec<Notation> {
    readings.iter().map(|reading| reading.notation).collect()
}

/// Returns the board to which the moves lead, if they are legal.
fn end(reading: &MoveText, board: &Board) -> Option<Board> {
    let mut end = board.clone();
    end.walk(&reading.moves).ok().map(|_| end)
}

/// Returns the conventional reading of letters, `first`, unless only the opposite reading is a solution.
///
/// If no goal is known, moves that lead to a named goal count as a solution, and the convention holds as long as its
/// moves are legal.
fn resolve_letters(text: &str, first: MoveText, board: &Board, aim: Aim<'_>) -> MoveText {
    let by_convention = end(&first, board);
    let is_kept = match (aim, &by_convention) {
        (Aim::Unknown, Some(_)) => true,
        (_, Some(end)) => aim.is_reached(end),
        (_, None) => false,
    };
    if is_kept {
        return first;
    }
    let twin = first.notation.twin().expect("letters have a twin");
    let Ok(steps) = steps::read(text, twin) else { return first };
    let Ok(other) = on_board(text, twin, steps, None) else { return first };
    let is_solution = end(&other, board).is_some_and(|end| match aim {
        Aim::Unknown => is_named(&end),
        aim => aim.is_reached(&end),
    });
    let fault = if by_convention.is_some() { "do not solve the board" } else { "cannot be made" };
    if is_solution { other.instead_of(Some(first.notation), fault) } else { first }
}

/// Returns whether the board is a named goal.
fn is_named(board: &Board) -> bool {
    GOALS.iter().any(|row| row.goal.board(board.size()).is_ok_and(|goal| goal == *board))
}

/// Returns the reading with the most moves before its first illegal one.
fn longest_legal(readings: Vec<MoveText>, board: &Board) -> MoveText {
    let made = |reading: &MoveText| {
        let mut board = board.clone();
        reading.moves.iter().take_while(|&&m| board.apply(m).is_ok()).count()
    };
    let longest = readings.into_iter().rev().max_by_key(made);
    longest.expect("readings are not empty")
}

/// Returns the common reading, if all readings are the same moves.
fn agreed(text: &str, mut readings: Vec<MoveText>) -> Result<MoveText, Flaw> {
    let other = readings.iter().find(|reading| reading.moves != readings[0].moves);
    match other {
        Some(other) => Err(ambiguity(text, &readings[0], other)),
        None => Ok(readings.swap_remove(0)),
    }
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

impl MoveText {
    /// Adds the note that the reading was chosen in place of `other`, which has a `fault`.
    fn instead_of(self, other: Option<Notation>, fault: &str) -> Self {
        let note = other.map(|other| {
            format!("read as {}: as {} they {fault}", self.notation.meaning(), other.meaning())
        });
        Self { note, ..self }
    }
}
