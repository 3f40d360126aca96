//! Lists of the available choices.

use loyd::goal::GOALS;
use loyd::notation::{FORMATS, FORMS, NOTATIONS};
use loyd::search::{ALGORITHMS, HEURISTICS};
use loyd_lab::compare::PRESETS;
use loyd_lab::experiment::EXPERIMENTS;
use serde_json::{Value, json};

use crate::fault::Fault;

/// A list of choices.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// Name of the list.
    pub name: &'static str,
    /// Description of the list.
    pub summary: &'static str,
    /// Returns the rows, each an object with a `name`.
    pub rows: fn() -> Vec<Value>,
}

/// Metrics and their meaning.
pub const METRICS: &[(&str, &str)] = &[
    ("stm", "each tile that moves counts"),
    ("mtm", "each slide of one or more tiles in a line counts"),
];

/// Qualities of solutions and their meaning.
pub const QUALITIES: &[(&str, &str)] = &[
    ("auto", "the best that is found within 10 s or --max-time, with what is proved about it"),
    ("optimal", "proved to be shortest"),
    ("bounded=W", "proved to be at most W times the shortest, W from 1 to 100, as in bounded=1.5"),
    ("fast", "at once, on any board; improved for --max-time if that is given"),
];

/// All lists.
pub static LISTS: [List; 10] = [
    List { name: "algorithms", summary: "Search algorithms.", rows: algorithms },
    List {
        name: "heuristics",
        summary: "Estimates of the distance to the goal.",
        rows: heuristics,
    },
    List { name: "goals", summary: "Named goals.", rows: goals },
    List {
        name: "metrics",
        summary: "What counts as a move.",
        rows: || summaries(METRICS.iter().copied()),
    },
    List {
        name: "qualities",
        summary: "Qualities of solutions.",
        rows: || summaries(QUALITIES.iter().copied()),
    },
    List { name: "notations", summary: "Notations for moves.", rows: notations },
    List { name: "forms", summary: "Forms of boards.", rows: forms },
    List { name: "formats", summary: "Formats of files of boards.", rows: formats },
    List { name: "presets", summary: "Named comparisons.", rows: presets },
    List { name: "experiments", summary: "Claims tested by experiments.", rows: experiments },
];

/// Returns the list with this name.
///
/// # Errors
/// Fails if there is no such list.
pub fn list_named(name: &str) -> Result<&'static List, Fault> {
    LISTS.iter().find(|list| list.name == name).ok_or_else(|| {
        let names: Vec<&str> = LISTS.iter().map(|list| list.name).collect();
        Fault::malformed(format!("there is no list `{name}`; there are {}", names.join(", ")))
    })
}

fn summaries(rows: impl Iterator<Item = (&'static str, &'static str)>) -> Vec<Value> {
    rows.map(|(name, summary)| json!({"name": name, "summary": summary})).collect()
}

fn algorithms() -> Vec<Value> {
    let row = ALGORITHMS.iter().map(|row| {
        json!({
            "name": row.name, "summary": row.summary,
            "guarantee": row.guarantee.to_string(), "uses_heuristic": row.uses_heuristic,
            "uses_closed": row.uses_closed, "memory": row.memory, "source": row.source,
        })
    });
    row.collect()
}

fn heuristics() -> Vec<Value> {
    let row = HEURISTICS.iter().map(|row| {
        json!({
            "name": row.name, "summary": row.summary, "admissible": row.admissible,
            "consistent": row.consistent, "stm": row.steps, "mtm": row.slides,
            "partial_goals": row.partial_goals, "memory": row.memory, "source": row.source,
        })
    });
    row.collect()
}

fn goals() -> Vec<Value> {
    summaries(GOALS.iter().map(|row| (row.name, row.summary)))
}

fn notations() -> Vec<Value> {
    let row = NOTATIONS.iter().map(|row| {
        json!({
            "name": row.name, "summary": row.summary, "example": row.examples[0],
            "example_with_runs": row.examples[1], "needs_board": row.needs_board,
        })
    });
    row.collect()
}

fn forms() -> Vec<Value> {
    summaries(FORMS.iter().map(|row| (row.name, row.summary)))
}

fn formats() -> Vec<Value> {
    let row = FORMATS
        .iter()
        .map(|row| json!({"name": row.name, "summary": row.summary, "example": row.example}));
    row.collect()
}

fn presets() -> Vec<Value> {
    summaries(PRESETS.iter().map(|row| (row.name, row.summary)))
}

fn experiments() -> Vec<Value> {
    let row = EXPERIMENTS
        .iter()
        .map(|row| json!({"name": row.name, "claim": row.claim, "timed": row.is_timed}));
    row.collect()
}
