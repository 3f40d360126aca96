//! All shortest paths, once their cost is known: enumerated one by one, or counted layer by layer.

use std::ops::ControlFlow;

use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::{Path, Stop};
use crate::space::{ActionSet, Cost, Packable, Reversible, StateSpace};

/// Calls `visit` with each shortest path from `start` to a goal as soon as it is found. `cost` is their cost, known
/// from a search for one of them. Returns [`ControlFlow::Break`] if `visit` did.
///
/// Order: lexicographic in the order of the space's actions, each path once. The heuristic must be admissible; if it is
/// exact, only nodes on shortest paths are expanded.
///
/// Searches all paths whose f is within `cost` depth first. Paths that undo a move are skipped, since they are never
/// shortest. No other pruning is sound, because two paths to the same state both count. Cost: memory proportional to
/// `cost`; a state is expanded once for each path to it.
///
/// # Errors
/// The limit that was reached; the paths found before it have been visited.
pub fn all_shortest<S, H>(
    space: &S,
    heuristic: &H,
    start: &S::State,
    cost: Cost,
    meter: &mut Meter<'_>,
    visit: &mut dyn FnMut(&[S::Action]) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Stop>
where
    S: Reversible,
    H: IncrementalHeuristic<S>,
{
    if cost == 0 {
        let found = space.is_goal(start);
        return Ok(if found { visit(&[]) } else { ControlFlow::Continue(()) });
    }
    let mut path: Path<S::Action> = Path::new();
    let memo = heuristic.memo(space, start);
    let mut stack = vec![PathNode::new(space, start.clone(), memo, 0, None, meter)?];
    while let Some(node) = stack.last_mut() {
        let Some(action) = node.untried.next() else {
            stack.pop();
            path.pop();
            continue;
        };
        let child = space.successor(&node.state, action);
        let memo = heuristic.update(space, node.memo, &node.state, action, &child);
        let g = node.g + space.action_cost(&node.state, action);
        if g.saturating_add(heuristic.value(&memo)) > cost {
            continue;
        }
        path.push(action);
        if g < cost {
            meter.reserve(vec_bytes(&stack, 1) + vec_bytes(&path, 1))?;
            stack.push(PathNode::new(space, child, memo, g, Some(action), meter)?);
            continue;
        }
        if space.is_goal(&child) && visit(&path).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        path.pop();
    }
    Ok(ControlFlow::Continue(()))
}

/// A node on the current path, and its actions that have not been tried.
struct PathNode<S: StateSpace, M> {
    state: S::State,
    memo: M,
    g: Cost,
    untried: <S::Actions as IntoIterator>::IntoIter,
}

impl<S: Reversible, M> PathNode<S, M> {
    /// Expands a node, reached by the action `via`.
    fn new(
        space: &S,
        state: S::State,
        memo: M,
        g: Cost,
        via: Option<S::Action>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        meter.expand()?;
        let actions = space.actions(&state).without(via.map(|via| space.inverse(via)));
        meter.generate(actions.count());
        Ok(Self { state, memo, g, untried: actions.into_iter() })
    }
}

/// Returns the number of shortest paths from `start` to a goal. `cost` is their cost, and every action must cost 1. The
/// heuristic must be admissible.
///
/// Works layer by layer: a layer holds the states that some path within `cost` reaches by a given number of actions,
/// each with its number of paths. So a state is expanded once per layer, however many paths lead to it. Cost: the
/// memory of two layers. If that exceeds the limit, the paths are enumerated one by one instead.
///
/// # Errors
/// The limit that was reached; [`Stop::Number`] if the number does not fit in 128 bits.
pub fn count_shortest<S, H>(
    space: &S,
    heuristic: &H,
    start: &S::State,
    cost: Cost,
    meter: &mut Meter<'_>,
) -> Result<u128, Stop>
where
    S: Packable + Reversible,
    H: IncrementalHeuristic<S>,
{
    match count_by_layers(space, heuristic, start, cost, meter) {
        Err(Stop::Memory) => {
            let mut count = 0;
            let walked = all_shortest(space, heuristic, start, cost, meter, &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            walked.map(|_| count)
        }
        counted => counted,
    }
}

/// A number of paths to a state, all with the same last action.
struct PathGroup<A, M> {
    count: u128,
    memo: M,
    via: Option<A>,
}

/// A layer: the keys of its states, each with the index of a group of paths to it. Sorting keys and indices instead of
/// the groups moves no memos, and less code depends on their type.
struct Layer<K, A, M> {
    keys: Vec<(K, u32)>,
    groups: Vec<PathGroup<A, M>>,
}

impl<K: Copy + Ord, A, M> Layer<K, A, M> {
    fn new() -> Self {
        Self { keys: Vec::new(), groups: Vec::new() }
    }

    fn push(&mut self, key: K, group: PathGroup<A, M>) -> Result<(), Stop> {
        let index = u32::try_from(self.groups.len()).map_err(|_| Stop::Memory)?;
        self.keys.push((key, index));
        self.groups.push(group);
        Ok(())
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.groups.clear();
    }

    /// Returns the bytes once `extra` more entries are in.
    fn bytes(&self, extra: usize) -> u64 {
        vec_bytes(&self.keys, extra) + vec_bytes(&self.groups, extra)
    }

    /// Returns the groups of paths to the state of these keys, which are all equal.
    fn paths_to<'a>(&'a self, keys: &'a [(K, u32)]) -> impl Iterator<Item = &'a PathGroup<A, M>> {
        keys.iter().map(|&(_, index)| &self.groups[index as usize])
    }
}

fn count_by_layers<S, H>(
    space: &S,
    heuristic: &H,
    start: &S::State,
    cost: Cost,
    meter: &mut Meter<'_>,
) -> Result<u128, Stop>
where
    S: Packable + Reversible,
    H: IncrementalHeuristic<S>,
{
    // The two layers swap roles: freed memory might not be available to new vectors.
    let (mut layer, mut next) = (Layer::new(), Layer::new());
    let memo = heuristic.memo(space, start);
    layer.push(space.pack(start), PathGroup { count: 1, memo, via: None })?;
    for left in (0..cost).rev() {
        for same in layer.keys.chunk_by(|a, b| a.0 == b.0) {
            let state = space.unpack(same[0].0);
            // Undoing the last action of any shortest path to this state leads away from the goal.
            let actions = layer.paths_to(same).fold(space.actions(&state), |actions, group| {
                actions.without(group.via.map(|via| space.inverse(via)))
            });
            let children = actions.count();
            meter.reserve(layer.bytes(0) + next.bytes(children as usize))?;
            meter.expand()?;
            meter.generate(children);
            (1..same.len()).for_each(|_| meter.duplicate());
            let count = total(layer.paths_to(same).map(|group| group.count))?;
            let memo = layer.groups[same[0].1 as usize].memo;
            for action in actions {
                let child = space.successor(&state, action);
                let memo = heuristic.update(space, memo, &state, action, &child);
                if heuristic.value(&memo) <= left {
                    next.push(space.pack(&child), PathGroup { count, memo, via: Some(action) })?;
                }
            }
        }
        sort(&mut next.keys, meter)?;
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    layer.keys.retain(|&(key, _)| space.is_goal(&space.unpack(key)));
    total(layer.paths_to(&layer.keys).map(|group| group.count))
}

fn total(mut counts: impl Iterator<Item = u128>) -> Result<u128, Stop> {
    counts.try_fold(0_u128, |sum, count| sum.checked_add(count)).ok_or(Stop::Number)
}

/// Sorts in pieces, with a limit check between them.
fn sort<K: Copy + Ord>(keys: &mut [(K, u32)], meter: &mut Meter<'_>) -> Result<(), Stop> {
    const PIECE: usize = 1 << 16;
    if keys.len() > PIECE {
        meter.check()?;
        let few = keys.len() / 16;
        let (lesser, others) = partition(keys);
        // In some orders, one part is always small, and recursion would take quadratic time.
        if lesser.len().min(others.len()) >= few {
            sort(lesser, meter)?;
            return sort(others, meter);
        }
    }
    keys.sort_unstable();
    Ok(())
}

/// Partitions the keys around the median of three samples: first the smaller ones, then all others.
fn partition<T: Copy + Ord>(keys: &mut [T]) -> (&mut [T], &mut [T]) {
    let mut samples = [keys[0], keys[keys.len() / 2], keys[keys.len() - 1]];
    samples.sort_unstable();
    let mut lesser = 0;
    for index in 0..keys.len() {
        if keys[index] < samples[1] {
            keys.swap(index, lesser);
            lesser += 1;
        }
    }
    keys.split_at_mut(lesser)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::heuristic::Zero;
    use crate::limits::{CancelToken, Limits};
    use crate::retrograde::retrograde;
    use crate::space::{Goals, Rankable};
    use crate::testkit::{Gap, Pancakes, Stack};

    /// Returns the distance and the number of shortest paths of each stack, by breadth-first search from the goal.
    fn path_counts(space: &Pancakes) -> HashMap<[u8; 8], (Cost, u128)> {
        let key = |stack: &Stack| space.pack(stack);
        let mut layer = space.goals();
        let mut known: HashMap<_, _> = layer.iter().map(|goal| (key(goal), (0, 1))).collect();
        while !layer.is_empty() {
            let mut next = Vec::new();
            for stack in &layer {
                let (distance, ways) = known[&key(stack)];
                for flip in space.actions(stack) {
                    let child = space.successor(stack, flip);
                    let entry = known.entry(key(&child)).or_insert_with(|| {
                        next.push(child);
                        (distance + 1, 0)
                    });
                    entry.1 += if entry.0 == distance + 1 { ways } else { 0 };
                }
            }
            layer = next;
        }
        known
    }

    fn paths<H: IncrementalHeuristic<Pancakes>>(
        space: &Pancakes,
        heuristic: &H,
        start: &Stack,
        cost: Cost,
    ) -> Vec<Vec<u8>> {
        let mut paths = Vec::new();
        let ended =
            all_shortest(space, heuristic, start, cost, &mut Meter::default(), &mut |path| {
                paths.push(path.to_vec());
                ControlFlow::Continue(())
            });
        assert_eq!(ended, Ok(ControlFlow::Continue(())));
        paths
    }

    #[test]
    fn finds_every_shortest_path_once_and_in_order() {
        let space = Pancakes::new(6);
        let numbers = path_counts(&space);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        for rank in 0..720 {
            let start = space.unrank(rank);
            let (cost, number) = numbers[&space.pack(&start)];
            let found = paths(&space, &Gap, &start, cost);
            assert_eq!(found.len() as u128, number, "{start:?}");
            assert!(found.is_sorted_by(|a, b| a < b), "{start:?}: {found:?}");
            for path in &found {
                assert_eq!(crate::replay(&space, &start, path), Ok(cost));
            }
            assert_eq!(paths(&space, &table, &start, cost), found);
            let mut meter = Meter::default();
            assert_eq!(count_shortest(&space, &Gap, &start, cost, &mut meter), Ok(number));
            assert_eq!(count_shortest(&space, &Zero, &start, cost, &mut meter), Ok(number));
        }
    }

    #[test]
    fn sorting_in_pieces_equals_sorting_at_once() {
        let meter = &mut Meter::default();
        let orders: [fn(u32) -> u32; 5] =
            [|i| i, |i| !i, |i| i.wrapping_mul(2_654_435_761), |_| 7, |i| i.abs_diff(150_000)];
        for order in orders {
            let mut keys: Vec<(u32, u32)> = (0..300_000).map(|i| (order(i), i)).collect();
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            sort(&mut keys, meter).unwrap();
            assert!(keys == sorted, "{:?}", &sorted[..9]);
        }
        let cancel = CancelToken::new();
        cancel.cancel();
        let mut keys: Vec<(u32, u32)> = (0..300_000).map(|i| (!i, i)).collect();
        let stopped = sort(&mut keys, &mut Meter::new(Limits::default(), cancel));
        assert_eq!(stopped, Err(Stop::Cancelled));
    }

    #[test]
    fn counts_beyond_128_bits_are_an_error() {
        assert_eq!(total([u128::MAX, 1].into_iter()), Err(Stop::Number));
    }

    #[test]
    fn visiting_stops_on_break() {
        let space = Pancakes::new(6);
        let numbers = path_counts(&space);
        let (key, (cost, _)) = numbers.iter().max_by_key(|(_, (_, ways))| ways).unwrap();
        let mut seen = 0;
        let start = space.unpack(*key);
        let mut meter = Meter::default();
        let ended = all_shortest(&space, &Gap, &start, *cost, &mut meter, &mut |_| {
            seen += 1;
            if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((ended, seen), (Ok(ControlFlow::Break(())), 2));
    }

    #[test]
    fn limits_hold_and_counting_falls_back_to_enumeration() {
        let space = Pancakes::new(8);
        let numbers = path_counts(&space);
        let (key, (cost, number)) = numbers.iter().max_by_key(|(_, (_, ways))| ways).unwrap();
        let start = space.unpack(*key);
        let count = |limits| {
            let mut meter = Meter::new(limits, CancelToken::new());
            let count = count_shortest(&space, &Gap, &start, *cost, &mut meter);
            (count, meter.finish())
        };
        let (plenty, stats) = count(Limits::default());
        assert_eq!(plenty, Ok(*number));
        let max_bytes = Some(stats.peak_bytes - 1);
        let (scarce, walked) = count(Limits { max_bytes, ..Limits::default() });
        assert_eq!(scarce, Ok(*number));
        assert!(walked.expanded > stats.expanded && walked.peak_bytes < stats.peak_bytes);
        let max_expanded = Some(stats.expanded - 1);
        let (stopped, _) = count(Limits { max_expanded, ..Limits::default() });
        assert_eq!(stopped, Err(Stop::Expanded));
        let cancel = CancelToken::new();
        cancel.cancel();
        let mut meter = Meter::new(Limits::default(), cancel);
        let walked = all_shortest(&space, &Gap, &start, *cost, &mut meter, &mut |_| panic!());
        assert_eq!(walked, Err(Stop::Cancelled));
    }
}
