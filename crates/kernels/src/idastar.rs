//! IDA* on 3x3 boards with a sum over the tiles, the cell of the blank built into the code.
//!
//! The search is a recursion of one function for each cell of the blank and each last move. So the
//! legal moves, every shift and every place in a table are constants, and the branches of each
//! function are predicted from its own past. The generic search is specialised in the same way, but
//! reaches its tables through pointers; `benches/idastar.rs` compares the two: see BENCHMARKS.md.

use std::ops::ControlFlow::{self, Break, Continue};

use loyd_heuristics::TileSum;
use loyd_search::{
    Cost, Heuristic, Meter, NoUndo, Outcome, Round, Stop, bounded_search, deepen, later_siblings,
};
use loyd_tiles::{BoardSpace, Move, Packed3x3};

/// Rounds within at most this bound recurse, no deeper than the bound, so a few tens of kilobytes of
/// stack are enough. The generic search makes the others, which only an inadmissible heuristic or an
/// unsolvable board can ask for: no solvable board is more than 31 moves from its goal.
const DEEPEST: Cost = 255;

/// What [`loyd_search::idastar`] does with [`NoUndo`]: the same nodes in the same order, and all
/// counts and limits alike.
///
/// Cost: memory constant up to a bound of 255.
pub fn idastar(
    space: &Packed3x3,
    heuristic: &TileSum,
    start: u32,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    // Where h may be 0 elsewhere, the generic search does not expand nodes at the bound, and here
    // nothing knows which those are.
    if !heuristic.is_zero_at_goals_only() {
        return loyd_search::idastar(space, heuristic, &NoUndo, &start, meter);
    }
    let h = heuristic.h(space, &start);
    let (blank, tiles) = (space.blank(&start).index(), tiles(space, start));
    let mut kernel = Kernel::new(space, heuristic);
    deepen(h, meter, |bound, meter| {
        if bound > DEEPEST {
            return bounded_search(space, heuristic, &NoUndo, &start, bound, meter);
        }
        meter.reserve(size_of_val(&kernel) as u64)?;
        kernel.least_cut = i32::MIN;
        match kernel.enter::<NONE>(blank, tiles, (bound - h) as i32, meter) {
            Break(End::Stopped(stop)) => Err(stop),
            Break(End::Goal) => {
                kernel.path.reverse();
                let path = std::mem::take(&mut kernel.path);
                meter.not_generated(later_siblings(space, &NoUndo, &start, &path));
                Ok(Round::Solved { cost: path.len() as Cost, path })
            }
            Continue(()) => {
                let cut = (kernel.least_cut != i32::MIN).then_some(kernel.least_cut);
                let least_overrun = cut.map(|slack| bound + slack.unsigned_abs());
                Ok(Round::Failed { least_overrun })
            }
        }
    })
}

/// The label of the tile on each cell, three bits a cell, the first lowest. The blank counts as 0:
/// which cell it is on is known otherwise.
fn tiles(space: &Packed3x3, state: u32) -> u32 {
    let cells = space.size().iter_cells().filter(|&cell| cell != space.blank(&state));
    cells.map(|cell| u32::from(space.label(&state, cell)) << (3 * cell.index())).sum()
}

/// The last move of a root: none.
const NONE: usize = 4;

/// Where a move takes the blank, or 9 if it is not legal.
const fn target(blank: usize, m: usize) -> usize {
    match Move::ALL[m] {
        Move::Up if blank >= 3 => blank - 3,
        Move::Left if !blank.is_multiple_of(3) => blank - 1,
        Move::Right if blank % 3 < 2 => blank + 1,
        Move::Down if blank < 6 => blank + 3,
        _ => 9,
    }
}

/// Whether the move is legal and does not undo the last one. A move and its inverse add up to 3.
const fn goes(blank: usize, last: usize, m: usize) -> bool {
    target(blank, m) < 9 && m + last != 3
}

/// How many moves go on.
const fn children(blank: usize, last: usize) -> u64 {
    let (mut m, mut children) = (0, 0);
    while m < 4 {
        children += goes(blank, last, m) as u64;
        m += 1;
    }
    children
}

struct Kernel {
    /// `f_increases[4 · blank + move][label]`: how much f increases when the move brings that tile to the
    /// blank's cell.
    f_increases: [[i32; 8]; 36],
    /// The tiles of the goal if the blank is on that cell, else no tiles at all.
    goals: [u32; 9],
    /// The greatest slack, below 0, of a node that was cut off.
    least_cut: i32,
    /// The moves to the goal, the last one first.
    path: Vec<Move>,
}

/// What ends a round early.
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
        Self { f_increases, goals, least_cut: i32::MIN, path: Vec::new() }
    }

    /// Goes to the code for the blank's cell; where that is a constant, nothing remains of this.
    #[inline(always)]
    fn enter<const LAST: usize>(
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

    /// Searches below a node whose f is `slack` less than the bound.
    fn node<const BLANK: usize, const LAST: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        if tiles == self.goals[BLANK] {
            return Break(End::Goal);
        }
        if !meter.expand_at_once() {
            return self.expand_after_look::<BLANK, LAST>(tiles, slack, meter);
        }
        self.children::<BLANK, LAST>(tiles, slack, meter)
    }

    /// Looks at the limits first. Apart, and called last, so that no register is kept for it.
    #[cold]
    #[inline(never)]
    fn expand_after_look<const BLANK: usize, const LAST: usize>(
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

    /// Searches below the children of a node whose expansion is counted.
    #[inline(always)]
    fn children<const BLANK: usize, const LAST: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        meter.generate(const { children(BLANK, LAST) });
        // All estimates first: they are at hand when the search comes back to the later children.
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

    /// The slack of the child by `MOVE`.
    #[inline(always)]
    fn slack<const BLANK: usize, const LAST: usize, const MOVE: usize>(
        &self,
        tiles: u32,
        slack: i32,
    ) -> i32 {
        if const { !goes(BLANK, LAST, MOVE) } {
            return 0;
        }
        slack - self.f_increases[4 * BLANK + MOVE][label::<BLANK, MOVE>(tiles) as usize]
    }

    /// Searches below the child by `MOVE` if it is within the bound.
    #[inline(always)]
    fn child<const BLANK: usize, const LAST: usize, const MOVE: usize>(
        &mut self,
        tiles: u32,
        slack: i32,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End> {
        if const { !goes(BLANK, LAST, MOVE) } {
            return Continue(());
        }
        if slack < 0 {
            self.least_cut = self.least_cut.max(slack);
            return Continue(());
        }
        let (label, target) = (label::<BLANK, MOVE>(tiles), const { target(BLANK, MOVE) });
        let child = tiles ^ label << (3 * target) ^ label << (3 * BLANK);
        match self.enter::<MOVE>(target, child, slack, meter) {
            Continue(()) => Continue(()),
            Break(end) => self.back(Move::ALL[MOVE], end),
        }
    }

    /// Notes that the move is on the path to where the round ends. Apart, so that no register is kept for it.
    #[cold]
    #[inline(never)]
    fn back(&mut self, action: Move, end: End) -> ControlFlow<End> {
        self.path.push(action);
        Break(end)
    }
}

/// The label of the tile that `MOVE` brings to the blank's cell.
#[inline(always)]
fn label<const BLANK: usize, const MOVE: usize>(tiles: u32) -> u32 {
    tiles >> (3 * const { target(BLANK, MOVE) }) & 7
}

#[cfg(test)]
mod tests;
