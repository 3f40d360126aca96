//! Partitions at random.

use loyd_tiles::{CellGraph, CellSet, Random};

/// Divides `free` into connected sets of so many cells each, as compact ones as chance allows; `None` if cells are
/// left over.
pub fn grown(
    graph: &CellGraph,
    mut free: CellSet,
    sizes: &[usize],
    random: &mut Random,
) -> Option<Vec<CellSet>> {
    let mut all = Vec::new();
    for &size in sizes {
        // Cells in corners first: nobody else could reach them later.
        let lonely = |&cell: &u8, random: &mut Random| (near(graph, cell, free), random.below(100));
        let first = free.iter().min_by_key(|cell| lonely(cell, random))?;
        let mut set = CellSet::of(first);
        free = free.without(set);
        while set.len() < size {
            let beside = free.iter().filter(|&cell| near(graph, cell, set) > 0);
            let rank = |&cell: &u8| {
                let compact = 3 * near(graph, cell, set) + 2 * (4 - near(graph, cell, free));
                (compact as u64 + random.below(5), cell)
            };
            let next = CellSet::of(beside.max_by_key(rank)?);
            set |= next;
            free = free.without(next);
        }
        all.push(set);
    }
    free.is_empty().then_some(all)
}

/// How many cells of `set` lie beside `cell`.
fn near(graph: &CellGraph, cell: u8, set: CellSet) -> usize {
    (graph.beside(cell) & set).len()
}
