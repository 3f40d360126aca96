//! The targets, a file each.

mod answer;
mod board;
mod cases;
mod judge;
mod lines;
mod matrix;
mod names;
mod partial_goal;
mod partition;
mod pdb_file;
mod pickle;
mod plan;
mod record;
mod replay;

use crate::Target;

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "answer", check: answer::check },
    Target { name: "board", check: board::check },
    Target { name: "cases", check: cases::check },
    Target { name: "judge", check: judge::check },
    Target { name: "lines", check: lines::check },
    Target { name: "matrix", check: matrix::check },
    Target { name: "names", check: names::check },
    Target { name: "partial_goal", check: partial_goal::check },
    Target { name: "partition", check: partition::check },
    Target { name: "pdb_file", check: pdb_file::check },
    Target { name: "pickle", check: pickle::check },
    Target { name: "plan", check: plan::check },
    Target { name: "record", check: record::check },
    Target { name: "replay", check: replay::check },
];
