//! `loyd list`, `loyd completions` and `loyd man`.

use std::io::{self, Write};

use clap_complete::Shell;
use loyd::goal::GOALS;
use loyd::notation::{FORMATS, FORMS, NOTATIONS};
use loyd::search::{ALGORITHMS, HEURISTICS};
use loyd_api::{METRICS, QUALITIES, list_named};
use loyd_lab::experiment::EXPERIMENTS;
use serde_json::Value;

use crate::args::{Cli, ListArgs, ListName, Output};
use crate::failure::{Failure, Status};
use crate::units::Table;

/// Prints one of the lists.
pub fn list(args: &ListArgs) -> Result<Status, Failure> {
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

fn yes_or_no(condition: bool) -> String {
    if condition { "yes" } else { "no" }.to_owned()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn text(what: ListName) -> Table {
    match what {
        ListName::Algorithms => algorithms(),
        ListName::Heuristics => heuristics(),
        ListName::Formats => {
            let mut table = Table::new(3, vec!["name", "example", "what it is"]);
            for row in FORMATS {
                table.row(words(&[row.name, &row.example.replace('\n', " / "), row.summary]));
            }
            table
        }
        ListName::Goals => {
            let mut goals: Vec<_> = GOALS.iter().map(|row| (row.name, row.summary)).collect();
            goals.push(("BOARD", "any arrangement of the same size, in any form"));
            goals.push((
                "PART",
                "a board with * on cells that may hold any tile: 1 2 3/* * */* * *",
            ));
            name_table(goals)
        }
        ListName::Metrics => name_table(METRICS.to_vec()),
        ListName::Qualities => name_table(QUALITIES.to_vec()),
        ListName::Notations => notations(),
        ListName::Forms => name_table(FORMS.iter().map(|row| (row.name, row.summary)).collect()),
        ListName::Experiments => experiments(),
    }
}

fn experiments() -> Table {
    let mut table = Table::new(2, vec!["name", "claim"]);
    EXPERIMENTS.iter().for_each(|row| table.row(words(&[row.name, row.claim])));
    table
}

fn name_table(rows: Vec<(&str, &str)>) -> Table {
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
            [row.admissible, row.consistent, row.steps, row.slides, row.partial_goals]
                .map(yes_or_no);
        table.row(words(&[row.name, &admissible, &consistent, &stm, &mtm, &parts, row.summary]));
    }
    let matrix = "the sum over the tiles of the entries of a given cells x cells matrix";
    table.row(words(&["matrix=FILE", "checked", "-", "yes", "no", "yes", matrix]));
    table
}

fn notations() -> Table {
    let heading = vec!["name", "example", "with runs", "needs a board", "meaning"];
    let mut table = Table::new(5, heading);
    for row in NOTATIONS {
        let [example, runs] = row.examples;
        table.row(words(&[row.name, example, runs, &yes_or_no(row.needs_board), row.summary]));
    }
    table
}

/// Returns the rows of a list as JSON.
fn rows(what: ListName) -> Vec<Value> {
    let name = match what {
        ListName::Algorithms => "algorithms",
        ListName::Heuristics => "heuristics",
        ListName::Formats => "formats",
        ListName::Goals => "goals",
        ListName::Metrics => "metrics",
        ListName::Qualities => "qualities",
        ListName::Notations => "notations",
        ListName::Forms => "forms",
        ListName::Experiments => "experiments",
    };
    list_named(name).map(|list| (list.rows)()).unwrap_or_default()
}

/// Prints shell completions for `shell`.
pub fn completions(shell: Shell) -> Result<Status, Failure> {
    // Generated in memory, because the generator panics if it writes to a closed pipe.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::with_help(), "loyd", &mut text);
    io::stdout().write_all(&text)?;
    Ok(Status::Yes)
}

/// Prints the manual page, with a section for each command.
pub fn man() -> Result<Status, Failure> {
    let mut text = Vec::new();
    let mut command = Cli::with_help();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    sections(&command, &mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Status::Yes)
}

/// Writes a section for each subcommand of `command`, recursively.
fn sections(command: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = subcommand.get_bin_name().unwrap_or(subcommand.get_name()).to_uppercase();
        writeln!(text, ".SH {name}")?;
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_synopsis_section(text)?;
        man.render_description_section(text)?;
        man.render_options_section(text)?;
        sections(subcommand, text)?;
    }
    Ok(())
}
