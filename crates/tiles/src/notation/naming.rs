//! Names of boards in texts: the meaning of the words of a heading, or of the name of a variable.

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
    /// Neither: `Puzzle 1`, `Easy`.
    Other,
}

/// Words that name a goal.
const GOALS: [&str; 21] = [
    "goal",
    "goals",
    "target",
    "final",
    "destination",
    "dest",
    "dst",
    "end",
    "finish",
    "finished",
    "desired",
    "wanted",
    "solved",
    "correct",
    "to",
    "ziel",
    "zielzustand",
    "zielstellung",
    "endzustand",
    "objectif",
    "objetivo",
];

/// Words that name a board to solve.
const STARTS: [&str; 13] = [
    "start",
    "starting",
    "initial",
    "init",
    "from",
    "source",
    "src",
    "input",
    "scramble",
    "scrambled",
    "startzustand",
    "anfangszustand",
    "startstellung",
];

/// Words that change nothing next to the words above.
const NEUTRAL: [&str; 24] = [
    "state",
    "board",
    "boards",
    "position",
    "positions",
    "configuration",
    "config",
    "conf",
    "node",
    "grid",
    "layout",
    "arrangement",
    "pattern",
    "tiles",
    "array",
    "matrix",
    "zustand",
    "stellung",
    "list",
    "arr",
    "the",
    "our",
    "my",
    "of",
];

/// Words that change nothing next to the name of a start, but make the name of a goal doubtful: `Final puzzle`.
const PUZZLES: [&str; 2] = ["puzzle", "puzzles"];

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
        let are_all =
            |lists: &[&[&str]]| words().all(|word| lists.iter().any(|l| l.contains(&word)));
        // `to` is too common a word to make a longer name doubtful.
        if words().any(|word| GOALS.contains(&word) && word != "to") {
            return if are_all(&[&GOALS, &NEUTRAL]) { Self::Goal } else { Self::Doubtful };
        }
        let is_numbered = name.contains(|letter: char| letter.is_ascii_digit());
        let has_start = words().any(|word| STARTS.contains(&word));
        if words().next() == Some("to") && are_all(&[&GOALS, &NEUTRAL]) {
            Self::Goal
        } else if (has_start || !is_numbered) && are_all(&[&STARTS, &NEUTRAL, &PUZZLES]) {
            Self::Start
        } else {
            Self::Other
        }
    }
}

/// Returns whether a name begins with a word that means nothing but a goal: `Goal of all puzzles`, unlike `Final exam`.
pub(super) fn begins_with_goal(name: &str) -> bool {
    let mut words =
        name.trim_start_matches(is_ornament).split(|letter: char| !letter.is_alphabetic());
    let first = words.next().unwrap_or_default().to_lowercase();
    ["goal", "goals", "target", "desired", "ziel", "zielzustand"].contains(&first.as_str())
}

/// Returns whether a comment is nothing but the heading of a goal: `## Goal`, `// goal state`.
pub(super) fn is_goal_comment(comment: &str) -> bool {
    const MOST_WORDS: usize = 2;
    let text = comment.trim_matches(is_ornament).trim_end_matches([':', ' ']);
    let is_words = text.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    is_words && text.split(' ').count() <= MOST_WORDS && Naming::of(text) == Naming::Goal
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
            (Naming::Other, &["Puzzle 1", "Board 2", "Easy", "Moves to go", "weekend"]),
        ] {
            for name in names {
                assert_eq!(Naming::of(name), naming, "{name}");
            }
        }
    }
}
