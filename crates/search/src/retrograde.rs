//! Retrograde analysis: the distance of every state from the goal, by one search backwards.

use crate::levels::level_by_level;
use crate::memory::{vec_bytes, zeroed};
use crate::meter::Meter;
use crate::outcome::{Outcome, Path};
use crate::space::{ActionSet, Cost, Goals, Rankable, Reversible, StateSpace};
use crate::stop::Stop;
use crate::trace::NodeEvent::{End, Generating, Source};
use crate::trace::{TracedNode, Tracer, Untraced, tell, tell_expanding};
use crate::walk_down::walk_down;
use crate::{Heuristic, IncrementalHeuristic};

/// The distance of every state of a [`Rankable`] space from its nearest goal, in unit moves.
///
/// Shape: `table[rank]`, two bytes a state. As a heuristic it is perfect: admissible, consistent and
/// exact. It knows states from which a goal can be reached, and nothing of any others: whoever asks
/// must have tested that first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceTable {
    /// Distance + 1, so that memory that comes zeroed says that no state has been met.
    entries: Vec<u16>,
    census: Vec<u64>,
}

impl DistanceTable {
    /// How many states there are at each distance, from 0 to the largest.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// The distances by rank.
    pub fn distances(&self) -> impl ExactSizeIterator<Item = Cost> + '_ {
        self.entries.iter().map(|&entry| Self::of_entry(entry))
    }

    /// The distance of `state`.
    #[inline]
    pub fn distance<S: Rankable>(&self, space: &S, state: &S::State) -> Cost {
        Self::of_entry(self.entries[space.rank(state) as usize])
    }

    #[inline]
    fn of_entry(entry: u16) -> Cost {
        entry.wrapping_sub(1).into()
    }
}

/// Builds the [`DistanceTable`] of `space`, a layer at a time; each layer is an iteration.
///
/// The space's actions must cost 1 each. A state may have been reached by several last moves, so
/// all its children count as generated. Cost: one expansion a state; two bytes a state, touched as
/// states are met, and the states of two layers.
///
/// # Errors
/// The limit that was reached; [`Stop::Memory`] also when the states cannot be numbered, and
/// [`Stop::Depth`] for distances of 65,535 and more.
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
    let census = level_by_level(layer.len() as u64, |distance, _| {
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
        meter.iteration(Cost::from(entry) - 2)?;
        layer = next;
        Ok(layer.len() as u64)
    })?;
    Ok(DistanceTable { entries, census })
}

/// Follows an exact heuristic downhill from `start`: each move is the first, in the order of the
/// space, that brings the goal one nearer.
///
/// Cost: an expansion a move of the solution.
pub fn descend<S: Reversible, H: IncrementalHeuristic<S>>(
    space: &S,
    exact: &H,
    start: &S::State,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action> {
    descend_traced(space, exact, start, (meter, Untraced))
}

/// [`descend`], which tells `tracer` of each node.
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
    if let Err(stop) = tell(&mut tracer, || (Source, on_path(exact, start, &memo, None, 0))) {
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
        tell_expanding(&mut tracer, space, actions, here)?;
        for action in actions {
            let child = space.successor(&state, action);
            let child_memo = exact.update(space, memo, &state, action, &child);
            let there = || on_path(exact, &child, &child_memo, Some(action), steps + 1);
            tell(&mut tracer, || (Generating, there()))?;
            if exact.value(&child_memo) < exact.value(&memo) {
                if exact.value(&child_memo) == 0 {
                    tell(&mut tracer, || (End, there()))?;
                }
                path.push(action);
                return Ok((child, child_memo));
            }
        }
        unreachable!("an exact distance falls along some move")
    });
    match walked {
        Ok(cost) => Outcome::Solved { path, cost },
        Err(stop) => Outcome::Stopped(stop),
    }
}

/// The node at the end of a path of so many steps.
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::limits::{CancelToken, Limits};
    use crate::outcome::replay;
    use crate::space::StateSpace;
    use crate::testkit::{Flips, Pancakes, Stack};

    /// Pancake numbers: 5, 7 and 8 flips for the worst stack of 5, 6 and 7.
    #[test]
    fn the_worst_stacks_of_pancakes_are_those_of_the_literature() {
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

    /// A lot of places, all but two of which are never met.
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

    /// Writing to a gigabyte takes far longer than this.
    #[test]
    fn places_are_not_touched_before_they_are_used() {
        let begun = Instant::now();
        let table = retrograde(&Sparse(Pancakes::whole_flips(5)), &mut Meter::default()).unwrap();
        assert_eq!(table.census(), [1, 1]);
        assert!(begun.elapsed() < Duration::from_millis(100), "took {:?}", begun.elapsed());
        assert_eq!(table.distances().next(), Some(0));
    }

    #[test]
    fn limits_hold_while_building() {
        let space = Pancakes::new(7);
        let stop =
            |limits| retrograde(&space, &mut Meter::new(limits, CancelToken::new())).unwrap_err();
        assert_eq!(stop(Limits { max_expanded: Some(100), ..Limits::default() }), Stop::Expanded);
        assert_eq!(stop(Limits { max_bytes: Some(10_000), ..Limits::default() }), Stop::Memory);
    }
}
