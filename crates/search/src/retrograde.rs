//! Retrograde analysis: the distance of every state from the goal, by one backward search, and walks along distances down
//! to the goal.
//!
//! Tables encode which neighbour is nearer in different ways: as the distance, the distance modulo 3 or 4, or one bit
//! for both states. So the caller of [`walk_down`] and [`walk_interleaved`] supplies the function that finds the
//! neighbour.

use crate::heuristic::{Heuristic, IncrementalHeuristic};
use crate::memory::{vec_bytes, zeroed};
use crate::meter::Meter;
use crate::outcome::{Outcome, Path, Stop};
use crate::space::{ActionSet, Cost, Goals, Rankable, Reversible, StateSpace};
use crate::trace::NodeEvent::{Generated, Root, Solution};
use crate::trace::{NoTracer, TracedNode, Tracer, emit, emit_expansion};

/// The distance of every state of a [`Rankable`] space from its nearest goal, in unit moves.
///
/// Shape: `table[rank]`, two bytes per state. As a heuristic it is perfect: admissible, consistent and exact. It covers
/// only states from which a goal can be reached: callers must test that first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceTable {
    /// Distance + 1, so that zeroed memory marks all states as not met.
    entries: Vec<u16>,
    census: Vec<u64>,
}

impl DistanceTable {
    /// Returns the number of states at each distance, from 0 to the largest.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// Returns the distances by rank.
    pub fn distances(&self) -> impl ExactSizeIterator<Item = Cost> + '_ {
        self.entries.iter().map(|&entry| Self::of_entry(entry))
    }

    /// Returns the distance of `state`.
    #[inline]
    pub fn distance<S: Rankable>(&self, space: &S, state: &S::State) -> Cost {
        Self::of_entry(self.entries[space.rank(state) as usize])
    }

    #[inline]
    fn of_entry(entry: u16) -> Cost {
        entry.wrapping_sub(1).into()
    }
}

impl<S: Rankable> Heuristic<S> for DistanceTable {
    #[inline]
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.distance(space, state)
    }
}

impl<S: Rankable> IncrementalHeuristic<S> for DistanceTable {
    type Memo = Cost;

    fn memo(&self, space: &S, state: &S::State) -> Cost {
        self.h(space, state)
    }

    #[inline]
    fn update(&self, space: &S, _: Cost, _: &S::State, _: S::Action, child: &S::State) -> Cost {
        self.h(space, child)
    }

    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

/// Builds the [`DistanceTable`] of `space`, one layer at a time. Each layer is one iteration.
///
/// Every action must cost 1. A state may be reached by several last moves, so all its children count as generated.
/// Cost: one expansion per state; two bytes per state, touched only when the state is met, and the states of two
/// layers.
///
/// # Errors
/// The limit that was reached; [`Stop::Memory`] also if the states cannot be numbered, and [`Stop::Depth`] for
/// distances of 65,535 and more.
///
/// # References
/// Schofield (1967), "Complete solution of the 'Eight-Puzzle'", Machine Intelligence 1.
pub fn retrograde<S>(space: &S, meter: &mut Meter<'_>) -> Result<DistanceTable, Stop>
where
    S: Rankable + Reversible + Goals,
{
    let states = space.state_count().ok_or(Stop::Memory)?;
    let table_bytes = states.saturating_mul(size_of::<u16>() as u64);
    meter.reserve(table_bytes)?;
    let mut entries: Vec<u16> = zeroed(states)?;
    let mut layer = space.goals();
    for goal in &layer {
        entries[space.rank(goal) as usize] = 1;
    }
    let census = breadth_first_levels(layer.len() as u64, |distance, _| {
        let entry = u16::try_from(distance + 1).map_err(|_| Stop::Depth)?;
        let mut next = Vec::new();
        for state in &layer {
            let actions = space.actions(state);
            let children = actions.count();
            let layers = vec_bytes(&layer, 0) + vec_bytes(&next, children as usize);
            meter.reserve(table_bytes + layers)?;
            meter.expand()?;
            meter.generate(children);
            for action in actions {
                let child = space.successor(state, action);
                let known = &mut entries[space.rank(&child) as usize];
                if *known == 0 {
                    *known = entry;
                    next.push(child);
                } else {
                    meter.duplicate();
                }
            }
        }
        meter.end_iteration(Cost::from(entry) - 2)?;
        layer = next;
        Ok(layer.len() as u64)
    })?;
    Ok(DistanceTable { entries, census })
}

/// Runs a search that finds all states at one distance before the next, starting from `goals` states at distance 0, and
/// returns the number of states at each distance.
///
/// `advance` receives the next distance and the number of states found so far, and returns the number of states found
/// at that distance. The search ends when it returns 0.
///
/// # Errors
/// The first error of `advance`.
pub fn breadth_first_levels(
    goals: u64,
    mut advance: impl FnMut(usize, u64) -> Result<u64, Stop>,
) -> Result<Vec<u64>, Stop> {
    let (mut census, mut met) = (vec![goals], goals);
    loop {
        let reached = advance(census.len(), met)?;
        if reached == 0 {
            return Ok(census);
        }
        census.push(reached);
        met += reached;
    }
}

/// Follows an exact heuristic from `start` to a goal: each move is the first one, in the order of the space, that
/// decreases the distance.
///
/// Cost: one expansion per move of the solution.
pub fn descend<S: Reversible, H: IncrementalHeuristic<S>>(
    space: &S,
    exact: &H,
    start: &S::State,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action> {
    descend_traced(space, exact, start, (meter, NoTracer))
}

/// Like [`descend`], but reports each node to `tracer`.
pub fn descend_traced<S: Reversible, H: IncrementalHeuristic<S>, T: Tracer<S>>(
    space: &S,
    exact: &H,
    start: &S::State,
    (meter, mut tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action> {
    let memo = exact.memo(space, start);
    if exact.value(&memo) > meter.limits().depth() {
        return Outcome::Stopped(Stop::Depth);
    }
    if let Err(stop) = emit(&mut tracer, || (Root, on_path(exact, start, &memo, None, 0))) {
        return Outcome::Stopped(stop);
    }
    let mut path = Path::new();
    let is_goal = |(_, memo): &(_, H::Memo)| exact.value(memo) == 0;
    let walked = walk_down((start.clone(), memo), is_goal, |(state, memo), steps| {
        meter.expand()?;
        let last = path.last().copied();
        let actions = space.actions(&state).without(last.map(|last| space.inverse(last)));
        meter.generate(actions.count());
        let here = || on_path(exact, &state, &memo, last, steps);
        emit_expansion(&mut tracer, space, actions, here)?;
        for action in actions {
            let child = space.successor(&state, action);
            let child_memo = exact.update(space, memo, &state, action, &child);
            let there = || on_path(exact, &child, &child_memo, Some(action), steps + 1);
            emit(&mut tracer, || (Generated, there()))?;
            if exact.value(&child_memo) < exact.value(&memo) {
                if exact.value(&child_memo) == 0 {
                    emit(&mut tracer, || (Solution, there()))?;
                }
                path.push(action);
                return Ok((child, child_memo));
            }
        }
        unreachable!("some move decreases an exact distance")
    });
    match walked {
        Ok(cost) => Outcome::Solved { path, cost },
        Err(stop) => Outcome::Stopped(stop),
    }
}

/// Returns the node at the end of a path of `steps` moves.
fn on_path<'a, S: StateSpace, H: IncrementalHeuristic<S>>(
    exact: &H,
    state: &'a S::State,
    memo: &H::Memo,
    last: Option<S::Action>,
    steps: Cost,
) -> TracedNode<'a, S> {
    let from = last.map(|last| (steps - 1, last));
    let h = Some(exact.value(memo));
    TracedNode { id: Some(steps), from, h, ..TracedNode::root(state, steps) }
}

/// Walks from `start` to the goal and returns the number of steps.
///
/// `nearer` moves to a neighbour that is one step nearer, and is called until `is_goal` holds. Its second argument is
/// the number of steps so far, so that it can detect a walk in circles.
///
/// # Errors
/// The first error of `nearer`.
pub fn walk_down<P, E>(
    start: P,
    is_goal: impl Fn(&P) -> bool,
    mut nearer: impl FnMut(P, Cost) -> Result<P, E>,
) -> Result<Cost, E> {
    let (mut here, mut steps) = (start, 0);
    while !is_goal(&here) {
        here = nearer(here, steps)?;
        steps += 1;
    }
    Ok(steps)
}

/// Walks down from many starts, `lanes` of them at a time, one step each in turn.
///
/// Interleaving hides memory latency: a walk prefetches in one turn what it reads in the next. In the table of 3x4
/// boards, 16 interleaved walks take 40% of the time of separate calls of [`walk_down`].
///
/// `step` makes one step and returns whether the walk continues; `finished` receives each walk that has ended, in no
/// particular order. `lanes` is at least 1.
///
/// # Errors
/// The first error of `step`.
pub fn walk_interleaved<W, E>(
    starts: impl IntoIterator<Item = W>,
    lanes: usize,
    mut step: impl FnMut(&mut W) -> Result<bool, E>,
    mut finished: impl FnMut(W),
) -> Result<(), E> {
    let mut starts = starts.into_iter();
    let mut walks: Vec<W> = starts.by_ref().take(lanes).collect();
    while !walks.is_empty() {
        let mut index = 0;
        while index < walks.len() {
            if step(&mut walks[index])? {
                index += 1;
            } else if let Some(next) = starts.next() {
                finished(std::mem::replace(&mut walks[index], next));
            } else {
                finished(walks.swap_remove(index));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::limits::{CancelToken, Limits};
    use crate::outcome::replay;
    use crate::testkit::{Flips, Pancakes, Stack};

    /// Pancake numbers: the worst stacks of 5, 6 and 7 pancakes need 5, 7 and 8 flips.
    #[test]
    fn worst_stacks_match_the_literature() {
        for (n, worst) in [(5, 5), (6, 7), (7, 8)] {
            let space = Pancakes::new(n);
            let table = retrograde(&space, &mut Meter::default()).unwrap();
            assert_eq!(table.census().len(), worst + 1);
            assert_eq!(Some(table.census().iter().sum()), space.state_count());
            for rank in 0..space.state_count().unwrap() {
                let start = space.unrank(rank);
                let distance = table.distance(&space, &start);
                let down = descend(&space, &table, &start, &mut Meter::default());
                let Outcome::Solved { path, cost } = down else { panic!("{down:?}") };
                assert_eq!((replay(&space, &start, &path), cost), (Ok(distance), distance));
            }
        }
    }

    /// A space with many ranks, of which the search reaches only two.
    struct Sparse(Pancakes);

    impl StateSpace for Sparse {
        type State = Stack;
        type Action = u8;
        type Actions = Flips;
        fn actions(&self, state: &Stack) -> Flips {
            self.0.actions(state)
        }
        fn apply(&self, state: &mut Stack, flip: u8) {
            self.0.apply(state, flip);
        }
        fn is_goal(&self, state: &Stack) -> bool {
            self.0.is_goal(state)
        }
    }

    impl Reversible for Sparse {
        fn inverse(&self, flip: u8) -> u8 {
            flip
        }
    }

    impl Goals for Sparse {
        fn goals(&self) -> Vec<Stack> {
            self.0.goals()
        }
    }

    impl Rankable for Sparse {
        fn state_count(&self) -> Option<u64> {
            Some(1 << 29)
        }
        fn rank(&self, state: &Stack) -> u64 {
            self.0.rank(state)
        }
        fn unrank(&self, rank: u64) -> Stack {
            self.0.unrank(rank)
        }
    }

    /// Writing a gigabyte takes far longer than the time allowed here.
    #[test]
    fn table_memory_is_touched_only_where_used() {
        let start = Instant::now();
        let table = retrograde(&Sparse(Pancakes::whole_flips(5)), &mut Meter::default()).unwrap();
        assert_eq!(table.census(), [1, 1]);
        assert!(start.elapsed() < Duration::from_millis(100), "took {:?}", start.elapsed());
        assert_eq!(table.distances().next(), Some(0));
    }

    #[test]
    fn limits_stop_the_build() {
        let space = Pancakes::new(7);
        let stop =
            |limits| retrograde(&space, &mut Meter::new(limits, CancelToken::new())).unwrap_err();
        assert_eq!(stop(Limits { max_expanded: Some(100), ..Limits::default() }), Stop::Expanded);
        assert_eq!(stop(Limits { max_bytes: Some(10_000), ..Limits::default() }), Stop::Memory);
    }

    /// Counts down by 1, but fails at 13.
    fn nearer(here: u32, _: Cost) -> Result<u32, u32> {
        if here == 13 { Err(here) } else { Ok(here - 1) }
    }

    #[test]
    fn walks_end_at_the_goal_or_with_an_error() {
        assert_eq!(walk_down(12, |&here| here == 0, nearer), Ok(12));
        assert_eq!(walk_down(15, |&here| here == 0, nearer), Err(13));
    }

    #[test]
    fn all_interleaved_walks_arrive() {
        let mut arrived = Vec::new();
        let turn = |(_, here): &mut (u32, u32)| {
            let continues = *here > 0;
            *here = here.saturating_sub(1);
            Ok::<_, ()>(continues)
        };
        let starts = (0..10).map(|start| (start, start * 7 % 10));
        walk_interleaved(starts, 3, turn, |(start, _)| arrived.push(start)).unwrap();
        arrived.sort_unstable();
        assert_eq!(arrived, (0..10).collect::<Vec<_>>());
    }
}
