//! What searches say about their memory, compared with what they ask of the allocator.
//!
//! One test at a time: everything that is allocated while it runs is its own.

mod common {
    #[expect(dead_code, reason = "promises of shortness are of no interest here")]
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

/// What a solver and a report take besides the search, and the choice of tables that fit.
const BESIDES: u64 = 32 << 10;

/// Needs 31 moves, as many as there are.
const HARDEST: &str = "8 6 7/2 5 4/3 x 1";

/// Held by the test that runs.
static ALONE: Mutex<()> = Mutex::new(());

/// The bytes in use once the builder threads of earlier solvers have given theirs back.
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

/// Solves with a new solver; also says how many bytes more than before were held at the most.
fn measured(config: Config, problem: &Problem) -> Result<(Report, u64), loyd::Error> {
    let before = settled_usage();
    ALLOCATOR.reset_peak_usage();
    let report = Solver::new(config)?.solve(problem)?;
    Ok((report, (ALLOCATOR.peak_usage() - before) as u64))
}

#[test]
fn searches_hold_what_they_say_and_no_more_than_they_may() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let hardest: Problem = HARDEST.parse().unwrap();
    for row in rows() {
        let (report, real) = measured(row.config(), &hardest).unwrap();
        let said = report.stats.peak_bytes;
        assert_eq!(report.status, Status::Solved, "{row}");
        assert!(real <= said + BESIDES, "{row} held {real} bytes and said {said}");
        // Pattern databases lie in pages of the system, which the allocator does not see.
        let seen = row.heuristic.is_none_or(|h| h.name != "pdb");
        assert!(!seen || said <= 2 * real + BESIDES, "{row} held {real} bytes and said {said}");
        let limits =
            [0, 1 << 10, 1 << 12, 1 << 16, 100_000, 1 << 20, 1_500_000, 3_000_000, 1 << 23];
        for limit in limits.into_iter().filter(|&limit| limit < said) {
            let limits = Limits { max_bytes: Some(limit), ..Limits::default() };
            // Refused where ranks do not fit.
            let Ok((report, real)) = measured(Config { limits, ..row.config() }, &hardest) else {
                continue;
            };
            let within = report.status == Status::Solved;
            assert!(within || report.status == Status::Stopped(Stop::Memory), "{row}, {limit}");
            assert!(report.stats.peak_bytes <= limit, "{row}, {limit}");
            assert!(real <= limit + BESIDES, "{row} held {real} bytes of {limit}");
        }
    }
}

/// Near the goal all boards of a length are kept together, and a solver's tables are not needed.
#[test]
fn draws_hold_no_more_than_they_may() {
    const LIMITS: [u64; 5] = [1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 25];
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (size, length) in [("3x3", 20), ("4x4", 14), ("5x5", 11), ("16x16", 10)] {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let mut drawn = Vec::new();
        // What all boards of a size share, so as to know what tables would take, is there for good from the
        // first time on.
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
            let within = !again || real <= max_bytes + BESIDES;
            assert!(within, "{size} held {real} bytes of {max_bytes}");
        }
        // Limits that are wide enough change nothing; that of a page is not.
        assert!((1..5).contains(&drawn.len()), "{size}: {}", drawn.len());
        assert!(drawn.iter().all(|board| *board == drawn[0]), "{size}");
    }
}

/// The tables that a search has made lie beside what it holds itself.
#[test]
fn tables_and_searches_are_held_together() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let config = Config {
        algorithm: Some("astar"),
        heuristic: Some("exact".into()),
        metric: Metric::MultiTile,
        ..Config::default()
    };
    let (report, real) = measured(config, &HARDEST.parse().unwrap()).unwrap();
    let said = report.stats.peak_bytes;
    assert!(real <= said + BESIDES, "held {real} bytes and said {said}");
}

/// What the search for the length has left behind lies beside the layers of the count: a kernel at rest. So
/// do its tables, which may be in pages of the system that the allocator does not see.
#[test]
fn counts_hold_no_more_than_they_may() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let limits = Limits { max_bytes: Some(16 << 20), ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let far = parse_board("14 7 8 2/13 11 10 4/9 12 5 0/3 6 1 15", None).unwrap();
    let problem = Problem::new(far, &Goal::BlankFirst).unwrap();
    // What all boards of a size share, so as to know what tables would take, is there for good from the first
    // time on.
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
    assert!(all.report.tables.is_some(), "there is nothing beside the layers");
}
