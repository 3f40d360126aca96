//! Boards drawn from a fixed seed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

const SEED: u64 = 7;

/// A list of boards; the seed is fixed.
#[derive(Clone, Copy)]
pub enum Boards {
    /// The first of all 362,880 boards of 3x3, shuffled; about half of them are unsolvable.
    Shuffled { count: usize },
    /// Random solvable boards, all equally likely.
    Random { size: &'static str, count: usize },
    /// Boards reached from the goal by this many random moves, none of which undoes the previous one.
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

    /// Writes the boards to `file`, one per line. `loyd scramble` draws all but the shuffled ones.
    pub fn write(self, loyd: &Path, file: &Path) -> Result<()> {
        let (size, count, moves) = match self {
            Self::Shuffled { count } => return Ok(fs::write(file, shuffled(count))?),
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

/// Returns `count` boards of 3x3, one per line, in the form that `loyd judge` reads too.
fn shuffled(count: usize) -> String {
    let mut boards = vec![Vec::new()];
    for tile in 0..9 {
        let with_tile = |board: &Vec<u8>| {
            let board = board.clone();
            (0..=board.len()).map(move |place| {
                let mut longer = board.clone();
                longer.insert(place, tile);
                longer
            })
        };
        boards = boards.iter().flat_map(with_tile).collect();
    }
    // The Fisher-Yates shuffle; the bias of the remainder is below 2^-40.
    let mut state = SEED;
    for last in (1..boards.len()).rev() {
        let other = split_mix(&mut state) % (last as u64 + 1);
        boards.swap(last, other as usize);
    }
    let line =
        |board: &Vec<u8>| board.iter().map(u8::to_string).collect::<Vec<_>>().join(" ") + "\n";
    boards.iter().take(count).map(line).collect()
}

/// Returns the next number of SplitMix64 (Steele, Lea and Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn shuffled_boards_are_all_boards() {
        let text = shuffled(362_880);
        let boards: HashSet<&str> = text.lines().collect();
        assert_eq!(boards.len(), 362_880);
        assert!(boards.contains("1 2 3 4 5 6 7 8 0"));
        assert_eq!(
            shuffled(3),
            text.lines().take(3).map(|line| format!("{line}\n")).collect::<String>()
        );
    }
}
