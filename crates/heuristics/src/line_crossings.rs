//! Tiles that have to cross a line between two neighbouring rows or columns.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Move, Relabelling, StepSpace};

/// How many lines between rows are counted, and how many between columns.
const LINES: usize = 16;

/// The largest number of tiles that have to cross one line between two neighbouring rows, plus the same for
/// columns. A tile has to cross a line if its cell is on one side of it and its goal cell on the other.
///
/// Made for slides of several tiles, where sums over tiles do not hold.
///
/// # Admissible
/// A slide in a column moves tiles across lines between rows only. It moves each of them by one cell, and no two
/// of them start in the same cell; so at most one of them crosses each line. If k tiles have to cross some line
/// between rows, any solution has at least k slides in columns. Likewise, it has as many slides in rows as tiles
/// have to cross some line between columns. No slide is counted twice. This holds on boards of any size, for any
/// goal, and for partial goals if only constrained tiles are counted. The steps of single tiles are slides, too,
/// so it holds for them; but there it never exceeds Manhattan distance, which is the sum over all lines.
///
/// # Consistent
/// By the same argument a slide in a column changes the number for each line between rows by at most 1, so it
/// changes the largest of them by at most 1, and those for columns not at all.
///
/// # More from alternating slides
/// In a shortest solution a slide in a row is never followed by another one in a row: that would be the same row,
/// where the tiles keep their order, so that only the last cell of the blank matters; one slide, or none, leads
/// there, too. So slides in rows and in columns alternate, and their numbers differ by at most 1. With v and h the
/// two numbers above, a solution has at least max(v + h, 2·max(v, h) − 1) slides:
/// [`alternating`](Self::alternating) gives that. A slide can lower it by 2, and it does not hold for single steps;
/// so the heuristic is v + h.
///
/// Their means over a thousand random boards (`tests/line_crossings.rs`):
///
/// | | 4x4 | 5x5 | 10x10 | 16x16 | 20x2 |
/// |---|---|---|---|---|---|
/// | v + h | 15.7 | 25.2 | 101.9 | 260.3 | 40.5 |
/// | alternating | 16.8 | 26.8 | 106.1 | 267.4 | 43.1 |
///
/// Carried along: a step of a tile changes the number for one line by 1. Sides of more than 17 cells have more
/// lines than are counted; 16 that are evenly spaced are chosen. A number fits a byte, because there are at most
/// 255 tiles.
#[derive(Clone, Debug)]
pub struct LineCrossings {
    /// By cell: a bit for each line, whether the cell is beyond it. The lower half is for lines between rows.
    sides: Vec<u32>,
    /// By label: the same for its goal cell, and the lines that it counts for, all or none.
    goals: Vec<(u32, u32)>,
}

/// By line: how many tiles have to cross it; those between rows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossings([u8; 2 * LINES]);

impl LineCrossings {
    /// Crossings of the tiles of a board with the goal of `labels`.
    pub fn new(labels: &Relabelling) -> Self {
        let size = labels.goal().size();
        let side = |cell| {
            let [row, column] = [size.row(cell), size.column(cell)];
            beyond(row, size.height()) | beyond(column, size.width()) << LINES
        };
        let sides: Vec<u32> = size.iter_cells().map(side).collect();
        let goal = |label| (sides[labels.goal_cell(label).index()], u32::MAX);
        let goals = (0..size.tiles()).map(|label| goal(label as u8)).collect();
        Self { sides, goals }
    }

    /// The same without the tiles that a partial goal does not constrain.
    #[must_use]
    pub fn of_constrained(mut self, is_constrained: impl Fn(u8) -> bool) -> Self {
        for ((_, counted), label) in self.goals.iter_mut().zip(0..) {
            *counted = if is_constrained(label) { u32::MAX } else { 0 };
        }
        self
    }

    /// The slides that are needed at least if slides in rows and in columns alternate, as they do in shortest
    /// solutions. Admissible in slides; neither consistent nor for single steps.
    pub fn alternating<S: StepSpace>(&self, space: &S, state: &S::State) -> Cost {
        let [upright, level] = self.crossings(space, state).needed();
        (upright + level).max((2 * upright.max(level)).saturating_sub(1))
    }

    fn crossings<S: StepSpace>(&self, space: &S, state: &S::State) -> Crossings {
        let mut numbers = [0; 2 * LINES];
        let (blank, cells) = (space.blank(state), space.size().iter_cells());
        for cell in cells.filter(|&cell| cell != blank) {
            let (goal, counted) = self.goals[usize::from(space.label(state, cell))];
            let crossed = (self.sides[cell.index()] ^ goal) & counted;
            for (line, number) in numbers.iter_mut().enumerate() {
                *number += (crossed >> line & 1) as u8;
            }
        }
        Crossings(numbers)
    }
}

/// A bit for each line across a side of `length` cells, set if the cell in this `place` is beyond it.
fn beyond(place: usize, length: usize) -> u32 {
    let lines = (length - 1).min(LINES);
    let first_beyond = |line: usize| (line + 1) * length / (lines + 1);
    (0..lines).map(|line| u32::from(place >= first_beyond(line)) << line).sum()
}

impl Crossings {
    /// The slides in columns that are needed at least, and those in rows.
    #[inline]
    fn needed(&self) -> [Cost; 2] {
        let (rows, columns) = self.0.split_at(LINES);
        [rows, columns].map(|lines| lines.iter().fold(0, |most, &number| most.max(number)).into())
    }
}

impl<S: StepSpace> Heuristic<S> for LineCrossings {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.crossings(space, state).needed().into_iter().sum()
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for LineCrossings {
    type Memo = Crossings;

    fn memo(&self, space: &S, state: &S::State) -> Crossings {
        self.crossings(space, state)
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        mut memo: Crossings,
        parent: &S::State,
        action: Move,
        _: &S::State,
    ) -> Crossings {
        let (goal, counted) = self.goals[usize::from(space.moving(parent, action))];
        let from = self.sides[space.target(parent, action).index()];
        let crossed = (from ^ self.sides[space.blank(parent).index()]) & counted;
        if crossed != 0 {
            let number = &mut memo.0[crossed.trailing_zeros() as usize];
            let had_to = (from ^ goal) & crossed != 0;
            *number = number.wrapping_add(if had_to { u8::MAX } else { 1 });
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &Crossings) -> Cost {
        memo.needed().into_iter().sum()
    }
}
