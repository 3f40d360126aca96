//! Inversion distance: the vertical and horizontal moves needed to remove all inversions of the tiles.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, Size, StepSpace};

/// Inversion distance: the vertical moves needed to remove the inversions in row-major order, plus the horizontal
/// moves needed to remove those in column-major order.
///
/// A vertical move takes a tile past `width - 1` others in row-major order, so it changes the number of
/// inversions by at most that; horizontal moves leave this order unchanged. The same holds for
/// horizontal moves, `height - 1` and column-major order. Each of the two numbers of moves has the
/// parity of the rows or columns between the blank and its goal cell. An axis of one cell contributes 0.
///
/// Admissible and consistent in the single-tile metric: a move changes one of the two numbers, by one. Not admissible
/// for slides, which take a tile past more others. Incremental: a move is compared with the `width - 1` or
/// `height - 1` tiles that it passes.
///
/// # References
/// Ken'ichiro Takahashi (takaken), the author of walking distance and of inversion distance, on his pages
/// about solving the 15-puzzle.
#[derive(Clone, Debug)]
pub struct InversionDistance {
    size: Size,
    /// The goal cell of the blank.
    blank: Cell,
    /// Column-major index of the goal cell, by label.
    by_columns: Vec<u8>,
}

/// The incremental state of [`InversionDistance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inversions {
    /// Inversions in row-major order.
    rows: u16,
    /// Inversions in column-major order.
    columns: u16,
    /// Number of rows and of columns between the blank and its goal cell.
    away: [u8; 2],
}

impl InversionDistance {
    /// Creates the heuristic for the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        let place = |label| {
            let cell = labels.goal_cell(label);
            (size.column(cell) * size.height() + size.row(cell)) as u8
        };
        let by_columns = (0..size.tiles()).map(|label| place(label as u8)).collect();
        Self { size, blank: labels.goal().blank(), by_columns }
    }

    /// Returns the number of rows and of columns between `cell` and the goal cell of the blank.
    fn away(&self, cell: Cell) -> [u8; 2] {
        let apart = |place: fn(Size, Cell) -> usize| {
            place(self.size, cell).abs_diff(place(self.size, self.blank)) as u8
        };
        [apart(Size::row), apart(Size::column)]
    }

    /// Returns the cells in column-major order.
    fn columnwise(&self) -> impl Iterator<Item = Cell> + '_ {
        let size = self.size;
        (0..size.width())
            .flat_map(move |column| (0..size.height()).map(move |row| size.cell(row, column)))
    }

    fn value_of(&self, memo: &Inversions) -> Cost {
        let [rows, columns] = memo.away;
        moves(memo.rows, self.size.width() - 1, rows)
            + moves(memo.columns, self.size.height() - 1, columns)
    }
}

/// Returns the smallest number of moves with the parity of `away` that can remove `inversions`, at most `step` per
/// move.
fn moves(inversions: u16, step: usize, away: u8) -> Cost {
    if step == 0 {
        return 0;
    }
    let fewest = Cost::from(inversions).div_ceil(step as Cost);
    fewest + (fewest ^ Cost::from(away)) % 2
}

/// Counts the pairs whose first element is larger than the second.
fn inversions(order: &[u8]) -> u16 {
    let later =
        |place: usize| order[place + 1..].iter().filter(move |&&other| other < order[place]);
    (0..order.len()).map(|place| later(place).count() as u16).sum()
}

/// Returns the number of inversions after the tile with goal index `tile` has moved past the tiles with goal indices
/// `passed`, to the front of them or to their end.
fn passed(inversions: u16, tile: u8, to_front: bool, passed: impl Iterator<Item = u8>) -> u16 {
    passed.fold(inversions, |inversions, other| match (other > tile) == to_front {
        true => inversions.wrapping_sub(1),
        false => inversions.wrapping_add(1),
    })
}

impl<S: StepSpace> Heuristic<S> for InversionDistance {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.value_of(&self.memo(space, state))
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for InversionDistance {
    type Memo = Inversions;

    fn memo(&self, space: &S, state: &S::State) -> Inversions {
        let blank = space.blank(state);
        let label = |cell| space.label(state, cell);
        let rows: Vec<u8> =
            self.size.iter_cells().filter(|&cell| cell != blank).map(label).collect();
        let columns = self.columnwise().filter(|&cell| cell != blank).map(label);
        let columns: Vec<u8> = columns.map(|label| self.by_columns[usize::from(label)]).collect();
        let (rows, columns) = (inversions(&rows), inversions(&columns));
        Inversions { rows, columns, away: self.away(blank) }
    }

    fn update(
        &self,
        space: &S,
        mut memo: Inversions,
        parent: &S::State,
        m: Move,
        _: &S::State,
    ) -> Inversions {
        let (size, from, to) = (self.size, space.target(parent, m), space.blank(parent));
        let label = |cell: Cell| space.label(parent, cell);
        let (low, high) = (from.index().min(to.index()), from.index().max(to.index()));
        let tile = space.moving(parent, m);
        // `m` is the move of the blank; the tile moves in the opposite direction.
        match m {
            Move::Up | Move::Down => {
                let between = (low + 1..high).map(|cell| label(Cell::new(cell)));
                memo.rows = passed(memo.rows, tile, m == Move::Down, between);
            }
            Move::Left | Move::Right => {
                // In column-major order, a horizontal move passes the tiles below it in the left column and those
                // above it in the right column.
                let left = low % size.width();
                let below = size.row(from) + 1..size.height();
                let above = 0..size.row(from);
                let between = below.map(|row| size.cell(row, left));
                let between = between.chain(above.map(|row| size.cell(row, left + 1)));
                let place = |label: u8| self.by_columns[usize::from(label)];
                let between = between.map(|cell| place(label(cell)));
                memo.columns = passed(memo.columns, place(tile), m == Move::Right, between);
            }
        }
        memo.away = self.away(from);
        memo
    }

    fn value(&self, memo: &Inversions) -> Cost {
        self.value_of(memo)
    }
}
