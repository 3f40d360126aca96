//! Accuracy of heuristics: their values against true distances.

use std::collections::BTreeMap;

use super::figure::{Figure, Marks, Series};
use super::scale::Axis;

/// Number of boards for each pair of true distance and heuristic value.
#[derive(Clone, Debug)]
pub struct Density {
    name: String,
    boards: BTreeMap<(u32, u32), u64>,
}

impl Density {
    /// Counts the pairs (distance, value) of a heuristic.
    pub fn new(name: &str, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut boards = BTreeMap::new();
        for pair in pairs {
            *boards.entry(pair).or_default() += 1;
        }
        Self { name: name.to_owned(), boards }
    }

    /// Returns the name of the heuristic.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the mean value.
    pub fn mean(&self) -> f64 {
        self.sum(|(_, value)| f64::from(value)) / self.sum(|_| 1.0)
    }

    /// Returns the fraction of boards for which the heuristic equals the distance.
    pub fn exact_share(&self) -> f64 {
        self.sum(|(distance, value)| f64::from(u8::from(distance == value))) / self.sum(|_| 1.0)
    }

    fn sum(&self, of: impl Fn((u32, u32)) -> f64) -> f64 {
        self.boards.iter().map(|(&pair, &boards)| boards as f64 * of(pair)).sum()
    }

    /// Returns the mean value at each distance.
    pub fn means(&self) -> Vec<[f64; 2]> {
        let mut sums: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (&(distance, value), &boards) in &self.boards {
            let (sum, number) = sums.entry(distance).or_default();
            *sum += boards * u64::from(value);
            *number += boards;
        }
        let mean = |(distance, (sum, number))| [f64::from(distance), sum as f64 / number as f64];
        sums.into_iter().map(mean).collect()
    }

    /// Plots the boards as density cells, the mean value as a line, and the perfect heuristic as a guide.
    pub fn figure(&self, note: &str) -> Figure {
        let cell = |(&(distance, value), &boards): (&(u32, u32), &u64)| {
            ([f64::from(distance), f64::from(value)], boards as f64)
        };
        let farthest = self.boards.keys().map(|&(distance, _)| distance).max().unwrap_or(0);
        let ends = [0.0, f64::from(farthest)];
        let series = |name: &str, marks| Series { name: name.to_owned(), marks };
        Figure {
            title: format!("{} against the true distance", self.name),
            note: note.to_owned(),
            x: Axis::linear("true distance (moves)"),
            y: Axis::linear("h (moves)"),
            series: vec![
                series("boards", Marks::Density(self.boards.iter().map(cell).collect())),
                series("mean of h", Marks::Line(self.means())),
                series("h = true distance", Marks::Guide(ends.map(|end| [end, end]).to_vec())),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_shares_are_correct() {
        let density = Density::new("h", [(2, 2), (2, 1), (3, 3), (3, 3)].into_iter());
        assert_eq!((density.mean(), density.exact_share()), (2.25, 0.75));
        assert_eq!(density.means(), [[2.0, 1.5], [3.0, 3.0]]);
        assert!(density.figure("").to_svg().contains("<title>2 at (3, 3)</title>"));
    }
}
