//! The shape of the workspace: crates depend downwards, only front ends print, only the kernels may
//! be unsafe.

mod layers;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::Result;
use crate::run::metadata;

/// A member of the workspace.
struct Crate {
    name: String,
    /// Members that it depends on, for whatever purpose.
    dependencies: Vec<String>,
    /// The root files of its library and programs.
    roots: Vec<PathBuf>,
    folder: PathBuf,
}

pub fn run() -> Result<()> {
    let crates = crates(&metadata()?)?;
    let mut faults = Vec::new();
    for member in &crates {
        faults.extend(layers::faults(&member.name, &member.dependencies));
        if !layers::may_be_unsafe(&member.name) {
            for root in &member.roots {
                let text = fs::read_to_string(root)?;
                faults.extend(sources::unsafe_allowed(&root.display().to_string(), &text));
            }
        }
        if !layers::may_print(&member.name) {
            faults.extend(sources::printing(&sources::read(&member.folder.join("src"))?));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    bail!("{} faults in the shape of the workspace:\n  {}", faults.len(), faults.join("\n  "))
}

fn crates(metadata: &Value) -> Result<Vec<Crate>> {
    let packages = metadata["packages"].as_array().context("no packages")?;
    packages.iter().map(member).collect()
}

fn member(package: &Value) -> Result<Crate> {
    let list = |key: &str| package[key].as_array().context("not a package");
    let text = |value: &Value| value.as_str().map(str::to_owned).context("not a name");
    // Only members have a path.
    let ours = list("dependencies")?.iter().filter(|edge| !edge["path"].is_null());
    let dependencies = ours.map(|edge| text(&edge["name"])).collect::<Result<_>>()?;
    let compiled = |target: &&Value| {
        let kinds = target["kind"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind == "bin" || kind.as_str().is_some_and(is_library))
    };
    let roots = list("targets")?.iter().filter(compiled);
    let roots = roots.map(|target| text(&target["src_path"]).map(PathBuf::from));
    let manifest = text(&package["manifest_path"])?;
    Ok(Crate {
        name: text(&package["name"])?,
        dependencies,
        roots: roots.collect::<Result<_>>()?,
        folder: Path::new(&manifest).parent().context("no folder")?.to_owned(),
    })
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
            "manifest_path": "/w/crates/tiles/Cargo.toml",
            "dependencies": [
                { "name": "loyd-search", "kind": null, "path": "/w/crates/search" },
                { "name": "loyd", "kind": "dev", "path": "/w/crates/loyd" },
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
