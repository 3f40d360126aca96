//! Searches with a custom heuristic: IDA* from Loyd's engine, over Loyd's space of 4x4 boards.

use loyd::engine::{
    BoardSpace, Cost, Heuristic, Meter, NoUndo, Outcome, Packed4x4, Recompute, StepSpace, TileSum,
    idastar,
};
use loyd::{Error, Problem, Solver};

/// Counts the tiles outside their goal row, and those outside their goal column. A move shifts one tile along a row
/// or a column, so the sum never exceeds the number of remaining moves.
struct OutOfLine;

impl<S: StepSpace> Heuristic<S> for OutOfLine {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        let (size, labels) = (space.size(), space.relabelling());
        let tiles = size.iter_cells().filter(|&cell| cell != space.blank(state));
        let out_of_line = tiles.map(|cell| {
            let goal = labels.goal_cell(space.label(state, cell));
            Cost::from(size.row(cell) != size.row(goal))
                + Cost::from(size.column(cell) != size.column(goal))
        });
        out_of_line.sum()
    }
}

fn main() -> Result<(), Error> {
    let problem: Problem = "5 1 3 4/2 6 8 x/9 10 7 11/13 14 15 12".parse()?;
    let space = Packed4x4::new(problem.goal());
    let start = space.encode(problem.start());

    // `Recompute` evaluates the whole board for each node. Implement `IncrementalHeuristic` to evaluate only the
    // change made by a move.
    let (own, mut meter) = (Recompute(OutOfLine), Meter::default());
    let Outcome::Solved { path, .. } = idastar(&space, &own, &NoUndo, &start, &mut meter) else {
        panic!("a search without limits solves what can be solved");
    };
    let expanded = meter.finish().expanded;

    let (misplaced, mut meter) = (TileSum::misplaced(space.relabelling()), Meter::default());
    idastar(&space, &misplaced, &NoUndo, &start, &mut meter);
    let more = meter.finish().expanded;
    println!("{} moves; {expanded} nodes expanded, {more} by misplaced tiles", path.len());
    assert_eq!(Some(path.len()), Solver::default().solve(&problem)?.length());
    assert!(expanded < more);
    Ok(())
}
