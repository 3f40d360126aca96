//! The layout of a census: the placements of a board size in the order in which they are stored, and sets of
//! permutations in the layout of [`placement`](crate::placement).

use loyd_tiles::{Cell, Size};

use crate::placement::{self, Cells, WORD_PERMUTATIONS};

/// The placements in *parts*: two parts by the parity of the blank's distance from its goal cell, or all in one.
#[derive(Debug)]
pub struct Placements {
    size: Size,
    /// The goal cell of the blank.
    goal: u8,
    /// Number of placed tiles.
    placed: usize,
    /// Number of permuted tiles.
    permuted: usize,
    /// By part: the code of each placement, whose digits in base n are the cells of the blank and of the placed tiles.
    parts: Vec<Vec<u32>>,
}

impl Placements {
    /// Lists the placements for the blank's goal cell `goal` in two parts by the colour of the blank's cell. A
    /// single-tile move leads from one part to the other.
    pub fn by_colour(size: Size, goal: u8) -> Self {
        let mut placements = Self::empty(size, goal);
        let (all, goal) = (placements.all(), Cell::new(goal.into()));
        let odd = |cells: &[u8]| size.distance(goal, Cell::new(cells[0].into())) % 2 == 1;
        let (odd, even): (Vec<u32>, _) = all.partition(|&code| odd(&placements.cells(code)));
        placements.parts = vec![even, odd];
        placements
    }

    /// Lists the placements in one part, ordered so that a blank that goes down a column visits consecutive ones.
    pub fn by_column(size: Size, goal: u8) -> Self {
        let mut placements = Self::empty(size, goal);
        let mut part = Vec::new();
        for top in placements.all() {
            let mut cells = placements.cells(top);
            if usize::from(cells[0]) >= size.width() {
                continue;
            }
            part.push(top);
            for _ in 1..size.height() {
                cells = placement::moved(&cells, cells[0] + size.width() as u8).0;
                part.push(placements.code(&cells));
            }
        }
        placements.parts = vec![part];
        placements
    }

    fn empty(size: Size, goal: u8) -> Self {
        let (placed, permuted) = placement::split_tiles(size);
        Self { size, goal, placed, permuted, parts: Vec::new() }
    }

    /// Iterates over the codes of all placements: those with all digits different.
    fn all(&self) -> impl Iterator<Item = u32> {
        let (base, digits) = (self.size.cells() as u32, 1 + self.placed);
        (0..base.pow(digits as u32)).filter(move |&code| {
            let (mut met, mut rest) = (0_u32, code);
            (0..digits).all(|_| {
                let is_new = met >> (rest % base) & 1 == 0;
                met |= 1 << (rest % base);
                rest /= base;
                is_new
            })
        })
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of permuted tiles.
    pub fn permuted(&self) -> usize {
        self.permuted
    }

    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Iterates over the placements of a part in order, as the cells of the blank and of the placed tiles.
    pub fn part(&self, part: usize) -> impl ExactSizeIterator<Item = Cells> + '_ {
        self.parts[part].iter().map(|&code| self.cells(code))
    }

    /// Returns whether the permutations of the placement with these cells are odd.
    pub fn is_odd(&self, cells: &[u8]) -> bool {
        placement::is_odd(self.size, self.goal, cells)
    }

    /// Returns a function from the cells of a placement to its number within its part.
    pub fn numbers(&self) -> impl Fn(&[u8]) -> u32 + '_ {
        let codes = self.size.cells().pow(1 + self.placed as u32);
        let mut numbers = vec![0; codes];
        for part in &self.parts {
            (0..).zip(part).for_each(|(number, &code)| numbers[code as usize] = number);
        }
        move |cells| numbers[self.code(cells) as usize]
    }

    fn cells(&self, mut code: u32) -> Cells {
        let base = self.size.cells() as u32;
        let mut cells = Cells::default();
        for _ in 0..=self.placed {
            cells.push((code % base) as u8);
            code /= base;
        }
        cells
    }

    fn code(&self, cells: &[u8]) -> u32 {
        let base = self.size.cells() as u32;
        cells.iter().rev().fold(0, |code, &cell| code * base + u32::from(cell))
    }
}

/// The permutations of a number of tiles, as sets by label and position.
#[derive(Debug)]
pub struct Orders {
    tiles: usize,
    /// Number of words in a set.
    words: usize,
    /// By parity, label and position: the set of permutations with the label at that position.
    having: Vec<u64>,
}

impl Orders {
    /// Computes the sets for `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let words = placement::words_per_placement(tiles);
        let mut orders = Self { tiles, words, having: vec![0; 2 * tiles * tiles * words] };
        for rank in 0..(1..=tiles).product() {
            let (labels, is_odd) = unrank(tiles, rank);
            for (place, &label) in labels.iter().enumerate() {
                let first = orders.first(is_odd, label.into(), place);
                orders.having[first + rank / WORD_PERMUTATIONS] |=
                    1 << (rank % WORD_PERMUTATIONS / 2);
            }
        }
        orders
    }

    fn first(&self, is_odd: bool, label: usize, place: usize) -> usize {
        ((usize::from(is_odd) * self.tiles + label) * self.tiles + place) * self.words
    }

    fn having(&self, is_odd: bool, label: usize, place: usize) -> &[u64] {
        &self.having[self.first(is_odd, label, place)..][..self.words]
    }

    /// Returns the set of all permutations of a parity.
    pub fn all(&self, is_odd: bool) -> Vec<u64> {
        let mut all = vec![0; self.words];
        for place in 0..self.tiles {
            let having = self.having(is_odd, 0, place);
            all.iter_mut().zip(having).for_each(|(word, having)| *word |= having);
        }
        all
    }

    /// Keeps only the permutations of `set`, all of the given parity, that have `label` at position `place`.
    pub fn retain(&self, set: &mut [u64], is_odd: bool, label: usize, place: usize) {
        let having = self.having(is_odd, label, place);
        set.iter_mut().zip(having).for_each(|(word, having)| *word &= having);
    }

    /// Returns the labels in order of the permutation that a bit stands for in a set of the given parity.
    pub fn labels(&self, is_odd: bool, word: usize, bit: usize) -> Vec<u8> {
        let rank = word * WORD_PERMUTATIONS + 2 * bit;
        let (labels, parity) = unrank(self.tiles, rank);
        if parity == is_odd { labels } else { unrank(self.tiles, rank + 1).0 }
    }
}

/// Returns the labels of the permutation with this rank, and whether it is odd.
fn unrank(tiles: usize, mut rank: usize) -> (Vec<u8>, bool) {
    let (mut labels, mut inversions) = (Vec::with_capacity(tiles), 0);
    for label in (0..tiles).rev() {
        // Number of larger labels before this one.
        let larger = rank % (tiles - label);
        rank /= tiles - label;
        inversions += larger;
        labels.insert(larger, label as u8);
    }
    (labels, inversions % 2 == 1)
}
