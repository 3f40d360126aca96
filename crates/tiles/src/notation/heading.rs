//! Headings between boards: `Puzzle 1:`, `Goal:`, `Test case 3`.

use super::board;
use super::reading::Hints;
use super::signs::{is_ornament, names_goal, separates};
use super::symbols::is_tile_like;

/// The kind of the board under a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// A board to solve.
    Start,
    /// The goal of the board before it.
    Goal,
}

/// First words of headings that need no colon.
const FIRST_WORDS: [&str; 19] = [
    "puzzle", "board", "case", "test", "instance", "problem", "level", "game", "start", "starting",
    "initial", "goal", "final", "target", "example", "sample", "input", "scramble", "position",
];

/// A heading, and the first byte of a board on the same line: `Board: 1 2 3 0`.
pub(super) type Found = (Heading, Option<usize>);

impl Heading {
    /// Returns the heading on `line`, if there is one: a word followed by a colon, or a word that is usual in
    /// headings. A named list, `goal = [[1, 2], [3, 0]]`, has a heading only if the name is that of a goal.
    pub(super) fn of(line: &str) -> Option<Found> {
        let start = line.len() - line.trim_start_matches(is_ornament).len();
        let text = line[start..].trim_end_matches(is_ornament);
        let letters = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
        if letters == 0 {
            return None;
        }
        let (first, rest) = text.split_at(letters);
        if text.contains(['[', '{', '|', '"'])
            || text.contains('=') && !line.trim_end().ends_with('=')
        {
            let sign = text.find('=').or_else(|| text.find(':')).or_else(|| text.find('('))?;
            let (name, list) = text.split_at(sign + 1);
            // The brackets of a fact, `goal([1, 2, 3, 0]).`, belong to its board.
            let board = match name.ends_with('(') {
                true => &line[start..],
                false => line[start + sign + 1..].trim_start(),
            };
            let at = line.len() - board.len();
            let heading = match names_goal(name) {
                true => Self::Goal,
                false if name.ends_with(':') && is_usual(first, rest) => Self::Start,
                false => return None,
            };
            return (!list.trim().is_empty()).then_some((heading, Some(at)));
        }
        let is_usual = is_usual(first, rest);
        let is_label = first.chars().count() >= 2 && text.ends_with(':')
            // MATLAB prints `A =` before a matrix.
            || line.trim_end().ends_with('=') && rest.is_empty();
        if !(is_usual || is_label) {
            return None;
        }
        let board = is_usual.then(|| board_after(text, letters)).flatten();
        let name = &text[..board.unwrap_or(text.len())];
        let heading = if names_goal(name) { Self::Goal } else { Self::Start };
        Some((heading, board.map(|at| start + at)))
    }
}

/// Returns whether a line with this first word and this rest may be a heading without a colon.
fn is_usual(first: &str, rest: &str) -> bool {
    FIRST_WORDS.contains(&first.to_lowercase().as_str())
        && rest.chars().next().is_none_or(|letter| " \t#:.-_(".contains(letter))
}

/// Returns the start of a board after the first word of a heading, which ends at the byte `from`.
///
/// After a colon, any text of tiles only counts as a board or a row, so that a faulty board is
/// reported. Without a colon a number may belong to the heading, as in `Test case 3`: only a valid board, or the
/// numbers of a row, count.
fn board_after(text: &str, from: usize) -> Option<usize> {
    const FEWEST: usize = 3;
    let words = |from: usize| {
        let words = text[from..].split(separates).filter(|word| !word.is_empty());
        words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(colon) = text[from..].find(':').map(|at| from + at + 1) {
        let mut behind = words(colon);
        return match behind.next() {
            Some((at, word)) if is_tile_like(word) || is_board(word) => Some(at),
            _ => None,
        };
    }
    let mut numbers = words(from).filter(|(_, word)| is_number(word));
    let first = numbers.next()?.0;
    let board = words(from).map(|(at, _)| at).find(|&at| is_board(&text[at..]));
    board.or_else(|| (numbers.count() + 1 >= FEWEST).then_some(first))
}

/// Returns whether `text` is a board without any assumption.
fn is_board(text: &str) -> bool {
    board::read(text, 0, 1, Hints::default()).is_ok_and(|read| read.notes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_words_and_not_boards() {
        for line in
            ["Puzzle 1:", "== Board #2 ==", "Test case 3", "Easy ones:", "Initial state", "A ="]
        {
            assert_eq!(Heading::of(line), Some((Heading::Start, None)), "{line}");
        }
        for line in [
            "Goal:",
            "goal state:",
            "Final configuration:",
            "Target",
            "## Goal",
            "// goal state",
            "Desired state:",
        ] {
            assert_eq!(Heading::of(line), Some((Heading::Goal, None)), "{line}");
        }
        for line in
            ["1 2 3", "ABCDEFGH_", "hello there", "board = [[1,2],[3,0]]", "x 1 2", "", "A:"]
        {
            assert_eq!(Heading::of(line), None, "{line}");
        }
    }

    #[test]
    fn board_after_a_heading_is_found() {
        for (line, board) in [
            ("Board: 1 2 3 0", "1 2 3 0"),
            ("Case #1: 182043765", "182043765"),
            ("puzzle-1: 1 8 2 0 4 3 7 6 5", "1 8 2 0 4 3 7 6 5"),
            ("start 182043765", "182043765"),
            ("Test 1 - 182043765", "182043765"),
            ("Start: 1 8 2", "1 8 2"),
            ("  Initial 1 8 2", "1 8 2"),
            ("Input: 1 2 3 4", "1 2 3 4"),
        ] {
            let (heading, at) = Heading::of(line).unwrap();
            assert_eq!((heading, &line[at.unwrap()..]), (Heading::Start, board), "{line}");
        }
        for (line, board) in [
            ("Goal: 1 2 3", "1 2 3"),
            ("goal = [1, 2, 3, 0]", "[1, 2, 3, 0]"),
            ("int GOAL[2][2] = {{1, 2}, {3, 0}};", "{{1, 2}, {3, 0}};"),
            ("Goal state: [[1,2],[3,0]]", "[[1,2],[3,0]]"),
            ("int[] goalState = {1, 2, 3, 0};", "{1, 2, 3, 0};"),
            ("goal([1, 2, 3, 0]).", "goal([1, 2, 3, 0])."),
        ] {
            let (heading, at) = Heading::of(line).unwrap();
            assert_eq!((heading, &line[at.unwrap()..]), (Heading::Goal, board), "{line}");
        }
    }
}
