//! Labelled rows as columns, and the forms in which they are written.

use std::io::{self, Seek, Write};

use loyd::Size;

use super::draw::is_for_test;
use super::label::Wanted;
use super::{npz, parquet};

/// Forms of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of names, then a line for each row; the board is written with slashes between its rows.
    Csv,
    /// A record for each row, the board written in the same way.
    Jsonl,
    /// NumPy's archive with an array for each column.
    Npz,
    /// Parquet, boards as lists of one length. There only with the feature `parquet`.
    Parquet,
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

    /// Writes the rows, and the line of names in front of those of CSV.
    ///
    /// # Errors
    /// When they cannot be written, and for Parquet without the feature.
    pub fn write(&self, format: Format, out: impl Write + Seek + Send) -> io::Result<()> {
        match format {
            Format::Csv => self.write_text(format, true, out),
            Format::Jsonl => self.write_text(format, false, out),
            Format::Npz => npz::write(self, out),
            Format::Parquet => parquet::write(self, out),
        }
    }

    /// Writes the rows as CSV, with the line of names if that is wanted, or as JSON Lines.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_text(&self, format: Format, names: bool, mut out: impl Write) -> io::Result<()> {
        let columns = self.numbers();
        if names {
            let names = columns.iter().map(|(name, _)| name.as_str());
            let moves = self.moves().map(|_| "moves");
            let names: Vec<&str> = std::iter::once("board").chain(names).chain(moves).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        let mut text = String::new();
        for (row, board) in self.boards.chunks_exact(self.size.cells()).enumerate() {
            text.clear();
            match format {
                Format::Csv => self.csv_row(&mut text, board, &columns, row),
                _ => self.json_row(&mut text, board, &columns, row),
            }
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    fn csv_row(&self, text: &mut String, board: &[u8], columns: &[(String, Numbers)], row: usize) {
        self.push_board(text, board);
        for (_, column) in columns {
            text.push(',');
            push_number(text, column.get(row));
        }
        if let Some(moves) = self.moves() {
            text.push(',');
            text.push_str(&moves[row]);
        }
        text.push('\n');
    }

    fn json_row(&self, text: &mut String, board: &[u8], columns: &[(String, Numbers)], row: usize) {
        // No name and no text has anything that JSON would write in another way.
        text.push_str("{\"board\":\"");
        self.push_board(text, board);
        text.push('"');
        for (name, column) in columns {
            text.extend([",\"", name, "\":"]);
            push_number(text, column.get(row));
        }
        if let Some(moves) = self.moves() {
            text.extend([",\"moves\":\"", &moves[row], "\""]);
        }
        text.push_str("}\n");
    }

    /// The board with slashes between its rows.
    fn push_board(&self, text: &mut String, board: &[u8]) {
        for (cell, &tile) in board.iter().enumerate() {
            if cell > 0 {
                text.push(if cell % self.size.width() == 0 { '/' } else { ' ' });
            }
            push_number(text, u16::from(tile));
        }
    }
}

impl Numbers {
    fn get(&self, row: usize) -> u16 {
        match self {
            Self::Bytes(numbers) => numbers[row].into(),
            Self::Words(numbers) => numbers[row],
        }
    }
}

/// Writes a number without what formatting costs: there are ten of them a row, and more.
fn push_number(text: &mut String, number: u16) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
