//! The tables that boards need, together.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use loyd_search::{Meter, Stop};
use loyd_tiles::{BoardSpace, Size};

use super::{WidePattern, WideTable, wide_patterns};
use crate::file::{Contents, TableKey};
use crate::pdb::Words;

/// Patterns of boards of one size, each once: what the [`WideTables`] of a board are about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WideSet(Vec<WidePattern>);

/// A table for each pattern of a [`WideSet`].
#[derive(Debug)]
pub struct WideTables(Vec<Arc<WideTable>>);

impl WideSet {
    /// The set of these patterns; `None` if there are none, or their boards differ in size.
    pub fn new(patterns: impl IntoIterator<Item = WidePattern>) -> Option<Self> {
        let patterns: Vec<_> = patterns.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let size = patterns.first()?.size();
        patterns.iter().all(|pattern| pattern.size() == size).then_some(Self(patterns))
    }

    /// What [`wide_patterns`] of `space` look up: patterns that are turned share a table. `None` if no
    /// tile is wanted anywhere.
    pub fn of<S: BoardSpace>(space: &S) -> Option<Self> {
        Self::new(wide_patterns(space).iter().flatten().map(|pattern| pattern.upright().0))
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.0[0].size()
    }

    /// The patterns.
    pub fn patterns(&self) -> &[WidePattern] {
        &self.0
    }

    /// The bytes that it takes to make the tables, they themselves included.
    pub fn build_bytes(&self) -> u64 {
        let bytes = || self.0.iter().map(WidePattern::table_bytes);
        // Beside the largest: a bit for each of its bits, and two levels of states.
        bytes().sum::<u64>() + 3 * bytes().max().unwrap_or(0)
    }

    /// The tables, made one after the other.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build(&self, meter: &mut Meter<'_>) -> Result<WideTables, Stop> {
        let mut tables = Vec::new();
        for pattern in &self.0 {
            let table = meter.off_the_clock(|meter| WideTable::build(pattern.clone(), meter))?;
            meter.reserve_more(table.bytes())?;
            tables.push(Arc::new(table));
        }
        Ok(WideTables(tables))
    }
}

/// The goal cells of each pattern and the first cell of each region in which the blank may end, as in
/// `1,2,3,6,7@0/4,5,8,9,10@0`.
impl fmt::Display for WideSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |cells: &[u8]| cells.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let name = |p: &WidePattern| format!("{}@{}", list(p.cells()), list(&p.first_blanks()));
        f.write_str(&self.0.iter().map(name).collect::<Vec<_>>().join("/"))
    }
}

impl WideTables {
    /// The table of `pattern`, if it is in the set.
    pub fn get(&self, pattern: &WidePattern) -> Option<Arc<WideTable>> {
        self.0.iter().find(|table| table.pattern() == pattern).cloned()
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|table| table.bytes()).sum()
    }
}

impl TableKey for WideSet {
    type Table = WideTables;

    fn contents(&self) -> Contents {
        Contents::Wide(self.clone())
    }

    fn lengths(&self) -> Vec<u64> {
        self.0.iter().map(|pattern| pattern.table_bytes() / 8).collect()
    }

    fn restore(&self, pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> WideTables {
        let parts = self.0.iter().cloned().zip(pieces).zip(censuses);
        let table = |((pattern, words), census)| WideTable::restored(pattern, words, census);
        WideTables(parts.map(table).map(Arc::new).collect())
    }

    fn pieces(tables: &WideTables) -> Vec<&[u64]> {
        tables.0.iter().map(|table| table.words()).collect()
    }

    fn censuses(tables: &WideTables) -> Vec<Vec<u64>> {
        tables.0.iter().map(|table| table.census().to_vec()).collect()
    }

    fn bytes(tables: &WideTables) -> u64 {
        tables.bytes()
    }
}
