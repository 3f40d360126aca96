//! Counts the lines of the crates' sources without tests.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item};

use crate::modules::{self, SourceFile, attributes, impl_attributes, is_for_tests};
use crate::run::print_line;
use anyhow::Result;

/// Count the lines of `crates/*/src` without tests.
/// Counts the files that make up the library and the program of a crate. `lines` counts every line except those of items
/// marked `#[cfg(test)]`, from the first doc comment or attribute to the closing brace; `code` leaves out blank lines and
/// comments too. Files declared only by such items do not count.
#[derive(clap::Args)]
pub struct Args {
    /// The root of the working tree to count
    #[arg(value_name = "PATH", default_value = ".")]
    root: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    let mut all = Count::default();
    print_line("crate           files    lines     code");
    for folder in modules::crate_folders(&args.root)? {
        let count = count_crate(&folder)?;
        print_count(&modules::folder_name(&folder), &count);
        all.files += count.files;
        all.lines += count.lines;
        all.code += count.code;
    }
    print_count("all", &all);
    Ok(())
}

#[derive(Default)]
struct Count {
    files: usize,
    /// Lines outside tests.
    lines: usize,
    /// Lines outside tests that are neither blank nor a comment.
    code: usize,
}

fn print_count(name: &str, count: &Count) {
    print_line(format_args!("{name:<14} {:>6} {:>8} {:>8}", count.files, count.lines, count.code));
}

fn count_crate(folder: &Path) -> Result<Count> {
    let (mut seen, mut count) = (HashSet::new(), Count::default());
    for root in modules::roots(folder) {
        for file in modules::load(&root, &modules::from_disk)? {
            if seen.insert(file.path.clone()) {
                count_file(&file, &mut count);
            }
        }
    }
    count.files = seen.len();
    Ok(count)
}

/// Adds the lines of a file outside tests to `count`.
fn count_file(file: &SourceFile, count: &mut Count) {
    let mut tests = Tests::default();
    tests.visit_file(&file.syntax);
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim_start();
        if !tests.lines.contains(&(index + 1)) {
            count.lines += 1;
            count.code += usize::from(!line.is_empty() && !line.starts_with("//"));
        }
    }
}

/// Collects the lines of test items.
#[derive(Default)]
struct Tests {
    lines: HashSet<usize>,
}

impl Tests {
    fn exclude(&mut self, item: &impl Spanned) {
        let span = item.span();
        self.lines.extend(span.start().line..=span.end().line);
    }
}

impl<'ast> Visit<'ast> for Tests {
    fn visit_item(&mut self, item: &'ast Item) {
        match is_for_tests(attributes(item)) {
            true => self.exclude(item),
            false => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        match is_for_tests(impl_attributes(item)) {
            true => self.exclude(item),
            false => visit::visit_impl_item(self, item),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::in_memory;

    #[test]
    fn lines_of_tests_are_not_counted() {
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
        let mut count = Count::default();
        count_file(&files[0], &mut count);
        assert_eq!(count.lines, text.lines().count() - 5 - 2 - 4 - 2);
        // Two functions, and the block around the second.
        assert_eq!(count.code, 6);
    }
}
