//! Is a file what building it gives?

use std::io;

use loyd_heuristics::pdb::{Database, FileError, Header, Partition, Pattern};
use loyd_search::{Meter, Stop};

use super::Store;

/// What was found out about the file of a partition.
#[derive(Debug)]
pub enum Check {
    /// There is none.
    Missing,
    /// It is not about the tables of this partition.
    Refused(FileError),
    /// The tables were built again and compared with it.
    Compared(Box<Compared>),
}

/// A file beside the tables that were built again.
#[derive(Debug, Default)]
pub struct Compared {
    /// Entries that were compared: a bit each, those without a state included.
    pub entries: u64,
    /// Entries that differ.
    pub wrong: u64,
    /// The first of them.
    pub first: Option<WrongEntry>,
    /// Whether the numbers of states at each distance are right too.
    pub census_is_right: bool,
    /// What a reader would have found wrong by itself.
    pub fault: Option<FileError>,
}

impl Compared {
    /// Whether the file is just as it should be.
    pub fn is_sound(&self) -> bool {
        self.wrong == 0 && self.census_is_right && self.fault.is_none()
    }
}

/// An entry of a file that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongEntry {
    /// The place of its bit among those of the words.
    pub bit: u64,
    /// What the bit should be. The one in the file is the other one.
    pub expected: bool,
    /// The pattern whose table it is in.
    pub pattern: Pattern,
    /// The state it stands for; `None` for bits that only fill a row up.
    pub state: Option<WrongState>,
}

/// A state of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongState {
    /// The cell of each tile, in the order of the pattern.
    pub tiles: Vec<u8>,
    /// The cells on which the blank may be.
    pub blank: Vec<u8>,
}

impl Store {
    /// Builds the tables of `partition` with `build` and compares every entry with the file.
    ///
    /// Cost: that of building; the file is read piece by piece.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn verify(
        &self,
        partition: &Partition,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&Partition, &mut Meter<'_>) -> Result<Database, Stop>,
    ) -> Result<Check, Stop> {
        let mut file = match self.open(partition) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Check::Missing),
            Err(error) => return Ok(Check::Refused(error.into())),
        };
        let header = match Header::read_for(partition, &mut file) {
            Ok(header) => header,
            Err(error) => return Ok(Check::Refused(error)),
        };
        let database = build(partition, meter)?;
        if let Err(error) = header.expect_words(database.words().len()) {
            return Ok(Check::Refused(error));
        }
        let compared = compare(&header, &database, &mut file, meter)?;
        Ok(Check::Compared(Box::new(compared)))
    }
}

fn compare(
    header: &Header,
    database: &Database,
    file: &mut impl io::Read,
    meter: &mut Meter<'_>,
) -> Result<Compared, Stop> {
    let right = database.parts().iter().map(|part| part.census());
    let census_is_right = right.eq(header.censuses.iter().map(Vec::as_slice));
    let mut compared = Compared { census_is_right, ..Compared::default() };
    let words = database.words();
    let read = header.read_words(file, meter, |piece| {
        let start = (compared.entries / 64) as usize;
        for (index, (&expected, &found)) in (start..).zip(words[start..].iter().zip(piece)) {
            let difference = expected ^ found;
            if difference != 0 && compared.first.is_none() {
                let bit = 64 * index as u64 + u64::from(difference.trailing_zeros());
                compared.first = Some(wrong_entry(database, bit));
            }
            compared.wrong += u64::from(difference.count_ones());
        }
        compared.entries += 64 * piece.len() as u64;
    });
    match read {
        Ok(()) => Ok(compared),
        Err(FileError::Stopped(stop)) => Err(stop),
        Err(error) => Ok(Compared { fault: Some(error), ..compared }),
    }
}

fn wrong_entry(database: &Database, bit: u64) -> WrongEntry {
    let expected = database.words()[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
    let part = database.parts().iter().rfind(|part| part.first_bit() <= bit);
    let part = part.expect("the first table begins at bit 0");
    let coordinates = part.coordinates();
    let place = bit - part.first_bit();
    let (rank, q) = (place / coordinates.stride(), place % coordinates.stride());
    let state = coordinates.rows().get(q as usize).map(|row| {
        let order = coordinates.unrank(rank as u32);
        let mut tiles = vec![0; coordinates.tiles()];
        for (&label, cell) in order.iter().zip(cells_of(row.mask)) {
            tiles[usize::from(label)] = cell;
        }
        WrongState { tiles, blank: cells_of(row.region).collect() }
    });
    WrongEntry { bit, expected, pattern: part.pattern().clone(), state }
}

fn cells_of(mask: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |cell| mask >> cell & 1 == 1)
}
