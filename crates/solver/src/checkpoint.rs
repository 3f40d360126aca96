//! Suspends searches in a file and resumes them.
//!
//! The file has two lines of JSON: the search with its progress, and a checksum of the first line. It is written under
//! another name and then renamed, so a process that is killed leaves the previous file intact.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use loyd_kernels::{PendingNode, Progress};
use loyd_search::Direction;
use loyd_tiles::Move;
use loyd_tiles::notation::{moves_to_string, slashes};
use serde::{Deserialize, Serialize};

use crate::algorithms::{Checkpointer, Resumed, Run, TableFit};
use crate::choices::Checkpoint;
use crate::error::Error;
use crate::report::Status;
use crate::sync::lock;

/// Opens the checkpoint of `run`; a missing file starts a new search.
///
/// # Errors
/// Returns an error if the file is not a checkpoint, or is one of another search.
pub(crate) fn open<'a>(at: &'a Checkpoint, run: &Run<'_>) -> Result<SavedSearch<'a>, Error> {
    let settings = settings(run);
    let resumed = match at.read() {
        Ok(None) => Ok(Resumed::default()),
        Ok(Some(text)) => of_search(&text, &settings),
        Err(error) => Err(error.to_string()),
    };
    let resumed = resumed.map_err(|reason| error(at, reason))?;
    let table_fit = Mutex::new(resumed.table_fit.clone());
    Ok(SavedSearch { at, settings, resumed, table_fit, fault: Mutex::new(None) })
}

fn error(at: &Checkpoint, reason: String) -> Error {
    Error::Checkpoint { path: at.path().display().to_string(), reason }
}

/// Returns the settings that the counts of a search depend on, by name.
fn settings(run: &Run<'_>) -> Settings {
    let last = run.plan.stages.last();
    let tables = last.and_then(|stage| stage.tables.as_ref());
    let direction = run.config.direction.map_or("either", Direction::name);
    let specific_tables_after =
        run.config.table_choice_after().map_or_else(|| "never".to_owned(), |n| n.to_string());
    let shard = run.config.shard.map_or_else(|| "all".to_owned(), |shard| shard.to_string());
    Settings::from([
        ("board".to_owned(), slashes(run.problem.start()).to_string()),
        ("goal".to_owned(), run.problem.goal_text()),
        ("heuristic".to_owned(), run.plan.heuristic.name.to_owned()),
        ("tables".to_owned(), tables.map_or_else(|| "none".to_owned(), |tables| tables.name())),
        ("pruning".to_owned(), run.plan.prune_in(last).unwrap_or_default().to_string()),
        ("shard".to_owned(), shard),
        ("direction".to_owned(), direction.to_owned()),
        ("tables chosen after".to_owned(), specific_tables_after),
    ])
}

/// A search that is saved to a checkpoint.
pub(crate) struct SavedSearch<'a> {
    at: &'a Checkpoint,
    settings: Settings,
    resumed: Resumed,
    table_fit: Mutex<TableFit>,
    /// The reason why the checkpoint is not valid for resuming; `None` if it is valid.
    fault: Mutex<Option<String>>,
}

impl SavedSearch<'_> {
    /// Returns the state of the search when it was suspended.
    pub fn resumed(&self) -> &Resumed {
        &self.resumed
    }

    /// Checks that a search with this result can be resumed, if it needs to be.
    ///
    /// # Errors
    /// Returns an error if it was stopped and its checkpoint is not valid.
    pub fn check(&self, status: &Status) -> Result<(), Error> {
        match lock(&self.fault).take() {
            Some(reason) if matches!(status, Status::Stopped(_)) => Err(error(self.at, reason)),
            _ => Ok(()),
        }
    }
}

impl Checkpointer for SavedSearch<'_> {
    fn resume(&self) -> Resumed {
        self.resumed.clone()
    }

    fn interval(&self) -> Duration {
        self.at.interval()
    }

    fn save(&self, direction: Option<Direction>, progress: &Progress) {
        let fit = lock(&self.table_fit).clone();
        let text = to_text(&self.settings, (direction, fit), progress);
        let written = self.at.replace(&text);
        *lock(&self.fault) = written.err().map(|error| error.to_string());
    }

    fn save_table_fit(&self, fit: TableFit) {
        *lock(&self.table_fit) = fit;
    }

    fn reject(&self) {
        let reason = "the checkpoint does not belong to this search, or tables are damaged";
        *lock(&self.fault) = Some(reason.to_owned());
    }
}

/// The settings that a search depends on, by name.
type Settings = BTreeMap<String, String>;

const FORMAT: &str = "loyd checkpoint";
const VERSION: u32 = 4;

/// Value of `direction` for a search that was suspended before it had chosen one.
const EITHER: &str = "either";

/// Maximum of each count, so that sums do not overflow.
const MAX_COUNT: u64 = 1 << 54;
/// Maximum number of iterations; no board needs more.
const MAX_ITERATIONS: usize = 256;

/// The first line: the search and its progress.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    format: String,
    version: u32,
    search: Settings,
    /// The direction of the search, or [`EITHER`].
    direction: String,
    /// The set of partitions chosen for the board, or an empty text if none was better; `None` before the choice.
    fitted: Option<String>,
    /// Bound, expanded and generated nodes of each complete iteration.
    rounds: Vec<(u32, u64, u64)>,
    bound: u32,
    expanded: u64,
    generated: u64,
    beside: (u64, u64),
    beyond: (u64, u64),
    ahead: u32,
    /// A solution of length bound + 2.
    solution: Option<String>,
    /// For each pending node: its moves, `:`, and the state of the automaton in hexadecimal; separated by spaces.
    pending: String,
}

/// The second line: the checksum of the first.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checksum {
    checksum: String,
}

/// The search in a checkpoint, for programs that divide its iterations among machines.
///
/// A driver lets [`Round::Until`](crate::search::Round::Until) begin the search, and
/// [`Round::Divide`](crate::search::Round::Divide) divide each further iteration; others search [parts](Self::part) of
/// it with [`Round::Finish`](crate::search::Round::Finish), whose results it [adds](Self::add). An iteration of which
/// all parts are added counts as many nodes as one that a single process searched.
#[derive(Clone, Debug)]
pub struct SuspendedSearch {
    settings: Settings,
    resumed: Resumed,
}

impl SuspendedSearch {
    /// Reads the text of a checkpoint.
    ///
    /// # Errors
    /// Returns a message if it is damaged, or of another version.
    pub fn read(text: &str) -> Result<Self, String> {
        let (settings, resumed) = from_text(text)?;
        Ok(Self { settings, resumed })
    }

    /// Returns the text of the checkpoint.
    pub fn text(&self) -> String {
        let Resumed { direction, progress, table_fit, .. } = &self.resumed;
        to_text(&self.settings, (*direction, table_fit.clone()), progress)
    }

    /// Returns the bound of the current iteration.
    pub fn bound(&self) -> u32 {
        self.resumed.progress.bound
    }

    /// Returns whether the search has not chosen its direction yet. Then it can only continue undivided.
    pub fn is_undecided(&self) -> bool {
        self.resumed.direction.is_none()
    }

    /// Returns the number of nodes below which the current iteration is to be searched; 0 between iterations.
    pub fn pending(&self) -> usize {
        self.resumed.progress.pending.len()
    }

    /// Returns the number of nodes expanded in all complete iterations with the tables of the search.
    pub fn expanded(&self) -> u64 {
        self.resumed.progress.iterations.iter().map(|iteration| iteration.1).sum()
    }

    /// Returns the number of nodes expanded in the last complete iteration.
    pub fn last_expanded(&self) -> u64 {
        self.resumed.progress.iterations.last().map_or(0, |iteration| iteration.1)
    }

    /// Returns the length of the solution that was found, within the bound or two moves beyond it. A solution as long as
    /// the bound is shortest.
    pub fn solution_length(&self) -> Option<u32> {
        self.resumed.progress.solution.as_ref().map(|moves| moves.len() as u32)
    }

    /// Returns the moves from the start to each pending node.
    pub fn pending_paths(&self) -> impl Iterator<Item = &[Move]> {
        self.resumed.progress.pending.iter().map(|node| node.moves.as_slice())
    }

    /// Returns the part of the iteration below the pending nodes with these indices.
    ///
    /// # Panics
    /// If there are fewer pending nodes.
    #[must_use]
    pub fn part(&self, nodes: &[usize]) -> Self {
        let Resumed { direction, progress, is_counted, table_fit } = &self.resumed;
        let resumed = Resumed {
            direction: *direction,
            progress: progress.part(nodes),
            is_counted: *is_counted,
            table_fit: table_fit.clone(),
        };
        Self { settings: self.settings.clone(), resumed }
    }

    /// Adds the result of a part. Returns false, and adds nothing, if `part` is not a complete part of this iteration.
    pub fn add(&mut self, part: &Self) -> bool {
        part.settings == self.settings && self.resumed.progress.add(&part.resumed.progress)
    }

    /// Keeps only those pending nodes for which `is_pending` returns true for their index.
    pub fn retain(&mut self, is_pending: impl Fn(usize) -> bool) {
        let mut index = 0..;
        self.resumed.progress.pending.retain(|_| index.next().is_some_and(&is_pending));
    }

    /// Records that the current iteration is complete.
    pub fn finish_iteration(&mut self) {
        self.resumed.progress.finish_iteration();
    }
}

/// Returns the text of a checkpoint.
fn to_text(
    search: &Settings,
    (direction, fit): (Option<Direction>, TableFit),
    progress: &Progress,
) -> String {
    let node =
        |node: &PendingNode| format!("{}:{:x}", moves_to_string(&node.moves), node.automaton);
    let pending: Vec<String> = progress.pending.iter().map(node).collect();
    let line = Line {
        format: FORMAT.to_owned(),
        version: VERSION,
        search: search.clone(),
        direction: direction.map_or(EITHER, Direction::name).to_owned(),
        fitted: match fit {
            TableFit::Untried => None,
            TableFit::NoGain => Some(String::new()),
            TableFit::Chosen(text) => Some(text),
        },
        rounds: progress.iterations.clone(),
        bound: progress.bound,
        expanded: progress.expanded,
        generated: progress.generated,
        beside: progress.outside_iterations,
        beyond: progress.past_bound,
        ahead: progress.lookahead,
        solution: progress.solution.as_deref().map(moves_to_string),
        pending: pending.join(" "),
    };
    let line = serde_json::to_string(&line).expect("a checkpoint serializes to JSON");
    let sum = serde_json::to_string(&Checksum { checksum: checksum(&line) });
    format!("{line}\n{}\n", sum.expect("a checksum serializes to JSON"))
}

/// Parses the text of a checkpoint of the search with `settings`.
///
/// # Errors
/// Returns a message if the text is damaged, has another version, or belongs to another search.
fn of_search(text: &str, settings: &Settings) -> Result<Resumed, String> {
    let (saved, resumed) = from_text(text)?;
    let differences: Vec<String> = settings
        .iter()
        .filter_map(|(what, now)| {
            let then = saved.get(what).map_or("unknown", String::as_str);
            (then != now).then(|| format!("\n  {what}: {then} then, {now} now"))
        })
        .collect();
    if !differences.is_empty() {
        return Err(format!("the checkpoint belongs to another search:{}", differences.concat()));
    }
    Ok(resumed)
}

/// Parses the text of a checkpoint.
///
/// # Errors
/// Returns a message if the text is damaged or has another version.
fn from_text(text: &str) -> Result<(Settings, Resumed), String> {
    let damaged = || "the checkpoint is damaged: remove it to start over".to_owned();
    let (line, sum) = text.split_once('\n').ok_or_else(damaged)?;
    let sum: Checksum = serde_json::from_str(sum).map_err(|_| damaged())?;
    if sum.checksum != checksum(line) {
        return Err(damaged());
    }
    let line: Line = serde_json::from_str(line).map_err(|_| damaged())?;
    if line.format != FORMAT || line.version != VERSION {
        return Err(format!(
            "this is `{}` in version {}, but `{FORMAT}` in version {VERSION} is required",
            line.format, line.version
        ));
    }
    let settings = line.search.clone();
    Ok((settings, resumed(line).ok_or_else(damaged)?))
}

fn resumed(line: Line) -> Option<Resumed> {
    let counts = line.rounds.iter().flat_map(|round| [round.1, round.2]);
    let other_counts = [(line.expanded, line.generated), line.beside, line.beyond];
    let other_counts =
        other_counts.into_iter().flat_map(|(expanded, generated)| [expanded, generated]);
    let are_small = counts.chain(other_counts).all(|count| count <= MAX_COUNT);
    let pending: Option<Vec<PendingNode>> =
        line.pending.split(' ').filter(|text| !text.is_empty()).map(node).collect();
    let solution = match line.solution {
        None => None,
        Some(text) => Some(moves(&text)?),
    };
    let progress = Progress {
        bound: line.bound,
        iterations: line.rounds,
        pending: pending?,
        expanded: line.expanded,
        generated: line.generated,
        past_bound: line.beyond,
        lookahead: line.ahead,
        solution,
        outside_iterations: line.beside,
    };
    let direction = match &*line.direction {
        EITHER => None,
        name => Some(name.parse().ok()?),
    };
    let is_valid = are_small && progress.iterations.len() <= MAX_ITERATIONS;
    let table_fit = match line.fitted {
        None => TableFit::Untried,
        Some(text) if text.is_empty() => TableFit::NoGain,
        Some(text) => TableFit::Chosen(text),
    };
    is_valid.then_some(Resumed { direction, progress, is_counted: false, table_fit })
}

fn node(text: &str) -> Option<PendingNode> {
    let (path, state) = text.split_once(':')?;
    Some(PendingNode { moves: moves(path)?, automaton: u32::from_str_radix(state, 16).ok()? })
}

fn moves(text: &str) -> Option<Vec<Move>> {
    let one = |letter: char| {
        let is_it = |m: &Move| moves_to_string(&[*m]).starts_with(letter);
        Move::ALL.into_iter().find(is_it)
    };
    text.chars().map(one).collect()
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll and Vo) in hexadecimal.
fn checksum(text: &str) -> String {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Settings, Progress) {
        let settings = Settings::from([("board".to_owned(), "1 2 0".to_owned())]);
        let moves = vec![Move::ALL[0], Move::ALL[3], Move::ALL[2]];
        let progress = Progress {
            bound: 14,
            iterations: vec![(10, 5, 6), (12, 50, 60)],
            pending: vec![
                PendingNode { moves: moves.clone(), automaton: 77 },
                PendingNode { moves: vec![], automaton: 0 },
            ],
            expanded: 7,
            generated: 8,
            past_bound: (11, 12),
            lookahead: 33,
            solution: Some(moves),
            outside_iterations: (9, 10),
        };
        (settings, progress)
    }

    #[test]
    fn checkpoint_round_trips_and_rejects_any_changed_byte() {
        let (settings, progress) = example();
        let ends = [None, Some(Direction::Forward), Some(Direction::Backward)];
        let fits = [TableFit::Untried, TableFit::NoGain, TableFit::Chosen("1,2/3".to_owned())];
        for (direction, fit) in ends.into_iter().zip(fits) {
            let text = to_text(&settings, (direction, fit.clone()), &progress);
            let progress = progress.clone();
            let resumed = Resumed { direction, progress, is_counted: false, table_fit: fit };
            assert_eq!(of_search(&text, &settings), Ok(resumed));
        }
        let text = to_text(&settings, (None, TableFit::Untried), &progress);
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(of_search(&changed, &settings).is_err(), "{changed}");
            assert!(place + 1 == text.len() || of_search(&text[..place], &settings).is_err());
        }
    }

    #[test]
    fn errors_name_other_searches_and_versions() {
        let (settings, progress) = example();
        let text = to_text(&settings, (None, TableFit::Untried), &progress);
        let others = Settings::from([("board".to_owned(), "1 0 2".to_owned())]);
        let message = of_search(&text, &others).unwrap_err();
        assert!(message.contains("board: 1 2 0 then, 1 0 2 now"), "{message}");
        let line = text.lines().next().unwrap().replace("\"version\":4", "\"version\":5");
        let later = format!("{line}\n{{\"checksum\":\"{}\"}}\n", checksum(&line));
        let message = of_search(&later, &settings).unwrap_err();
        assert!(message.contains("in version 5, but `loyd checkpoint` in version 4"), "{message}");
    }

    #[test]
    fn counts_that_could_overflow_are_refused() {
        let (settings, progress) = example();
        for change in [
            Progress { expanded: u64::MAX, ..progress.clone() },
            Progress { outside_iterations: (0, MAX_COUNT + 1), ..progress.clone() },
            Progress { iterations: vec![(10, 0, u64::MAX)], ..progress.clone() },
            Progress { iterations: vec![(10, 0, 0); 300], ..progress },
        ] {
            assert!(
                of_search(&to_text(&settings, (None, TableFit::Untried), &change), &settings)
                    .is_err()
            );
        }
    }
}
