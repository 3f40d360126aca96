//! NumPy's `.npz`: a zip archive, nothing compressed, with an array in the form `.npy` for each column.

use std::io::{self, Seek, Write};

use super::part::{Numbers, Part};

/// Writes `part`.
pub fn write(part: &Part, out: impl Write + Seek) -> io::Result<()> {
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

/// An array of items of a type, version 1.0 of the form.
fn npy(kind: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let sides: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let mut header =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sides.trim_end());
    // Magic word, version, length of the header: ten bytes. The data begin at a multiple of 64.
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
    /// What the header of the file and its entry in the directory have in common.
    common: Vec<u8>,
    name: String,
    offset: u32,
}

impl<W: Write + Seek> Zip<W> {
    fn add(&mut self, column: &str, data: &[u8]) -> io::Result<()> {
        let too_large = |_| io::Error::other("an array takes more than 4 GB: write smaller parts");
        let name = format!("{column}.npy");
        let length = u32::try_from(data.len()).map_err(too_large)?;
        let offset = u32::try_from(self.out.stream_position()?).map_err(too_large)?;
        let mut common = Vec::new();
        // Version 2.0 is needed; no flags; stored; midnight of 1980-01-01.
        for number in [20_u16, 0, 0, 0, 0x21] {
            common.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(data), length, length] {
            common.extend(number.to_le_bytes());
        }
        // The length of the name, and no more about the file.
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
            // No comment, the first disk, no attributes.
            directory.extend([0; 10]);
            directory.extend(offset.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let too_large =
            |_| io::Error::other("an archive takes more than 4 GB: write smaller parts");
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
