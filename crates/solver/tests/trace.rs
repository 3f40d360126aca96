//! A traced search has the same result and counts as an ordinary one, and its events add up to these counts.

mod common {
    #![allow(dead_code)]
    pub mod rows;
}

use std::collections::HashSet;
use std::ops::ControlFlow;

use common::rows::rows;
use loyd::moves::Metric;
use loyd::notation::{parse_board, parse_partial_goal};
use loyd::search::{ALGORITHMS, Limits, Status, Stop};
use loyd::study::{Pruning, TraceKind};
use loyd::{CancelToken, Config, Problem, Report, Size, Solver};
use rayon::prelude::*;

/// Numbers of events.
#[derive(Debug, Default, PartialEq, Eq)]
struct EventCounts {
    expanding: u64,
    generated: u64,
    known: u64,
    reopening: u64,
    iterations: usize,
}

/// Traces a search, and checks that every node has an event before it is a parent.
fn traced(solver: &Solver, problem: &Problem) -> (Report, EventCounts) {
    let (mut counts, mut named) = (EventCounts::default(), HashSet::new());
    let report = solver.trace(problem, &CancelToken::new(), None, &mut |event| {
        assert!(event.parent.is_none_or(|parent| named.contains(&parent)), "{event:?}");
        named.insert(event.id);
        match event.kind {
            TraceKind::Iteration => counts.iterations += 1,
            TraceKind::Expanding => counts.expanding += 1,
            TraceKind::Duplicate { known, .. } => {
                assert!(named.contains(&known));
                counts.known += 1;
            }
            TraceKind::Updating => counts.known += 1,
            TraceKind::Reopening => {
                counts.known += 1;
                counts.reopening += 1;
            }
            TraceKind::Generating | TraceKind::Pruned(Pruning::AboveBound | Pruning::Depth) => {
                counts.generated += 1;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    counts.generated += counts.known;
    (report.unwrap(), counts)
}

/// Returns the part of a report that must be the same.
fn comparable(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let stats = &report.stats;
    let counts = (stats.expanded, stats.generated, stats.duplicates, stats.reopened);
    (report.status, report.moves.clone(), report.optimal, counts, stats.iterations.clone())
}

fn compare(config: &Config, problem: &Problem, place: &str) {
    let solver = Solver::new(config.clone()).unwrap();
    let (report, counts) = traced(&solver, problem);
    assert_eq!(comparable(&report), comparable(&solver.solve(problem).unwrap()), "{place}");
    let stats = &report.stats;
    assert_eq!((counts.expanding, counts.known), (stats.expanded, stats.duplicates), "{place}");
    assert_eq!(counts.reopening, stats.reopened, "{place}");
    let deepens = ["idastar", "iddfs"].contains(&report.algorithm);
    assert!(!deepens || counts.iterations == stats.iterations.len(), "{place}");
    // These algorithms count all children of a node at once, and may end before they visit all of them.
    let ends_early = ["bfs", "bibfs", "table"].contains(&report.algorithm);
    assert!(counts.generated <= stats.generated, "{place}");
    if report.status == Status::Solved && !ends_early {
        assert_eq!(counts.generated, stats.generated, "{place}");
    }
}

/// Compares every algorithm on `problem`, with a large and a small limit on expansions.
fn compare_all(problem: &Problem, config: &Config, place: &str) {
    for row in ALGORITHMS {
        let max_depth = (row.name == "dfs").then_some(20);
        for max_expanded in [3_000, 50] {
            let limits = Limits { max_depth, max_expanded: Some(max_expanded), ..config.limits };
            let config = Config { algorithm: Some(row.name), limits, ..config.clone() };
            compare(&config, problem, &format!("{} {place} {max_expanded}", row.name));
        }
    }
}

fn problem(board: &str, size: Option<Size>) -> Problem {
    Problem::new(parse_board(board, size).unwrap(), &loyd::Goal::BlankLast).unwrap()
}

#[test]
fn trace_of_every_row_equals_its_search() {
    let problem = problem("5 1 3/4 x 2/7 8 6", None);
    rows().par_iter().for_each(|row| {
        let max_depth = (row.algorithm.name == "dfs").then_some(14);
        let limits = Limits { max_depth, max_expanded: Some(2_000), ..Config::default().limits };
        compare(&Config { limits, ..row.config() }, &problem, &row.to_string());
    });
}

#[test]
fn trace_equals_search_on_other_boards_and_slides() {
    compare_all(&problem("x 2 3/1 4 6/7 5 8", None), &Config::default(), "near");
    for board in ["x 5 1 7/2 6 4 3", "5 1 3 4/2 x 7 8/9 6 10 12/13 14 11 15"] {
        let problem = problem(board, None);
        // An exact table of 4x4 boards is too large.
        let is_small = problem.start().size().cells() < 12;
        // The tables for slides on 4x4 boards take seconds to build.
        for metric in Metric::ALL.into_iter().filter(|m| is_small || *m == Metric::SingleTile) {
            for row in ALGORITHMS.iter().filter(|row| is_small || row.name != "table") {
                let max_depth = (row.name == "dfs").then_some(12);
                let limits =
                    Limits { max_depth, max_expanded: Some(500), ..Config::default().limits };
                let algorithm = Some(row.name);
                let config = Config { metric, algorithm, limits, ..Config::default() };
                compare(&config, &problem, &format!("{} {board} {metric}", row.name));
            }
        }
    }
}

#[test]
fn trace_equals_search_for_partial_goals_and_unsolvable_boards() {
    let start = parse_board("8 6 7/2 5 4/3 x 1", None).unwrap();
    let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    compare_all(&Problem::with_partial_goal(start, &goal).unwrap(), &Config::default(), "partial");
    let config = Config { parity_check: false, closed: None, ..Config::default() };
    for row in ["bfs", "bibfs", "ucs", "astar", "mm", "greedy"] {
        let config = Config { algorithm: Some(row), ..config.clone() };
        compare(&config, &problem("1 2 3/5 4 x", None), row);
        let limits = Limits { max_depth: Some(30), ..config.limits };
        compare(&Config { limits, ..config }, &problem("1 2 3/4 5 6/8 7 x", None), row);
    }
}

#[test]
fn watcher_that_breaks_ends_the_search() {
    for row in ALGORITHMS {
        let limits = Limits { max_depth: Some(20), ..Config::default().limits };
        let config = Config { algorithm: Some(row.name), limits, ..Config::default() };
        let solver = Solver::new(config).unwrap();
        let mut events = 0;
        let problem = problem("2 3 4 1 5 x 7 6 8", None);
        let report = solver.trace(&problem, &CancelToken::new(), None, &mut |_| {
            events += 1;
            if events == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((events, report.unwrap().status), (20, Status::Stopped(Stop::Cancelled)));
    }
}
