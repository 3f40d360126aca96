//! Replays solutions on boards, without the searches of the crate, and constructs unsolvable boards.

use loyd::search::Cost;
use loyd::{Board, Report, Size};

/// Exchanges tiles 1 and 2: the result is unsolvable if `board` is solvable. Every unsolvable 3x3 board is the twin of
/// exactly one solvable board. Returns `None` if there is no tile 2.
pub fn twin(board: &Board) -> Option<Board> {
    let size: Size = board.size();
    let exchanged = |number: u8| match number {
        1 => 2,
        2 => 1,
        other => u32::from(other),
    };
    let numbers: Vec<u32> = board.bytes().map(exchanged).collect();
    (size.tiles() >= 2).then(|| Board::new(size, &numbers).expect("each tile occurs once"))
}

/// Replays the solution of `report` move by move, and returns its length.
pub fn replay(report: &Report) -> Result<Cost, String> {
    let moves = report.moves.as_ref().ok_or_else(|| format!("it ended {:?}", report.status))?;
    let mut board = report.problem.start().clone();
    for &step in moves {
        board.apply(step).map_err(|error| error.to_string())?;
    }
    match board == *report.problem.goal() {
        true => Ok(moves.len() as Cost),
        false => Err(format!("the solution ends at {board}")),
    }
}
