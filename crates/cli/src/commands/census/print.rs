//! What a census found, for people and for machines.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::slashes;
use loyd_lab::census::{Answer, Question, Survey};
use loyd_lab::header::Header;
use loyd_lab::plot;
use serde_json::{Value, json};

use crate::args::CensusOutput;
use crate::commands::command_line;
use crate::table::Table;
use crate::units::{counted, grouped};

/// Prints the answers of a survey that is over.
pub fn print(output: CensusOutput, survey: &Survey, elapsed: Duration) -> io::Result<()> {
    let answers = survey.answers();
    let rows: Vec<Row<'_>> = survey.questions().iter().zip(&answers).collect();
    let text = match output {
        CensusOutput::Text => text(&rows),
        CensusOutput::Json => json(&rows, survey, elapsed),
        CensusOutput::Csv => csv(&rows),
        CensusOutput::Svg => svg(&rows),
    };
    io::stdout().lock().write_all(text.as_bytes())
}

/// A question and its answer.
type Row<'a> = (&'a Question, &'a Answer);

/// The answers of all goals together, if there are several kinds of them: how many pairs of a board and a goal
/// there are at each distance.
fn all(rows: &[Row<'_>]) -> Option<Answer> {
    if rows.iter().map(|(question, _)| question.alike()).sum::<u64>() < 2 {
        return None;
    }
    let depth = rows.iter().map(|(_, answer)| answer.depth()).max()?;
    let mut all = Answer { levels: vec![0; depth as usize + 1], farthest: Vec::new() };
    for (question, answer) in rows {
        let levels = all.levels.iter_mut().zip(&answer.levels);
        levels.for_each(|(all, states)| *all += question.alike() * states);
    }
    Some(all)
}

fn text(rows: &[Row<'_>]) -> String {
    let Some(all) = all(rows) else { return of_one(rows[0]) };
    let (question, _) = rows[0];
    let mut table = Table::new(1, vec!["goal", "goals", "states", "depth", "farthest", "mean"]);
    for (question, answer) in rows {
        table.row(vec![
            question.goal().to_string(),
            question.alike().to_string(),
            grouped(answer.states()),
            answer.depth().to_string(),
            grouped(answer.levels[answer.depth() as usize]),
            format!("{:.3}", answer.mean()),
        ]);
    }
    let goals: u64 = rows.iter().map(|(question, _)| question.alike()).sum();
    let mut text = format!("{table}\n{}", levels(&all, "pairs"));
    let _ = writeln!(
        text,
        "\n{goals} goals, {} pairs of a board and a goal: mean {:.3}, at most {}",
        grouped(all.states()),
        all.mean(),
        counted(question.metric(), all.depth() as usize)
    );
    for (question, answer) in rows.iter().filter(|(_, answer)| answer.depth() == all.depth()) {
        if !answer.farthest.is_empty() {
            let _ = write!(text, "\nfarthest from {}:\n{}", question.goal(), boards(answer));
        }
    }
    text
}

fn of_one((question, answer): Row<'_>) -> String {
    let depth = answer.depth() as usize;
    let mut text = levels(answer, "states");
    let _ = writeln!(
        text,
        "\n{} states, mean {:.3} and at most {} from {}; {} as far as that",
        grouped(answer.states()),
        answer.mean(),
        counted(question.metric(), depth),
        question.goal(),
        grouped(answer.levels[depth]),
    );
    text + &boards(answer)
}

/// The table of states by distance.
fn levels(answer: &Answer, what: &'static str) -> String {
    let mut table = Table::new(0, vec!["distance", what]);
    for (distance, &states) in answer.levels.iter().enumerate() {
        table.row(vec![distance.to_string(), grouped(states)]);
    }
    table.to_string()
}

/// The farthest boards, one a line.
fn boards(answer: &Answer) -> String {
    answer.farthest.iter().map(|board| format!("{}\n", slashes(board))).collect()
}

fn csv(rows: &[Row<'_>]) -> String {
    let mut text = "goal,goals,distance,states\n".to_owned();
    for (question, answer) in rows {
        for (distance, states) in answer.levels.iter().enumerate() {
            let _ = writeln!(text, "{},{},{distance},{states}", question.goal(), question.alike());
        }
    }
    text
}

/// The chart of the only goal, or of all together.
fn svg(rows: &[Row<'_>]) -> String {
    let (question, answer) = rows[0];
    let (size, metric, all) = (question.goal().size(), question.metric(), all(rows));
    let (title, answer) = match &all {
        None => (format!("{size} boards by distance from {}", question.goal()), answer),
        Some(all) => (format!("{size} boards by distance from all goals"), all),
    };
    let depth = answer.depth() as usize;
    let note = format!(
        "{} states, mean {:.3}, {} at distance {depth}",
        grouped(answer.states()),
        answer.mean(),
        grouped(answer.levels[depth])
    );
    let unit = match metric {
        Metric::SingleTile => "moves",
        Metric::MultiTile => "slides",
    };
    let levels: Vec<(u32, u64)> = (0..).zip(answer.levels.iter().copied()).collect();
    plot::census(&title, &note, unit, &levels)
}

fn json(rows: &[Row<'_>], survey: &Survey, elapsed: Duration) -> String {
    let mut records: Vec<Value> = rows.iter().map(|&row| record(row)).collect();
    if let Some(all) = all(rows) {
        let goals: u64 = rows.iter().map(|(question, _)| question.alike()).sum();
        records.push(json!({
            "goal": null, "goals": goals, "pairs": all.states(), "depth": all.depth(),
            "mean": all.mean(), "levels": all.levels,
        }));
    }
    let (question, _) = rows[0];
    let command = command_line();
    let header = serde_json::to_string(&Header::new("census", &command, None));
    let mut text = header.expect("nothing in a header is foreign to JSON") + "\n";
    for mut record in records {
        record["size"] = question.goal().size().to_string().into();
        record["metric"] = question.metric().name().into();
        record["bytes"] = survey.bytes().into();
        record["elapsed_ns"] = (elapsed.as_nanos() as u64).into();
        let _ = writeln!(text, "{record}");
    }
    text
}

fn record((question, answer): Row<'_>) -> Value {
    let farthest: Vec<String> =
        answer.farthest.iter().map(|board| slashes(board).to_string()).collect();
    json!({
        "goal": question.goal().to_string(), "goals": question.alike(), "states": answer.states(),
        "depth": answer.depth(), "mean": answer.mean(), "levels": answer.levels, "farthest": farthest,
    })
}
