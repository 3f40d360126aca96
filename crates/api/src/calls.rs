//! What can be asked: a row for each call.

mod census;
mod compare;
mod draw;
mod moves;
mod search;
mod trace;

use crate::fault::Fault;
use crate::progress::Listener;
use crate::work::Work;

/// Something that can be asked.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The name.
    pub name: &'static str,
    /// What it answers, in a line.
    pub summary: &'static str,
    /// The fields of a [`Request`](crate::Request) that it takes, in groups.
    pub takes: &'static [&'static [&'static str]],
    /// Those of them that have to be there.
    pub needs: &'static [&'static str],
    /// A request, as an example.
    pub example: &'static str,
    /// Whether it tells events before its answer.
    pub has_events: bool,
    pub(crate) run: fn(&Work<'_>, Listener<'_>) -> Result<String, Fault>,
    /// The schema of the answer.
    #[cfg(feature = "schema")]
    pub answer: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl Call {
    /// The names of the fields that a request may have.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.takes.iter().flat_map(|group| group.iter().copied())
    }

    const fn events(self) -> Self {
        Self { has_events: true, ..self }
    }

    const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }
}

/// A board and its goal.
const BOARD: &[&str] = &["board", "size", "goal"];
/// How far to search.
const LIMITS: &[&str] = &["max_ms", "max_bytes", "max_expanded"];
/// How to search, where one search is made.
const WAY: &[&str] = &["algorithm", "heuristic", "matrix", "closed", "weight", "prune", "tables"];
/// How to search.
const QUALITY: &[&str] = &["quality"];
/// What counts as a move.
const METRIC: &[&str] = &["metric"];
/// Moves on the board.
const MOVES: &[&str] = &["moves"];

macro_rules! call {
    ($name:literal, $summary:literal, $run:path => $answer:ty, $($takes:expr),+) => {
        Call {
            name: $name,
            summary: $summary,
            takes: &[$($takes),+],
            needs: &[],
            example: "{}",
            has_events: false,
            run: $run,
            #[cfg(feature = "schema")]
            answer: |schemas| schemas.subschema_for::<$answer>(),
        }
    };
}

/// All calls.
pub static CALLS: [Call; 10] = [
    call!("solve", "A solution of a board, or all shortest ones.",
        search::solve => loyd::batch::Record,
        BOARD, METRIC, QUALITY, WAY, LIMITS, &["all", "max_solutions"])
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8"}"#)
    .events(),
    call!("explain", "Why a board can be solved or not, and how far it is from the goal.",
        search::explain => crate::ExplainAnswer,
        BOARD, METRIC, LIMITS)
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8", "metric": "mtm"}"#)
    .events(),
    call!("hint", "What to play next.",
        search::hint => crate::HintAnswer,
        BOARD, METRIC, LIMITS)
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8"}"#)
    .events(),
    call!("review", "Where moves were lost, in each metric or one.",
        search::review => crate::Reviews,
        BOARD, MOVES, METRIC, LIMITS)
    .needs(&["board", "moves"])
    .example(r#"{"board": "1 2 3/4 0 5/7 8 6", "moves": "lrrd"}"#)
    .events(),
    call!("optimize", "Moves to the same board that are fewer.",
        search::optimize => crate::OptimizeAnswer,
        &["board", "size"], MOVES, METRIC, LIMITS, &["to"])
    .needs(&["board", "moves"])
    .example(r#"{"board": "1 2 3/4 0 5/7 8 6", "moves": "lrrd"}"#)
    .events(),
    call!("scramble", "Boards drawn at random.",
        draw::scramble => crate::Scrambles,
        &["size", "goal", "seed", "length", "steps", "number"], LIMITS)
    .needs(&["size"])
    .example(r#"{"size": "4x4", "seed": 7, "number": 2}"#)
    .events(),
    call!("convert", "A board in another form, or moves in another notation.",
        moves::convert => crate::Converted,
        &["text", "to", "from", "board", "size", "runs"])
    .needs(&["text", "to"])
    .example(r#"{"text": "ullddr", "to": "numbers", "board": "2 3 4/1 5 0/7 6 8"}"#),
    call!("compare", "Ways to search, side by side on the same boards.",
        compare::compare => compare::Compared,
        &["boards", "board", "size", "goal", "rows", "preset"], METRIC, LIMITS)
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8", "preset": "realms"}"#)
    .events(),
    call!("trace", "A search as it happened, node by node.",
        trace::trace => trace::Trace,
        BOARD, METRIC, WAY, LIMITS, &["max_events", "format"])
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8", "algorithm": "astar", "max_events": 100}"#)
    .events(),
    call!("census", "How many boards there are at each distance from a goal.",
        census::census => crate::CensusAnswer,
        &["size", "goal"], METRIC, &["max_ms"])
    .needs(&["size"])
    .example(r#"{"size": "3x2"}"#)
    .events(),
];

/// The call of this name.
///
/// # Errors
/// When there is none.
pub fn call_named(name: &str) -> Result<&'static Call, Fault> {
    CALLS.iter().find(|call| call.name == name).ok_or_else(|| {
        let names: Vec<&str> = CALLS.iter().map(|call| call.name).collect();
        Fault::malformed(format!("there is no call `{name}`; there are {}", names.join(", ")))
    })
}
