//! What a move does on a board, whatever the patterns are.

use loyd_tiles::{Cell, Move, Size};

use super::node::NOTHING;

/// The most columns of a board: a tile that moves up or down jumps at most four cells in a table.
pub const MOST_COLUMNS: usize = 5;

/// The cells that are jumped: four on boards as they are, and four on mirrored ones. Where there are no more, the cell is
/// one beyond the board.
pub type Jumps = [u8; 8];

/// How many moves there are with the blank on a cell; none beyond the board.
pub fn moves(size: Size, cell: usize) -> u8 {
    let is_legal = |&m: &Move| size.neighbour(Cell::new(cell), m).is_some();
    if cell < size.cells() { Move::ALL.into_iter().filter(is_legal).count() as u8 } else { 0 }
}

/// The cells between the two cells of a move in the reading order of a table. A move along a row has such cells only in
/// the table of a transposed board, so there are none unless the board is square.
pub fn jumps(size: Size, step: usize, blank: usize) -> Jumps {
    let mut jumps = [NOTHING; 8];
    let to = (blank < size.cells()).then(|| size.neighbour(Cell::new(blank), Move::ALL[step]));
    let Some(to) = to.flatten() else { return jumps };
    let upper = Cell::new(blank.min(to.index()));
    let (row, column) = (size.row(upper), size.column(upper));
    let (mut plain, mut mirrored) = (Vec::new(), Vec::new());
    let is_vertical = to.index().abs_diff(blank) > 1;
    if !is_vertical && size.width() != size.height() {
        return jumps;
    }
    let (place, side) = if is_vertical { (column, size.width()) } else { (row, size.height()) };
    for other in 0..side {
        let near = if is_vertical { size.cell(row, other) } else { size.cell(other, column) };
        let far =
            if is_vertical { size.cell(row + 1, other) } else { size.cell(other, column + 1) };
        let (near, far) = (near.index() as u8, far.index() as u8);
        match other.cmp(&place) {
            std::cmp::Ordering::Less => (plain.push(far), mirrored.push(near)),
            std::cmp::Ordering::Greater => (plain.push(near), mirrored.push(far)),
            std::cmp::Ordering::Equal => ((), ()),
        };
    }
    for (place, (plain, mirrored)) in plain.into_iter().zip(mirrored).enumerate() {
        (jumps[place], jumps[4 + place]) = (plain, mirrored);
    }
    jumps
}
