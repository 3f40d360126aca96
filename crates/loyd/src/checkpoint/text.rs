//! What is written in a checkpoint.

use std::collections::BTreeMap;

use loyd_kernels::{Pending, Progress};
use loyd_search::Direction;
use loyd_tiles::Move;
use loyd_tiles::notation::moves_to_string;
use serde::{Deserialize, Serialize};

use crate::algorithms::{Begun, Fit};

/// What a search depends on, by name.
pub type Settings = BTreeMap<String, String>;

const FORMAT: &str = "loyd checkpoint";
const VERSION: u32 = 4;

/// In place of a direction: the search was put aside in the trial from the start.
const EITHER: &str = "either";

/// No count is larger: nothing overflows when all are added.
const LARGEST: u64 = 1 << 54;
/// No board needs more rounds.
const MOST_ROUNDS: usize = 256;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    format: String,
    version: u32,
    search: Settings,
    /// The end at which it began, or [`EITHER`].
    direction: String,
    /// The set of partitions that was chosen for the board, or nothing if that was in vain; none if it was not tried.
    fitted: Option<String>,
    /// Bound, expanded and generated of each complete round.
    rounds: Vec<(u32, u64, u64)>,
    bound: u32,
    expanded: u64,
    generated: u64,
    beside: (u64, u64),
    beyond: (u64, u64),
    ahead: u32,
    /// A solution of two moves more than the bound.
    solution: Option<String>,
    /// For each node its moves, `:` and the state of the automaton, in hexadecimal.
    pending: String,
}

/// The second line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checksum {
    checksum: String,
}

/// The text of a checkpoint.
pub fn write(
    search: &Settings,
    (direction, fit): (Option<Direction>, Fit),
    progress: &Progress,
) -> String {
    let node = |node: &Pending| format!("{}:{:x}", moves_to_string(&node.moves), node.automaton);
    let pending: Vec<String> = progress.pending.iter().map(node).collect();
    let line = Line {
        format: FORMAT.to_owned(),
        version: VERSION,
        search: search.clone(),
        direction: direction.map_or(EITHER, Direction::name).to_owned(),
        fitted: match fit {
            Fit::NotTried => None,
            Fit::InVain => Some(String::new()),
            Fit::Chosen(text) => Some(text),
        },
        rounds: progress.rounds.clone(),
        bound: progress.bound,
        expanded: progress.expanded,
        generated: progress.generated,
        beside: progress.beside,
        beyond: progress.beyond,
        ahead: progress.ahead,
        solution: progress.solution.as_deref().map(moves_to_string),
        pending: pending.join(" "),
    };
    let line = serde_json::to_string(&line).expect("nothing in it is foreign to JSON");
    let sum = serde_json::to_string(&Checksum { checksum: checksum(&line) });
    format!("{line}\n{}\n", sum.expect("nothing in it is foreign to JSON"))
}

/// What the text of a checkpoint says of the search with these settings; or what is wrong with it.
pub fn read(text: &str, settings: &Settings) -> Result<Begun, String> {
    let damaged = || "the checkpoint is damaged: remove it to begin again".to_owned();
    let (line, sum) = text.split_once('\n').ok_or_else(damaged)?;
    let sum: Checksum = serde_json::from_str(sum).map_err(|_| damaged())?;
    if sum.checksum != checksum(line) {
        return Err(damaged());
    }
    let line: Line = serde_json::from_str(line).map_err(|_| damaged())?;
    if line.format != FORMAT || line.version != VERSION {
        return Err(format!(
            "this is `{}` in version {}, and `{FORMAT}` in version {VERSION} is wanted",
            line.format, line.version
        ));
    }
    let differences: Vec<String> = settings
        .iter()
        .filter_map(|(what, now)| {
            let then = line.search.get(what).map_or("unknown", String::as_str);
            (then != now).then(|| format!("\n  {what}: {then} then, {now} now"))
        })
        .collect();
    if !differences.is_empty() {
        return Err(format!("the checkpoint is of another search:{}", differences.concat()));
    }
    begun(line).ok_or_else(damaged)
}

fn begun(line: Line) -> Option<Begun> {
    let counts = line.rounds.iter().flat_map(|round| [round.1, round.2]);
    let others = [(line.expanded, line.generated), line.beside, line.beyond];
    let others = others.into_iter().flat_map(|(expanded, generated)| [expanded, generated]);
    let are_small = counts.chain(others).all(|count| count <= LARGEST);
    let pending: Option<Vec<Pending>> =
        line.pending.split(' ').filter(|text| !text.is_empty()).map(node).collect();
    let solution = match line.solution {
        None => None,
        Some(text) => Some(moves(&text)?),
    };
    let progress = Progress {
        bound: line.bound,
        rounds: line.rounds,
        pending: pending?,
        expanded: line.expanded,
        generated: line.generated,
        beyond: line.beyond,
        ahead: line.ahead,
        solution,
        beside: line.beside,
    };
    let direction = match &*line.direction {
        EITHER => None,
        name => Some(name.parse().ok()?),
    };
    let is_one = are_small && progress.rounds.len() <= MOST_ROUNDS;
    let fit = match line.fitted {
        None => Fit::NotTried,
        Some(text) if text.is_empty() => Fit::InVain,
        Some(text) => Fit::Chosen(text),
    };
    is_one.then_some(Begun { direction, progress, is_counted: false, fit })
}

fn node(text: &str) -> Option<Pending> {
    let (path, state) = text.split_once(':')?;
    Some(Pending { moves: moves(path)?, automaton: u32::from_str_radix(state, 16).ok()? })
}

fn moves(text: &str) -> Option<Vec<Move>> {
    let one = |letter: char| {
        let is_it = |m: &Move| moves_to_string(&[*m]).starts_with(letter);
        Move::ALL.into_iter().find(is_it)
    };
    text.chars().map(one).collect()
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo).
fn checksum(text: &str) -> String {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> (Settings, Progress) {
        let settings = Settings::from([("board".to_owned(), "1 2 0".to_owned())]);
        let moves = vec![Move::ALL[0], Move::ALL[3], Move::ALL[2]];
        let progress = Progress {
            bound: 14,
            rounds: vec![(10, 5, 6), (12, 50, 60)],
            pending: vec![
                Pending { moves: moves.clone(), automaton: 77 },
                Pending { moves: vec![], automaton: 0 },
            ],
            expanded: 7,
            generated: 8,
            beyond: (11, 12),
            ahead: 33,
            solution: Some(moves),
            beside: (9, 10),
        };
        (settings, progress)
    }

    #[test]
    fn what_is_written_is_read_again_and_no_byte_may_change() {
        let (settings, progress) = some();
        let ends = [None, Some(Direction::Forward), Some(Direction::Backward)];
        let fits = [Fit::NotTried, Fit::InVain, Fit::Chosen("1,2/3".to_owned())];
        for (direction, fit) in ends.into_iter().zip(fits) {
            let text = write(&settings, (direction, fit.clone()), &progress);
            let progress = progress.clone();
            let begun = Begun { direction, progress, is_counted: false, fit };
            assert_eq!(read(&text, &settings), Ok(begun));
        }
        let text = write(&settings, (None, Fit::NotTried), &progress);
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(read(&changed, &settings).is_err(), "{changed}");
            assert!(place + 1 == text.len() || read(&text[..place], &settings).is_err());
        }
    }

    #[test]
    fn other_searches_and_versions_are_told() {
        let (settings, progress) = some();
        let text = write(&settings, (None, Fit::NotTried), &progress);
        let others = Settings::from([("board".to_owned(), "1 0 2".to_owned())]);
        let said = read(&text, &others).unwrap_err();
        assert!(said.contains("board: 1 2 0 then, 1 0 2 now"), "{said}");
        let line = text.lines().next().unwrap().replace("\"version\":4", "\"version\":5");
        let later = format!("{line}\n{{\"checksum\":\"{}\"}}\n", checksum(&line));
        let said = read(&later, &settings).unwrap_err();
        assert!(said.contains("in version 5, and `loyd checkpoint` in version 4"), "{said}");
    }

    #[test]
    fn counts_that_could_overflow_are_refused() {
        let (settings, progress) = some();
        for change in [
            Progress { expanded: u64::MAX, ..progress.clone() },
            Progress { beside: (0, LARGEST + 1), ..progress.clone() },
            Progress { rounds: vec![(10, 0, u64::MAX)], ..progress.clone() },
            Progress { rounds: vec![(10, 0, 0); 300], ..progress },
        ] {
            assert!(read(&write(&settings, (None, Fit::NotTried), &change), &settings).is_err());
        }
    }
}
