//! Which file defines the name that a path stands for: modules, what they define, and what they import.
//!
//! Namespaces are one here: a name that is both a module and a function stands for both.

use std::collections::HashMap;

/// A module, or a block with items of its own, by its place in [`Names`].
pub type Scope = usize;

/// A file, by its place in the list of the crate's files.
pub type File = usize;

/// The root module of the crate.
const ROOT: Scope = 0;

/// All names of a crate that are visible outside functions, and those of blocks with items.
pub struct Names {
    scopes: Vec<ScopeNames>,
}

struct ScopeNames {
    /// The module or block around it; `None` for the root.
    parent: Option<Scope>,
    /// Whether it is a block, in which names of the module around are visible.
    is_block: bool,
    bindings: HashMap<String, Vec<Binding>>,
    globs: Vec<Binding>,
}

struct Binding {
    /// Private names are visible in the scopes below their own.
    is_public: bool,
    target: Target,
}

/// What a name is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Module(Scope),
    Item(Item),
    /// A path, as a `use` declaration has it.
    Import(Vec<String>),
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub file: File,
    pub name: String,
    /// Whether paths go on behind it: to variants and to associated items.
    pub holds_names: bool,
}

/// What a path leads to, imports followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Module(Scope),
    Item(Item),
}

/// The imports that are being followed: one that leads back to itself says nothing.
type Following = Vec<(Scope, *const Binding, String)>;

impl Names {
    /// The root module, nothing in it.
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

    /// A block with items of its own, inside `parent`.
    pub fn add_block(&mut self, parent: Scope) -> Scope {
        self.add_scope(Some(parent), true)
    }

    /// The module `name` of `parent`, the same one whenever it is asked for.
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

    /// The module with this path from the root.
    pub fn module(&mut self, path: &[String]) -> Scope {
        path.iter().fold(ROOT, |scope, name| self.child(scope, name, false))
    }

    /// Gives `name` a meaning in `scope`, beside those that it has.
    pub fn bind(&mut self, scope: Scope, name: &str, is_public: bool, target: Target) {
        let bindings = self.scopes[scope].bindings.entry(name.to_owned()).or_default();
        bindings.push(Binding { is_public, target });
    }

    /// Gives all names behind `path` a meaning in `scope`.
    pub fn bind_all(&mut self, scope: Scope, is_public: bool, path: Vec<String>) {
        self.scopes[scope].globs.push(Binding { is_public, target: Target::Import(path) });
    }

    /// What `path` stands for in `scope`: nothing if it leads out of the crate, or is a local variable.
    pub fn resolve(&self, scope: Scope, path: &[String]) -> Vec<Found> {
        self.follow(scope, path, &mut Following::new())
    }

    /// What the macro `name` stands for in `scope`: macros are visible below where they are defined.
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

    /// What `name` behind `place` stands for.
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

    /// A bare name: in the blocks around, then in their module.
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

    /// What `name` in `place` means to somebody in `from`; `None` if `place` does not know it. A name that
    /// is imported from another crate is known and leads nowhere.
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

    /// Adds what `binding` of `place` stands for, or `name` behind it; returns whether it says anything.
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
            // Variants of an enum do not matter: the `use` itself names the enum.
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
