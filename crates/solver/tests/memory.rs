//! Compares the memory that searches report with the memory that they allocate.
//!
//! Tests run one at a time, so that all allocations belong to the running test.

mod common {
    #[expect(dead_code, reason = "these tests do not compare lengths")]
    pub mod rows;
}

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use common::rows::rows;
use loyd::moves::Metric;
use loyd::notation::parse_board;
use loyd::scramble::{ScrambleError, Scrambler};
use loyd::search::{Limits, Status, Stop};
use loyd::{CancelToken, Config, Goal, Problem, Report, Solver};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Memory in bytes that the search does not report: that of the solver, its report and its choice of tables.
const OVERHEAD: u64 = 32 << 10;

/// A board at the maximum distance, 31 moves.
const HARDEST: &str = "8 6 7/2 5 4/3 x 1";

/// Locked by the running test.
static RUNNING: Mutex<()> = Mutex::new(());

/// Waits until the builder threads of earlier solvers have freed their memory, and returns the number of bytes in use.
fn settled_usage() -> usize {
    let mut same = 0;
    let mut usage = ALLOCATOR.current_usage();
    while same < 3 {
        std::thread::sleep(Duration::from_millis(1));
        let now = ALLOCATOR.current_usage();
        same = if now == usage { same + 1 } else { 0 };
        usage = now;
    }
    usage
}

/// Solves with a new solver, and returns the report and the peak of additionally allocated bytes.
fn measured(config: Config, problem: &Problem) -> Result<(Report, u64), loyd::Error> {
    let before = settled_usage();
    ALLOCATOR.reset_peak_usage();
    let report = Solver::new(config)?.solve(problem)?;
    Ok((report, (ALLOCATOR.peak_usage() - before) as u64))
}

#[test]
fn searches_report_their_memory_and_respect_its_limit() {
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let hardest: Problem = HARDEST.parse().unwrap();
    for row in rows() {
        let (report, real) = measured(row.config(), &hardest).unwrap();
        let reported = report.stats.peak_bytes;
        assert_eq!(report.status, Status::Solved, "{row}");
        assert!(real <= reported + OVERHEAD, "{row} held {real} bytes and reported {reported}");
        // The allocator does not see pattern databases, which are in pages of the system.
        let is_measurable = row.heuristic.is_none_or(|h| h.name != "pdb");
        assert!(
            !is_measurable || reported <= 2 * real + OVERHEAD,
            "{row} held {real} bytes and reported {reported}"
        );
        let limits =
            [0, 1 << 10, 1 << 12, 1 << 16, 100_000, 1 << 20, 1_500_000, 3_000_000, 1 << 23];
        for limit in limits.into_iter().filter(|&limit| limit < reported) {
            let limits = Limits { max_bytes: Some(limit), ..Limits::default() };
            // Ranks that do not fit are refused.
            let Ok((report, real)) = measured(Config { limits, ..row.config() }, &hardest) else {
                continue;
            };
            let within = report.status == Status::Solved;
            assert!(within || report.status == Status::Stopped(Stop::Memory), "{row}, {limit}");
            assert!(report.stats.peak_bytes <= limit, "{row}, {limit}");
            assert!(real <= limit + OVERHEAD, "{row} held {real} bytes of {limit}");
        }
    }
}

/// Draws near the goal keep all boards of a length, and need no tables of a solver.
#[test]
fn draws_respect_the_memory_limit() {
    const LIMITS: [u64; 5] = [1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 25];
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for (size, length) in [("3x3", 20), ("4x4", 14), ("5x5", 11), ("16x16", 10)] {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let mut drawn = Vec::new();
        // The first draw allocates permanent data, shared by all boards of a size, from which the size of tables is
        // computed.
        for (again, max_bytes) in
            [false, true].into_iter().flat_map(|again| LIMITS.map(|l| (again, l)))
        {
            let limits = Limits { max_bytes: Some(max_bytes), ..Limits::default() };
            let config = Config { limits, ..Config::default() };
            let mut scrambler = Scrambler::new(goal.clone(), 1, config).unwrap();
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let found = scrambler.of_length(length, &CancelToken::new(), None);
            let real = (ALLOCATOR.peak_usage() - before) as u64;
            match found {
                _ if !again => {}
                Ok(found) => drawn.push(found.board),
                Err(ScrambleError::NotFound { stop: Stop::Memory, .. }) => {
                    assert!(drawn.is_empty());
                }
                Err(other) => panic!("{size}: {other}"),
            }
            let within = !again || real <= max_bytes + OVERHEAD;
            assert!(within, "{size} held {real} bytes of {max_bytes}");
        }
        // All sufficient limits give the same board; a limit of one page is not sufficient.
        assert!((1..5).contains(&drawn.len()), "{size}: {}", drawn.len());
        assert!(drawn.iter().all(|board| *board == drawn[0]), "{size}");
    }
}

/// The reported memory includes both the tables and the search.
#[test]
fn memory_includes_tables_and_search() {
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config {
        algorithm: Some("astar"),
        heuristic: Some("exact".into()),
        metric: Metric::MultiTile,
        ..Config::default()
    };
    let (report, real) = measured(config, &HARDEST.parse().unwrap()).unwrap();
    let reported = report.stats.peak_bytes;
    assert!(real <= reported + OVERHEAD, "held {real} bytes and reported {reported}");
}

/// The memory of a count includes the idle kernel of the search for the length and its tables, which may be in pages of
/// the system that the allocator does not see.
#[test]
fn counting_respects_the_memory_limit() {
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let limits = Limits { max_bytes: Some(16 << 20), ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let far = parse_board("14 7 8 2/13 11 10 4/9 12 5 0/3 6 1 15", None).unwrap();
    let problem = Problem::new(far, &Goal::BlankFirst).unwrap();
    // The first search allocates permanent data, shared by all boards of a size, from which the size of tables is
    // computed.
    let near = parse_board("1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15", None).unwrap();
    let near = Problem::new(near, &Goal::BlankFirst).unwrap();
    measured(config.clone(), &near).unwrap();
    let before = settled_usage();
    ALLOCATOR.reset_peak_usage();
    let all =
        Solver::new(config).unwrap().count_shortest(&problem, &CancelToken::new(), None).unwrap();
    let real = (ALLOCATOR.peak_usage() - before) as u64;
    assert_eq!((all.report.length(), all.count, all.complete), (Some(59), 91, true));
    assert!(all.report.stats.peak_bytes <= 16 << 20 && real <= 16 << 20, "held {real} bytes");
    assert!(all.report.tables.is_some(), "there are only the layers");
}
