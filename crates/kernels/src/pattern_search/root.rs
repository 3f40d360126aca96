//! How far the patterns of a start are from their goal cells.

use loyd_heuristics::pdb::{Part, Position, distance_increases};
use loyd_tiles::Move;

use super::LONGEST;
use super::steps::target;
use super::tables::Tables;
use crate::prefetch::prefetch;

/// The distances of some patterns, each in a position of its own; `None` if a walk does not end at the
/// goal, for then the tables are wrong.
///
/// All walk down to the goal together, a try each in turn, so that the bit that one asks for is on its
/// way from memory while the others are looked at. Cost: microseconds.
pub fn distances(tables: &Tables, starts: &[(&Part, &Position)]) -> Option<Vec<u32>> {
    let start = |&(part, position): &(_, _)| Walker::new(tables, part, position);
    let mut walkers: Vec<_> = starts.iter().map(start).collect();
    loop {
        let mut all_there = true;
        for walker in &mut walkers {
            all_there &= !walker.choose(tables)?;
        }
        if all_there {
            return Some(walkers.iter().map(|walker| walker.distance).collect());
        }
        for walker in &mut walkers {
            walker.look(tables);
        }
    }
}

/// A pattern on its way to the goal.
struct Walker<'a> {
    part: &'a Part,
    /// By label: the cell of the tile. By cell: the label on it.
    cells: [u8; 16],
    labels: [Option<u8>; 16],
    here: State,
    distance: u32,
    /// The next move to try, see [`choose`](Self::choose), and where the one being tried leads.
    next: usize,
    chosen: Option<(u8, u8, State)>,
}

/// A state of a pattern.
#[derive(Clone, Copy)]
struct State {
    mask: u16,
    rank: u32,
    /// Some cell of the region of the blank, and the cells in all regions by number.
    blank: u8,
    info: u64,
    /// The number of its bit in the database.
    place: u64,
}

impl State {
    fn new(tables: &Tables, part: &Part, mask: u16, rank: u32, blank: u8) -> Self {
        let info = tables.info[usize::from(mask)];
        let q = (info & 0xffff) + (info >> (16 + 3 * blank) & 7);
        let place = part.first_bit() + u64::from(rank) * part.coordinates().stride() + q;
        prefetch(tables.words(), place as usize / 64);
        Self { mask, rank, blank, info, place }
    }

    fn bit(&self, tables: &Tables) -> u32 {
        (tables.words()[self.place as usize / 64] >> (self.place % 64)) as u32 & 1
    }

    /// Whether the blank can come to `cell`.
    fn reaches(&self, cell: u8) -> bool {
        let region = |cell: u8| self.info >> (16 + 3 * cell) & 7;
        self.mask >> cell & 1 == 0 && region(cell) == region(self.blank)
    }
}

impl<'a> Walker<'a> {
    fn new(tables: &Tables, part: &'a Part, position: &Position) -> Self {
        let goals = part.pattern().cells();
        let (mut cells, mut labels, mut mask) = ([0; 16], [None; 16], 0);
        let mut order = Vec::with_capacity(goals.len());
        let mut blank = 0;
        for (cell, goal) in (0..).zip(position) {
            if let Some(label) = goals.iter().position(|other| other == goal) {
                cells[label] = cell;
                labels[usize::from(cell)] = Some(label as u8);
                mask |= 1 << cell;
                order.push(label as u8);
            } else if *goal == tables.blank() {
                blank = cell;
            }
        }
        let here = State::new(tables, part, mask, part.coordinates().rank(&order), blank);
        Self { part, cells, labels, here, distance: 0, next: 0, chosen: None }
    }

    /// Chooses a move to try and asks for its bit; returns whether the goal is still to be reached, or
    /// `None` if no move is left or too many have been made.
    ///
    /// Moves that bring a tile nearer to its own goal cell are tried first.
    fn choose(&mut self, tables: &Tables) -> Option<bool> {
        let (goals, here) = (self.part.pattern(), self.here);
        if here.mask == goals.mask() && here.rank == 0 && here.reaches(tables.blank()) {
            return Some(false);
        }
        let tries = 4 * goals.tiles();
        loop {
            if self.next == 2 * tries || self.distance > LONGEST {
                return None;
            }
            let (nearer, label) = (self.next < tries, self.next % tries / 4);
            let (from, m) = (self.cells[label], Move::ALL[self.next % 4]);
            self.next += 1;
            let Some(to) = target(from.into(), m).map(|to| to as u8) else { continue };
            let goal = goals.cells()[label];
            if !here.reaches(to) || (steps(to, goal) < steps(from, goal)) != nearer {
                continue;
            }
            let at = |cell: u8| self.labels[usize::from(cell)];
            let rank = here.rank.wrapping_add(self.part.jump(label as u8, from, to, at));
            let mask = here.mask ^ 1 << from ^ 1 << to;
            let there = State::new(tables, self.part, mask, rank, from);
            self.chosen = Some((label as u8, to, there));
            return Some(true);
        }
    }

    /// Makes the chosen move if it leads nearer to the goal.
    fn look(&mut self, tables: &Tables) {
        let Some((label, to, there)) = self.chosen.take() else { return };
        let parity = self.part.parity(self.here.mask);
        if distance_increases(parity, self.here.bit(tables), there.bit(tables)) {
            return;
        }
        let from = std::mem::replace(&mut self.cells[usize::from(label)], to);
        self.labels[usize::from(from)] = None;
        self.labels[usize::from(to)] = Some(label);
        (self.here, self.next) = (there, 0);
        self.distance += 1;
    }
}

/// How many cells apart two cells are.
fn steps(a: u8, b: u8) -> u8 {
    (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4)
}
