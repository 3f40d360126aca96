//! Matrices of per-tile estimates, by cell and goal cell.

use std::fmt;

use loyd_search::Cost;
use loyd_tiles::{Cell, Size};

/// A cells × cells matrix: the entry in row `from` and column `to` is the estimate for a tile on cell `from` with goal
/// cell `to`.
///
/// Text form: one row per line, numbers separated by whitespace (the format of `eight_dis.txt`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceMatrix {
    cells: usize,
    entries: Vec<Cost>,
}

/// An error in the text of a matrix, with its position (line and column from 1).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct MatrixError {
    /// The line.
    pub line: usize,
    /// The column, in characters, of the invalid entry.
    pub column: usize,
    /// The error and the allowed values.
    pub message: String,
}

impl DistanceMatrix {
    /// Maximum entry: sums over 255 tiles cannot overflow.
    pub const MAX_ENTRY: Cost = 1_000_000;

    /// Creates the matrix with the entries `entry(from, to)`, for all pairs of cells of a board of `size`.
    ///
    /// # Panics
    /// Panics if an entry is above [`MAX_ENTRY`](Self::MAX_ENTRY).
    pub fn from_fn(size: Size, entry: impl Fn(Cell, Cell) -> Cost) -> Self {
        let mut entries = Vec::with_capacity(size.cells() * size.cells());
        for from in size.iter_cells() {
            entries.extend(size.iter_cells().map(|to| entry(from, to)));
        }
        assert!(
            entries.iter().all(|&entry| entry <= Self::MAX_ENTRY),
            "an entry is above the largest allowed, {}",
            Self::MAX_ENTRY
        );
        Self { cells: size.cells(), entries }
    }

    /// Creates the matrix of Manhattan distances: the moves that a tile needs on an empty board.
    pub fn manhattan(size: Size) -> Self {
        Self::from_fn(size, |from, to| size.distance(from, to))
    }

    /// Creates the matrix that is 0 on the diagonal and 1 elsewhere: its sum counts the misplaced tiles.
    pub fn misplaced(size: Size) -> Self {
        Self::from_fn(size, |from, to| Cost::from(from != to))
    }

    /// Returns the number of rows, which is also the number of columns.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the estimate for a tile on `from` with goal cell `to`.
    pub fn entry(&self, from: Cell, to: Cell) -> Cost {
        self.entries[from.index() * self.cells + to.index()]
    }

    /// Returns whether the sum over the tiles is admissible: no entry exceeds the Manhattan distance of its two cells.
    /// That is sufficient because every move takes one tile to an adjacent cell.
    pub fn is_admissible(&self, size: Size) -> bool {
        let mut pairs =
            size.iter_cells().flat_map(|from| size.iter_cells().map(move |to| (from, to)));
        self.cells == size.cells() && pairs.all(|(a, b)| self.entry(a, b) <= size.distance(a, b))
    }

    /// Parses the text form: a square matrix of whole numbers from 0 to [`MAX_ENTRY`](Self::MAX_ENTRY). Empty
    /// lines are skipped.
    ///
    /// # Errors
    /// Returns the first invalid entry or row.
    pub fn parse(text: &str) -> Result<Self, MatrixError> {
        let mut entries = Vec::new();
        let mut cells = 0;
        let mut rows = 0;
        for (index, line) in text.lines().enumerate() {
            let fault = |column, message| MatrixError { line: index + 1, column, message };
            let before = entries.len();
            for word in line.split_whitespace() {
                let entry =
                    read_entry(word).map_err(|message| fault(column_of(line, word), message))?;
                entries.push(entry);
            }
            let row = entries.len() - before;
            match (row, cells) {
                (0, _) => continue,
                (row, 0) if row > Size::MAX_SEARCH_CELLS => {
                    return Err(fault(
                        1,
                        format!("a row of {row}; heuristics take boards of at most 256 cells"),
                    ));
                }
                (row, 0) => cells = row,
                (row, cells) if row != cells => {
                    let message = format!("a row of {row} entries where the first row has {cells}");
                    return Err(fault(1, message));
                }
                _ => {}
            }
            rows += 1;
            if rows > cells {
                return Err(fault(
                    1,
                    format!("row {rows} of a matrix with {cells} columns; it must be square"),
                ));
            }
        }
        if rows < cells || cells == 0 {
            let message =
                format!("the matrix ends after {rows} of {cells} rows; it must be square");
            return Err(MatrixError { line: text.lines().count().max(1), column: 1, message });
        }
        Ok(Self { cells, entries })
    }
}

fn read_entry(word: &str) -> Result<Cost, String> {
    let allowed = format!("whole numbers from 0 to {} are allowed", DistanceMatrix::MAX_ENTRY);
    let shown: String = word.chars().take(20).collect();
    match word.parse::<Cost>() {
        Ok(entry) if entry <= DistanceMatrix::MAX_ENTRY => Ok(entry),
        Ok(_) => Err(format!("`{shown}` is too large: {allowed}")),
        Err(_) => Err(format!("`{shown}` is no distance: {allowed}")),
    }
}

/// Returns the column, from 1 and in characters, at which `word`, a slice of `line`, starts.
fn column_of(line: &str, word: &str) -> usize {
    let offset = word.as_ptr() as usize - line.as_ptr() as usize;
    line[..offset].chars().count() + 1
}

impl fmt::Display for DistanceMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.entries.chunks(self.cells) {
            let row: Vec<String> = row.iter().map(Cost::to_string).collect();
            writeln!(f, "{}", row.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "largest allowed")]
    fn entries_above_the_maximum_are_rejected() {
        DistanceMatrix::from_fn(Size::EIGHT, |_, _| DistanceMatrix::MAX_ENTRY + 1);
    }

    #[test]
    fn text_survives_a_round_trip() {
        for (w, h) in [(1, 2), (3, 3), (4, 3), (16, 16)] {
            let matrix = DistanceMatrix::manhattan(Size::new(w, h).unwrap());
            assert_eq!(DistanceMatrix::parse(&matrix.to_string()), Ok(matrix.clone()));
            assert_eq!(
                DistanceMatrix::parse(&matrix.to_string().replace('\n', "\r\n")),
                Ok(matrix)
            );
        }
    }

    #[test]
    fn errors_have_positions() {
        let error = |text: &str| DistanceMatrix::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("0 1\n-1 0"),
            "line 2, column 1: `-1` is no distance: whole numbers from 0 to 1000000 are allowed"
        );
        assert_eq!(
            error("0 1\n1 ü"),
            "line 2, column 3: `ü` is no distance: whole numbers from 0 to 1000000 are allowed"
        );
        assert_eq!(
            error("0 1000001"),
            "line 1, column 3: `1000001` is too large: whole numbers from 0 to 1000000 are allowed"
        );
        assert_eq!(
            error("0 1\n\n1"),
            "line 3, column 1: a row of 1 entries where the first row has 2"
        );
        assert_eq!(
            error("0 1\n1 0\n1 1"),
            "line 3, column 1: row 3 of a matrix with 2 columns; it must be square"
        );
        assert_eq!(
            error("0 1 2\n1 0 1\n"),
            "line 2, column 1: the matrix ends after 2 of 3 rows; it must be square"
        );
        assert!(error("").starts_with("line 1, column 1: the matrix ends after 0 of 0 rows"));
        assert!(error(&"1 ".repeat(257)).contains("a row of 257"));
    }

    #[test]
    fn admissible_is_at_most_manhattan() {
        let size = Size::EIGHT;
        assert!(DistanceMatrix::manhattan(size).is_admissible(size));
        assert!(DistanceMatrix::misplaced(size).is_admissible(size));
        let off = |from: Cell, to: Cell| size.distance(from, to) + u32::from(from == to);
        assert!(!DistanceMatrix::from_fn(size, off).is_admissible(size));
    }
}
