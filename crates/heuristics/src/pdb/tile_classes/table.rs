//! The distances of all abstract boards.

use std::borrow::Cow;

use loyd_search::{Cost, Meter, Stop, walk_down};

use super::arrangements::{Arrangement, Arrangements};
use super::build;
use super::classes::TileClasses;
use super::lines::{Line, UNREACHED, code, place};
use crate::file::{Contents, TableKey};
use crate::pdb::Words;

/// The number of slides that every abstract board needs, modulo 3, in two bits a board.
///
/// Places are cells in the order of the table: column by column in canonical orientation, whose columns are the longer
/// lines. A board is the place of its blank and the [`Arrangement`] of its tiles by place. All boards of an
/// arrangement share one word of 32 bits, so what a slide along a column leads to stands in the same word.
///
/// A slide changes the distance by at most one, so what it changes it by follows from the distances
/// modulo 3, and a distance is carried along a path, or found by walking down to the goal.
#[derive(Debug)]
pub struct TileClassTable {
    classes: TileClasses,
    arrangements: Arrangements,
    line: Line,
    words: Words,
    census: Vec<u64>,
}

/// More slides than any board needs: a walk as long as this runs in circles.
const FARTHEST: Cost = 255;

impl TileClassTable {
    /// The bytes that it takes to build a table.
    pub fn build_bytes(classes: &TileClasses) -> u64 {
        let arrangements = Arrangements::new(classes.counts());
        2 * 4 * arrangements.count() as u64 + arrangements.bytes()
    }

    /// The distances of all boards, found from the goal outwards.
    ///
    /// Cost: one thread, some 40 million boards a second; 2 bits a board, and for building as many again.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build(classes: TileClasses, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let arrangements = Arrangements::new(classes.counts());
        let (size, line) = (classes.size(), Line::new(&classes));
        let count = arrangements.count();
        meter.reserve_more(8 * count as u64 + arrangements.bytes())?;
        let zeroed = || Words::zeroed(count.div_ceil(2)).map_err(|_| Stop::Memory);
        let (mut words, mut beside) = (zeroed()?, zeroed()?);
        let goal = goal(&classes, &arrangements);
        let job = build::Job {
            arrangements: &arrangements,
            line,
            goal: (arrangements.number(goal), place(size, classes.blank().into()) as u32),
        };
        let table = &mut bytemuck::cast_slice_mut(&mut words)[..count];
        let census =
            job.build(table, &mut bytemuck::cast_slice_mut(&mut beside)[..count], meter)?;
        Ok(Self { classes, arrangements, line, words, census })
    }

    /// The classes.
    pub fn classes(&self) -> &TileClasses {
        &self.classes
    }

    /// The numbers of arrangements.
    pub fn arrangements(&self) -> &Arrangements {
        &self.arrangements
    }

    /// The lines.
    #[inline]
    pub fn line(&self) -> Line {
        self.line
    }

    /// A word for each arrangement: two bits for each place of the blank, the first place lowest. They are
    /// the distance modulo 3, or 3 for boards from which the goal cannot be reached.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &bytemuck::cast_slice(&self.words)[..self.arrangements.count()]
    }

    /// How many boards there are at each distance.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// The bytes that the table holds.
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + self.arrangements.bytes()
    }

    /// The word of an arrangement.
    #[inline]
    pub fn word(&self, arrangement: Arrangement) -> u32 {
        self.words()[self.arrangements.number(arrangement) as usize]
    }

    /// The slides from a board to the goal of its classes, by walking there: some microseconds. 0 for
    /// boards that cannot get there; `None` if the walk ends elsewhere, for then the table is wrong.
    pub fn distance(&self, arrangement: Arrangement, blank: u32) -> Option<Cost> {
        if code(self.word(arrangement), blank) == UNREACHED {
            return Some(0);
        }
        let goal_blank = place(self.classes.size(), self.classes.blank().into()) as u32;
        let goal = (goal(&self.classes, &self.arrangements), goal_blank);
        let nearer = |(arrangement, blank), steps| {
            let code = code(self.word(arrangement), blank);
            let leads_on = code != UNREACHED && steps < FARTHEST;
            let nearer = leads_on.then(|| self.nearer(arrangement, blank, (code + 2) % 3));
            nearer.flatten().ok_or(())
        };
        walk_down((arrangement, blank), |&board| board == goal, nearer).ok()
    }

    /// A neighbour with this code.
    fn nearer(
        &self,
        arrangement: Arrangement,
        blank: u32,
        wanted_code: u32,
    ) -> Option<(Arrangement, u32)> {
        let Line { places, lines, .. } = self.line;
        let (first, word) = (blank / places * places, self.word(arrangement));
        if let Some(to) = (first..first + places).find(|&to| code(word, to) == wanted_code) {
            return Some((arrangement, to));
        }
        let across = (0..lines).map(|line| line * places + blank % places);
        let slid = across.map(|to| (self.line.slid(arrangement, blank, to), to));
        let mut nearer = slid.filter(|&(slid, to)| code(self.word(slid), to) == wanted_code);
        nearer.next()
    }
}

impl TableKey for TileClasses {
    type Table = TileClassTable;

    fn contents(&self) -> Contents {
        Contents::TileClasses(self.clone())
    }

    fn lengths(&self, _: &[Vec<u64>]) -> Vec<u64> {
        vec![self.arrangements().div_ceil(2)]
    }

    fn restore(
        &self,
        mut pieces: Vec<Words>,
        mut censuses: Vec<Vec<u64>>,
    ) -> Option<TileClassTable> {
        let words = pieces.pop().expect("a table is one piece");
        Some(TileClassTable {
            classes: self.clone(),
            arrangements: Arrangements::new(self.counts()),
            line: Line::new(self),
            words,
            census: censuses.pop().unwrap_or_default(),
        })
    }

    fn pieces(table: &TileClassTable) -> Vec<Cow<'_, [u64]>> {
        vec![table.words[..].into()]
    }

    fn censuses(table: &TileClassTable) -> Vec<Vec<u64>> {
        vec![table.census.clone()]
    }

    fn bytes(table: &TileClassTable) -> u64 {
        table.bytes()
    }
}

/// The goal of the classes.
fn goal(classes: &TileClasses, arrangements: &Arrangements) -> Arrangement {
    let size = classes.size();
    let mut cells: Vec<_> = size.iter_cells().collect();
    cells.sort_unstable_by_key(|cell| place(size, cell.index()));
    let tiles = cells.into_iter().filter(|cell| cell.index() != usize::from(classes.blank()));
    let bits = (0..).map(|tile| tile * arrangements.bits());
    tiles.zip(bits).fold(0, |goal, (cell, bits)| goal | u64::from(classes.of(cell)) << bits)
}
