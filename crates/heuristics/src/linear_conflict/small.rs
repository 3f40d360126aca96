//! Linear conflict on small boards: the conflicts of a line looked up, not worked out.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, Size, StepSpace};

use crate::tile_sum::TileSum;

/// [`LinearConflict`](super::LinearConflict) for boards of at most four rows and columns: the same
/// values, several times as fast.
///
/// Carried along: for each cell the place that its tile wants in its line, for rows and for columns. A
/// move changes one field of two lines across its direction, whose conflicts are looked up.
#[derive(Clone, Debug)]
pub struct SmallLinearConflict {
    manhattan: TileSum,
    size: Size,
    places: [Place; 16],
    /// `wants[label · 4 + row]`: the column that the tile wants if that is its goal row, else [`NONE`].
    row_wants: Vec<u64>,
    /// The row that it wants, by label and column.
    column_wants: Vec<u64>,
}

/// A cell as part of two lines, worked out in advance.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    row: InLine,
    column: InLine,
}

#[derive(Clone, Copy, Debug, Default)]
struct InLine {
    /// Which row, or column.
    line: u8,
    /// The lowest bit of the cell's field.
    bit: u8,
}

/// What [`SmallLinearConflict`] carries along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    manhattan: Cost,
    detours: Cost,
    /// Three bits a cell, four cells a line, row by row.
    rows: u64,
    /// The same column by column.
    columns: u64,
}

const FIELD_BITS: usize = 3;
const LINE_BITS: usize = 4 * FIELD_BITS;
const FIELD: u64 = 7;
/// The field of a blank, of a cell past the board, and of a tile that is not in its goal line.
const NONE: u64 = 7;

/// The lowest bit of the field at `place` of `line`.
fn bit(line: usize, place: usize) -> usize {
    line * LINE_BITS + place * FIELD_BITS
}

/// The detours of a line with these four fields: two for each tile but those of the longest run in
/// goal order, found among all sixteen choices of tiles.
const DETOURS: [u8; 1 << LINE_BITS] = {
    let mut detours = [0; 1 << LINE_BITS];
    let mut line = 0;
    while line < detours.len() {
        let (mut chosen, mut tiles, mut longest) = (0_u32, 0, 0);
        while chosen < 16 {
            // One more than the place that the last chosen tile wants; past all if they are no run.
            let (mut place, mut next) = (0, 0);
            tiles = 0;
            while place < 4 {
                let want = line >> (place * FIELD_BITS) & FIELD as usize;
                tiles += (want != NONE as usize) as u32;
                if chosen >> place & 1 == 1 {
                    next = if want >= next && want != NONE as usize { want + 1 } else { 9 };
                }
                place += 1;
            }
            if next < 9 && chosen.count_ones() > longest {
                longest = chosen.count_ones();
            }
            chosen += 1;
        }
        detours[line] = 2 * (tiles - longest) as u8;
        line += 1;
    }
    detours
};

impl SmallLinearConflict {
    /// Whether a board of `size` is small.
    pub fn fits(size: Size) -> bool {
        size.width().max(size.height()) <= 4
    }

    /// The heuristic for the goal of `labels`.
    ///
    /// # Panics
    /// If the boards do not [fit](Self::fits).
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        assert!(Self::fits(size), "{size} boards have lines of more than four cells");
        let goals: Vec<Cell> = (0..size.tiles() as u8).map(|l| labels.goal_cell(l)).collect();
        let wants = |line: fn(Size, Cell) -> usize, place: fn(Size, Cell) -> usize| {
            let want =
                |goal, at| if line(size, goal) == at { place(size, goal) as u64 } else { NONE };
            goals.iter().flat_map(|&goal| (0..4).map(move |at| want(goal, at))).collect()
        };
        let in_line = |line, place| InLine { line: line as u8, bit: bit(line, place) as u8 };
        let mut places = [Place::default(); 16];
        for (place, cell) in places.iter_mut().zip(size.iter_cells()) {
            let (row, column) = (size.row(cell), size.column(cell));
            *place = Place { row: in_line(row, column), column: in_line(column, row) };
        }
        Self {
            manhattan: TileSum::manhattan(labels),
            size,
            places,
            row_wants: wants(Size::row, Size::column),
            column_wants: wants(Size::column, Size::row),
        }
    }

    /// The detours of one line.
    #[inline]
    fn line(fields: u64, line: usize) -> Cost {
        DETOURS[(fields >> (line * LINE_BITS)) as usize % DETOURS.len()].into()
    }

    /// The fields and the detours after a tile has gone from one line and place to another: if the
    /// line is the same, the order in it is too, and its detours.
    #[inline]
    fn moved(fields: u64, detours: Cost, from: InLine, to: InLine, want: u64) -> (u64, Cost) {
        // All fields take 48 bits; the mask says that no shift is out of range.
        let (from_bit, to_bit) = (from.bit & 63, to.bit & 63);
        let left = fields | FIELD << from_bit;
        let moved = left & !(FIELD << to_bit) | want << to_bit;
        if from.line == to.line {
            return (moved, detours);
        }
        let (from, to) = (from.line.into(), to.line.into());
        let before = Self::line(fields, from) + Self::line(fields, to);
        (moved, detours + Self::line(moved, from) + Self::line(moved, to) - before)
    }
}

impl<S: StepSpace> Heuristic<S> for SmallLinearConflict {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        IncrementalHeuristic::<S>::value(self, &self.memo(space, state))
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for SmallLinearConflict {
    type Memo = Fields;
    const SPECIALIZE: bool = true;

    fn memo(&self, space: &S, state: &S::State) -> Fields {
        let blank = space.blank(state);
        let (mut rows, mut columns) = (u64::MAX, u64::MAX);
        for cell in self.size.iter_cells().filter(|&cell| cell != blank) {
            let (row, column) = (self.size.row(cell), self.size.column(cell));
            let label = usize::from(space.label(state, cell));
            rows ^= (NONE ^ self.row_wants[4 * label + row]) << bit(row, column);
            columns ^= (NONE ^ self.column_wants[4 * label + column]) << bit(column, row);
        }
        let detours = (0..4).map(|line| Self::line(rows, line) + Self::line(columns, line)).sum();
        Fields { manhattan: self.manhattan.h(space, state), detours, rows, columns }
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        memo: Fields,
        parent: &S::State,
        m: Move,
        child: &S::State,
    ) -> Fields {
        let manhattan = self.manhattan.update(space, memo.manhattan, parent, m, child);
        let label = usize::from(space.moving(parent, m));
        let place = |cell: Cell| self.places[cell.index() % 16];
        let (from, to) = (place(space.target(parent, m)), place(space.blank(parent)));
        let want = self.row_wants[4 * label + usize::from(to.row.line)];
        let (rows, detours) = Self::moved(memo.rows, memo.detours, from.row, to.row, want);
        let want = self.column_wants[4 * label + usize::from(to.column.line)];
        let (columns, detours) = Self::moved(memo.columns, detours, from.column, to.column, want);
        Fields { manhattan, detours, rows, columns }
    }

    #[inline]
    fn value(&self, memo: &Fields) -> Cost {
        memo.manhattan + memo.detours
    }
}
