//! The board as `fast` sees it: cells, their neighbours, and tiles named by their goal cells.

use loyd_tiles::{Board, Move, MoveSet, Size};

/// What all positions of a problem share.
pub(super) struct Plane {
    pub size: Size,
    /// The goal cell of the blank.
    pub home: u8,
    moves: Vec<MoveSet>,
    targets: Vec<[u8; 4]>,
    distances: Vec<u8>,
    /// Row and column of each cell.
    places: Vec<(u8, u8)>,
}

/// A position: on each cell the goal cell of what lies there, be it a tile or the blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub cells: Vec<u8>,
    pub blank: u8,
}

impl Plane {
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        let target = |cell, m| size.neighbour(cell, m).unwrap_or(cell).index() as u8;
        let pairs = size.iter_cells().flat_map(|from| size.iter_cells().map(move |to| (from, to)));
        Self {
            size,
            home: goal.blank().index() as u8,
            moves: size.iter_cells().map(|cell| size.moves(cell)).collect(),
            targets: size.iter_cells().map(|cell| Move::ALL.map(|m| target(cell, m))).collect(),
            places: size
                .iter_cells()
                .map(|cell| (size.row(cell) as u8, size.column(cell) as u8))
                .collect(),
            distances: pairs.map(|(from, to)| size.distance(from, to) as u8).collect(),
        }
    }

    /// The position of `board`, as seen from `goal`.
    pub fn position(&self, board: &Board, goal: &Board) -> Position {
        let mut goal_cells = vec![0; self.size.cells()];
        for cell in self.size.iter_cells() {
            goal_cells[goal.tile(cell).index()] = cell.index() as u8;
        }
        let cells = board.tiles().iter().map(|tile| goal_cells[tile.index()]).collect();
        Position { cells, blank: board.blank().index() as u8 }
    }

    pub fn moves(&self, blank: u8) -> MoveSet {
        self.moves[usize::from(blank)]
    }

    /// Where a blank on `cell` goes by the legal move `m`.
    #[inline]
    pub fn target(&self, cell: u8, m: Move) -> u8 {
        self.targets[usize::from(cell)][m.index()]
    }

    /// The cells beside `cell`, and the moves that lead there.
    pub fn around(&self, cell: u8) -> impl Iterator<Item = (Move, u8)> + '_ {
        self.moves(cell).into_iter().map(move |m| (m, self.target(cell, m)))
    }

    /// Rows and columns between two cells.
    #[inline]
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.distances[usize::from(from) * self.size.cells() + usize::from(to)]
    }

    pub fn row(&self, cell: u8) -> usize {
        self.places[usize::from(cell)].0.into()
    }

    pub fn column(&self, cell: u8) -> usize {
        self.places[usize::from(cell)].1.into()
    }
}

impl Position {
    pub fn is_solved(&self) -> bool {
        self.cells.iter().enumerate().all(|(cell, &goal)| cell == usize::from(goal))
    }

    pub fn apply(&mut self, plane: &Plane, m: Move) {
        let to = plane.target(self.blank, m);
        self.cells.swap(usize::from(self.blank), usize::from(to));
        self.blank = to;
    }

    /// The cell of the tile that belongs on `goal`.
    pub fn find(&self, goal: u8) -> u8 {
        let place = self.cells.iter().position(|&other| other == goal);
        place.expect("every tile is on the board") as u8
    }
}
