//! The sum over patterns as a heuristic.

use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic};
use loyd_tiles::{BoardSpace, Cell, Move, StepSpace};

use super::{MAX_WIDE_CELLS, WidePattern, WideTable};
use crate::pdb::database::distance_increases;

/// The most sums that are looked at, and the most patterns of all of them together.
const MAX_SUMS: usize = 2;
const MAX_PATTERNS: usize = 18;

/// The sum of the distances of all patterns; of several sums the largest.
///
/// Admissible and consistent. It knows boards from which the goal can be reached, and nothing of others.
/// Carried along: a move looks one bit up in each sum.
#[derive(Clone, Debug)]
pub struct WideSum {
    patterns: Vec<Placed>,
    /// For each sum, by label: the pattern and the label there; none if the tile does not count.
    members: Vec<Vec<Option<Member>>>,
    /// `steps[(sum · tiles + label) · cells + cell]`: what the tile adds there to the place of its pattern.
    steps: Vec<u32>,
    cells: usize,
    tiles: usize,
}

/// A pattern in its place.
#[derive(Clone, Debug)]
struct Placed {
    table: Arc<WideTable>,
    /// By cell of the board: the cell in the table.
    image: [u8; MAX_WIDE_CELLS],
    sum: usize,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    pattern: u8,
    label: u8,
}

/// Where the tiles of each pattern are, and how far from the goal.
#[derive(Clone, Copy, Debug)]
pub struct WideMemo {
    places: [u32; MAX_PATTERNS],
    distances: [u8; MAX_PATTERNS],
    sums: [u16; MAX_SUMS],
}

impl WideMemo {
    /// The estimate.
    #[inline]
    pub fn value(&self) -> Cost {
        self.sums[0].max(self.sums[1]).into()
    }
}

impl WideSum {
    /// The larger one of the sums over these patterns, for boards of `space`; `table` has the table of a
    /// pattern that is [upright](WidePattern::upright).
    ///
    /// # Errors
    /// What `table` fails with.
    ///
    /// # Panics
    /// If there are more than two sums or eighteen patterns, or patterns of a sum have tiles in common.
    pub fn new<S: BoardSpace, E>(
        space: &S,
        sums: &[Vec<WidePattern>],
        mut table: impl FnMut(&WidePattern) -> Result<Arc<WideTable>, E>,
    ) -> Result<Self, E> {
        let (size, labels) = (space.size(), space.relabelling());
        let (cells, tiles) = (size.cells(), size.tiles());
        assert!(sums.len() <= MAX_SUMS, "too many sums");
        let mut members = vec![vec![None; tiles]; sums.len()];
        let mut steps = vec![0; sums.len() * tiles * cells];
        let mut patterns = Vec::new();
        for (sum, pattern) in
            sums.iter().enumerate().flat_map(|(i, sum)| sum.iter().map(move |p| (i, p)))
        {
            let (upright, turn) = pattern.upright();
            let table = table(&upright)?;
            let mut image = [0; MAX_WIDE_CELLS];
            for cell in size.iter_cells() {
                image[cell.index()] = turn.cell(size, cell).index() as u8;
            }
            for label in 0..tiles {
                let goal = labels.goal_cell(label as u8).index();
                if !space.is_constrained(label as u8) || !pattern.cells().contains(&(goal as u8)) {
                    continue;
                }
                let there = upright.cells().iter().position(|&cell| cell == image[goal]);
                let there = there.expect("turning takes the pattern to the upright one");
                let member = Member { pattern: patterns.len() as u8, label: there as u8 };
                let before = members[sum][label].replace(member);
                assert!(before.is_none(), "a tile is in two patterns of a sum");
                let steps = &mut steps[(sum * tiles + label) * cells..][..cells];
                for (step, &image) in steps.iter_mut().zip(&image) {
                    *step = table.weight(there) * u32::from(image);
                }
            }
            patterns.push(Placed { table, image, sum });
        }
        assert!(patterns.len() <= MAX_PATTERNS, "too many patterns");
        Ok(Self { patterns, members, steps, cells, tiles })
    }

    /// The tables, each as often as it is used.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<WideTable>> {
        self.patterns.iter().map(|placed| &placed.table)
    }

    /// Whether the tables lead from a state to the goal, as right ones do if it can be reached.
    ///
    /// Cost: a walk for each pattern; microseconds.
    pub fn leads_from<S: BoardSpace>(&self, space: &S, state: &S::State) -> bool {
        self.place(space, state).is_some()
    }

    /// The memo of a state, if the tables lead to the goal.
    fn place<S: BoardSpace>(&self, space: &S, state: &S::State) -> Option<WideMemo> {
        let mut memo = WideMemo {
            places: [0; MAX_PATTERNS],
            distances: [0; MAX_PATTERNS],
            sums: [0; MAX_SUMS],
        };
        let blank = space.blank(state);
        let tiles: Vec<Cell> = space.size().iter_cells().filter(|&cell| cell != blank).collect();
        for (index, placed) in self.patterns.iter().enumerate() {
            let mut on = vec![0; placed.table.pattern().cells().len()];
            for &cell in &tiles {
                let label = usize::from(space.label(state, cell));
                match self.members[placed.sum][label] {
                    Some(member) if usize::from(member.pattern) == index => {
                        on[usize::from(member.label)] = placed.image[cell.index()];
                        memo.places[index] += self.step(placed.sum, label, cell);
                    }
                    _ => {}
                }
            }
            let distance = placed.table.distance(&on, placed.image[blank.index()])?;
            memo.distances[index] = distance as u8;
            memo.sums[placed.sum] += distance as u16;
        }
        Some(memo)
    }

    #[inline]
    fn step(&self, sum: usize, label: usize, cell: Cell) -> u32 {
        self.steps[(sum * self.tiles + label) * self.cells + cell.index()]
    }
}

impl<S: StepSpace> Heuristic<S> for WideSum {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.memo(space, state).value()
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for WideSum {
    type Memo = WideMemo;

    fn memo(&self, space: &S, state: &S::State) -> WideMemo {
        self.place(space, state).expect("tables that are wrong lead no search")
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        mut memo: WideMemo,
        parent: &S::State,
        m: Move,
        _: &S::State,
    ) -> WideMemo {
        let (from, to) = (space.target(parent, m), space.blank(parent));
        let label = usize::from(space.moving(parent, m));
        for (sum, members) in self.members.iter().enumerate() {
            let Some(member) = members[label] else { continue };
            let index = usize::from(member.pattern);
            let (step, placed) = (|cell| self.step(sum, label, cell), &self.patterns[index]);
            let place = memo.places[index].wrapping_add(step(to)).wrapping_sub(step(from));
            memo.places[index] = place;
            let bit = placed.table.bit(place + u32::from(placed.image[from.index()]));
            let before = u32::from(memo.distances[index]);
            let change = if distance_increases(before & 1, before >> 1 & 1, bit) { 1 } else { -1 };
            memo.distances[index] = memo.distances[index].wrapping_add_signed(change);
            memo.sums[sum] = memo.sums[sum].wrapping_add_signed(change.into());
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &WideMemo) -> Cost {
        memo.value()
    }
}
