//! Where tiles belong.

use loyd::Problem;
use loyd::board::{Cell, Tile};

/// What a tile on a cell is to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The blank.
    Blank,
    /// The tile is where it belongs, in this row of the goal (from 0).
    Home(usize),
    /// It belongs on another cell, in this row of the goal (from 0).
    Away(usize),
    /// It may lie anywhere: a don't-care tile.
    Anywhere,
}

/// Where each tile belongs.
#[derive(Clone, Debug)]
pub struct Homes {
    width: usize,
    of_tile: Vec<Option<Cell>>,
}

impl Homes {
    /// The cells that the goal of `problem` asks for.
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

    /// What `tile` is on `cell`.
    pub fn place(&self, tile: Tile, cell: Cell) -> Place {
        match self.of_tile[tile.index()] {
            _ if tile.is_blank() => Place::Blank,
            None => Place::Anywhere,
            Some(home) if home == cell => Place::Home(home.index() / self.width),
            Some(home) => Place::Away(home.index() / self.width),
        }
    }
}

#[cfg(test)]
mod tests {
    use loyd::Goal;
    use loyd::notation::{parse_board, parse_partial_goal};

    use super::*;

    fn places(problem: &Problem) -> Vec<Place> {
        let (homes, board) = (Homes::new(problem), problem.start());
        board.size().iter_cells().map(|cell| homes.place(board.tile(cell), cell)).collect()
    }

    #[test]
    fn tiles_belong_where_the_goal_has_them() {
        use Place::{Away, Blank, Home};
        let board = parse_board("1 5 3/x 4 2", None).unwrap();
        let problem = Problem::new(board.clone(), &Goal::BlankLast).unwrap();
        assert_eq!(places(&problem), [Home(0), Away(1), Home(0), Blank, Away(1), Away(0)]);
        let problem = Problem::new(board, &Goal::BlankFirst).unwrap();
        assert_eq!(places(&problem), [Away(0), Away(1), Away(1), Blank, Home(1), Away(0)]);
    }

    #[test]
    fn dont_care_tiles_belong_nowhere() {
        let board = parse_board("2 1 3/x 4 5", None).unwrap();
        let goal = parse_partial_goal("1 2 3/* * *", None).unwrap();
        let problem = Problem::to_partial(board, &goal).unwrap();
        use Place::{Anywhere, Away, Blank, Home};
        assert_eq!(places(&problem), [Away(0), Away(0), Home(0), Blank, Anywhere, Anywhere]);
    }
}
