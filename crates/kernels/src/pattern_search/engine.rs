//! The interface of an engine, which does the work of one thread.

use loyd_search::{Meter, Stop};

use super::links::ParentLinks;
use super::seeds::{Queue, Seeds};

/// A search that can be interrupted and resumed: the work of one thread.
pub trait Engine: Send {
    /// Constants that all engines of a search share.
    type Tables: Sync;
    /// The nodes of the seeds.
    type Nodes: Default + Sync;

    /// Maximum number of nodes beyond the bound that are kept as seeds of the next iteration.
    const MAX_FRONTIER: usize;

    /// Creates an idle engine.
    fn new() -> Self;

    /// Returns the memory of the constants in bytes, without the database and its [`Tables`](super::tables::Tables).
    fn table_bytes(tables: &Self::Tables) -> u64;

    /// Returns the memory of an engine in bytes, without the nodes that it keeps beyond the bound.
    fn bytes() -> u64;

    /// Returns the memory that `nodes` nodes beyond the bound take, in bytes.
    fn pruned_bytes(nodes: usize) -> u64;

    /// Makes the start of a search the only seed.
    fn set_root(seeds: &mut Seeds<Self::Nodes>, tables: &Self::Tables, root: Root);

    /// Prepares for an iteration from `seeds`, which have `seed_links` parent links.
    fn start_iteration(&mut self, seeds: &Seeds<Self::Nodes>, seed_links: usize);

    /// Starts keeping nodes beyond the bound, up to `nodes` of them.
    fn keep_pruned(&mut self, nodes: usize);

    /// Searches below the seeds of `queue` until `left` nodes have been expanded, and decrements `left` accordingly. All
    /// calls of a search pass the same tables.
    fn run(
        &mut self,
        tables: &Self::Tables,
        queue: &Queue<'_, Self::Nodes>,
        left: &mut u64,
    ) -> Pause;

    /// Returns the number of children generated since the last call.
    fn take_generated(&mut self) -> u64;

    /// Returns the parent link and depth of the goal, once found.
    fn goal(&self) -> Option<(u32, u32)>;

    /// Returns the parent links.
    fn links(&mut self) -> &mut ParentLinks;

    /// Makes the nodes beyond the bound the seeds of the next iteration, if all of them were kept and their parent
    /// links fit into the seeds' list of links. Returns whether they were replaced. Otherwise the old seeds stay in use.
    fn replace_seeds(&mut self, seeds: &mut Seeds<Self::Nodes>) -> bool;
}

/// The start of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Root {
    /// Goal cell of the tile on each cell, four bits per cell.
    pub board: u64,
    /// Cell of the blank.
    pub blank: usize,
    /// Pattern number of the tile on each cell, as two bit planes per half.
    pub planes: u64,
    /// Permutation ranks of the patterns.
    pub ranks: u64,
    /// Distances modulo 4, and the slack.
    pub meta: u64,
}

/// Why an engine pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// A goal was found.
    Goal,
    /// The allowed number of nodes has been expanded, and there are more.
    Spent,
    /// No node within the bound is left.
    Empty,
    /// There is no room for parent links.
    Full,
}

/// Number of nodes expanded between two limit checks.
const SLICE: u64 = 2048;

/// Runs the engine until it has found a goal or has nothing left to do.
///
/// # Errors
/// The limit that was reached, or [`Stop::Memory`] if there is no room for parent links.
pub fn finish<E: Engine>(
    engine: &mut E,
    tables: &E::Tables,
    queue: &Queue<'_, E::Nodes>,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let mut granted = 0;
    loop {
        let mut left = granted;
        let pause = engine.run(tables, queue, &mut left);
        meter.expand_many(granted - left);
        meter.generate(engine.take_generated());
        match pause {
            Pause::Goal | Pause::Empty => return Ok(()),
            Pause::Full => return Err(Stop::Memory),
            Pause::Spent => {}
        }
        meter.check()?;
        granted = meter.remaining_expansions().min(SLICE);
        if granted == 0 {
            return Err(Stop::Expanded);
        }
    }
}
