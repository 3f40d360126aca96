//! What a search does with nodes that depends on the machine.

use super::node::{Child, Node, SUMS};
use super::tables::Tables;

/// What a node does on some machine.
pub trait Steps: Copy {
    /// The child of `node` by the move `STEP`, which is legal, before it is looked up.
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child);
    /// The bits of a child, one for each of its places.
    fn look(self, tables: &Tables, words: &[u64], child: &Child) -> u32;
    /// Which patterns of a child have the blank outside of the largest region.
    fn pockets(self, tables: &Tables, child: &Child) -> u8;
    /// Finds the layouts of a child of these patterns.
    fn mend(self, tables: &Tables, child: &mut Child);
    /// The slack of a child of `node` whose distances grow in these places, and whether none is below `-beyond`.
    fn slack(
        self,
        tables: &Tables,
        node: &Node,
        child: &Child,
        grown: u32,
        slack: &mut [i8; SUMS],
        beyond: i8,
    ) -> bool;
    /// Makes `into` the child of `node`: all but bits, parities and slack.
    fn place(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node);
    /// The masks of a node, made of its board.
    fn masks(self, tables: &Tables, node: &mut Node);
    /// The bits of `from` at the places of `set`, moved together, and back.
    fn extract(self, from: u32, set: u32) -> u32;
    fn deposit(self, from: u32, set: u32) -> u32;
}
