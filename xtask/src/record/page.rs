//! The page about a record.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::log::lines;
use crate::Result;

/// The boards of the usual file.
pub const KORF_AND_FELNER: &str = "The boards are those of Korf and Felner (2002), \"Disjoint pattern database \
                                   heuristics\", Artificial Intelligence 134.";

/// Writes the page that belongs to a log, beside it, which says this about the boards.
pub fn write(log: &Path, about: &str) -> Result<()> {
    let mut lines = lines(log)?;
    lines.sort_by_key(|line| line["number"].as_u64());
    Ok(fs::write(log.with_extension("md"), page(&lines, about)?)?)
}

fn page(lines: &[Value], about: &str) -> Result<String> {
    let all = |field: &str| lines.iter().filter_map(|line| line[field].as_f64()).sum::<f64>();
    let mut page = format!(
        "# The 24-puzzle: shortest solutions\n\n\
         `cargo xtask record PATH` writes this page from the log beside it. Each length is proved: all rounds with a \
         smaller bound were searched to their end. Each solution was replayed. {about}\n\n"
    );
    let hours = all("cpu_s") / 3600.0;
    let (done, moves) = (lines.len(), all("length"));
    writeln!(page, "{done} boards, {moves} moves in all, {hours:.2} hours of processor time.\n")?;
    page.push_str(
        "- *Nodes before the last round* are those expanded in all rounds but the last, in millions. A round is an \
         iteration of IDA*.\n\
         - *All nodes* has the last round too, and all others: beyond the bounds of rounds, in beams, in the trial of both \
         ends, and before own tables were chosen.\n\
         - *Direction*: *forward* is from the start, *backward* from the goal. Boards that need more than 30 million nodes \
         are tried from both ends. Older commits searched forward only.\n\
         - *Tables*: those of the *catalogue*, or the board's *own* ones, which were chosen for it.\n\
         - *Found by*: *ahead* is beyond the bound of the round before the last, *beam* by a beam, and *round* in the last \
         round itself.\n\
         - *Processor s* is the sum of all runs of a board, and includes reading the tables and making the automaton.\n\n\
         | board | length | nodes before the last round | all nodes | direction | tables | found by | processor s | wall s | threads | commit |\n\
         |---:|---:|---:|---:|---|---|---|---:|---:|---:|---|\n",
    );
    for line in lines {
        let millions = |field: &str| line[field].as_f64().unwrap_or(0.0) / 1e6;
        writeln!(
            page,
            "| {} | {} | {:.2} | {:.2} | {} | {} | {} | {:.1} | {:.1} | {} | {} |",
            line["number"],
            line["length"],
            millions("expanded_complete"),
            millions("expanded"),
            line["direction"].as_str().unwrap_or("forward"),
            line["tables"].as_str().map_or("", |name| if name.contains('+') {
                "own"
            } else {
                name
            }),
            line["ended_by"].as_str().unwrap_or("round"),
            line["cpu_s"].as_f64().unwrap_or(0.0),
            line["wall_s"].as_f64().unwrap_or(0.0),
            line["threads"],
            line["commit"].as_str().unwrap_or(""),
        )?;
    }
    page.push_str(
        "\n## Nodes by round\n\nEach entry has the bound of a round and the nodes that it expanded. Where the last one has 0, \
         the solution was found before that round, which was not searched.\n\n",
    );
    for line in lines {
        let rounds = line["iterations"].as_array().into_iter().flatten();
        let round = |round: &Value| format!("{}: {}", round["bound"], round["expanded"]);
        let rounds: Vec<String> = rounds.map(round).collect();
        writeln!(page, "- board {}: {}", line["number"], rounds.join(", "))?;
    }
    for (title, field) in [("Machines", "machine"), ("Commands", "command")] {
        writeln!(page, "\n## {title}\n")?;
        let mut texts: Vec<&str> = lines.iter().filter_map(|line| line[field].as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.iter().try_for_each(|text| writeln!(page, "- {text}"))?;
    }
    Ok(page)
}
