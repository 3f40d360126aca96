//! HTML report of a comparison: one self-contained page without scripts.

use std::fmt::Write;

use serde_json::Value;

use super::charts::{Results, charts, over_shortest};
use super::figure::quartiles;
use super::scale::{brief, format_value, grouped};
use super::svg::escaped;
use crate::compare::Record;

const STYLE: &str = "\
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #111; background: #fff }
h1, h2 { line-height: 1.2 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .75rem .25rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid #ccc }
th { white-space: normal; vertical-align: bottom }
th:first-child, td:first-child { text-align: left }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; background: #f3f3f3 }
figure { margin: 2rem 0; overflow-x: auto }
svg { display: block; min-width: 36rem; max-width: 100%; height: auto }
@media print { figure, tr { break-inside: avoid } }
";

/// Returns the report: a table of all rows, all plots, and the command that reproduces the comparison.
pub fn html_report(results: &Results) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Comparison of searches</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Comparison of searches</h1>\n"
    );
    page += &origin(results);
    page += &summary(results);
    page += "<h2>Plots</h2>\n";
    for chart in charts(results) {
        let _ = writeln!(
            page,
            "<figure id=\"{}\">\n{}</figure>",
            escaped(&chart.name),
            chart.figure.to_svg()
        );
    }
    page += "</body>\n</html>\n";
    page
}

/// Describes the origin of the results.
fn origin(results: &Results) -> String {
    let value = |key: &str| match results.header.fields().get(key)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let fact = |(name, key): (&str, &str)| Some(format!("{name} {}", value(key)?));
    let facts = [
        ("Loyd", "version"),
        ("commit", "commit"),
        ("seed", "seed"),
        ("on", "machine"),
        ("with", "cpu"),
    ];
    let facts: Vec<String> = facts.into_iter().filter_map(fact).collect();
    let mut text = format!("<p>{}.</p>\n", escaped(&facts.join(", ")));
    let command = escaped(&results.header.command());
    let _ = writeln!(text, "<p>Command to reproduce it:</p>\n<pre>{command}</pre>");
    text
}

/// Summarises the results in a table with one row per search.
fn summary(results: &Results) -> String {
    const HEADING: [&str; 9] = [
        "search",
        "boards",
        "solved",
        "stopped",
        "expanded, median",
        "expanded, most",
        "memory, most",
        "time, median",
        "over shortest",
    ];
    let cells = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows = results.rows();
    let body: String = rows.iter().map(|row| cells(&figures(results, row), "td")).collect();
    format!(
        "<h2>Summary</h2>\n<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{body}</tbody>\n</table></div>\n\
         <p>Nodes, memory and time are those of solved boards; the last column is the mean length over that of shortest \
         solutions, where the latter are known.</p>\n",
        cells(&HEADING.map(str::to_owned), "th")
    )
}

fn figures(results: &Results, row: &str) -> Vec<String> {
    let all = || results.runs_of(row);
    let solved: Vec<&Record> = all().filter(|run| run.is_solved()).collect();
    let median = |value: fn(&Record) -> f64| {
        let quartiles = quartiles(solved.iter().map(|run| value(run)).collect());
        quartiles.map(|[_, median, _]| median)
    };
    let most = |value: fn(&Record) -> f64| solved.iter().map(|run| value(run)).reduce(f64::max);
    let text = |value: Option<f64>, unit: &str| {
        let in_unit =
            |value| if unit.is_empty() { whole(value) } else { format_value(value, unit) };
        value.map_or("-".to_owned(), in_unit)
    };
    let over: Vec<f64> = solved.iter().filter_map(|run| over_shortest(run)).collect();
    let over = (!over.is_empty()).then(|| over.iter().sum::<f64>() / over.len() as f64);
    vec![
        row.to_owned(),
        all().count().to_string(),
        solved.len().to_string(),
        all().filter(|run| run.status == "stopped").count().to_string(),
        text(median(|run| run.expanded as f64), ""),
        text(most(|run| run.expanded as f64), ""),
        text(most(|run| run.peak_bytes as f64), "B"),
        text(median(|run| run.elapsed_ns as f64 * 1e-9), "s"),
        over.map_or("-".to_owned(), |over| format!("{over:.3}")),
    ]
}

/// Formats a number of nodes. A median of an even number of values may be fractional.
fn whole(value: f64) -> String {
    if value.fract() == 0.0 { grouped(value) } else { brief(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_loads_no_resources_and_runs_no_scripts() {
        let record = |row: &str, board: &str, weight: u32| {
            format!(
                "{{\"row\": \"{row}\", \"algorithm\": \"wastar\", \"heuristic\": \"<script>\", \"closed\": null, \
                 \"weight\": {weight}, \"metric\": \"stm\", \"board\": \"{board}\", \"goal\": \"g\", \"status\": \"solved\", \
                 \"length\": 3, \"optimal\": false, \"optimal_length\": 2, \"h\": 2, \"board_id\": 1, \"stop\": null, \"duplicates\": 0, \"reopened\": 0, \"tables_ns\": 0, \"expanded\": {weight}, \
                 \"generated\": 9, \"peak_bytes\": 80, \"elapsed_ns\": 7, \
                 \"iterations\": [{{\"bound\": 2, \"generated\": 1, \"expanded\": 1}}, {{\"bound\": 4, \"generated\": 1, \"expanded\": 3}}, \
                 {{\"bound\": 6, \"generated\": 1, \"expanded\": 2}}]}}\n"
            )
        };
        let text = format!(
            "{{\"loyd\": \"compare\", \"command\": [\"loyd\", \"<script src=x>\"], \"commit\": null}}\n{}{}",
            record("<a href='http://x'>", "b1", 1),
            record("w", "b2", 5)
        );
        let page = html_report(&Results::read(text.as_bytes()).unwrap());
        let plain = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for loads in
            ["<script", "<a ", "<link", "<img", " src=\"", " href=\"", "url(", "@import", "=\"http"]
        {
            assert!(!plain.contains(loads), "{loads}");
        }
        assert!(page.contains("&lt;script src=x&gt;"), "{page}");
        let plots: Vec<&str> = page.lines().filter(|line| line.starts_with("<figure")).collect();
        let names =
            ["nodes", "time", "memory", "growth", "quality", "weight", "informed-&lt;script&gt;"];
        assert_eq!(plots, names.map(|name| format!("<figure id=\"{name}\">")));
        // The last iteration is incomplete, so there is a single growth factor, from 1 to 3.
        assert!(page.contains("<title>w: 3 at 2</title>"), "{page}");
        assert!(page.contains("<td>1.500</td>"), "{page}");
    }
}
