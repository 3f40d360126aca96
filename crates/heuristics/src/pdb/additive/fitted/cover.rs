//! Partitions into given patterns.

use loyd_tiles::CellSet;

/// The most partitions that are found.
const MOST: usize = 20_000;

/// All ways to divide `tiles` into up to `most` of `patterns`, by their places and in the order of their first cells; as
/// far as there are not too many.
pub fn covers(tiles: CellSet, patterns: &[(CellSet, usize)], most: usize) -> Vec<Vec<usize>> {
    let mut by_first = vec![Vec::new(); CellSet::MAX_CELLS];
    for (place, &(cells, _)) in patterns.iter().enumerate() {
        if let Some(first) = cells.first() {
            by_first[usize::from(first)].push((cells, place));
        }
    }
    let mut all = Vec::new();
    cover(&by_first, (tiles, most), &mut Vec::new(), &mut all);
    all
}

fn cover(
    by_first: &[Vec<(CellSet, usize)>],
    (free, most): (CellSet, usize),
    chosen: &mut Vec<usize>,
    all: &mut Vec<Vec<usize>>,
) {
    let Some(first) = free.first() else {
        all.push(chosen.clone());
        return;
    };
    for &(cells, place) in &by_first[usize::from(first)] {
        if cells.without(free).is_empty() && most > 0 && all.len() < MOST {
            chosen.push(place);
            cover(by_first, (free.without(cells), most - 1), chosen, all);
            chosen.pop();
        }
    }
}
