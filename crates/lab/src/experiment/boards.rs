//! The boards of experiments: no seed decides which they are, so that pages stay the same.

use loyd::{Board, Goal, Problem, Size};

use super::textbook::State;
use super::textbook::breadth_first::all_states;

/// A board and the length of a shortest solution.
pub type Known = (State, u32);

/// Every `step`th of the 181,440 boards that can be solved, in the order of their distances: as many of each length as
/// there should be.
pub fn every(step: usize) -> Vec<Known> {
    all_states().into_iter().step_by(step).collect()
}

/// Up to `each` boards of every length from `first` to `last`, evenly spread over all boards of that length.
pub fn of_lengths(first: u32, last: u32, each: usize) -> Vec<Known> {
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

/// The problem of solving a board.
pub fn problem(state: &State) -> Problem {
    let numbers = state.map(u32::from);
    let board = Board::new(Size::EIGHT, &numbers).expect("a state has each tile once");
    Problem::new(board, &Goal::BlankLast).expect("there is such a goal of each size")
}
