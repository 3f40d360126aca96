//! Counts the lines of the crates' sources without tests.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item};

use crate::Result;
use crate::modules::{self, SourceFile, attributes, impl_attributes, is_for_tests};
use crate::run::say;

/// Count the lines of `crates/*/src` without tests.
///
/// Every line of the files that make up the library and the program of a crate counts, comments and blank
/// lines included, except those of items marked `#[cfg(test)]`, from the first doc comment or attribute to
/// the closing brace. Files that only such an item declares do not count.
#[derive(clap::Args)]
pub struct Args {
    /// The root of the working tree to count
    #[arg(value_name = "PATH", default_value = ".")]
    root: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    let (mut files, mut lines) = (0, 0);
    say("crate           files    lines");
    for folder in modules::crate_folders(&args.root)? {
        let count = of_crate(&folder)?;
        say(format_args!(
            "{:<14} {:>6} {:>8}",
            modules::folder_name(&folder),
            count.files,
            count.lines
        ));
        files += count.files;
        lines += count.lines;
    }
    say(format_args!("{:<14} {files:>6} {lines:>8}", "all"));
    Ok(())
}

struct Count {
    files: usize,
    lines: usize,
}

fn of_crate(folder: &Path) -> Result<Count> {
    let (mut seen, mut lines) = (HashSet::new(), 0);
    for root in modules::roots(folder) {
        for file in modules::load(&root, &modules::from_disk)? {
            lines += of_file(&file);
            seen.insert(file.path);
        }
    }
    Ok(Count { files: seen.len(), lines })
}

/// The number of lines of a file outside tests.
fn of_file(file: &SourceFile) -> usize {
    let mut tests = Tests::default();
    tests.visit_file(&file.syntax);
    file.text.lines().count() - tests.lines.len()
}

/// Collects the lines of test items.
#[derive(Default)]
struct Tests {
    lines: HashSet<usize>,
}

impl Tests {
    fn leave_out(&mut self, item: &impl Spanned) {
        let span = item.span();
        self.lines.extend(span.start().line..=span.end().line);
    }
}

impl<'ast> Visit<'ast> for Tests {
    fn visit_item(&mut self, item: &'ast Item) {
        match is_for_tests(attributes(item)) {
            true => self.leave_out(item),
            false => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        match is_for_tests(impl_attributes(item)) {
            true => self.leave_out(item),
            false => visit::visit_impl_item(self, item),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::in_memory;

    #[test]
    fn lines_of_tests_are_left_out() {
        let text = "\
//! Docs.

/// A comment counts.
fn f() {
    g();
}

/// This one does not.
#[cfg(test)]
#[allow(dead_code)]
fn for_tests() {
}

impl S {
    #[cfg(test)]
    fn two() {}
    fn three() {}
}

#[cfg(test)]
mod tests {
    fn f() {}
}
#[cfg(test)]
mod more;
";
        let files = in_memory::load(&[("src/lib.rs", text), ("src/more.rs", "fn f() {}\n")]);
        let files = files.unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(of_file(&files[0]), text.lines().count() - 5 - 2 - 4 - 2);
    }
}
