//! The board as `fast` sees it: cells, their neighbours, and tiles named by their goal cells.

use loyd_tiles::{Board, Cell, Move, MoveSet, Size};

/// What all positions of a problem share.
pub(super) struct Plane {
    pub size: Size,
    /// The goal cell of the blank.
    pub home: u8,
    moves: Vec<MoveSet>,
    targets: Vec<[u8; 4]>,
    /// For each two cells, the first of them being the tile where it says so.
    distances: Vec<Row>,
    own_lines: Vec<Row>,
    reversed: Vec<Row>,
    /// Row and column of each cell.
    places: Vec<(u8, u8)>,
}

/// A byte for each cell; the same length for all boards, so that no index is out of bounds.
type Row = [u8; Size::MAX_CELLS];

/// A position: on each cell the goal cell of what lies there, be it a tile or the blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub cells: Vec<u8>,
    pub blank: u8,
}

impl Plane {
    pub fn new(goal: &Board) -> Self {
        let size = goal.size();
        let home = goal.blank().index() as u8;
        let target = |cell, m| size.neighbour(cell, m).unwrap_or(cell).index() as u8;
        let bits = |m: Move, n: Move| 1u8 << m.index() | 1 << n.index();
        let lines = |a, b| {
            let row = if size.row(a) == size.row(b) { bits(Move::Left, Move::Right) } else { 0 };
            let column =
                if size.column(a) == size.column(b) { bits(Move::Up, Move::Down) } else { 0 };
            row | column
        };
        let reversed = |tile, other| {
            let before = if other < tile { bits(Move::Right, Move::Down) } else { 0 };
            let after = if other > tile { bits(Move::Left, Move::Up) } else { 0 };
            let blank = other == goal.blank();
            if blank { 0 } else { lines(tile, other) & (before | after) }
        };
        Self {
            size,
            home,
            moves: size.iter_cells().map(|cell| size.moves(cell)).collect(),
            targets: size.iter_cells().map(|cell| Move::ALL.map(|m| target(cell, m))).collect(),
            distances: table(size, |from, to| size.distance(from, to) as u8),
            own_lines: table(size, lines),
            reversed: table(size, reversed),
            places: size
                .iter_cells()
                .map(|cell| (size.row(cell) as u8, size.column(cell) as u8))
                .collect(),
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

    #[inline]
    pub fn moves(&self, blank: u8) -> MoveSet {
        self.moves[usize::from(blank)]
    }

    /// The cells beside `cell`, and the moves that lead there.
    #[inline]
    pub fn around(&self, cell: u8) -> impl Iterator<Item = (Move, u8)> + '_ {
        self.moves(cell).into_iter().map(move |m| (m, self.target(cell, m)))
    }

    /// For each move the cell that it leads to from `cell`, which is `cell` itself if it is illegal.
    #[inline]
    pub fn targets(&self, cell: u8) -> &[u8; 4] {
        &self.targets[usize::from(cell)]
    }

    /// Where a blank on `cell` goes by the move `m`; it stays if that is illegal.
    #[inline]
    pub fn target(&self, cell: u8, m: Move) -> u8 {
        self.targets(cell)[m.index()]
    }

    /// Rows and columns between two cells.
    #[inline]
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.distances[usize::from(from)][usize::from(to)]
    }

    /// The directions along the lines in which both `cell` and the goal of `tile` are: bits by
    /// [`Move::index`].
    #[inline]
    pub fn own_lines(&self, tile: u8, cell: u8) -> u8 {
        self.own_lines[usize::from(tile)][usize::from(cell)]
    }

    /// For each tile the directions from `tile` in which it is in the wrong order with that, in lines of
    /// both their goals: bits by [`Move::index`], none for the blank and for `tile` itself.
    #[inline]
    pub fn reversed(&self, tile: u8) -> &Row {
        &self.reversed[usize::from(tile)]
    }

    pub fn row(&self, cell: u8) -> usize {
        self.places[usize::from(cell)].0.into()
    }

    pub fn column(&self, cell: u8) -> usize {
        self.places[usize::from(cell)].1.into()
    }
}

/// What `entry` says of each two cells.
fn table(size: Size, entry: impl Fn(Cell, Cell) -> u8) -> Vec<Row> {
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

    pub fn apply(&mut self, plane: &Plane, m: Move) {
        let to = plane.target(self.blank, m);
        self.cells.swap(usize::from(self.blank), usize::from(to));
        self.blank = to;
    }

    /// The position after `moves`.
    pub fn after(&self, plane: &Plane, moves: &[Move]) -> Self {
        let mut position = self.clone();
        moves.iter().for_each(|&m| position.apply(plane, m));
        position
    }

    /// The cell of the tile that belongs on `goal`.
    pub fn find(&self, goal: u8) -> u8 {
        let place = self.cells.iter().position(|&other| other == goal);
        place.expect("every tile is on the board") as u8
    }
}

/// The bits that a tile on a cell adds to the hash of a position: two steps of mixing as in SplitMix64 (Steele, Lea and
/// Flood 2014).
#[inline]
pub(super) fn bits(tile: u8, cell: u8) -> u64 {
    let mut z = (u64::from(tile) << 8 | u64::from(cell)).wrapping_add(1);
    z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}
