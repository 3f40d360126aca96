//! Tables for a terminal.

use std::fmt;

/// Rows of equal length under a heading; the first column reads left, those of numbers right.
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Columns that are words and so read from the left.
    words: usize,
}

impl Table {
    /// An empty table whose first `words` columns are words, the others numbers.
    pub fn new(words: usize, heading: impl IntoIterator<Item: Into<String>>) -> Self {
        let heading = heading.into_iter().map(Into::into).collect();
        Self { heading, rows: Vec::new(), words }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<&Vec<String>> = [&self.heading].into_iter().chain(&self.rows).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.heading.len()).map(|c| width(c).unwrap_or(0)).collect();
        for line in lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column < self.words {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}
