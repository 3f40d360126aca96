//! The 8-puzzle as the programs of the day wrote it, their faults included, each where its name says so.
//!
//! These programs are for experiments alone. They share nothing with Loyd's searches, so their results also check
//! those.

pub mod astar;
pub mod breadth_first;
pub mod idastar;
pub mod parity;

/// The tiles in reading order, 0 for the blank.
pub type State = [u8; 9];

/// The goal of all experiments.
pub const GOAL: State = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/// The number of all permutations of nine.
pub const PERMUTATIONS: usize = 362_880;

/// What a program found, and what it did for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The number of moves.
    pub length: u32,
    /// How many states' moves were tried.
    pub expanded: u64,
}

/// The states to which moves of the blank lead: up, left, right, down.
pub fn children(state: &State) -> impl Iterator<Item = State> + use<> {
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

/// Rows and columns that each tile is away from its goal cell, added up.
pub fn manhattan(state: &State) -> u32 {
    let away = |(cell, &tile): (usize, &u8)| match usize::from(tile) {
        0 => 0,
        tile => (cell / 3).abs_diff((tile - 1) / 3) + (cell % 3).abs_diff((tile - 1) % 3),
    };
    state.iter().enumerate().map(away).sum::<usize>() as u32
}

/// The Cantor expansion: the place of the state among all permutations.
pub fn rank(state: &State) -> usize {
    const FACTORIAL: [usize; 9] = [1, 1, 2, 6, 24, 120, 720, 5_040, 40_320];
    let smaller_later =
        |cell: usize| state[cell + 1..].iter().filter(|&&tile| tile < state[cell]).count();
    (0..9).map(|cell| smaller_later(cell) * FACTORIAL[8 - cell]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_has_the_rank_that_the_articles_give() {
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
