//! Is a file what building it gives?

use std::io;

use loyd_heuristics::file::{FileError, Header};
use loyd_search::{Meter, Stop};

use super::Store;
use crate::store::build::Build;
use crate::store::place::WrongPlace;

/// What was found out about the file of a table.
#[derive(Debug)]
pub enum Check {
    /// There is none.
    Missing,
    /// It is not about these tables.
    Refused(FileError),
    /// The tables were built again and compared with it.
    Compared(Box<Compared>),
}

/// A file beside the tables that were built again.
#[derive(Debug, Default)]
pub struct Compared {
    /// Bits that were compared, those without a state included.
    pub entries: u64,
    /// Bits that differ.
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
    /// What it stands for, as far as that can be told.
    pub place: Option<WrongPlace>,
}

impl Store {
    /// Builds the tables of `key` again and compares every bit with the file.
    ///
    /// Cost: that of building; the file is read piece by piece.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn verify<K: Build>(&self, key: &K, meter: &mut Meter<'_>) -> Result<Check, Stop> {
        let mut file = match self.open(key) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Check::Missing),
            Err(error) => return Ok(Check::Refused(error.into())),
        };
        let header = match Header::read_for(key, &mut file) {
            Ok(header) => header,
            Err(error) => return Ok(Check::Refused(error)),
        };
        if let Err(error) = header.expect_words(key.lengths(&header.censuses).iter().sum()) {
            return Ok(Check::Refused(error));
        }
        let table = key.build(meter)?;
        let compared = compare::<K>(&header, &table, &mut file, meter)?;
        Ok(Check::Compared(Box::new(compared)))
    }
}

fn compare<K: Build>(
    header: &Header,
    table: &K::Table,
    file: &mut impl io::Read,
    meter: &mut Meter<'_>,
) -> Result<Compared, Stop> {
    let census_is_right = K::censuses(table) == header.censuses;
    let mut compared = Compared { census_is_right, ..Compared::default() };
    let pieces = K::pieces(table);
    let mut words = pieces.iter().flat_map(|piece| piece.iter());
    let read = header.read_words(file, meter, |piece| {
        for (&found, &expected) in piece.iter().zip(words.by_ref()) {
            let difference = expected ^ found;
            if difference != 0 && compared.first.is_none() {
                let bit = compared.entries + u64::from(difference.trailing_zeros());
                let expected = expected >> (bit % 64) & 1 == 1;
                let place = K::place_of(table, bit);
                compared.first = Some(WrongEntry { bit, expected, place });
            }
            compared.wrong += u64::from(difference.count_ones());
            compared.entries += 64;
        }
    });
    match read {
        Ok(()) => Ok(compared),
        Err(FileError::Stopped(stop)) => Err(stop),
        Err(error) => Ok(Compared { fault: Some(error), ..compared }),
    }
}
