//! The targets, one per file.

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

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

/// A reader and the properties that it has for every input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the target and of the folder of its seeds.
    pub name: &'static str,
    /// Panics if a property does not hold for these bytes.
    pub check: fn(&[u8]),
}

impl Target {
    /// Returns the target with this name.
    ///
    /// # Errors
    /// If there is no such target; the message lists the names.
    pub fn named(name: &str) -> Result<Self, String> {
        let target = TARGETS.iter().find(|target| target.name == name).copied();
        target.ok_or_else(|| {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            format!("`{name}` is not a target; there are {}", names.join(", "))
        })
    }

    /// Returns the seeds of the target, sorted by file name.
    ///
    /// # Errors
    /// If the seeds cannot be read.
    pub fn seeds(&self) -> io::Result<Vec<Vec<u8>>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(self.name);
        let files = fs::read_dir(folder)?.map(|file| file.map(|file| file.path()));
        let mut files = files.collect::<io::Result<Vec<PathBuf>>>()?;
        files.sort_unstable();
        files.iter().map(fs::read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds_that_pass() {
        for target in TARGETS {
            let seeds = target.seeds().unwrap();
            assert!(!seeds.is_empty(), "{}", target.name);
            seeds.iter().for_each(|seed| (target.check)(seed));
        }
        let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds")).unwrap();
        assert_eq!(folders.count(), TARGETS.len());
    }

    #[test]
    fn finds_targets_by_name() {
        assert_eq!(Target::named("board").unwrap().name, "board");
        assert!(Target::named("none").unwrap_err().contains("board, "));
    }
}
