//! Cycles of files: each file uses names that the next one defines, and the last one uses names of the first.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::names::File;
use super::uses::{self, Use};
use crate::modules::SourceFile;

/// Files of a crate that all depend on each other, directly or indirectly.
#[derive(Debug)]
pub struct Cycle {
    /// Paths relative to the crate's source folder.
    pub files: Vec<String>,
    edges: Vec<Edge>,
}

/// An edge of a cycle.
#[derive(Debug)]
struct Edge {
    user: String,
    definer: String,
    /// The names that `user` uses, each with the lines.
    names: BTreeMap<String, Vec<usize>>,
}

/// Returns the cycles of a crate, given all its files with the root first.
pub fn cycles(files: &[SourceFile]) -> Vec<Cycle> {
    let uses = uses::between(files);
    let mut next = vec![Vec::new(); files.len()];
    for edge in &uses {
        next[edge.user].push(edge.definer);
    }
    let folder = files[0].path.parent().unwrap_or(Path::new(""));
    let name = |file: File| {
        let path = &files[file].path;
        path.strip_prefix(folder).unwrap_or(path).display().to_string()
    };
    let groups = groups(&next).into_iter().filter(|group| group.len() > 1);
    groups.map(|group| Cycle::new(&group, &uses, name)).collect()
}

impl Cycle {
    fn new(group: &[File], uses: &[Use], name: impl Fn(File) -> String) -> Self {
        let is_inside = |edge: &&Use| group.contains(&edge.user) && group.contains(&edge.definer);
        let mut edges: BTreeMap<(File, File), BTreeMap<String, Vec<usize>>> = BTreeMap::new();
        for edge in uses.iter().filter(is_inside) {
            let names = edges.entry((edge.user, edge.definer)).or_default();
            names.entry(edge.name.clone()).or_default().push(edge.line);
        }
        let edge =
            |((user, definer), names)| Edge { user: name(user), definer: name(definer), names };
        let mut files: Vec<String> = group.iter().map(|&file| name(file)).collect();
        files.sort();
        Self { files, edges: edges.into_iter().map(edge).collect() }
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle of {} files: {}", self.files.len(), self.files.join(", "))?;
        for Edge { user, definer, names } in &self.edges {
            let named = names.iter().map(|(name, lines)| {
                let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                format!("{name} ({})", lines.join(", "))
            });
            write!(f, "\n  {user} uses {definer}: {}", named.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}

/// Returns the strongly connected components of the graph in which `file` has edges to `next[file]`.
///
/// Warshall's transitive closure: cubic time, but a crate has only about fifty files.
fn groups(next: &[Vec<File>]) -> Vec<Vec<File>> {
    let count = next.len();
    let mut reaches = vec![vec![false; count]; count];
    for (file, used) in next.iter().enumerate() {
        for &used in used {
            reaches[file][used] = true;
        }
    }
    for between in 0..count {
        let further = reaches[between].clone();
        for row in reaches.iter_mut().filter(|row| row[between]) {
            row.iter_mut().zip(&further).for_each(|(reached, &more)| *reached |= more);
        }
    }
    let is_same = |file: File, other: File| reaches[file][other] && reaches[other][file];
    let mut groups: Vec<Vec<File>> = Vec::new();
    for file in 0..count {
        match groups.iter_mut().find(|group| is_same(file, group[0])) {
            Some(group) => group.push(file),
            None => groups.push(vec![file]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::in_memory;

    fn shown(files: &[(&str, &str)]) -> Vec<String> {
        cycles(&in_memory::load(files).unwrap()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn cycles_are_shown_with_the_names_used() {
        let cycles = shown(&[
            ("src/lib.rs", "mod a;\nmod b;\nmod c;"),
            (
                "src/a.rs",
                "use crate::b::{B, two};\npub struct A;\nfn f(_: B) { two() }\nuse crate::c;",
            ),
            ("src/b.rs", "pub struct B;\npub fn two() {\n    super::a::A;\n}"),
            ("src/c.rs", "pub fn f() { crate::a::A; }"),
        ]);
        assert_eq!(
            cycles,
            [
                "cycle of 2 files: a.rs, b.rs\n  a.rs uses b.rs: B (1, 3), two (1, 3)\n  b.rs uses a.rs: A (3)"
            ]
        );
    }

    #[test]
    fn finds_two_cycles_in_one_crate() {
        let cycles = shown(&[
            ("src/lib.rs", "mod a; mod b; mod c; mod d;"),
            ("src/a.rs", "use crate::b::B; pub struct A;"),
            ("src/b.rs", "use crate::c::C; pub struct B;"),
            ("src/c.rs", "use crate::a::A; use crate::d::D; pub struct C;"),
            ("src/d.rs", "mod e; pub struct D; pub fn f() { e::f() }"),
            ("src/d/e.rs", "pub fn f() -> super::D { super::D }"),
        ]);
        let [first, second] = cycles.as_slice() else { panic!("{cycles:?}") };
        assert!(first.starts_with("cycle of 3 files: a.rs, b.rs, c.rs\n"), "{first}");
        assert!(!first.contains("D (1)"), "edges out of a cycle are not part of it: {first}");
        assert_eq!(
            second,
            "cycle of 2 files: d.rs, d/e.rs\n  d.rs uses d/e.rs: f (1)\n  d/e.rs uses d.rs: D (1)"
        );
    }

    #[test]
    fn a_chain_is_no_cycle() {
        let chain = [
            ("src/lib.rs", "mod a; mod b; mod c;"),
            ("src/a.rs", "use crate::{b::B, c::C}; pub struct A;"),
            ("src/b.rs", "use crate::c::C; pub struct B;"),
            ("src/c.rs", "pub struct C; use self::C as D; use crate::c::C as E;"),
        ];
        assert!(shown(&chain).is_empty());
    }
}
