//! Results of a comparison, and the plots made of them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufRead;

use loyd::batch::IterationRecord;

use super::density::Density;
use super::figure::{Figure, Marks, Series, quartiles};
use super::scale::Axis;
use crate::compare::{Header, ReadError, Record, read};

/// Results of a comparison. The optimal length proved by one run is known to all runs on the same board.
#[derive(Clone, Debug)]
pub struct Results {
    /// Header of the file: settings, program and command.
    pub header: Header,
    /// The runs, each a search on a board.
    pub runs: Vec<Record>,
}

impl Results {
    /// Creates results from a header and records.
    pub fn new(header: Header, mut runs: Vec<Record>) -> Self {
        let key = |run: &Record| (run.board.clone(), run.goal.clone(), run.metric.clone());
        let known: HashMap<_, u64> =
            runs.iter().filter_map(|run| Some((key(run), run.optimal_length?))).collect();
        for run in &mut runs {
            run.optimal_length = run.optimal_length.or_else(|| known.get(&key(run)).copied());
        }
        Self { header, runs }
    }

    /// Reads a file of results.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or does not contain a comparison.
    pub fn read(file: impl BufRead) -> Result<Self, ReadError> {
        let (header, runs, _) = read(file)?;
        Ok(Self::new(header, runs))
    }

    /// Returns the names of all rows, in order of first appearance.
    pub fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = Vec::new();
        for run in &self.runs {
            if !rows.contains(&run.row.as_str()) {
                rows.push(&run.row);
            }
        }
        rows
    }

    /// Returns the runs of a row.
    pub fn runs_of<'a>(&'a self, row: &'a str) -> impl Iterator<Item = &'a Record> {
        self.runs.iter().filter(move |run| run.row == row)
    }

    /// Returns the number of runs stopped by a limit.
    pub fn stopped_runs(&self) -> usize {
        self.runs.iter().filter(|run| run.status == "stopped").count()
    }

    /// Returns the unit of lengths: `moves`, or `slides` of several tiles.
    pub fn unit(&self) -> &'static str {
        let counts = |metric| self.runs.iter().any(|run| run.metric == metric);
        if counts("mtm") && !counts("stm") { "slides" } else { "moves" }
    }
}

/// Returns the ratio of a run's solution length to the optimal length.
pub(super) fn over_shortest(run: &Record) -> Option<f64> {
    match (run.length?, run.optimal_length?) {
        (0, 0) => Some(1.0),
        (_, 0) => None,
        (length, shortest) => Some(length as f64 / shortest as f64),
    }
}

/// A plot with a name for its file.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Name: `nodes`, `informed-manhattan`.
    pub name: String,
    /// The plot.
    pub figure: Figure,
}

/// Returns all plots for which the comparison has values.
pub fn charts(results: &Results) -> Vec<Chart> {
    let unit = results.unit();
    let length = format!("length of a shortest solution ({unit})");
    let against_length = |name: &str, title: &str, y: Axis, value: fn(&Record) -> f64| {
        let series = by_row(results, |run| Some((run.optimal_length? as f64, value(run))));
        chart(results, name, title, Axis::linear(&length), y, series)
    };
    let nodes = |run: &Record| run.expanded as f64;
    let mut charts = vec![
        against_length("nodes", "Nodes against length", Axis::log("expanded (nodes)"), nodes),
        against_length("time", "Time against length", Axis::log("time").in_unit("s"), |run| {
            run.elapsed_ns as f64 * 1e-9
        }),
        against_length(
            "memory",
            "Memory against length",
            Axis::log("peak memory").in_unit("B"),
            |run| run.peak_bytes as f64,
        ),
        growth(results),
    ];
    charts.extend(weights(results));
    charts.extend(densities(results));
    charts.retain(|chart| !chart.figure.is_empty());
    charts
}

fn chart(
    results: &Results,
    name: &str,
    title: &str,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
) -> Chart {
    let boards: HashSet<&str> = results.runs.iter().map(|run| run.board.as_str()).collect();
    let boards = match boards.len() {
        1 => "1 board".to_owned(),
        number => format!("{number} boards"),
    };
    let stopped = match results.stopped_runs() {
        0 => String::new(),
        1 => "; 1 run stopped by a limit is not shown".to_owned(),
        number => format!("; {number} runs stopped by a limit are not shown"),
    };
    let note = format!("{boards}; median, and the area between the quartiles{stopped}");
    Chart { name: name.to_owned(), figure: Figure { title: title.to_owned(), note, x, y, series } }
}

/// Returns, for each row, the quartiles of y at each x over its solved runs; `pair` returns `(x, y)` of a run.
fn by_row(results: &Results, pair: impl Fn(&Record) -> Option<(f64, f64)>) -> Vec<Series> {
    let series = |row: &&str| {
        let solved = results.runs_of(row).filter(|run| run.is_solved());
        Series { name: (*row).to_owned(), marks: spread(solved.filter_map(&pair)) }
    };
    let all: Vec<Series> = results.rows().iter().map(series).collect();
    with_values(all)
}

fn with_values(series: Vec<Series>) -> Vec<Series> {
    let has_values =
        |one: &Series| !matches!(&one.marks, Marks::Quartiles(points) if points.is_empty());
    series.into_iter().filter(has_values).collect()
}

/// Returns the quartiles of y for each x.
fn spread(pairs: impl Iterator<Item = (f64, f64)>) -> Marks {
    // The bit patterns of nonnegative floats sort in numeric order.
    let mut by_x: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (x, y) in pairs {
        by_x.entry(x.to_bits()).or_default().push(y);
    }
    let point = |(x, ys): (u64, Vec<f64>)| Some((f64::from_bits(x), quartiles(ys)?));
    Marks::Quartiles(by_x.into_iter().filter_map(point).collect())
}

/// Plots the growth factor from each iteration of IDA* to the next. The last iteration of a solved search is excluded,
/// because it ended early.
fn growth(results: &Results) -> Chart {
    let ratios = |run: &Record| {
        let complete = run.iterations.len().saturating_sub(usize::from(run.is_solved()));
        let pairs = run.iterations[..complete].windows(2).enumerate();
        let ratio = |(index, pair): (usize, &[IterationRecord])| {
            let [before, after] = [pair[0].expanded, pair[1].expanded];
            (before > 0).then(|| (index as f64 + 2.0, after as f64 / before as f64))
        };
        pairs.filter_map(ratio).collect::<Vec<_>>()
    };
    let series = |row: &&str| {
        let pairs = results.runs_of(row).flat_map(ratios);
        Series { name: (*row).to_owned(), marks: spread(pairs) }
    };
    let series = with_values(results.rows().iter().map(series).collect());
    let y = Axis::linear("expanded (times those of the iteration before)");
    let x = Axis::linear("iteration");
    chart(results, "growth", "Growth of iterations", x, y, series)
}

/// Plots solution quality and nodes against the weight, for searches that ran with several weights.
fn weights(results: &Results) -> Vec<Chart> {
    type Search<'a> = (&'a str, &'a Option<String>, &'a Option<String>);
    let mut searches: Vec<(Search<'_>, Vec<&Record>)> = Vec::new();
    for run in results.runs.iter().filter(|run| run.is_solved() && run.weight.is_some()) {
        let search = (run.algorithm.as_str(), &run.heuristic, &run.closed);
        match searches.iter_mut().find(|(known, _)| *known == search) {
            Some((_, runs)) => runs.push(run),
            None => searches.push((search, vec![run])),
        }
    }
    searches.retain(|(_, runs)| runs.iter().any(|run| run.weight != runs[0].weight));
    let series = |value: fn(&Record) -> Option<f64>| {
        let all = searches.iter().map(|((algorithm, heuristic, closed), runs)| {
            let more = [heuristic, closed].into_iter().filter_map(|name| name.as_deref());
            let name = [*algorithm].into_iter().chain(more).collect::<Vec<_>>().join("/");
            let pairs = runs.iter().filter_map(|run| Some((run.weight?, value(run)?)));
            Series { name, marks: spread(pairs) }
        });
        with_values(all.collect())
    };
    let (weight, longer) =
        (Axis::linear("weight of h"), Axis::linear("length (times that of a shortest solution)"));
    let quality = series(over_shortest);
    let nodes = series(|run| Some(run.expanded as f64));
    vec![
        chart(results, "quality", "Quality against weight", weight.clone(), longer, quality),
        chart(
            results,
            "weight",
            "Nodes against weight",
            weight,
            Axis::log("expanded (nodes)"),
            nodes,
        ),
    ]
}

/// Plots the value of each heuristic for each start against the length of a shortest solution.
fn densities(results: &Results) -> Vec<Chart> {
    /// Length and heuristic value by start and goal.
    type Values<'a> = BTreeMap<(&'a str, &'a str), (u32, u32)>;
    let mut values: Vec<(&str, Values<'_>)> = Vec::new();
    for run in &results.runs {
        let (Some(heuristic), Some(h), Some(length)) = (&run.heuristic, run.h, run.optimal_length)
        else {
            continue;
        };
        if !values.iter().any(|(known, _)| known == heuristic) {
            values.push((heuristic, BTreeMap::new()));
        }
        let boards = values.iter_mut().find(|(known, _)| known == heuristic);
        boards
            .expect("the heuristic has an entry")
            .1
            .insert((&run.board, &run.goal), (length as u32, h as u32));
    }
    let chart = |(heuristic, boards): (&str, Values<'_>)| {
        let note = format!("{} boards", boards.len());
        let density = Density::new(heuristic, boards.into_values());
        Chart { name: format!("informed-{heuristic}"), figure: density.figure(&note) }
    };
    values.into_iter().map(chart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_share_the_proved_length() {
        let run = |board: &str, length, optimal_length| Record {
            board: board.to_owned(),
            length: Some(length),
            optimal_length,
            ..Record::default()
        };
        let (header, ..) = read("{\"loyd\": \"compare\", \"command\": []}\n".as_bytes()).unwrap();
        let runs = vec![run("b", 9, None), run("b", 6, Some(6)), run("c", 4, None)];
        let ratios: Vec<_> = Results::new(header, runs).runs.iter().map(over_shortest).collect();
        assert_eq!(ratios, [Some(1.5), Some(1.0), None]);
    }
}
