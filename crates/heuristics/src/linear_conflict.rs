//! Linear conflict: Manhattan distance plus the detours of tiles that must pass each other. [`LinearConflict`] is for
//! boards of any size; [`SmallLinearConflict`] looks the detours up on boards of at most 4x4 cells.
//!
//! # Data layout of the small version
//! A line (row or column) has four fields of 3 bits, one per cell. The field of a cell is the goal position, 0 to 3,
//! of its tile within the line if this is the goal line of the tile, else [`NONE`]. The lines of one direction
//! share a word:
//!
//! | bits | contents |
//! |---|---|
//! | 12 · line + 3 · position | field of the cell at `position` of `line` |
//! | 48 to 63 | unused |
//!
//! The 12 bits of a line index [`DETOURS`].

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, Size, StepSpace};

use crate::tile_sum::TileSum;

/// Manhattan distance plus two moves for each tile that must leave its goal row or column to let
/// others pass.
///
/// Among the tiles that are in their goal line (row or column), a longest subsequence in goal order can stay; each
/// of the others has to step out of the line and back. Admissible and consistent. Incremental: a move changes
/// the conflicts of at most one line, which are recomputed. [`SmallLinearConflict`] looks them
/// up in a table if lines are short.
///
/// # References
/// Hansson, Mayer and Yung (1992), "Criticizing solutions to relaxed models yields powerful
/// admissible heuristics", Information Sciences 63.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: TileSum,
    size: Size,
    /// Row and column of the goal cell of each label.
    goals: Vec<[u16; 2]>,
}

/// Stands for the goal row and column of tiles that a partial goal does not constrain.
const UNCONSTRAINED: [u16; 2] = [u16::MAX; 2];

/// The incremental state of [`LinearConflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflicts {
    manhattan: Cost,
    /// Two moves for each tile that must step out of its line.
    detours: Cost,
}

impl Conflicts {
    #[inline]
    fn value(self) -> Cost {
        self.manhattan + self.detours
    }
}

/// A row or a column.
#[derive(Clone, Copy)]
enum Line {
    Row(usize),
    Column(usize),
}

impl LinearConflict {
    /// Creates the heuristic for the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        let goal = |label| {
            let cell = labels.goal_cell(label);
            [size.row(cell) as u16, size.column(cell) as u16]
        };
        let goals = (0..size.tiles() as u8).map(goal).collect();
        Self { manhattan: TileSum::manhattan(labels), size, goals }
    }

    /// Removes the tiles that a partial goal does not constrain from the estimate.
    #[must_use]
    pub fn without_unconstrained(mut self, is_constrained: impl Fn(u8) -> bool) -> Self {
        for label in (0..self.size.tiles() as u8).filter(|&label| !is_constrained(label)) {
            self.goals[usize::from(label)] = UNCONSTRAINED;
        }
        self.manhattan = self.manhattan.without_unconstrained(is_constrained);
        self
    }

    /// Returns the detours of one line: two moves for each tile in its goal line, not counting a longest subsequence in
    /// goal order. Cost: O(n log n) for n cells.
    #[inline]
    fn detours<S: StepSpace>(&self, space: &S, state: &S::State, line: Line) -> Cost {
        let width = self.size.width();
        let (first, step, count) = match line {
            Line::Row(row) => (row * width, 1, width),
            Line::Column(column) => (column, width, self.size.height()),
        };
        let blank = space.blank(state).index();
        // Patience sorting: tails[l] is the smallest last goal position of the increasing subsequences of length l + 1.
        let mut tails = [0_u8; Size::MAX_SEARCH_CELLS];
        let (mut tiles, mut longest) = (0, 0);
        for cell in (0..count).map(|i| first + i * step).filter(|&cell| cell != blank) {
            let label = space.label(state, Cell::new(cell));
            let [goal_row, goal_column] = self.goals[usize::from(label)];
            let (own_line, place) = match line {
                Line::Row(row) => (usize::from(goal_row) == row, goal_column as u8),
                Line::Column(column) => (usize::from(goal_column) == column, goal_row as u8),
            };
            if own_line {
                let length = tails[..longest].partition_point(|&tail| tail < place);
                tails[length] = place;
                longest = longest.max(length + 1);
                tiles += 1;
            }
        }
        2 * (tiles - longest) as Cost
    }

    /// Returns the line whose conflicts change when the tile with goal cell `goal` enters or leaves `cell`
    /// by the move `m`: the line perpendicular to the move, if it is the goal line of the tile.
    #[inline]
    fn affected_line(
        &self,
        m: Move,
        cell: usize,
        [goal_row, goal_column]: [u16; 2],
    ) -> Option<Line> {
        let (row, column) = (cell / self.size.width(), cell % self.size.width());
        match m {
            Move::Left | Move::Right => {
                (column == usize::from(goal_column)).then_some(Line::Column(column))
            }
            Move::Up | Move::Down => (row == usize::from(goal_row)).then_some(Line::Row(row)),
        }
    }
}

impl<S: StepSpace> Heuristic<S> for LinearConflict {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.memo(space, state).value()
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for LinearConflict {
    type Memo = Conflicts;

    fn memo(&self, space: &S, state: &S::State) -> Conflicts {
        let rows = (0..self.size.height()).map(Line::Row);
        let columns = (0..self.size.width()).map(Line::Column);
        Conflicts {
            manhattan: self.manhattan.h(space, state),
            detours: rows.chain(columns).map(|line| self.detours(space, state, line)).sum(),
        }
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        memo: Conflicts,
        parent: &S::State,
        m: Move,
        child: &S::State,
    ) -> Conflicts {
        let manhattan = self.manhattan.update(space, memo.manhattan, parent, m, child);
        let (from, to) = (space.target(parent, m), space.blank(parent));
        let goal = self.goals[usize::from(space.moving(parent, m))];
        let mut detours = memo.detours;
        for cell in [from, to] {
            let Some(line) = self.affected_line(m, cell.index(), goal) else { continue };
            detours -= self.detours(space, parent, line);
            detours += self.detours(space, child, line);
        }
        Conflicts { manhattan, detours }
    }

    #[inline]
    fn value(&self, memo: &Conflicts) -> Cost {
        memo.value()
    }
}

/// [`LinearConflict`] for boards of at most four rows and columns: the same
/// values, several times as fast.
///
/// Incremental: the state has one field per cell for rows and one for columns. A move changes one field in each of
/// the two lines perpendicular to it, whose detours are looked up.
#[derive(Clone, Debug)]
pub struct SmallLinearConflict {
    manhattan: TileSum,
    size: Size,
    places: [Place; 16],
    /// `row_fields[label · 4 + row]`: the goal column of the tile if `row` is its goal row, else [`NONE`].
    row_fields: Vec<u64>,
    /// `column_fields[label · 4 + column]`: the goal row of the tile if `column` is its goal column, else [`NONE`].
    column_fields: Vec<u64>,
}

/// Precomputed positions of a cell in its row and in its column.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    row: InLine,
    column: InLine,
}

#[derive(Clone, Copy, Debug, Default)]
struct InLine {
    /// Index of the row or column.
    line: u8,
    /// Lowest bit of the cell's field.
    bit: u8,
}

/// The incremental state of [`SmallLinearConflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallConflicts {
    manhattan: Cost,
    detours: Cost,
    /// Fields of the cells in their rows, row by row.
    rows: u64,
    /// Fields of the cells in their columns, column by column.
    columns: u64,
}

const FIELD_BITS: usize = 3;
const LINE_BITS: usize = 4 * FIELD_BITS;
const FIELD: u64 = 7;
/// Field of the blank, of cells outside the board, and of tiles that are not in their goal line.
const NONE: u64 = 7;

/// Returns the lowest bit of the field at position `place` of `line`.
fn bit(line: usize, place: usize) -> usize {
    line * LINE_BITS + place * FIELD_BITS
}

/// Detours by the 12 bits of a line: two moves for each tile in its goal line, not counting a longest subsequence in
/// goal order. That is found by trying all 16 subsets of the four cells.
const DETOURS: [u8; 1 << LINE_BITS] = {
    let mut detours = [0; 1 << LINE_BITS];
    let mut line = 0;
    while line < detours.len() {
        let (mut chosen, mut tiles, mut longest) = (0_u32, 0, 0);
        while chosen < 16 {
            // `next` is the smallest goal position that the next chosen tile may have: the previous one plus 1, or 9
            // (more than any field) once the chosen tiles are out of order.
            let (mut place, mut next) = (0, 0);
            tiles = 0;
            while place < 4 {
                let target = line >> (place * FIELD_BITS) & FIELD as usize;
                tiles += (target != NONE as usize) as u32;
                if chosen >> place & 1 == 1 {
                    next = if target >= next && target != NONE as usize { target + 1 } else { 9 };
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
    /// Returns whether boards of `size` have at most four rows and columns.
    pub fn fits(size: Size) -> bool {
        size.width().max(size.height()) <= 4
    }

    /// Creates the heuristic for the goal of `labels`.
    ///
    /// # Panics
    /// Panics if the boards do not [fit](Self::fits).
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        assert!(Self::fits(size), "{size} boards have lines of more than four cells");
        let goals: Vec<Cell> = (0..size.tiles() as u8).map(|l| labels.goal_cell(l)).collect();
        let fields_of = |line: fn(Size, Cell) -> usize, place: fn(Size, Cell) -> usize| {
            let target =
                |goal, at| if line(size, goal) == at { place(size, goal) as u64 } else { NONE };
            goals.iter().flat_map(|&goal| (0..4).map(move |at| target(goal, at))).collect()
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
            row_fields: fields_of(Size::row, Size::column),
            column_fields: fields_of(Size::column, Size::row),
        }
    }

    /// Returns the detours of one line.
    #[inline]
    fn line(fields: u64, line: usize) -> Cost {
        DETOURS[(fields >> (line * LINE_BITS)) as usize % DETOURS.len()].into()
    }

    /// Returns the fields and the detours after a tile has moved from one position to another, where its field becomes
    /// `target`. If the line stays the same, so do the order of its tiles and the detours.
    #[inline]
    fn moved(fields: u64, detours: Cost, from: InLine, to: InLine, target: u64) -> (u64, Cost) {
        // Fields take 48 bits, so the mask changes nothing; it lets the compiler omit the overflow checks of shifts.
        let (from_bit, to_bit) = (from.bit & 63, to.bit & 63);
        // The tile leaves a blank behind: all ones is `NONE`.
        let left = fields | FIELD << from_bit;
        let moved = left & !(FIELD << to_bit) | target << to_bit;
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
    type Memo = SmallConflicts;
    const SPECIALIZE: bool = true;

    fn memo(&self, space: &S, state: &S::State) -> SmallConflicts {
        let blank = space.blank(state);
        let (mut rows, mut columns) = (u64::MAX, u64::MAX);
        for cell in self.size.iter_cells().filter(|&cell| cell != blank) {
            let (row, column) = (self.size.row(cell), self.size.column(cell));
            let label = usize::from(space.label(state, cell));
            rows ^= (NONE ^ self.row_fields[4 * label + row]) << bit(row, column);
            columns ^= (NONE ^ self.column_fields[4 * label + column]) << bit(column, row);
        }
        let detours = (0..4).map(|line| Self::line(rows, line) + Self::line(columns, line)).sum();
        SmallConflicts { manhattan: self.manhattan.h(space, state), detours, rows, columns }
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        memo: SmallConflicts,
        parent: &S::State,
        m: Move,
        child: &S::State,
    ) -> SmallConflicts {
        let manhattan = self.manhattan.update(space, memo.manhattan, parent, m, child);
        let label = usize::from(space.moving(parent, m));
        let place = |cell: Cell| self.places[cell.index() % 16];
        let (from, to) = (place(space.target(parent, m)), place(space.blank(parent)));
        let target = self.row_fields[4 * label + usize::from(to.row.line)];
        let (rows, detours) = Self::moved(memo.rows, memo.detours, from.row, to.row, target);
        let target = self.column_fields[4 * label + usize::from(to.column.line)];
        let (columns, detours) = Self::moved(memo.columns, detours, from.column, to.column, target);
        SmallConflicts { manhattan, detours, rows, columns }
    }

    #[inline]
    fn value(&self, memo: &SmallConflicts) -> Cost {
        memo.manhattan + memo.detours
    }
}
