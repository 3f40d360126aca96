//! Searches that are stopped in the middle: they end soon, say why, and keep their statistics.

mod common {
    pub mod rows;
}

use std::ops::ControlFlow;

use common::rows::{Row, rows};
use loyd::search::{Event, Limits, Status, Stop};
use loyd::{CancelToken, Config, Problem, Solver};

/// The board of two by five that is farthest from the goal, at 55 moves.
const FAR: &str = "x 8 9 7 5/6 3 4 1 2";

/// Expansions between two events, at most.
const INTERVAL: u64 = 1024;

/// Solves [`FAR`] with every row, which `third` is to stop at the third event.
fn interrupt(third: impl Fn(&CancelToken) -> ControlFlow<()> + Sync) {
    let problem: Problem = FAR.parse().unwrap();
    for row in rows() {
        let limits = Limits { max_depth: Some(60), ..Limits::default() };
        let solver = Solver::new(Config { limits, ..row.config() }).unwrap();
        let cancel = CancelToken::new();
        let mut events = 0;
        let mut observer = |event: Event<'_>| {
            events += u32::from(is_sign_of_life(event));
            if events == 3 { third(&cancel) } else { ControlFlow::Continue(()) }
        };
        let report = solver.solve_watched(&problem, &cancel, Some(&mut observer)).unwrap();
        let stats = &report.stats;
        // Tables may still be in the making then, which is counted by itself.
        let begun = stats.expanded > 0 || needs_table(&row);
        assert!(begun && stats.expanded <= 3 * INTERVAL, "{row}: {stats:?}");
        assert!(stats.generated >= stats.expanded / 2, "{row}: {stats:?}");
        assert!(!stats.elapsed.is_zero(), "{row}: {stats:?}");
        if report.status == Status::Solved {
            assert!(soon_there(&row), "{row} was not stopped");
            continue;
        }
        assert_eq!(report.status, Status::Stopped(Stop::Cancelled), "{row}");
        assert_eq!((report.moves, report.optimal), (None, false), "{row}");
        // Who waits for pattern databases holds nothing yet.
        assert!(stats.peak_bytes > 0 || stats.expanded == 0, "{row}: {stats:?}");
    }
}

/// Whether `event` says how far a search or a table is, not only what is known or done.
fn is_sign_of_life(event: Event<'_>) -> bool {
    matches!(event, Event::Progress { .. } | Event::Table { .. } | Event::Iteration(_))
}

/// Whether `row` may be at the goal before the third event has had its effect.
fn soon_there(row: &Row) -> bool {
    let well_led = |name| {
        ["inversion-distance", "linear-conflict", "walking-distance", "pdb", "exact"]
            .contains(&name)
    };
    // A table may be ready when the third event comes, and leads straight to the goal.
    row.algorithm.name == "table"
        || row.heuristic.is_some_and(|heuristic| well_led(heuristic.name))
        || !row.promises_shortest() && !needs_table(row)
}

fn needs_table(row: &Row) -> bool {
    let has_table = |name| ["walking-distance", "pdb", "pdb-max", "exact"].contains(&name);
    row.algorithm.name == "table" || row.heuristic.is_some_and(|h| has_table(h.name))
}

#[test]
fn an_observer_that_breaks_ends_every_search() {
    interrupt(|_| ControlFlow::Break(()));
}

#[test]
fn a_token_that_is_set_meanwhile_ends_every_search() {
    interrupt(|cancel| {
        cancel.cancel();
        ControlFlow::Continue(())
    });
}
