//! Stores automata in table files.

use std::borrow::Cow;

use loyd_search::Automaton;

use super::contents::{AnyTableKey, TableKey};
use crate::automaton::{AutomatonKey, actions};
use crate::pdb::Words;

/// Each 64-bit word holds two 32-bit row entries, the first one in the lower half.
impl TableKey for AutomatonKey {
    type Table = Automaton;

    fn contents(&self) -> AnyTableKey {
        AnyTableKey::Automaton(*self)
    }

    fn is_worth_storing(&self) -> bool {
        self.max_word_length() >= Self::quick_word_length(self.size(), self.metric())
            && !self.size().is_line()
    }

    fn piece_lengths(&self, censuses: &[Vec<u64>]) -> Vec<u64> {
        vec![entries(self, censuses).div_ceil(2)]
    }

    fn restore(&self, mut pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Automaton> {
        let words = pieces.pop()?;
        let mut rows: Vec<u32> =
            words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        rows.truncate(entries(self, &censuses) as usize);
        let counts =
            (self.max_word_length(), self.size().cells(), actions(self.size(), self.metric()));
        Automaton::from_rows(counts, rows).filter(|automaton| vec![automaton.census()] == censuses)
    }

    fn pieces(table: &Automaton) -> Vec<Cow<'_, [u64]>> {
        let word =
            |pair: &[u32]| pair.iter().rev().fold(0, |word, &half| word << 32 | u64::from(half));
        vec![table.as_slice().chunks(2).map(word).collect()]
    }

    fn censuses(table: &Automaton) -> Vec<Vec<u64>> {
        vec![table.census()]
    }

    fn bytes(table: &Automaton) -> u64 {
        table.bytes()
    }
}

/// Returns the number of row entries (states × actions) of an automaton with these censuses, which count its states by
/// the number of moves they remember.
fn entries(key: &AutomatonKey, censuses: &[Vec<u64>]) -> u64 {
    // States are numbered with 32 bits; a larger sum can only come from a damaged file.
    let states = censuses.iter().flatten().fold(0, |sum: u64, &states| sum.saturating_add(states));
    states.min(u32::MAX.into()) * actions(key.size(), key.metric()) as u64
}
