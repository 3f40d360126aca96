//! The classic programs on solvable and unsolvable boards.

use std::time::Duration;

use loyd::CancelToken;
use loyd::search::{Clock, ClosedKind, Stop};
use loyd::{Config, Solver};

use super::findings::{Experiment, Findings, Plot, Table, Verdict};
use super::textbook::{
    Answer, BoundRule, ClosingTime, CountedEntries, KnownBoard, State, all_states, astar, every,
    idastar, is_solvable, problem,
};
use crate::plot::{Axis, Bar, bar_chart, brief, grouped};

pub(super) static CLASSICS: Experiment = Experiment {
    name: "classics",
    claim: "The fastest of the classic searches do not find shortest solutions.",
    method: "2,000 boards, half of them unsolvable; each program tests the parity first. The programs are textbook \
             ones, with their faults, except `bibfs` and `bfs`, which are Loyd's with an ordered closed list. One \
             thread. The time per board includes unsolvable boards; the nodes are those of solvable ones. The table \
             of all boards is built once, and its time is divided by the 181,440 boards whose distances it holds.",
    is_timed: true,
    run,
};

/// Results of a program.
struct Row {
    name: &'static str,
    solved: usize,
    shortest: usize,
    expanded: u64,
    time: Duration,
    boards: usize,
}

impl Row {
    fn shortest_percent(&self) -> f64 {
        100.0 * self.shortest as f64 / self.solved as f64
    }

    fn micros(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.boards as f64
    }
}

type Solve<'a> = &'a dyn Fn(&State) -> Result<Answer, Stop>;

/// Solves all boards after a parity test. A distance of `None` marks an unsolvable board.
fn test(
    name: &'static str,
    boards: &[(State, Option<u32>)],
    cancel: &CancelToken,
    solve: Solve<'_>,
) -> Result<Row, Stop> {
    let started = Clock::system().now();
    let (mut solved, mut shortest, mut expanded) = (0, 0, 0);
    for (state, distance) in boards {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if is_solvable(state, CountedEntries::Tiles) {
            let answer = solve(state)?;
            solved += 1;
            shortest += usize::from(Some(answer.length) == *distance);
            expanded += answer.expanded;
        }
    }
    let time = Clock::system().now() - started;
    Ok(Row { name, solved, shortest, expanded, time, boards: boards.len() })
}

/// Returns 1,000 solvable boards, each followed by an unsolvable one obtained by swapping two of its tiles.
fn mixed() -> Vec<(State, Option<u32>)> {
    let boards = every(181).into_iter().take(1_000);
    let pair = |(state, distance): KnownBoard| {
        let mut other = state;
        let [a, b] = [1, 2]
            .map(|tile| state.iter().position(|&t| t == tile).expect("a state has every tile"));
        other.swap(a, b);
        [(state, Some(distance)), (other, None)]
    };
    boards.flat_map(pair).collect()
}

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = mixed();
    let engine = |algorithm: &'static str| {
        let closed = Some(ClosedKind::Ordered);
        let config = Config { algorithm: Some(algorithm), closed, ..Config::default() };
        let solver = Solver::new(config).expect("both algorithms have closed lists");
        move |state: &State| {
            let report = solver.solve_watched(&problem(state), cancel, None);
            let report = report.expect("both algorithms are for 3x3 boards");
            let length = report.length().ok_or(Stop::Cancelled)? as u32;
            Ok(Answer { length, expanded: report.stats.expanded })
        }
    };
    let (bibfs, bfs) = (engine("bibfs"), engine("bfs"));
    let programs: [(&'static str, Solve<'_>, usize); 7] = [
        ("A*, closed when generated", &|state| Ok(astar(state, 1, ClosingTime::Generated)), 1),
        ("A*, f = g + 10h", &|state| Ok(astar(state, 10, ClosingTime::Generated)), 1),
        ("bidirectional BFS", &bibfs, 1),
        ("BFS", &bfs, 21),
        ("IDA*, by the least h", &|state| Ok(idastar(state, BoundRule::LeastH)), 1),
        ("IDA*, to the least overrun", &|state| Ok(idastar(state, BoundRule::LeastOverrun)), 1),
        ("IDA*, by one", &|state| Ok(idastar(state, BoundRule::One)), 1),
    ];
    let mut rows = Vec::new();
    for (name, solve, step) in programs {
        // A sample is enough for the slow program; an odd step takes equally many boards of both kinds.
        let few: Vec<_> = boards.iter().copied().step_by(step).collect();
        rows.push(test(name, &few, cancel, solve)?);
    }
    let started = Clock::system().now();
    let states = all_states().len();
    let time = Clock::system().now() - started;
    let expanded = states as u64;
    rows.push(Row {
        name: "table of all boards",
        solved: states,
        shortest: states,
        expanded,
        time,
        boards: states,
    });
    Ok(findings(&rows))
}

fn findings(rows: &[Row]) -> Findings {
    let searches = &rows[..rows.len() - 1];
    let is_shortest = |row: &&Row| row.shortest == row.solved;
    let quickest = |rows: &mut dyn Iterator<Item = &Row>| -> f64 {
        rows.map(Row::micros).fold(f64::INFINITY, f64::min)
    };
    let right = quickest(&mut searches.iter().filter(is_shortest));
    let faulty = quickest(&mut searches.iter().filter(|row| !is_shortest(row)));
    let texts = |row: &Row| {
        vec![
            row.name.to_owned(),
            grouped(row.boards as f64),
            format!("{:.1}%", row.shortest_percent()),
            grouped((row.expanded as f64 / row.solved as f64).round()),
            brief(row.micros()),
        ]
    };
    let bar = |row: &Row| Bar {
        name: row.name.to_owned(),
        value: row.micros() * 1e-6,
        text: format!("{} µs, {:.0}% shortest", brief(row.micros()), row.shortest_percent()),
    };
    let title = "Time per board of the classic programs";
    let bars: Vec<Bar> = rows.iter().map(bar).collect();
    let axis = Axis::log("time per board").in_unit("s");
    let svg = bar_chart(title, "3x3, mixed boards, half of them unsolvable", &axis, &bars);
    Findings {
        verdict: Verdict::of(faulty < right),
        summary: format!(
            "The fastest search with shortest solutions takes {right:.0} µs per board, the fastest of the others \
             {faulty:.0} µs. A table of all boards takes less time than any search if there are enough boards.",
        ),
        table: Table {
            heading: vec!["program", "boards", "shortest", "expanded", "µs per board"],
            rows: rows.iter().map(texts).collect(),
        },
        plots: vec![Plot { suffix: "", title: title.to_owned(), svg }],
    }
}
