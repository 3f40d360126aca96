//! The classic programs on mixed boards.

use std::time::Duration;

use loyd::CancelToken;
use loyd::search::{Clock, Closed, Stop};
use loyd::{Config, Solver};

use super::boards::{Known, every, problem};
use super::row::{Experiment, Findings, Plot, Table, Verdict};
use super::textbook::astar::{Closing, astar};
use super::textbook::breadth_first::all_states;
use super::textbook::idastar::{Raise, idastar};
use super::textbook::parity::{Counted, is_solvable};
use super::textbook::{Answer, State};
use crate::plot::{Axis, Bar, bar_chart, brief, grouped};

pub(super) static CLASSICS: Experiment = Experiment {
    name: "classics",
    claim: "Of the classic searches, the quickest are not those with shortest solutions.",
    method: "2,000 boards, every other one of which cannot be solved: each program tests the parity first. The programs are \
             textbook ones, with their faults, but for `bibfs` and `bfs`, which are Loyd's with an ordered set of known \
             states. One thread. The time a board counts unsolvable ones, too; the nodes are those of the others. The table of \
             all boards is made once; its time is divided by the 181,440 boards whose distances it holds.",
    is_timed: true,
    run,
};

/// What a program did.
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

/// Solves all boards after a test of their parity; a distance of `None` says that there is no solution.
fn test(
    name: &'static str,
    boards: &[(State, Option<u32>)],
    cancel: &CancelToken,
    solve: Solve<'_>,
) -> Result<Row, Stop> {
    let begun = Clock::system().now();
    let (mut solved, mut shortest, mut expanded) = (0, 0, 0);
    for (state, distance) in boards {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if is_solvable(state, Counted::Tiles) {
            let answer = solve(state)?;
            solved += 1;
            shortest += usize::from(Some(answer.length) == *distance);
            expanded += answer.expanded;
        }
    }
    let time = Clock::system().now() - begun;
    Ok(Row { name, solved, shortest, expanded, time, boards: boards.len() })
}

/// 1,000 boards that can be solved, each followed by one that cannot: two of its tiles have changed places.
fn mixed() -> Vec<(State, Option<u32>)> {
    let boards = every(181).into_iter().take(1_000);
    let pair = |(state, distance): Known| {
        let mut other = state;
        let [a, b] =
            [1, 2].map(|tile| state.iter().position(|&t| t == tile).expect("each is there"));
        other.swap(a, b);
        [(state, Some(distance)), (other, None)]
    };
    boards.flat_map(pair).collect()
}

fn run(cancel: &CancelToken) -> Result<Findings, Stop> {
    let boards = mixed();
    let engine = |algorithm: &'static str| {
        let closed = Some(Closed::Ordered);
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
        ("A*, closed when generated", &|state| Ok(astar(state, 1, Closing::Generated)), 1),
        ("A*, f = g + 10h", &|state| Ok(astar(state, 10, Closing::Generated)), 1),
        ("bidirectional BFS", &bibfs, 1),
        ("BFS", &bfs, 21),
        ("IDA*, by the least h", &|state| Ok(idastar(state, Raise::LeastH)), 1),
        ("IDA*, to the least overrun", &|state| Ok(idastar(state, Raise::LeastOverrun)), 1),
        ("IDA*, by one", &|state| Ok(idastar(state, Raise::One)), 1),
    ];
    let mut rows = Vec::new();
    for (name, solve, step) in programs {
        // A few boards are enough for the slow one; an odd step takes as many of both kinds.
        let few: Vec<_> = boards.iter().copied().step_by(step).collect();
        rows.push(test(name, &few, cancel, solve)?);
    }
    let begun = Clock::system().now();
    let states = all_states().len();
    let time = Clock::system().now() - begun;
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
    let title = "Time a board of the classic programs";
    let bars: Vec<Bar> = rows.iter().map(bar).collect();
    let axis = Axis::log("time a board").in_unit("s");
    let svg = bar_chart(title, "3x3, mixed boards, half of them unsolvable", &axis, &bars);
    Findings {
        verdict: Verdict::of(faulty < right),
        summary: format!(
            "The quickest search with shortest solutions takes {right:.0} µs a board, the quickest of the others \
             {faulty:.0} µs. A table of all boards takes less time than any of them if there are boards enough.",
        ),
        table: Table {
            heading: vec!["program", "boards", "shortest", "expanded", "µs a board"],
            rows: rows.iter().map(texts).collect(),
        },
        plots: vec![Plot { suffix: "", title: title.to_owned(), svg }],
    }
}
