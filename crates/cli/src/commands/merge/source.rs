//! The files of shards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use loyd::search::Shard;
use serde::Deserialize;

use crate::commands::solve::settings_beside;

/// A file of a shard.
pub struct Source {
    pub name: String,
    /// Whole lines, each with its end. Blank ones are the solutions of boards that were solved already.
    pub lines: Vec<String>,
    /// What the notes beside it say.
    pub settings: Option<BTreeMap<String, String>>,
}

/// What a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Records of one board's shards.
    Board,
    /// Records of boards.
    Records,
    /// Lines of moves.
    Moves,
}

impl Kind {
    pub fn words(self) -> &'static str {
        match self {
            Self::Board => "a shard of one board",
            Self::Records => "records of many boards",
            Self::Moves => "solutions as text",
        }
    }
}

/// What every record of a shard has.
#[derive(Deserialize)]
pub struct Marked {
    shard: Option<String>,
    /// The line of the board in a batch.
    pub line: Option<u64>,
    /// None where there is no board.
    pub goal: Option<String>,
    pub metric: Option<String>,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or ends within a line.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        if [".batch", ".checkpoint"].iter().any(|ending| name.ends_with(ending)) {
            bail!("{name} is kept beside a file of --save: name that file alone");
        }
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        if !text.is_empty() && !text.ends_with('\n') {
            bail!("{name}: its last line is torn: let `loyd solve --resume` end it");
        }
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        Ok(Self { name, lines, settings: settings_beside(path) })
    }

    /// What it has, judged by its first line; `None` if it is empty.
    pub fn kind(&self) -> Option<Kind> {
        let first = self.lines.first()?;
        Some(match (first.starts_with("{\""), first.contains("\"searched_below\":")) {
            (false, _) => Kind::Moves,
            (true, false) => Kind::Records,
            (true, true) => Kind::Board,
        })
    }

    /// What messages call the line with this index.
    pub fn place(&self, index: usize) -> String {
        match self.lines.len() {
            1 => self.name.clone(),
            _ => format!("{}:{}", self.name, index + 1),
        }
    }

    /// What the record on a line says, and which shard it is of.
    ///
    /// # Errors
    /// When it is none of a shard.
    pub fn marked(&self, index: usize) -> anyhow::Result<(Marked, Shard)> {
        let place = || self.place(index);
        let marked: Marked = serde_json::from_str(&self.lines[index])
            .with_context(|| format!("{}: this is no record of `loyd solve`", place()))?;
        let shard = marked.shard.as_deref().ok_or_else(|| {
            anyhow!("{}: the record is of no shard: it was made without --shard", place())
        })?;
        let shard = shard.parse().with_context(place)?;
        Ok((marked, shard))
    }
}
