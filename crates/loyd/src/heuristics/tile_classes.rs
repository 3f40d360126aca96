//! `tile-classes`.

use std::sync::Arc;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::Orientation;
use loyd_heuristics::pdb::tile_classes::{TileClassDistance, TileClasses};
use loyd_search::Stop;
use loyd_tiles::Relabelling;

use super::line_crossings::LINE_CROSSINGS;
use super::row::{Boards, HeuristicRow, Stage};

/// For so many boards, those that are solved without a table in so many expansions need not wait for it.
const FEW_BOARDS: u64 = 100;
const FIRST_EXPANSIONS: u64 = 200_000;

pub(crate) static TILE_CLASSES: HeuristicRow = HeuristicRow {
    name: "tile-classes",
    summary: "the slides that the board needs if tiles of a class are interchangeable (10 to 16 cells)",
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
        let tables = classes(setting.space.relabelling()).map(Contents::TileClasses);
        let first = Stage::limited(&LINE_CROSSINGS, None, FIRST_EXPANSIONS);
        let first = Some(first).filter(|_| setting.config.is_for_few(FEW_BOARDS));
        Ok(first.into_iter().chain([Stage::last(row, tables)]).collect())
    },
    make: |setting, stage, tables, meter| {
        let Some(Contents::TileClasses(classes)) = &stage.tables else { return Err(Stop::Tables) };
        let table = tables.get(classes, meter)?;
        Ok(Arc::new(TileClassDistance::new(table, setting.space.relabelling())).into())
    },
    ..HeuristicRow::PLAIN
};

/// The classes for the goal of `labels`, if there are any for such boards.
pub(crate) fn classes(labels: &Relabelling) -> Option<TileClasses> {
    let orientation = Orientation::new(labels)?;
    TileClasses::default_for(orientation.size(), orientation.blank())
}
