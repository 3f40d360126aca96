//! `tile-classes` and `pdb-max`: exact distances in abstractions of the puzzle. A search without tables precedes them if
//! there are few boards.

use std::sync::Arc;

use loyd_heuristics::file::AnyTableKey;
use loyd_heuristics::pdb::Orientation;
use loyd_heuristics::pdb::maximum::{MaxOfPatterns, TileSubset, TileSubsetTable, tile_subsets};
use loyd_heuristics::pdb::tile_classes::{TileClassDistance, TileClasses};
use loyd_search::{Meter, Stop};
use loyd_tiles::{Metric, Relabelling};

use super::row::{Boards, HeuristicRow, Setting, Stage};
use super::simple_heuristics::{LINE_CROSSINGS, LINEAR_CONFLICT};
use crate::space::AnySpace;
use crate::store::{LoadedTable, Store};
use crate::tables::Cached;

/// Up to this number of boards, a search without the table precedes it: boards that it solves within
/// [`EXPANSIONS_BEFORE_CLASSES`] need not wait for the table.
const FEW_FOR_CLASSES: u64 = 100;
const EXPANSIONS_BEFORE_CLASSES: u64 = 200_000;

pub(crate) static TILE_CLASSES: HeuristicRow = HeuristicRow {
    name: "tile-classes",
    summary: "slides that the board needs if tiles of the same class are interchangeable (10 to 16 cells)",
    steps: false,
    slides: true,
    memory: "64 MB for 4x4",
    source: "Rokicki",
    boards: Boards {
        words: "boards of 10 to 16 cells with at least two rows and columns",
        contains: |size| {
            let upright = size.width() <= size.height();
            let size = if upright { size } else { size.transposed() };
            TileClasses::default_for(size, 0).is_some()
        },
    },
    stages: |row, setting| {
        let tables = classes(setting.space.relabelling()).map(AnyTableKey::TileClasses);
        let first = Stage::last(&LINE_CROSSINGS, None).limited_to(EXPANSIONS_BEFORE_CLASSES);
        Ok(with_first(first, FEW_FOR_CLASSES, Stage::last(row, tables), setting))
    },
    make: |setting, stage, tables, meter| {
        let Some(AnyTableKey::TileClasses(classes)) = &stage.tables else {
            return Err(Stop::Tables);
        };
        let table = tables.get(classes, meter)?;
        Ok(Arc::new(TileClassDistance::new(table, setting.space.relabelling())).into())
    },
    ..HeuristicRow::DEFAULT
};

/// Returns the tile classes for the goal of `labels`, or `None` if there are none for such boards.
pub(crate) fn classes(labels: &Relabelling) -> Option<TileClasses> {
    let orientation = Orientation::new(labels)?;
    TileClasses::default_for(orientation.size(), orientation.blank())
}

/// Up to this number of boards, a search without tables precedes them: boards that it solves within
/// [`EXPANSIONS_BEFORE_SUBSETS`] need not wait a second or two for the tables.
const FEW_FOR_SUBSETS: u64 = 20;
const EXPANSIONS_BEFORE_SUBSETS: u64 = 100_000;

pub(crate) static PDB_MAX: HeuristicRow = HeuristicRow {
    name: "pdb-max",
    summary: "maximum of the exact distances of a few sets of tiles",
    slides: true,
    partial_goals: true,
    memory: "up to 16 MB for each of six tables at most",
    source: "Holte and others 2006",
    stages: |row, setting| {
        let first = match setting.space.metric() {
            Metric::SingleTile => &LINEAR_CONFLICT,
            Metric::MultiTile => &LINE_CROSSINGS,
        };
        let first = Stage::last(first, None).limited_to(EXPANSIONS_BEFORE_SUBSETS);
        Ok(with_first(first, FEW_FOR_SUBSETS, Stage::last(row, None), setting))
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
    ..HeuristicRow::DEFAULT
};

/// Returns the stage `last`, preceded by `first`, which needs no tables, if there are at most `few` boards.
fn with_first(first: Stage, few: u64, last: Stage, setting: &Setting<'_>) -> Vec<Stage> {
    let first = Some(first).filter(|_| setting.config.is_for_few(few));
    first.into_iter().chain([last]).collect()
}

/// Returns the subsets of the tiles whose tables are built for the goal of `space`.
fn subsets(space: &AnySpace) -> Vec<TileSubset> {
    tile_subsets(space.relabelling(), space.partial_goal(), space.metric())
}

/// Returns the bytes needed to build the tables for the goal of `space`, the tables included.
pub(crate) fn subset_bytes(space: &AnySpace) -> u64 {
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
