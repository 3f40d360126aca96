use super::*;
use crate::modules::in_memory;

/// Returns the uses in a crate, given its files, as `user -> definer: name (line)`.
fn uses(files: &[(&str, &str)]) -> Vec<String> {
    let files = in_memory::load(files).unwrap();
    let name = |file: File| files[file].path.file_stem().unwrap().to_str().unwrap();
    let shown = |edge: &Use| {
        format!("{} -> {}: {} ({})", name(edge.user), name(edge.definer), edge.name, edge.line)
    };
    between(&files).iter().map(shown).collect()
}

/// Returns the names of `b`, which has one definition of each kind, that the file `a` with this text uses.
fn uses_of_b(text: &str) -> Vec<String> {
    let b = "pub struct Thing; pub enum Kind { One } pub trait Act {} pub type Short = u8;
        pub const LIMIT: u8 = 0; pub static PLACE: u8 = 0; pub fn work() {} pub union Either { a: u8 }
        macro_rules! three { () => { 3 } } pub(crate) use three; pub mod inner { pub struct Deep; }";
    let files = [("src/lib.rs", "mod b; mod a;"), ("src/b.rs", b), ("src/a.rs", text)];
    let found = uses(&files);
    assert!(found.iter().all(|edge| edge.starts_with("a -> b: ")), "{found:?}");
    let name = |edge: &String| edge["a -> b: ".len()..].replace(" (1)", "");
    found.iter().map(name).collect()
}

#[test]
fn every_kind_of_definition_is_found_by_use() {
    let text =
        "use crate::b::{Act as _, Kind, LIMIT, PLACE, Short, Thing as T, work, three, Either};";
    let all = ["Act", "Either", "Kind", "LIMIT", "PLACE", "Short", "Thing", "three", "work"];
    assert_eq!(uses_of_b(text), all);
    assert_eq!(uses_of_b("use super::b::inner::{self, Deep};"), ["Deep"]);
}

#[test]
fn paths_are_found_in_all_positions() {
    for (text, name) in [
        ("fn f() { super::b::work() }", "work"),
        ("fn f() { let b = super::b::Kind::One; }", "Kind"),
        ("fn f(x: u8) { match x { crate::b::LIMIT => {} _ => {} } }", "LIMIT"),
        ("struct S(Vec<crate::b::Thing>);", "Thing"),
        ("impl crate::b::Act for u8 {}", "Act"),
        ("fn f<T>() where T: super::b::Act {}", "Act"),
        ("fn f() { <u8 as super::b::Act>::go() }", "Act"),
        ("fn f() { super::b::three!(); }", "three"),
        ("fn f() { assert!(x.y(&[crate::b::LIMIT])); }", "LIMIT"),
        ("macro_rules! m { () => { $crate::b::work() } }", "work"),
        ("fn f() { use super::b; b::work() }", "work"),
        ("fn f() { { use super::b as c; c::work() } }", "work"),
        ("use super::b::Kind::*;", "Kind"),
        ("mod inner { fn f() { super::super::b::work() } }", "work"),
        ("mod inner { fn f() { g::work() } use crate::b as g; }", "work"),
    ] {
        assert_eq!(uses_of_b(text), [name], "{text}");
    }
}

#[test]
fn modules_methods_locals_and_attributes_make_no_edge() {
    for text in [
        "use crate::b;",
        "use crate::b::*;",
        "use crate::b::inner;",
        "pub use crate::b::Thing;",
        "pub(crate) use crate::b::*;",
        "pub(super) use crate::b::work;",
        "fn f() { x.work(); y.LIMIT }",
        "use crate::b::*; fn f(work: u8) { g(work) }",
        "use crate::b::*; fn f<Thing>(x: Thing) {}",
        "use crate::b::*; fn f() { assert!(x.work() == y.inner::work()) }",
        "fn f() { work(); b::work(); Self::Thing }",
        "use other::b::Thing; use ::b::work;",
        "#[doc = crate::b::LIMIT] fn f() {}",
        "#[cfg(test)] use crate::b::Thing;",
        "#[cfg(test)] mod tests { use crate::b::Thing; }",
        "impl S { #[cfg(test)] fn f() { crate::b::work() } }",
    ] {
        assert!(uses_of_b(text).is_empty(), "{text}: {:?}", uses_of_b(text));
    }
    assert_eq!(uses_of_b("pub(self) use crate::b::Thing;"), ["Thing"]);
}

#[test]
fn globs_import_only_the_names_used() {
    assert_eq!(uses_of_b("use crate::b::*; fn f() { work() }"), ["work"]);
    assert_eq!(uses_of_b("use crate::*; fn f() -> b::Thing { b::Thing }"), ["Thing"]);
    assert_eq!(uses_of_b("pub use crate::b::*; fn f() { matches!(x, LIMIT) }"), ["LIMIT"]);
    assert_eq!(uses_of_b("pub use crate::b::Thing; fn f(_: Thing) {}"), ["Thing"]);
    assert_eq!(uses_of_b("use crate::b::*; use other::work; fn f() { work() }"), [""; 0]);
}

#[test]
fn re_exports_lead_to_the_definition() {
    let found = uses(&[
        ("src/lib.rs", "mod a; mod b; mod c; pub use b::Thing as Renamed; pub use c::*;"),
        ("src/a.rs", "use crate::{Renamed, last, Thing}; use crate::c::Thing as T;"),
        ("src/b.rs", "mod d; pub struct Thing; pub use d::*; pub use self::d::d;"),
        ("src/b/d.rs", "pub fn last() {} pub fn d() {}"),
        ("src/c.rs", "pub use super::b::*; pub use super::*;"),
    ]);
    assert_eq!(found, ["a -> b: Thing (1)", "a -> d: last (1)"]);
}

#[test]
fn imports_of_a_module_above_are_followed() {
    let found = uses(&[
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "mod child; mod other; use crate::b::Thing;"),
        ("src/a/child.rs", "use super::*;\nfn f() -> Thing { other::g() }"),
        ("src/a/other.rs", "pub fn g(_: super::Thing) {}"),
        ("src/b.rs", "use crate::a::other::Unknown; pub struct Thing;"),
    ]);
    let expected = [
        "a -> b: Thing (1)",
        "child -> other: g (2)",
        "child -> b: Thing (2)",
        "other -> b: Thing (1)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn private_imports_are_invisible_to_others() {
    let found = uses(&[
        ("src/lib.rs", "mod a; mod b; mod c;"),
        ("src/a.rs", "use crate::b::*; fn f(_: Thing) {}"),
        ("src/b.rs", "use crate::c::Thing;"),
        ("src/c.rs", "pub struct Thing;"),
    ]);
    assert_eq!(found, ["b -> c: Thing (1)"]);
}

#[test]
fn a_module_and_a_function_may_share_a_name() {
    let found = uses(&[
        ("src/lib.rs", "mod a; mod work; pub use work::work;"),
        ("src/a.rs", "fn f() { crate::work() }\nfn g() { crate::work::more() }\nuse crate::work;"),
        ("src/work.rs", "pub fn work() {} pub fn more() {}"),
    ]);
    assert_eq!(found, ["a -> work: more (2)", "a -> work: work (1)", "a -> work: work (3)"]);
}

#[test]
fn macros_are_visible_below() {
    let found = uses(&[
        ("src/lib.rs", "macro_rules! once { () => {} } mod a;"),
        ("src/a.rs", "mod b;"),
        ("src/a/b.rs", "fn f() {\n once!(); println!(); }"),
    ]);
    assert_eq!(found, ["b -> lib: once (2)"]);
}
