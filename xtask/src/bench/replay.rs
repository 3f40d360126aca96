//! Replays solutions, independently of the library being measured.

use anyhow::{Context, Result, bail};

/// The tiles of a board row by row, with 0 for the blank; in goals, `None` for a cell that may hold any tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    width: usize,
    cells: Vec<Option<u32>>,
}

impl Board {
    /// Parses rows separated by slashes and tiles separated by spaces; `*` stands for any tile. Without
    /// slashes, nine tiles are a 3x3 board.
    ///
    /// # Errors
    /// Fails if a word is not a number, or rows have different lengths.
    pub fn parse(text: &str) -> Result<Self> {
        let cell = |word: &str| match word {
            "*" => Ok(None),
            word => word.parse().map(Some).with_context(|| format!("`{word}` is not a tile")),
        };
        let row = |row: &str| row.split_whitespace().map(cell).collect::<Result<Vec<_>>>();
        let rows = text.split('/').map(row).collect::<Result<Vec<_>>>()?;
        let width = if (rows.len(), rows[0].len()) == (1, 9) { 3 } else { rows[0].len() };
        if rows.len() > 1 && rows.iter().any(|row| row.len() != width) {
            bail!("rows of different lengths: {text}");
        }
        Ok(Self { width, cells: rows.concat() })
    }

    /// Returns the goal of the same size: tiles in order, blank last.
    pub fn goal(&self) -> Self {
        let cells = (1..self.cells.len() as u32).chain([0]).map(Some).collect();
        Self { width: self.width, cells }
    }

    /// Makes the moves `u`, `d`, `l` and `r`, the directions in which the blank travels.
    ///
    /// # Errors
    /// The first move that would leave the board, or letter that is not a move.
    pub fn play(&mut self, moves: &str) -> Result<()> {
        let blank = self.cells.iter().position(|&cell| cell == Some(0));
        let mut blank = blank.context("a board without a blank")?;
        for (number, letter) in (1..).zip(moves.chars()) {
            let column = blank % self.width;
            let next = match letter {
                'u' => blank.checked_sub(self.width),
                'd' => Some(blank + self.width).filter(|&cell| cell < self.cells.len()),
                'l' => (column > 0).then(|| blank - 1),
                'r' => (column + 1 < self.width).then(|| blank + 1),
                _ => None,
            };
            let next = next.with_context(|| format!("move {number}, {letter}, is not possible"))?;
            self.cells.swap(blank, next);
            blank = next;
        }
        Ok(())
    }

    /// Returns whether the board is `goal`, ignoring the cells of `goal` that may hold any tile.
    pub fn meets(&self, goal: &Self) -> bool {
        let is_met =
            |(cell, wanted): (&Option<u32>, &Option<u32>)| wanted.is_none() || cell == wanted;
        self.width == goal.width
            && self.cells.len() == goal.cells.len()
            && self.cells.iter().zip(&goal.cells).all(is_met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: &str, moves: &str) -> Result<Board> {
        let mut board = Board::parse(start)?;
        board.play(moves)?;
        Ok(board)
    }

    #[test]
    fn the_blank_moves_inside_the_board() {
        let start = "1 2 3 4/5 6 0 7";
        let end = |moves: &str| after(start, moves).unwrap();
        assert_eq!(end("u"), Board::parse("1 2 0 4/5 6 3 7").unwrap());
        assert_eq!(end("ulldr"), Board::parse("5 1 2 4/6 0 3 7").unwrap());
        assert_eq!(end("rl"), end(""));
        for moves in ["d", "rr", "uu", "ulll", "x", "r d"] {
            assert!(after(start, moves).is_err(), "{moves}");
        }
    }

    #[test]
    fn goals_may_leave_cells_open() {
        let board = Board::parse("1 2 3/4 5 6/7 8 0").unwrap();
        assert!(board.meets(&board.goal()));
        assert!(board.meets(&Board::parse("1 * 3/* * */* * 0").unwrap()));
        assert!(!board.meets(&Board::parse("2 * 3/* * */* * 0").unwrap()));
        assert!(!board.meets(&Board::parse("1 2 3/4 5 0").unwrap()));
        assert_eq!(Board::parse("1 2 3 4 5 6 7 8 0").unwrap(), board);
        assert!(Board::parse("1 2/3 4 5").is_err());
        assert!(Board::parse("1 2/3 x").is_err());
    }
}
