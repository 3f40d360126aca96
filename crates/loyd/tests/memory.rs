//! What searches say about their memory, compared with what they ask of the allocator.
//!
//! The only test of its program: everything that is allocated while it runs is its own.

mod common {
    #[expect(dead_code, reason = "promises of shortness are of no interest here")]
    pub mod rows;
}

use common::rows::rows;
use loyd::{Config, Limits, Problem, Report, Solver, Status, Stop};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a solver and a report take besides the search, and the choice of tables that fit.
const BESIDES: u64 = 32 << 10;

/// Needs 31 moves, as many as there are.
const HARDEST: &str = "8 6 7/2 5 4/3 x 1";

/// Solves with a new solver; also says how many bytes more than before were held at the most.
fn measured(config: Config, problem: &Problem) -> Result<(Report, u64), loyd::Error> {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let report = Solver::new(config)?.solve(problem)?;
    Ok((report, (ALLOCATOR.peak_usage() - before) as u64))
}

#[test]
fn searches_hold_what_they_say_and_no_more_than_they_may() {
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
