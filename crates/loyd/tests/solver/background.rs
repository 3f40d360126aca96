//! Tables that are built while a search goes on.

use loyd::{CancelToken, Config, Solver};

/// More than the first tables take, and less than the next ones.
const BETWEEN: u64 = 20 << 20;

#[test]
fn nothing_is_built_in_the_background_for_a_single_thread() {
    for threads in [1, 2] {
        let solver = Solver::new(Config { threads, ..Config::default() }).unwrap();
        let board = "1 2 3 4/5 6 7 8/9 10 x 11/13 14 15 12".parse().unwrap();
        let count = solver.count_shortest(&board, &CancelToken::new(), None).unwrap();
        assert_eq!((count.report.length(), count.count), (Some(2), 1));
        // What is being built is held, and a count says so: its peak has all tables that are held.
        let background = threads > 1 && cfg!(feature = "parallel");
        assert_eq!(count.report.stats.peak_bytes > BETWEEN, background, "{threads} threads");
    }
}
