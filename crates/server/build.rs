//! Rebuilds the crate when a file is added to the page. The compiler notices changes to existing files by itself.

fn main() {
    for folder in ["engine", "parts", "puzzle", "style", "views"] {
        println!("cargo::rerun-if-changed=page/{folder}");
    }
}
