//! Plots.

use std::path::PathBuf;

use clap::Args;

/// Plot the results of a comparison, or write a report about it.
///
/// Plots are SVG and the report is one page of HTML: neither runs scripts or loads anything. There are plots of nodes,
/// time and memory against the length of a shortest solution, of the growth of iterations, of quality and nodes against the
/// weight, and of each heuristic against the true distance, as far as the results have values for them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd plot results.jsonl --out plots\n  \
    loyd plot results.jsonl --report report.html")]
pub struct PlotArgs {
    /// The results, as `loyd compare` writes them; `-` is standard input
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,
    /// Write a file for each plot (NAME.svg) into DIR
    #[arg(long, value_name = "DIR", required_unless_present = "report")]
    pub out: Option<PathBuf>,
    /// Write tables, plots and the command that makes the comparison again into FILE, as HTML
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}
