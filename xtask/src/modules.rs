//! Loads the files of a crate by following its `mod` declarations, without tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use syn::{Attribute, Expr, Item, Lit, Meta, MetaNameValue};

/// A parsed source file.
pub struct SourceFile {
    pub path: PathBuf,
    /// The path of the file's module from the crate's root, which has an empty one.
    pub module: Vec<String>,
    pub text: String,
    pub syntax: syn::File,
}

/// Returns the text of a file, or `None` if there is no such file.
pub type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// Reads a file from disk.
pub fn from_disk(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Returns `root` (`lib.rs` or `main.rs`) and all files that it declares as modules, directly or indirectly.
///
/// # Errors
/// Fails if a file is missing or cannot be parsed, or a module has a `#[path]` attribute that does not lead to another
/// crate, which is not supported.
pub fn load(root: &Path, read: Read) -> Result<Vec<SourceFile>> {
    let folder = root.parent().context("a root file has a folder")?;
    let mut files = Vec::new();
    load_file(root.to_owned(), folder, &[], read, &mut files)?;
    Ok(files)
}

/// Loads a file, then the modules that it declares, which are in `folder`.
fn load_file(
    path: PathBuf,
    folder: &Path,
    module: &[String],
    read: Read,
    files: &mut Vec<SourceFile>,
) -> Result<()> {
    let shown = path.display();
    let text = read(&path).with_context(|| format!("cannot read {shown}"))?;
    let syntax = syn::parse_file(&text).map_err(|error| {
        let at = error.span().start();
        anyhow::anyhow!("{shown}:{}:{}: {error}", at.line, at.column + 1)
    })?;
    let place = files.len();
    let declared = declared(&syntax.items, folder, module)?;
    files.push(SourceFile { path, module: module.to_vec(), text, syntax });
    for (folder, module) in declared {
        let name = module.last().context("a declared module has a name")?;
        let candidates = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
        let found = candidates.into_iter().find(|path| read(path).is_some());
        let path = found.with_context(|| {
            format!("{} declares `{name}`, which has no file", files[place].path.display())
        })?;
        // The same module may be declared twice, for different targets.
        if !files.iter().any(|file| file.path == path) {
            load_file(path, &folder.join(name), &module, read, files)?;
        }
    }
    Ok(())
}

/// Returns the value of a `#[path]` attribute, or an empty text if it is not a string.
fn path_of(attributes: &[Attribute]) -> Option<String> {
    let path = attributes.iter().find(|attribute| attribute.path().is_ident("path"))?;
    let Meta::NameValue(MetaNameValue { value: Expr::Lit(value), .. }) = &path.meta else {
        return Some(String::new());
    };
    match &value.lit {
        Lit::Str(text) => Some(text.value()),
        _ => Some(String::new()),
    }
}

/// Returns the folder and the module path of each module declared in `items` without a body.
fn declared(
    items: &[Item],
    folder: &Path,
    module: &[String],
) -> Result<Vec<(PathBuf, Vec<String>)>> {
    let mut found = Vec::new();
    for item in items {
        let Item::Mod(item) = item else { continue };
        if is_for_tests(&item.attrs) {
            continue;
        }
        match path_of(&item.attrs) {
            None => {}
            // A file of another crate, which is checked there.
            Some(path) if path.starts_with("../") => continue,
            Some(_) => bail!("`#[path]` of module {} is not supported", item.ident),
        }
        let name = item.ident.to_string();
        let child = [module, std::slice::from_ref(&name)].concat();
        match &item.content {
            Some((_, items)) => found.extend(declared(items, &folder.join(name), &child)?),
            None => found.push((folder.to_owned(), child)),
        }
    }
    Ok(found)
}

/// Returns whether an item with these attributes is compiled only for tests: `#[cfg(test)]`.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    };
    attributes.iter().any(is_test)
}

/// Returns the attributes of an item of a module or block.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns the attributes of an item of an `impl`.
pub fn impl_attributes(item: &syn::ImplItem) -> &[Attribute] {
    match item {
        syn::ImplItem::Const(item) => &item.attrs,
        syn::ImplItem::Fn(item) => &item.attrs,
        syn::ImplItem::Type(item) => &item.attrs,
        syn::ImplItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns the attributes of an item of a trait.
pub fn trait_attributes(item: &syn::TraitItem) -> &[Attribute] {
    match item {
        syn::TraitItem::Const(item) => &item.attrs,
        syn::TraitItem::Fn(item) => &item.attrs,
        syn::TraitItem::Type(item) => &item.attrs,
        syn::TraitItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns the folders of the crates in `crates` of the workspace at `root`, sorted by name.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn crate_folders(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder);
    let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.join("src").is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Returns the existing root files of a crate's library and program.
pub fn roots(folder: &Path) -> Vec<PathBuf> {
    let source = folder.join("src");
    let files = ["lib.rs", "main.rs"].map(|name| source.join(name));
    files.into_iter().filter(|path| path.is_file()).collect()
}

/// Returns the name of a crate's folder.
pub fn folder_name(folder: &Path) -> String {
    folder.file_name().unwrap_or(OsStr::new("?")).to_string_lossy().into_owned()
}

#[cfg(test)]
pub mod in_memory {
    //! Crates in memory, for tests.

    use std::collections::HashMap;

    use super::*;

    /// Loads a crate given as pairs of path and text, with the root first.
    pub fn load(files: &[(&str, &str)]) -> Result<Vec<SourceFile>> {
        let texts: HashMap<&Path, &str> =
            files.iter().map(|&(path, text)| (Path::new(path), text)).collect();
        super::load(Path::new(files[0].0), &|path| texts.get(path).map(|&text| text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::in_memory::load;
    use super::*;

    fn paths(files: &[SourceFile]) -> Vec<(String, String)> {
        let pair = |file: &SourceFile| (file.path.display().to_string(), file.module.join("::"));
        files.iter().map(pair).collect()
    }

    #[test]
    fn declarations_lead_to_files() {
        let files = load(&[
            ("src/lib.rs", "mod a; mod inline { mod deep; } #[cfg(test)] mod tests;"),
            ("src/a.rs", "mod b;"),
            ("src/a/b.rs", ""),
            ("src/inline/deep/mod.rs", "mod last;"),
            ("src/inline/deep/last.rs", ""),
            ("src/undeclared.rs", ""),
        ]);
        let expected = [
            ("src/lib.rs", ""),
            ("src/a.rs", "a"),
            ("src/a/b.rs", "a::b"),
            ("src/inline/deep/mod.rs", "inline::deep"),
            ("src/inline/deep/last.rs", "inline::deep::last"),
        ];
        let expected = expected.map(|(path, module)| (path.to_owned(), module.to_owned()));
        assert_eq!(paths(&files.unwrap()), expected);
    }

    #[test]
    fn missing_files_and_path_attributes_are_errors() {
        let message = |files: &[(&str, &str)]| format!("{:#}", load(files).err().unwrap());
        assert_eq!(
            message(&[("src/lib.rs", "mod a;")]),
            "src/lib.rs declares `a`, which has no file"
        );
        assert!(message(&[("src/lib.rs", "#[path = \"b.rs\"] mod a;")]).contains("not supported"));
        let borrowed = [("src/lib.rs", "#[path = \"../../b/src/a.rs\"] mod a;")];
        assert_eq!(load(&borrowed).unwrap().len(), 1);
        assert!(message(&[("src/lib.rs", "\nfn f( {}")]).starts_with("src/lib.rs:2:"));
    }
}
