//! PDDL: the domain `n-puzzle-typed` of the International Planning Competition 2008, its problems, and plans.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use loyd::board::Cell;
use loyd::{Board, Problem, Size};

/// The domain definition, without the constant action cost of the original.
pub const DOMAIN: &str = "\
(define (domain n-puzzle-typed)
  (:requirements :typing)
  (:types position tile)
  (:predicates (at ?tile - tile ?position - position)
               (neighbor ?p1 - position ?p2 - position)
               (empty ?position - position))
  (:action move
    :parameters (?tile - tile ?from ?to - position)
    :precondition (and (neighbor ?from ?to) (at ?tile ?from) (empty ?to))
    :effect (and (at ?tile ?to) (empty ?from)
                 (not (at ?tile ?from)) (not (empty ?to)))))";

/// Returns the PDDL definition of `problem`. Like in the original domain, a complete goal does not mention the blank.
pub fn problem(problem: &Problem) -> String {
    let (start, size) = (problem.start(), problem.start().size());
    let cells = || size.iter_cells();
    let mut text =
        format!("(define (problem n-puzzle-{size})\n  (:domain n-puzzle-typed)\n  (:objects");
    cells().for_each(|cell| text += &format!(" {}", position(size, cell)));
    text += " - position\n   ";
    (1..size.cells()).for_each(|tile| text += &format!(" t_{tile}"));
    text += " - tile)\n  (:init\n";
    for (tile, cell) in tiles(start) {
        let _ = writeln!(text, "    (at t_{tile} {})", position(size, cell));
    }
    let _ = writeln!(text, "    (empty {})", position(size, start.blank()));
    for (a, b) in cells().flat_map(|a| cells().map(move |b| (a, b))) {
        let apart = size.row(a).abs_diff(size.row(b)) + size.column(a).abs_diff(size.column(b));
        if apart == 1 {
            let _ = writeln!(text, "    (neighbor {} {})", position(size, a), position(size, b));
        }
    }
    text += "  )\n  (:goal (and\n";
    let required =
        |cell: &Cell| problem.partial_goal().is_none_or(|goal| goal.required(*cell).is_some());
    for (tile, cell) in tiles(problem.goal()).filter(|(_, cell)| required(cell)) {
        let _ = writeln!(text, "    (at t_{tile} {})", position(size, cell));
    }
    let blank = problem.goal().blank();
    if problem.partial_goal().is_some() && required(&blank) {
        let _ = writeln!(text, "    (empty {})", position(size, blank));
    }
    text + "  )))"
}

fn position(size: Size, cell: Cell) -> String {
    format!("p_{}_{}", size.row(cell) + 1, size.column(cell) + 1)
}

/// Returns each tile with its cell, without the blank.
fn tiles(board: &Board) -> impl Iterator<Item = (u16, Cell)> {
    board.numbers().zip(board.size().iter_cells()).filter(|&(tile, _)| tile != 0)
}

/// Returns whether `line` is a step of a plan rather than, for example, coordinates.
pub fn is_step(line: &str) -> bool {
    line.trim_start().get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("(move"))
}

/// Returns the direction of the tile in a step `(move t_5 p_1_2 p_1_1)` as a letter.
///
/// # Errors
/// Returns an error if `line` is not a step between neighbouring cells.
pub fn letter(line: &str) -> Result<char> {
    let step = line.trim().to_ascii_lowercase();
    let words = step.strip_prefix("(move").and_then(|rest| rest.strip_suffix(')'));
    let words: Vec<&str> = words.unwrap_or_default().split_whitespace().collect();
    let [_, from, to] = words.as_slice() else {
        bail!("`{}` is not a step of a plan such as (move t_5 p_1_2 p_1_1)", line.trim());
    };
    let place = |name: &str| -> Option<(i32, i32)> {
        let (row, column) = name.strip_prefix("p_")?.split_once('_')?;
        Some((row.parse().ok()?, column.parse().ok()?))
    };
    let ((r, c), (row, column)) = place(from).zip(place(to)).with_context(|| {
        format!("positions are written as p_ROW_COLUMN, for example p_1_2, not {from} and {to}")
    })?;
    match (row.saturating_sub(r), column.saturating_sub(c)) {
        (-1, 0) => Ok('U'),
        (1, 0) => Ok('D'),
        (0, -1) => Ok('L'),
        (0, 1) => Ok('R'),
        _ => bail!("{from} and {to} are not adjacent"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd::notation::{parse_board, parse_partial_goal};

    #[test]
    fn goal_lists_only_required_cells() {
        let goal = |text: &str| {
            let start = parse_board("1 2/3 x", None).unwrap();
            let goal = parse_partial_goal(text, None).unwrap();
            let text = problem(&Problem::with_partial_goal(start, &goal).unwrap());
            let at = text.find("(:goal").unwrap();
            text[at..].split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(goal("3 */* *"), "(:goal (and (at t_3 p_1_1) )))");
        assert_eq!(goal("* 0/* *"), "(:goal (and (empty p_1_2) )))");
        assert_eq!(goal("* */* *"), "(:goal (and )))");
        let whole = problem(&"1 2/3 x".parse().unwrap());
        assert!(whole.ends_with("(at t_1 p_1_1)\n    (at t_2 p_1_2)\n    (at t_3 p_2_1)\n  )))"));
    }

    #[test]
    fn steps_are_parsed() {
        assert_eq!(letter("(move t_5 p_1_2 p_1_1)").unwrap(), 'L');
        assert_eq!(letter(" (MOVE T_5 P_2_2 P_1_2) ").unwrap(), 'U');
        for text in ["(move)", "(move a b c)", "(move t_1 p_1_1 p_2_2)", "(move t_1 p_1_1 p_1_1)"] {
            assert!(is_step(text) && letter(text).is_err(), "{text}");
        }
        assert!(!is_step("(1, 3)") && !is_step("(mo"));
    }
}
