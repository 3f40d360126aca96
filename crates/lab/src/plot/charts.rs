//! The plots of a comparison.

use std::collections::{BTreeMap, HashSet};

use loyd::batch::Round;

use super::density::Density;
use super::figure::{Figure, Marks, Series};
use super::results::{Results, over_shortest};
use super::scale::Axis;
use crate::compare::Record;
use crate::quartiles::quartiles;

/// A plot with a name for its file.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The name: `nodes`, `informed-manhattan`.
    pub name: String,
    /// The plot.
    pub figure: Figure,
}

/// All plots for which a comparison has values.
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
    let stopped = match results.stopped() {
        0 => String::new(),
        1 => "; 1 run that a limit stopped is left out".to_owned(),
        number => format!("; {number} runs that a limit stopped are left out"),
    };
    let note = format!("{boards}; median, and the area between the quartiles{stopped}");
    Chart { name: name.to_owned(), figure: Figure { title: title.to_owned(), note, x, y, series } }
}

/// For each row the quartiles of y by x of the pairs that its runs with solutions have.
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

/// The quartiles of y for each x.
fn spread(pairs: impl Iterator<Item = (f64, f64)>) -> Marks {
    // Order by the bits of x, which is that of the numbers as long as these are not negative.
    let mut by_x: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (x, y) in pairs {
        by_x.entry(x.to_bits()).or_default().push(y);
    }
    let point = |(x, ys): (u64, Vec<f64>)| Some((f64::from_bits(x), quartiles(ys)?));
    Marks::Quartiles(by_x.into_iter().filter_map(point).collect())
}

/// By what an iteration of IDA* is larger than the one before. The last one of a search that found a solution is left
/// out, because it ended before its time.
fn growth(results: &Results) -> Chart {
    let ratios = |run: &Record| {
        let complete = run.iterations.len().saturating_sub(usize::from(run.is_solved()));
        let pairs = run.iterations[..complete].windows(2).enumerate();
        let ratio = |(index, pair): (usize, &[Round])| {
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

/// Quality and nodes against the weight, for searches that ran with several.
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

/// The value of each heuristic for each start, against the length of a shortest solution.
fn densities(results: &Results) -> Vec<Chart> {
    /// The length and the value by start and goal.
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
        boards.expect("it is there").1.insert((&run.board, &run.goal), (length as u32, h as u32));
    }
    let chart = |(heuristic, boards): (&str, Values<'_>)| {
        let note = format!("{} boards", boards.len());
        let density = Density::new(heuristic, boards.into_values());
        Chart { name: format!("informed-{heuristic}"), figure: density.figure(&note) }
    };
    values.into_iter().map(chart).collect()
}
