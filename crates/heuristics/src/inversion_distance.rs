//! How many vertical and horizontal moves it takes to put the tiles in order.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, Size, StepSpace};

/// Inversion distance: the vertical moves that the order of the tiles by rows needs, and the horizontal
/// moves that their order by columns needs.
///
/// A vertical move takes a tile past `width - 1` others in reading order by rows, so it changes the number of
/// pairs in the wrong order by at most that; horizontal moves leave this order alone. The same holds for
/// horizontal moves, `height - 1` and reading order by columns. Each of the two numbers of moves has the
/// parity of the rows or columns between the blank and its goal cell. An axis of one cell gives 0.
///
/// Admissible and consistent where single steps count: a move changes one of the two numbers, by one. A slide
/// takes a tile past more others, so it does not hold there. Carried along: a move goes through the tiles
/// that it passes.
///
/// # References
/// Ken'ichiro Takahashi (takaken), the author of walking distance and of inversion distance, on his pages
/// about solving the 15-puzzle.
#[derive(Clone, Debug)]
pub struct InversionDistance {
    size: Size,
    /// The goal cell of the blank.
    blank: Cell,
    /// By label: the place of the goal cell in reading order by columns.
    by_columns: Vec<u8>,
}

/// What [`InversionDistance`] carries along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inversions {
    /// Pairs in the wrong order by rows, and by columns.
    rows: u16,
    columns: u16,
    /// Rows, and columns, between the blank and its goal cell.
    away: [u8; 2],
}

impl InversionDistance {
    /// The estimate for the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        let place = |label| {
            let cell = labels.goal_cell(label);
            (size.column(cell) * size.height() + size.row(cell)) as u8
        };
        let by_columns = (0..size.tiles()).map(|label| place(label as u8)).collect();
        Self { size, blank: labels.goal().blank(), by_columns }
    }

    /// The rows, and the columns, between `cell` and the goal cell of the blank.
    fn away(&self, cell: Cell) -> [u8; 2] {
        let apart = |place: fn(Size, Cell) -> usize| {
            place(self.size, cell).abs_diff(place(self.size, self.blank)) as u8
        };
        [apart(Size::row), apart(Size::column)]
    }

    /// The cells in reading order by columns.
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

/// The fewest moves that take `inversions` away, `step` at most with each, and have the parity of `away`.
fn moves(inversions: u16, step: usize, away: u8) -> Cost {
    if step == 0 {
        return 0;
    }
    let fewest = Cost::from(inversions).div_ceil(step as Cost);
    fewest + (fewest ^ Cost::from(away)) % 2
}

/// The pairs of which the first is larger than the second.
fn inversions(order: &[u8]) -> u16 {
    let later =
        |place: usize| order[place + 1..].iter().filter(move |&&other| other < order[place]);
    (0..order.len()).map(|place| later(place).count() as u16).sum()
}

/// The inversions once a tile of place `tile` has passed those of the places `passed`, to the front of them
/// or to their end.
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
        // The tile goes the other way than the blank.
        match m {
            Move::Up | Move::Down => {
                let between = (low + 1..high).map(|cell| label(Cell::new(cell)));
                memo.rows = passed(memo.rows, tile, m == Move::Down, between);
            }
            Move::Left | Move::Right => {
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
