//! The kernel for AVX-512.

mod engine;
mod lookups;
mod node;
mod rows;
mod stages;
mod steps;

use std::sync::Arc;

use super::engine::{Engine, Pause, Root};
use super::links::{MAX_SEED_LINKS, ParentLinks};
use super::seeds::{Queue, Seeds, sort};
use super::tables::Tables;
use crate::cpu::{Cpu, Level};
use crate::move_rows::MoveRows;
use engine::{LookaheadQueue, STACK, WAITING};
use node::{MARGIN, Node, Nodes, depth};
use rows::Rows;

pub use engine::VectorEngine;

/// The tables of a search, on a machine with AVX-512.
pub struct VectorTables {
    tables: Arc<Tables>,
    rows: Rows,
}

impl VectorTables {
    /// Creates the constants of `tables` and `rows`. Returns `None` if the level is not AVX-512 or the automaton has
    /// too many states.
    pub fn new(level: Level, tables: &Arc<Tables>, rows: &MoveRows) -> Option<Self> {
        (level.cpu() == Cpu::Avx512)
            .then(|| Some(Self { tables: Arc::clone(tables), rows: Rows::new(rows)? }))?
    }
}

impl Engine for VectorEngine {
    type Tables = VectorTables;
    type Nodes = Nodes;

    const MAX_FRONTIER: usize = 1 << 16;

    fn new() -> Self {
        Self {
            stack: Nodes::with_room(STACK),
            waiting: LookaheadQueue {
                nodes: Nodes::with_room(WAITING),
                bit_indices: vec![0; WAITING + MARGIN],
                first: 0,
            },
            links: ParentLinks::new(),
            pruned: Nodes::default(),
            keeps_pruned: false,
            generated: 0,
            goal: None,
            claimed: 0..0,
        }
    }

    fn table_bytes(tables: &VectorTables) -> u64 {
        tables.rows.bytes()
    }

    fn bytes() -> u64 {
        Nodes::bytes(STACK) + Nodes::bytes(WAITING) + ParentLinks::BYTES as u64
    }

    fn pruned_bytes(nodes: usize) -> u64 {
        Nodes::bytes(nodes)
    }

    fn set_root(seeds: &mut Seeds<Nodes>, tables: &VectorTables, root: Root) {
        if seeds.nodes.room() == 0 {
            seeds.nodes = Nodes::with_room(1);
        }
        seeds.nodes.len = 0;
        let Root { board, blank, planes, ranks, meta } = root;
        let meta = meta | (node::key(blank, node::ROOT_MOVE) as u64) << node::KEY;
        seeds.nodes.push(Node { board, planes, ranks, meta, state: tables.rows.start(blank) });
        (seeds.order, seeds.raised) = (vec![0], 0);
    }

    fn start_iteration(&mut self, _: &Seeds<Nodes>, seed_links: usize) {
        self.stack.len = 0;
        (self.waiting.first, self.waiting.nodes.len) = (0, 0);
        self.links.clear(seed_links);
        self.pruned.len = 0;
        self.keeps_pruned = false;
        self.goal = None;
        self.claimed = 0..0;
    }

    fn keep_pruned(&mut self, nodes: usize) {
        if self.pruned.room() < nodes {
            self.pruned = Nodes::with_room(nodes);
        }
        self.keeps_pruned = true;
    }

    fn run(&mut self, tables: &VectorTables, queue: &Queue<'_, Nodes>, left: &mut u64) -> Pause {
        // SAFETY: `VectorTables` exist only on machines with AVX-512.
        unsafe { stages::run(self, &tables.tables, &tables.rows, queue, left) }
    }

    fn take_generated(&mut self) -> u64 {
        std::mem::take(&mut self.generated)
    }

    fn goal(&self) -> Option<(u32, u32)> {
        self.goal
    }

    fn links(&mut self) -> &mut ParentLinks {
        &mut self.links
    }

    fn replace_seeds(&mut self, seeds: &mut Seeds<Nodes>) -> bool {
        if !self.keeps_pruned || self.links.base as usize + self.links.len > MAX_SEED_LINKS {
            return false;
        }
        // The old seeds stay in `pruned` for their memory to be reused.
        std::mem::swap(&mut seeds.nodes, &mut self.pruned);
        let metas = &seeds.nodes.metas[..seeds.nodes.len];
        sort(
            &mut seeds.order,
            metas.iter().enumerate().map(|(number, &meta)| (depth(meta), number as u32)),
        );
        seeds.raised = 0;
        true
    }
}
