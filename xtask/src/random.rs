//! Boards drawn by seed.

use loyd::{Board, Goal, Size, Solvability};

use crate::Result;

/// The sequence of SplitMix64 (Steele, Lea and Flood 2014).
pub struct SplitMix(pub u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fisher and Yates's shuffle; the remainder's bias is below one in 2^40 here.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }

    /// `count` boards of `size`, each drawn from all that can become `goal`.
    pub fn solvable_boards(&mut self, size: Size, goal: &Goal, count: usize) -> Result<Vec<Board>> {
        let goal = goal.board(size)?;
        let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
        let mut boards = Vec::with_capacity(count);
        while boards.len() < count {
            self.shuffle(&mut numbers);
            let board = Board::new(size, &numbers)?;
            if Solvability::new(&board, &goal).is_solvable() {
                boards.push(board);
            }
        }
        Ok(boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_reference() {
        let mut numbers = SplitMix(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| numbers.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
