//! Names of fields and columns: the content of a field, by the words of its name, and the words that names of boards in
//! texts have as well.
//!
//! Case and the signs between words are ignored, so `goal_state`, `GoalState` and `goal.state` are one name. A name with
//! a word that is not listed here has no meaning.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Names of fields and columns that hold a board; case and the signs between words are ignored. A word for the start
/// and a word for a board do too: `start_state`, `initialConfiguration`.
pub const BOARD_FIELDS: &[&str] =
    &["board", "state", "puzzle", "initial", "tiles", "start", "initial_state", "grid"];

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A board to solve.
    Board,
    /// A board to solve next to a goal, `from`, or any remark: `source`.
    Source,
    /// The goal. Unless the name has the word `goal`, the field may have a label instead.
    Goal {
        or_label: bool,
    },
    Width,
    Height,
    /// Both sides, or one side of a square board. In a list, their order is that of the rows and columns of an array if
    /// it is a shape; a text such as `8x2` has the width first if it is a size; otherwise the order is unknown.
    Sides {
        rows_first: bool,
        width_first: bool,
    },
    /// Sides that count only if they fit the cells of the board: `n` and `m`.
    Side,
    /// The blank: its sign or number, or its cell.
    Blank,
    /// The cell of the blank.
    BlankCell,
    BlankRow,
    BlankColumn,
    /// An object that describes the board.
    Settings,
    /// A part of the goal: `goal_blank`.
    PartOfGoal,
    Other,
}

/// The meaning of a word in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Goal,
    Target,
    /// A word that means a goal next to a word for a board, and otherwise perhaps the end of something.
    End,
    To,
    Start,
    Source,
    Board,
    Puzzle,
    /// A word for a board only together with other words.
    Form,
    Place,
    Size,
    Dimensions,
    Shape,
    Width,
    Height,
    Count,
    Blank,
    Index,
    Row,
    Column,
    /// A word for a blank only together with other words.
    Sign,
    Settings,
}

/// The known words. Joined words, `goalstate`, are found too.
const WORDS: &[(Word, &[&str])] = &[
    (Word::Goal, &["goal", "goals", "ziel", "objetivo", "objectif", "目标", "цель"]),
    (Word::Target, &["target", "targets", "desired", "wanted"]),
    (
        Word::End,
        &[
            "final",
            "finale",
            "end",
            "solved",
            "finish",
            "finished",
            "destination",
            "dest",
            "dst",
            "objective",
            "终态",
        ],
    ),
    (Word::To, &["to"]),
    (
        Word::Start,
        &["start", "starting", "initial", "init", "anfangs", "inicial", "initiale", "初始", "初态"],
    ),
    (Word::Source, &["from", "source", "src", "input", "scramble", "scrambled"]),
    (Word::Board, &["board", "state", "tiles", "grid"]),
    (Word::Puzzle, &["puzzle"]),
    (
        Word::Form,
        &[
            "boards",
            "states",
            "config",
            "configuration",
            "arrangement",
            "layout",
            "cells",
            "matrix",
            "zustand",
            "stellung",
            "estado",
            "状态",
        ],
    ),
    (Word::Place, &["position", "pos"]),
    (Word::Size, &["size", "side"]),
    (Word::Dimensions, &["dim", "dims", "dimension", "dimensions"]),
    (Word::Shape, &["shape"]),
    (Word::Width, &["width", "cols", "columns", "ncols"]),
    (Word::Height, &["height", "rows", "nrows"]),
    (Word::Count, &["num", "number", "of"]),
    (Word::Blank, &["blank", "empty", "hole", "gap", "zero"]),
    (Word::Index, &["index", "idx", "location", "loc"]),
    (Word::Row, &["row", "y"]),
    (Word::Column, &["col", "column", "x"]),
    (Word::Sign, &["tile", "sign", "symbol", "value", "char", "cell"]),
    (
        Word::Settings,
        &["settings", "options", "params", "parameters", "meta", "metadata", "problem", "instance"],
    ),
];

/// Maximum number of letters of a name with a meaning.
const LONGEST: usize = 40;

/// A field of a record, or of a line with columns, whose values are strings.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) role: Role,
    pub(super) value: Cow<'a, Value>,
}

pub(super) fn fields_of(object: &Map<String, Value>) -> Vec<Field<'_>> {
    let fields = object.iter();
    fields
        .map(|(name, value)| Field { name, role: Role::of(name), value: Cow::Borrowed(value) })
        .collect()
}

/// Returns whether two names of fields are the same but for case and the signs between words.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    letters_of(one).eq(letters_of(other))
}

fn letters_of(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase)
}

/// Returns whether a field of this name holds a goal.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::is_goal_field;
/// assert!(is_goal_field("goalState") && is_goal_field("final board"));
/// assert!(!is_goal_field("goal_tests") && !is_goal_field("state"));
/// ```
pub fn is_goal_field(name: &str) -> bool {
    matches!(Role::of(name), Role::Goal { .. })
}

impl Role {
    /// Returns whether a field with this content may have the board to solve.
    pub(super) fn is_board(self) -> bool {
        matches!(self, Self::Board | Self::Source)
    }

    /// Returns the content of a field with this name.
    pub(super) fn of(name: &str) -> Self {
        let mut buffer = [0; LONGEST];
        let mut length = 0;
        let mut has_digits = false;
        for letter in name.chars() {
            match letter {
                'a'..='z' | 'A'..='Z' if length < LONGEST => {
                    buffer[length] = letter.to_ascii_lowercase() as u8;
                    length += 1;
                }
                _ if letter.is_alphabetic() => return Self::Other,
                _ => has_digits |= letter.is_ascii_digit(),
            }
        }
        match (&buffer[..length], has_digits) {
            (b"w", false) => Self::Width,
            (b"h", false) => Self::Height,
            (b"n" | b"m", false) => Self::Side,
            (letters, has_digits) => match Self::of_letters(letters) {
                role @ Self::Goal { .. } => role,
                // `board2` is not the board of the record.
                _ if has_digits => Self::Other,
                role => role,
            },
        }
    }

    fn of_letters(letters: &[u8]) -> Self {
        let mut words = [Word::Settings; LONGEST];
        let count = split(letters, &mut words);
        Self::of_words(&words[..count])
    }

    fn of_words(words: &[Word]) -> Self {
        let has = |wanted: Word| words.contains(&wanted);
        let sides = |rows_first, width_first| Self::Sides { rows_first, width_first };
        let is_board = |word: &Word| matches!(word, Word::Board | Word::Puzzle | Word::Form);
        let is_goal =
            |word: &Word| matches!(word, Word::Goal | Word::Target | Word::End | Word::To);
        // The words of a board and of numbers add nothing to the name of a size: `board_size`, `num_rows`.
        let mut main = words.iter().filter(|word| !is_board(word) && **word != Word::Count);
        let size = match (main.next(), main.next()) {
            (Some(Word::Size), None) => Some(sides(false, true)),
            (Some(Word::Dimensions), None) => Some(sides(false, false)),
            (Some(Word::Shape), None) => Some(sides(true, false)),
            (Some(Word::Width), None) => Some(Self::Width),
            (Some(Word::Height), None) => Some(Self::Height),
            _ => None,
        };
        match words {
            [] | [Word::Row | Word::Column] => Self::Other,
            [Word::Board | Word::Puzzle] => Self::Board,
            [Word::Source] => Self::Source,
            [first @ (Word::Start | Word::Source), rest @ ..]
                if rest.iter().all(|word| is_board(word) || *word == Word::Place) =>
            {
                if *first == Word::Start || rest.iter().any(is_board) {
                    Self::Board
                } else {
                    Self::Source
                }
            }
            _ if words.iter().any(is_goal)
                && words
                    .iter()
                    .all(|word| is_goal(word) || is_board(word) || *word == Word::Place) =>
            {
                Self::Goal { or_label: !has(Word::Goal) }
            }
            _ if words.iter().any(is_goal)
                && (words.contains(&Word::Blank) || words.contains(&Word::Index)) =>
            {
                Self::PartOfGoal
            }
            [Word::Blank] | [Word::Blank, Word::Sign | Word::Count] => Self::Blank,
            [Word::Blank, Word::Place | Word::Index] => Self::BlankCell,
            [Word::Blank, Word::Row] => Self::BlankRow,
            [Word::Blank, Word::Column] => Self::BlankColumn,
            _ if words.iter().all(|word| is_board(word) || *word == Word::Settings) => {
                Self::Settings
            }
            _ => size.unwrap_or(Self::Other),
        }
    }
}

/// Returns the known words that make `word`, in lower case, or none if there are others.
pub(super) fn words_of(word: &str) -> Vec<Word> {
    let mut words = [Word::Settings; LONGEST];
    let letters = word.as_bytes();
    let count = if letters.len() <= LONGEST { split(letters, &mut words) } else { 0 };
    words[..count].to_vec()
}

/// Splits the letters of a name into known words; returns their number, which is 0 if that cannot be done.
fn split(letters: &[u8], words: &mut [Word]) -> usize {
    let names = WORDS.iter().flat_map(|(word, names)| names.iter().map(move |name| (*word, name)));
    let Some((first, others)) = words.split_first_mut() else { return 0 };
    for (word, name) in names {
        let Some(rest) = letters.strip_prefix(name.as_bytes()) else { continue };
        let count = if rest.is_empty() { 0 } else { split(rest, others) };
        if rest.is_empty() || count > 0 {
            *first = word;
            return count + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names_say_what_fields_hold() {
        let goal = Role::Goal { or_label: false };
        let target = Role::Goal { or_label: true };
        for (names, role) in [
            (&["goal", "goalState", "GOAL_BOARD", "goal.tiles", "goals", "target goal"][..], goal),
            (&["target", "final", "endBoard", "to", "desired_state", "Final Position"], target),
            (
                &[
                    "board",
                    "Initial-State",
                    "startboard",
                    "start",
                    "initialBoardState",
                    "from_state",
                ],
                Role::Board,
            ),
            (&["from", "source", "Input", "src_pos"], Role::Source),
            (&["rows", "num_rows", "board_height", "nRows", "h"], Role::Height),
            (
                &["size", "boardSize", "grid size", "side"],
                Role::Sides { rows_first: false, width_first: true },
            ),
            (&["shape", "board.shape"], Role::Sides { rows_first: true, width_first: false }),
            (&["dim", "dimensions"], Role::Sides { rows_first: false, width_first: false }),
            (&["blank", "empty_tile", "hole", "gap", "zero"], Role::Blank),
            (&["blank_pos", "empty position", "blankIndex", "zero_pos"], Role::BlankCell),
            (&["blank_row", "blankY"], Role::BlankRow),
            (&["blank_col", "zero.x"], Role::BlankColumn),
            (&["config", "settings", "board_config"], Role::Settings),
            (
                &[
                    "cost.ms",
                    "goal_tests",
                    "solvable_goals",
                    "moves_from_goal",
                    "board2",
                    "tile_size",
                    "endgame",
                    "ending",
                    "id",
                    "states_expanded",
                    "",
                    "état",
                    "tomato",
                    "prev.state",
                    "x",
                    "y",
                ],
                Role::Other,
            ),
        ] {
            for name in names {
                assert_eq!(Role::of(name), role, "{name}");
            }
        }
    }
}
