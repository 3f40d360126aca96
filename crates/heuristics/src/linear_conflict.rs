//! Manhattan distance and the detours of tiles that must pass each other.

mod small;

pub use small::{Fields, SmallLinearConflict};

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Cell, Move, Relabelling, Size, StepSpace};

use crate::tile_sum::TileSum;

/// Manhattan distance plus two moves for each tile that must leave its goal row or column to let
/// others pass.
///
/// Of the tiles in a line whose goals are in that line, the longest run in goal order may stay; each
/// of the others has to step out and back. Admissible and consistent. Carried along: a move changes
/// at most one line whose conflicts count, which is computed again. [`SmallLinearConflict`] looks it
/// up where lines are short.
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

/// The row and the column of tiles that do not count.
const NOWHERE: [u16; 2] = [u16::MAX; 2];

/// What [`LinearConflict`] carries along.
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
    /// The heuristic for the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        let goal = |label| {
            let cell = labels.goal_cell(label);
            [size.row(cell) as u16, size.column(cell) as u16]
        };
        let goals = (0..size.tiles() as u8).map(goal).collect();
        Self { manhattan: TileSum::manhattan(labels), size, goals }
    }

    /// The same without the tiles that a partial goal does not constrain.
    #[must_use]
    pub fn of_constrained(mut self, is_constrained: impl Fn(u8) -> bool) -> Self {
        for label in (0..self.size.tiles() as u8).filter(|&label| !is_constrained(label)) {
            self.goals[usize::from(label)] = NOWHERE;
        }
        self.manhattan = self.manhattan.of_constrained(is_constrained);
        self
    }

    /// The detours of the tiles in one line: two for each of its own but the most that stand in goal order.
    #[inline]
    fn detours<S: StepSpace>(&self, space: &S, state: &S::State, line: Line) -> Cost {
        let width = self.size.width();
        let (first, step, count) = match line {
            Line::Row(row) => (row * width, 1, width),
            Line::Column(column) => (column, width, self.size.height()),
        };
        let blank = space.blank(state).index();
        // tails[l]: the first place that an increasing run of l + 1 places wanted so far can end with.
        let mut tails = [0_u8; Size::MAX_CELLS];
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

    /// The line whose conflicts change when the tile with goal cell `goal` enters or leaves `cell`
    /// by the move `m`: across the direction of travel, and only if it is the tile's own.
    fn touched(&self, m: Move, cell: usize, [goal_row, goal_column]: [u16; 2]) -> Option<Line> {
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
        for line in [from, to].into_iter().filter_map(|cell| self.touched(m, cell.index(), goal)) {
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
