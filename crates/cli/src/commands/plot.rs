//! `loyd plot`.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use loyd_lab::plot::{Results, charts, html_report};

use super::save;
use crate::Status;
use crate::args::PlotArgs;
use crate::failure::Failure;

/// Writes plots, a report, or both, and prints the names of their files.
pub fn run(args: &PlotArgs) -> Result<Status, Failure> {
    let results = read(&args.results)?;
    if let Some(folder) = &args.out {
        let error = || format!("cannot make the folder {}", folder.display());
        fs::create_dir_all(folder).with_context(error)?;
        for chart in charts(&results) {
            write(&folder.join(format!("{}.svg", chart.name)), &chart.figure.to_svg())?;
        }
    }
    if let Some(file) = &args.report {
        write(file, &html_report(&results))?;
    }
    Ok(Status::Yes)
}

fn read(path: &Path) -> anyhow::Result<Results> {
    let error = || format!("cannot read {}", path.display());
    if path == Path::new("-") {
        return Results::read(io::stdin().lock()).context("cannot read standard input");
    }
    let file = File::open(path).with_context(error)?;
    Results::read(BufReader::new(file)).with_context(error)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    save(path, text)?;
    Ok(writeln!(io::stdout().lock(), "{}", path.display())?)
}
