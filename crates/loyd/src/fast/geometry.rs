//! The board geometry of the fast solver, in which a tile is named by its goal cell.

use std::cmp::Ordering;

use loyd_tiles::{Board, Cell, Move, MoveTable, Relabelling, Size};

/// What all positions of a problem share: its size, and tables of what [`Size`] computes.
///
/// The beam needs four distances and the lines of two cells for each child, and looks them up to save the divisions
/// of [`Size`].
pub(super) struct Geometry {
    pub size: Size,
    pub moves: MoveTable,
    /// The blank's goal.
    pub blank_goal: u8,
    labels: Relabelling,
    /// By two cells; the first one names a tile in the last two tables.
    distances: Vec<Cells>,
    own_lines: Vec<Cells>,
    reversed: Vec<Cells>,
}

/// A byte for each cell, of the same length for all boards, so that no index has to be checked.
pub(super) type Cells = [u8; Size::MAX_CELLS];

/// A position: on each cell the goal cell of the tile or blank that is there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub cells: Vec<u8>,
    pub blank: u8,
}

impl Geometry {
    pub fn new(goal: &Board) -> Self {
        let (size, blank) = (goal.size(), goal.blank());
        let bits = |m: Move, n: Move| 1 << m.index() | 1 << n.index();
        let lines = |a, b| {
            let row = if size.row(a) == size.row(b) { bits(Move::Left, Move::Right) } else { 0 };
            let column = size.column(a) == size.column(b);
            if column { row | bits(Move::Up, Move::Down) } else { row }
        };
        let reversed = |tile: Cell, other: Cell| match other.cmp(&tile) {
            _ if other == blank => 0,
            Ordering::Less => lines(tile, other) & bits(Move::Right, Move::Down),
            Ordering::Equal => 0,
            Ordering::Greater => lines(tile, other) & bits(Move::Left, Move::Up),
        };
        Self {
            size,
            moves: MoveTable::new(size),
            blank_goal: blank.index() as u8,
            labels: Relabelling::new(goal),
            distances: table(size, |from, to| size.distance(from, to) as u8),
            own_lines: table(size, lines),
            reversed: table(size, reversed),
        }
    }

    pub fn position(&self, board: &Board) -> Position {
        let goal_cell = |label| self.labels.goal_cell(label).index() as u8;
        let cells = self.labels.labels(board).map(goal_cell).collect();
        Position { cells, blank: board.blank().index() as u8 }
    }

    /// The number of moves that a tile needs between two cells on an empty board.
    #[inline]
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.distances[usize::from(from)][usize::from(to)]
    }

    /// The directions along the lines that `cell` shares with the goal of `tile`: bits by [`Move::index`].
    #[inline]
    pub fn own_lines(&self, tile: u8, cell: u8) -> u8 {
        self.own_lines[usize::from(tile)][usize::from(cell)]
    }

    /// For each other tile, the directions from `tile` in which it is in the wrong order, in lines that
    /// contain both their goals: bits by [`Move::index`], none for the blank and for `tile` itself.
    #[inline]
    pub fn reversed(&self, tile: u8) -> &Cells {
        &self.reversed[usize::from(tile)]
    }

    pub fn row(&self, cell: u8) -> usize {
        self.size.row(Cell::new(cell.into()))
    }

    pub fn column(&self, cell: u8) -> usize {
        self.size.column(Cell::new(cell.into()))
    }
}

/// The value of `entry` for each two cells.
fn table(size: Size, entry: impl Fn(Cell, Cell) -> u8) -> Vec<Cells> {
    let row = |first| {
        let mut row = [0; Size::MAX_CELLS];
        size.iter_cells().for_each(|second| row[second.index()] = entry(first, second));
        row
    };
    size.iter_cells().map(row).collect()
}

impl Position {
    pub fn is_solved(&self) -> bool {
        self.cells.iter().enumerate().all(|(cell, &goal)| cell == usize::from(goal))
    }

    pub fn apply(&mut self, geometry: &Geometry, m: Move) {
        let to = geometry.moves.target(self.blank, m);
        self.cells.swap(self.blank.into(), to.into());
        self.blank = to;
    }

    /// The position after `moves`.
    pub fn after(&self, geometry: &Geometry, moves: &[Move]) -> Self {
        let mut position = self.clone();
        moves.iter().for_each(|&m| position.apply(geometry, m));
        position
    }

    /// The cell of the tile whose goal is `goal`.
    pub fn find(&self, goal: u8) -> u8 {
        let cell = self.cells.iter().position(|&other| other == goal);
        cell.expect("every tile is on the board") as u8
    }
}
