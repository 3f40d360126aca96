//! Checks that libraries do not print or end the process, and that all crates but the kernels forbid `unsafe`.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{ImplItem, Item};

use crate::modules::{SourceFile, attributes, impl_attributes, is_for_tests};

/// The macros that only front ends may use.
const MACROS: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

/// Returns a fault if the root file of a crate does not forbid `unsafe`.
pub fn unsafe_allowed(root: &SourceFile) -> Option<String> {
    let is_forbidden = root.syntax.attrs.iter().any(|attribute| {
        attribute.path().is_ident("forbid")
            && attribute.parse_args::<syn::Path>().is_ok_and(|lint| lint.is_ident("unsafe_code"))
    });
    (!is_forbidden).then(|| format!("{} lacks #![forbid(unsafe_code)]", root.path.display()))
}

/// Returns the places in which a library prints or ends the process.
pub fn printing(files: &[SourceFile]) -> Vec<String> {
    files.iter().flat_map(faults).collect()
}

fn faults(file: &SourceFile) -> Vec<String> {
    let mut reader = Reader::default();
    reader.visit_file(&file.syntax);
    let path = file.path.display();
    let faults = reader.faults.into_iter();
    faults.map(|(line, what)| format!("{path}:{line}: {what} outside front ends")).collect()
}

#[derive(Default)]
struct Reader {
    faults: Vec<(usize, String)>,
}

impl Reader {
    /// Finds calls in the arguments of a macro, which `syn` does not parse.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (place, token) in tokens.iter().enumerate() {
            match (token, tokens.get(place + 1)) {
                (TokenTree::Group(group), _) => self.read_tokens(group.stream()),
                (TokenTree::Ident(name), Some(TokenTree::Punct(mark))) if mark.as_char() == '!' => {
                    self.call(name);
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, name: &proc_macro2::Ident) {
        if MACROS.iter().any(|refused| name == refused) {
            self.faults.push((name.span().start().line, format!("{name}!")));
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !is_for_tests(impl_attributes(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(last) = call.path.segments.last() {
            self.call(&last.ident);
        }
        self.read_tokens(call.tokens.clone());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let ends_with = |pair: [&str; 2]| {
            let names = path.segments.iter().rev().map(|segment| &segment.ident);
            names.take(2).eq(pair.iter().rev())
        };
        if let (true, Some(last)) = (ends_with(["process", "exit"]), path.segments.last()) {
            self.faults.push((last.ident.span().start().line, "process::exit".to_owned()));
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::in_memory;

    fn load(text: &str) -> Vec<SourceFile> {
        in_memory::load(&[("src/lib.rs", text)]).unwrap()
    }

    #[test]
    fn printing_is_reported_with_its_line() {
        let text = "fn f() {\n    println!(\"a\");\n    std::process::exit(1);\n}\n";
        assert_eq!(
            printing(&load(text)),
            [
                "src/lib.rs:2: println! outside front ends",
                "src/lib.rs:3: process::exit outside front ends"
            ]
        );
        for name in MACROS {
            let faults = printing(&load(&format!("fn f() {{ vec![std::{name}!(1)]; }}")));
            assert_eq!(faults, [format!("src/lib.rs:1: {name}! outside front ends")]);
        }
        assert!(printing(&load("fn f() { my_println!(); /* dbg!(x) */ }")).is_empty());
    }

    #[test]
    fn comments_and_tests_may_print() {
        let text =
            "/// println!(\"an example\");\n#[cfg(test)]\nmod tests { fn f() { println!() } }";
        assert!(printing(&load(text)).is_empty());
        let after = format!("{text}\nfn g() {{\n    print!(\"no test\");\n}}\n");
        assert_eq!(printing(&load(&after)).len(), 1);
    }

    #[test]
    fn unsafe_must_be_forbidden() {
        let fault = |text| unsafe_allowed(&load(text)[0]);
        let lacks = Some("src/lib.rs lacks #![forbid(unsafe_code)]".to_owned());
        assert_eq!(fault("//! Docs.\n#![forbid(unsafe_code)]\nmod b {}\n"), None);
        assert_eq!(fault("#![deny(unsafe_code)]\n"), lacks);
        assert_eq!(fault("// #![forbid(unsafe_code)]\n"), lacks);
    }
}
