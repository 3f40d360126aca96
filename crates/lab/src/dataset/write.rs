//! The forms in which rows are written.

use std::io::{self, Seek, Write};

use super::part::{Numbers, Part};
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

impl Part {
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

/// Writes a number without what formatting costs: there are ten of them a row, and more.
fn push_number(text: &mut String, number: u16) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
