//! Heuristics that need no search to build: `zero`; the sums over tiles `misplaced`, `manhattan` and a user-supplied
//! matrix, which is not listed in the registry; `linear-conflict` and `line-crossings`; `gaschnig` and
//! `inversion-distance`, for permutations; and `walking-distance`, whose small tables are cached.

use std::sync::Arc;

use loyd_heuristics::{
    DistanceMatrix, Gaschnig, InversionDistance, LineCrossings, LinearConflict,
    SmallLinearConflict, TileSum, WalkingDistance,
};
use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Cell, Relabelling, Size};

use super::any::AnyHeuristic;
use super::row::{Boards, HeuristicRow, Setting};
use crate::choices::HeuristicChoice;
use crate::error::Error;
use crate::store::{LoadedTable, Store};
use crate::tables::Cached;

pub(crate) static ZERO: HeuristicRow = HeuristicRow {
    name: "zero",
    summary: "always 0; A* becomes uniform-cost search",
    slides: true,
    partial_goals: true,
    source: "Dijkstra 1959",
    make: |_, _, _, _| Ok(AnyHeuristic::ZERO),
    ..HeuristicRow::DEFAULT
};

pub(crate) static MISPLACED: HeuristicRow = HeuristicRow {
    name: "misplaced",
    summary: "tiles that are not on their goal cells (the blank does not count)",
    partial_goals: true,
    memory: "a cells x cells matrix",
    source: "Doran and Michie 1966",
    make: |setting, _, _, _| {
        Ok(tile_sum(setting, &DistanceMatrix::misplaced(setting.space.size())))
    },
    ..HeuristicRow::DEFAULT
};

pub(crate) static MANHATTAN: HeuristicRow = HeuristicRow {
    name: "manhattan",
    summary: "sum over the tiles of the rows and columns between each tile and its goal cell",
    partial_goals: true,
    memory: "a cells x cells matrix",
    source: "Doran and Michie 1966",
    make: |setting, _, _, _| {
        Ok(tile_sum(setting, &DistanceMatrix::manhattan(setting.space.size())))
    },
    ..HeuristicRow::DEFAULT
};

pub(crate) static MATRIX: HeuristicRow = HeuristicRow {
    name: HeuristicChoice::MATRIX,
    summary: "sum over the tiles of the entries of a matrix",
    // Both properties depend on the matrix: see `is_admissible`.
    admissible: false,
    consistent: false,
    partial_goals: true,
    memory: "a cells x cells matrix",
    check: |setting| match matrix(setting) {
        Some(matrix) if matrix.cells() != setting.space.size().cells() => {
            Err(Error::MatrixSize { matrix: matrix.cells(), size: setting.space.size() })
        }
        _ => Ok(()),
    },
    make: |setting, _, _, _| {
        Ok(matrix(setting).map_or(AnyHeuristic::ZERO, |matrix| tile_sum(setting, matrix)))
    },
    ..HeuristicRow::DEFAULT
};

fn matrix<'a>(setting: &Setting<'a>) -> Option<&'a DistanceMatrix> {
    match &setting.config.heuristic {
        Some(HeuristicChoice::Matrix(matrix)) => Some(matrix),
        _ => None,
    }
}

/// Returns whether `row` never exceeds the true distance in `setting`.
pub(crate) fn is_admissible(row: &HeuristicRow, setting: &Setting<'_>) -> bool {
    match matrix(setting) {
        Some(matrix) if row.name == MATRIX.name => matrix.is_admissible(setting.space.size()),
        _ => row.admissible,
    }
}

/// Returns the heuristic that adds up the entries of `matrix` over all tiles but don't-care tiles.
fn tile_sum(setting: &Setting<'_>, matrix: &DistanceMatrix) -> AnyHeuristic {
    let labels = setting.space.relabelling();
    Arc::new(match setting.space.partial_goal() {
        Some(partial) => TileSum::with_partial_goal(labels, partial, matrix),
        None => TileSum::new(labels, matrix),
    })
    .into()
}

pub(crate) static LINEAR_CONFLICT: HeuristicRow = HeuristicRow {
    name: "linear-conflict",
    summary: "Manhattan, plus two moves for each tile that has to leave its goal line to let others pass",
    partial_goals: true,
    memory: "a cells x cells matrix",
    source: "Hansson, Mayer and Yung 1992",
    make: |setting, _, _, _| {
        let (space, labels) = (setting.space, setting.space.relabelling());
        let whole = space.partial_goal().is_none();
        if whole && SmallLinearConflict::fits(space.size()) {
            return Ok(Arc::new(SmallLinearConflict::new(labels)).into());
        }
        let conflicts = LinearConflict::new(labels);
        let is_constrained = |label| space.is_constrained(label);
        Ok(Arc::new(conflicts.without_unconstrained(is_constrained)).into())
    },
    ..HeuristicRow::DEFAULT
};

pub(crate) static LINE_CROSSINGS: HeuristicRow = HeuristicRow {
    name: "line-crossings",
    summary: "most tiles that have to cross a line between two rows, plus the most between two columns",
    slides: true,
    partial_goals: true,
    memory: "none",
    source: "Loyd",
    make: |setting, _, _, _| {
        let crossings = LineCrossings::new(setting.space.relabelling());
        let is_constrained = |label| setting.space.is_constrained(label);
        Ok(Arc::new(crossings.without_unconstrained(is_constrained)).into())
    },
    ..HeuristicRow::DEFAULT
};

pub(crate) static GASCHNIG: HeuristicRow = HeuristicRow {
    name: "gaschnig",
    summary: "swaps that solve the board if the blank may swap places with any tile",
    memory: "a goal cell for each tile",
    source: "Gaschnig 1979",
    make: |setting, _, _, _| Ok(Arc::new(Gaschnig::new(setting.space.relabelling())).into()),
    ..HeuristicRow::DEFAULT
};

pub(crate) static INVERSION_DISTANCE: HeuristicRow = HeuristicRow {
    name: "inversion-distance",
    summary: "vertical moves needed to order the tiles by rows, plus horizontal moves to order them by columns",
    memory: "a number for each tile",
    source: "Takahashi (takaken)",
    make: |setting, _, _, _| {
        Ok(Arc::new(InversionDistance::new(setting.space.relabelling())).into())
    },
    ..HeuristicRow::DEFAULT
};

pub(crate) static WALKING_DISTANCE: HeuristicRow = HeuristicRow {
    name: "walking-distance",
    summary: "vertical moves needed if tiles of the same goal row are interchangeable, plus horizontal moves likewise",
    memory: "tables of rows and columns, 5 MB for 4x4",
    source: "Takahashi (takaken)",
    boards: Boards {
        words: "boards of at most 16 cells, six rows and six columns",
        contains: WalkingDistance::fits,
    },
    make: |setting, _, tables, meter| {
        let goal = setting.space.relabelling().goal();
        let key = WalkingDistanceKey { size: goal.size(), blank: goal.blank() };
        Ok(tables.get(&key, meter)?.into())
    },
    ..HeuristicRow::DEFAULT
};

/// Key of the tables. Tiles are named by their goal cells, so goals of one size differ in the blank's cell only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct WalkingDistanceKey {
    size: Size,
    blank: Cell,
}

impl Cached for WalkingDistanceKey {
    type Table = WalkingDistance;

    fn obtain(
        &self,
        _: &Store,
        _: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<WalkingDistance>, Stop> {
        let labels = Relabelling::new(&Board::in_order(self.size, self.blank));
        Ok(LoadedTable::built(WalkingDistance::new(&labels, meter)?))
    }

    fn bytes(table: &WalkingDistance) -> u64 {
        table.bytes()
    }
}
