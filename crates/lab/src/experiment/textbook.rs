//! The 8-puzzle in the style of old textbook programs, including their faults, which are marked **Faulty**.
//!
//! Breadth-first search, A* and IDA* with Manhattan distance, and the parity test. These programs are used only by
//! experiments. They share no code with Loyd's searches, so their results also cross-check those.
//!
//! The boards of the experiments come from the breadth-first search. They are chosen without a seed, so that pages are
//! reproducible.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use loyd::{Board, Goal, Problem, Size};

/// Tiles in reading order, 0 for the blank.
pub type State = [u8; 9];

/// Goal of all experiments.
const GOAL: State = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/// Number of permutations of nine elements.
pub const PERMUTATIONS: usize = 362_880;

/// Result of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of moves.
    pub length: u32,
    /// Number of states whose moves were tried.
    pub expanded: u64,
}

/// Returns the successors of `state`; the blank moves up, left, right, down.
fn children(state: &State) -> impl Iterator<Item = State> + use<> {
    let state = *state;
    let blank = state.iter().position(|&tile| tile == 0).expect("a state has a blank");
    let (row, column) = (blank / 3, blank % 3);
    let targets = [
        (row > 0).then(|| blank - 3),
        (column > 0).then(|| blank - 1),
        (column < 2).then(|| blank + 1),
        (row < 2).then(|| blank + 3),
    ];
    targets.into_iter().flatten().map(move |target| {
        let mut child = state;
        child.swap(blank, target);
        child
    })
}

/// Returns the sum of the Manhattan distances of all tiles from their goal cells.
fn manhattan(state: &State) -> u32 {
    let away = |(cell, &tile): (usize, &u8)| match usize::from(tile) {
        0 => 0,
        tile => (cell / 3).abs_diff((tile - 1) / 3) + (cell % 3).abs_diff((tile - 1) % 3),
    };
    state.iter().enumerate().map(away).sum::<usize>() as u32
}

/// Returns the Cantor rank of the state among all permutations.
fn rank(state: &State) -> usize {
    const FACTORIAL: [usize; 9] = [1, 1, 2, 6, 24, 120, 720, 5_040, 40_320];
    let smaller_later =
        |cell: usize| state[cell + 1..].iter().filter(|&&tile| tile < state[cell]).count();
    (0..9).map(|cell| smaller_later(cell) * FACTORIAL[8 - cell]).sum()
}

/// A board and the length of its shortest solutions.
pub type KnownBoard = (State, u32);

/// Returns all states from which the goal can be reached, with their distances, in order of distance.
pub fn all_states() -> Vec<KnownBoard> {
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

/// Work of breadth-first search until it generates the goal.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Length of the solution, and number of states whose moves were tried.
    pub answer: Answer,
    /// Number of lookups of generated states. With an array, each takes constant time.
    pub lookups: u64,
    /// Number of comparisons with known states if these are stored in a list, in order of generation, and searched from
    /// the beginning. Computed from positions in the list, without making the comparisons.
    pub comparisons: u64,
}

/// Searches from a solvable board.
pub fn breadth_first(start: &State) -> Work {
    /// Position of a state that is not in the list.
    const ABSENT: u32 = u32::MAX;
    let mut place = vec![ABSENT; PERMUTATIONS];
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
            if *known != ABSENT {
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

/// When a state is closed, so that it never enters the open list again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosingTime {
    /// When it is removed from the open list: correct.
    Expanded,
    /// **Faulty**: when it first enters the open list, although a shorter path to it may be found later.
    Generated,
}

/// Textbook A*: searches with f = g + `weight` × h from a solvable board. Ties in f go to the larger g, then to the
/// state generated last.
pub fn astar(start: &State, weight: u32, closing_time: ClosingTime) -> Answer {
    let mut closed = vec![false; PERMUTATIONS];
    let mut open = BinaryHeap::new();
    let mut generated = 0_u64;
    let mut expanded = 0;
    open.push((Reverse(weight * manhattan(start)), 0, generated, *start));
    closed[rank(start)] = closing_time == ClosingTime::Generated;
    while let Some((_, g, _, state)) = open.pop() {
        if state == GOAL {
            return Answer { length: g, expanded };
        }
        if closing_time == ClosingTime::Expanded {
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
                *known = closing_time == ClosingTime::Generated;
                generated += 1;
                let f = g + 1 + weight * manhattan(&child);
                open.push((Reverse(f), g + 1, generated, child));
            }
        }
    }
    unreachable!("the board is solvable")
}

/// The rule by which the bound rises between two iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundRule {
    /// To the least f above the bound: correct.
    LeastOverrun,
    /// By one: correct, but with redundant iterations.
    One,
    /// **Faulty**: by the least h of all nodes of the iteration except the goal, which skips shorter solutions.
    LeastH,
}

/// Textbook IDA* within one bound.
struct Search {
    rule: BoundRule,
    bound: u32,
    /// Least f of the nodes above the bound; for [`BoundRule::LeastH`], least h of all nodes except the goal.
    least: u32,
    expanded: u64,
}

/// Textbook IDA*: searches from a solvable board.
pub fn idastar(start: &State, rule: BoundRule) -> Answer {
    let mut search = Search { rule, bound: manhattan(start), least: u32::MAX, expanded: 0 };
    loop {
        if let Some(length) = search.below(start, None, 0) {
            return Answer { length, expanded: search.expanded };
        }
        search.bound = match rule {
            BoundRule::LeastOverrun => search.least,
            BoundRule::One => search.bound + 1,
            BoundRule::LeastH => search.bound + search.least,
        };
        search.least = u32::MAX;
    }
}

impl Search {
    /// Returns the length of the first solution through `state` within the bound.
    fn below(&mut self, state: &State, parent: Option<&State>, g: u32) -> Option<u32> {
        let h = manhattan(state);
        let is_beyond = g + h > self.bound;
        match self.rule {
            BoundRule::LeastH if h > 0 => self.least = self.least.min(h),
            BoundRule::LeastOverrun if is_beyond => self.least = self.least.min(g + h),
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

/// Entries among which inversions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedEntries {
    /// The tiles alone: correct on a board of odd width.
    Tiles,
    /// **Faulty**: the tiles and the blank, as if it were tile 0.
    TilesAndBlank,
}

/// Returns whether the inversions of the state have the parity of the goal's.
pub fn is_solvable(state: &State, counted: CountedEntries) -> bool {
    let inversions = |state: &State| {
        let pairs = (0..9).flat_map(|first| (first + 1..9).map(move |second| (first, second)));
        pairs
            .filter(|&(first, second)| {
                let counts = counted == CountedEntries::TilesAndBlank || state[second] != 0;
                counts && state[first] > state[second]
            })
            .count()
    };
    inversions(state) % 2 == inversions(&GOAL) % 2
}

/// Returns every `step`th of the 181,440 solvable boards, ordered by distance, so that each length is represented in
/// proportion.
pub fn every(step: usize) -> Vec<KnownBoard> {
    all_states().into_iter().step_by(step).collect()
}

/// Returns up to `each` boards of every length from `first` to `last`, evenly spread over all boards of that length.
pub fn of_lengths(first: u32, last: u32, each: usize) -> Vec<KnownBoard> {
    let all = all_states();
    let of_length = |length: u32| {
        let begin = all.partition_point(|&(_, distance)| distance < length);
        let end = all.partition_point(|&(_, distance)| distance <= length);
        let boards = &all[begin..end];
        let number = each.min(boards.len());
        (0..number).map(|index| boards[index * boards.len() / number]).collect::<Vec<_>>()
    };
    (first..=last).flat_map(of_length).collect()
}

/// Returns the problem of solving a board.
pub fn problem(state: &State) -> Problem {
    let numbers = state.map(u32::from);
    let board = Board::new(Size::EIGHT, &numbers).expect("a state has each tile once");
    Problem::new(board, &Goal::BlankLast).expect("each size has this goal")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goal_has_the_published_rank() {
        assert_eq!(rank(&GOAL), 46_233);
        assert_eq!(
            (rank(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), rank(&[8, 7, 6, 5, 4, 3, 2, 1, 0])),
            (0, 362_879)
        );
    }

    #[test]
    fn moves_change_the_distance_of_one_tile() {
        let state = [2, 3, 4, 1, 5, 0, 7, 6, 8];
        let around: Vec<u32> = children(&state).map(|child| manhattan(&child)).collect();
        assert_eq!((manhattan(&state), around), (9, vec![8, 10, 10]));
    }
}
