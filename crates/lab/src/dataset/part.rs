//! Labelled rows, stored as columns.

use loyd::{Board, Size};
use serde::{Deserialize, Serialize};

use super::draw::in_test_set;

/// Labels to compute besides the distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelOptions {
    /// Whether to include the mask of all first moves of shortest solutions.
    pub first_moves: bool,
    /// Whether to include a shortest solution.
    pub solutions: bool,
    /// Names of heuristics whose values to include.
    pub heuristics: Vec<&'static str>,
}

/// Labelled rows, stored by column.
#[derive(Clone, Debug)]
pub struct Part {
    pub(super) size: Size,
    options: LabelOptions,
    /// Tiles of all boards.
    pub(super) boards: Vec<u8>,
    pub(super) distances: Vec<u16>,
    /// Masks of first moves; empty unless requested.
    pub(super) first_moves: Vec<u8>,
    /// Heuristic values, row by row.
    pub(super) estimates: Vec<u16>,
    /// Solutions; empty unless requested.
    pub(super) solutions: Vec<String>,
}

/// The labels of some boards, in the order of the boards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// Distances.
    pub distances: Vec<u16>,
    /// Masks of first moves; empty unless requested.
    pub first_moves: Vec<u8>,
    /// Heuristic values, board by board.
    pub estimates: Vec<u16>,
    /// Solutions; empty unless requested.
    pub solutions: Vec<String>,
}

/// A numeric column.
pub(super) enum Numbers {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Part {
    /// Creates a part without rows.
    pub fn new(size: Size, options: &LabelOptions) -> Self {
        Self {
            size,
            options: options.clone(),
            boards: Vec::new(),
            distances: Vec::new(),
            first_moves: Vec::new(),
            estimates: Vec::new(),
            solutions: Vec::new(),
        }
    }

    /// Returns rows with these boards and labels. Returns `None` if the numbers of labels are not those of the boards.
    pub fn with_labels<'a>(
        size: Size,
        options: &LabelOptions,
        boards: impl Iterator<Item = &'a Board>,
        labels: Labels,
    ) -> Option<Self> {
        let Labels { distances, first_moves, estimates, solutions } = labels;
        let boards: Vec<u8> = boards.flat_map(Board::bytes).collect();
        let rows = boards.len() / size.cells();
        let columns = [
            (distances.len(), 1),
            (first_moves.len(), usize::from(options.first_moves)),
            (estimates.len(), options.heuristics.len()),
            (solutions.len(), usize::from(options.solutions)),
        ];
        columns.iter().all(|&(labels, of_board)| labels == rows * of_board).then(|| {
            let options = options.clone();
            Self { size, options, boards, distances, first_moves, estimates, solutions }
        })
    }

    /// Returns the labels without the boards.
    pub fn into_labels(self) -> Labels {
        let Self { distances, first_moves, estimates, solutions, .. } = self;
        Labels { distances, first_moves, estimates, solutions }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Returns the distance of each row and its mask of first moves, which is 0 unless first moves were requested.
    pub fn labels(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        let first_moves = self.first_moves.iter().copied().chain(std::iter::repeat(0));
        self.distances.iter().copied().zip(first_moves)
    }

    /// Appends the rows of `other`.
    pub fn append(&mut self, mut other: Self) {
        self.boards.append(&mut other.boards);
        self.distances.append(&mut other.distances);
        self.first_moves.append(&mut other.first_moves);
        self.estimates.append(&mut other.estimates);
        self.solutions.append(&mut other.solutions);
    }

    /// Splits the rows into a training set and a test set, which gets about `fraction` of all boards. The set of a
    /// board depends only on the seed and the board.
    pub fn split(self, seed: u64, fraction: f64) -> [Self; 2] {
        let mut parts = [0, 1].map(|_| Self::new(self.size, &self.options));
        let (cells, values) = (self.size.cells(), self.options.heuristics.len());
        let mut solutions = self.solutions.into_iter();
        for (row, board) in self.boards.chunks_exact(cells).enumerate() {
            let part = &mut parts[usize::from(in_test_set(board, seed, fraction))];
            part.boards.extend(board);
            part.distances.push(self.distances[row]);
            part.first_moves.extend(self.first_moves.get(row));
            part.estimates.extend(&self.estimates[row * values..(row + 1) * values]);
            part.solutions.extend(solutions.next());
        }
        parts
    }

    /// Returns the numeric columns with their names.
    pub(super) fn numbers(&self) -> Vec<(String, Numbers)> {
        let mut columns = vec![("distance".to_owned(), Numbers::Words(self.distances.clone()))];
        if self.options.first_moves {
            columns.push(("first_moves".to_owned(), Numbers::Bytes(self.first_moves.clone())));
        }
        let heuristics = &self.options.heuristics;
        for (index, name) in heuristics.iter().enumerate() {
            let values = self.estimates.iter().skip(index).step_by(heuristics.len());
            columns.push((format!("h_{name}"), Numbers::Words(values.copied().collect())));
        }
        columns
    }

    /// Returns the solutions, if requested.
    pub(super) fn moves(&self) -> Option<&[String]> {
        self.options.solutions.then_some(&self.solutions)
    }
}

impl Numbers {
    /// Returns the number in a row.
    pub fn get(&self, row: usize) -> u16 {
        match self {
            Self::Bytes(numbers) => numbers[row].into(),
            Self::Words(numbers) => numbers[row],
        }
    }
}
