//! Are the answers of a program right, and how many are shortest?

use anyhow::{Context, bail};
use loyd::{Board, Goal, Problem, Solver, notation::parse_moves};

use crate::Result;

/// Boards with the lengths of their shortest answers, `None` where there is none.
pub struct Answers<'a> {
    boards: &'a [Board],
    lengths: Vec<Option<usize>>,
}

impl<'a> Answers<'a> {
    /// Looks the lengths up in the solver's table.
    pub fn new(boards: &'a [Board]) -> Result<Self> {
        let solver = Solver::default();
        let length = |board: &Board| {
            let problem = Problem::new(board.clone(), &Goal::BlankLast)?;
            Ok(solver.solve(&problem)?.length())
        };
        Ok(Self { boards, lengths: boards.iter().map(length).collect::<Result<_>>()? })
    }

    /// How many boards can be solved.
    pub fn solvable(&self) -> usize {
        self.lengths.iter().flatten().count()
    }

    /// Replays the answers, one a line; returns how many are shortest ones.
    ///
    /// # Errors
    /// The first answer that is none.
    pub fn check(&self, output: &str) -> Result<usize> {
        let lines: Vec<&str> = output.lines().collect();
        if lines.len() != self.boards.len() {
            bail!("{} answers to {} boards", lines.len(), self.boards.len());
        }
        let mut shortest = 0;
        for ((board, &length), line) in self.boards.iter().zip(&self.lengths).zip(lines) {
            let line = line.trim();
            let moves = replay(board, length.is_some(), line);
            let moves = moves.with_context(|| format!("board {board}, answer `{line}`"))?;
            shortest += usize::from(length.is_some() && moves == length);
        }
        Ok(shortest)
    }

    /// As [`check`](Self::check), and takes a single answer that is not shortest for an error.
    pub fn check_shortest(&self, output: &str) -> Result<()> {
        match (self.check(output)?, self.solvable()) {
            (shortest, solvable) if shortest == solvable => Ok(()),
            (shortest, solvable) => bail!("{shortest} of {solvable} answers are shortest ones"),
        }
    }
}

/// Plays `line` on `board`; returns the number of moves, or `None` if it rightly says that there is
/// no answer.
fn replay(board: &Board, solvable: bool, line: &str) -> Result<Option<usize>> {
    if !solvable {
        return if line == "unsolvable" { Ok(None) } else { bail!("it cannot be solved") };
    }
    let moves = parse_moves(line)?;
    let mut board = board.clone();
    for &step in &moves {
        board.apply(step)?;
    }
    if board != Goal::BlankLast.board(board.size())? {
        bail!("it ends at {board}");
    }
    Ok(Some(moves.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(board: &str, output: &str) -> Result<usize> {
        let problem: Problem = board.parse()?;
        Answers::new(&[problem.start().clone()])?.check(output)
    }

    #[test]
    fn right_answers_are_told_from_wrong_ones() {
        assert_eq!(check("1 2 3 4 5 6 7 x 8", "r\n").unwrap(), 1);
        assert_eq!(check("1 2 3 4 5 6 7 x 8", "lrr\n").unwrap(), 0);
        assert_eq!(check("1 2 3 4 5 6 7 8 x", "\n").unwrap(), 1);
        assert_eq!(check("1 2 3 4 5 6 8 7 x", "unsolvable\n").unwrap(), 0);
        for (board, output) in [
            ("1 2 3 4 5 6 7 x 8", "l\n"),
            ("1 2 3 4 5 6 7 x 8", "d\n"),
            ("1 2 3 4 5 6 7 x 8", "unsolvable\n"),
            ("1 2 3 4 5 6 8 7 x", "\n"),
            ("1 2 3 4 5 6 7 x 8", ""),
        ] {
            assert!(check(board, output).is_err(), "{board}: {output}");
        }
    }
}
