//! What somebody who looks on is told of a board that cannot be solved.

use loyd::board::Solvability;
use loyd::notation::slashes;
use loyd::{Goal, Problem};

/// Where to look if a board cannot be solved.
pub fn why_unsolvable(problem: &Problem) -> String {
    let start = problem.start();
    let first = Goal::BlankFirst.board(start.size()).ok();
    let other = first.filter(|goal| Solvability::new(start, goal).is_solvable());
    let other = other.map_or("", |_| "; with --goal blank-first the board can be solved");
    format!("`loyd explain \"{}\"` tells why{other}", slashes(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_another_goal_in_mind_is_told() {
        let problem = |text: &str| text.parse::<Problem>().unwrap();
        assert_eq!(
            why_unsolvable(&problem("1 x 2/3 4 5/6 7 8")),
            "`loyd explain \"1 0 2/3 4 5/6 7 8\"` tells why; with --goal blank-first the board can be solved"
        );
    }
}
