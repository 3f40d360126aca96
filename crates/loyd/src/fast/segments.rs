//! Shortens a solution: removes cycles, and solves segments of it again.

use loyd_search::{
    Cost, Heuristic, IncrementalHeuristic, Limits, Meter, NoUndo, Outcome, Reversible, StateSpace,
    Stop, idastar,
};
use loyd_tiles::notation::moves_to_string;
use loyd_tiles::{Board, Cell, Move, MoveSet, Size, StepSpace};
use rustc_hash::FxHashMap;

use super::geometry::{Cells, Geometry, Position};

/// Lengths of the first and of the longest segments, in moves.
const MIN_LENGTH: usize = 20;
const MAX_LENGTH: usize = 60;

/// Removes cycles: moves that lead from a position back to the same position.
pub(super) fn remove_cycles(geometry: &Geometry, start: &Position, moves: &[Move]) -> Vec<Move> {
    let mut positions = vec![start.clone()];
    for (index, &m) in moves.iter().enumerate() {
        let mut position = positions[index].clone();
        position.apply(geometry, m);
        positions.push(position);
    }
    let mut indices = FxHashMap::default();
    let from_the_end = positions.iter().enumerate().rev();
    let mut last: Vec<usize> =
        from_the_end.map(|(index, position)| *indices.entry(position).or_insert(index)).collect();
    last.reverse();
    let (mut kept, mut at) = (Vec::new(), last[0]);
    while let Some(&m) = moves.get(at) {
        kept.push(m);
        at = last[at + 1];
    }
    kept
}

/// Solves segments of a solution again in the space of its problem. Ends when at most `enough` moves are left, when a
/// sweep with the longest segments changes nothing, or when `meter` stops it.
///
/// Each segment is solved by IDA* with the sum of the distances of the tiles to their cells at the end of the segment.
/// A segment that needs more than `nodes` expansions is left as it is.
pub(super) struct Shortening<'a, 'o> {
    pub geometry: &'a Geometry,
    pub start: &'a Board,
    /// The solution. It is valid at all times.
    pub moves: &'a mut Vec<Move>,
    pub enough: usize,
    pub nodes: u64,
    /// Solutions with fewer moves than this are reported to the meter.
    pub report_below: usize,
    pub meter: &'a mut Meter<'o>,
}

impl Shortening<'_, '_> {
    pub fn run<S: StepSpace>(&mut self, space: &S) -> Result<(), Stop> {
        let mut length = MIN_LENGTH;
        while length <= MAX_LENGTH && self.moves.len() > self.enough {
            let before = self.moves.len();
            self.sweep(space, length)?;
            if self.moves.len() == before {
                length += length / 4;
            }
        }
        Ok(())
    }

    fn report(&mut self) -> Result<(), Stop> {
        let Self { moves, meter, .. } = self;
        match moves.len() < self.report_below {
            true => meter.report_incumbent(moves.len() as Cost, || moves_to_string(moves)),
            false => Ok(()),
        }
    }

    /// Solves overlapping segments of this length again, from the first to the last.
    fn sweep<S: StepSpace>(&mut self, space: &S, length: usize) -> Result<(), Stop> {
        let (mut from, mut state) = (0, space.encode(self.start));
        while from < self.moves.len() {
            let to = self.moves.len().min(from + length);
            let mut end = state.clone();
            self.moves[from..to].iter().for_each(|&m| space.apply(&mut end, m));
            let segment = Segment::new(space, self.geometry, end);
            let shorter = segment.solve(&state, to - from, self.nodes, self.meter)?;
            if let Shorter::Path(shorter) = shorter {
                self.moves.splice(from..to, shorter);
                self.report()?;
            }
            // The next segment overlaps the new moves, which may be shortened further together with those after them.
            let next = self.moves.len().min(from + length / 3 + 1);
            self.moves[from..next].iter().for_each(|&m| space.apply(&mut state, m));
            from = next;
        }
        Ok(())
    }
}

/// Result of the search for a path that is shorter than a segment.
pub(crate) enum Shorter {
    /// A shortest path.
    Path(Vec<Move>),
    /// There is no shorter path.
    None,
    /// The search reached its limit.
    Unknown,
}

/// A space whose goal is the position at the end of a segment.
pub(super) struct Segment<'a, S: StepSpace> {
    space: &'a S,
    geometry: &'a Geometry,
    end: S::State,
    /// Target cell of each tile, by label.
    targets: Cells,
}

impl<'a, S: StepSpace> Segment<'a, S> {
    pub fn new(space: &'a S, geometry: &'a Geometry, end: S::State) -> Self {
        let (mut targets, blank) = ([0; Size::MAX_SEARCH_CELLS], space.blank(&end));
        for cell in space.size().iter_cells().filter(|&cell| cell != blank) {
            targets[usize::from(space.label(&end, cell))] = cell.index() as u8;
        }
        Self { space, geometry, end, targets }
    }

    /// Searches for a shortest path from `start` that is shorter than `length`, with at most `nodes` expansions.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
    pub fn solve(
        &self,
        start: &S::State,
        length: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Shorter, Stop> {
        let Some(most) = length.checked_sub(2) else { return Ok(Shorter::None) };
        let limits = Limits {
            max_expanded: Some(nodes.min(meter.remaining_expansions())),
            max_depth: Some(most as Cost),
            max_time: meter.remaining_limits().max_time,
            ..Limits::default()
        };
        let mut own = Meter::with_clock(meter.clock(), limits, meter.cancel_token());
        let outcome = idastar(self, &DistanceToTargets, &NoUndo, start, &mut own);
        let stats = own.finish();
        meter.expand_many(stats.expanded);
        meter.generate(stats.generated);
        meter.check()?;
        Ok(match outcome {
            Outcome::Solved { path, .. } => Shorter::Path(path),
            Outcome::Stopped(Stop::Depth) | Outcome::Exhausted => Shorter::None,
            Outcome::Stopped(_) => Shorter::Unknown,
        })
    }

    #[inline]
    fn distance(&self, label: u8, cell: Cell) -> Cost {
        self.geometry.distance(cell.index() as u8, self.targets[usize::from(label)]).into()
    }
}

impl<S: StepSpace> StateSpace for Segment<'_, S> {
    type State = S::State;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &S::State) -> MoveSet {
        self.space.actions(state)
    }

    #[inline]
    fn apply(&self, state: &mut S::State, m: Move) {
        self.space.apply(state, m);
    }

    fn is_goal(&self, state: &S::State) -> bool {
        *state == self.end
    }
}

impl<S: StepSpace> Reversible for Segment<'_, S> {
    #[inline]
    fn inverse(&self, m: Move) -> Move {
        m.inverse()
    }
}

/// The sum of the distances of the tiles to their target cells.
struct DistanceToTargets;

impl<S: StepSpace> Heuristic<Segment<'_, S>> for DistanceToTargets {
    fn h(&self, segment: &Segment<'_, S>, state: &S::State) -> Cost {
        let (space, blank) = (segment.space, segment.space.blank(state));
        let tiles = space.size().iter_cells().filter(|&cell| cell != blank);
        tiles.map(|cell| segment.distance(space.label(state, cell), cell)).sum()
    }
}

impl<S: StepSpace> IncrementalHeuristic<Segment<'_, S>> for DistanceToTargets {
    type Memo = Cost;

    fn memo(&self, segment: &Segment<'_, S>, state: &S::State) -> Cost {
        self.h(segment, state)
    }

    #[inline]
    fn update(
        &self,
        segment: &Segment<'_, S>,
        memo: Cost,
        parent: &S::State,
        m: Move,
        child: &S::State,
    ) -> Cost {
        let space = segment.space;
        let (from, to) = (space.blank(child), space.blank(parent));
        let tile = space.moving(parent, m);
        memo + segment.distance(tile, to) - segment.distance(tile, from)
    }

    #[inline]
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}
