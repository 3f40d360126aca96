//! IDA* with Manhattan distance, as textbooks write it, and with the faults of the programs of the day.

use super::{Answer, GOAL, State, children, manhattan};

/// How the bound rises between two iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raise {
    /// To the least f that was beyond it: right.
    LeastOverrun,
    /// By one: right, but iterations are done in vain.
    One,
    /// **Faulty**: by the least h of all nodes that the iteration saw, the goal's 0 aside, so that shorter solutions are
    /// skipped.
    LeastH,
}

struct Search {
    raise: Raise,
    bound: u32,
    /// The least f of the nodes beyond the bound; for [`Raise::LeastH`], the least h of all nodes but the goal.
    least: u32,
    expanded: u64,
}

/// Searches from a board that can be solved.
pub fn idastar(start: &State, raise: Raise) -> Answer {
    let mut search = Search { raise, bound: manhattan(start), least: u32::MAX, expanded: 0 };
    loop {
        if let Some(length) = search.below(start, None, 0) {
            return Answer { length, expanded: search.expanded };
        }
        search.bound = match raise {
            Raise::LeastOverrun => search.least,
            Raise::One => search.bound + 1,
            Raise::LeastH => search.bound + search.least,
        };
        search.least = u32::MAX;
    }
}

impl Search {
    /// The length of the first solution that goes on from `state`, if one is within the bound.
    fn below(&mut self, state: &State, parent: Option<&State>, g: u32) -> Option<u32> {
        let h = manhattan(state);
        let is_beyond = g + h > self.bound;
        match self.raise {
            Raise::LeastH if h > 0 => self.least = self.least.min(h),
            Raise::LeastOverrun if is_beyond => self.least = self.least.min(g + h),
            _ => {}
        }
        if is_beyond {
            return None;
        }
        if *state == GOAL {
            return Some(g);
        }
        self.expanded += 1;
        children(state)
            .filter(|child| Some(child) != parent)
            .find_map(|child| self.below(&child, Some(state), g + 1))
    }
}
