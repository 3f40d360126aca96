//! Output of a census as text, JSON, CSV and SVG.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::slashes;
use loyd_lab::census::{CensusResult, CensusSpec, Survey};
use loyd_lab::header::Header;
use loyd_lab::plot;
use serde_json::{Value, json};

use crate::args::CensusOutput;
use crate::commands::command_line;
use crate::units::{Table, length_text, with_commas};

/// What a census took.
pub struct Resources {
    /// The time.
    pub elapsed: Duration,
    /// The memory in bytes.
    pub bytes: u64,
}

/// Prints the results of a completed survey. `resumed_from` is the checksum of the checkpoint that it was resumed from.
pub fn print(
    output: CensusOutput,
    survey: &Survey,
    resources: &Resources,
    resumed_from: Option<&str>,
) -> io::Result<()> {
    let answers = survey.results();
    let rows: Vec<Row<'_>> = survey.specs().iter().zip(&answers).collect();
    let text = match output {
        CensusOutput::Text => text(&rows),
        CensusOutput::Json => json(&rows, resources, resumed_from),
        CensusOutput::Csv => csv(&rows),
        CensusOutput::Svg => svg(&rows),
    };
    io::stdout().lock().write_all(text.as_bytes())
}

/// A goal and its counts.
type Row<'a> = (&'a CensusSpec, &'a CensusResult);

/// Returns the number of pairs of a board and a goal at each distance, or `None` if there is only one goal.
fn all(rows: &[Row<'_>]) -> Option<CensusResult> {
    if rows.iter().map(|(question, _)| question.multiplicity()).sum::<u64>() < 2 {
        return None;
    }
    let depth = rows.iter().map(|(_, answer)| answer.depth()).max()?;
    let mut all = CensusResult { levels: vec![0; depth as usize + 1], farthest: Vec::new() };
    for (question, answer) in rows {
        let levels = all.levels.iter_mut().zip(&answer.levels);
        levels.for_each(|(all, states)| *all += question.multiplicity() * states);
    }
    Some(all)
}

fn text(rows: &[Row<'_>]) -> String {
    let Some(all) = all(rows) else { return single_goal_text(rows[0]) };
    let (question, _) = rows[0];
    let mut table = Table::new(1, vec!["goal", "goals", "states", "depth", "farthest", "mean"]);
    for (question, answer) in rows {
        table.row(vec![
            question.goal().to_string(),
            question.multiplicity().to_string(),
            with_commas(answer.state_count()),
            answer.depth().to_string(),
            with_commas(answer.levels[answer.depth() as usize]),
            format!("{:.3}", answer.mean()),
        ]);
    }
    let goals: u64 = rows.iter().map(|(question, _)| question.multiplicity()).sum();
    let mut text = format!("{table}\n{}", levels(&all, "pairs"));
    let _ = writeln!(
        text,
        "\n{goals} goals, {} pairs of a board and a goal: mean {:.3}, at most {}",
        with_commas(all.state_count()),
        all.mean(),
        length_text(question.metric(), all.depth() as usize)
    );
    for (question, answer) in rows.iter().filter(|(_, answer)| answer.depth() == all.depth()) {
        if !answer.farthest.is_empty() {
            let _ = write!(text, "\nfarthest from {}:\n{}", question.goal(), boards(answer));
        }
    }
    text
}

fn single_goal_text((question, answer): Row<'_>) -> String {
    let depth = answer.depth() as usize;
    let mut text = levels(answer, "states");
    let _ = writeln!(
        text,
        "\n{} states, mean {:.3} and at most {} from {}; {} as far as that",
        with_commas(answer.state_count()),
        answer.mean(),
        length_text(question.metric(), depth),
        question.goal(),
        with_commas(answer.levels[depth]),
    );
    text + &boards(answer)
}

/// Returns the table of states by distance.
fn levels(answer: &CensusResult, what: &'static str) -> String {
    let mut table = Table::new(0, vec!["distance", what]);
    for (distance, &states) in answer.levels.iter().enumerate() {
        table.row(vec![distance.to_string(), with_commas(states)]);
    }
    table.to_string()
}

/// Returns the farthest boards, one per line.
fn boards(answer: &CensusResult) -> String {
    answer.farthest.iter().map(|board| format!("{}\n", slashes(board))).collect()
}

fn csv(rows: &[Row<'_>]) -> String {
    let mut text = "goal,goals,distance,states\n".to_owned();
    for (question, answer) in rows {
        for (distance, states) in answer.levels.iter().enumerate() {
            let _ = writeln!(
                text,
                "{},{},{distance},{states}",
                question.goal(),
                question.multiplicity()
            );
        }
    }
    text
}

/// Returns the chart of the single goal, or of all goals together.
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
        with_commas(answer.state_count()),
        answer.mean(),
        with_commas(answer.levels[depth])
    );
    let unit = match metric {
        Metric::SingleTile => "moves",
        Metric::MultiTile => "slides",
    };
    let levels: Vec<(u32, u64)> = (0..).zip(answer.levels.iter().copied()).collect();
    plot::census(&title, &note, unit, &levels)
}

fn json(rows: &[Row<'_>], resources: &Resources, resumed_from: Option<&str>) -> String {
    let mut records: Vec<Value> = rows.iter().map(|&row| record(row)).collect();
    if let Some(all) = all(rows) {
        let goals: u64 = rows.iter().map(|(question, _)| question.multiplicity()).sum();
        records.push(json!({
            "goal": null, "goals": goals, "pairs": all.state_count(), "depth": all.depth(),
            "mean": all.mean(), "levels": all.levels,
        }));
    }
    let (question, _) = rows[0];
    let command = command_line();
    let header = serde_json::to_string(&Header::new("census", &command, None));
    let mut text = header.expect("a header is valid JSON") + "\n";
    for mut record in records {
        record["size"] = question.goal().size().to_string().into();
        record["metric"] = question.metric().name().into();
        record["bytes"] = resources.bytes.into();
        record["elapsed_ns"] = (resources.elapsed.as_nanos() as u64).into();
        if let Some(sum) = resumed_from {
            record["resumed_from"] = sum.into();
        }
        let _ = writeln!(text, "{record}");
    }
    text
}

fn record((question, answer): Row<'_>) -> Value {
    let farthest: Vec<String> =
        answer.farthest.iter().map(|board| slashes(board).to_string()).collect();
    json!({
        "goal": question.goal().to_string(), "goals": question.multiplicity(), "states": answer.state_count(),
        "depth": answer.depth(), "mean": answer.mean(), "levels": answer.levels, "farthest": farthest,
    })
}
