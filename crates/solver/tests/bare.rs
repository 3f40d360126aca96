//! Tests that need no files, no threads and no system clock, so that they also pass without the features `cache` and
//! `parallel`.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::parse_board;
use loyd::scramble::{ScrambleError, Scrambler};
use loyd::search::{Clock, Limits, Quality, Status, Stop};
use loyd::study::{REALMS, RealmTotals};
use loyd::{CancelToken, Config, Goal, Problem, Size, Solver};

/// Returns a clock that advances by ten seconds at each reading.
fn clock() -> Clock {
    thread_local! {
        static SECONDS: Cell<u64> = const { Cell::new(0) };
    }
    Clock::new(|| Duration::from_secs(SECONDS.replace(SECONDS.get() + 10)))
}

/// Returns a configuration with that clock and a limit of 30 s.
fn hasty() -> Config {
    let limits = Limits { max_time: Some(Duration::from_secs(30)), ..Config::default().limits };
    Config { limits, clock: clock(), ..Config::default() }
}

/// Returns a board of 57 moves.
fn hard() -> Problem {
    let board = parse_board("7 12 8 14/13 3 4 6/11 15 9 1/10 5 0 2", None).unwrap();
    Problem::new(board, &Goal::BlankLast).unwrap()
}

#[test]
fn custom_clock_ends_searches() {
    let stopped = Status::Stopped(Stop::Time);
    let without_tables = Some("manhattan".into());
    for config in [
        hasty(),
        Config { heuristic: without_tables.clone(), ..hasty() },
        Config { algorithm: Some("bfs"), ..hasty() },
        Config { metric: Metric::MultiTile, ..hasty() },
    ] {
        let report = Solver::new(config).unwrap().solve(&hard()).unwrap();
        assert_eq!(report.status, stopped, "{report:?}");
        let time = report.stats.elapsed + report.stats.table_time;
        assert!(time >= Duration::from_secs(30), "{time:?}");
    }
    let bounded = Quality::Bounded("1.01".parse().unwrap());
    let report = Solver::new(Config { quality: Some(bounded), ..hasty() }).unwrap();
    assert_eq!(report.solve(&hard()).unwrap().status, stopped);
}

#[test]
fn custom_clock_ends_studies() {
    let (cancel, problem) = (CancelToken::new(), hard());
    let solver = Solver::new(hasty()).unwrap();
    let count = solver.count_shortest(&problem, &cancel, None).unwrap();
    assert_eq!(count.report.status, Status::Stopped(Stop::Time));
    // The studies then return bounds.
    assert!(!solver.hint(&problem, &cancel, None).unwrap().is_complete());
    let bounds = [
        solver.review(&problem, &[], &cancel, None).unwrap().shortest,
        solver.explain(&problem, &cancel, None).unwrap().bounds().unwrap(),
        solver.verify(&problem, &[], &cancel, None).unwrap().bounds.unwrap(),
    ];
    assert!(bounds.iter().all(|known| known.lower < 57 && known.upper >= 57), "{bounds:?}");
    for realm in REALMS {
        let reports = realm.run(&["867254x31".parse().unwrap()], &hasty(), &cancel, None).unwrap();
        let totals = RealmTotals::of(&reports);
        assert!(totals.elapsed_ns >= 10_000_000_000, "{realm:?}");
    }
    let goal = Goal::BlankLast.board(Size::FIFTEEN).unwrap();
    let drawn = Scrambler::new(goal, 1, hasty()).unwrap().of_length(50, &cancel, None);
    assert_eq!(drawn, Err(ScrambleError::NotFound { length: 50, stop: Stop::Time }));
}

#[test]
fn time_stands_still_without_a_clock() {
    let limits = Limits { max_time: Some(Duration::from_nanos(1)), ..Config::default().limits };
    let config = Config { limits, clock: Clock::none(), ..Config::default() };
    let report = Solver::new(config).unwrap().solve(&"867254x31".parse().unwrap()).unwrap();
    assert_eq!((report.length(), report.stats.elapsed), (Some(30), Duration::ZERO));
}

#[test]
fn improving_uses_the_custom_clock() {
    let board = loyd::scramble::random_board(
        &Goal::BlankLast.board(Size::new(8, 8).unwrap()).unwrap(),
        &mut loyd::scramble::Random::new(1),
    );
    let problem = Problem::new(board, &Goal::BlankLast).unwrap();
    let improve = Duration::from_secs(1_000);
    let config = Config { quality: Some(Quality::Fast), improve, ..hasty() };
    let config = Config { limits: Config::default().limits, ..config };
    let report = Solver::new(config).unwrap().solve(&problem).unwrap();
    assert!(report.length().is_some());
    assert!(report.stats.elapsed >= improve, "{:?}", report.stats.elapsed);
}

#[test]
fn tables_are_built_in_memory() {
    let solver = Solver::new(Config { boards: Some(200), ..Config::default() }).unwrap();
    let report = solver.solve(&hard()).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(57), true));
    assert_eq!(report.tables.as_deref(), Some("7-7-1"));
    // The second search reuses the tables.
    let again = solver.solve(&hard()).unwrap();
    assert!(again.stats.table_time < report.stats.table_time / 100, "{:?}", again.stats.table_time);
    assert_eq!(solver.take_warnings(), []);
}

#[test]
fn batch_reports_are_in_order() {
    let boards = ["12345678x", "1234567x8", "12345x786", "1234x5786", "867254x31"];
    for threads in [1, 3] {
        let problems = boards.map(|board| board.parse().unwrap());
        let (mut lengths, threads) = (Vec::new(), NonZeroUsize::new(threads).unwrap());
        let deliver = |report: Result<loyd::Report, loyd::Error>| {
            lengths.push(report.unwrap().length().unwrap());
            if lengths.len() < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        Solver::default().solve_all(problems.into_iter(), threads, &CancelToken::new(), deliver);
        assert_eq!(lengths, [0, 1, 1, 2]);
    }
}
