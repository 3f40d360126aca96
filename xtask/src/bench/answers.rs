//! Reads and replays the solutions of a program, and compares the solutions of two programs.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::replay::Board;

/// The solution to one board.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// Moves or slides, depending on the metric; `None` for an unsolvable board.
    pub length: Option<u64>,
    /// Whether the program claims that the solution is a shortest one.
    pub is_optimal: bool,
    /// Nodes expanded; 0 if the program does not report them.
    pub expanded: u64,
}

/// Reads a line of moves or `unsolvable` for each board, and replays it to the goal with the blank last.
///
/// # Errors
/// The first wrong solution.
pub fn parse_lines(output: &str, boards: &[Board], is_optimal: bool) -> Result<Vec<Answer>> {
    each(output, boards, |line, board| {
        let mut answer = Answer { length: None, is_optimal, expanded: 0 };
        if line.trim() != "unsolvable" {
            answer.length = Some(replay(board, line.trim(), &board.goal())?);
        }
        Ok(answer)
    })
}

/// Reads the output of `loyd solve --output json` for `boards`, and replays it.
///
/// # Errors
/// The first wrong solution.
pub fn parse_records(output: &str, boards: &[Board]) -> Result<Vec<Answer>> {
    each(output, boards, |line, board| record(&serde_json::from_str(line)?, board))
}

fn each(
    output: &str,
    boards: &[Board],
    read: impl Fn(&str, &Board) -> Result<Answer>,
) -> Result<Vec<Answer>> {
    let lines: Vec<&str> = output.lines().collect();
    if lines.len() != boards.len() {
        bail!("{} answers to {} boards", lines.len(), boards.len());
    }
    let answer = |(number, (line, board))| {
        read(line, board).with_context(|| format!("board {number}, answer `{line}`"))
    };
    (1..).zip(lines.into_iter().zip(boards)).map(answer).collect()
}

fn record(record: &Value, board: &Board) -> Result<Answer> {
    let text = |key: &str| record[key].as_str().with_context(|| format!("no {key}"));
    let length = match text("status")? {
        "unsolvable" => None,
        "solved" => {
            let moves = replay(board, text("moves")?, &Board::parse(text("goal")?)?)?;
            let length = record["length"].as_u64().context("no length")?;
            if text("metric")? == "stm" && length != moves {
                bail!("the moves are {moves}");
            }
            Some(length)
        }
        other => bail!("the status is {other}"),
    };
    let is_optimal = record["optimal"].as_bool().context("no optimal")?;
    let expanded = record["expanded"].as_u64().unwrap_or(0);
    Ok(Answer { length, is_optimal, expanded })
}

/// Checks that `moves` lead from `board` to `goal`, and returns their number.
fn replay(board: &Board, moves: &str, goal: &Board) -> Result<u64> {
    let mut end = board.clone();
    end.play(moves)?;
    match end.meets(goal) {
        true => Ok(moves.len() as u64),
        false => bail!("the moves do not lead to the goal"),
    }
}

/// Returns notes on the differences between `before` and `after`, the solutions of two programs to the same boards.
///
/// # Errors
/// The first board on which the programs disagree: only one of them solves it, or both claim to be optimal with
/// different lengths.
pub fn differences(before: &[Answer], after: &[Answer]) -> Result<Vec<String>> {
    for (number, (old, new)) in (1..).zip(before.iter().zip(after)) {
        let (of_old, of_new) = (old.length, new.length);
        let comparable = old.is_optimal && new.is_optimal;
        if of_old.is_some() != of_new.is_some() || (comparable && of_old != of_new) {
            let shown = |length: Option<u64>| match length {
                Some(length) => format!("{length} moves"),
                None => "unsolvable".to_owned(),
            };
            bail!("board {number}: {} before, {} after", shown(of_old), shown(of_new));
        }
    }
    let mut notes = Vec::new();
    let mut compare = |what: &str, of: fn(&Answer) -> u64| {
        let [old, new] = [before, after].map(|answers| answers.iter().map(of).sum::<u64>());
        if old != new {
            let change = 100.0 * (new as f64 / old as f64 - 1.0);
            notes.push(format!("{what} {old} before, {new} after ({change:+.2}%)"));
        }
    };
    compare("moves", |answer| answer.length.unwrap_or(0));
    compare("expanded", |answer| answer.expanded);
    let optimal = |answers: &[Answer]| answers.iter().filter(|answer| answer.is_optimal).count();
    if optimal(before) != optimal(after) {
        notes.push(format!("optimal {} before, {} after", optimal(before), optimal(after)));
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        Board::parse(text).unwrap()
    }

    #[test]
    fn wrong_lines_are_errors() {
        let length = |text: &str, output: &str| {
            parse_lines(output, &[board(text)], true).map(|answers| answers[0].length)
        };
        assert_eq!(length("1 2 3/4 5 6/7 0 8", "r\n").unwrap(), Some(1));
        assert_eq!(length("1 2 3/4 5 6/7 0 8", "lrr\n").unwrap(), Some(3));
        assert_eq!(length("1 2 3/4 5 6/7 8 0", "\n").unwrap(), Some(0));
        assert_eq!(length("1 2 3/4 5 6/8 7 0", "unsolvable\n").unwrap(), None);
        for (text, output) in [
            ("1 2 3/4 5 6/7 0 8", "l\n"),
            ("1 2 3/4 5 6/7 0 8", "d\n"),
            ("1 2 3/4 5 6/8 7 0", "\n"),
            ("1 2 3/4 5 6/8 7 0", ""),
        ] {
            assert!(length(text, output).is_err(), "{text}: {output}");
        }
    }

    #[test]
    fn records_are_replayed_to_their_goal() {
        let read = |goal: &str, moves: &str, length: u64, metric: &str| {
            let record = serde_json::json!({ "goal": goal, "status": "solved", "moves": moves,
                "length": length, "metric": metric, "optimal": true, "expanded": 5 });
            parse_records(&record.to_string(), &[board("1 2 3/4 5 6/0 7 8")])
        };
        let whole = "1 2 3/4 5 6/7 8 0";
        let right = Answer { length: Some(2), is_optimal: true, expanded: 5 };
        assert_eq!(read(whole, "rr", 2, "stm").unwrap(), [right]);
        assert_eq!(read(whole, "rr", 1, "mtm").unwrap()[0].length, Some(1));
        assert_eq!(read("1 2 3/* * */7 * *", "r", 1, "stm").unwrap()[0].length, Some(1));
        assert!(read(whole, "r", 1, "stm").is_err());
        assert!(read(whole, "rr", 3, "stm").is_err());
        assert!(read("1 2 3/* * */8 * *", "r", 1, "stm").is_err());
        let stopped = r#"{"status":"stopped","optimal":false}"#;
        assert!(parse_records(stopped, &[board("1 2 3/4 5 6/0 7 8")]).is_err());
    }

    #[test]
    fn optimal_solutions_must_have_the_same_length() {
        let answers = |lengths: [Option<u64>; 2], is_optimal, expanded| {
            lengths.map(|length| Answer { length, is_optimal, expanded })
        };
        let old = answers([Some(10), None], true, 10);
        assert_eq!(differences(&old, &answers([Some(10), None], true, 10)).unwrap(), [""; 0]);
        assert!(differences(&old, &answers([Some(12), None], true, 10)).is_err());
        assert!(differences(&old, &answers([Some(10), Some(2)], false, 10)).is_err());
        let fewer = differences(&old, &answers([Some(10), None], true, 9)).unwrap();
        assert_eq!(fewer, ["expanded 20 before, 18 after (-10.00%)"]);
        let longer = differences(&old, &answers([Some(11), None], false, 10)).unwrap();
        assert_eq!(longer, ["moves 10 before, 11 after (+10.00%)", "optimal 2 before, 0 after"]);
    }
}
