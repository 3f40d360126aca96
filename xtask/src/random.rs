//! Boards drawn by seed, each number made into a range by the remainder, as the boards in the fixtures were
//! drawn; the bias is below one in 2^40 here.

use loyd::{Board, Goal, Random, Size, Solvability};

use crate::Result;

/// Fisher and Yates's shuffle.
pub fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        let other = random.next_u64() % (last as u64 + 1);
        items.swap(last, other as usize);
    }
}

/// `count` boards of `size`, each drawn from all that can become `goal`.
pub fn solvable_boards(size: Size, goal: &Goal, count: usize, seed: u64) -> Result<Vec<Board>> {
    let (goal, mut random) = (goal.board(size)?, Random::new(seed));
    let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        shuffle(&mut numbers, &mut random);
        let board = Board::new(size, &numbers)?;
        if Solvability::new(&board, &goal).is_solvable() {
            boards.push(board);
        }
    }
    Ok(boards)
}
