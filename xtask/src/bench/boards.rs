//! Boards drawn by seed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::bail;
use loyd::{Board, Random, Size, cantor_unrank};

use crate::Result;
use crate::random::shuffle;

const SEED: u64 = 7;

/// Which boards; those of the same kind and number are always the same.
#[derive(Clone, Copy)]
pub enum Boards {
    /// The first of all 362,880 boards of 3x3, half of them unsolvable, in an order drawn by seed.
    Shuffled { count: usize },
    /// Boards that can be solved, each as likely as any other.
    Random { size: &'static str, count: usize },
    /// Boards that so many moves make of the goal, none of which undoes the one before.
    Walks { size: &'static str, count: usize, moves: u32 },
}

impl Boards {
    pub fn count(self) -> usize {
        match self {
            Self::Shuffled { count } | Self::Random { count, .. } | Self::Walks { count, .. } => {
                count
            }
        }
    }

    /// Writes them to `file`, one a line, with what `loyd scramble` says where it can.
    pub fn write(self, loyd: &Path, file: &Path) -> Result<()> {
        let (size, count, moves) = match self {
            Self::Shuffled { count } => return Ok(fs::write(file, shuffled(count)?)?),
            Self::Random { size, count } => (size, count, None),
            Self::Walks { size, count, moves } => (size, count, Some(moves)),
        };
        let mut command = Command::new(loyd);
        command.args(["scramble", "--size", size, "--number", &count.to_string()]);
        command.args(["--seed", &SEED.to_string()]);
        if let Some(moves) = moves {
            command.args(["--moves", &moves.to_string()]);
        }
        let output = command.output()?;
        if !output.status.success() {
            bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(fs::write(file, output.stdout)?)
    }
}

/// `count` boards of 3x3, one a line.
fn shuffled(count: usize) -> Result<String> {
    let mut ranks: Vec<u64> = (0..362_880).collect();
    shuffle(&mut ranks, &mut Random::new(SEED));
    let line = |rank| {
        let numbers: Vec<u32> = cantor_unrank(9, rank)?.into_iter().map(u32::from).collect();
        Ok(format!("{}\n", Board::new(Size::EIGHT, &numbers)?))
    };
    ranks.into_iter().take(count).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd::{Goal, Problem, Solvability};

    #[test]
    fn about_half_of_the_shuffled_boards_can_be_solved() {
        let text = shuffled(2000).unwrap();
        let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
        let is_solvable = |line: &&str| {
            let problem: Problem = line.parse().unwrap();
            Solvability::new(problem.start(), &goal).is_solvable()
        };
        let solvable = text.lines().filter(is_solvable).count();
        assert_eq!(text.lines().count(), 2000);
        assert!((900..1100).contains(&solvable), "{solvable}");
    }
}
