//! The crates that are compiled into a program: their licences, and the bill of materials.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::packing::output;
use super::release::Release;
use crate::run::cargo;

/// Beginnings of the names of files with licences.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

/// Note on what is not a crate.
const INTRODUCTION: &str = "Loyd contains the following libraries. The list is followed by the texts of their licences.

The standard library of Rust is licensed under MIT OR Apache-2.0. Programs for Linux contain the GNU C library, which
is licensed under LGPL-2.1-or-later; the sources of Loyd, from which it can be linked again, are part of the release.
";

/// Returns cargo's description of the full program on `target`.
fn metadata(target: &str) -> Result<Value> {
    let mut metadata = cargo(&["metadata", "--format-version", "1", "--filter-platform", target]);
    Ok(serde_json::from_slice(&output(metadata.arg(crate::run::FULL))?)?)
}

/// Writes the bill of materials of the program on all `targets` in the form of CycloneDX 1.5.
pub fn bill(release: &Release, package: &str, targets: &[&str]) -> Result<String> {
    let lock = fs::read_to_string(release.root.join("Cargo.lock"))?;
    let mut components = BTreeMap::new();
    for target in targets {
        for row in crates(&metadata(target)?, package)? {
            let name = row["name"].as_str().context("a crate has a name")?;
            let version = row["version"].as_str().context("a crate has a version")?;
            let address = format!("pkg:cargo/{name}@{version}");
            let sum = checksum(&lock, name, version)
                .with_context(|| format!("{address} has no checksum"))?;
            let component = json!({
                "type": "library", "bom-ref": address, "name": name, "version": version, "purl": address,
                "licenses": [{ "expression": row["license"] }],
                "hashes": [{ "alg": "SHA-256", "content": sum }],
            });
            components.insert(address, component);
        }
    }
    let bill = json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "component": { "type": "application", "name": package, "version": release.version } },
        "components": components.into_values().collect::<Vec<_>>(),
    });
    let name = format!("loyd-{}.cdx.json", release.version);
    fs::write(release.out.join(&name), format!("{bill:#}\n"))?;
    Ok(name)
}

/// Returns the SHA-256 of a crate's archive in the text of Cargo.lock.
fn checksum<'a>(lock: &'a str, name: &str, version: &str) -> Option<&'a str> {
    let start = format!("name = \"{name}\"\nversion = \"{version}\"\n");
    let package = lock.split("[[package]]\n").find_map(|package| package.strip_prefix(&start))?;
    let sum = package.lines().find_map(|line| line.strip_prefix("checksum = "))?;
    Some(sum.trim_matches('"'))
}

/// Returns the crates that the full program contains on `target`, with their licences and the texts of these.
pub fn licences(package: &str, target: &str) -> Result<String> {
    let metadata = metadata(target)?;
    let mut text = INTRODUCTION.to_owned();
    // Many crates have the same text.
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut list = String::new();
    for row in crates(&metadata, package)? {
        let field = |key: &str| row[key].as_str().unwrap_or("not stated");
        let (name, version) = (field("name"), field("version"));
        writeln!(list, "- {name} {version}: {} ({})", field("license"), field("repository"))?;
        let folder = Path::new(field("manifest_path")).parent().context("a crate has a folder")?;
        for found in texts_in(folder)? {
            texts.entry(found).or_default().push(name);
        }
    }
    writeln!(text, "\n{list}")?;
    for (licence, names) in texts {
        writeln!(text, "{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), licence.trim_end())?;
    }
    Ok(text)
}

/// Returns the packages of registries that `package` needs at run time, sorted by name.
fn crates<'a>(metadata: &'a Value, package: &str) -> Result<Vec<&'a Value>> {
    let rows = |value: &'a Value| value.as_array().map(Vec::as_slice).unwrap_or_default();
    let packages: BTreeMap<_, _> =
        rows(&metadata["packages"]).iter().map(|row| (row["id"].as_str(), row)).collect();
    let nodes: BTreeMap<_, _> =
        rows(&metadata["resolve"]["nodes"]).iter().map(|row| (row["id"].as_str(), row)).collect();
    let root = packages.iter().find(|(_, row)| row["name"] == package);
    let (root, _) = root.with_context(|| format!("{package} is not in the workspace"))?;
    let mut seen = BTreeSet::from([*root]);
    let mut open = VecDeque::from([*root]);
    while let Some(id) = open.pop_front() {
        for dependency in rows(&nodes[&id]["deps"]) {
            // The kind is null for what is neither for tests nor for build scripts.
            let at_run_time =
                rows(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let id = dependency["pkg"].as_str();
            if at_run_time && seen.insert(id) {
                open.push_back(id);
            }
        }
    }
    let mut found: Vec<_> = seen.iter().map(|id| packages[id]).collect();
    found.retain(|row| !row["source"].is_null());
    found.sort_by_key(|row| (row["name"].as_str(), row["version"].as_str()));
    Ok(found)
}

/// Returns the texts of the licences in the folder of a crate.
fn texts_in(folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            let bytes = fs::read(entry.path())?;
            texts.insert(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
        }
    }
    Ok(texts)
}
