//! Writes the page about a record.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::log::lines;
use anyhow::Result;

/// The source of the boards in the usual file.
pub const KORF_AND_FELNER: &str = "The boards are those of Korf and Felner (2002), \"Disjoint pattern database \
                                   heuristics\", Artificial Intelligence 134.";

/// Writes the page of a log next to it. `about` is a sentence about the boards.
pub fn write(log: &Path, about: &str) -> Result<()> {
    let mut lines = lines(log)?;
    lines.sort_by_key(|line| line["number"].as_u64());
    Ok(fs::write(log.with_extension("md"), page(&lines, about)?)?)
}

fn page(lines: &[Value], about: &str) -> Result<String> {
    let all = |field: &str| lines.iter().filter_map(|line| line[field].as_f64()).sum::<f64>();
    let mut page = format!(
        "# The 24-puzzle: shortest solutions\n\n\
         `cargo xtask record PATH` writes this page from the log of the same name. Each length is proved: all \
         iterations with a smaller bound were completed. Each solution was replayed. {about}\n\n"
    );
    let hours = all("cpu_s") / 3600.0;
    let (done, moves) = (lines.len(), all("length"));
    writeln!(page, "{done} boards, {moves} moves in all, {hours:.2} hours of processor time.\n")?;
    page.push_str(
        "- *Nodes before the last iteration* are those expanded in all iterations but the last, in millions. An \
         iteration is one of IDA*.\n\
         - *All nodes* includes the last iteration and all nodes outside of iterations: those above the bound, in \
         beams, in probing both directions, and before board-specific tables were chosen.\n\
         - *Direction*: *forward* is from the start, *backward* from the goal. Boards that need more than 30 million \
         nodes are probed in both directions. Older commits searched forward only.\n\
         - *Tables*: those of the *catalogue*, or the board's *own*, which were chosen for it.\n\
         - *Found by*: *ahead* means above the bound of the second-to-last iteration, *beam* by a beam search, and \
         *round* in the last iteration itself.\n\
         - *Processor s* is the total of all runs of a board, including reading the tables and generating the \
         automaton.\n\n\
         | board | length | nodes before the last iteration | all nodes | direction | tables | found by | processor s | wall s | threads | commit |\n\
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
        "\n## Nodes by iteration\n\nEach entry has the bound of an iteration and the number of nodes that it expanded. \
         A last entry of 0 means that the solution was found before that iteration, which was not searched.\n\n",
    );
    for line in lines {
        let iterations = line["iterations"].as_array().into_iter().flatten();
        let shown =
            |iteration: &Value| format!("{}: {}", iteration["bound"], iteration["expanded"]);
        let iterations: Vec<String> = iterations.map(shown).collect();
        writeln!(page, "- board {}: {}", line["number"], iterations.join(", "))?;
    }
    for (title, field) in [("Machines", "machine"), ("Commands", "command")] {
        writeln!(page, "\n## {title}\n")?;
        let mut texts: Vec<&str> = lines.iter().filter_map(|line| line[field].as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.iter().try_for_each(|text| writeln!(page, "- {text}"))?;
    }
    page += CERTIFICATES;
    Ok(page)
}

/// The end of the page.
const CERTIFICATES: &str = "\n## Certificates\n\n\
    With `--certificate FILE`, these commands also write a certificate of the proof. `loyd verify --certificate FILE` \
    checks what takes no search, and `--full` searches again and compares the length and the counts of all complete \
    iterations: see [Certificates](../studying.md#certificates). The counts above were measured without certificates.\n";
