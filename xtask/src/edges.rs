//! Checks the structure of the workspace: crates depend downwards, the files of a crate form no cycle, only front
//! ends print, only the kernels may use `unsafe`, and libraries without their features do not use the operating system.

mod bare;
mod cycles;
mod layers;
mod names;
mod printing;
mod uses;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::modules::{self, SourceFile};
use crate::run::{metadata, print_line};

/// Check the structure of the workspace.
///
/// Crates depend downwards, and front ends only on `loyd` and the libraries for front ends; the files of a crate form
/// no cycle; only front ends print or end the process; only the kernels may use `unsafe`; without features, libraries
/// name no files, threads or clocks of the system. There is an edge from a file that uses a name, in a `use` or a path,
/// to the file that defines it, with re-exports followed. `mod`, `pub use`, test code and method calls add no edges.
#[derive(clap::Args)]
pub struct Args {
    /// Only check for cycles, and show all of them, in the working tree at PATH (`.` for this one)
    #[arg(value_name = "PATH")]
    root: Option<PathBuf>,
}

/// A member of the workspace.
struct Crate {
    name: String,
    /// Members that it depends on, including dev- and build-dependencies.
    dependencies: Vec<String>,
    /// The root files of its library and programs.
    roots: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Result<()> {
    match &args.root {
        Some(root) => fail_if_any(&cycles_of(root)?, "cycles"),
        None => check(),
    }
}

/// Checks this workspace.
pub fn check() -> Result<()> {
    let mut faults = Vec::new();
    for member in crates(&metadata()?)? {
        faults.extend(layers::faults(&member.name, &member.dependencies));
        for root in &member.roots {
            let files = modules::load(root, &modules::from_disk)?;
            if !layers::may_be_unsafe(&member.name) {
                faults.extend(printing::unsafe_allowed(&files[0]));
            }
            if !layers::may_print(&member.name) {
                faults.extend(printing::printing(&files));
                if !layers::needs_a_system(&member.name) {
                    faults.extend(bare::faults(&files));
                }
            }
            faults.extend(cycles(&member.name, &files));
        }
    }
    fail_if_any(&faults, "faults in the structure of the workspace")
}

fn fail_if_any(faults: &[String], what: &str) -> Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    bail!("{} {what}:\n{}", faults.len(), faults.join("\n"))
}

/// Returns the cycles of all libraries in the working tree at `root`.
fn cycles_of(root: &Path) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for folder in modules::crate_folders(root)? {
        let root = folder.join("src/lib.rs");
        if root.is_file() {
            let files = modules::load(&root, &modules::from_disk)?;
            all.extend(cycles(&modules::folder_name(&folder), &files));
        }
    }
    Ok(all)
}

/// Returns the cycles of the crate `name`, and prints their number.
fn cycles(name: &str, files: &[SourceFile]) -> Vec<String> {
    let cycles = cycles::cycles(files);
    print_line(format_args!("{name}: {} files, cycles: {}", files.len(), cycles.len()));
    cycles.iter().map(|cycle| format!("{name}: {cycle}")).collect()
}

fn crates(metadata: &Value) -> Result<Vec<Crate>> {
    let packages = metadata["packages"].as_array().context("no packages")?;
    packages.iter().map(member).collect()
}

fn member(package: &Value) -> Result<Crate> {
    let list = |key: &str| package[key].as_array().context("not a package");
    let text = |value: &Value| value.as_str().map(str::to_owned).context("not a name");
    // Only dependencies on members have a path.
    let ours = list("dependencies")?.iter().filter(|edge| !edge["path"].is_null());
    let dependencies = ours.map(|edge| text(&edge["name"])).collect::<Result<_>>()?;
    let compiled = |target: &&Value| {
        let kinds = target["kind"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind == "bin" || kind.as_str().is_some_and(is_library))
    };
    let roots = list("targets")?.iter().filter(compiled);
    let roots = roots.map(|target| text(&target["src_path"]).map(PathBuf::from));
    Ok(Crate { name: text(&package["name"])?, dependencies, roots: roots.collect::<Result<_>>()? })
}

fn is_library(kind: &str) -> bool {
    kind.ends_with("lib") || kind == "proc-macro"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_are_read_with_all_their_kinds_of_dependencies() {
        let package = json!({
            "name": "loyd-tiles",
            "dependencies": [
                { "name": "loyd-search", "kind": null, "path": "/w/crates/search" },
                { "name": "loyd", "kind": "dev", "path": "/w/crates/solver" },
                { "name": "thiserror", "kind": null, "path": null },
            ],
            "targets": [
                { "kind": ["lib"], "src_path": "/w/crates/tiles/src/lib.rs" },
                { "kind": ["test"], "src_path": "/w/crates/tiles/tests/laws.rs" },
            ],
        });
        let member = member(&package).unwrap();
        assert_eq!(member.dependencies, ["loyd-search", "loyd"]);
        assert_eq!(member.roots, [Path::new("/w/crates/tiles/src/lib.rs")]);
        assert_eq!(layers::faults(&member.name, &member.dependencies).len(), 1);
    }
}
