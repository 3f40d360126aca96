//! Positions of the fast solver, and the geometry of their boards. Tiles are named by their goal cells.
//!
//! | position | tile | geometry | boards |
//! |---|---|---|---|
//! | [`Position`] | a byte | [`Geometry`], with tables by two cells | up to [`Size::MAX_SEARCH_CELLS`] cells |
//! | [`Layout`] | two bytes | [`Grid`], with tables by cell | any size |

use std::cmp::Ordering;

use loyd_tiles::{Board, Cell, Move, MoveTable, Relabelling, Size};

/// The size and the goal of a problem, and tables of what [`Size`] computes.
///
/// The beam needs four distances and the lines of two cells for each child; the tables save the divisions of [`Size`].
pub(super) struct Geometry {
    pub size: Size,
    pub moves: MoveTable,
    /// Goal cell of the blank.
    pub blank_goal: u8,
    labels: Relabelling,
    /// For each cell: the legal moves of a blank, as bits by [`Move::index`].
    exits: Vec<u8>,
    /// Tables by two cells. In `own_lines` and `reversed`, the first cell names a tile.
    distances: Vec<Cells>,
    own_lines: Vec<Cells>,
    reversed: Vec<Cells>,
}

/// A byte per cell. The length is the same for all boards, so that indexing needs no bounds check.
pub(super) type Cells = [u8; Size::MAX_SEARCH_CELLS];

/// A position: for each cell, the goal cell of the tile or blank on it.
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
        let exits = |cell| size.moves(cell).into_iter().fold(0, |bits, m| bits | 1 << m.index());
        Self {
            size,
            moves: MoveTable::new(size),
            blank_goal: blank.index() as u8,
            labels: Relabelling::new(goal),
            exits: size.iter_cells().map(exits).collect(),
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

    /// Returns the number of moves that a tile needs between two cells on an empty board.
    #[inline]
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.distances[usize::from(from)][usize::from(to)]
    }

    /// Returns the legal moves of a blank on `cell`, as bits by [`Move::index`].
    #[inline]
    pub fn exits(&self, cell: u8) -> u8 {
        self.exits[usize::from(cell)]
    }

    /// Returns the directions along the lines that `cell` shares with the goal of `tile`, as bits by [`Move::index`].
    #[inline]
    pub fn own_lines(&self, tile: u8, cell: u8) -> u8 {
        self.own_lines[usize::from(tile)][usize::from(cell)]
    }

    /// Returns, for each other tile, the directions from `tile` in which it is reversed, on lines that contain both
    /// their goals: bits by [`Move::index`]. The blank and `tile` itself have no bits.
    #[inline]
    pub fn reversed(&self, tile: u8) -> &Cells {
        &self.reversed[usize::from(tile)]
    }

    /// Returns the distance of `cell` from the nearest edge, relative to half the width or height: 0 at the edge, and up
    /// to 1 in the centre.
    pub fn centrality(&self, cell: u8) -> f64 {
        let along = |at: usize, length: usize| {
            let last = length - 1;
            at.min(last - at) as f64 / (last.max(1) as f64 / 2.0)
        };
        let rows = along(self.row(cell), self.size.height());
        rows.min(along(self.column(cell), self.size.width()))
    }

    pub fn row(&self, cell: u8) -> usize {
        self.size.row(Cell::new(cell.into()))
    }

    pub fn column(&self, cell: u8) -> usize {
        self.size.column(Cell::new(cell.into()))
    }
}

/// Tabulates `entry` for all pairs of cells.
fn table(size: Size, entry: impl Fn(Cell, Cell) -> u8) -> Vec<Cells> {
    let row = |first| {
        let mut row = [0; Size::MAX_SEARCH_CELLS];
        size.iter_cells().for_each(|second| row[second.index()] = entry(first, second));
        row
    };
    size.iter_cells().map(row).collect()
}

impl Position {
    pub fn apply(&mut self, geometry: &Geometry, m: Move) {
        let to = geometry.moves.target(self.blank, m);
        self.cells.swap(self.blank.into(), to.into());
        self.blank = to;
    }

    /// Returns the position after `moves`.
    pub fn after(&self, geometry: &Geometry, moves: &[Move]) -> Self {
        let mut position = self.clone();
        moves.iter().for_each(|&m| position.apply(geometry, m));
        position
    }
}

/// The size and the goal of a problem, and tables of what [`Size`] computes with divisions.
///
/// [`Geometry`] has larger tables, which are affordable for boards of up to [`Size::MAX_SEARCH_CELLS`] cells only.
pub(super) struct Grid {
    pub size: Size,
    /// Goal cell of the blank.
    pub blank_goal: u16,
    /// Target of the blank for each cell and move; the cell itself if the move is illegal.
    targets: Vec<[u16; 4]>,
    rows: Vec<u16>,
    columns: Vec<u16>,
}

/// A position: for each cell, the goal cell of the tile or blank on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub cells: Vec<u16>,
    pub blank: u16,
}

impl Grid {
    pub fn new(size: Size, blank_goal: Cell) -> Self {
        let number = |cell: Cell| cell.index() as u16;
        let targets = |cell| Move::ALL.map(|m| number(size.neighbour(cell, m).unwrap_or(cell)));
        Self {
            size,
            blank_goal: number(blank_goal),
            targets: size.iter_cells().map(targets).collect(),
            rows: size.iter_cells().map(|cell| size.row(cell) as u16).collect(),
            columns: size.iter_cells().map(|cell| size.column(cell) as u16).collect(),
        }
    }

    pub fn row(&self, cell: u16) -> usize {
        self.rows[usize::from(cell)].into()
    }

    pub fn column(&self, cell: u16) -> usize {
        self.columns[usize::from(cell)].into()
    }

    pub fn cell(&self, row: usize, column: usize) -> u16 {
        self.size.cell(row, column).index() as u16
    }

    /// Returns the number of moves that a tile needs between two cells on an empty board.
    #[inline]
    pub fn distance(&self, from: u16, to: u16) -> usize {
        self.row(from).abs_diff(self.row(to)) + self.column(from).abs_diff(self.column(to))
    }

    /// Returns the cell to which `m` takes a blank from `cell`; `cell` itself if the move is illegal.
    #[inline]
    pub fn target(&self, cell: u16, m: Move) -> u16 {
        self.targets[usize::from(cell)][m.index()]
    }

    /// Returns the legal moves from `cell` with their target cells.
    #[inline]
    pub fn neighbours(&self, cell: u16) -> impl Iterator<Item = (Move, u16)> + '_ {
        let targets = Move::ALL.into_iter().map(move |m| (m, self.target(cell, m)));
        targets.filter(move |&(_, to)| to != cell)
    }
}

impl Layout {
    /// Returns the position of `board` relative to `goal`.
    pub fn new(board: &Board, goal: &Board) -> Self {
        let mut goal_cells = vec![0; goal.tiles().len()];
        (0..).zip(goal.tiles()).for_each(|(cell, tile)| goal_cells[tile.index()] = cell);
        let cells = board.tiles().iter().map(|tile| goal_cells[tile.index()]).collect();
        Self { cells, blank: board.blank().index() as u16 }
    }

    /// Converts a position in bytes.
    pub fn of(position: &Position) -> Self {
        let cells = position.cells.iter().map(|&goal| goal.into()).collect();
        Self { cells, blank: position.blank.into() }
    }

    pub fn is_solved(&self) -> bool {
        self.cells.iter().enumerate().all(|(cell, &goal)| cell == usize::from(goal))
    }

    #[inline]
    pub fn apply(&mut self, grid: &Grid, m: Move) {
        let to = grid.target(self.blank, m);
        self.cells.swap(self.blank.into(), to.into());
        self.blank = to;
    }

    pub fn walk(&mut self, grid: &Grid, moves: &[Move]) {
        moves.iter().for_each(|&m| self.apply(grid, m));
    }

    /// Returns the sum of the distances of the tiles to their goals.
    pub fn total_distance(&self, grid: &Grid) -> usize {
        let tiles = (0..).zip(&self.cells).filter(|&(cell, _)| cell != self.blank);
        tiles.map(|(cell, &goal)| grid.distance(cell, goal)).sum()
    }
}

impl Geometry {
    /// Returns the grid for positions in two bytes.
    pub fn grid(&self) -> Grid {
        Grid::new(self.size, Cell::new(self.blank_goal.into()))
    }
}
