//! Shards of datasets: the parts that belong to a shard, and the folders that shards have written.
//!
//! The folder of a shard is that of a dataset with every Nth part, and the file `shard.json`: whether the shard is
//! complete, the number of boards of the whole dataset, and the exit status so far.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use loyd::search::Shard;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dataset_layout::{ABOUT, SHARD, check_checksum, part_names, read_about};
use super::dataset_layout::{read_checksums, read_text};
use crate::args::{DatasetArgs, Form};
use crate::failure::{Failure, Status};
use crate::saved_files::write_atomically;

/// Maximum length of `shard.json` in bytes.
const MAX_SHARD: u64 = 1 << 12;

/// The parts that a process writes: all of them, or every Nth.
#[derive(Clone, Copy)]
pub struct OwnParts {
    shard: Option<Shard>,
    /// Number of boards of a part.
    rows: u64,
}

impl OwnParts {
    /// Returns the parts that `args` select.
    pub fn new(args: &DatasetArgs) -> Self {
        Self { shard: args.shard, rows: args.part_rows }
    }

    /// Returns the number of the part after `before` own parts, from 0.
    pub fn part(self, before: u64) -> u64 {
        self.shard
            .map_or(before, |shard| u64::from(shard.index()) + before * u64::from(shard.count()))
    }

    /// Returns the number of the first board from `board` on that is in an own part.
    pub fn next_board(self, board: u64) -> u64 {
        let part = board / self.rows;
        let Some(shard) = self.shard.filter(|shard| !shard.contains(part)) else { return board };
        let (index, count) = (u64::from(shard.index()), u64::from(shard.count()));
        let ahead = (index + count - part % count) % count;
        (part + ahead) * self.rows
    }
}

/// The content of `shard.json`.
#[derive(Default, Deserialize, Serialize)]
pub struct Notes {
    /// The number of boards of the whole dataset, once the shard is complete.
    boards: Option<u64>,
    /// Whether some boards have no labels.
    has_unlabelled: bool,
    /// Whether some boards of the input are invalid.
    has_invalid: bool,
}

impl Notes {
    /// Returns the notes in a folder, or empty ones if there are none.
    ///
    /// # Errors
    /// Fails if the file cannot be read or has other content.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(SHARD);
        let name = || path.display().to_string();
        match read_text(&path, MAX_SHARD) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            text => serde_json::from_str(&text.with_context(name)?).with_context(name),
        }
    }

    /// Returns the exit status.
    fn status(&self) -> Status {
        match (self.has_invalid, self.has_unlabelled) {
            (true, _) => Status::Bad,
            (false, true) => Status::No,
            (false, false) => Status::Yes,
        }
    }

    /// Records that boards have no labels.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add_unlabelled(&mut self, folder: &Path) -> Result<(), Failure> {
        if std::mem::replace(&mut self.has_unlabelled, true) {
            return Ok(());
        }
        self.write(folder)
    }

    /// Records that the shard of a dataset with this number of boards is complete, and whether some are invalid.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(&mut self, folder: &Path, boards: u64, invalid: bool) -> Result<(), Failure> {
        (self.boards, self.has_invalid) = (Some(boards), invalid);
        self.write(folder)
    }

    fn write(&self, folder: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string(self)? + "\n";
        write_atomically(&folder.join(SHARD), |out| out.write_all(text.as_bytes()))
    }
}

/// A folder that a shard has written.
pub struct ShardFolder {
    path: PathBuf,
    /// The shard.
    pub shard: Shard,
    /// The content of `dataset.json`.
    pub about: Value,
    notes: Notes,
    checksums: BTreeMap<String, String>,
}

impl ShardFolder {
    /// Returns whether a folder has a dataset, or a shard of one.
    pub fn is_dataset(folder: &Path) -> bool {
        folder.join(ABOUT).is_file()
    }

    /// Reads a folder. Returns `None` if it has a whole dataset.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let about = read_about(path)?;
        let Some(shard) = about["options"]["shard"].as_str() else { return Ok(None) };
        let shard = shard.parse().with_context(|| path.join(ABOUT).display().to_string())?;
        let (notes, checksums) = (Notes::read(path)?, read_checksums(path)?);
        Ok(Some(Self { path: path.to_owned(), shard, about, notes, checksums }))
    }

    /// Returns the name of the folder.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns the exit status of the boards that the shard has labelled.
    pub fn status(&self) -> Status {
        self.notes.status()
    }

    /// Returns the number of boards of the whole dataset; `None` if the shard has not finished.
    pub fn boards(&self) -> Option<u64> {
        self.notes.boards
    }

    /// Returns the number of parts of the whole dataset; `None` if the shard has not finished.
    pub fn parts(&self) -> anyhow::Result<Option<u64>> {
        let rows = self.about["options"]["part_rows"].as_u64().filter(|&rows| rows > 0);
        let rows = rows.with_context(|| self.damaged())?;
        Ok(self.boards().map(|boards| boards.div_ceil(rows).max(1)))
    }

    /// Returns the paths of the files of a part with their names in the folder, and their checksums.
    ///
    /// # Errors
    /// Fails if a checksum is unknown, or a file has another one.
    pub fn part(&self, part: u64) -> anyhow::Result<Vec<(PathBuf, String, String)>> {
        let options = &self.about["options"];
        let form = options["output"].as_str().and_then(|form| Form::from_str(form, true).ok());
        let form = form.with_context(|| self.damaged())?;
        let files = part_names(form, !options["split"].is_null(), part).into_iter().map(|name| {
            let path = self.path.join(&name);
            let Some(sum) = self.checksums.get(&name) else {
                bail!("{} is missing: run the same command with --resume", path.display());
            };
            check_checksum(&path, sum)?;
            Ok((path, name, sum.clone()))
        });
        files.collect()
    }

    /// Returns whether the shard has finished, and all its files exist and are unchanged.
    pub fn is_complete(&self) -> bool {
        let own = |parts| (0..parts).filter(|&part| self.shard.contains(part));
        let parts = self.parts().ok().flatten();
        parts.is_some_and(|parts| own(parts).all(|part| self.part(part).is_ok()))
    }

    fn damaged(&self) -> String {
        format!("{} is damaged", self.path.join(ABOUT).display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_divided_in_turn() {
        let own = |index| OwnParts { shard: Shard::new(index, 3), rows: 10 };
        assert_eq!([0, 1, 2].map(|before| own(1).part(before)), [1, 4, 7]);
        assert_eq!(
            [0, 10, 15, 20, 39, 40].map(|board| own(1).next_board(board)),
            [10, 10, 15, 40, 40, 40]
        );
        assert_eq!([0, 9, 10, 29, 30].map(|board| own(0).next_board(board)), [0, 9, 30, 30, 30]);
        let all = OwnParts { shard: None, rows: 10 };
        assert_eq!((all.part(7), all.next_board(75)), (7, 75));
    }
}
