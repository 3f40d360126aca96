//! Tables that are built in the background of a search.

use loyd::{CancelToken, Config, Solver};

/// A number of bytes between the size of the first tables and that of the next ones.
const BETWEEN: u64 = 20 << 20;

#[test]
fn single_thread_builds_nothing_in_the_background() {
    for threads in [1, 2] {
        let solver = Solver::new(Config { threads, ..Config::default() }).unwrap();
        let board = "1 2 3 4/5 6 7 8/9 10 x 11/13 14 15 12".parse().unwrap();
        let count = solver.count_shortest(&board, &CancelToken::new(), None).unwrap();
        assert_eq!((count.report.length(), count.count), (Some(2), 1));
        // The peak of a count includes all tables held, also those under construction.
        let background = threads > 1 && cfg!(feature = "parallel");
        assert_eq!(count.report.stats.peak_bytes > BETWEEN, background, "{threads} threads");
    }
}

/// Hardly any 4x4 board needs the tables 7-8, which take 198 MB and thrice as much while they are built.
#[test]
fn rare_tables_are_not_built_in_the_background() {
    let solver =
        Solver::new(Config { threads: 2, boards: Some(200), ..Config::default() }).unwrap();
    let board = "1 2 3 4/5 6 7 8/9 10 x 11/13 14 15 12".parse().unwrap();
    let count = solver.count_shortest(&board, &CancelToken::new(), None).unwrap();
    assert!(count.report.stats.peak_bytes < 150 << 20, "{}", count.report.stats.peak_bytes);
}
