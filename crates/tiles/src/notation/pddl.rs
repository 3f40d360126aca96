//! Reads planning problems in PDDL, with tiles at positions named by row and column, by x and y, or by number.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use super::error::Flaw;
use super::input::{LONGEST, Lines};
use super::reading::{BoardText, Case};
use crate::board::Board;
use crate::partial_goal::PartialGoal;
use crate::size::{Cell, Size};

/// Returns whether the first form of a text is a planning definition.
pub(super) fn begins(text: &str) -> bool {
    let code = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(';'));
    code.is_some_and(|line| line.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("(define")))
}

/// Reads the next problem.
pub(super) fn next<R: BufRead>(lines: &mut Lines<R>) -> io::Result<Option<Case>> {
    let Some(first) = lines.next_filled()? else { return Ok(None) };
    let (mut text, mut depth) = (String::new(), 0_usize);
    let mut next = Some(first.clone());
    while let Some(line) = next.take() {
        let code = match line.checked() {
            Ok((text, _)) => text.split(';').next().unwrap_or_default(),
            Err(error) => return Ok(Some(Case::fault(error))),
        };
        for letter in code.chars() {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        text += code;
        text.push('\n');
        if (depth == 0 && !text.trim().is_empty()) || text.len() > 16 * LONGEST {
            break;
        }
        next = lines.next()?;
    }
    if text.trim().is_empty() {
        return Ok(None);
    }
    let fault = |message: String| first.locate(Flaw::new(0..first.text.len(), message));
    let case = match depth {
        0 => case(&text.to_ascii_lowercase(), first.number).map_err(fault),
        _ => Err(fault("the problem has a `(` that is never closed".to_owned())),
    };
    Ok(Some(case.unwrap_or_else(Case::fault)))
}

/// A list, or a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Word(String),
    List(Vec<Node>),
}

impl Node {
    fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(_) => None,
        }
    }

    /// Returns the nodes of a list after its first word, if that word is `name`.
    fn named(&self, name: &str) -> Option<&[Node]> {
        match self {
            Self::List(nodes) => match nodes.split_first() {
                Some((first, rest)) if first.word() == Some(name) => Some(rest),
                _ => None,
            },
            Self::Word(_) => None,
        }
    }
}

/// Parses the lists of a text whose brackets are known to match.
fn parse(text: &str) -> Vec<Node> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Node>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" if open.len() > 1 => {
                let list = Node::List(open.pop().unwrap_or_default());
                open.last_mut().expect("one list is left").push(list);
            }
            word => open.last_mut().expect("one list is left").push(Node::Word(word.to_owned())),
        }
    }
    open.swap_remove(0)
}

fn case(text: &str, line: usize) -> Result<Case, String> {
    let nodes = parse(text);
    let problem = nodes.iter().find_map(|node| node.named("define"));
    let problem = problem.ok_or("a planning problem starts with `(define (problem …)`")?;
    let section = |name: &str| {
        let mut found = problem.iter().filter_map(|node| node.named(name));
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Err(format!("the problem has `({name} …)` twice")),
            (found, _) => Ok(found),
        }
    };
    let init = section(":init")?.ok_or("the problem has no `(:init …)`; a domain has no board")?;
    let goal = section(":goal")?.ok_or("the problem has no `(:goal …)`")?;
    let goal = match goal {
        [node] => node.named("and").unwrap_or(goal),
        goal => goal,
    };
    let is_fact = |node: &Node| {
        let names = ["at", "blank", "empty"];
        !facts(std::slice::from_ref(node), &names).is_empty()
    };
    if goal.is_empty() || !goal.iter().all(is_fact) {
        return Err("the goal has parts that no board describes: facts are needed, as in \
                    `(:goal (and (at t1 x1 y1) (at t2 x2 y1)))`"
            .to_owned());
    }
    let places = Places::new(init)?;
    let size = places.size()?;
    let start = places.numbers(init, size)?;
    // The blank is on the cell without a tile, whether or not a fact names its position.
    let numbers: Vec<u32> = start.iter().map(|number| number.unwrap_or(0)).collect();
    let board = Board::new(size, &numbers).map_err(|error| error.to_string())?;
    let mut wanted = places.numbers(goal, size)?;
    if wanted.iter().flatten().count() + 1 == size.cells() {
        let left = wanted.iter_mut().find(|number| number.is_none());
        left.into_iter().for_each(|blank| *blank = Some(0));
    }
    let notes = vec!["read as a planning problem, with its goal".into()];
    let mut case = Case::new(line, Ok(BoardText { board, notes }));
    if wanted.iter().all(Option::is_some) {
        let numbers: Vec<u32> = wanted.into_iter().flatten().collect();
        case.goal = Some(Board::new(size, &numbers).map_err(|error| error.to_string())?);
    } else {
        let goal = PartialGoal::new(size, &wanted).map_err(|error| error.to_string())?;
        case.goal_text = Some(goal.to_string());
    }
    Ok(case)
}

/// How positions are named, and the range of rows and columns.
struct Places {
    naming: Naming,
    /// Row and column of the first position.
    first: (u32, u32),
    /// Row and column of the last position.
    last: (u32, u32),
    /// The index of the tile among the arguments of `at`.
    tile: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// Two numbers, in two arguments or in one name: the row and the column, or the column and the row.
    Sides { row_first: bool },
    /// A name of two digits: row and column.
    Digits,
    /// A name with a number, in reading order, on a square board.
    Number,
}

/// Returns the arguments of the facts with these names.
fn facts<'a>(nodes: &'a [Node], names: &[&str]) -> Vec<Vec<&'a str>> {
    let arguments = |node: &'a Node| {
        let found = names.iter().find_map(|name| node.named(name))?;
        found.iter().map(Node::word).collect::<Option<Vec<&str>>>()
    };
    nodes.iter().filter_map(arguments).collect()
}

/// Returns the name without its numbers.
fn stem(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphabetic()).collect()
}

/// Returns the numbers in a name.
fn numbers_in(name: &str) -> Vec<u32> {
    let words = name.split(|letter: char| !letter.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

impl Places {
    fn new(init: &[Node]) -> Result<Self, String> {
        let (at, blank) = (facts(init, &["at"]), facts(init, &["blank", "empty"]));
        let blank = blank.first().ok_or("no fact of `:init` is `(blank …)` or `(empty …)`")?;
        let count = blank.len() + 1;
        if !(2..=3).contains(&count) || at.is_empty() || at.iter().any(|fact| fact.len() != count) {
            return Err(
                "facts are needed as `(at t1 x1 y1)` and `(blank x1 y1)`, or `(at t1 p_1_1)` and \
                        `(empty p_1_1)`"
                    .to_owned(),
            );
        }
        let places: BTreeSet<String> = blank.iter().map(|name| stem(name)).collect();
        let tile = (0..count).find(|&argument| !places.contains(&stem(at[0][argument])));
        let tile = tile.unwrap_or(0);
        let positions = |fact: &Vec<&str>| -> Vec<String> {
            let others = fact.iter().enumerate().filter(|&(argument, _)| argument != tile);
            others.map(|(_, name)| (*name).to_owned()).collect()
        };
        let mut all: Vec<Vec<String>> = at.iter().map(positions).collect();
        all.push(blank.iter().map(|name| (*name).to_owned()).collect());
        let naming = naming(&all)?;
        let mut places = Self { naming, first: (u32::MAX, u32::MAX), last: (0, 0), tile };
        let side = all.len().isqrt() as u32;
        for position in &all {
            let names: Vec<&str> = position.iter().map(String::as_str).collect();
            let (row, column) = places.coordinates(&names, side)?;
            places.first = (places.first.0.min(row), places.first.1.min(column));
            places.last = (places.last.0.max(row), places.last.1.max(column));
        }
        Ok(places)
    }

    fn size(&self) -> Result<Size, String> {
        let sides = (self.last.1 - self.first.1 + 1, self.last.0 - self.first.0 + 1);
        Size::new(sides.0, sides.1).map_err(|error| error.to_string())
    }

    /// Returns the row and column of a position as named. Those of a numbered position count from 0 or 1, like the
    /// numbers.
    fn coordinates(&self, names: &[&str], side: u32) -> Result<(u32, u32), String> {
        let wrong = || format!("`{}` is not a known position", names.join(" "));
        let numbers: Vec<u32> = names.iter().flat_map(|name| numbers_in(name)).collect();
        match (self.naming, numbers.as_slice()) {
            (Naming::Sides { row_first: true }, &[row, column]) => Ok((row, column)),
            (Naming::Sides { row_first: false }, &[column, row]) => Ok((row, column)),
            (Naming::Digits, &[number]) => Ok((number / 10, number % 10)),
            (Naming::Number, &[number]) => {
                let cell = number.checked_sub(1).ok_or_else(wrong)?;
                Ok((cell / side, cell % side))
            }
            _ => Err(wrong()),
        }
    }

    /// Returns the number of the tile on each cell, as far as `nodes` contain it.
    fn numbers(&self, nodes: &[Node], size: Size) -> Result<Vec<Option<u32>>, String> {
        let mut numbers = vec![None; size.cells()];
        let side = size.width() as u32;
        let mut place = |names: &[&str], tile: u32| -> Result<(), String> {
            let (row, column) = self.coordinates(names, side)?;
            let cell = row
                .checked_sub(self.first.0)
                .zip(column.checked_sub(self.first.1))
                .map(|(row, column)| (row as usize, column as usize))
                .filter(|&(row, column)| row < size.height() && column < size.width());
            let (row, column) =
                cell.ok_or_else(|| format!("`{}` is outside the board", names.join(" ")))?;
            let cell: Cell = size.cell(row, column);
            match numbers[cell.index()].replace(tile) {
                None => Ok(()),
                Some(_) => Err(format!("two tiles are at `{}`", names.join(" "))),
            }
        };
        for mut fact in facts(nodes, &["at"]) {
            if fact.len() <= self.tile {
                return Err(format!("`at {}` has too few arguments", fact.join(" ")));
            }
            let tile = fact.remove(self.tile);
            match numbers_in(tile).as_slice() {
                &[number] => place(&fact, number)?,
                _ => {
                    return Err(format!(
                        "`{tile}` is not a tile: the name of a tile has a number, as in t1 or tile_1"
                    ));
                }
            }
        }
        for fact in facts(nodes, &["blank", "empty"]) {
            place(&fact, 0)?;
        }
        Ok(numbers)
    }
}

/// Determines how these positions are named.
fn naming(positions: &[Vec<String>]) -> Result<Naming, String> {
    let numbers: Vec<Vec<u32>> = positions
        .iter()
        .map(|names| names.iter().flat_map(|name| numbers_in(name)).collect())
        .collect();
    if numbers.iter().all(|numbers| numbers.len() == 2) {
        return order(positions).map(|row_first| Naming::Sides { row_first });
    }
    let mut single: Vec<u32> =
        numbers.iter().filter(|numbers| numbers.len() == 1).map(|numbers| numbers[0]).collect();
    single.sort_unstable();
    single.dedup();
    let count = positions.len() as u32;
    match () {
        () if single.len() != positions.len() => {
            Err("positions must be named by row and column, as in p_1_2, or by number".to_owned())
        }
        () if single.iter().copied().eq(1..=count) => Ok(Naming::Number),
        () if single.iter().all(|number| (1..=99).contains(number)) => {
            order(positions).map(|_| Naming::Digits)
        }
        () => Err("positions with one number must count from 1, as in p1 to p9".to_owned()),
    }
}

/// Returns whether the row comes first in all positions, by the letters before their numbers. Without such letters the
/// order is known only for the names of `n-puzzle-typed`, `p_1_2`.
///
/// # Errors
/// Returns an error with both readings if the names do not decide between them.
fn order(positions: &[Vec<String>]) -> Result<bool, String> {
    let is_row = |letters: &str| match letters {
        "r" | "row" | "y" => Some(true),
        "c" | "col" | "column" | "x" => Some(false),
        _ => None,
    };
    let of_position = |names: &Vec<String>| {
        let letters: Vec<String> = names.iter().flat_map(|name| letters_in(name)).collect();
        match letters.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["p", ""] | ["p"] if names.len() == 1 => Some(true),
            [one, other] => match (is_row(one)?, is_row(other)?) {
                (first, second) if first != second => Some(first),
                _ => None,
            },
            _ => None,
        }
    };
    let first = of_position(&positions[0]);
    match first.filter(|_| positions.iter().all(|position| of_position(position) == first)) {
        Some(row_first) => Ok(row_first),
        None => Err(format!(
            "`{}` may have the row or the column first: name the positions by r and c or by y and x, as in r1c2",
            positions[0].join(" ")
        )),
    }
}

/// Returns the letters directly before each number of a name, without the signs between them.
fn letters_in(name: &str) -> Vec<String> {
    let (mut all, mut letters, mut before) = (Vec::new(), String::new(), ' ');
    for letter in name.chars() {
        if letter.is_ascii_digit() {
            if !before.is_ascii_digit() {
                all.push(std::mem::take(&mut letters));
            }
        } else if letter.is_alphabetic() {
            if !before.is_alphabetic() {
                letters.clear();
            }
            letters.push(letter);
        }
        before = letter;
    }
    all
}
