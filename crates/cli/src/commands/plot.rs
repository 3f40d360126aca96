//! `loyd plot`.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use loyd_lab::plot::{Comparison, charts, html_report};

use super::save;
use crate::Status;
use crate::args::PlotArgs;
use crate::failure::Failure;

/// Writes plots, a report, or both, and prints the names of their files.
pub fn run(args: &PlotArgs) -> Result<Status, Failure> {
    let comparison = read(&args.results)?;
    if let Some(folder) = &args.out {
        let error = || format!("cannot make the folder {}", folder.display());
        fs::create_dir_all(folder).with_context(error)?;
        for chart in charts(&comparison) {
            write(&folder.join(format!("{}.svg", chart.name)), &chart.figure.to_svg())?;
        }
    }
    if let Some(file) = &args.report {
        write(file, &html_report(&comparison))?;
    }
    Ok(Status::Yes)
}

fn read(path: &Path) -> anyhow::Result<Comparison> {
    let error = || format!("cannot read {}", path.display());
    if path == Path::new("-") {
        return Comparison::read(io::stdin().lock()).context("cannot read standard input");
    }
    let file = File::open(path).with_context(error)?;
    Comparison::read(BufReader::new(file)).with_context(error)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    save(path, text)?;
    Ok(writeln!(io::stdout().lock(), "{}", path.display())?)
}
