//! Answers played on boards, which share nothing with searches, and boards of the other half.

use loyd::search::Cost;
use loyd::{Board, Report, Size};

/// The board with tiles 1 and 2 exchanged: unsolvable if `board` is solvable, and every unsolvable
/// 3x3 board is the twin of just one that can be solved. `None` if there is no tile 2.
pub fn twin(board: &Board) -> Option<Board> {
    let size: Size = board.size();
    let exchanged = |number: u8| match number {
        1 => 2,
        2 => 1,
        other => u32::from(other),
    };
    let numbers: Vec<u32> = board.numbers().map(exchanged).collect();
    (size.tiles() >= 2).then(|| Board::new(size, &numbers).expect("each tile is there once"))
}

/// Plays the answer of `report` on its board, move by move; returns its length.
pub fn replay(report: &Report) -> Result<Cost, String> {
    let moves = report.moves.as_ref().ok_or_else(|| format!("it ended {:?}", report.status))?;
    let mut board = report.problem.start().clone();
    for &step in moves {
        board.apply(step).map_err(|error| error.to_string())?;
    }
    match board == *report.problem.goal() {
        true => Ok(moves.len() as Cost),
        false => Err(format!("the answer ends at {board}")),
    }
}
