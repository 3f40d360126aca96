//! Headings between boards: `Puzzle 1:`, `Goal:`, `Test case 3`, and names of lists: `goal = [[…]]`.

use super::board;
use super::naming::{Naming, names_goal, of_comment, of_line};
use super::reading::Hints;
use super::signs::{is_ornament, is_quote, is_space, separates};
use super::symbols::is_tile_like;
use crate::size::Size;

/// First words of headings that need no colon.
const FIRST_WORDS: [&str; 19] = [
    "start", "starting", "initial", "goal", "final", "target", "input", "scramble", "puzzle",
    "board", "case", "test", "instance", "problem", "level", "game", "example", "sample",
    "position",
];

/// The first words from this index on are often followed by the number of the board.
const NUMBERED: usize = 8;

/// A list of fewer numbers is no row.
const FEWEST_IN_ROW: usize = 2;

/// Maximum number of digits of the number of a board: `Puzzle 1023` has no board.
const LONGEST_NUMBER: usize = 4;

/// The meaning of a heading, and the first byte of a board on the same line: `Board: 1 2 3 0`.
pub(super) type Found = (Naming, Option<usize>);

/// Returns whether a line of a text names the board below it, or on it, as the start or as a goal, or may do so.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::names_board;
/// assert!(names_board("Goal state:") && names_board("start = [[1, 2], [3, 0]]"));
/// assert!(!names_board("1 2 3") && !names_board("Puzzle 1:"));
/// ```
pub fn names_board(line: &str) -> bool {
    matches!(heading(line), Some((Naming::Start | Naming::Goal | Naming::Doubtful, _)))
}

/// Returns the heading on `line`, if there is one: a word followed by a colon, a word that is usual in headings, or the
/// name of a list of numbers, `board = [[1, 2], [3, 0]]`.
pub(super) fn heading(line: &str) -> Option<Found> {
    if let Some(naming) = of_comment(line) {
        return Some((naming, None));
    }
    // A sign may precede the name of a variable: `$goal`.
    let is_sign = |letter| is_ornament(letter) || matches!(letter, '$' | '_' | '@' | '&');
    let start = line.len() - line.trim_start_matches(is_sign).len();
    let text = line[start..].trim_end_matches(is_ornament);
    let letters = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
    if let Some(naming) = of_last_comment(line) {
        return Some((naming, Some(0)));
    }
    if letters == 0 {
        return of_item(line).or_else(|| of_line(line).map(|naming| (naming, None)));
    }
    // The list is on the next line.
    if line.trim_end().ends_with('=') && !line.trim_start().starts_with('=') {
        let is_comparison = line.trim_end().ends_with("==");
        return (!is_comparison).then(|| (of_variable(text), None));
    }
    let is_code = text.contains(['[', '{', '|', '"', '=']) || is_fact(text, letters);
    let found = if is_code { named_list(text, letters) } else { words(text, letters) };
    let found = found.map(|(naming, board)| (naming, board.map(|at| start + at)));
    found.or_else(|| of_line(line).map(|naming| (naming, None)))
}

/// Returns the heading of an item of a list: that behind the number, `2. Goal:`, or the number of the board behind it,
/// `1) 1 2 3 0`, `2: 1203`, `3. 1 2/0 3`. A number and 16 tiles may be a published instance, with another goal than usual.
fn of_item(line: &str) -> Option<Found> {
    let number = line.trim_start();
    let sign = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = sign.strip_prefix([')', ':', '.'])?;
    if sign.len() == number.len() || !rest.starts_with(is_space) {
        return None;
    }
    let at = line.len() - rest.trim_start().len();
    if line[at..].starts_with(char::is_alphabetic) {
        return heading(&line[at..]).map(|(naming, board)| (naming, board.map(|byte| at + byte)));
    }
    let is_instance = numbers(rest) == Size::FIFTEEN.cells();
    let is_numbered = !rest.contains('.') && !is_instance && is_board(rest);
    is_numbered.then_some((Naming::Numbered, Some(at)))
}

/// Returns the meaning of the comment behind a board, `1 2 3 0 # goal`, if it may name a goal.
fn of_last_comment(line: &str) -> Option<Naming> {
    let at = comment_start(line)?;
    let (board, comment) = line.split_at(at);
    let is_board = board.contains(|letter: char| letter.is_ascii_digit());
    let mark = comment.trim_start_matches("--").trim_start_matches("(*");
    let comment = if mark.len() < comment.len() { format!("#{mark}") } else { comment.to_owned() };
    if is_board { of_comment(&comment) } else { None }
}

/// Returns the start of the first sign of a comment: `#`, `%`, `//`, `--` or `(*`. Nearly all lines have none.
fn comment_start(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let begins = |at: &usize| match bytes[*at] {
        b'#' | b'%' => true,
        sign @ (b'/' | b'-') => bytes.get(at + 1) == Some(&sign),
        b'(' => bytes.get(at + 1) == Some(&b'*'),
        _ => false,
    };
    (0..bytes.len()).find(begins)
}

/// Returns whether `text` is a fact of a logic program without lists: `goal(1/2/3/0).`
fn is_fact(text: &str, letters: usize) -> bool {
    let name = text[letters..]
        .trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    name.starts_with('(') && name.ends_with([')', '.', ';']) && numbers(name) > LONGEST_NUMBER
}

/// Returns how many numbers a text has.
fn numbers(text: &str) -> usize {
    let digits = text.split(|letter: char| !letter.is_ascii_digit());
    digits.filter(|digits| !digits.is_empty()).count()
}

/// Returns the heading of a list with a name.
fn named_list(text: &str, letters: usize) -> Option<Found> {
    let list = text.find(['[', '{', '|', '"']).unwrap_or(text.len());
    let colon = text[..list].rfind(':').filter(|&colon| !text[..colon].ends_with(':'));
    let colon =
        colon.or_else(|| text.find(':').filter(|&colon| !text[colon + 1..].starts_with(':')));
    let sign = text.find('=').or(colon).or_else(|| text.find(['(', '{']))?;
    let (name, list) = (&text[..sign], &text[sign + 1..]);
    if list.trim().is_empty() {
        return None;
    }
    // The goal may be an argument of a call: `Puzzle([[1, 2], [3, 0]], goal=…)`.
    if list.contains('=') && numbers(list) >= FEWEST_IN_ROW && names_goal(list) {
        return Some((Naming::Doubtful, Some(0)));
    }
    let begin = text.len() - list.trim_start().len();
    match text.as_bytes()[sign] {
        // Comparisons and `+=` give no value.
        b'=' if list.starts_with('=')
            || name.ends_with(|letter| "!<>+-*/%&|^".contains(letter)) =>
        {
            None
        }
        // The declaration may have the size: `int board[2][8] = {`.
        b'=' => Some((of_variable(name), Some(0))),
        b':' => match Naming::of(name) {
            naming @ (Naming::Goal | Naming::Doubtful) => Some((naming, Some(begin))),
            naming => is_usual(text, letters).then_some((naming, Some(begin))),
        },
        b'{' => Some((of_variable(name), Some(sign))),
        // The brackets of a fact, `goal([1, 2, 3, 0]).`, belong to its board.
        _ => Some((Naming::of(name), Some(0))),
    }
    .filter(|(naming, _)| match text.as_bytes()[sign] {
        b':' => true,
        b'=' if numbers(list) >= FEWEST_IN_ROW || is_text_of_board(list) => true,
        _ => matches!(naming, Naming::Goal | Naming::Doubtful),
    })
}

/// Returns whether a value of a program is a board in one word, or in quotation marks: `"123456780"`.
fn is_text_of_board(value: &str) -> bool {
    let text = value.trim_matches(|letter| is_quote(letter) || separates(letter) || letter == ';');
    text.len() > LONGEST_NUMBER && board::read(text, 0, 1, Hints::default()).is_ok()
}

/// Returns the meaning of the name of a declared variable: the name before its type, or the last word of the declaration.
fn of_variable(declaration: &str) -> Naming {
    let plain = declaration.replace("::", ".").replace("->", ".");
    let plain = plain.split(':').next().unwrap_or_default();
    let mut depth = 0;
    let mut name = String::with_capacity(plain.len());
    for letter in plain.chars() {
        depth += i32::from(matches!(letter, '[' | '<'));
        name.extend((depth == 0).then_some(letter));
        depth -= i32::from(matches!(letter, ']' | '>'));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let variable = name.split(|letter| !is_part(letter)).rfind(|word| !word.is_empty());
    // A keyword of Java.
    let without_final = name.replace("final ", "");
    // The name of a field: `puzzle["goal"]`.
    let quotes = ['"', '\''];
    if let (Some(first), Some(last)) = (declaration.find(quotes), declaration.rfind(quotes)) {
        return Naming::of(&declaration[first..last]);
    }
    match variable.unwrap_or_default() {
        "s" | "S" => return Naming::Start,
        "g" | "G" | "t" | "T" | "f" | "F" => return Naming::Doubtful,
        _ => {}
    }
    match (Naming::of(&name), variable.map_or(Naming::Unknown, Naming::of)) {
        (Naming::Goal, _) => Naming::Goal,
        (_, naming @ (Naming::Goal | Naming::Doubtful | Naming::Start | Naming::Board)) => naming,
        _ => Naming::of(&without_final),
    }
}

/// Returns the heading that consists of words, perhaps with a board behind them.
fn words(text: &str, letters: usize) -> Option<Found> {
    let is_usual = is_usual(text, letters);
    let colon = text.find(':').map(|colon| {
        match text[colon..].contains(|letter: char| letter.is_ascii_digit()) {
            true => colon,
            // `Puzzle 1: Goal:`
            false => text.rfind(':').unwrap_or(colon),
        }
    });
    let label = colon.map(|colon| Naming::of(&text[..colon]));
    let is_known = !matches!(label, None | Some(Naming::Numbered | Naming::Unknown));
    let is_label = letters >= 2 && text.ends_with(':');
    if !(is_usual || is_label || is_known) {
        return None;
    }
    let board = board_after(text, letters, colon);
    let name = &text[..colon.or(board).unwrap_or(text.len())];
    // A line that is not understood should be reported.
    if board.is_none() && numbers(name) > LONGEST_NUMBER {
        return None;
    }
    // `end` may end a block of a program.
    let is_end = board.is_none() && text.trim_end_matches(':').eq_ignore_ascii_case("end");
    let naming = match label {
        _ if is_end => Naming::Doubtful,
        Some(label) => label,
        None => Naming::of(name),
    };
    Some((naming, board))
}

/// Returns whether a line that starts with this many letters may be a heading without a colon.
fn is_usual(text: &str, letters: usize) -> bool {
    let (first, rest) = text.split_at(letters);
    first_word(first).is_some()
        && rest.chars().next().is_none_or(|letter| " \t#:.-_(".contains(letter))
}

/// Returns the index of a word among the [`FIRST_WORDS`].
fn first_word(word: &str) -> Option<usize> {
    FIRST_WORDS.iter().position(|first| first.eq_ignore_ascii_case(word))
}

/// Returns the start of a board after the first word of a heading, which ends at the byte `from`.
///
/// After a colon, any text of tiles counts as a board or a row, so that a faulty board is reported, unless it may be the
/// number of the board: `Puzzle: 1023`. Without a colon a number may belong to the heading, as in `Test case 3`: only a
/// valid board, or the numbers of a row, count.
fn board_after(text: &str, from: usize, colon: Option<usize>) -> Option<usize> {
    const FEWEST: usize = 3;
    let words = |from: usize| {
        let words = text[from..].split(separates).filter(|word| !word.is_empty());
        words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = |word: &str| is_number(word) && word.len() <= LONGEST_NUMBER;
    if let Some(colon) = colon {
        let is_numbered = numbers(&text[..colon]) == 0
            && first_word(&text[..from]).is_some_and(|index| index >= NUMBERED);
        let (at, word) = words(colon + 1).next()?;
        let is_tiles = is_tile_like(word) || is_board(word);
        return (is_tiles && !(is_numbered && is_short(text[at..].trim()))).then_some(at);
    }
    let mut numbers = words(from).filter(|(_, word)| is_number(word));
    let first = numbers.next()?.0;
    let mut boards = words(from).map(|(at, _)| at);
    let board = boards.find(|&at| !is_short(text[at..].trim()) && is_board(&text[at..]));
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
        for (naming, lines) in [
            (Naming::Numbered, &["Puzzle 1:", "== Board #2 ==", "Test case 3", "Puzzle 1023"][..]),
            (Naming::Unknown, &["Easy ones:", "A =", "def f(a, b):"]),
            (
                Naming::Start,
                &["Initial state", "Startzustand:", "From:", "self.start =", "1) Start"],
            ),
            (Naming::Board, &["Board:", "Puzzle: 1023"]),
            (
                Naming::Goal,
                &[
                    "Goal:",
                    "goal state:",
                    "Final configuration:",
                    "Target",
                    "## Goal",
                    "// goal state",
                    "Desired state:",
                    "Zielzustand:",
                    "Goal: spiral",
                    "int goal[3][3] =",
                    "2. Goal:",
                    "(Goal)",
                    "My goal!",
                    "目标状态",
                    "->",
                ],
            ),
            (
                Naming::Doubtful,
                &[
                    "Puzzle 1 (3 moves to goal):",
                    "Final exam, problem 1:",
                    "Goal spiral",
                    "The goal is",
                    "<b>Goal</b>",
                    "Figure 2: the goal state",
                    "g =",
                    "end:",
                    "def is_at_goal(s):",
                ],
            ),
        ] {
            for line in lines {
                assert_eq!(heading(line), Some((naming, None)), "{line}");
            }
        }
        for line in [
            "1 2 3",
            "ABCDEFGH_",
            "hello there",
            "if goal == [1, 2]:",
            "x 1 2",
            "",
            "A:",
            "1. 2. 3. 0.",
            "1: 2 3",
            "Moves: 3",
            "from heapq import heappush",
            "start(1/2/3/4/5/6/7/0/8).",
        ] {
            assert_eq!(heading(line), None, "{line}");
        }
    }

    #[test]
    fn board_after_a_heading_is_found() {
        for (line, naming, board) in [
            ("Board: 1 2 3 0", Naming::Board, "1 2 3 0"),
            ("Case #1: 182043765", Naming::Numbered, "182043765"),
            ("puzzle-1: 1 8 2 0 4 3 7 6 5", Naming::Numbered, "1 8 2 0 4 3 7 6 5"),
            ("start 182043765", Naming::Start, "182043765"),
            ("Test 1 - 182043765", Naming::Numbered, "182043765"),
            ("Start: 1 8 2", Naming::Start, "1 8 2"),
            ("From: 1 8 2", Naming::Start, "1 8 2"),
            ("  Initial 1 8 2", Naming::Start, "1 8 2"),
            ("Input: 1 2 3 4", Naming::Start, "1 2 3 4"),
            ("Start: 1023", Naming::Start, "1023"),
            ("Puzzle 7: 1023", Naming::Numbered, "1023"),
            ("Goal: 1 2 3", Naming::Goal, "1 2 3"),
            ("To: 1 2 3", Naming::Goal, "1 2 3"),
            ("board = [[1,2],[3,0]]", Naming::Board, "board = [[1,2],[3,0]]"),
            (
                "private final int[] board = {1, 2, 3, 0};",
                Naming::Board,
                "private final int[] board = {1, 2, 3, 0};",
            ),
            ("board2 = [1, 2, 3, 0]", Naming::Numbered, "board2 = [1, 2, 3, 0]"),
            ("easy = [1, 2, 3, 0]", Naming::Unknown, "easy = [1, 2, 3, 0]"),
            ("1) 1 2 3 0", Naming::Numbered, "1 2 3 0"),
            (" 2: 1203", Naming::Numbered, "1203"),
            ("3. 1 2/0 3", Naming::Numbered, "1 2/0 3"),
            ("1 2 3 0 # goal", Naming::Goal, "1 2 3 0 # goal"),
            ("1230 // the goal state", Naming::Goal, "1230 // the goal state"),
            ("goal = [1, 2, 3, 0]", Naming::Goal, "goal = [1, 2, 3, 0]"),
            ("Goal state = [1, 2, 3, 0]", Naming::Goal, "Goal state = [1, 2, 3, 0]"),
            ("solved = [1, 2, 3, 0]", Naming::Goal, "solved = [1, 2, 3, 0]"),
            (
                "int GOAL[2][2] = {{1, 2}, {3, 0}};",
                Naming::Goal,
                "int GOAL[2][2] = {{1, 2}, {3, 0}};",
            ),
            (
                "private final int[] goal = {1, 2, 3, 0};",
                Naming::Goal,
                "private final int[] goal = {1, 2, 3, 0};",
            ),
            (
                "let goal: [[u8; 2]; 2] = [[1, 2], [3, 0]];",
                Naming::Goal,
                "let goal: [[u8; 2]; 2] = [[1, 2], [3, 0]];",
            ),
            ("Goal state: [[1,2],[3,0]]", Naming::Goal, "[[1,2],[3,0]]"),
            ("int[] goalState = {1, 2, 3, 0};", Naming::Goal, "int[] goalState = {1, 2, 3, 0};"),
            ("goal([1, 2, 3, 0]).", Naming::Goal, "goal([1, 2, 3, 0])."),
            ("solved([1, 2, 3, 0]).", Naming::Goal, "solved([1, 2, 3, 0])."),
            ("far_from_goal = [1, 2, 3, 0]", Naming::Doubtful, "far_from_goal = [1, 2, 3, 0]"),
            ("Case 2 (far from goal): 1230", Naming::Doubtful, "1230"),
        ] {
            let (found, at) = heading(line).unwrap();
            assert_eq!((found, &line[at.unwrap()..]), (naming, board), "{line}");
        }
    }
}
