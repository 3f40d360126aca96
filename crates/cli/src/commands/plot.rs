//! `loyd plot`, and the files that `loyd compare --export` writes.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use loyd_lab::compare::{self, Header, Record, Summary};
use loyd_lab::plot::{Results, charts, html_report};

use super::save;
use crate::args::{Export, ExportForm, PlotArgs};
use crate::failure::{Failure, Status, check_feature};
use crate::files;

/// Writes the exports and prints the names of the files.
pub fn run(args: &PlotArgs) -> Result<Status, Failure> {
    let (header, records) = read(&args.results)?;
    for export in &args.export {
        check(export)?;
        for path in write(export, &header, &records)? {
            writeln!(io::stdout().lock(), "{}", path.display())?;
        }
    }
    Ok(Status::Yes)
}

/// Reads a saved comparison from a file, or from standard input if `path` is `-`.
///
/// # Errors
/// Fails if the file cannot be read or does not contain a comparison.
pub fn read(path: &Path) -> anyhow::Result<(Header, Vec<Record>)> {
    let read = if path == Path::new("-") {
        compare::read(io::stdin().lock()).context("cannot read standard input")
    } else {
        let error = || format!("cannot read {}", path.display());
        compare::read(BufReader::new(files::open(path).with_context(error)?)).with_context(error)
    };
    read.map(|(header, records, _)| (header, records))
}

/// Checks that `export` can be written.
///
/// # Errors
/// Fails if this program lacks the form, or if the file or folder can be neither opened nor created.
pub fn check(export: &Export) -> anyhow::Result<()> {
    if export.form == ExportForm::Parquet {
        check_feature("parquet")?;
    }
    let path = &export.path;
    let created = match export.form {
        ExportForm::Svg => fs::create_dir_all(path),
        _ => File::options().append(true).create(true).open(path).map(drop),
    };
    created.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes `export` and returns the paths of its files.
///
/// # Errors
/// Fails if a file cannot be written.
pub fn write(export: &Export, header: &Header, records: &[Record]) -> anyhow::Result<Vec<PathBuf>> {
    let results = || Results::new(header.clone(), records.to_vec());
    let text = match export.form {
        ExportForm::Svg => {
            let mut paths = Vec::new();
            for chart in charts(&results()) {
                let path = export.path.join(format!("{}.svg", chart.name));
                save(&path, &chart.figure.to_svg())?;
                paths.push(path);
            }
            return Ok(paths);
        }
        ExportForm::Parquet => {
            write_parquet(&export.path, records)?;
            return Ok(vec![export.path.clone()]);
        }
        ExportForm::Html => html_report(&results()),
        ExportForm::Csv => compare::csv(records),
        ExportForm::Lab => compare::lab(header, records),
        ExportForm::Markdown => compare::markdown(header, &Summary::of(records)),
    };
    save(&export.path, &text)?;
    Ok(vec![export.path.clone()])
}

#[cfg(feature = "parquet")]
fn write_parquet(path: &Path, records: &[Record]) -> anyhow::Result<()> {
    let error = || format!("cannot write {}", path.display());
    compare::parquet(records, File::create(path).with_context(error)?).with_context(error)
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(_: &Path, _: &[Record]) -> anyhow::Result<()> {
    check_feature("parquet")
}
