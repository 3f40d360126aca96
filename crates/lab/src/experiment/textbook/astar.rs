//! A* with Manhattan distance, as textbooks write it, and with the faults of the programs of the day.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Answer, GOAL, PERMUTATIONS, State, children, manhattan, rank};

/// When a state is closed, so that it is never put into the open list again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// When it is taken out of the open list: right.
    Expanded,
    /// **Faulty**: when it is first put into the open list, though a shorter way to it may come later.
    Generated,
}

/// Searches with f = g + `weight` × h from a board that can be solved. Of states with the same f, that of the larger g
/// comes first, then the one that was generated last.
pub fn astar(start: &State, weight: u32, closing: Closing) -> Answer {
    let mut closed = vec![false; PERMUTATIONS];
    let mut open = BinaryHeap::new();
    let mut generated = 0_u64;
    let mut expanded = 0;
    open.push((Reverse(weight * manhattan(start)), 0, generated, *start));
    closed[rank(start)] = closing == Closing::Generated;
    while let Some((_, g, _, state)) = open.pop() {
        if state == GOAL {
            return Answer { length: g, expanded };
        }
        if closing == Closing::Expanded {
            let known = &mut closed[rank(&state)];
            if *known {
                continue;
            }
            *known = true;
        }
        expanded += 1;
        for child in children(&state) {
            let known = &mut closed[rank(&child)];
            if !*known {
                *known = closing == Closing::Generated;
                generated += 1;
                let f = g + 1 + weight * manhattan(&child);
                open.push((Reverse(f), g + 1, generated, child));
            }
        }
    }
    unreachable!("the board can be solved")
}
