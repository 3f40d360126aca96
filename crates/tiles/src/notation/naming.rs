//! Names of boards in texts: the meaning of the words of a heading, or of the name of a variable.

use super::names::{Word, words_of};
use super::signs::is_ornament;

/// The meaning of a name for the board under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It is a board to solve: `Start`, `Initial state`, `board`.
    Start,
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
const FILLERS: [&str; 9] = ["the", "our", "my", "of", "node", "list", "array", "arr", "pattern"];

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
        let words = lower.split(|letter: char| !letter.is_alphabetic());
        let parts: Vec<Part> = words.filter(|word| !word.is_empty()).flat_map(Part::all).collect();
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
        } else if is_start && (parts.contains(&Part::Start) || !is_numbered) {
            Self::Start
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

/// Returns whether a word in lower case means a goal and nothing else.
fn is_certain(word: &str) -> bool {
    matches!(words_of(word).first(), Some(Word::Goal | Word::Target))
}

/// Returns the meaning of a line that is a comment, `# goal` or `// this is the goal`, if it may be the heading of a goal.
pub(super) fn of_goal_comment(line: &str) -> Option<Naming> {
    let line = line.trim_start();
    let text = line.strip_prefix("//").or_else(|| line.strip_prefix(['#', '%']))?;
    let has_board = text.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS;
    match Naming::of(text) {
        Naming::Goal if !has_board => Some(Naming::Goal),
        Naming::Goal => Some(Naming::Doubtful),
        Naming::Doubtful => speaks_of_a_goal(text).then_some(Naming::Doubtful),
        Naming::Start | Naming::Numbered | Naming::Unknown => None,
    }
}

/// Number of digits of the smallest board.
const FEWEST_DIGITS: usize = 4;

/// Returns whether a comment speaks of a goal as of a board, unlike `3 moves to the goal` and `the final version`.
fn speaks_of_a_goal(comment: &str) -> bool {
    let lower = comment.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && *word != "the").collect();
    (0..words.len()).any(|at| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let next = words.get(at + 1);
        match words[at] {
            word if is_certain(word) => !matches!(before, Some("to" | "from")),
            word => {
                let is_neutral =
                    |word: &&str| Part::all(word).iter().all(|part| *part == Part::Neutral);
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
            (Naming::Start, &["Start", "initial_state", "Start 2", "From", "board", "Puzzle", ""]),
            (Naming::Numbered, &["Puzzle 1", "Board 2", "Easy 3"]),
            (Naming::Unknown, &["Easy", "Moves to go", "weekend"]),
        ] {
            for name in names {
                assert_eq!(Naming::of(name), naming, "{name}");
            }
        }
    }
}
