//! Lower bounds on the length of a solution.
//!
//! The bound of boards of up to [`Size::MAX_SEARCH_CELLS`] cells is that of a heuristic. [`bound_without_space`] needs
//! neither a space nor tables, so it serves boards of any size.

use loyd_heuristics::{DistanceMatrix, LineCrossings, LinearConflict, TileSum};
use loyd_search::{Cost, Heuristic};
use loyd_tiles::{BoardSpace, Cell, Metric, Size};

use crate::config::Config;
use crate::heuristics::{LINE_CROSSINGS, LINEAR_CONFLICT};
use crate::problem::Problem;
use crate::space::{AnySpace, in_space};

/// Returns the name of the heuristic that is the lower bound.
pub(crate) fn bound_heuristic(config: &Config) -> &'static str {
    match config.metric {
        Metric::SingleTile => LINEAR_CONFLICT.name,
        Metric::MultiTile => LINE_CROSSINGS.name,
    }
}

/// Returns a lower bound on the length of a solution: linear conflict of the start, or for slides the number of
/// alternating slides that the lines require.
pub(crate) fn lower_bound(problem: &Problem, metric: Metric) -> Cost {
    if !problem.goal().size().is_searchable() {
        return bound_without_space(problem, metric);
    }
    // Both metrics have the same states.
    let bound = in_space!(&AnySpace::new(problem, Metric::SingleTile), space => {
        let (labels, start) = (space.relabelling(), space.encode(problem.start()));
        let is_constrained = |label| space.is_constrained(label);
        let steps = space.steps();
        match metric {
            Metric::SingleTile => {
                let conflicts = LinearConflict::new(labels).without_unconstrained(is_constrained);
                let bound: Cost = conflicts.h(steps, &start);
                match space.partial_goal().filter(|partial| partial.equal_tiles().is_some()) {
                    // Linear conflict counts only tiles without an equal one.
                    Some(partial) => {
                        let manhattan = DistanceMatrix::manhattan(space.size());
                        TileSum::with_partial_goal(labels, partial, &manhattan).h(steps, &start).max(bound)
                    }
                    None => bound,
                }
            }
            Metric::MultiTile => {
                let crossings = LineCrossings::new(labels).without_unconstrained(is_constrained);
                crossings.alternating(steps, &start)
            }
        }
    });
    // An unsolved board needs at least one move.
    bound.max(1)
}

/// Returns a lower bound on the length of a solution. For single tiles it is linear conflict: the sum of the distances,
/// and two moves for each tile that has to leave its line for others. For slides, which move each tile of one line by
/// one cell, it is that sum divided by the maximum number of tiles in a slide, or the largest distance of a tile.
fn bound_without_space(problem: &Problem, metric: Metric) -> Cost {
    let size = problem.start().size();
    let displacements = displacements(problem);
    let sum = sum_of_distances(size, &displacements);
    let bound = match metric {
        Metric::SingleTile => sum + 2 * conflicts(size, &displacements),
        Metric::MultiTile => {
            let tiles_in_line = size.width().max(size.height()) as u32 - 1;
            let farthest = displacements.iter().map(|&(from, to)| size.distance(from, to)).max();
            sum.div_ceil(tiles_in_line).max(farthest.unwrap_or(0))
        }
    };
    // An unsolved board needs at least one move.
    bound.max(1)
}

/// Returns the cell and the goal cell of each tile that the goal requires on a specific cell.
pub(super) fn displacements(problem: &Problem) -> Vec<(Cell, Cell)> {
    let (start, goal) = (problem.start(), problem.goal());
    let mut homes = vec![None; goal.size().cells()];
    for cell in goal.size().iter_cells() {
        let tile = goal.tile(cell);
        let is_required = problem.partial_goal().is_none_or(|p| p.required(cell).is_some());
        homes[tile.index()] = Some(cell).filter(|_| is_required && !tile.is_blank());
    }
    let cells = goal.size().iter_cells();
    cells.filter_map(|cell| Some((cell, homes[start.tile(cell).index()]?))).collect()
}

pub(super) fn sum_of_distances(size: Size, displacements: &[(Cell, Cell)]) -> Cost {
    displacements.iter().map(|&(from, to)| size.distance(from, to)).sum()
}

/// Returns the minimum number of tiles that have to leave a line that holds both them and their goal cells, over all
/// lines.
pub(super) fn conflicts(size: Size, displacements: &[(Cell, Cell)]) -> u32 {
    let in_rows = |cell: Cell| (size.row(cell), size.column(cell));
    let in_columns = |cell: Cell| (size.column(cell), size.row(cell));
    let rows = conflicts_of_lines(size.height(), displacements, in_rows);
    rows + conflicts_of_lines(size.width(), displacements, in_columns)
}

/// Like [`conflicts`], for the lines of one direction; `place` returns the line of a cell and its index there.
fn conflicts_of_lines(
    lines: usize,
    displacements: &[(Cell, Cell)],
    place: impl Fn(Cell) -> (usize, usize),
) -> u32 {
    let mut goals = vec![Vec::new(); lines];
    for &(from, to) in displacements {
        let (from, to) = (place(from), place(to));
        if from.0 == to.0 {
            goals[from.0].push((from.1, to.1));
        }
    }
    let conflicts = goals.into_iter().map(|mut line| {
        line.sort_unstable();
        // The smallest end of an increasing subsequence of each length: the tiles of a longest one can stay.
        let mut ends: Vec<usize> = Vec::new();
        for (_, goal) in &line {
            let at = ends.partition_point(|end| end < goal);
            match ends.get_mut(at) {
                Some(end) => *end = *goal,
                None => ends.push(*goal),
            }
        }
        (line.len() - ends.len()) as u32
    });
    conflicts.sum()
}

#[cfg(test)]
mod tests {
    use loyd_tiles::{Goal, Random, random_board};

    use super::*;

    #[test]
    fn lower_bound_is_linear_conflict() {
        let mut random = Random::new(4);
        for size in ["2x2", "3x3", "4x4", "7x3", "2x9", "16x16"] {
            let goal = Goal::Spiral.board(size.parse().unwrap()).unwrap();
            for _ in 0..30 {
                let start = random_board(&goal, &mut random);
                let problem = Problem::between(start, goal.clone()).unwrap();
                let small = lower_bound(&problem, Metric::SingleTile);
                assert_eq!(bound_without_space(&problem, Metric::SingleTile), small, "{size}");
            }
        }
    }
}
