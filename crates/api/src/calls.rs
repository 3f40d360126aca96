//! Table of all calls.

mod batch;
mod boards;
mod compare;
mod moves;
mod search;
mod trace;

pub(crate) use batch::BatchLimits;

use crate::fault::Fault;
use crate::progress::Listener;
use crate::work::Work;

/// A call: its fields, its documentation and its implementation.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Name of the call.
    pub name: &'static str,
    /// One-line description of the answer.
    pub summary: &'static str,
    /// Fields of a [`Request`](crate::Request) that the call accepts, in groups.
    pub takes: &'static [&'static [&'static str]],
    /// Required fields.
    pub needs: &'static [&'static str],
    /// Example of a request.
    pub example: &'static str,
    /// Whether the call reports events before its answer.
    pub has_events: bool,
    /// Whether the answer is JSON Lines: a record for each board.
    pub has_records: bool,
    pub(crate) run: fn(&Work<'_>, Listener<'_>) -> Result<String, Fault>,
    /// Schema of the answer.
    #[cfg(feature = "schema")]
    pub answer: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl Call {
    /// Returns the names of the fields that a request may have.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.takes.iter().flat_map(|group| group.iter().copied())
    }

    const fn events(self) -> Self {
        Self { has_events: true, ..self }
    }

    const fn records(self) -> Self {
        Self { has_records: true, ..self }
    }

    const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }
}

/// Fields for a board and its goal.
const BOARD: &[&str] = &["board", "size", "blank", "goal"];
/// Fields for the limits of a search.
const LIMITS: &[&str] = &["max_ms", "max_bytes", "max_expanded"];
/// Fields that choose one search.
const WAY: &[&str] = &["algorithm", "heuristic", "matrix", "closed", "weight", "prune", "tables"];
/// Field for the quality of a solution, which leaves the choice of the search to Loyd.
const QUALITY: &[&str] = &["quality"];
/// Field for the metric.
const METRIC: &[&str] = &["metric"];
/// Fields for moves on the board.
const MOVES: &[&str] = &["moves", "from"];

macro_rules! call {
    ($name:literal, $summary:literal, $run:path => $answer:ty, $($takes:expr),+) => {
        Call {
            name: $name,
            summary: $summary,
            takes: &[$($takes),+],
            needs: &[],
            example: "{}",
            has_events: false,
            has_records: false,
            run: $run,
            #[cfg(feature = "schema")]
            answer: |schemas| schemas.subschema_for::<$answer>(),
        }
    };
}

/// All calls.
pub static CALLS: [Call; 11] = [
    call!("solve", "A solution of a board, or all shortest solutions.",
        search::solve => loyd::batch::Record,
        BOARD, METRIC, &["costs"], QUALITY, WAY, LIMITS, &["all", "max_solutions"])
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8"}"#)
    .events(),
    call!("batch", "A solution of each of many boards, as JSON Lines.",
        batch::batch => loyd::batch::Record,
        &["boards", "size", "blank", "goal"], METRIC, &["costs"], QUALITY, WAY, LIMITS)
    .needs(&["boards"])
    .example(r#"{"boards": ["2 3 4/1 5 0/7 6 8", "1 2 3/4 0 5/7 8 6"]}"#)
    .records(),
    call!("explain", "Whether and why a board is solvable, and how far it is from the goal.",
        search::explain => crate::ExplainAnswer,
        BOARD, METRIC, LIMITS)
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8", "metric": "mtm"}"#)
    .events(),
    call!("hint", "The best next move.",
        search::hint => crate::HintAnswer,
        BOARD, METRIC, LIMITS)
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8"}"#)
    .events(),
    call!("review", "Where moves were wasted, in both metrics or one.",
        search::review => crate::Reviews,
        BOARD, MOVES, METRIC, LIMITS)
    .needs(&["board", "moves"])
    .example(r#"{"board": "1 2 3/4 0 5/7 8 6", "moves": "lrrd"}"#)
    .events(),
    call!("optimize", "A shorter sequence of moves to the same board.",
        search::optimize => crate::OptimizeAnswer,
        &["board", "size", "blank"], MOVES, METRIC, LIMITS, &["to"])
    .needs(&["board", "moves"])
    .example(r#"{"board": "1 2 3/4 0 5/7 8 6", "moves": "lrrd"}"#)
    .events(),
    call!("scramble", "Boards drawn at random.",
        boards::scramble => crate::Scrambles,
        &["size", "goal", "seed", "length", "steps", "number"], LIMITS)
    .needs(&["size"])
    .example(r#"{"size": "4x4", "seed": 7, "number": 2}"#)
    .events(),
    call!("convert", "A board in another form, or moves in another notation.",
        moves::convert => crate::ConvertAnswer,
        &["text", "to", "from", "board", "size", "blank", "goal", "runs"])
    .needs(&["text", "to"])
    .example(r#"{"text": "ullddr", "to": "numbers", "board": "2 3 4/1 5 0/7 6 8"}"#),
    call!("compare", "Searches side by side on the same boards.",
        compare::compare => compare::Compared,
        &["boards", "board", "size", "blank", "goal", "rows", "preset"], METRIC, LIMITS)
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8", "preset": "realms"}"#)
    .events(),
    call!("trace", "A search, node by node.",
        trace::trace => trace::Trace,
        BOARD, METRIC, WAY, LIMITS, &["max_events", "format"])
    .needs(&["board"])
    .example(r#"{"board": "2 3 4/1 5 0/7 6 8", "algorithm": "astar", "max_events": 100}"#)
    .events(),
    call!("census", "The number of boards at each distance from a goal.",
        boards::census => crate::CensusAnswer,
        &["size", "goal"], METRIC, &["max_ms"])
    .needs(&["size"])
    .example(r#"{"size": "3x2"}"#)
    .events(),
];

/// Returns the call with this name.
///
/// # Errors
/// Fails if there is no such call.
pub fn call_named(name: &str) -> Result<&'static Call, Fault> {
    CALLS.iter().find(|call| call.name == name).ok_or_else(|| {
        let names: Vec<&str> = CALLS.iter().map(|call| call.name).collect();
        Fault::malformed(format!("there is no call `{name}`; there are {}", names.join(", ")))
    })
}
