//! Goal cells of tiles.

use loyd::Problem;
use loyd::board::{Cell, Tile};

/// Relation of a tile on a cell to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileStatus {
    /// The blank.
    Blank,
    /// The tile is on its goal cell, in this row (from 0).
    Home(usize),
    /// The tile belongs on another cell, in this row of the goal (from 0).
    Away(usize),
    /// A don't-care tile, which may be on any cell.
    Anywhere,
}

/// Goal cell of each tile.
#[derive(Clone, Debug)]
pub struct Homes {
    width: usize,
    of_tile: Vec<Option<Cell>>,
}

impl Homes {
    /// Collects the cells that the goal of `problem` requires.
    pub fn new(problem: &Problem) -> Self {
        let size = problem.goal().size();
        let mut of_tile = vec![None; size.cells()];
        for cell in size.iter_cells() {
            let tile = match problem.partial_goal() {
                Some(goal) => goal.required(cell),
                None => Some(problem.goal().tile(cell)),
            };
            if let Some(tile) = tile {
                of_tile[tile.index()] = Some(cell);
            }
        }
        Self { width: size.width(), of_tile }
    }

    /// Returns the relation of `tile` on `cell` to the goal.
    pub fn status(&self, tile: Tile, cell: Cell) -> TileStatus {
        match self.of_tile[tile.index()] {
            _ if tile.is_blank() => TileStatus::Blank,
            None => TileStatus::Anywhere,
            Some(home) if home == cell => TileStatus::Home(home.index() / self.width),
            Some(home) => TileStatus::Away(home.index() / self.width),
        }
    }
}

#[cfg(test)]
mod tests {
    use loyd::Goal;
    use loyd::notation::{parse_board, parse_partial_goal};

    use super::*;

    fn places(problem: &Problem) -> Vec<TileStatus> {
        let (homes, board) = (Homes::new(problem), problem.start());
        board.size().iter_cells().map(|cell| homes.status(board.tile(cell), cell)).collect()
    }

    #[test]
    fn places_follow_the_goal() {
        use TileStatus::{Away, Blank, Home};
        let board = parse_board("1 5 3/x 4 2", None).unwrap();
        let problem = Problem::new(board.clone(), &Goal::BlankLast).unwrap();
        assert_eq!(places(&problem), [Home(0), Away(1), Home(0), Blank, Away(1), Away(0)]);
        let problem = Problem::new(board, &Goal::BlankFirst).unwrap();
        assert_eq!(places(&problem), [Away(0), Away(1), Away(1), Blank, Home(1), Away(0)]);
    }

    #[test]
    fn dont_care_tiles_may_be_anywhere() {
        let board = parse_board("2 1 3/x 4 5", None).unwrap();
        let goal = parse_partial_goal("1 2 3/* * *", None).unwrap();
        let problem = Problem::with_partial_goal(board, &goal).unwrap();
        use TileStatus::{Anywhere, Away, Blank, Home};
        assert_eq!(places(&problem), [Away(0), Away(0), Home(0), Blank, Anywhere, Anywhere]);
    }
}
