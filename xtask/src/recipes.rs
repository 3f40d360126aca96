//! The recipes for other packages of Python, and the notebooks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::Result;
use crate::python::{self, FOLDER};
use crate::run::{say, succeed};
use crate::venv::{Venv, check_python};

/// Where the notebooks are, and the program that runs them.
const NOTEBOOKS: &str = "docs/notebooks";

/// What this many lines at the end of pip's output say is why a package cannot be had.
const REASON_LINES: usize = 2;

/// Run the recipes of `crates/python/recipes` and the notebooks of `docs/notebooks`, with the packages that they need
/// (needs Python 3.10 with `venv`, and 8 GB for the packages).
///
/// The environment is kept in `target/recipes`, and so are the notebooks with their outputs, and their pictures. A recipe
/// whose packages cannot be had is left out. A table of what was run, with versions, goes to standard output.
#[derive(clap::Args)]
pub struct Args {
    /// Only those whose names begin so
    names: Vec<String>,
}

/// A program, and what is installed for it.
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

/// What the notebooks need.
const FOR_NOTEBOOKS: &[&str] = &["ipykernel", "matplotlib", "nbclient", "pandas"];

/// How a recipe ended.
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
    python::install(&venv, "python")?;
    let chosen = |name: &str| {
        args.names.is_empty() || args.names.iter().any(|begin| name.starts_with(begin))
    };
    let mut rows = Vec::new();
    for recipe in RECIPES.iter().filter(|recipe| chosen(recipe.name)) {
        let program = fs::canonicalize(FOLDER)?.join("recipes").join(recipe.name);
        let outcome = try_recipe(&venv, recipe.packages, &[program])?;
        rows.push((recipe.name.to_owned(), recipe.packages, outcome));
    }
    for path in notebooks()? {
        let name =
            path.file_name().context("a notebook has a name")?.to_string_lossy().into_owned();
        if chosen(&name) {
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

/// Whether the table above names all recipes that there are.
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

/// Runs a notebook. It is kept without outputs in the repository, and with them in the environment.
fn try_notebook(venv: &Venv, path: &Path, name: &str) -> Result<Outcome> {
    let program = fs::canonicalize(NOTEBOOKS)?.join("execute.py");
    let out = venv.folder().join("notebooks").join(name);
    try_recipe(venv, FOR_NOTEBOOKS, &[program, path.to_owned(), out])
}

/// Installs the packages, each after the other, and runs a program of Python with its arguments.
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

/// Installs a package, or says why it cannot be had.
fn missing(venv: &Venv, package: &str) -> Result<Option<String>> {
    eprintln!("== installing {package}");
    let output = venv.pip_install().arg(package).output()?;
    if output.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<_> = said.lines().rev().take(REASON_LINES).collect();
    Ok(Some(format!("no {package}: {}", lines.into_iter().rev().collect::<Vec<_>>().join("; "))))
}

type Row = (String, &'static [&'static str], Outcome);

/// A table in Markdown, with the versions of the packages, of Python and of NumPy.
fn print_table(venv: &Venv, rows: &[Row]) -> Result<()> {
    let date = Command::new("date").args(["--utc", "+%Y-%m-%d"]).output()?;
    let date = String::from_utf8_lossy(&date.stdout).trim().to_owned();
    let python = answer(venv, "import platform; print(platform.python_version())")?;
    say(format_args!("Run on {date} with Python {python} and {}.\n", versions(venv, &["numpy"])?));
    say("| recipe | with | result |");
    say("|---|---|---|");
    for (name, packages, outcome) in rows {
        let (with, result) = match outcome {
            Outcome::Passed => (versions(venv, packages)?, "passed"),
            Outcome::Failed => (versions(venv, packages)?, "**failed**"),
            Outcome::Skipped(reason) => (reason.clone(), "skipped"),
        };
        say(format_args!("| `{name}` | {with} | {result} |"));
    }
    Ok(())
}

/// The names of packages with their versions.
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

/// What a line of Python prints.
fn answer(venv: &Venv, line: &str) -> Result<String> {
    let output = venv.command("python").args(["-c", line]).output()?;
    if !output.status.success() {
        bail!("{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
