//! Boards drawn by seed.

use loyd::{Board, Goal, Problem, Random, Size, Solver, Status, cantor_unrank};

use crate::Result;
use crate::random::shuffle;

/// All 362,880 boards of 3x3, in an order drawn by `seed`.
pub fn all_boards(seed: u64) -> Result<Vec<Board>> {
    let mut ranks: Vec<u64> = (0..362_880).collect();
    shuffle(&mut ranks, &mut Random::new(seed));
    let board = |rank| {
        let numbers: Vec<u32> = cantor_unrank(9, rank)?.into_iter().map(u32::from).collect();
        Ok(Board::new(Size::EIGHT, &numbers)?)
    };
    ranks.into_iter().map(board).collect()
}

/// `count` different boards of 3x3 in an order drawn by `seed`, exactly half of them unsolvable.
pub fn mixed_boards(count: usize, seed: u64) -> Result<Vec<Board>> {
    let solver = Solver::default();
    let (mut solvable, mut unsolvable) = (count / 2, count - count / 2);
    let mut mixed = Vec::with_capacity(count);
    for board in all_boards(seed)? {
        let status = solver.solve(&Problem::new(board.clone(), &Goal::BlankLast)?)?.status;
        let left = if status == Status::Solved { &mut solvable } else { &mut unsolvable };
        if *left > 0 {
            *left -= 1;
            mixed.push(board);
        }
        if mixed.len() == count {
            break;
        }
    }
    Ok(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::answers::Answers;

    #[test]
    fn half_of_the_mixed_boards_are_unsolvable() {
        let boards = mixed_boards(200, 5).unwrap();
        let lengths = Answers::new(&boards).unwrap();
        assert_eq!((boards.len(), lengths.solvable()), (200, 100));
        assert_ne!(boards, mixed_boards(200, 6).unwrap());
    }
}
