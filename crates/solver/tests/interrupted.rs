//! Interrupted searches end soon, report why, and keep their statistics.

mod common {
    pub mod rows;
}

use std::ops::ControlFlow;

use common::rows::{Row, rows};
use loyd::search::{Event, Limits, Status, Stop};
use loyd::{CancelToken, Config, Problem, Solver};

/// A 2x5 board at the maximum distance from the goal, 55 moves.
const FAR: &str = "x 8 9 7 5/6 3 4 1 2";

/// Maximum number of expansions between two events.
const INTERVAL: u64 = 1024;

/// Solves [`FAR`] with every row, and calls `third` at the third event to stop the search.
fn interrupt(third: impl Fn(&CancelToken) -> ControlFlow<()> + Sync) {
    let problem: Problem = FAR.parse().unwrap();
    for row in rows() {
        let limits = Limits { max_depth: Some(60), ..Limits::default() };
        let solver = Solver::new(Config { limits, ..row.config() }).unwrap();
        let cancel = CancelToken::new();
        let mut events = 0;
        let mut observer = |event: Event<'_>| {
            events += u32::from(is_progress(event));
            if events == 3 { third(&cancel) } else { ControlFlow::Continue(()) }
        };
        let report = solver.solve_watched(&problem, &cancel, Some(&mut observer)).unwrap();
        let stats = &report.stats;
        // Tables may still be under construction at that time, whose progress is counted separately.
        let has_started = stats.expanded > 0 || needs_table(&row);
        assert!(has_started && stats.expanded <= 3 * INTERVAL, "{row}: {stats:?}");
        assert!(stats.generated >= stats.expanded / 2, "{row}: {stats:?}");
        assert!(!stats.elapsed.is_zero(), "{row}: {stats:?}");
        if report.status == Status::Solved {
            assert!(may_finish_early(&row), "{row} was not stopped");
            continue;
        }
        assert_eq!(report.status, Status::Stopped(Stop::Cancelled), "{row}");
        assert_eq!((report.moves, report.optimal), (None, false), "{row}");
        // A search that waits for pattern databases holds no memory yet.
        assert!(stats.peak_bytes > 0 || stats.expanded == 0, "{row}: {stats:?}");
    }
}

/// Returns whether `event` reports the progress of a search or of a table.
fn is_progress(event: Event<'_>) -> bool {
    matches!(event, Event::Progress { .. } | Event::Table { .. } | Event::Iteration(_))
}

/// Returns whether `row` may reach the goal before the third event takes effect.
fn may_finish_early(row: &Row) -> bool {
    let is_strong = |name| {
        ["inversion-distance", "linear-conflict", "walking-distance", "pdb", "exact"]
            .contains(&name)
    };
    // A table may be complete at the third event, and then leads straight to the goal.
    row.algorithm.name == "table"
        || row.heuristic.is_some_and(|heuristic| is_strong(heuristic.name))
        || !row.promises_shortest() && !needs_table(row)
}

fn needs_table(row: &Row) -> bool {
    let has_table = |name| ["walking-distance", "pdb", "pdb-max", "exact"].contains(&name);
    row.algorithm.name == "table" || row.heuristic.is_some_and(|h| has_table(h.name))
}

#[test]
fn observer_that_breaks_ends_every_search() {
    interrupt(|_| ControlFlow::Break(()));
}

#[test]
fn cancel_token_ends_every_search() {
    interrupt(|cancel| {
        cancel.cancel();
        ControlFlow::Continue(())
    });
}
