//! Collects the names that the files of a crate define, import and use.

use std::collections::HashSet;

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Ident, ImplItem, Item, Stmt, TraitItem, UseTree, Visibility};

use super::names::{File, Found, Item as Definition, Names, Scope, Target};
use crate::modules::{SourceFile, attributes, impl_attributes, is_for_tests, trait_attributes};

/// The use, in one file, of a name that another file defines.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub user: File,
    pub definer: File,
    pub name: String,
    /// Line of `user`.
    pub line: usize,
}

/// A path in the source.
struct Mention {
    file: File,
    scope: Scope,
    path: Vec<String>,
    line: usize,
    is_macro: bool,
}

/// Returns all uses of names that another file of the crate defines, sorted and without duplicates.
pub fn between(files: &[SourceFile]) -> Vec<Use> {
    let mut reader = Reader {
        names: Names::new(),
        mentions: Vec::new(),
        file: 0,
        scope: 0,
        hidden: HashSet::new(),
    };
    for (place, file) in files.iter().enumerate() {
        reader.file = place;
        reader.scope = reader.names.module(&file.module);
        reader.visit_file(&file.syntax);
    }
    let mut uses: Vec<Use> =
        reader.mentions.iter().flat_map(|mention| mention.uses(&reader.names)).collect();
    uses.sort();
    uses.dedup();
    uses
}

impl Mention {
    fn uses(&self, names: &Names) -> Vec<Use> {
        let found = match self.path.as_slice() {
            [name] if self.is_macro => names.resolve_macro(self.scope, name),
            path => names.resolve(self.scope, path),
        };
        let definition = |found| match found {
            Found::Item(item) if item.file != self.file => Some(item),
            _ => None,
        };
        let (user, line) = (self.file, self.line);
        let to_use = |item: Definition| Use { user, definer: item.file, name: item.name, line };
        found.into_iter().filter_map(definition).map(to_use).collect()
    }
}

struct Reader {
    names: Names,
    mentions: Vec<Mention>,
    file: File,
    scope: Scope,
    /// Variables and type parameters of the current item, which hide imported names.
    hidden: HashSet<String>,
}

impl Reader {
    fn mention(&mut self, path: Vec<String>, at: &Ident, is_macro: bool) {
        let is_hidden = path.len() == 1 && !is_macro && self.hidden.contains(&path[0]);
        if is_hidden || path.first().is_some_and(|first| first == "Self") {
            return;
        }
        let (file, scope, line) = (self.file, self.scope, at.span().start().line);
        self.mentions.push(Mention { file, scope, path, line, is_macro });
    }

    fn define(&mut self, name: &Ident, visibility: &Visibility, holds_names: bool) {
        let name = name.to_string();
        let item = Definition { file: self.file, name: name.clone(), holds_names };
        self.names.bind(self.scope, &name, is_public(visibility), Target::Item(item));
    }

    fn define_item(&mut self, item: &Item) {
        match item {
            Item::Const(item) => self.define(&item.ident, &item.vis, false),
            Item::Enum(item) => self.define(&item.ident, &item.vis, true),
            Item::Fn(item) => self.define(&item.sig.ident, &item.vis, false),
            Item::Static(item) => self.define(&item.ident, &item.vis, false),
            Item::Struct(item) => self.define(&item.ident, &item.vis, true),
            Item::Trait(item) => self.define(&item.ident, &item.vis, true),
            Item::TraitAlias(item) => self.define(&item.ident, &item.vis, true),
            Item::Type(item) => self.define(&item.ident, &item.vis, true),
            Item::Union(item) => self.define(&item.ident, &item.vis, true),
            Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.define(name, &Visibility::Inherited, false);
                }
            }
            _ => {}
        }
    }

    /// Records the imports of a `use` declaration. Unless it is `pub use`, each also counts as a use.
    fn import(&mut self, tree: &UseTree, path: &[String], is_public: bool) {
        let with = |name: &Ident| match name == "self" && !path.is_empty() {
            true => path.to_vec(),
            false => [path, &[name.to_string()]].concat(),
        };
        let (name, target, at) = match tree {
            UseTree::Path(tree) => return self.import(&tree.tree, &with(&tree.ident), is_public),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, path, is_public));
            }
            UseTree::Glob(glob) => {
                self.names.bind_all(self.scope, is_public, path.to_vec());
                let at = Ident::new("glob", glob.star_token.spans[0]);
                if !is_public {
                    self.mention(path.to_vec(), &at, false);
                }
                return;
            }
            UseTree::Name(tree) => {
                let target = with(&tree.ident);
                (target.last().cloned(), target, &tree.ident)
            }
            UseTree::Rename(tree) => {
                (Some(tree.rename.to_string()), with(&tree.ident), &tree.ident)
            }
        };
        if let Some(name) = name {
            self.names.bind(self.scope, &name, is_public, Target::Import(target.clone()));
        }
        if !is_public {
            self.mention(target, at, false);
        }
    }

    /// Records everything that looks like a path in the arguments of a macro.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut place = 0;
        while place < tokens.len() {
            match &tokens[place] {
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let path = path_at(&tokens[place..]);
                    let length = 3 * path.len() - 2;
                    if starts_path(&tokens[..place], first) {
                        self.mention(path, first, false);
                    }
                    place += length - 1;
                }
                _ => {}
            }
            place += 1;
        }
    }
}

/// Returns the path at the start of `tokens`, the first of which is a name.
fn path_at(tokens: &[TokenTree]) -> Vec<String> {
    let mut path = Vec::new();
    let mut rest = tokens;
    while let [TokenTree::Ident(name), behind @ ..] = rest {
        path.push(name.to_string());
        match behind {
            [first, second, next @ ..] if is_punct(first, ':') && is_punct(second, ':') => {
                rest = next;
            }
            _ => break,
        }
    }
    path
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Returns whether `name`, after the tokens `before`, starts a path. Fields, methods, later parts of a path and macro
/// variables do not.
fn starts_path(before: &[TokenTree], name: &Ident) -> bool {
    match before {
        [.., TokenTree::Punct(first), second] if is_punct(second, ':') => {
            first.as_char() != ':' || first.spacing() != Spacing::Joint
        }
        [.., last] if is_punct(last, '$') => name == "crate",
        [.., last] => !is_punct(last, '.'),
        [] => true,
    }
}

/// Returns whether other modules can see the name, in the entire crate or a part of it.
fn is_public(visibility: &Visibility) -> bool {
    match visibility {
        Visibility::Inherited => false,
        Visibility::Public(_) => true,
        Visibility::Restricted(restricted) => !restricted.path.is_ident("self"),
    }
}

/// Returns whether a name in a pattern is a new variable, as opposed to a constant or a variant.
fn is_variable(name: &Ident) -> bool {
    name.to_string().starts_with(|first: char| first.is_lowercase() || first == '_')
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_for_tests(attributes(item)) {
            return;
        }
        self.define_item(item);
        if matches!(item, Item::Mod(_)) {
            return visit::visit_item(self, item);
        }
        let mut hidden = Hidden(self.hidden.clone());
        hidden.visit_item(item);
        let outer = std::mem::replace(&mut self.hidden, hidden.0);
        visit::visit_item(self, item);
        self.hidden = outer;
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !is_for_tests(impl_attributes(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !is_for_tests(trait_attributes(item)) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let outer = self.scope;
        let (name, is_public) = (item.ident.to_string(), is_public(&item.vis));
        self.scope = self.names.child(outer, &name, is_public);
        for item in item.content.iter().flat_map(|(_, items)| items) {
            self.visit_item(item);
        }
        self.scope = outer;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.import(&item.tree, &[], is_public(&item.vis));
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let outer = self.scope;
        if block.stmts.iter().any(|statement| matches!(statement, Stmt::Item(_))) {
            self.scope = self.names.add_block(outer);
        }
        visit::visit_block(self, block);
        self.scope = outer;
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let (None, Some(first)) = (&path.leading_colon, path.segments.first()) {
            let names = path.segments.iter().map(|segment| segment.ident.to_string());
            self.mention(names.collect(), &first.ident, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        if !is_variable(&pattern.ident) {
            self.mention(vec![pattern.ident.to_string()], &pattern.ident, false);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(first) = call.path.segments.first() {
            let names = call.path.segments.iter().map(|segment| segment.ident.to_string());
            self.mention(names.collect(), &first.ident, true);
        }
        self.read_tokens(call.tokens.clone());
    }

    // Paths in attributes and in `pub(in path)` are not uses.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}
}

/// Collects the variables and type parameters of an item.
struct Hidden(HashSet<String>);

impl<'ast> Visit<'ast> for Hidden {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        if is_variable(&pattern.ident) {
            self.0.insert(pattern.ident.to_string());
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_type_param(&mut self, parameter: &'ast syn::TypeParam) {
        self.0.insert(parameter.ident.to_string());
    }

    fn visit_const_param(&mut self, parameter: &'ast syn::ConstParam) {
        self.0.insert(parameter.ident.to_string());
    }
}

#[cfg(test)]
mod tests;
