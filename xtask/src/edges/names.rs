//! Name resolution: finds the file that defines what a path refers to, given what each module defines and imports.
//!
//! Types, values and macros share one namespace here: a name shared by a module and a function refers to both.

use std::collections::HashMap;

/// A module, or a block that contains items: an index into [`Names`].
pub type Scope = usize;

/// A file: an index into the list of the crate's files.
pub type File = usize;

/// The root module of the crate.
const ROOT: Scope = 0;

/// The names that each module of a crate defines or imports, and each block that contains items.
pub struct Names {
    scopes: Vec<ScopeNames>,
}

struct ScopeNames {
    /// The enclosing module or block; `None` for the root.
    parent: Option<Scope>,
    /// Whether it is a block: blocks also see the names of the enclosing scope.
    is_block: bool,
    bindings: HashMap<String, Vec<Binding>>,
    globs: Vec<Binding>,
}

struct Binding {
    /// Private names are visible only in their own scope and the scopes inside it.
    is_public: bool,
    target: Target,
}

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Module(Scope),
    Item(Item),
    /// The path in a `use` declaration.
    Import(Vec<String>),
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub file: File,
    pub name: String,
    /// Whether a path may continue after it, to a variant or an associated item.
    pub holds_names: bool,
}

/// The meaning of a path, with imports followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Module(Scope),
    Item(Item),
}

/// The imports being followed, to detect cycles of imports.
type Following = Vec<(Scope, *const Binding, String)>;

impl Names {
    /// Creates the names of a crate with an empty root module.
    pub fn new() -> Self {
        let mut names = Self { scopes: Vec::new() };
        names.add_scope(None, false);
        names
    }

    fn add_scope(&mut self, parent: Option<Scope>, is_block: bool) -> Scope {
        let scope = ScopeNames { parent, is_block, bindings: HashMap::new(), globs: Vec::new() };
        self.scopes.push(scope);
        self.scopes.len() - 1
    }

    /// Adds a block inside `parent`.
    pub fn add_block(&mut self, parent: Scope) -> Scope {
        self.add_scope(Some(parent), true)
    }

    /// Returns the module `name` of `parent`, or creates it.
    pub fn child(&mut self, parent: Scope, name: &str, is_public: bool) -> Scope {
        let bindings = self.scopes[parent].bindings.entry(name.to_owned()).or_default();
        for binding in bindings {
            if let Target::Module(scope) = binding.target {
                binding.is_public |= is_public;
                return scope;
            }
        }
        let scope = self.add_scope(Some(parent), false);
        self.bind(parent, name, is_public, Target::Module(scope));
        scope
    }

    /// Returns the module with this path from the root, or creates it.
    pub fn module(&mut self, path: &[String]) -> Scope {
        path.iter().fold(ROOT, |scope, name| self.child(scope, name, false))
    }

    /// Adds `target` to the meanings of `name` in `scope`.
    pub fn bind(&mut self, scope: Scope, name: &str, is_public: bool, target: Target) {
        let bindings = self.scopes[scope].bindings.entry(name.to_owned()).or_default();
        bindings.push(Binding { is_public, target });
    }

    /// Adds a glob import of `path` to `scope`.
    pub fn bind_all(&mut self, scope: Scope, is_public: bool, path: Vec<String>) {
        self.scopes[scope].globs.push(Binding { is_public, target: Target::Import(path) });
    }

    /// Returns the meanings of `path` in `scope`; empty for local variables and names of other crates.
    pub fn resolve(&self, scope: Scope, path: &[String]) -> Vec<Found> {
        self.follow(scope, path, &mut Following::new())
    }

    /// Returns the meanings of the macro `name` in `scope`. A macro is visible in all scopes inside its own.
    pub fn resolve_macro(&self, scope: Scope, name: &str) -> Vec<Found> {
        let mut place = Some(scope);
        while let Some(scope) = place {
            if let Some(found) = self.look_up(scope, scope, name, &mut Following::new()) {
                return found;
            }
            place = self.scopes[scope].parent;
        }
        Vec::new()
    }

    fn follow(&self, scope: Scope, path: &[String], following: &mut Following) -> Vec<Found> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let mut found = match first.as_str() {
            "crate" => vec![Found::Module(ROOT)],
            "self" => vec![Found::Module(self.module_around(scope))],
            "super" => self.above(self.module_around(scope)).into_iter().collect(),
            name => self.look_around(scope, name, following),
        };
        for name in rest {
            let step = |place| self.step(scope, place, name, following);
            found = found.into_iter().flat_map(step).collect();
        }
        found
    }

    /// Returns the meanings of `name` when it follows `place` in a path.
    fn step(
        &self,
        scope: Scope,
        place: Found,
        name: &str,
        following: &mut Following,
    ) -> Vec<Found> {
        match place {
            Found::Module(module) if name == "super" => self.above(module).into_iter().collect(),
            Found::Module(module) => {
                self.look_up(scope, module, name, following).unwrap_or_default()
            }
            Found::Item(item) if item.holds_names => vec![Found::Item(item)],
            Found::Item(_) => Vec::new(),
        }
    }

    fn above(&self, module: Scope) -> Option<Found> {
        let parent = self.scopes[module].parent?;
        Some(Found::Module(self.module_around(parent)))
    }

    fn module_around(&self, mut scope: Scope) -> Scope {
        while let (true, Some(parent)) = (self.scopes[scope].is_block, self.scopes[scope].parent) {
            scope = parent;
        }
        scope
    }

    /// Looks a bare name up in the enclosing blocks, then in their module.
    fn look_around(&self, from: Scope, name: &str, following: &mut Following) -> Vec<Found> {
        let mut scope = from;
        loop {
            if let Some(found) = self.look_up(from, scope, name, following) {
                return found;
            }
            match self.scopes[scope].parent {
                Some(parent) if self.scopes[scope].is_block => scope = parent,
                _ => return Vec::new(),
            }
        }
    }

    /// Returns the meanings of `name` in `place`, seen from `from`, or `None` if `place` has no such name. A name
    /// imported from another crate is known, but has no meaning in this one.
    fn look_up(
        &self,
        from: Scope,
        place: Scope,
        name: &str,
        following: &mut Following,
    ) -> Option<Vec<Found>> {
        let names = &self.scopes[place];
        let is_visible = |binding: &&Binding| binding.is_public || self.is_within(from, place);
        let named = names.bindings.get(name).into_iter().flatten().filter(is_visible);
        let mut known = false;
        let mut found = Vec::new();
        for binding in named {
            known |= self.meaning(binding, place, None, following, &mut found);
        }
        if known {
            return Some(found);
        }
        for glob in names.globs.iter().filter(is_visible) {
            known |= self.meaning(glob, place, Some(name), following, &mut found);
        }
        (known && !found.is_empty()).then_some(found)
    }

    /// Appends the meanings of `binding`, which is in the scope `place`; for a glob import, the meanings of `name` that it
    /// imports. Returns `false` if the import is part of a cycle.
    fn meaning(
        &self,
        binding: &Binding,
        place: Scope,
        name: Option<&str>,
        following: &mut Following,
        found: &mut Vec<Found>,
    ) -> bool {
        let path = match &binding.target {
            Target::Module(scope) => {
                found.push(Found::Module(*scope));
                return true;
            }
            Target::Item(item) => {
                found.push(Found::Item(item.clone()));
                return true;
            }
            Target::Import(path) => path,
        };
        let key = (place, std::ptr::from_ref(binding), name.unwrap_or_default().to_owned());
        if following.contains(&key) {
            return false;
        }
        following.push(key);
        let mut ends = self.follow(place, path, following);
        if let Some(name) = name {
            // For variants of an enum, the `use` itself is the edge.
            ends.retain(|end| matches!(end, Found::Module(_)));
            let step = |end| self.step(place, end, name, following);
            ends = ends.into_iter().flat_map(step).collect();
        }
        following.pop();
        found.extend(ends);
        true
    }

    fn is_within(&self, mut scope: Scope, outer: Scope) -> bool {
        loop {
            match self.scopes[scope].parent {
                _ if scope == outer => return true,
                Some(parent) => scope = parent,
                None => return false,
            }
        }
    }
}
