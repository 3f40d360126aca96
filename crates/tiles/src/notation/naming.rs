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
const GOALS: [&str; 26] = [
    "goal",
    "goals",
    "goalstate",
    "goalboard",
    "targetstate",
    "finalstate",
    "endstate",
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

/// Words for a goal without another meaning.
const CERTAIN_GOALS: [&str; 9] = [
    "goal",
    "goals",
    "target",
    "desired",
    "ziel",
    "zielzustand",
    "goalstate",
    "goalboard",
    "targetstate",
];

/// Words that name a board to solve.
const STARTS: [&str; 15] = [
    "startstate",
    "initialstate",
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

/// Returns whether the first word of a name has no meaning but a goal: `Goal of all puzzles`, unlike `Final exam`.
pub(super) fn begins_with_goal(name: &str) -> bool {
    let mut words =
        name.trim_start_matches(is_ornament).split(|letter: char| !letter.is_alphabetic());
    let first = words.next().unwrap_or_default().to_lowercase();
    CERTAIN_GOALS.contains(&first.as_str())
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
        Naming::Start | Naming::Other => None,
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
            word if CERTAIN_GOALS.contains(&word) => !matches!(before, Some("to" | "from")),
            word => GOALS.contains(&word) && next.is_some_and(|next| NEUTRAL.contains(next)),
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
            (Naming::Other, &["Puzzle 1", "Board 2", "Easy", "Moves to go", "weekend"]),
        ] {
            for name in names {
                assert_eq!(Naming::of(name), naming, "{name}");
            }
        }
    }
}
