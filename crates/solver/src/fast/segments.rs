//! Shortens a solution: removes cycles, and solves segments of it again.

use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::Move;
use loyd_tiles::notation::moves_to_string;
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

/// Re-solves segments of a solution. Ends when at most `enough` moves are left, when a sweep with the longest
/// segments changes nothing, or when `meter` stops it. A segment that needs more than `nodes` expansions is left as it
/// is.
pub(super) struct Shortening<'a, 'o> {
    pub geometry: &'a Geometry,
    pub start: &'a Position,
    /// The solution. It is valid at all times.
    pub moves: &'a mut Vec<Move>,
    pub enough: usize,
    pub nodes: u64,
    /// Solutions with fewer moves than this are reported to the meter.
    pub report_below: usize,
    pub meter: &'a mut Meter<'o>,
}

impl Shortening<'_, '_> {
    pub fn run(&mut self) -> Result<(), Stop> {
        let mut length = MIN_LENGTH;
        while length <= MAX_LENGTH && self.moves.len() > self.enough {
            let before = self.moves.len();
            self.sweep(length)?;
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
    fn sweep(&mut self, length: usize) -> Result<(), Stop> {
        let (mut from, mut position) = (0, self.start.clone());
        while from < self.moves.len() {
            let to = self.moves.len().min(from + length);
            let end = position.after(self.geometry, &self.moves[from..to]);
            let ends = [&position, &end];
            let shorter = shorter_path(self.geometry, ends, to - from, self.nodes, self.meter)?;
            if let Shorter::Path(shorter) = shorter {
                self.moves.splice(from..to, shorter);
                self.report()?;
            }
            // The next segment overlaps the new moves, which may be shortened further together with those after them.
            let next = self.moves.len().min(from + length / 3 + 1);
            let passed = &self.moves[from..next];
            passed.iter().for_each(|&m| position.apply(self.geometry, m));
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

/// Searches for a shortest path between two positions that is shorter than `length`, the length of a path between them,
/// with at most `nodes` expansions: IDA* with the sum of the distances of the tiles to their cells in the second
/// position.
///
/// # Errors
/// Returns the limit of `meter` that was reached.
pub(super) fn shorter_path(
    geometry: &Geometry,
    [from, to]: [&Position; 2],
    length: usize,
    nodes: u64,
    meter: &mut Meter<'_>,
) -> Result<Shorter, Stop> {
    let mut search = SegmentSearch::new(geometry, [from, to], nodes);
    let mut bound = search.estimate;
    while bound + 2 <= length {
        let found = search.search(bound, meter);
        meter.generate(std::mem::take(&mut search.generated));
        match found? {
            Shorter::None => bound += 2,
            ended => return Ok(ended),
        }
    }
    Ok(Shorter::None)
}

/// Moves, as bits by [`Move::index`].
type MoveBits = u8;

/// A depth-first search that makes and undoes moves on a single position.
struct SegmentSearch<'a> {
    geometry: &'a Geometry,
    /// For each cell, the target of the tile or blank on it.
    cells: Cells,
    blank: u8,
    /// The sum of the distances of the tiles to their targets.
    estimate: usize,
    /// Expansions left.
    nodes: u64,
    generated: u64,
    /// The moves made, each with the moves not yet tried before it.
    path: Vec<(Move, MoveBits)>,
}

impl<'a> SegmentSearch<'a> {
    fn new(geometry: &'a Geometry, [from, to]: [&Position; 2], nodes: u64) -> Self {
        let (mut targets, mut cells): (Cells, Cells) = ([0; _], [0; _]);
        for (target, &tile) in (0..=u8::MAX).zip(&to.cells) {
            targets[usize::from(tile)] = target;
        }
        let mut estimate = 0;
        for (cell, &tile) in (0..=u8::MAX).zip(&from.cells) {
            let target = targets[usize::from(tile)];
            cells[usize::from(cell)] = target;
            if cell != from.blank {
                estimate += usize::from(geometry.distance(target, cell));
            }
        }
        let (blank, generated, path) = (from.blank, 0, Vec::new());
        Self { geometry, cells, blank, estimate, nodes, generated, path }
    }

    /// Searches for a path of at most `bound` moves. If there is none, the position is unchanged.
    fn search(&mut self, bound: usize, meter: &mut Meter<'_>) -> Result<Shorter, Stop> {
        self.path.clear();
        if self.estimate == 0 {
            return Ok(Shorter::Path(Vec::new()));
        }
        let Some(mut untried) = self.expand(None, meter)? else { return Ok(Shorter::Unknown) };
        loop {
            if untried == 0 {
                let Some((m, before)) = self.path.pop() else { return Ok(Shorter::None) };
                let to = self.geometry.moves.target(self.blank, m.inverse());
                self.apply(to, self.estimate_after(to));
                untried = before;
                continue;
            }
            let m = Move::ALL[untried.trailing_zeros() as usize];
            untried &= untried - 1;
            let to = self.geometry.moves.target(self.blank, m);
            let estimate = self.estimate_after(to);
            if self.path.len() + 1 + estimate > bound {
                continue;
            }
            self.apply(to, estimate);
            self.path.push((m, untried));
            if estimate == 0 {
                return Ok(Shorter::Path(self.path.iter().map(|&(m, _)| m).collect()));
            }
            match self.expand(Some(m), meter)? {
                Some(moves) => untried = moves,
                None => return Ok(Shorter::Unknown),
            }
        }
    }

    /// Counts an expansion. Returns the moves that do not undo `last`, or `None` if no expansions are left.
    #[inline]
    fn expand(
        &mut self,
        last: Option<Move>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveBits>, Stop> {
        let Some(left) = self.nodes.checked_sub(1) else { return Ok(None) };
        meter.expand()?;
        self.nodes = left;
        let back = last.map_or(0, |m| 1 << m.inverse().index());
        let moves = self.geometry.exits(self.blank) & !back;
        self.generated += u64::from(moves.count_ones());
        Ok(Some(moves))
    }

    /// Returns the estimate after the blank moves to the adjacent cell `to`.
    #[inline]
    fn estimate_after(&self, to: u8) -> usize {
        let tile = self.cells[usize::from(to)];
        let distance = |cell| usize::from(self.geometry.distance(tile, cell));
        self.estimate + distance(self.blank) - distance(to)
    }

    #[inline]
    fn apply(&mut self, to: u8, estimate: usize) {
        self.cells.swap(self.blank.into(), to.into());
        (self.blank, self.estimate) = (to, estimate);
    }
}
