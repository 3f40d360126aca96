//! The page of an experiment, in Markdown.

use std::fmt::Write;

use super::row::{Experiment, Findings, Table};

/// The page: claim, verdict, plots, figures, method, and how to make it again. Plots are looked for beside it, in files
/// that [`plot_name`] names; `machine` is where times were measured.
pub fn page(experiment: &Experiment, findings: &Findings, machine: &str) -> String {
    let Experiment { name, claim, method, is_timed, .. } = experiment;
    let mut page = format!(
        "# {name}\n\n**The claim:** {claim}\n\n**It {}.** {}\n\n",
        findings.verdict.name(),
        findings.summary
    );
    for plot in &findings.plots {
        let _ = writeln!(page, "![{}]({})\n", plot.title, plot_name(experiment, plot.suffix));
    }
    let _ = writeln!(page, "{}\n**How it was tested.** {method}\n", markdown(&findings.table));
    let times = match is_timed {
        true => format!(" Times are those of one run on {machine}; they differ from run to run."),
        false => String::new(),
    };
    let _ = writeln!(page, "`loyd experiment {name} --out DIR` writes this page again.{times}");
    page
}

/// The name of the file of a plot.
pub fn plot_name(experiment: &Experiment, suffix: &str) -> String {
    format!("{}{suffix}.svg", experiment.name)
}

/// The page that lists experiments with their claims and verdicts.
pub fn index(done: &[(&Experiment, Findings)]) -> String {
    let rows = done.iter().map(|(experiment, findings)| {
        let Experiment { name, claim, .. } = experiment;
        vec![
            format!("[{name}]({name}.md)"),
            (*claim).to_owned(),
            findings.verdict.name().to_owned(),
        ]
    });
    let table = Table { heading: vec!["experiment", "claim", "it"], rows: rows.collect() };
    format!(
        "# Experiments\n\nClaims about the 8-puzzle, put to the test. `loyd experiment --all --out DIR` writes these \
         pages: no figure is typed by hand.\n\n{}",
        markdown(&table)
    )
}

/// The table in Markdown, its columns aligned.
fn markdown(table: &Table) -> String {
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row[column].chars().count());
        cells.chain([table.heading[column].len(), 3]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.heading.len()).map(width).collect();
    let is_number = |column: usize| {
        let begins = |row: &Vec<String>| row[column].starts_with(|c: char| c.is_ascii_digit());
        column > 0 && table.rows.iter().all(begins)
    };
    let line = |cells: &[&str]| {
        let cells = cells.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if is_number(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rules: Vec<String> = widths
        .iter()
        .enumerate()
        .map(|(column, &width)| match is_number(column) {
            true => format!("{}:", "-".repeat(width - 1)),
            false => "-".repeat(width),
        })
        .collect();
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    let rows =
        table.rows.iter().map(|row| line(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    line(&table.heading) + &line(&rules) + &rows.collect::<String>()
}
