//! The least priority, f and g of the open nodes of a side.

use std::collections::BTreeMap;

use crate::space::Cost;

/// The priority, f and g of a node, or the least of each among the open nodes of a side.
#[derive(Clone, Copy)]
pub(super) struct Least {
    pub priority: Cost,
    pub f: Cost,
    pub g: Cost,
}

impl Least {
    /// Those of a node.
    pub fn of(g: Cost, h: Cost) -> Self {
        let f = g.saturating_add(h);
        Self { priority: f.max(g.saturating_mul(2)), f, g }
    }
}

/// How many open nodes of a side have each priority, f and g. There are few different ones.
#[derive(Default)]
pub(super) struct Open {
    pub count: u64,
    priorities: BTreeMap<Cost, u64>,
    fs: BTreeMap<Cost, u64>,
    gs: BTreeMap<Cost, u64>,
}

impl Open {
    /// Counts a node.
    pub fn add(&mut self, key: Least) {
        self.count += 1;
        for (counts, key) in self.counts(key) {
            *counts.entry(key).or_default() += 1;
        }
    }

    /// Counts a node no longer.
    pub fn remove(&mut self, key: Least) {
        self.count -= 1;
        for (counts, key) in self.counts(key) {
            let count = counts.get_mut(&key).expect("the node was open");
            *count -= 1;
            if *count == 0 {
                counts.remove(&key);
            }
        }
    }

    fn counts(&mut self, key: Least) -> [(&mut BTreeMap<Cost, u64>, Cost); 3] {
        let Self { priorities, fs, gs, .. } = self;
        [(priorities, key.priority), (fs, key.f), (gs, key.g)]
    }

    /// The least of each, if a node is open.
    pub fn least(&self) -> Option<Least> {
        let [priority, f, g] = [&self.priorities, &self.fs, &self.gs]
            .map(|counts| counts.first_key_value().map(|(&key, _)| key));
        Some(Least { priority: priority?, f: f?, g: g? })
    }

    /// Bytes held. A tree node has room for eleven entries, and is half full at least but for the root.
    pub fn bytes(&self) -> u64 {
        let entry = size_of::<(Cost, u64)>();
        let entries = self.priorities.len() + self.fs.len() + self.gs.len() + 33;
        (2 * entries * entry) as u64
    }
}
