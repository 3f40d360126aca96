//! Automata in files.

use std::borrow::Cow;

use loyd_search::Automaton;

use super::key::{AutomatonKey, actions};
use crate::file::{Contents, TableKey};
use crate::pdb::Words;

/// The words hold two entries of the rows each, the first one in the lower half.
impl TableKey for AutomatonKey {
    type Table = Automaton;

    fn contents(&self) -> Contents {
        Contents::Automaton(*self)
    }

    fn is_filed(&self) -> bool {
        self.words() >= Self::quick_words(self.size(), self.metric()) && !self.size().is_line()
    }

    fn lengths(&self, censuses: &[Vec<u64>]) -> Vec<u64> {
        vec![entries(self, censuses).div_ceil(2)]
    }

    fn restore(&self, mut pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Automaton> {
        let words = pieces.pop()?;
        let mut rows: Vec<u32> =
            words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        rows.truncate(entries(self, &censuses) as usize);
        let counts = (self.words(), self.size().cells(), actions(self.size(), self.metric()));
        Automaton::from_rows(counts, rows).filter(|automaton| vec![automaton.census()] == censuses)
    }

    fn pieces(table: &Automaton) -> Vec<Cow<'_, [u64]>> {
        let word =
            |pair: &[u32]| pair.iter().rev().fold(0, |word, &half| word << 32 | u64::from(half));
        vec![table.entries().chunks(2).map(word).collect()]
    }

    fn censuses(table: &Automaton) -> Vec<Vec<u64>> {
        vec![table.census()]
    }

    fn bytes(table: &Automaton) -> u64 {
        table.bytes()
    }
}

/// The entries of the rows of an automaton that has so many states by the number of moves that they remember.
fn entries(key: &AutomatonKey, censuses: &[Vec<u64>]) -> u64 {
    // Their numbers have 32 bits.
    let states = censuses.iter().flatten().fold(0, |sum: u64, &states| sum.saturating_add(states));
    states.min(u32::MAX.into()) * actions(key.size(), key.metric()) as u64
}
