//! Output formats of rows: CSV, JSON Lines, NumPy's `.npz`, and Parquet if the feature is on.

use std::io::{self, Seek, Write};

use super::part::{Numbers, Part};

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// CSV with a header line; the rows of a board are separated by slashes.
    Csv,
    /// JSON Lines, one object per row, with boards written as in CSV.
    Jsonl,
    /// NumPy archive with one array per column.
    Npz,
    /// Parquet with boards as fixed-size lists. Requires the feature `parquet`.
    Parquet,
}

impl Part {
    /// Writes the rows, with a header line for CSV.
    ///
    /// # Errors
    /// Returns an error if the output fails, or for Parquet without the feature.
    pub fn write(&self, format: Format, out: impl Write + Seek + Send) -> io::Result<()> {
        match format {
            Format::Csv => self.write_text(format, true, out),
            Format::Jsonl => self.write_text(format, false, out),
            Format::Npz => write_npz(self, out),
            #[cfg(feature = "parquet")]
            Format::Parquet => super::parquet::write(self, out),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                Err(io::Error::other("this program was built without Parquet support"))
            }
        }
    }

    /// Writes the rows as CSV, with the header line if `names`, or as JSON Lines.
    ///
    /// # Errors
    /// Returns an error if the output fails.
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
        // Neither column names nor values contain characters that JSON escapes.
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

    /// Appends the board, with slashes between its rows.
    fn push_board(&self, text: &mut String, board: &[u8]) {
        for (cell, &tile) in board.iter().enumerate() {
            if cell > 0 {
                text.push(if cell % self.size.width() == 0 { '/' } else { ' ' });
            }
            push_number(text, u16::from(tile));
        }
    }
}

/// Appends a number without `format!`, whose overhead matters at ten or more numbers per row.
fn push_number(text: &mut String, number: u16) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// Writes `part` as a NumPy archive: an uncompressed zip archive with one array in `.npy` format per column.
fn write_npz(part: &Part, out: impl Write + Seek) -> io::Result<()> {
    let mut zip = Zip { out, entries: Vec::new() };
    let rows = part.len();
    zip.add("board", &npy("|u1", &[rows, part.size.cells()], &part.boards))?;
    for (name, numbers) in part.numbers() {
        let array = match numbers {
            Numbers::Bytes(bytes) => npy("|u1", &[rows], &bytes),
            Numbers::Words(words) => {
                let bytes: Vec<u8> = words.into_iter().flat_map(u16::to_le_bytes).collect();
                npy("<u2", &[rows], &bytes)
            }
        };
        zip.add(&name, &array)?;
    }
    if let Some(moves) = part.moves() {
        let width = moves.iter().map(String::len).max().unwrap_or(0).max(1);
        let mut bytes = vec![0; width * rows];
        for (item, moves) in bytes.chunks_exact_mut(width).zip(moves) {
            item[..moves.len()].copy_from_slice(moves.as_bytes());
        }
        zip.add("moves", &npy(&format!("|S{width}"), &[rows], &bytes))?;
    }
    zip.finish()
}

/// Encodes an array in `.npy` format version 1.0; `kind` is the NumPy type of an item.
fn npy(kind: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let sides: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let mut header =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sides.trim_end());
    // Ten bytes of magic string, version and header length precede the header. The data is aligned to 64 bytes.
    let before = (10 + header.len() + 1).next_multiple_of(64) - 1;
    header.extend(std::iter::repeat_n(' ', before - 10 - header.len()));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

struct Zip<W> {
    out: W,
    entries: Vec<Entry>,
}

struct Entry {
    /// Fields shared by the local file header and the directory entry.
    common: Vec<u8>,
    name: String,
    offset: u32,
}

impl<W: Write + Seek> Zip<W> {
    fn add(&mut self, column: &str, data: &[u8]) -> io::Result<()> {
        let too_large = |_| io::Error::other("an array is larger than 4 GB: write smaller parts");
        let name = format!("{column}.npy");
        let length = u32::try_from(data.len()).map_err(too_large)?;
        let offset = u32::try_from(self.out.stream_position()?).map_err(too_large)?;
        let mut common = Vec::new();
        // Required version 2.0; no flags; stored; midnight of 1980-01-01.
        for number in [20_u16, 0, 0, 0, 0x21] {
            common.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(data), length, length] {
            common.extend(number.to_le_bytes());
        }
        // Name length; no extra field.
        for number in [name.len() as u16, 0] {
            common.extend(number.to_le_bytes());
        }
        self.out.write_all(b"PK\x03\x04")?;
        self.out.write_all(&common)?;
        self.out.write_all(name.as_bytes())?;
        self.out.write_all(data)?;
        self.entries.push(Entry { common, name, offset });
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        let mut directory = Vec::new();
        for Entry { common, name, offset } in &self.entries {
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(common);
            // No comment, disk 0, no attributes.
            directory.extend([0; 10]);
            directory.extend(offset.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let too_large = |_| io::Error::other("an archive is larger than 4 GB: write smaller parts");
        let offset = u32::try_from(self.out.stream_position()?).map_err(too_large)?;
        self.out.write_all(&directory)?;
        let entries = (self.entries.len() as u16).to_le_bytes();
        self.out.write_all(b"PK\x05\x06\x00\x00\x00\x00")?;
        self.out.write_all(&[entries, entries].concat())?;
        self.out.write_all(&(directory.len() as u32).to_le_bytes())?;
        self.out.write_all(&offset.to_le_bytes())?;
        self.out.write_all(&[0, 0])?;
        self.out.flush()
    }
}
