//! Breadth-first search, and what it costs to look for known states in a list.

use super::{Answer, GOAL, PERMUTATIONS, State, children, rank};

/// All states from which the goal can be reached, with their distances, nearest first.
pub fn all_states() -> Vec<(State, u32)> {
    let mut known = vec![false; PERMUTATIONS];
    let mut states = vec![(GOAL, 0)];
    known[rank(&GOAL)] = true;
    let mut next = 0;
    while next < states.len() {
        let (state, distance) = states[next];
        next += 1;
        for child in children(&state) {
            if !std::mem::replace(&mut known[rank(&child)], true) {
                states.push((child, distance + 1));
            }
        }
    }
    states
}

/// What breadth-first search does until it generates the goal.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// The length of the solution, and the states whose moves were tried.
    pub answer: Answer,
    /// How often a generated state was looked up. An array answers each of these at once.
    pub lookups: u64,
    /// How many states a program compares if it keeps the known ones in a list, in the order in which they came, and
    /// goes through it from the beginning. They are counted without being done: the place in the list tells.
    pub comparisons: u64,
}

/// Searches from a board that can be solved.
pub fn breadth_first(start: &State) -> Work {
    /// The place of a state that is not in the list.
    const NOWHERE: u32 = u32::MAX;
    let mut place = vec![NOWHERE; PERMUTATIONS];
    place[rank(start)] = 0;
    let mut list = vec![(*start, 0)];
    let mut work = Work { answer: Answer { length: 0, expanded: 0 }, lookups: 0, comparisons: 0 };
    let mut next = 0;
    if *start == GOAL {
        return work;
    }
    loop {
        let (state, g) = list[next];
        next += 1;
        work.answer.expanded += 1;
        for child in children(&state) {
            work.lookups += 1;
            let known = &mut place[rank(&child)];
            if *known != NOWHERE {
                work.comparisons += u64::from(*known) + 1;
                continue;
            }
            work.comparisons += list.len() as u64;
            *known = list.len() as u32;
            list.push((child, g + 1));
            if child == GOAL {
                work.answer.length = g + 1;
                return work;
            }
        }
    }
}
