//! Has the page built in again when a file is added to it; changes of files the compiler sees by itself.

fn main() {
    for folder in ["engine", "parts", "puzzle", "style", "views"] {
        println!("cargo::rerun-if-changed=../../page/{folder}");
    }
}
