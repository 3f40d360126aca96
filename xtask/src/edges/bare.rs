//! Checks that libraries without their features work without files, threads and a clock: on `wasm32-unknown-unknown`,
//! using them panics.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Ident, ImplItem, Item, Lit, Meta, MetaList, Token, UseTree};

use crate::modules::{SourceFile, attributes, impl_attributes};

/// Modules of `std` that need an operating system.
const MODULES: [&str; 4] = ["fs", "net", "process", "thread"];

/// Types that need an operating system.
const TYPES: [&str; 2] = ["Instant", "SystemTime"];

/// Returns the places in which a library without features names something that needs an operating system.
pub fn faults(files: &[SourceFile]) -> Vec<String> {
    let excluded: Vec<Vec<String>> = files.iter().flat_map(excluded_modules).collect();
    let stays = |file: &&SourceFile| !excluded.iter().any(|module| file.module.starts_with(module));
    files.iter().filter(stays).flat_map(faults_in).collect()
}

/// Returns the modules that `file` declares only for features, tests or operating systems.
fn excluded_modules(file: &SourceFile) -> impl Iterator<Item = Vec<String>> {
    file.syntax.items.iter().filter_map(|item| match item {
        Item::Mod(item) if !is_compiled(&item.attrs) => {
            Some([&file.module[..], &[item.ident.to_string()]].concat())
        }
        _ => None,
    })
}

fn faults_in(file: &SourceFile) -> Vec<String> {
    let mut reader = Reader::default();
    reader.visit_file(&file.syntax);
    let path = file.path.display();
    let faults = reader.faults.into_iter();
    faults.map(|(line, what)| format!("{path}:{line}: {what} without a feature")).collect()
}

/// Returns whether an item with these attributes is compiled for `wasm32-unknown-unknown` without features.
fn is_compiled(attributes: &[Attribute]) -> bool {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.map(Attribute::parse_args::<Meta>).all(|meta| meta.is_ok_and(|meta| holds(&meta)))
}

fn holds(condition: &Meta) -> bool {
    match condition {
        Meta::Path(_) => false,
        Meta::NameValue(pair) => {
            let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = &pair.value else { return false };
            let is = |name, text| pair.path.is_ident(name) && value.value() == text;
            is("target_family", "wasm") || is("target_arch", "wasm32") || is("target_os", "unknown")
        }
        Meta::List(list) if list.path.is_ident("not") => !nested(list).iter().any(holds),
        Meta::List(list) if list.path.is_ident("any") => nested(list).iter().any(holds),
        Meta::List(list) => list.path.is_ident("all") && nested(list).iter().all(holds),
    }
}

fn nested(list: &MetaList) -> Punctuated<Meta, Token![,]> {
    list.parse_args_with(Punctuated::parse_terminated).unwrap_or_default()
}

#[derive(Default)]
struct Reader {
    faults: Vec<(usize, String)>,
}

impl Reader {
    fn path(&mut self, path: &[&Ident]) {
        let is_module = matches!(path, [std, module, ..] if *std == "std" && MODULES.iter().any(|m| *module == m));
        if is_module || path.iter().any(|name| TYPES.iter().any(|refused| *name == refused)) {
            let line = path.first().map_or_else(Span::call_site, |name| name.span()).start().line;
            let names: Vec<String> = path.iter().map(ToString::to_string).collect();
            self.faults.push((line, names.join("::")));
        }
    }

    fn uses<'a>(&mut self, before: &[&'a Ident], tree: &'a UseTree) {
        match tree {
            UseTree::Path(path) => self.uses(&[before, &[&path.ident]].concat(), &path.tree),
            UseTree::Name(name) => self.path(&[before, &[&name.ident]].concat()),
            UseTree::Rename(name) => self.path(&[before, &[&name.ident]].concat()),
            UseTree::Glob(_) => self.path(before),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.uses(before, tree)),
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_compiled(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if is_compiled(impl_attributes(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.uses(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<&Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
        self.path(&names);
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::in_memory;

    fn faults_of(text: &str) -> Vec<String> {
        faults(&in_memory::load(&[("src/lib.rs", text)]).unwrap())
    }

    #[test]
    fn uses_of_the_system_are_reported_with_their_lines() {
        for (text, what) in [
            ("fn f() {\n    std::thread::spawn(g); }", "2: std::thread::spawn"),
            ("use std::fs;", "1: std::fs"),
            ("use std::{fmt, fs::{self, File as F}};", "1: std::fs::self"),
            ("use std::thread::*;", "1: std::thread"),
            ("use std::time::{Duration, Instant};", "1: std::time::Instant"),
            ("fn f() -> std::time::SystemTime { todo!() }", "1: std::time::SystemTime"),
            ("#[cfg(not(feature = \"a\"))] use std::fs;", "1: std::fs"),
            ("#[cfg(target_os = \"unknown\")] use std::fs;", "1: std::fs"),
        ] {
            let faults = faults_of(text);
            assert_eq!(faults[0], format!("src/lib.rs:{what} without a feature"), "{text}");
        }
        for text in ["use std::time::Duration;", "fn f() { thread(); }", "mod fs {}"] {
            assert_eq!(faults_of(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn features_tests_and_other_targets_may_use_the_system() {
        for condition in [
            "feature = \"a\"",
            "test",
            "all(feature = \"a\", target_family = \"wasm\")",
            "any(unix, windows)",
            "not(all(target_family = \"wasm\", target_os = \"unknown\"))",
        ] {
            let text = format!("#[cfg({condition})]\nfn f() {{ std::fs::read(p); }}");
            assert_eq!(faults_of(&text), [""; 0], "{text}");
        }
        let files = [
            ("src/lib.rs", "#[cfg(feature = \"a\")] mod a; mod b;"),
            ("src/a.rs", "mod c;"),
            ("src/a/c.rs", "use std::fs;"),
            ("src/b.rs", "use std::thread;"),
        ];
        let faults = faults(&in_memory::load(&files).unwrap());
        assert_eq!(faults, ["src/b.rs:1: std::thread without a feature"]);
    }
}
