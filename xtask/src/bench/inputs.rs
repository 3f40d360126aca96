//! Boards drawn by seed.

use loyd::{Board, Goal, Problem, Size, Solver, Status, cantor_unrank};

use crate::Result;

/// The sequence of SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fisher and Yates's shuffle; the remainder's bias is below one in 2^40 here.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }
}

/// All 362,880 boards of 3x3, in an order drawn by `seed`.
pub fn all_boards(seed: u64) -> Result<Vec<Board>> {
    let mut ranks: Vec<u64> = (0..362_880).collect();
    SplitMix(seed).shuffle(&mut ranks);
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
    fn the_sequence_is_that_of_the_reference() {
        let mut numbers = SplitMix(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| numbers.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn half_of_the_mixed_boards_are_unsolvable() {
        let boards = mixed_boards(200, 5).unwrap();
        let lengths = Answers::new(&boards).unwrap();
        assert_eq!((boards.len(), lengths.solvable()), (200, 100));
        assert_ne!(boards, mixed_boards(200, 6).unwrap());
    }
}
