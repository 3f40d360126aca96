//! Line crossings: tiles that have to cross a line between two adjacent rows or columns.
//!
//! Layout of the bit sets of lines (`u32`) and of the counters of [`Crossings`]: indices 0 to 15 are lines between
//! rows, from the top; 16 to 31 are lines between columns, from the left.

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{Move, Relabelling, StepSpace};

/// Maximum number of lines counted in each direction.
const LINES: usize = 16;

/// The maximum number of tiles that have to cross the same line between two adjacent rows, plus the same number for
/// columns. A tile has to cross a line if its cell and its goal cell are on different sides of it.
///
/// Intended for slides of several tiles, for which sums over tiles are not admissible.
///
/// # Admissible
/// A slide in a column moves tiles across lines between rows only. It moves each of them by one cell, and no two
/// of them start in the same cell; so at most one of them crosses each line. If k tiles have to cross some line
/// between rows, any solution has at least k slides in columns. Likewise, it has as many slides in rows as tiles
/// have to cross some line between columns. No slide is counted twice. This holds on boards of any size, for any
/// goal, and for partial goals if only constrained tiles are counted. Moves of single tiles are slides too, so the
/// estimate is also admissible for them; but there it never exceeds Manhattan distance, which is the sum over all
/// lines.
///
/// # Consistent
/// By the same argument a slide in a column changes the number for each line between rows by at most 1. So it
/// changes their maximum by at most 1, and the numbers for columns not at all.
///
/// # A stronger bound: alternating slides
/// In a shortest solution, no slide in a row is followed by another slide in a row: both would be in the same row,
/// where the tiles keep their order, so that only the final cell of the blank matters, and a single slide (or none)
/// leads there too. So slides in rows and in columns alternate, and their numbers differ by at most 1. With v and h the
/// two numbers above, a solution has at least max(v + h, 2·max(v, h) − 1) slides;
/// [`alternating`](Self::alternating) returns that. It is not used as the heuristic, because a slide can lower it by 2
/// and it is not admissible for single steps.
///
/// Means over a thousand random boards (`tests/line_crossings.rs`):
///
/// | | 4x4 | 5x5 | 10x10 | 16x16 | 20x2 |
/// |---|---|---|---|---|---|
/// | v + h | 15.7 | 25.2 | 101.9 | 260.3 | 40.5 |
/// | alternating | 16.8 | 26.8 | 106.1 | 267.4 | 43.1 |
///
/// Incremental: a step of a tile changes the number for one line by 1. On sides of more than 17 cells, only 16
/// evenly spaced lines are counted. The numbers fit in bytes, because there are at most 255 tiles.
#[derive(Clone, Debug)]
pub struct LineCrossings {
    /// By cell: the set of lines that the cell is beyond (below or to the right of).
    sides: Vec<u32>,
    /// By label: the set of lines that the goal cell is beyond, and a mask of the lines for which the tile counts (all,
    /// or none if it is not constrained).
    goals: Vec<(u32, u32)>,
}

/// The incremental state of [`LineCrossings`]: for each line, the number of tiles that have to cross it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossings([u8; 2 * LINES]);

impl LineCrossings {
    /// Creates the heuristic for the goal of `labels`.
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

    /// Removes the tiles that a partial goal does not constrain from the estimate.
    #[must_use]
    pub fn without_unconstrained(mut self, is_constrained: impl Fn(u8) -> bool) -> Self {
        for ((_, counted), label) in self.goals.iter_mut().zip(0..) {
            *counted = if is_constrained(label) { u32::MAX } else { 0 };
        }
        self
    }

    /// Returns a lower bound on the number of slides, given that slides in rows and in columns alternate in shortest
    /// solutions. Admissible for slides, but not consistent, and not admissible for single steps.
    pub fn alternating<S: StepSpace>(&self, space: &S, state: &S::State) -> Cost {
        let [vertical, horizontal] = self.crossings(space, state).needed();
        (vertical + horizontal).max((2 * vertical.max(horizontal)).saturating_sub(1))
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

/// Returns the set of lines across a side of `length` cells that position `place` is beyond.
fn beyond(place: usize, length: usize) -> u32 {
    let lines = (length - 1).min(LINES);
    let first_beyond = |line: usize| (line + 1) * length / (lines + 1);
    (0..lines).map(|line| u32::from(place >= first_beyond(line)) << line).sum()
}

impl Crossings {
    /// Returns lower bounds on the number of slides in columns and of slides in rows.
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
            // A single step crosses at most one line.
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
