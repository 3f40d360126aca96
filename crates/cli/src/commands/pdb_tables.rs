//! The tables that the options of `loyd pdb` specify: keys, paths, messages and JSON fields.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use loyd::Size;
use loyd::engine::Relabelling;
use loyd::moves::Metric;
use loyd::search::Prune;
use loyd::tables::file::{AnyTableKey, TableKey};
use loyd::tables::pdb::{DENSE_CELLS, MAX_CELLS, Orientation, Partition};
use loyd::tables::{AutomatonKey, Store, default_tables};
use serde_json::{Value, json};

use crate::args::pdb::{BoardsArgs, TablesArgs};
use crate::failure::Failure;
use crate::input::goal_board;
use crate::units::length_text;

/// Evaluates an expression with the key of any kind of tables.
macro_rules! with_key {
    ($contents:expr, $key:ident => $work:expr) => {
        match $contents {
            loyd::tables::file::AnyTableKey::Patterns($key) => $work,
            loyd::tables::file::AnyTableKey::TileClasses($key) => $work,
            loyd::tables::file::AnyTableKey::Automaton($key) => $work,
        }
    };
}
pub(super) use with_key;

impl TablesArgs {
    /// Returns the tables that the arguments specify.
    pub fn contents(&self) -> Result<AnyTableKey, Failure> {
        contents_of(&self.partition, &self.boards)
    }
}

pub fn contents_of(partition: &str, boards: &BoardsArgs) -> Result<AnyTableKey, Failure> {
    let goal = goal_board(boards.size, boards.goal.as_deref())?;
    if !goal.size().is_searchable() {
        let (size, most) = (goal.size(), Size::MAX_SEARCH_CELLS);
        return Err(anyhow!(
            "a {size} board has no tables: they are for boards of at most {most} cells"
        )
        .into());
    }
    if partition.starts_with("automaton") {
        return Ok(AnyTableKey::Automaton(automaton(
            partition.parse()?,
            goal.size(),
            boards.metric,
        )?));
    }
    let orientation = Orientation::new(&Relabelling::new(&goal));
    if let Some(orientation) = orientation.filter(|_| boards.metric == Metric::SingleTile) {
        let partition = Partition::parse(partition, orientation.size(), orientation.blank())?;
        return Ok(AnyTableKey::Patterns(partition));
    }
    let (size, cells) = (goal.size(), goal.size().cells());
    if partition != "default" {
        return Err(anyhow!(
            "`{partition}` names pattern databases, which support the single-tile metric on boards of at most {MAX_CELLS} cells; other tables have no names"
        )
        .into());
    }
    let most = match boards.metric {
        Metric::SingleTile => {
            format!("pattern databases are for boards of at most {MAX_CELLS}")
        }
        Metric::MultiTile => {
            "tables of tile classes are for boards of 10 to 16 cells in more than one line"
                .to_owned()
        }
    };
    let contents = default_tables(&goal, boards.metric);
    Ok(contents.ok_or_else(|| anyhow!("a {size} board has {cells} cells; {most}"))?)
}

/// Returns the key of the automaton.
fn automaton(prune: Prune, size: Size, metric: Metric) -> Result<AutomatonKey, Failure> {
    let default = Prune::default_words(size, metric);
    let words = match prune {
        Prune::Automaton { words: Some(words) } => words,
        _ => default,
    };
    let most = AutomatonKey::word_length_limit(size, metric);
    let key = AutomatonKey::new(size, metric, words).ok_or_else(|| {
        anyhow!(
            "the longest words of an automaton for a {size} board have {}",
            length_text(metric, most as usize)
        )
    })?;
    if !key.is_worth_storing() {
        return Err(anyhow!(
            "an automaton of words of {words} moves is rebuilt for each search; for {size} boards only those of {default} and more are stored"
        )
        .into());
    }
    Ok(key)
}

/// Returns the path of the tables.
pub fn path_in(store: &Store, contents: &AnyTableKey) -> Result<PathBuf, Failure> {
    let path = with_key!(contents, key => store.path(key));
    Ok(path.context("there is no folder for tables: specify one with --cache or LOYD_CACHE")?)
}

/// Returns the error for tables whose file does not exist.
pub fn missing_file(contents: &AnyTableKey, path: &Path) -> Failure {
    let (path, command) = (path.display(), build_command(contents));
    anyhow!("there is no {path}; `{command}` with the same options builds it").into()
}

/// Returns the command that builds these tables, without the options.
pub fn build_command(contents: &AnyTableKey) -> String {
    match contents {
        AnyTableKey::Patterns(partition) if !is_unnamed_default(partition) => {
            format!("loyd pdb build {}", partition.name())
        }
        AnyTableKey::Automaton(_) => format!("loyd pdb build {}", contents.name()),
        _ => "loyd pdb build".to_owned(),
    }
}

/// Returns whether this is the default partition of a large board and has no name.
fn is_unnamed_default(partition: &Partition) -> bool {
    let (size, blank) = (partition.size(), partition.blank());
    size.cells() > DENSE_CELLS
        && *partition == Partition::default_for(size, blank)
        && partition.name() == partition.to_string()
}

/// Returns the JSON fields that identify tables.
pub fn table_record(contents: &AnyTableKey) -> Value {
    json!({
        "kind": contents.kind(), "name": contents.name(), "partition": contents.groups_text(),
        "size": contents.size().to_string(), "blank": contents.blank(),
    })
}

/// Adds the fields of `more` to `record`.
pub fn with_fields(record: Value, more: Value) -> Value {
    match (record, more) {
        (Value::Object(mut record), Value::Object(more)) => {
            record.extend(more);
            Value::Object(record)
        }
        (record, _) => record,
    }
}
