//! Makes the site: the documents as a book, the page, and the references of the HTTP API and of the Python package.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::python;
use crate::run::{print_line, succeed};
use crate::serving::{Serving, build_test_program, target};
use crate::venv::Venv;
use crate::wasm;

/// Make the site in `target/site`: the documents as a book, the page, and the references of the HTTP API and the Python
/// package. Fails if a link between them is broken (needs Python 3.10 with `venv`).
#[derive(clap::Args)]
pub struct Args {}

/// The folder with the settings of the book.
const SETTINGS: &str = "docs/site";

/// Files that the book contains or links to. They are copied with the same paths, so links are valid in the repository too.
const PARTS: [&str; 9] = [
    "README.md",
    "ARCHITECTURE.md",
    "BENCHMARKS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "npm/README.md",
    "docs",
];

/// The chapter that leads to the reference made from docstrings.
const PYTHON_REFERENCE: &str =
    "# Functions and classes\n\n[All functions and classes of the package](../python/loyd.html)\n";

pub fn run(_: &Args) -> Result<()> {
    python::install(&python::prepare()?, "dev")?;
    wasm::make()?;
    make()
}

/// Makes the site. The Python package has been installed for its tests, and the engine of the page built.
pub fn make() -> Result<()> {
    let venv = Venv::open(python::VENV)?;
    venv.install_all(Path::new(SETTINGS).join("requirements.txt"))?;
    let root = fs::canonicalize(".")?;
    let settings = root.join(SETTINGS);
    let (source, site) = (target()?.join("site-source"), target()?.join("site"));
    for folder in [&source, &site] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    for part in PARTS.into_iter().chain(["crates/python/recipes"]) {
        copy(&root.join(part), &source.join(part))?;
    }
    for file in ["book.toml", "SUMMARY.md"] {
        copy(&settings.join(file), &source.join(file))?;
    }
    let program = build_test_program()?;
    let mut reference = venv.command("python");
    let server = Serving::start(&program, &target()?.join("site-cache"), &[])?;
    reference.arg(settings.join("api.py")).arg(server.address());
    succeed(reference.stdout(File::create(source.join("docs/api.md"))?))?;
    drop(server);
    fs::write(source.join("docs/python_reference.md"), PYTHON_REFERENCE)?;
    succeed(venv.command("mdbook").arg("build").arg(&source).arg("--dest-dir").arg(&site))?;
    succeed(Command::new(program).args(["page", "--save"]).arg(site.join("page")))?;
    let mut docstrings = venv.command("pdoc");
    succeed(
        docstrings
            .args(["--no-show-source", "--output-directory"])
            .arg(site.join("python"))
            .arg("loyd"),
    )?;
    succeed(venv.command("python").arg(settings.join("links.py")).arg(&site))?;
    print_line(format_args!("{}", site.join("index.html").display()));
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &PathBuf) -> Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}
