//! `pdb-max`.

use std::sync::Arc;

use loyd_heuristics::pdb::maximum::{MaxOfPatterns, TileSubset, TileSubsetTable, tile_subsets};
use loyd_search::{Meter, Stop};
use loyd_tiles::Metric;

use super::line_crossings::LINE_CROSSINGS;
use super::linear_conflict::LINEAR_CONFLICT;
use super::row::{HeuristicRow, Stage};
use crate::space::AnySpace;
use crate::store::{LoadedTable, Store};
use crate::tables::Cached;

/// For so many boards, those that are solved without tables in so many expansions need not wait for them:
/// a second or two.
const FEW_BOARDS: u64 = 20;
const FIRST_EXPANSIONS: u64 = 100_000;

pub(crate) static PDB_MAX: HeuristicRow = HeuristicRow {
    name: "pdb-max",
    summary: "the largest of the true distances to goals of a few of the tiles",
    slides: true,
    partial_goals: true,
    memory: "up to 16 MB for each of six tables at most",
    source: "Holte and others 2006",
    stages: |row, setting| {
        let first = match setting.space.metric() {
            Metric::SingleTile => &LINEAR_CONFLICT,
            Metric::MultiTile => &LINE_CROSSINGS,
        };
        let first = Stage::limited(first, None, FIRST_EXPANSIONS);
        let first = Some(first).filter(|_| setting.config.is_for_few(FEW_BOARDS));
        Ok(first.into_iter().chain([Stage::last(row, None)]).collect())
    },
    make: |setting, _, tables, meter| {
        let (mut made, mut bytes) = (Vec::new(), 0);
        for subset in subsets(setting.space) {
            let table = tables.get(&subset, meter)?;
            bytes += table.bytes();
            meter.reserve_tables(bytes)?;
            made.push(table);
        }
        let space = setting.space;
        Ok(Arc::new(MaxOfPatterns::new(space.relabelling(), space.partial_goal(), made)).into())
    },
    ..HeuristicRow::PLAIN
};

/// The subsets of the tiles whose tables are built for the goal of `space`.
fn subsets(space: &AnySpace) -> Vec<TileSubset> {
    tile_subsets(space.relabelling(), space.partial_goal(), space.metric())
}

/// The bytes that it takes to build the tables for the goal of `space`, they themselves included.
pub(crate) fn build_bytes(space: &AnySpace) -> u64 {
    let subsets = subsets(space);
    let largest = subsets.iter().map(TileSubset::build_bytes).max().unwrap_or(0);
    subsets.iter().map(TileSubset::bytes).sum::<u64>() + largest
}

impl Cached for TileSubset {
    type Table = TileSubsetTable;

    fn obtain(
        &self,
        _: &Store,
        _: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<TileSubsetTable>, Stop> {
        Ok(LoadedTable::built(TileSubsetTable::build(self.clone(), meter)?))
    }

    fn bytes(table: &TileSubsetTable) -> u64 {
        table.bytes()
    }
}
