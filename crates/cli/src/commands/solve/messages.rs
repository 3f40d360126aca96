//! Messages on standard error: counters of messages shared by many boards, the other goals of unsolvable boards, and
//! the output of `--stats`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loyd::board::{Board, Solvability};
use loyd::search::{CostReport, Direction, Fraction, Iteration, Stats, Status, Stop};
use loyd::{Problem, Report};

use crate::failure::print_note;
use crate::units::{duration, length_text, size, with_commas};

/// Messages shared by many boards, with the number of boards of each.
#[derive(Debug, Default)]
pub struct Counters {
    /// The messages, each with the number of boards it applies to and the line of the first of them in a file.
    messages: Mutex<BTreeMap<String, (u64, Option<usize>)>>,
    /// The goal of the last unsolvable board, with its message.
    other_goals: Mutex<Option<(Board, String)>>,
}

impl Counters {
    /// Returns `line` if the search was stopped for a reason that likely stops the searches of other boards too, namely
    /// memory or damaged tables.
    pub fn shared_line(report: &Report, line: Option<usize>) -> Option<usize> {
        let is_bounded = report.moves.is_some() && report.lower_bound.is_some();
        let stops_others = matches!(report.status, Status::Stopped(Stop::Memory | Stop::Tables));
        line.filter(|_| stops_others && !is_bounded)
    }

    /// Counts a board for `message`: the one on `line`, or one given as an argument.
    pub fn add(&self, message: String, line: Option<usize>) {
        let mut all = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let (boards, first) = all.entry(message).or_insert((0, line));
        *boards += 1;
        *first = line.min(*first);
    }

    /// Removes all messages and returns them. They must be of one board.
    #[cfg(feature = "queue")]
    pub fn take(&self) -> Vec<String> {
        let mut all = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *all).into_keys().collect()
    }

    /// Counts a board for the message about the goals that it can reach, if it is unsolvable.
    ///
    /// The message is composed once for consecutive boards with one goal: they can reach the same named goals, because
    /// only the parity matters. On boards of one line, it is the order of the tiles.
    pub fn add_other_goals(&self, problem: &Problem, line: Option<usize>) {
        let is_partial = problem.partial_goal().is_some();
        if is_partial || Solvability::is_reachable(problem.start(), problem.goal()) {
            return;
        }
        let mut last = self.other_goals.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|(goal, _)| goal != problem.goal() || goal.size().is_line()) {
            *last = other_goals(problem).map(|message| (problem.goal().clone(), message));
        }
        if let Some((_, message)) = &*last {
            self.add(message.clone(), line);
        }
    }

    /// Prints the messages to standard error.
    pub fn print(&self) {
        self.lines().into_iter().for_each(print_note);
    }

    fn lines(&self) -> Vec<String> {
        let all = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |(message, entry): (&String, &(u64, Option<usize>))| match entry {
            (1, Some(first)) => format!("line {first}: {message}"),
            (boards, Some(first)) => {
                format!("{boards} boards, the first on line {first}: {message}")
            }
            (1, None) => format!("1 board: {message}"),
            (boards, None) => format!("{boards} boards: {message}"),
        };
        all.iter().map(line).collect()
    }
}

/// Goals that other programs use; of several reachable goals, the first of these is suggested.
const COMMON: [&str; 2] = ["blank-first", "spiral"];

/// Returns a message with the goals that an unsolvable board can reach, and the option for one of them; `None` for
/// partial goals and solvable boards.
pub fn other_goals(problem: &Problem) -> Option<String> {
    let goals = problem.solvable_goals()?;
    let goal = problem.goal_name().unwrap_or("the goal");
    Some(match goals.as_slice() {
        [] => format!("cannot reach {goal} or any other named goal"),
        [first, ..] => {
            let suggested = COMMON.iter().find(|name| goals.contains(name)).unwrap_or(first);
            format!("cannot reach {goal}, but {}: try --goal {suggested}", join_words(&goals))
        }
    })
}

/// Joins words as `a`, `a and b` or `a, b and c`.
fn join_words(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [words @ .., last] => format!("{} and {last}", words.join(", ")),
    }
}

/// Returns the statistics of a search: one line, and another per iteration if there were several.
pub fn stats(report: &Report) -> String {
    let heuristic = match (report.heuristic, &report.tables) {
        // The cells of all partitions would fill several lines.
        (Some(name), Some(set)) if set.contains('+') => {
            Some(format!("{name}, the largest of {} partitions", 1 + set.matches('+').count()))
        }
        (Some(name), Some(tables)) => Some(format!("{name} {tables}")),
        (name, _) => name.map(str::to_owned),
    };
    let parameters = [
        heuristic,
        report.weight.map(|w| format!("w = {w}")),
        report.closed.map(|closed| closed.to_string()),
        report.prune.map(|prune| prune.to_string()),
    ];
    let parameters: Vec<String> = parameters.into_iter().flatten().collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join(", ")) };
    let result = match (report.length(), report.optimal, report.within) {
        (Some(length), true, _) => format!("{}, shortest", length_text(report.metric, length)),
        (Some(length), false, Some(weight)) => {
            format!("{}, at most {weight} times the shortest", length_text(report.metric, length))
        }
        (Some(length), false, None) => {
            format!("{}, not proved shortest", length_text(report.metric, length))
        }
        (None, ..) => report.status.name().to_owned(),
    };
    let result = report.costs.as_ref().map_or(result, |costs| costs_of(report, costs));
    let stats = &report.stats;
    let mut text = format!(
        "{}{parameters}: {result}; expanded {}, generated {}, duplicates {}, reopened {}, {}, {}",
        report.algorithm,
        with_commas(stats.expanded),
        with_commas(stats.generated),
        with_commas(stats.duplicates),
        with_commas(stats.reopened),
        size(stats.peak_bytes),
        duration(stats.elapsed.as_nanos() as u64),
    );
    if !stats.table_time.is_zero() {
        text += &format!(", plus {} for tables", duration(stats.table_time.as_nanos() as u64));
    }
    text += &iteration_lines(stats, report.costs.as_ref());
    text
}

/// Returns the length and the cost of the solution, and what is proved about the cost.
fn costs_of(report: &Report, costs: &CostReport) -> String {
    let (Some(length), Some(total)) = (report.length(), costs.total) else {
        return report.status.name().to_owned();
    };
    let proved = match (report.optimal, report.within) {
        (true, _) => "cheapest".to_owned(),
        (false, Some(weight)) => format!("at most {weight} times the cheapest"),
        (false, None) => "not proved cheapest".to_owned(),
    };
    format!(
        "{}, cost {}, {proved}",
        length_text(report.metric, length),
        fraction_and_decimal(total)
    )
}

/// Formats a cost as a fraction and as a decimal number: `137/60 (2.283)`.
fn fraction_and_decimal(cost: Fraction) -> String {
    match cost.denominator() {
        1 => cost.to_string(),
        _ => format!("{cost} ({:.3})", cost.as_f64()),
    }
}

/// Returns a line for each iteration and, if several methods could have found the solution, which one did.
fn iteration_lines(stats: &Stats, costs: Option<&CostReport>) -> String {
    let mut text = String::new();
    for Iteration { bound, expanded, generated } in &stats.iterations {
        let (expanded, generated) = (with_commas(*expanded), with_commas(*generated));
        let bound = match costs {
            None => format!("{bound:>3}"),
            Some(costs) => format!("{:>10.3}", f64::from(*bound) * costs.unit.as_f64()),
        };
        text += &format!("\n  bound {bound}: expanded {expanded:>13}, generated {generated:>13}");
    }
    if stats.direction == Some(Direction::Backward) {
        text += "\n  searched from the goal to the start";
    }
    match stats.ended_by {
        Some("ahead") => {
            text +=
                "\n  found two moves beyond the previous bound, so the last bound was not searched";
        }
        Some("beam") => text += "\n  found by beam search, so the last bound was not searched",
        Some("round") => text += "\n  found within the last bound",
        Some("improver") => {
            text += "\n  found by improving a solution, before the bounds reached its length";
        }
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use loyd::board::Size;
    use loyd::{Goal, Problem, Solver};

    use super::*;

    #[test]
    fn boards_are_counted_by_message() {
        let counters = Counters::default();
        for (message, line) in [("b", 9), ("a", 2), ("b", 4), ("b", 7)] {
            counters.add(message.to_owned(), Some(line));
        }
        (0..2).for_each(|_| counters.add("c".to_owned(), None));
        assert_eq!(
            counters.lines(),
            ["line 2: a", "3 boards, the first on line 4: b", "2 boards: c"]
        );
    }

    #[test]
    fn reachable_goals_are_named() {
        let about = |text: &str, goal: &Goal| {
            let problem: Problem = text.parse().unwrap();
            other_goals(&Problem::new(problem.start().clone(), goal).unwrap())
        };
        assert_eq!(
            about("1 x 2/3 4 5/6 7 8", &Goal::BlankTopRight).as_deref(),
            None,
            "it can be solved"
        );
        assert_eq!(
            about("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", &Goal::BlankLast).as_deref(),
            Some(
                "cannot reach blank-last, but blank-first, blank-top-right and snake: try --goal blank-first"
            )
        );
        let board = "1 2 3/4 5 6/8 7 0".parse::<Problem>().unwrap().start().clone();
        assert_eq!(
            about("1 2 3/4 5 6/7 8 0", &Goal::Board(board)).map(|text| text[..30].to_owned()),
            Some("cannot reach the goal, but bla".to_owned())
        );
        assert_eq!(
            about("2 1/3 0", &Goal::BlankLast).as_deref(),
            Some(
                "cannot reach blank-last, but blank-first, blank-top-right and columns: try --goal blank-first"
            )
        );
    }

    #[test]
    fn shared_messages_match_those_of_single_boards() {
        let board = |width, height, numbers: &[u32]| {
            Board::new(Size::new(width, height).unwrap(), numbers).unwrap()
        };
        let (swapped, solved) = ([1, 2, 3, 4, 5, 6, 8, 7, 0], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
        let (small, line) =
            (|goal| (board(3, 3, &swapped), goal), Goal::Board(board(4, 1, &[2, 1, 3, 0])));
        let problems = [
            small(Goal::BlankLast),
            small(Goal::BlankFirst),
            small(Goal::BlankLast),
            (board(3, 3, &solved), Goal::BlankLast),
            (board(3, 3, &solved), Goal::Board(board(3, 3, &swapped))),
            (board(4, 1, &[1, 2, 3, 0]), line.clone()),
            (board(4, 1, &[3, 1, 2, 0]), line),
        ];
        let (counters, mut expected) = (Counters::default(), BTreeMap::new());
        for (start, goal) in problems {
            let problem = Problem::new(start, &goal).unwrap();
            counters.add_other_goals(&problem, None);
            if let Some(message) = other_goals(&problem) {
                *expected.entry(message).or_insert(0) += 1;
            }
        }
        assert_eq!(expected.len(), 5);
        let counted = counters.messages.into_inner().unwrap().into_iter();
        let counted: BTreeMap<_, _> =
            counted.map(|(message, (boards, _))| (message, boards)).collect();
        assert_eq!(counted, expected);
    }

    #[test]
    fn method_that_found_solution_is_named() {
        let problem: Problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
        let mut report = Solver::default().solve(&problem).unwrap();
        let mut last = |ended_by| {
            report.stats.ended_by = ended_by;
            stats(&report).lines().last().unwrap().to_owned()
        };
        assert!(last(Some("ahead")).contains("found two moves beyond"));
        assert!(last(Some("beam")).contains("found by beam search"));
        assert!(last(Some("round")).contains("found within the last bound"));
        assert!(last(Some("improver")).contains("found by improving"));
        assert!(!last(None).contains("found"));
    }

    #[test]
    fn partitions_of_set_are_counted() {
        let problem: Problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
        let mut report = Solver::default().solve(&problem).unwrap();
        report.heuristic = Some("pdb");
        let mut first = |tables: &str| {
            report.tables = Some(tables.to_owned());
            stats(&report).lines().next().unwrap().to_owned()
        };
        assert!(first("1,2/3,4+1,3/2,4+1,4/2,3").contains("(pdb, the largest of 3 partitions)"));
        assert!(first("catalogue").contains("(pdb catalogue)"));
    }
}
