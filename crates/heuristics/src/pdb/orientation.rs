//! The canonical orientation of boards, in which few tables serve all goals.

use loyd_tiles::{BoardSpace, Cell, Move, Relabelling, Size, Symmetry};

use super::MAX_CELLS;

/// A board in canonical orientation: for each cell, the goal cell of the tile or blank on it, so that the goal is
/// 0, 1, 2, …. Entries past the last cell are ignored.
pub type Position = [u8; MAX_CELLS];

/// The rotation or reflection of a board for which the goal cell of the blank comes as early as possible in
/// reading order. Tiles are identified by their goal cells in this orientation.
#[derive(Clone, Debug)]
pub struct Orientation {
    size: Size,
    blank: u8,
    /// Canonical cell, by cell of the board.
    cells: [u8; MAX_CELLS],
    /// Cell of the board, by canonical cell.
    origins: [u8; MAX_CELLS],
    /// Canonical goal cell, by label.
    goals: [u8; MAX_CELLS],
    /// Canonical move, by move on the board.
    moves: [Move; 4],
    /// Move on the board, by canonical move.
    inverse_moves: [Move; 4],
}

impl Orientation {
    /// Creates the canonical orientation for the goal of `labels`. Returns `None` if the board has more than
    /// [`MAX_CELLS`] cells.
    pub fn new(labels: &Relabelling) -> Option<Self> {
        let (size, blank) = (labels.goal().size(), labels.goal().blank());
        if size.cells() > MAX_CELLS {
            return None;
        }
        let symmetry = Symmetry::to_front(size, blank);
        let image = |cell: Cell| symmetry.cell(size, cell).index() as u8;
        let mut orientation = Self {
            size: symmetry.size(size),
            blank: image(blank),
            cells: [0; MAX_CELLS],
            origins: [0; MAX_CELLS],
            goals: [0; MAX_CELLS],
            moves: Move::ALL.map(|m| symmetry.apply(m)),
            inverse_moves: Move::ALL,
        };
        for cell in size.iter_cells() {
            orientation.cells[cell.index()] = image(cell);
            orientation.origins[usize::from(image(cell))] = cell.index() as u8;
        }
        for label in 0..size.tiles() as u8 {
            orientation.goals[usize::from(label)] = image(labels.goal_cell(label));
        }
        for m in Move::ALL {
            orientation.inverse_moves[symmetry.apply(m).index()] = m;
        }
        Some(orientation)
    }

    /// Returns the size of boards in canonical orientation: the width is at most the height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the canonical goal cell of the blank.
    pub fn blank(&self) -> u8 {
        self.blank
    }

    /// Returns whether transposing the board keeps the goal cell of the blank, so that a board and its
    /// transpose (with tiles renamed) have the same distance from the goal.
    pub fn is_reflective(&self) -> bool {
        reflects(self.size, self.blank)
    }

    /// Returns the canonical cell of `cell`.
    #[inline]
    pub fn cell(&self, cell: Cell) -> u8 {
        self.cells[cell.index() % MAX_CELLS]
    }

    /// Returns the cell of the board that becomes the canonical `cell`.
    #[inline]
    pub fn origin(&self, cell: u8) -> Cell {
        Cell::new(self.origins[usize::from(cell) % MAX_CELLS].into())
    }

    /// Returns the canonical goal cell of the tile with this label.
    #[inline]
    pub fn goal(&self, label: u8) -> u8 {
        self.goals[usize::from(label) % MAX_CELLS]
    }

    /// Converts a move on the board to canonical orientation.
    pub fn to_canonical(&self, m: Move) -> Move {
        self.moves[m.index()]
    }

    /// Converts a move in canonical orientation to a move on the board.
    pub fn from_canonical(&self, m: Move) -> Move {
        self.inverse_moves[m.index()]
    }

    /// Returns the board of `state` in canonical orientation.
    pub fn position<S: BoardSpace>(&self, space: &S, state: &S::State) -> Position {
        let blank = space.blank(state);
        self.position_of(space.size(), |cell| (cell != blank).then(|| space.label(state, cell)))
    }

    /// Returns a board of `size` in canonical orientation, where `label` returns the label of the tile on each cell, or
    /// `None` for the blank.
    #[inline]
    pub fn position_of(&self, size: Size, label: impl Fn(Cell) -> Option<u8>) -> Position {
        let mut position = [0; MAX_CELLS];
        for cell in size.iter_cells() {
            position[usize::from(self.cell(cell))] =
                label(cell).map_or(self.blank, |label| self.goal(label));
        }
        position
    }
}

/// Returns whether transposing boards of `size` keeps the goal cell `blank` of the blank.
pub(super) fn reflects(size: Size, blank: u8) -> bool {
    let transposed = Symmetry::TRANSPOSE.cell(size, Cell::new(blank.into()));
    size.width() == size.height() && transposed.index() == usize::from(blank)
}

#[cfg(test)]
mod tests {
    use loyd_tiles::{ArraySpace, Board, Goal};

    use super::*;

    #[test]
    fn moves_and_positions_agree_in_canonical_orientation() {
        use loyd_search::StateSpace;
        let numbers = [5, 1, 2, 3, 4, 9, 6, 0, 8, 7, 10, 11];
        let size = Size::new(4, 3).unwrap();
        let goal = Board::new(size, &numbers).unwrap();
        let space = ArraySpace::<16>::new(&goal);
        let orientation = Orientation::new(space.relabelling()).unwrap();
        assert_eq!((orientation.size().to_string(), orientation.blank()), ("3x4".to_owned(), 1));
        let mut state = space.encode(&goal);
        let identity: Position = std::array::from_fn(|i| if i < 12 { i as u8 } else { 0 });
        assert_eq!(orientation.position(&space, &state), identity);
        let mut position = identity;
        for m in [Move::Left, Move::Down, Move::Left, Move::Up, Move::Up, Move::Right] {
            let blank = position.iter().position(|&goal| goal == 1).unwrap();
            let to = orientation
                .size()
                .neighbour(Cell::new(blank), orientation.to_canonical(m))
                .unwrap();
            position.swap(blank, to.index());
            space.apply(&mut state, m);
            assert_eq!(orientation.position(&space, &state), position);
            assert_eq!(orientation.from_canonical(orientation.to_canonical(m)), m);
        }
    }

    #[test]
    fn only_goals_with_the_blank_on_the_diagonal_are_reflective() {
        let reflects = |goal: &Goal, width, height| {
            let goal = goal.board(Size::new(width, height).unwrap()).unwrap();
            Orientation::new(&Relabelling::new(&goal)).unwrap().is_reflective()
        };
        assert!(reflects(&Goal::BlankLast, 4, 4) && reflects(&Goal::BlankFirst, 3, 3));
        assert!(!reflects(&Goal::BlankLast, 3, 4));
        let edge = Board::new(Size::EIGHT, &[1, 0, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        assert!(!reflects(&Goal::Board(edge), 3, 3));
    }
}
