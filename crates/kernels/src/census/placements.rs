//! All placements of the boards of a size, in the order in which a census keeps them.

use loyd_tiles::{Cell, Size};

use crate::placement;

/// The placements, in *parts*: those with the blank at an even distance from its goal and those at an odd one, or all
/// in one part.
#[derive(Debug)]
pub struct Placements {
    size: Size,
    /// The goal cell of the blank.
    goal: u8,
    placed: usize,
    permuted: usize,
    /// By part: the cells of each placement, as digits.
    parts: Vec<Vec<u32>>,
}

impl Placements {
    /// The placements of boards whose blank belongs on `goal`, in two parts by the colour of the blank's cell: a step
    /// leads from one to the other.
    pub fn by_colour(size: Size, goal: u8) -> Self {
        let mut placements = Self::empty(size, goal);
        let (all, goal) = (placements.all(), Cell::new(goal.into()));
        let odd = |cells: &[u8]| size.distance(goal, Cell::new(cells[0].into())) % 2 == 1;
        let (odd, even): (Vec<u32>, _) = all.partition(|&code| odd(&placements.cells(code)));
        placements.parts = vec![even, odd];
        placements
    }

    /// The placements in one part, those that follow each other when the blank goes down a column side by side.
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
        let (placed, permuted) = placement::shares(size);
        Self { size, goal, placed, permuted, parts: Vec::new() }
    }

    /// The codes of all placements.
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

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many tiles are placed.
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// How many tiles are permuted.
    pub fn permuted(&self) -> usize {
        self.permuted
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The placements of a part, in order: the cells of the blank and of the placed tiles.
    pub fn part(&self, part: usize) -> impl ExactSizeIterator<Item = Vec<u8>> + '_ {
        self.parts[part].iter().map(|&code| self.cells(code))
    }

    /// Whether permutations are odd in the placement with these cells.
    pub fn is_odd(&self, cells: &[u8]) -> bool {
        placement::is_odd(self.size, self.goal, cells)
    }

    /// The number of each placement within its part.
    pub fn numbers(&self) -> impl Fn(&[u8]) -> u32 + '_ {
        let codes = self.size.cells().pow(1 + self.placed as u32);
        let mut numbers = vec![0; codes];
        for part in &self.parts {
            (0..).zip(part).for_each(|(number, &code)| numbers[code as usize] = number);
        }
        move |cells| numbers[self.code(cells) as usize]
    }

    fn cells(&self, mut code: u32) -> Vec<u8> {
        let base = self.size.cells() as u32;
        let digit = |_| {
            let digit = code % base;
            code /= base;
            digit as u8
        };
        (0..=self.placed).map(digit).collect()
    }

    fn code(&self, cells: &[u8]) -> u32 {
        let base = self.size.cells() as u32;
        cells.iter().rev().fold(0, |code, &cell| code * base + u32::from(cell))
    }
}
