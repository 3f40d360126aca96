//! What source files must not say.
//!
//! Sources are read a line at a time, as rustfmt leaves them: a test module ends with a brace as far
//! from the margin as it began. That is enough, because the format is checked too.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;

/// Macros and functions that belong into front ends.
const REFUSED: [&str; 6] = ["println!", "eprintln!", "print!", "eprint!", "dbg!", "process::exit"];

/// A source file.
pub struct Source {
    pub path: PathBuf,
    pub text: String,
}

/// All source files below `folder`.
pub fn read(folder: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources.extend(read(&path)?);
        } else if path.extension() == Some(OsStr::new("rs")) {
            sources.push(Source { text: fs::read_to_string(&path)?, path });
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

/// What is wrong with the root file of a crate that must not be unsafe.
pub fn unsafe_allowed(path: &str, text: &str) -> Option<String> {
    let forbidden = text.lines().any(|line| line.trim() == "#![forbid(unsafe_code)]");
    (!forbidden).then(|| format!("{path} lacks #![forbid(unsafe_code)]"))
}

/// Where the sources of a library print or end the process, tests and comments left out.
pub fn printing(sources: &[Source]) -> Vec<String> {
    let tests: Vec<PathBuf> = sources.iter().flat_map(test_modules).collect();
    let is_test = |path: &Path| tests.iter().any(|module| path.starts_with(module));
    let compiled = sources.iter().filter(|source| !is_test(&source.path.with_extension("")));
    compiled.flat_map(faults).collect()
}

fn faults(source: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in without_tests(&source.text) {
        let code = line.split("//").next().unwrap_or_default();
        for word in REFUSED.into_iter().filter(|word| says(code, word)) {
            faults.push(format!("{}:{number}: {word} outside front ends", source.path.display()));
        }
    }
    faults
}

/// Whether `word` stands in `code`, not as the end of a longer one.
fn says(code: &str, word: &str) -> bool {
    let whole = |(at, _): (usize, &str)| {
        !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
    };
    code.match_indices(word).any(whole)
}

/// The modules in files of their own that `source` declares for tests, as paths without extension.
fn test_modules(source: &Source) -> Vec<PathBuf> {
    let stem = source.path.file_stem().unwrap_or_default();
    let folder = match stem.to_str() {
        Some("lib" | "main" | "mod") => source.path.with_file_name(""),
        _ => source.path.with_extension(""),
    };
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
    let names = pairs.filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';'));
    names.map(|name| folder.join(name)).collect()
}

/// The numbered lines that do not belong to a test module.
fn without_tests(text: &str) -> Vec<(usize, &str)> {
    let mut kept = Vec::new();
    let mut end_of_tests: Option<String> = None;
    let mut for_tests = false;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(end) = &end_of_tests {
            if line == end {
                end_of_tests = None;
            }
        } else if for_tests && line.trim_start().starts_with("mod ") && line.ends_with('{') {
            let margin = line.len() - line.trim_start().len();
            end_of_tests = Some(format!("{}}}", &line[..margin]));
        } else {
            kept.push((number, line));
        }
        for_tests = line.trim() == "#[cfg(test)]";
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.to_owned() }
    }

    #[test]
    fn printing_is_refused_with_its_place() {
        let text = "fn f() {\n    println!(\"a\");\n    std::process::exit(1);\n}\n";
        assert_eq!(
            printing(&[source("src/lib.rs", text)]),
            [
                "src/lib.rs:2: println! outside front ends",
                "src/lib.rs:3: process::exit outside front ends"
            ]
        );
        for word in REFUSED {
            let faults = printing(&[source("src/lib.rs", word)]);
            assert_eq!(faults, [format!("src/lib.rs:1: {word} outside front ends")]);
        }
        assert!(printing(&[source("src/lib.rs", "my_println!(); // dbg!(x)")]).is_empty());
    }

    #[test]
    fn comments_and_tests_may_print() {
        let text = "\
/// println!(\"an example\");
#[cfg(test)]
mod tests {
    fn f() {
        println!(\"a test\");
    }
}
#[cfg(test)]
mod kit;
";
        let kit = source("src/deep/kit.rs", "fn f() { dbg!(1); }");
        let below = source("src/deep/kit/more.rs", "fn f() { dbg!(1); }");
        assert!(printing(&[source("src/deep.rs", text), kit, below]).is_empty());
        let after = format!("{text}fn g() {{\n    print!(\"no test\");\n}}\n");
        assert_eq!(printing(&[source("src/deep.rs", &after)]).len(), 1);
        // The same file, declared by nobody for tests.
        assert_eq!(printing(&[source("src/deep/kit.rs", "dbg!(1)")]).len(), 1);
    }

    #[test]
    fn unsafe_has_to_be_forbidden() {
        assert_eq!(unsafe_allowed("a", "//! Docs.\n#![forbid(unsafe_code)]\nmod b;\n"), None);
        let fault = Some("a lacks #![forbid(unsafe_code)]".to_owned());
        assert_eq!(unsafe_allowed("a", "#![deny(unsafe_code)]\n"), fault);
        assert_eq!(unsafe_allowed("a", "// #![forbid(unsafe_code)]\n"), fault);
    }
}
