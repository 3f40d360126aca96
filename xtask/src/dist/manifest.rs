//! The manifest of a release, and the checksums.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::items::Item;
use super::packing::output;
use super::release::Release;

/// Name of the manifest in the output folder.
pub const MANIFEST: &str = "manifest.json";
/// Name of the file with checksums, in the form of `sha256sum`.
pub const SUMS: &str = "SHA256SUMS";

/// The files of a release, and the items that could not be built.
pub struct Manifest {
    version: String,
    commit: String,
    files: Vec<Value>,
    left_out: Vec<Value>,
}

impl Manifest {
    pub fn new(release: &Release) -> Self {
        let (version, commit) = (release.version.clone(), release.commit.clone());
        Self { version, commit, files: Vec::new(), left_out: Vec::new() }
    }

    /// Adds a finished file.
    pub fn add(&mut self, item: &Item, path: &Path) -> Result<()> {
        let size = fs::metadata(path).with_context(|| path.display().to_string())?.len();
        let file = path.file_name().and_then(|name| name.to_str()).context("a file has a name")?;
        self.push(item, file, size, &sha256(path)?);
        Ok(())
    }

    fn push(&mut self, item: &Item, file: &str, size: u64, sha256: &str) {
        self.files.push(json!({
            "file": file,
            "kind": item.kind.name(),
            "platform": item.platform_name(),
            "size": size,
            "sha256": sha256,
            "version": self.version,
            "commit": self.commit,
        }));
    }

    /// Records why an item is not in the release.
    pub fn leave_out(&mut self, item: &Item, reason: &str) {
        self.left_out.push(json!({
            "kind": item.kind.name(),
            "platform": item.platform_name(),
            "reason": reason,
        }));
    }

    /// Returns whether `item` has no file.
    pub fn lacks(&self, item: &Item) -> bool {
        find(&self.files, item).is_none()
    }

    /// Writes the manifest and the checksums, which include that of the manifest.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let manifest = folder.join(MANIFEST);
        fs::write(&manifest, format!("{:#}\n", self.json()))?;
        let mut sums = String::new();
        for file in &self.files {
            let (name, sum) = (text(file, "file"), text(file, "sha256"));
            sums.push_str(&format!("{sum}  {name}\n"));
        }
        sums.push_str(&format!("{}  {MANIFEST}\n", sha256(&manifest)?));
        Ok(fs::write(folder.join(SUMS), sums)?)
    }

    fn json(&self) -> Value {
        json!({
            "version": self.version,
            "commit": self.commit,
            "files": self.files,
            "left_out": self.left_out,
        })
    }

    /// Returns a line per item for readers.
    pub fn lines(&self) -> Vec<String> {
        let built = self.files.iter().map(|file| {
            let size = file["size"].as_u64().unwrap_or_default();
            format!("{:>11} bytes  {}  {}", size, &text(file, "sha256")[..12], text(file, "file"))
        });
        let left_out = self.left_out.iter().map(|item| {
            let (kind, platform) = (text(item, "kind"), text(item, "platform"));
            format!("left out: {kind} for {platform}: {}", text(item, "reason"))
        });
        built.chain(left_out).collect()
    }
}

/// Returns the row for `item` in a list of the manifest.
pub fn find<'a>(rows: &'a [Value], item: &Item) -> Option<&'a Value> {
    rows.iter().find(|row| {
        text(row, "kind") == item.kind.name() && text(row, "platform") == item.platform_name()
    })
}

/// Returns a field of a row, or nothing if it has none.
pub fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// Returns the checksum of a file in hexadecimal digits.
fn sha256(path: &Path) -> Result<String> {
    let printed = String::from_utf8(output(Command::new("sha256sum").arg(path))?)?;
    Ok(printed.split_whitespace().next().context("sha256sum prints a checksum")?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::items::{ITEMS, Kind};
    use super::*;

    fn manifest() -> Manifest {
        let (files, left_out) = (Vec::new(), Vec::new());
        Manifest { version: "1.2.3".to_owned(), commit: "abc".to_owned(), files, left_out }
    }

    #[test]
    fn every_kind_has_an_item() {
        use Kind::*;
        for kind in [Program, Deb, Wheel, Sdist, Page, Npm, Source, Bill] {
            assert!(ITEMS.iter().any(|item| item.kind == kind), "{kind:?}");
        }
    }

    #[test]
    fn names_of_items_are_unique() {
        let names: BTreeSet<_> = ITEMS.iter().map(Item::name).collect();
        assert_eq!(names.len(), ITEMS.len());
    }

    #[test]
    fn each_item_is_a_file_or_has_a_reason() {
        let mut manifest = manifest();
        let (left_out, built) = ITEMS.split_at(4);
        for item in built {
            manifest.push(item, &item.name(), 7, "0123456789abcdef");
        }
        for item in left_out {
            manifest.leave_out(item, "a tool is missing");
        }
        let json = manifest.json();
        for item in ITEMS {
            let rows = |key: &str| json[key].as_array().unwrap().clone();
            let (file, reason) = (rows("files"), rows("left_out"));
            assert_ne!(find(&file, item).is_some(), find(&reason, item).is_some());
            assert_eq!(manifest.lacks(item), find(&reason, item).is_some());
        }
        assert_eq!(manifest.lines().len(), ITEMS.len());
    }

    #[test]
    fn files_state_version_and_commit() {
        let mut manifest = manifest();
        manifest.push(&ITEMS[0], "loyd.tar.gz", 7, "0123456789abcdef");
        let row = &manifest.json()["files"][0];
        let expected = json!({
            "file": "loyd.tar.gz", "kind": "source", "platform": "any", "size": 7,
            "sha256": "0123456789abcdef", "version": "1.2.3", "commit": "abc",
        });
        assert_eq!(row, &expected);
    }
}
