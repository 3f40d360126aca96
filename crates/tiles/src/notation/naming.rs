//! Names of boards in texts: the meaning of the words of a heading, or of the name of a variable.

use super::names::{Word, words_of};
use super::signs::is_ornament;

/// The meaning of a name for the board under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It is the board to solve: `Start`, `Initial state`.
    Start,
    /// It is a board, or one of several: `Board`, `Start positions`.
    Board,
    /// It is a goal: `Goal`, `Target position`, `goalState`.
    Goal,
    /// It may be either: `Puzzle 1 (3 moves to goal)`, `far_from_goal`.
    Doubtful,
    /// It is one of many: `Puzzle 1`.
    Numbered,
    /// Words without a known meaning: `Easy`.
    Unknown,
}

/// Words that change nothing in the name of a board.
const FILLERS: [&str; 10] =
    ["the", "this", "our", "my", "of", "node", "list", "array", "arr", "pattern"];

/// The meaning of a word for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Goal,
    To,
    Start,
    /// A word for a board, or a filler.
    Neutral,
    /// A word that makes the name of a goal doubtful: `Final puzzle`.
    Puzzle,
    Unknown,
}

impl Part {
    fn of(word: Word) -> Self {
        match word {
            Word::Goal | Word::Target | Word::End => Self::Goal,
            Word::To => Self::To,
            Word::Start | Word::Source => Self::Start,
            Word::Board | Word::Form | Word::Place => Self::Neutral,
            Word::Puzzle => Self::Puzzle,
            _ => Self::Unknown,
        }
    }

    /// Returns the parts of a word in lower case.
    fn all(word: &str) -> Vec<Self> {
        let known = || {
            let words = words_of(word);
            let singular = || word.strip_suffix('s').map(words_of).unwrap_or_default();
            if words.is_empty() { singular() } else { words }
        };
        if FILLERS.contains(&word) {
            return vec![Self::Neutral];
        }
        let parts: Vec<Self> = known().into_iter().map(Self::of).collect();
        if parts.is_empty() { vec![Self::Unknown] } else { parts }
    }
}

impl Naming {
    /// Returns the meaning of `name`. Case and the signs between words have no meaning; `goalState` is two words. Numbers are
    /// dropped, but separate puzzles, as in `Board 2`, unless there is a word for a start.
    pub(super) fn of(name: &str) -> Self {
        let mut spaced = String::with_capacity(name.len());
        for letter in name.chars() {
            let begins_word = letter.is_uppercase() && spaced.ends_with(char::is_lowercase);
            spaced.extend(begins_word.then_some(' '));
            spaced.push(letter);
        }
        let lower = spaced.to_lowercase();
        let words = || {
            let words = lower.split(|letter: char| !letter.is_alphabetic());
            words.filter(|word| !word.is_empty())
        };
        let parts: Vec<Part> = words().flat_map(Part::all).collect();
        let is_goal =
            parts.iter().all(|part| matches!(part, Part::Goal | Part::To | Part::Neutral));
        let is_start =
            parts.iter().all(|part| matches!(part, Part::Start | Part::Neutral | Part::Puzzle));
        let is_numbered = name.contains(|letter: char| letter.is_ascii_digit());
        // `to` is too common a word to make a longer name doubtful.
        if parts.contains(&Part::Goal) {
            if is_goal { Self::Goal } else { Self::Doubtful }
        } else if is_goal && parts.first() == Some(&Part::To) {
            Self::Goal
        } else if is_start && parts.contains(&Part::Start) {
            let is_plural = words().any(|word| word.ends_with('s'));
            if is_plural { Self::Board } else { Self::Start }
        } else if is_start && !is_numbered {
            Self::Board
        } else if is_numbered {
            Self::Numbered
        } else {
            Self::Unknown
        }
    }
}

/// Returns whether the first word of a name has no meaning but a goal: `Goal of all puzzles`, unlike `Final exam`.
pub(super) fn begins_with_goal(name: &str) -> bool {
    let mut words =
        name.trim_start_matches(is_ornament).split(|letter: char| !letter.is_alphabetic());
    is_certain(&words.next().unwrap_or_default().to_lowercase())
}

/// Returns whether a line has a goal behind its name: `# goal: 123456780`.
pub(super) fn gives_goal(line: &str) -> bool {
    digits(line) >= FEWEST_DIGITS && begins_with_goal(line)
}

/// Returns whether a word in lower case means a goal and nothing else.
fn is_certain(word: &str) -> bool {
    matches!(words_of(word).first(), Some(Word::Goal | Word::Target))
}

/// Returns the meaning of a line that is a comment, `# goal` or `// this is the goal`, if it may be the heading of a goal
/// or of the start.
pub(super) fn of_comment(line: &str) -> Option<Naming> {
    let line = line.trim_start();
    let text = line.strip_prefix("//").or_else(|| line.strip_prefix(['#', '%']))?;
    if text.trim().eq_ignore_ascii_case("end") {
        return None;
    }
    let has_board = digits(text) >= FEWEST_DIGITS;
    match Naming::of(text) {
        Naming::Goal if !has_board => Some(Naming::Goal),
        Naming::Goal => Some(Naming::Doubtful),
        Naming::Doubtful => speaks_of_a_goal(text).then_some(Naming::Doubtful),
        Naming::Start if !has_board => Some(Naming::Start),
        _ => None,
    }
}

/// Returns the meaning of a line without a board that has no form of a heading: `(Goal)`, `The goal is`, `->`.
pub(super) fn of_line(line: &str) -> Option<Naming> {
    const ARROWS: [&str; 7] = ["->", "-->", "=>", "==>", "→", "⇒", "↓"];
    if ARROWS.contains(&line.trim()) {
        return Some(Naming::Goal);
    }
    let has_word = line.chars().any(char::is_alphabetic);
    if !has_word || line.contains('=') {
        return None;
    }
    if digits(line) >= FEWEST_DIGITS {
        // The goal may be on the line, in a form that is not understood.
        return (names_goal(line) && speaks_of_a_goal(line)).then_some(Naming::Doubtful);
    }
    match Naming::of(line) {
        // `end` may end a block of a program.
        Naming::Goal if line.trim().eq_ignore_ascii_case("end") => Some(Naming::Doubtful),
        Naming::Goal => Some(Naming::Goal),
        Naming::Doubtful if speaks_of_a_goal(line) => Some(Naming::Doubtful),
        _ => None,
    }
}

/// Returns whether a text has a word for a goal.
pub(super) fn names_goal(text: &str) -> bool {
    matches!(Naming::of(text), Naming::Goal | Naming::Doubtful)
}

/// Returns the number of digits of a line, up to that of the smallest board.
fn digits(line: &str) -> usize {
    line.bytes().filter(u8::is_ascii_digit).take(FEWEST_DIGITS).count()
}

/// Number of digits of the smallest board.
const FEWEST_DIGITS: usize = 4;

/// Returns whether a line speaks of a goal as of a board, unlike `3 moves to the goal` and `the final version`.
fn speaks_of_a_goal(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && *word != "the").collect();
    (0..words.len()).any(|at| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let next = words.get(at + 1);
        match words[at] {
            word if is_certain(word) => !matches!(before, Some("to" | "from")),
            word => {
                let is_neutral = |word: &&str| {
                    let words = words_of(word);
                    !words.is_empty() && words.iter().all(|word| Part::of(*word) == Part::Neutral)
                };
                Part::all(word).contains(&Part::Goal) && next.is_some_and(is_neutral)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_without_other_words_are_goals() {
        for (naming, names) in [
            (
                Naming::Goal,
                &[
                    "goal",
                    "Goal state",
                    "goalState",
                    "GOAL_STATE_2",
                    "The goal position",
                    "To",
                    "Zielzustand",
                    "solved",
                    "dst",
                    "final_board",
                    "goal8",
                    "to state",
                ][..],
            ),
            (
                Naming::Doubtful,
                &[
                    "Puzzle 1 (3 moves to goal)",
                    "Final exam, problem 1",
                    "far_from_goal",
                    "nearGoal",
                    "Target puzzle 2",
                    "Puzzle 1, finish by Monday",
                    "start_goal",
                ],
            ),
            (Naming::Start, &["Start", "initial_state", "Start 2", "From", "InitialBoard"]),
            (Naming::Board, &["board", "Puzzle", "Start positions", "Boards", ""]),
            (Naming::Numbered, &["Puzzle 1", "Board 2", "Easy 3"]),
            (Naming::Unknown, &["Easy", "Moves to go", "weekend"]),
        ] {
            for name in names {
                assert_eq!(Naming::of(name), naming, "{name}");
            }
        }
    }
}
