//! Moves of many rows.

use loyd::board::Cell;
use loyd::{Move, Size};

use super::rows::{Fault, Invalid, Rows, Wrong, is_board};

/// Writes the boards after one move each: action 0 to 3 takes the blank up, left, right or down. Where a row is no
/// board, or the blank would leave it, the row is refused, or left as it is.
///
/// # Errors
/// The first row that is refused.
///
/// # Panics
/// If there are not as many actions as rows.
pub fn apply(
    rows: Rows<'_>,
    actions: &[u8],
    invalid: Invalid,
    out: &mut [u8],
) -> Result<(), Fault> {
    assert_eq!(actions.len(), rows.len(), "there is an action for each row");
    match rows.size().cells() {
        9 => apply_to(9, rows, actions, invalid, out),
        16 => apply_to(16, rows, actions, invalid, out),
        cells => apply_to(cells, rows, actions, invalid, out),
    }
}

/// [`apply`], compiled anew for numbers of cells that the compiler knows: a copy is then a move or two of a vector.
#[inline(always)]
fn apply_to(
    cells: usize,
    rows: Rows<'_>,
    actions: &[u8],
    invalid: Invalid,
    out: &mut [u8],
) -> Result<(), Fault> {
    let targets = targets(rows.size());
    let boards = rows.bytes().chunks_exact(cells).zip(out.chunks_exact_mut(cells));
    for (number, ((row, board), &action)) in boards.zip(actions).enumerate() {
        board.copy_from_slice(row);
        let is_board = is_board(row);
        let blank = if is_board { blank(row) } else { 0 };
        let to = targets[blank].get(usize::from(action)).map_or(blank, |&to| to.into());
        if is_board && to != blank {
            board[blank] = row[to];
            board[to] = 0;
        } else if invalid == Invalid::Refused {
            return Err(match is_board {
                true => refused(rows.size(), number, blank, action),
                false => rows.fault(number),
            });
        }
    }
    Ok(())
}

fn refused(size: Size, row: usize, blank: usize, action: u8) -> Fault {
    let allowed = size.moves(Cell::new(blank)).into_iter();
    let allowed: Vec<_> = allowed.map(|m| m.index().to_string()).collect();
    Fault { row, wrong: Wrong::Action { action, allowed: allowed.join(", ") } }
}

/// Writes the boards after each of the four moves of every row, and whether there is such a move: where there is none,
/// the board is the row itself. A row that is no board has no moves.
///
/// # Errors
/// The first row that is no board, if these are refused.
pub fn neighbours(
    rows: Rows<'_>,
    invalid: Invalid,
    out: &mut [u8],
    mask: &mut [[bool; 4]],
) -> Result<(), Fault> {
    match rows.size().cells() {
        9 => neighbours_of(9, rows, invalid, out, mask),
        16 => neighbours_of(16, rows, invalid, out, mask),
        cells => neighbours_of(cells, rows, invalid, out, mask),
    }
}

/// [`neighbours`], compiled as [`apply_to`] is.
#[inline(always)]
fn neighbours_of(
    cells: usize,
    rows: Rows<'_>,
    invalid: Invalid,
    out: &mut [u8],
    mask: &mut [[bool; 4]],
) -> Result<(), Fault> {
    let targets = targets(rows.size());
    let outs = out.chunks_exact_mut(4 * cells).zip(mask);
    for (number, (row, (out, mask))) in rows.bytes().chunks_exact(cells).zip(outs).enumerate() {
        let boards = out.chunks_exact_mut(cells);
        if !is_board(row) {
            if invalid == Invalid::Refused {
                return Err(rows.fault(number));
            }
            boards.for_each(|board| board.copy_from_slice(row));
            *mask = [false; 4];
            continue;
        }
        let blank = blank(row);
        // Where a move would leave the board, the blank stays: no branch, which could not be foreseen.
        for ((board, &to), legal) in boards.zip(&targets[blank]).zip(mask) {
            board.copy_from_slice(row);
            board[blank] = row[usize::from(to)];
            board[usize::from(to)] = 0;
            *legal = usize::from(to) != blank;
        }
    }
    Ok(())
}

/// The cell of the blank of a board.
#[inline(always)]
fn blank(board: &[u8]) -> usize {
    let find = |found, (cell, &number)| if number == 0 { cell } else { found };
    board.iter().enumerate().fold(0, find)
}

/// By cell and direction: where the blank comes to; itself where the edge is in the way.
fn targets(size: Size) -> Vec<[u8; 4]> {
    let target = |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u8);
    size.iter_cells().map(target).collect()
}
