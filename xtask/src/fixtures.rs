//! The project's own boards with their lengths: drawn by seed, each solved with two different
//! heuristics that have to agree.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use loyd::{Board, Config, Goal, Limits, Problem, Size, Solver};
use rayon::prelude::*;

use crate::Result;
use crate::random::solvable_boards;

/// Where they are kept, from the root of the workspace.
const FOLDER: &str = "crates/loyd/tests/data";

/// Boards of a size, and what they are solved with. They lead to the goal with the blank first.
struct Set {
    size: &'static str,
    boards: usize,
    seed: u64,
    heuristics: [&'static str; 2],
}

const SETS: &[Set] = &[
    Set { size: "3x3", boards: 100, seed: 33, heuristics: ["exact", "linear-conflict"] },
    Set { size: "4x3", boards: 100, seed: 43, heuristics: ["pdb", "walking-distance"] },
    Set { size: "2x6", boards: 100, seed: 26, heuristics: ["pdb", "walking-distance"] },
    Set { size: "3x5", boards: 50, seed: 35, heuristics: ["pdb", "walking-distance"] },
    Set { size: "4x4", boards: 100, seed: 44, heuristics: ["pdb", "walking-distance"] },
];

/// Draw the boards of tests anew, solve each with two heuristics, and write or compare the files.
#[derive(clap::Args)]
pub struct Args {
    /// Compare with the files instead of writing them
    #[arg(long)]
    check: bool,
    /// Only these sizes
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    sizes: Vec<String>,
}

pub fn run(args: &Args) -> Result<()> {
    let wanted = |set: &&Set| args.sizes.is_empty() || args.sizes.iter().any(|s| s == set.size);
    for set in SETS.iter().filter(wanted) {
        let start = Instant::now();
        let text = set.text()?;
        let path = Path::new(FOLDER).join(format!("{}.txt", set.size));
        if !args.check {
            fs::create_dir_all(FOLDER)?;
            fs::write(&path, &text)?;
        } else if fs::read_to_string(&path)? != text {
            bail!("{} is not what the seed and the solver say", path.display());
        }
        println!("{} {}: {:.1} s", set.boards, set.size, start.elapsed().as_secs_f64());
    }
    Ok(())
}

impl Set {
    /// The file: name, length and tiles on each line, as in Korf's list.
    fn text(&self) -> Result<String> {
        let size: Size = self.size.parse()?;
        let boards = solvable_boards(size, &Goal::BlankFirst, self.boards, self.seed)?;
        let [first, second] = self.heuristics.map(|name| self.lengths(name, &boards));
        let (first, second) = (first?, second?);
        if first != second {
            bail!("{} and {} disagree on {}", self.heuristics[0], self.heuristics[1], self.size);
        }
        let line = |(number, (board, length)): (usize, (&Board, usize))| {
            let tiles: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
            format!("{number} {length} {}\n", tiles.join(" ").replace('x', "0"))
        };
        Ok((1..).zip(boards.iter().zip(first)).map(line).collect())
    }

    fn lengths(&self, heuristic: &'static str, boards: &[Board]) -> Result<Vec<usize>> {
        let config = Config {
            heuristic: Some(heuristic.into()),
            limits: Limits { max_bytes: Some(1 << 30), ..Limits::default() },
            boards: Some(boards.len() as u64),
            ..Config::default()
        };
        let solver = Solver::new(config)?;
        let length = |board: &Board| {
            let report = solver.solve(&Problem::new(board.clone(), &Goal::BlankFirst)?)?;
            match report.length().filter(|_| report.optimal) {
                Some(length) => Ok(length),
                None => bail!("{heuristic} has no shortest answer to {board}"),
            }
        };
        boards.par_iter().map(length).collect()
    }
}
