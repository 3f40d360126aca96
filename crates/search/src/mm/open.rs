//! The least priority, f and g of the open nodes of one side.

use std::collections::BTreeMap;

use crate::space::Cost;

/// The priority, f and g of a node, or the minimum of each over the open nodes of one side.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub priority: Cost,
    pub f: Cost,
    pub g: Cost,
}

impl Key {
    /// Returns the priority, f and g of a node with these values.
    pub fn of(g: Cost, h: Cost) -> Self {
        let f = g.saturating_add(h);
        Self { priority: f.max(g.saturating_mul(2)), f, g }
    }
}

/// The number of open nodes of one side for each value of priority, f and g. There are few different values.
#[derive(Default)]
pub(super) struct Open {
    pub count: u64,
    priorities: BTreeMap<Cost, u64>,
    fs: BTreeMap<Cost, u64>,
    gs: BTreeMap<Cost, u64>,
}

impl Open {
    /// Adds a node.
    pub fn add(&mut self, key: Key) {
        self.count += 1;
        for (counts, key) in self.counts(key) {
            *counts.entry(key).or_default() += 1;
        }
    }

    /// Removes a node.
    pub fn remove(&mut self, key: Key) {
        self.count -= 1;
        for (counts, key) in self.counts(key) {
            let count = counts.get_mut(&key).expect("the node was open");
            *count -= 1;
            if *count == 0 {
                counts.remove(&key);
            }
        }
    }

    fn counts(&mut self, key: Key) -> [(&mut BTreeMap<Cost, u64>, Cost); 3] {
        let Self { priorities, fs, gs, .. } = self;
        [(priorities, key.priority), (fs, key.f), (gs, key.g)]
    }

    /// Returns the minimum of each value, or `None` if no node is open.
    pub fn minimum(&self) -> Option<Key> {
        let [priority, f, g] = [&self.priorities, &self.fs, &self.gs]
            .map(|counts| counts.first_key_value().map(|(&key, _)| key));
        Some(Key { priority: priority?, f: f?, g: g? })
    }

    /// Returns the bytes held. A tree node has space for 11 entries and, except for the root, is at least half full.
    pub fn bytes(&self) -> u64 {
        let entry = size_of::<(Cost, u64)>();
        let entries = self.priorities.len() + self.fs.len() + self.gs.len() + 33;
        (2 * entries * entry) as u64
    }
}
