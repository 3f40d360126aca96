//! Making an answer shorter: cutting out rounds, and solving stretches of it anew.

use std::collections::HashMap;

use loyd_search::{
    CancelToken, Cost, Heuristic, IncrementalHeuristic, Limits, Meter, NoUndo, Outcome, Reversible,
    StateSpace, Stop, idastar,
};
use loyd_tiles::{Move, MoveSet};

use super::plane::{Plane, Position, bits};

/// The first stretches are so long, and the longest.
const SHORTEST: usize = 20;
const LONGEST: usize = 60;

/// Cuts out of `moves` what leads from a position back to the same.
pub(super) fn without_rounds(plane: &Plane, start: &Position, moves: &[Move]) -> Vec<Move> {
    let mut position = start.clone();
    let (mut kept, mut way): (Vec<Move>, Vec<Position>) = (Vec::new(), vec![start.clone()]);
    // By the hash of the position; that of the start counts as nothing.
    let (mut hash, mut met) = (0, HashMap::from([(0, 0)]));
    let mut hashes = vec![0];
    for &m in moves {
        let (from, to) = (position.blank, plane.target(position.blank, m));
        let tile = position.cells[usize::from(to)];
        hash ^= bits(tile, to) ^ bits(tile, from);
        position.apply(plane, m);
        kept.push(m);
        match met.get(&hash) {
            Some(&before) if way[before] == position => {
                kept.truncate(before);
                way.truncate(before + 1);
                hashes.drain(before + 1..).for_each(|hash| _ = met.remove(&hash));
            }
            _ => {
                met.insert(hash, kept.len());
                hashes.push(hash);
                way.push(position.clone());
            }
        }
    }
    kept
}

/// Solves stretches of `moves` anew, each as shortly as possible, until these are `enough`, a sweep
/// with the longest ones changes nothing, or `meter` stops it; `moves` are an answer at any time and
/// never become more.
///
/// A stretch is answered by IDA* with the distances of the tiles to where they stand at its end; one
/// that needs more than `nodes` expansions is left as it is.
///
/// # Errors
/// The limit that was reached.
pub(super) fn improve<const N: usize>(
    plane: &Plane,
    start: &Position,
    moves: &mut Vec<Move>,
    enough: usize,
    nodes: u64,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let mut length = SHORTEST;
    while length <= LONGEST && moves.len() > enough {
        let before = moves.len();
        sweep::<N>(plane, start, moves, (length, nodes), meter)?;
        if moves.len() == before {
            length += length / 4;
        }
    }
    Ok(())
}

/// Solves overlapping stretches of this length anew with so many nodes each, from the first to the last.
fn sweep<const N: usize>(
    plane: &Plane,
    start: &Position,
    moves: &mut Vec<Move>,
    (length, nodes): (usize, u64),
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let (mut from, mut position) = (0, start.clone());
    while from < moves.len() {
        let to = moves.len().min(from + length);
        let mut end = position.clone();
        moves[from..to].iter().for_each(|&m| end.apply(plane, m));
        let stretch = Stretch::<N>::new(plane, &position, &end);
        if let Some(shorter) = stretch.solve(to - from, nodes, meter)? {
            moves.splice(from..to, shorter);
        }
        // What is shorter now may be joined with what comes after.
        let next = moves.len().min(from + length / 3 + 1);
        moves[from..next].iter().for_each(|&m| position.apply(plane, m));
        from = next;
    }
    Ok(())
}

/// The way from one position of an answer to a later one, as a problem of its own.
struct Stretch<'a, const N: usize> {
    plane: &'a Plane,
    start: State<N>,
    /// Where each tile, named by its goal cell, has to go.
    ends: [u8; N],
    end_of_blank: u8,
}

#[derive(Clone, PartialEq, Eq)]
struct State<const N: usize> {
    cells: [u8; N],
    blank: u8,
}

impl<'a, const N: usize> Stretch<'a, N> {
    fn new(plane: &'a Plane, from: &Position, to: &Position) -> Self {
        let (mut cells, mut ends) = ([0; N], [0; N]);
        cells[..from.cells.len()].copy_from_slice(&from.cells);
        for (cell, &tile) in to.cells.iter().enumerate() {
            ends[usize::from(tile)] = cell as u8;
        }
        Self { plane, start: State { cells, blank: from.blank }, ends, end_of_blank: to.blank }
    }

    /// A shortest way if it is shorter than `length` and soon found.
    fn solve(
        &self,
        length: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let Some(most) = length.checked_sub(2) else { return Ok(None) };
        let limits = Limits {
            max_expanded: Some(nodes.min(meter.left_to_expand())),
            max_depth: Some(most as Cost),
            ..Limits::default()
        };
        let mut own = Meter::new(limits, CancelToken::new());
        let outcome = idastar(self, &Ends, &NoUndo, &self.start, &mut own);
        let stats = own.finish();
        meter.expand_many(stats.expanded);
        meter.generate(stats.generated);
        meter.check()?;
        Ok(match outcome {
            Outcome::Solved { path, .. } => Some(path),
            _ => None,
        })
    }
}

impl<const N: usize> StateSpace for Stretch<'_, N> {
    type State = State<N>;
    type Action = Move;
    type Actions = MoveSet;

    #[inline]
    fn actions(&self, state: &State<N>) -> MoveSet {
        self.plane.moves(state.blank)
    }

    #[inline]
    fn apply(&self, state: &mut State<N>, m: Move) {
        let to = self.plane.target(state.blank, m);
        state.cells.swap(usize::from(state.blank), usize::from(to));
        state.blank = to;
    }

    fn is_goal(&self, state: &State<N>) -> bool {
        let cells = &state.cells[..self.plane.size.cells()];
        let there = |(cell, &tile): (usize, &u8)| usize::from(self.ends[usize::from(tile)]) == cell;
        state.blank == self.end_of_blank && cells.iter().enumerate().all(there)
    }
}

impl<const N: usize> Reversible for Stretch<'_, N> {
    #[inline]
    fn inverse(&self, m: Move) -> Move {
        m.inverse()
    }
}

/// The distances of all tiles to their ends.
struct Ends;

impl<const N: usize> Heuristic<Stretch<'_, N>> for Ends {
    fn h(&self, stretch: &Stretch<'_, N>, state: &State<N>) -> Cost {
        let plane = stretch.plane;
        let distance = |cell: usize| {
            let end = stretch.ends[usize::from(state.cells[cell])];
            Cost::from(plane.distance(cell as u8, end))
        };
        (0..plane.size.cells()).filter(|&cell| cell != usize::from(state.blank)).map(distance).sum()
    }
}

impl<const N: usize> IncrementalHeuristic<Stretch<'_, N>> for Ends {
    type Memo = Cost;

    fn memo(&self, stretch: &Stretch<'_, N>, state: &State<N>) -> Cost {
        self.h(stretch, state)
    }

    #[inline]
    fn update(
        &self,
        stretch: &Stretch<'_, N>,
        memo: Cost,
        parent: &State<N>,
        _: Move,
        child: &State<N>,
    ) -> Cost {
        let (from, to) = (child.blank, parent.blank);
        let end = stretch.ends[usize::from(parent.cells[usize::from(from)])];
        let distance = |cell| Cost::from(stretch.plane.distance(cell, end));
        memo + distance(to) - distance(from)
    }

    #[inline]
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}
