//! Comparisons build shared tables once.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use loyd::moves::Metric;
use loyd::search::Limits;
use loyd::tables::Store;
use loyd::{CancelToken, Config};
use loyd_lab::compare::{Comparison, Instance, Record, Row, Run};

#[test]
fn run_without_time_does_not_start() {
    let rows = vec![Row::of("astar", Some("manhattan")).unwrap()];
    let problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
    let boards = vec![Instance { problem, optimal_length: None }];
    let comparison = Comparison::new(rows, boards, &Config::default()).unwrap();
    let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
    let run = Run { row: 0, board: 0 };
    let record = comparison.solve(run, limits, &CancelToken::new(), None).unwrap();
    assert_eq!((record.status.as_str(), record.stop.as_deref()), ("stopped", Some("time")));
    assert_eq!((record.metric.as_str(), record.elapsed_ns), ("stm", 0));
    comparison.checker().add(&record).unwrap();
}

#[test]
fn rows_share_their_tables() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare");
    let _ = fs::remove_dir_all(&folder);
    let config =
        Config { metric: Metric::MultiTile, store: Store::new(&folder), ..Config::default() };
    let rows = ["astar", "idastar"].map(|name| Row::of(name, Some("tile-classes")).unwrap());
    let [astar, _] = rows.each_ref().map(Row::name);
    let problem = "1 2 3 4 5/6 x 7 8 9".parse().unwrap();
    let boards = vec![Instance { problem, optimal_length: None }];
    let comparison = Comparison::new(rows.to_vec(), boards, &config).unwrap();
    let run = |done: &[Record]| {
        let mut records = Vec::new();
        comparison.run(done, NonZeroUsize::MIN, &CancelToken::new(), |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        records
    };
    let other = |row: &str| Record { row: row.to_owned(), board_id: 1, ..Record::default() };
    let second = run(&[other(&astar)]);
    assert!(second[0].is_solved(), "{second:?}");
    // If the second run did not reuse the tables, it would build them again and write them to the folder.
    fs::remove_dir_all(&folder).unwrap();
    let first = run(&second);
    assert!(first[0].is_solved() && first[0].row == astar, "{first:?}");
    assert!(!folder.exists());
}
