//! IDA* on 3x3 boards with a heuristic that sums over the tiles.
//!
//! The search recurses through one function per cell of the blank and last move. Legal moves, shifts and table
//! offsets are thus compile-time constants, and the branch predictor has a history for each function. The generic
//! search is specialised in the same way, but reaches its tables through pointers; `benches/idastar.rs` compares the
//! two (results in BENCHMARKS.md).
//!
//! | datum | layout |
//! |---|---|
//! | `tiles` | label of the tile on cell c at bits 3c to 3c + 2; 0 on the blank's cell |
//! | `slack` | bound − f; negative beyond the bound |
//! | `f_increases` | by 4 · blank + move, then label: 1 + change of h when that tile moves to the blank's cell |
//!
//! The blank's cell is not part of `tiles`; it is the const parameter `BLANK`. `LAST` is the index of the last move, or
//! [`NO_MOVE`] at the root.

use std::ops::ControlFlow::{self, Break, Continue};

use loyd_heuristics::TileSum;
use loyd_search::{
    Cost, Heuristic, IterationEnd, Meter, NoUndo, Outcome, Stop, bounded_search,
    count_later_siblings, run_iterations,
};
use loyd_tiles::{BoardSpace, Move, Packed3x3};

/// Maximum bound that the kernel searches. The recursion is at most this deep, so a few tens of kilobytes of stack are
/// enough. The generic search runs iterations with a higher bound, which occur only with an inadmissible heuristic or
/// an unsolvable board: solvable boards are at most 31 moves from their goal.
const MAX_BOUND: Cost = 255;

/// Equivalent to [`loyd_search::idastar`] with [`NoUndo`]: the same nodes in the same order, with the same counts and
/// limits.
///
/// Cost: constant memory up to a bound of 255.
pub fn idastar(
    space: &Packed3x3,
    heuristic: &TileSum,
    start: u32,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    // If h can be 0 at other states than goals, the generic search does not expand nodes at the bound; this kernel
    // does not distinguish them.
    if !heuristic.is_zero_at_goals_only() {
        return loyd_search::idastar(space, heuristic, &NoUndo, &start, meter);
    }
    let h = heuristic.h(space, &start);
    let (blank, tiles) = (space.blank(&start).index(), tiles(space, start));
    let mut kernel = Kernel::new(space, heuristic);
    run_iterations(h, meter, &mut |bound, meter| {
        if bound > MAX_BOUND {
            return bounded_search(space, heuristic, &NoUndo, &start, bound, meter);
        }
        meter.reserve(size_of_val(&kernel) as u64)?;
        kernel.max_pruned_slack = i32::MIN;
        match kernel.dispatch::<NO_MOVE>(blank, tiles, (bound - h) as i32, meter) {
            Break(End::Stopped(stop)) => Err(stop),
            Break(End::Goal) => {
                kernel.path.reverse();
                let path = std::mem::take(&mut kernel.path);
                meter.subtract_generated(count_later_siblings(space, &NoUndo, &start, &path));
                Ok(IterationEnd::Solved { cost: path.len() as Cost, path })
            }
            Continue(()) => {
                let cut = (kernel.max_pruned_slack != i32::MIN).then_some(kernel.max_pruned_slack);
                let next_bound = cut.map(|slack| bound + slack.unsigned_abs());
                Ok(IterationEnd::Unsolved { next_bound })
            }
        }
    })
}

/// Packs the labels of the tiles with three bits per cell, the first cell lowest, and 0 for the blank.
fn tiles(space: &Packed3x3, state: u32) -> u32 {
    let cells = space.size().iter_cells().filter(|&cell| cell != space.blank(&state));
    cells.map(|cell| u32::from(space.label(&state, cell)) << (3 * cell.index())).sum()
}

/// Stands for the last move of the root, which has none.
const NO_MOVE: usize = 4;

/// Returns the cell to which a move takes the blank, or 9 if the move is illegal.
const fn target(blank: usize, m: usize) -> usize {
    match Move::ALL[m] {
        Move::Up if blank >= 3 => blank - 3,
        Move::Left if !blank.is_multiple_of(3) => blank - 1,
        Move::Right if blank % 3 < 2 => blank + 1,
        Move::Down if blank < 6 => blank + 3,
        _ => 9,
    }
}

/// Returns whether the move is legal and does not undo the last one. The indices of a move and its inverse add up to 3.
const fn is_allowed(blank: usize, last: usize, m: usize) -> bool {
    target(blank, m) < 9 && m + last != 3
}

/// Returns the number of allowed moves.
const fn children(blank: usize, last: usize) -> u64 {
    let (mut m, mut children) = (0, 0);
    while m < 4 {
        children += is_allowed(blank, last, m) as u64;
        m += 1;
    }
    children
}

struct Kernel {
    /// `f_increases[4 · blank + move][label]`: increase of f when the move brings that tile to the blank's cell.
    f_increases: [[i32; 8]; 36],
    /// The goal's tiles at the index of its blank's cell; elsewhere `u32::MAX`, which no board equals.
    goals: [u32; 9],
    /// The largest (negative) slack of a pruned node, or `i32::MIN` if none was pruned.
    max_pruned_slack: i32,
    /// The moves to the goal, the last one first.
    path: Vec<Move>,
}

/// Why an iteration ends early.
enum End {
    Goal,
    Stopped(Stop),
}

impl Kernel {
    fn new(space: &Packed3x3, heuristic: &TileSum) -> Self {
        let mut f_increases = [[0; 8]; 36];
        for (increase, &change) in
            f_increases.as_flattened_mut().iter_mut().zip(heuristic.changes())
        {
            *increase = 1 + change as i32;
        }
        let goal = space.relabelling().goal();
        let mut goals = [u32::MAX; 9];
        goals[goal.blank().index()] = tiles(space, space.encode(goal));
        Self { f_increases, goals, max_pruned_slack: i32::MIN, path: Vec::new() }
    }

    /// Calls the function for the blank's cell. With a constant cell, the compiler reduces this to a direct call.
    #[inline(always)]
    fn dispatch<const LAST: usize>(
        &mut self,
        blank: usize,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        match blank {
            0 => self.node::<0, LAST>(tiles, slack, meter),
            1 => self.node::<1, LAST>(tiles, slack, meter),
            2 => self.node::<2, LAST>(tiles, slack, meter),
            3 => self.node::<3, LAST>(tiles, slack, meter),
            4 => self.node::<4, LAST>(tiles, slack, meter),
            5 => self.node::<5, LAST>(tiles, slack, meter),
            6 => self.node::<6, LAST>(tiles, slack, meter),
            7 => self.node::<7, LAST>(tiles, slack, meter),
            _ => self.node::<8, LAST>(tiles, slack, meter),
        }
    }

    /// Searches the subtree of a node whose f is `slack` below the bound.
    fn node<const BLANK: usize, const LAST: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        if tiles == self.goals[BLANK] {
            return Break(End::Goal);
        }
        if !meter.try_expand() {
            return self.expand_after_check::<BLANK, LAST>(tiles, slack, meter);
        }
        self.children::<BLANK, LAST>(tiles, slack, meter)
    }

    /// Checks the limits before expanding. A separate function in tail position, so that the common path saves no
    /// registers for it.
    #[cold]
    #[inline(never)]
    fn expand_after_check<const BLANK: usize, const LAST: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        match meter.expand() {
            Ok(()) => self.children::<BLANK, LAST>(tiles, slack, meter),
            Err(stop) => Break(End::Stopped(stop)),
        }
    }

    /// Searches the subtrees of the children. The expansion has been counted.
    #[inline(always)]
    fn children<const BLANK: usize, const LAST: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        meter.generate(const { children(BLANK, LAST) });
        // Compute all estimates first: the loads overlap, and are done when the search returns to later children.
        let slacks = [
            self.slack::<BLANK, LAST, 0>(tiles, slack),
            self.slack::<BLANK, LAST, 1>(tiles, slack),
            self.slack::<BLANK, LAST, 2>(tiles, slack),
            self.slack::<BLANK, LAST, 3>(tiles, slack),
        ];
        self.child::<BLANK, LAST, 0>(tiles, slacks[0], meter)?;
        self.child::<BLANK, LAST, 1>(tiles, slacks[1], meter)?;
        self.child::<BLANK, LAST, 2>(tiles, slacks[2], meter)?;
        self.child::<BLANK, LAST, 3>(tiles, slacks[3], meter)
    }

    /// Returns the slack of the child by `MOVE`.
    #[inline(always)]
    fn slack<const BLANK: usize, const LAST: usize, const MOVE: usize>(
        &self,
        tiles: u32,
        slack: i32,
    ) -> i32 {
        if const { !is_allowed(BLANK, LAST, MOVE) } {
            return 0;
        }
        slack - self.f_increases[4 * BLANK + MOVE][label::<BLANK, MOVE>(tiles) as usize]
    }

    /// Searches the subtree of the child by `MOVE` if it is within the bound.
    #[inline(always)]
    fn child<const BLANK: usize, const LAST: usize, const MOVE: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        if const { !is_allowed(BLANK, LAST, MOVE) } {
            return Continue(());
        }
        if slack < 0 {
            self.max_pruned_slack = self.max_pruned_slack.max(slack);
            return Continue(());
        }
        let (label, target) = (label::<BLANK, MOVE>(tiles), const { target(BLANK, MOVE) });
        // The tile's cell becomes 0, and the blank's cell, which was 0, gets the label.
        let child = tiles ^ label << (3 * target) ^ label << (3 * BLANK);
        match self.dispatch::<MOVE>(target, child, slack, meter) {
            Continue(()) => Continue(()),
            Break(end) => self.record_move(Move::ALL[MOVE], end),
        }
    }

    /// Adds a move to the path on the way back from the goal. A separate function, so that the common path saves no
    /// registers for it.
    #[cold]
    #[inline(never)]
    fn record_move(&mut self, action: Move, end: End) -> ControlFlow<End> {
        self.path.push(action);
        Break(end)
    }
}

/// Returns the label of the tile that `MOVE` brings to the blank's cell.
#[inline(always)]
fn label<const BLANK: usize, const MOVE: usize>(tiles: u32) -> u32 {
    tiles >> (3 * const { target(BLANK, MOVE) }) & 7
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loyd_heuristics::DistanceMatrix;
    use loyd_search::{CancelToken, Event, Iteration, Limits, Rankable, Stats};
    use loyd_tiles::{Board, Cell, Size};
    use proptest::prelude::*;

    use super::*;

    type End = (Outcome<Move>, Stats, Vec<Iteration>);

    /// Runs a search and records its iterations. Clears the statistics that may differ: elapsed time and memory.
    fn run(
        limits: Limits,
        cancel: &CancelToken,
        search: impl FnOnce(&mut Meter<'_>) -> Outcome<Move>,
    ) -> End {
        let mut iterations = Vec::new();
        let mut record = |event: Event<'_>| {
            if let Event::Iteration(iteration) = event {
                iterations.push(iteration);
            }
            Continue(())
        };
        let mut meter = Meter::new(limits, cancel.clone()).with_observer(&mut record);
        let outcome = search(&mut meter);
        let stats = Stats { elapsed: Duration::ZERO, peak_bytes: 0, ..meter.finish() };
        (outcome, stats, iterations)
    }

    /// Runs the kernel and the generic search, checks that they agree, and returns the result.
    fn both(
        space: &Packed3x3,
        sum: &TileSum,
        start: u32,
        limits: Limits,
        cancel: &CancelToken,
    ) -> End {
        let kernel = run(limits, cancel, |meter| idastar(space, sum, start, meter));
        let generic =
            run(limits, cancel, |meter| loyd_search::idastar(space, sum, &NoUndo, &start, meter));
        assert_eq!(kernel, generic, "{:?} with {limits:?}", space.decode(&start));
        kernel
    }

    fn agree(space: &Packed3x3, sum: &TileSum, start: u32) -> End {
        both(space, sum, start, Limits::default(), &CancelToken::new())
    }

    fn space(numbers: &[u32]) -> Packed3x3 {
        Packed3x3::new(&Board::new(Size::EIGHT, numbers).unwrap())
    }

    /// Goals with the blank in two corners, on an edge and in the middle.
    fn spaces() -> [Packed3x3; 4] {
        [
            space(&[1, 2, 3, 4, 5, 6, 7, 8, 0]),
            space(&[0, 1, 2, 3, 4, 5, 6, 7, 8]),
            space(&[3, 1, 4, 0, 5, 2, 8, 6, 7]),
            space(&[1, 2, 3, 8, 0, 4, 7, 6, 5]),
        ]
    }

    fn limited(max_expanded: u64) -> Limits {
        Limits { max_expanded: Some(max_expanded), ..Limits::default() }
    }

    #[test]
    fn equals_the_generic_search() {
        for space in spaces() {
            let labels = space.relabelling();
            let (manhattan, misplaced) = (TileSum::manhattan(labels), TileSum::misplaced(labels));
            // With a prime step, boards of all depths and with the blank on every cell occur.
            for rank in (0..181_440).step_by(197) {
                agree(&space, &manhattan, space.unrank(rank));
            }
            for rank in (0..181_440).step_by(7919) {
                agree(&space, &misplaced, space.unrank(rank));
            }
        }
    }

    #[test]
    fn a_goal_has_an_empty_path() {
        for space in spaces() {
            let goal = space.encode(space.relabelling().goal());
            let (outcome, stats, _) = agree(&space, &TileSum::manhattan(space.relabelling()), goal);
            assert_eq!((outcome, stats.expanded), (Outcome::at_goal(), 0));
        }
    }

    #[test]
    fn limits_stop_both_at_the_same_node() {
        let [space, ..] = spaces();
        let sum = TileSum::manhattan(space.relabelling());
        let start = space.encode(&Board::new(Size::EIGHT, &[8, 6, 7, 2, 5, 4, 3, 0, 1]).unwrap());
        let (_, whole, _) = agree(&space, &sum, start);
        let never = CancelToken::new();
        let counts = [0, 1, 2, 1023, 1024, 1025, 4096, whole.expanded - 1, whole.expanded];
        for max_expanded in counts {
            let (_, stats, _) = both(&space, &sum, start, limited(max_expanded), &never);
            assert_eq!(stats.expanded, max_expanded);
        }
        for depth in [0, 20, 21, 22, 30, 31] {
            let limits = Limits { max_depth: Some(depth), ..Limits::default() };
            let (outcome, ..) = both(&space, &sum, start, limits, &never);
            assert_eq!(matches!(outcome, Outcome::Solved { .. }), depth >= 31);
        }
        for limits in [
            Limits { max_bytes: Some(0), ..Limits::default() },
            Limits { max_time: Some(Duration::ZERO), ..Limits::default() },
        ] {
            let (outcome, ..) = both(&space, &sum, start, limits, &never);
            assert!(matches!(outcome, Outcome::Stopped(_)));
        }
        let cancelled = CancelToken::new();
        cancelled.cancel();
        let (outcome, ..) = both(&space, &sum, start, Limits::default(), &cancelled);
        assert_eq!(outcome, Outcome::Stopped(Stop::Cancelled));
    }

    #[test]
    fn unsolvable_boards_equal_the_generic_search() {
        let [space, ..] = spaces();
        let sum = TileSum::manhattan(space.relabelling());
        let start = space.encode(&Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap());
        let (outcome, ..) = both(&space, &sum, start, limited(300_000), &CancelToken::new());
        assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
    }

    #[test]
    fn bounds_above_the_maximum_use_the_generic_search() {
        let [space, ..] = spaces();
        // The estimates are far too high, so the first bound is far too high as well, and from a board with two tiles
        // swapped the search goes down to the maximum depth.
        for entry in [MAX_BOUND / 8, MAX_BOUND / 2, 2 * MAX_BOUND, DistanceMatrix::MAX_ENTRY] {
            let matrix =
                DistanceMatrix::from_fn(Size::EIGHT, |a, b| if a == b { 0 } else { entry });
            let sum = TileSum::new(space.relabelling(), &matrix);
            for numbers in [[1, 2, 3, 4, 5, 6, 8, 7, 0], [8, 6, 7, 2, 5, 4, 3, 0, 1]] {
                let start = space.encode(&Board::new(Size::EIGHT, &numbers).unwrap());
                both(&space, &sum, start, limited(200_000), &CancelToken::new());
            }
        }
    }

    #[test]
    fn the_deepest_recursion_needs_little_stack() {
        let search = || {
            // With all other estimates 0, the first path goes down to the bound.
            let [space, ..] = spaces();
            let swapped = Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap();
            let matrix =
                DistanceMatrix::from_fn(Size::EIGHT, |a, b| match (a.index(), b.index()) {
                    (7, 6) => MAX_BOUND,
                    _ => 0,
                });
            let sum = TileSum::new(space.relabelling(), &matrix);
            both(&space, &sum, space.encode(&swapped), limited(50_000), &CancelToken::new());
        };
        std::thread::Builder::new().stack_size(128 << 10).spawn(search).unwrap().join().unwrap();
    }

    proptest! {
        #[test]
        fn any_distance_matrix_equals_the_generic_search(
            numbers in Just((0..9).collect::<Vec<u32>>()).prop_shuffle(),
            goal in Just((0..9).collect::<Vec<u32>>()).prop_shuffle(),
            entries in prop::collection::vec(0..7_u32, 81),
        ) {
            let space = space(&goal);
            let entry = |from: Cell, to: Cell| entries[9 * from.index() + to.index()];
            let sum = TileSum::new(space.relabelling(), &DistanceMatrix::from_fn(Size::EIGHT, entry));
            let start = space.encode(&Board::new(Size::EIGHT, &numbers).unwrap());
            both(&space, &sum, start, limited(20_000), &CancelToken::new());
        }
    }
}
