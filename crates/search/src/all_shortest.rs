//! All shortest paths, once their length is known: walked one by one, or counted layer by layer.

use std::ops::ControlFlow;

use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::Path;
use crate::space::{ActionSet, Cost, Packable, Reversible, StateSpace};
use crate::stop::Stop;

/// Calls `visit` with each shortest path from `start` to a goal, as soon as it is found; `cost` is
/// what those paths cost, known from a search for one of them. Returns [`ControlFlow::Break`] if
/// `visit` did.
///
/// Order: lexicographic in the order of the space's actions, each path once. The heuristic must be
/// admissible; where it is exact, nothing is expanded that is not on a shortest path.
///
/// Walks depth-first through all paths whose f is within `cost`. Those that take a move back are left
/// out, as they are never shortest; no other pruning is sound here, since of two paths to the same
/// state both count. Cost: memory in proportion to `cost`; a state is expanded once for each path to
/// it.
///
/// # Errors
/// The limit that was reached; the paths found before were visited.
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
    let mut stack = vec![Open::new(space, start.clone(), memo, 0, None, meter)?];
    while let Some(open) = stack.last_mut() {
        let Some(action) = open.left.next() else {
            stack.pop();
            path.pop();
            continue;
        };
        let child = space.successor(&open.state, action);
        let memo = heuristic.update(space, open.memo, &open.state, action, &child);
        let g = open.g + space.action_cost(&open.state, action);
        if g.saturating_add(heuristic.value(&memo)) > cost {
            continue;
        }
        path.push(action);
        if g < cost {
            meter.reserve(vec_bytes(&stack, 1) + vec_bytes(&path, 1))?;
            stack.push(Open::new(space, child, memo, g, Some(action), meter)?);
            continue;
        }
        if space.is_goal(&child) && visit(&path).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        path.pop();
    }
    Ok(ControlFlow::Continue(()))
}

/// A node on the current path, and the actions that are still to be tried there.
struct Open<S: StateSpace, M> {
    state: S::State,
    memo: M,
    g: Cost,
    left: <S::Actions as IntoIterator>::IntoIter,
}

impl<S: Reversible, M> Open<S, M> {
    /// Expands a node that `via` led to.
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
        Ok(Self { state, memo, g, left: actions.into_iter() })
    }
}

/// How many shortest paths lead from `start` to a goal; `cost` is what they cost, and every action
/// must cost 1. The heuristic must be admissible.
///
/// Goes from layer to layer: the states that some path within `cost` reaches in so many actions, each
/// with the number of its paths, so a state is expanded once however many paths lead to it. Cost: two
/// layers of memory. If that is more than allowed, the paths are walked one by one instead.
///
/// # Errors
/// The limit that was reached; [`Stop::Number`] if the number does not fit 128 bits.
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

/// Some paths to a state, all with the same last action.
struct Ways<A, M> {
    count: u128,
    memo: M,
    via: Option<A>,
}

/// A layer: keys of states, each with the place of some paths to it. So little code depends on what the paths
/// carry, and keys are sorted, not memos.
struct Layer<K, A, M> {
    keys: Vec<(K, u32)>,
    ways: Vec<Ways<A, M>>,
}

impl<K: Copy + Ord, A, M> Layer<K, A, M> {
    fn new() -> Self {
        Self { keys: Vec::new(), ways: Vec::new() }
    }

    fn push(&mut self, key: K, ways: Ways<A, M>) -> Result<(), Stop> {
        let place = u32::try_from(self.ways.len()).map_err(|_| Stop::Memory)?;
        self.keys.push((key, place));
        self.ways.push(ways);
        Ok(())
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.ways.clear();
    }

    /// Bytes once so many more are in.
    fn bytes(&self, extra: usize) -> u64 {
        vec_bytes(&self.keys, extra) + vec_bytes(&self.ways, extra)
    }

    /// The paths to the state of these keys, which are the same.
    fn to<'a>(&'a self, keys: &'a [(K, u32)]) -> impl Iterator<Item = &'a Ways<A, M>> {
        keys.iter().map(|&(_, place)| &self.ways[place as usize])
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
    // The two change places, for memory that is given back is not always there for others.
    let (mut layer, mut next) = (Layer::new(), Layer::new());
    let memo = heuristic.memo(space, start);
    layer.push(space.pack(start), Ways { count: 1, memo, via: None })?;
    for left in (0..cost).rev() {
        for same in layer.keys.chunk_by(|a, b| a.0 == b.0) {
            let state = space.unpack(same[0].0);
            // Whatever leads back to where some shortest path came from is on none.
            let actions = layer.to(same).fold(space.actions(&state), |actions, ways| {
                actions.without(ways.via.map(|via| space.inverse(via)))
            });
            let children = actions.count();
            meter.reserve(layer.bytes(0) + next.bytes(children as usize))?;
            meter.expand()?;
            meter.generate(children);
            (1..same.len()).for_each(|_| meter.duplicate());
            let count = total(layer.to(same).map(|ways| ways.count))?;
            let memo = layer.ways[same[0].1 as usize].memo;
            for action in actions {
                let child = space.successor(&state, action);
                let memo = heuristic.update(space, memo, &state, action, &child);
                if heuristic.value(&memo) <= left {
                    next.push(space.pack(&child), Ways { count, memo, via: Some(action) })?;
                }
            }
        }
        sort(&mut next.keys, meter)?;
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    layer.keys.retain(|&(key, _)| space.is_goal(&space.unpack(key)));
    total(layer.to(&layer.keys).map(|ways| ways.count))
}

fn total(mut counts: impl Iterator<Item = u128>) -> Result<u128, Stop> {
    counts.try_fold(0_u128, |sum, count| sum.checked_add(count)).ok_or(Stop::Number)
}

/// Sorts in pieces, so that limits are looked at between them.
fn sort<K: Copy + Ord>(keys: &mut [(K, u32)], meter: &mut Meter<'_>) -> Result<(), Stop> {
    const PIECE: usize = 1 << 16;
    if keys.len() > PIECE {
        meter.check()?;
        let few = keys.len() / 16;
        let (lesser, others) = part(keys);
        // In some orders one part is always small, which would take quadratic time.
        if lesser.len().min(others.len()) >= few {
            sort(lesser, meter)?;
            return sort(others, meter);
        }
    }
    keys.sort_unstable();
    Ok(())
}

/// Brings the keys that are less than a middle one before the others.
fn part<T: Copy + Ord>(keys: &mut [T]) -> (&mut [T], &mut [T]) {
    let mut samples = [keys[0], keys[keys.len() / 2], keys[keys.len() - 1]];
    samples.sort_unstable();
    let mut lesser = 0;
    for place in 0..keys.len() {
        if keys[place] < samples[1] {
            keys.swap(place, lesser);
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

    /// How many shortest paths each stack has, by one breadth-first walk from the goal.
    fn numbers(space: &Pancakes) -> HashMap<[u8; 8], (Cost, u128)> {
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
    fn every_shortest_path_is_found_once_and_in_order() {
        let space = Pancakes::new(6);
        let numbers = numbers(&space);
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
    fn many_keys_are_sorted_in_pieces() {
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
    fn numbers_beyond_128_bits_are_refused() {
        assert_eq!(total([u128::MAX, 1].into_iter()), Err(Stop::Number));
    }

    #[test]
    fn who_has_seen_enough_is_told_no_more() {
        let space = Pancakes::new(6);
        let numbers = numbers(&space);
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
    fn limits_hold_and_little_memory_is_enough_to_count() {
        let space = Pancakes::new(8);
        let numbers = numbers(&space);
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
