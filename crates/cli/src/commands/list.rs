//! `loyd list`.

use std::io::{self, Write};

use loyd::goal::GOALS;
use loyd::notation::{FORMATS, FORMS, NOTATIONS};
use loyd::search::{ALGORITHMS, HEURISTICS};
use loyd_api::{METRICS, QUALITIES, list_named};
use loyd_lab::experiment::EXPERIMENTS;
use serde_json::Value;

use crate::Status;
use crate::args::{ListArgs, Listed, Output};
use crate::failure::Failure;
use crate::table::Table;

/// Prints one of the registries.
pub fn run(args: &ListArgs) -> Result<Status, Failure> {
    let mut out = io::stdout().lock();
    match args.output {
        Output::Text => write!(out, "{}", text(args.what))?,
        Output::Json => {
            for row in rows(args.what) {
                writeln!(out, "{row}")?;
            }
        }
    }
    Ok(Status::Yes)
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn text(what: Listed) -> Table {
    match what {
        Listed::Algorithms => algorithms(),
        Listed::Heuristics => heuristics(),
        Listed::Formats => {
            let mut table = Table::new(3, vec!["name", "example", "what it is"]);
            for row in FORMATS {
                table.row(words(&[row.name, &row.example.replace('\n', " / "), row.summary]));
            }
            table
        }
        Listed::Goals => {
            let mut goals: Vec<_> = GOALS.iter().map(|row| (row.name, row.summary)).collect();
            goals.push(("BOARD", "any arrangement of the same size, in any form"));
            goals.push((
                "PART",
                "a board with * on cells that may have any tile: 1 2 3/* * */* * *",
            ));
            named(goals)
        }
        Listed::Metrics => named(METRICS.to_vec()),
        Listed::Qualities => named(QUALITIES.to_vec()),
        Listed::Notations => notations(),
        Listed::Forms => named(FORMS.iter().map(|row| (row.name, row.summary)).collect()),
        Listed::Experiments => experiments(),
    }
}

fn experiments() -> Table {
    let mut table = Table::new(2, vec!["name", "the claim that is put to the test"]);
    EXPERIMENTS.iter().for_each(|row| table.row(words(&[row.name, row.claim])));
    table
}

fn named(rows: Vec<(&str, &str)>) -> Table {
    let mut table = Table::new(2, vec!["name", "what it is"]);
    rows.into_iter().for_each(|(name, summary)| table.row(words(&[name, summary])));
    table
}

fn algorithms() -> Table {
    let mut table = Table::new(4, vec!["name", "solutions", "memory", "what it does"]);
    for row in ALGORITHMS {
        table.row(words(&[row.name, &row.guarantee.to_string(), row.memory, row.summary]));
    }
    table
}

fn heuristics() -> Table {
    let heading = vec![
        "name",
        "admissible",
        "consistent",
        "stm",
        "mtm",
        "partial goals",
        "what it estimates",
    ];
    let mut table = Table::new(heading.len(), heading);
    for row in HEURISTICS {
        let [admissible, consistent, stm, mtm, parts] =
            [row.admissible, row.consistent, row.steps, row.slides, row.partial_goals].map(yes);
        table.row(words(&[row.name, &admissible, &consistent, &stm, &mtm, &parts, row.summary]));
    }
    let own = "the sum over the tiles of entries of your own cells x cells matrix";
    table.row(words(&["matrix=FILE", "checked", "-", "yes", "no", "yes", own]));
    table
}

fn notations() -> Table {
    let heading = vec!["name", "example", "with runs", "needs a board", "what it says"];
    let mut table = Table::new(5, heading);
    for row in NOTATIONS {
        let [example, runs] = row.examples;
        table.row(words(&[row.name, example, runs, &yes(row.needs_board), row.summary]));
    }
    table
}

/// The rows of a list for machines.
fn rows(what: Listed) -> Vec<Value> {
    let name = match what {
        Listed::Algorithms => "algorithms",
        Listed::Heuristics => "heuristics",
        Listed::Formats => "formats",
        Listed::Goals => "goals",
        Listed::Metrics => "metrics",
        Listed::Qualities => "qualities",
        Listed::Notations => "notations",
        Listed::Forms => "forms",
        Listed::Experiments => "experiments",
    };
    list_named(name).map(|list| (list.rows)()).unwrap_or_default()
}
