//! The heuristics by name.

use std::fmt;
use std::sync::Arc;

use loyd_heuristics::pdb::MAX_WIDE_CELLS;
use loyd_heuristics::pdb::tile_classes::TileClasses;
use loyd_heuristics::{DistanceMatrix, WalkingDistance};
use loyd_tiles::{Metric, Size};

use crate::error::Error;

/// One row of [`HEURISTICS`].
#[derive(Debug)]
pub struct HeuristicRow {
    /// The name, as in `--heuristic`.
    pub name: &'static str,
    /// What it estimates, in a line.
    pub summary: &'static str,
    /// Whether it never exceeds the true distance (single-tile moves, any goal).
    pub admissible: bool,
    /// Whether it never falls by more than a move costs.
    pub consistent: bool,
    /// Whether it is offered for the single-tile metric.
    pub steps: bool,
    /// Whether both hold for the multi-tile metric too, where a slide may bring several tiles nearer.
    pub slides: bool,
    /// Whether it can leave out tiles that a part goal does not want anywhere.
    pub parts: bool,
    /// What it keeps in memory.
    pub memory: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    pub(crate) kind: Kind,
}

/// What [`with_instance`](crate::dispatch::with_instance) builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Zero,
    Misplaced,
    Manhattan,
    LinearConflict,
    WalkingDistance,
    Patterns,
    Alike,
    Subgoals,
    Exact,
}

impl HeuristicRow {
    /// Whether it is for boards of `size`: some have tables for small boards only. What `exact` needs
    /// is another question, asked of the whole space.
    pub fn fits(&self, size: Size) -> bool {
        match self.kind {
            Kind::WalkingDistance => WalkingDistance::fits(size),
            Kind::Patterns => size.cells() <= MAX_WIDE_CELLS,
            Kind::Alike => {
                let upright = size.width() <= size.height();
                let size = if upright { size } else { size.transposed() };
                TileClasses::default_for(size, 0).is_some()
            }
            _ => true,
        }
    }

    /// Whether it is offered where `metric` counts.
    pub fn holds_for(&self, metric: Metric) -> bool {
        match metric {
            Metric::SingleTile => self.steps,
            Metric::MultiTile => self.slides,
        }
    }
}

/// All heuristics, least informed first.
pub const HEURISTICS: &[HeuristicRow] = &[
    HeuristicRow {
        name: "zero",
        summary: "knows nothing; A* becomes uniform-cost search",
        admissible: true,
        consistent: true,
        steps: true,
        slides: true,
        parts: true,
        memory: "none",
        source: "Dijkstra 1959",
        kind: Kind::Zero,
    },
    HeuristicRow {
        name: "misplaced",
        summary: "tiles away from their goal cells (the blank never counts)",
        admissible: true,
        consistent: true,
        steps: true,
        slides: false,
        parts: true,
        memory: "a cells x cells matrix",
        source: "Doran and Michie 1966",
        kind: Kind::Misplaced,
    },
    HeuristicRow {
        name: "manhattan",
        summary: "rows and columns that each tile is away from its goal cell, added up",
        admissible: true,
        consistent: true,
        steps: true,
        slides: false,
        parts: true,
        memory: "a cells x cells matrix",
        source: "Doran and Michie 1966",
        kind: Kind::Manhattan,
    },
    HeuristicRow {
        name: "linear-conflict",
        summary: "Manhattan, and two moves for each tile that must step out of its own line",
        admissible: true,
        consistent: true,
        steps: true,
        slides: false,
        parts: true,
        memory: "a cells x cells matrix",
        source: "Hansson, Mayer and Yung 1992",
        kind: Kind::LinearConflict,
    },
    HeuristicRow {
        name: "walking-distance",
        summary: "vertical moves as if tiles of a goal row were alike, and horizontal ones",
        admissible: true,
        consistent: true,
        steps: true,
        slides: false,
        parts: false,
        memory: "tables of rows and columns, 5 MB for 4x4",
        source: "Takahashi (takaken)",
        kind: Kind::WalkingDistance,
    },
    HeuristicRow {
        name: "pdb",
        summary: "pattern databases: exact distances of sets of tiles, added up (up to 36 cells)",
        admissible: true,
        consistent: true,
        steps: true,
        slides: false,
        parts: true,
        memory: "0.3 to 198 MB for 4x4, 123 MB for 5x5",
        source: "Korf and Felner 2002",
        kind: Kind::Patterns,
    },
    HeuristicRow {
        name: "alike",
        summary: "the slides that the board needs if some tiles are alike (10 to 16 cells)",
        admissible: true,
        consistent: true,
        steps: false,
        slides: true,
        parts: false,
        memory: "64 MB for 4x4",
        source: "Rokicki",
        kind: Kind::Alike,
    },
    HeuristicRow {
        name: "subgoals",
        summary: "the largest of the true distances to goals of a few of the marked tiles",
        admissible: true,
        consistent: true,
        steps: true,
        slides: true,
        parts: true,
        memory: "up to 16 MB for each of six tables at most",
        source: "Holte and others 2006",
        kind: Kind::Subgoals,
    },
    HeuristicRow {
        name: "exact",
        summary: "the true distance, from a table of all states",
        admissible: true,
        consistent: true,
        steps: true,
        slides: true,
        parts: true,
        memory: "22 KB for 3x3, else 1 bit to 2 bytes a state",
        source: "Schofield 1967",
        kind: Kind::Exact,
    },
];

/// The heuristic of a search: one of the rows, or a matrix of one's own.
#[derive(Clone, Debug)]
pub enum Guide {
    /// A row of [`HEURISTICS`].
    Named(&'static HeuristicRow),
    /// The sum over the tiles of the entries of a matrix.
    Matrix(Arc<DistanceMatrix>),
}

impl Guide {
    /// The heuristic of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        let row = HEURISTICS.iter().find(|row| row.name == name);
        row.map(Self::Named).ok_or_else(|| Error::UnknownName {
            kind: "heuristic",
            name: name.to_owned(),
            known: HEURISTICS.iter().map(|row| row.name).collect(),
        })
    }

    pub(crate) fn of_kind(kind: Kind) -> Self {
        let row = HEURISTICS.iter().find(|row| row.kind == kind);
        Self::Named(row.expect("each kind has a row"))
    }

    pub(crate) fn is_kind(&self, kind: Kind) -> bool {
        match self {
            Self::Named(row) => row.kind == kind,
            Self::Matrix(_) => false,
        }
    }

    /// The name for reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Named(row) => row.name,
            Self::Matrix(_) => "matrix",
        }
    }

    pub(crate) fn holds_for(&self, metric: Metric) -> bool {
        match self {
            Self::Named(row) => row.holds_for(metric),
            Self::Matrix(_) => metric == Metric::SingleTile,
        }
    }

    pub(crate) fn holds_for_parts(&self) -> bool {
        match self {
            Self::Named(row) => row.parts,
            Self::Matrix(_) => true,
        }
    }

    /// Whether it never exceeds the true distance on boards of `size`.
    pub fn is_admissible(&self, size: Size) -> bool {
        match self {
            Self::Named(row) => row.admissible,
            Self::Matrix(matrix) => matrix.is_admissible(size),
        }
    }
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
