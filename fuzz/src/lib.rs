//! The laws of all readers, to be tried on any bytes.
//!
//! A [`Target`] takes bytes apart as its reader's input and asserts what must hold whatever they are: a
//! fault has its place in the text, what is read and written again is read as the same, two ways of
//! reading agree. Targets whose reader wants to be told something, a size or a format, take it from the
//! first line, so that seeds (`fuzz/seeds`, a folder a target) can be written by hand.
//!
//! Two programs make inputs for them: `guided`, which is libFuzzer and sees what code an input reaches,
//! and `loyd-fuzz`, which changes seeds blindly and needs nothing but stable Rust.
#![forbid(unsafe_code)]

mod laws;
pub mod mutate;
mod targets;

// Readers of the program, which is no library: they need nothing else of it.
#[path = "../../crates/cli/src/pddl.rs"]
pub mod pddl;
#[path = "../../crates/cli/src/input/records.rs"]
pub mod records;
#[path = "../../crates/cli/src/replay.rs"]
pub mod replay;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use targets::TARGETS;

/// A reader and its laws.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of the folder of its seeds.
    pub name: &'static str,
    /// Panics if a law does not hold for these bytes.
    pub check: fn(&[u8]),
}

impl Target {
    /// The target of this name.
    ///
    /// # Errors
    /// With the names that there are, if there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        let target = TARGETS.iter().find(|target| target.name == name).copied();
        target.ok_or_else(|| {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            format!("`{name}` is not a target; there are {}", names.join(", "))
        })
    }

    /// The seeds of the target, by name.
    ///
    /// # Errors
    /// When they cannot be read.
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
    fn every_target_has_seeds_and_they_keep_its_laws() {
        for target in TARGETS {
            let seeds = target.seeds().unwrap();
            assert!(!seeds.is_empty(), "{}", target.name);
            seeds.iter().for_each(|seed| (target.check)(seed));
        }
        let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds")).unwrap();
        assert_eq!(folders.count(), TARGETS.len());
    }

    #[test]
    fn targets_are_found_by_name() {
        assert_eq!(Target::named("board").unwrap().name, "board");
        assert!(Target::named("none").unwrap_err().contains("board, "));
    }
}
