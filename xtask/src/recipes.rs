//! Runs the recipes for other Python packages, and the notebooks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::python::{self, FOLDER};
use crate::run::{print_line, succeed};
use crate::venv::{Venv, check_python};

/// The folder of the notebooks, and of the program that runs them.
const NOTEBOOKS: &str = "docs/notebooks";

/// Number of lines at the end of pip's error output that are shown as the reason of a failure.
const REASON_LINES: usize = 2;

/// Run the recipes of `crates/python/recipes` and the notebooks of `docs/notebooks`, with the packages that they need
/// (needs Python 3.10 with `venv`, and 8 GB for the packages).
///
/// The environment is kept in `target/recipes`, with the executed notebooks and their pictures. Recipes whose packages
/// cannot be installed are skipped. A table of the results, with versions, is printed to standard output.
#[derive(clap::Args)]
pub struct Args {
    /// Only recipes whose names have one of these prefixes
    names: Vec<String>,
}

/// A program, and the packages that it needs.
struct Recipe {
    name: &'static str,
    packages: &'static [&'static str],
}

const RECIPES: &[Recipe] = &[
    Recipe { name: "deepxube_labels.py", packages: &["deepxube"] },
    Recipe { name: "jax_callback.py", packages: &["jax"] },
    Recipe { name: "jumanji_observation.py", packages: &["jumanji"] },
    Recipe { name: "ray_shards.py", packages: &["ray[data]"] },
    Recipe { name: "torch_dataset.py", packages: &["torch"] },
];

/// The packages that the notebooks need.
const FOR_NOTEBOOKS: &[&str] = &["ipykernel", "matplotlib", "nbclient", "pandas"];

/// The outcome of a recipe.
enum Outcome {
    Passed,
    Failed,
    Skipped(String),
}

pub fn run(args: &Args) -> Result<()> {
    check_python()?;
    check_names()?;
    let venv = Venv::open("recipes")?;
    succeed(venv.pip_install().args(["maturin>=1.9.4,<2", "gymnasium"]))?;
    python::install(&venv, "release")?;
    let is_selected = |name: &str| {
        args.names.is_empty() || args.names.iter().any(|begin| name.starts_with(begin))
    };
    let mut rows = Vec::new();
    for recipe in RECIPES.iter().filter(|recipe| is_selected(recipe.name)) {
        let program = fs::canonicalize(FOLDER)?.join("recipes").join(recipe.name);
        let outcome = try_recipe(&venv, recipe.packages, &[program])?;
        rows.push((recipe.name.to_owned(), recipe.packages, outcome));
    }
    for path in notebooks()? {
        let name =
            path.file_name().context("a notebook has a name")?.to_string_lossy().into_owned();
        if is_selected(&name) {
            let outcome = try_notebook(&venv, &path, &name)?;
            rows.push((name, FOR_NOTEBOOKS, outcome));
        }
    }
    print_table(&venv, &rows)?;
    match rows.iter().filter(|(_, _, outcome)| matches!(outcome, Outcome::Failed)).count() {
        0 => Ok(()),
        failed => bail!("{failed} of {} failed", rows.len()),
    }
}

/// Checks that [`RECIPES`] is complete.
fn check_names() -> Result<()> {
    for path in python::recipes()? {
        let known = RECIPES.iter().any(|recipe| path.ends_with(recipe.name));
        if !known {
            bail!("{} is not among RECIPES", path.display());
        }
    }
    Ok(())
}

fn notebooks() -> Result<Vec<PathBuf>> {
    python::files(Path::new(NOTEBOOKS), "ipynb")
}

/// Runs a notebook. The repository contains it without outputs; the copy with outputs goes to the environment.
fn try_notebook(venv: &Venv, path: &Path, name: &str) -> Result<Outcome> {
    let program = fs::canonicalize(NOTEBOOKS)?.join("execute.py");
    let out = venv.folder().join("notebooks").join(name);
    try_recipe(venv, FOR_NOTEBOOKS, &[program, path.to_owned(), out])
}

/// Installs the packages one after the other, and runs a Python program with arguments.
fn try_recipe(venv: &Venv, packages: &[&str], program: &[PathBuf]) -> Result<Outcome> {
    for package in packages {
        if let Some(reason) = missing(venv, package)? {
            return Ok(Outcome::Skipped(reason));
        }
    }
    eprintln!(
        "== {}",
        program.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ")
    );
    let status = venv.command("python").args(program).status()?;
    Ok(if status.success() { Outcome::Passed } else { Outcome::Failed })
}

/// Installs a package; returns the reason if that fails.
fn missing(venv: &Venv, package: &str) -> Result<Option<String>> {
    eprintln!("== installing {package}");
    let output = venv.pip_install().arg(package).output()?;
    if output.status.success() {
        return Ok(None);
    }
    let output = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<_> = output.lines().rev().take(REASON_LINES).collect();
    Ok(Some(format!("no {package}: {}", lines.into_iter().rev().collect::<Vec<_>>().join("; "))))
}

type Row = (String, &'static [&'static str], Outcome);

/// Prints a Markdown table of the results, with the versions of the packages, of Python and of NumPy.
fn print_table(venv: &Venv, rows: &[Row]) -> Result<()> {
    let date = Command::new("date").args(["--utc", "+%Y-%m-%d"]).output()?;
    let date = String::from_utf8_lossy(&date.stdout).trim().to_owned();
    let python = answer(venv, "import platform; print(platform.python_version())")?;
    print_line(format_args!(
        "Run on {date} with Python {python} and {}.\n",
        versions(venv, &["numpy"])?
    ));
    print_line("| recipe | with | result |");
    print_line("|---|---|---|");
    for (name, packages, outcome) in rows {
        let (with, result) = match outcome {
            Outcome::Passed => (versions(venv, packages)?, "passed"),
            Outcome::Failed => (versions(venv, packages)?, "**failed**"),
            Outcome::Skipped(reason) => (reason.clone(), "skipped"),
        };
        print_line(format_args!("| `{name}` | {with} | {result} |"));
    }
    Ok(())
}

/// Returns the names of packages with their versions.
fn versions(venv: &Venv, packages: &[&str]) -> Result<String> {
    let names: Vec<_> =
        packages.iter().map(|name| name.split('[').next().unwrap_or(name)).collect();
    let list = names.join(" ");
    answer(
        venv,
        &format!(
            "from importlib.metadata import version; print(', '.join(f'{{n}} {{version(n)}}' for n in '{list}'.split()))"
        ),
    )
}

/// Returns the output of a line of Python.
fn answer(venv: &Venv, line: &str) -> Result<String> {
    let output = venv.command("python").args(["-c", line]).output()?;
    if !output.status.success() {
        bail!("{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
