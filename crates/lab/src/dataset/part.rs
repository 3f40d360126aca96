//! Labelled rows as columns.

use loyd::Size;

use super::draw::is_for_test;

/// What is written of a board besides its distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// All moves with which a shortest solution begins.
    pub first_moves: bool,
    /// A shortest solution.
    pub solutions: bool,
    /// The values of the heuristics of these names.
    pub heuristics: Vec<&'static str>,
}

/// Rows, column by column.
#[derive(Clone, Debug)]
pub struct Part {
    pub(super) size: Size,
    wanted: Wanted,
    /// The tiles of all boards.
    pub(super) boards: Vec<u8>,
    pub(super) distances: Vec<u16>,
    /// Masks, where these are wanted.
    pub(super) first_moves: Vec<u8>,
    /// The values of all heuristics, row by row.
    pub(super) estimates: Vec<u16>,
    /// Solutions, where these are wanted.
    pub(super) solutions: Vec<String>,
}

/// A column of numbers.
pub(super) enum Numbers {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Part {
    pub(super) fn new(size: Size, wanted: &Wanted) -> Self {
        Self {
            size,
            wanted: wanted.clone(),
            boards: Vec::new(),
            distances: Vec::new(),
            first_moves: Vec::new(),
            estimates: Vec::new(),
            solutions: Vec::new(),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// The distance of each row and its mask of first moves, which is 0 where these are not wanted.
    pub fn found(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        let first_moves = self.first_moves.iter().copied().chain(std::iter::repeat(0));
        self.distances.iter().copied().zip(first_moves)
    }

    /// Puts the rows of `other` behind these.
    pub fn append(&mut self, mut other: Self) {
        self.boards.append(&mut other.boards);
        self.distances.append(&mut other.distances);
        self.first_moves.append(&mut other.first_moves);
        self.estimates.append(&mut other.estimates);
        self.solutions.append(&mut other.solutions);
    }

    /// The rows for training and those for testing, about this fraction of all boards. Which set a board belongs to
    /// follows from the seed and the board alone.
    pub fn split(self, seed: u64, fraction: f64) -> [Self; 2] {
        let mut parts = [0, 1].map(|_| Self::new(self.size, &self.wanted));
        let (cells, values) = (self.size.cells(), self.wanted.heuristics.len());
        let mut solutions = self.solutions.into_iter();
        for (row, board) in self.boards.chunks_exact(cells).enumerate() {
            let part = &mut parts[usize::from(is_for_test(board, seed, fraction))];
            part.boards.extend(board);
            part.distances.push(self.distances[row]);
            part.first_moves.extend(self.first_moves.get(row));
            part.estimates.extend(&self.estimates[row * values..(row + 1) * values]);
            part.solutions.extend(solutions.next());
        }
        parts
    }

    /// The columns that have a number a row, with their names.
    pub(super) fn numbers(&self) -> Vec<(String, Numbers)> {
        let mut columns = vec![("distance".to_owned(), Numbers::Words(self.distances.clone()))];
        if self.wanted.first_moves {
            columns.push(("first_moves".to_owned(), Numbers::Bytes(self.first_moves.clone())));
        }
        let heuristics = &self.wanted.heuristics;
        for (index, name) in heuristics.iter().enumerate() {
            let values = self.estimates.iter().skip(index).step_by(heuristics.len());
            columns.push((format!("h_{name}"), Numbers::Words(values.copied().collect())));
        }
        columns
    }

    /// The solutions, where these are wanted.
    pub(super) fn moves(&self) -> Option<&[String]> {
        self.wanted.solutions.then_some(&self.solutions)
    }
}

impl Numbers {
    /// The number of a row.
    pub fn get(&self, row: usize) -> u16 {
        match self {
            Self::Bytes(numbers) => numbers[row].into(),
            Self::Words(numbers) => numbers[row],
        }
    }
}
