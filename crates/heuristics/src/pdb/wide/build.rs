//! Making a table: from the goal outwards, a level at a time.

use loyd_search::{Meter, Stop};

use super::WidePattern;
use super::grid::{Grid, bits};
use super::table::weight;
use crate::pdb::Words;

/// States between two looks at limits: some tens of microseconds' work.
const PORTION: usize = 1 << 10;

/// The cells of the tiles as a place with the blank on cell 0, and the region of the blank.
#[derive(Clone, Copy)]
struct State {
    place: u32,
    region: u64,
}

struct Builder<'a> {
    pattern: &'a WidePattern,
    grid: Grid,
    weights: Vec<u32>,
    /// Bit 1 of the distances.
    table: Words,
    /// The states that have been met.
    met: Words,
}

/// The table of `pattern`, and how many states there are at each distance.
///
/// # Errors
/// The limit that was reached.
pub(super) fn build(
    pattern: &WidePattern,
    meter: &mut Meter<'_>,
) -> Result<(Words, Vec<u64>), Stop> {
    let bytes = 2 * pattern.table_bytes();
    meter.reserve(bytes)?;
    let zeroed = || Words::zeroed((pattern.table_bytes() / 8) as usize).map_err(|_| Stop::Memory);
    let mut builder = Builder {
        pattern,
        grid: Grid::new(pattern.size()),
        weights: (0..pattern.cells().len()).map(|label| weight(pattern, label)).collect(),
        table: zeroed()?,
        met: zeroed()?,
    };
    let (total, mut done) = (builder.states(), 0);
    let (mut level, mut next, mut census) = (builder.goals(), Vec::new(), Vec::new());
    while !level.is_empty() {
        census.push(level.len() as u64);
        for portion in level.chunks(PORTION) {
            let held = level.capacity() + next.capacity() + PORTION * 4 * builder.weights.len();
            meter.reserve(bytes + (held * size_of::<State>()) as u64)?;
            meter.progress(done, total)?;
            let bit = census.len() as u64 >> 1 & 1;
            portion.iter().for_each(|state| builder.expand(state, bit, &mut next));
            done += portion.len() as u64;
        }
        level.clear();
        std::mem::swap(&mut level, &mut next);
    }
    Ok((builder.table, census))
}

impl Builder<'_> {
    /// How many states there are.
    fn states(&self) -> u64 {
        let tiles = self.pattern.cells().len();
        let orders: u64 = (1..=tiles as u64).product();
        orders * self.grid.sets(tiles).map(|set| self.grid.regions(set)).sum::<u64>()
    }

    /// The states with all tiles on their goal cells and the blank where it may end.
    fn goals(&mut self) -> Vec<State> {
        let (cells, mut left) = (self.pattern.cells(), self.pattern.blanks());
        let tiles = cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let place = self.weights.iter().zip(cells).map(|(w, &cell)| w * u32::from(cell)).sum();
        let mut goals = Vec::new();
        while left != 0 {
            let region = self.grid.region(left & left.wrapping_neg(), tiles);
            left &= !region;
            self.enter(State { place, region }, 0, &mut goals);
        }
        goals
    }

    /// Meets the states that are a move from `state`, whose distances have the bit 1 `bit`.
    fn expand(&mut self, state: &State, bit: u64, next: &mut Vec<State>) {
        let cells = self.pattern.size().cells() as u32;
        let (mut rest, mut on) = (state.place / cells, [0; 32]);
        let mut tiles = 0_u64;
        for cell in &mut on[..self.weights.len()] {
            *cell = (rest % cells) as u8;
            tiles |= 1 << *cell;
            rest /= cells;
        }
        for (label, &from) in on[..self.weights.len()].iter().enumerate() {
            let weight = self.weights[label];
            for to in bits(self.grid.beside(from) & state.region) {
                let place = (state.place + weight * u32::from(to)) - weight * u32::from(from);
                let blank = place + u32::from(from);
                if self.met[(blank / 64) as usize] >> (blank % 64) & 1 == 1 {
                    continue;
                }
                let region = self.grid.region(1 << from, tiles ^ 1 << from ^ 1 << to);
                self.enter(State { place, region }, bit, next);
            }
        }
    }

    fn enter(&mut self, state: State, bit: u64, level: &mut Vec<State>) {
        set(&mut self.met, state.place, state.region);
        if bit == 1 {
            set(&mut self.table, state.place, state.region);
        }
        level.push(state);
    }
}

/// Sets the bits of `cells`, from the bit `place` on.
fn set(words: &mut Words, place: u32, cells: u64) {
    let (word, shift) = ((place / 64) as usize, place % 64);
    words[word] |= cells << shift;
    let above = cells.checked_shr(64 - shift).unwrap_or(0);
    if above != 0 {
        words[word + 1] |= above;
    }
}
