//! Definition and findings of an experiment, and the Markdown pages that present them.

use std::fmt::Write;

use loyd::CancelToken;
use loyd::search::Stop;

use crate::plot::Figure;

/// A claim and its test.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Name, as in `loyd experiment NAME`.
    pub name: &'static str,
    /// The claim, in one sentence.
    pub claim: &'static str,
    /// Procedure and boards.
    pub method: &'static str,
    /// Whether the findings include times and so differ from run to run. All others are the same on every machine.
    pub is_timed: bool,
    pub(super) run: fn(&CancelToken) -> Result<Findings, Stop>,
}

/// Results of an experiment.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Whether the claim holds.
    pub verdict: Verdict,
    /// Explanation, with the decisive figures.
    pub summary: String,
    /// All figures.
    pub table: Table,
    /// Plots as SVG, the most important one first.
    pub plots: Vec<Plot>,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figures agree with the claim.
    Holds,
    /// The figures agree with part of the claim.
    HoldsInPart,
    /// The figures contradict the claim.
    Fails,
}

/// A table of figures. The first column holds names, the others numbers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Names of the columns.
    pub heading: Vec<&'static str>,
    /// Rows, each as long as the heading.
    pub rows: Vec<Vec<String>>,
}

/// A plot of an experiment.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Suffix of the file name: empty for the first plot, `-manhattan` for another.
    pub suffix: &'static str,
    /// Title, also used as alternative text.
    pub title: String,
    /// The SVG document.
    pub svg: String,
}

impl Experiment {
    /// Runs the experiment on all threads.
    ///
    /// # Errors
    /// Returns [`Stop::Cancelled`] once `cancel` is set.
    pub fn run(&self, cancel: &CancelToken) -> Result<Findings, Stop> {
        (self.run)(cancel)
    }
}

impl Verdict {
    /// Returns the verdict in words: `holds`, `holds in part` or `fails`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsInPart => "holds in part",
            Self::Fails => "fails",
        }
    }

    /// Returns `Holds` if `is` is true and `Fails` otherwise.
    pub(super) fn of(is: bool) -> Self {
        Self::of_parts(is, is)
    }

    /// Returns the verdict on a claim of two parts.
    pub(super) fn of_parts(first: bool, second: bool) -> Self {
        match (first, second) {
            (true, true) => Self::Holds,
            (false, false) => Self::Fails,
            _ => Self::HoldsInPart,
        }
    }
}

impl Plot {
    /// Creates the first plot.
    pub(super) fn first(figure: &Figure) -> Self {
        Self { suffix: "", title: figure.title.clone(), svg: figure.to_svg() }
    }
}

/// Returns the page: claim, verdict, plots, figures, method, and how to reproduce it. It refers to plots in its own
/// folder by [`plot_name`]; `machine` names the machine on which times were measured.
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
        true => format!(" Times are from one run on {machine} and differ from run to run."),
        false => String::new(),
    };
    let _ = writeln!(page, "`loyd experiment {name} --save DIR` reproduces this page.{times}");
    page
}

/// Returns the file name of a plot.
pub fn plot_name(experiment: &Experiment, suffix: &str) -> String {
    format!("{}{suffix}.svg", experiment.name)
}

/// Returns the page that lists experiments with their claims and verdicts.
pub fn index(done: &[(&Experiment, Findings)]) -> String {
    let rows = done.iter().map(|(experiment, findings)| {
        let Experiment { name, claim, .. } = experiment;
        vec![
            format!("[{name}]({name}.md)"),
            (*claim).to_owned(),
            findings.verdict.name().to_owned(),
        ]
    });
    let table = Table { heading: vec!["experiment", "claim", "verdict"], rows: rows.collect() };
    format!(
        "# Experiments\n\nTests of claims about the 8-puzzle. `loyd experiment --all --save DIR` generates these pages, including \
         all figures.\n\n{}",
        markdown(&table)
    )
}

/// Formats the table as Markdown with aligned columns.
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
