//! What slides of the blank reach, a column of the board at a time.
//!
//! The blank may slide through a whole column. The placements that it comes through follow each other, so what it
//! reaches downwards is carried from one to the next, a tile jumping each time, and so upwards: as many
//! jumps as steps need.

use loyd_heuristics::pdb::levels::Source;

use super::flow::{Buffers, Inflow};
use super::placements::Placements;
use crate::placement::{self, Jumps};

/// What flows into the placements by slides.
#[derive(Debug)]
pub struct Slides {
    rows: usize,
    /// By placement: the placements from which the blank comes along its row.
    across: Vec<u32>,
    others: usize,
    /// By placement but the last of each column: the jump of a tile when the blank goes down, and when it comes back.
    jumps: Vec<Option<[u8; 2]>>,
    parities: Vec<bool>,
    tables: Jumps,
    words: usize,
}

impl Slides {
    /// The slides between `placements`, which are in the order of columns.
    pub fn new(placements: &Placements) -> Self {
        let (width, rows) = (placements.size().width(), placements.size().height());
        let (tables, number) = (Jumps::new(placements.permuted()), placements.numbers());
        let (mut across, mut jumps, mut parities) = (Vec::new(), Vec::new(), Vec::new());
        for cells in placements.part(0) {
            let (row, column) = (usize::from(cells[0]) / width, usize::from(cells[0]) % width);
            across.extend((0..width).filter(|&other| other != column).map(|other| {
                let mut slid = cells.clone();
                while usize::from(slid[0]) % width != other {
                    let to = if other < column { slid[0] - 1 } else { slid[0] + 1 };
                    slid = placement::moved(&slid, to).0;
                }
                number(&slid)
            }));
            if row + 1 < rows {
                let (_, places) = placement::moved(&cells, cells[0] + width as u8);
                jumps.push(
                    places.map(|(here, there)| {
                        [tables.number(here, there), tables.number(there, here)]
                    }),
                );
            }
            parities.push(placements.is_odd(&cells));
        }
        let words = placement::words(placements.permuted());
        Self { rows, across, others: width - 1, jumps, parities, tables, words }
    }

    /// Carries what has come to the row `from`, with what is there, to the next row, `to`.
    #[inline(always)]
    fn carry(
        &self,
        (first, from, to): (usize, usize, usize),
        jump: Option<u8>,
        source: &Source<'_, u64>,
        buffers: &mut Buffers,
    ) {
        let Buffers { reached, carried, jumped, is_carrying } = buffers;
        if source.fresh[first + from] {
            let states = &source.met[(first + from) * self.words..][..self.words];
            carried.iter_mut().zip(states).for_each(|(into, from)| *into |= from);
            *is_carrying = true;
        }
        if !*is_carrying {
            return;
        }
        if let Some(jump) = jump {
            jumped.fill(0);
            self.tables.flow(jump, self.parities[first + to].into(), carried, jumped);
            std::mem::swap(carried, jumped);
        }
        let reached = &mut reached[to * self.words..][..self.words];
        reached.iter_mut().zip(&*carried).for_each(|(into, from)| *into |= from);
    }
}

impl Inflow for Slides {
    fn group(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn gather(&self, column: usize, source: &Source<'_, u64>, buffers: &mut Buffers) -> bool {
        let first = column * self.rows;
        let across = &self.across[first * self.others..][..self.rows * self.others];
        let comes_down = source.fresh[first..first + self.rows].contains(&true);
        if !comes_down && !across.iter().any(|&from| source.fresh[from as usize]) {
            return false;
        }
        buffers.reached.fill(0);
        for (index, &from) in across.iter().enumerate() {
            if source.fresh[from as usize] {
                let into = &mut buffers.reached[index / self.others * self.words..][..self.words];
                let states = &source.met[from as usize * self.words..][..self.words];
                into.iter_mut().zip(states).for_each(|(into, from)| *into |= from);
            }
        }
        if comes_down {
            let jumps = &self.jumps[column * (self.rows - 1)..][..self.rows - 1];
            buffers.carry_nothing();
            for (row, jump) in jumps.iter().enumerate() {
                self.carry((first, row, row + 1), jump.map(|jump| jump[0]), source, buffers);
            }
            buffers.carry_nothing();
            for (row, jump) in jumps.iter().enumerate().rev() {
                self.carry((first, row + 1, row), jump.map(|jump| jump[1]), source, buffers);
            }
        }
        true
    }
}
