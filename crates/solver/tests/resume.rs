//! Searches of 5x5 boards that are suspended and resumed, or divided into shards, have the same counts as uninterrupted
//! ones.
#![cfg(feature = "cache")]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loyd::scramble::{Random, random_walk};
use loyd::search::{
    Checkpoint, Clock, Iteration, Limits, Quality, Round, Shard, Status, Stop, SuspendedSearch,
};
use loyd::{Config, Goal, Problem, Report, Solver};

/// Returns a board whose search has several iterations and 200,000 expansions in total.
fn problem() -> Problem {
    problem_of(3)
}

/// Returns a board after a random walk.
fn problem_of(seed: u64) -> Problem {
    let goal = Goal::BlankLast.board("5x5".parse().unwrap()).unwrap();
    let mut board = goal.clone();
    for m in random_walk(&goal, 110, &mut Random::new(seed)).unwrap() {
        board.apply(m).unwrap();
    }
    Problem::between(board, goal).unwrap()
}

fn config() -> Config {
    Config {
        algorithm: Some("idastar"),
        heuristic: Some("pdb".into()),
        limits: Limits::default(),
        ..Config::default()
    }
}

/// Returns a solver. All tests share their tables.
fn solver(config: Config) -> Result<Solver, loyd::Error> {
    static FIRST: OnceLock<Solver> = OnceLock::new();
    FIRST.get_or_init(|| Solver::new(self::config()).unwrap()).sharing(config)
}

fn solve(config: Config) -> Report {
    solver(config).unwrap().solve(&problem()).unwrap()
}

fn complete(report: &Report) -> &[Iteration] {
    assert_eq!(report.status, Status::Solved);
    let iterations = &report.stats.iterations;
    &iterations[..iterations.len() - 1]
}

/// Returns the number of expansions outside of iterations, beyond their bounds.
fn beyond_bounds(report: &Report) -> u64 {
    let iterations = report.stats.iterations.iter();
    report.stats.expanded - iterations.map(|round| round.expanded).sum::<u64>()
}

/// Returns the path of a file that does not exist, in a new folder.
fn place(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("resume-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("checkpoint")
}

#[test]
fn resume_equals_uninterrupted_run() {
    let uninterrupted = solve(config());
    let total = uninterrupted.stats.expanded;
    assert!(complete(&uninterrupted).iter().any(|round| round.expanded > 100_000), "{total}");
    let path = place("again");
    for (part, threads) in [(7, 1), (11, 2)] {
        let checkpoint = Checkpoint::new(&path);
        let limits = Limits { max_expanded: Some(total / part), ..Limits::default() };
        let suspending =
            Config { checkpoint: Some(checkpoint.clone()), threads, limits, ..config() };
        let mut stops = 0;
        let report = loop {
            let report = solve(suspending.clone());
            if report.status == Status::Solved {
                break report;
            }
            assert_eq!(report.status, Status::Stopped(Stop::Expanded));
            assert!(
                path.exists()
                    && report.stats.iterations.len() <= uninterrupted.stats.iterations.len()
            );
            stops += 1;
            assert!(stops < 100, "the search makes no progress");
        };
        assert!(stops >= 2, "{stops}");
        assert_eq!(complete(&report), complete(&uninterrupted));
        assert_eq!((report.length(), report.optimal), (uninterrupted.length(), true));
        assert_eq!(beyond_bounds(&report), beyond_bounds(&uninterrupted));
        checkpoint.remove().unwrap();
    }
}

/// Several searches take a part of each iteration.
#[test]
fn divided_iterations_equal_uninterrupted_run() {
    let uninterrupted = solve(config());
    let checkpoint = Checkpoint::in_memory(String::new());
    let solve_round = |checkpoint: &Checkpoint, round| {
        let checkpoint = Some(checkpoint.clone());
        solve(Config { checkpoint, round: Some(round), ..config() })
    };
    let first = solve_round(&checkpoint, Round::Until(100));
    assert_eq!(first.status, Status::Stopped(Stop::Expanded));
    let mut rounds = 0;
    let report = loop {
        let divided = solve_round(&checkpoint, Round::Divide(50));
        if divided.status == Status::Solved {
            break divided;
        }
        rounds += 1;
        let mut search = SuspendedSearch::read(&checkpoint.text().unwrap()).unwrap();
        assert!(search.pending() >= 50);
        let nodes: Vec<usize> = (0..search.pending()).rev().collect();
        for part in nodes.chunks(nodes.len().div_ceil(3)) {
            let own = Checkpoint::in_memory(search.part(part).text());
            solve_round(&own, Round::Finish);
            let result = SuspendedSearch::read(&own.text().unwrap()).unwrap();
            assert!(!search.clone().add(&search.part(part)), "it is not complete");
            assert!(search.add(&result));
            if search.solution_length() == Some(search.bound()) {
                break;
            }
        }
        if search.solution_length() != Some(search.bound()) {
            search.retain(|_| false);
            search.finish_iteration();
        }
        checkpoint.replace(&search.text()).unwrap();
    };
    assert!(rounds >= 2, "{rounds}");
    assert_eq!(complete(&report), complete(&uninterrupted));
    assert_eq!((report.length(), report.optimal), (uninterrupted.length(), true));
}

/// This includes the last iteration, in which counts depend on the order of nodes.
#[test]
fn counts_without_a_checkpoint_do_not_depend_on_time() {
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    let slow = Clock::new(|| Duration::from_secs(SECONDS.fetch_add(60, Ordering::Relaxed)));
    let counts = |clock| {
        let solver = solver(Config { clock, ..config() }).unwrap();
        let stats = solver.solve(&problem_of(14)).unwrap().stats;
        (stats.expanded, stats.generated, stats.iterations)
    };
    assert_eq!(counts(slow), counts(Clock::system()));
}

#[test]
fn resume_within_an_iteration_loses_nothing() {
    // The search of this board includes its last iteration.
    let problem = problem_of(14);
    let solve = |config| solver(config).unwrap().solve(&problem).unwrap();
    let uninterrupted = solve(config());
    assert_eq!(uninterrupted.stats.ended_by, Some("round"));
    let path = place("often");
    let checkpoint = Some(Checkpoint::new(&path).every(Duration::ZERO));
    let report = solve(Config { checkpoint: checkpoint.clone(), ..config() });
    assert_eq!(complete(&report), complete(&uninterrupted));
    // This is the file of a process that was killed in the last iteration.
    let saved = fs::read_to_string(&path).unwrap();
    assert!(!saved.contains("\"pending\":\"\""), "{saved}");
    let report = solve(Config { checkpoint, ..config() });
    assert_eq!(complete(&report), complete(&uninterrupted));
    assert!(report.stats.iterations.last().unwrap().expanded > 0);
}

#[test]
fn checkpoints_of_other_searches_are_refused() {
    let path = place("refused");
    let limits = Limits { max_expanded: Some(50_000), ..Limits::default() };
    let suspending = Config { checkpoint: Some(Checkpoint::new(&path)), limits, ..config() };
    solve(suspending.clone());
    let text = fs::read_to_string(&path).unwrap();
    let refused = |config: Config, problem: &Problem, reason: &str| {
        let message =
            solver(config).and_then(|solver| solver.solve(problem)).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    };
    let mut start = problem().start().clone();
    let walk = random_walk(&start, 2, &mut Random::new(1)).unwrap();
    walk.into_iter().for_each(|m| start.apply(m).unwrap());
    let other = Problem::between(start, problem().goal().clone()).unwrap();
    refused(suspending.clone(), &other, "another search:\n  board: ");
    let shard = Shard::new(0, 2);
    refused(Config { shard, ..suspending.clone() }, &problem(), "shard: all then, 0/2 now");
    fs::write(&path, text.replacen("urd", "udr", 1)).unwrap();
    refused(suspending.clone(), &problem(), "checkpoint is damaged");
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    refused(suspending.clone(), &problem(), "checkpoint is damaged");
    fs::write(&path, "").unwrap();
    refused(suspending.clone(), &problem(), "checkpoint is damaged");
    fs::remove_file(&path).unwrap();
    let small: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    refused(suspending.clone(), &small, "a checkpoint is for IDA*");
    refused(
        Config { algorithm: Some("astar"), ..suspending.clone() },
        &problem(),
        "a checkpoint is for",
    );
    let auto = Config {
        quality: Some(Quality::Auto),
        checkpoint: suspending.checkpoint,
        ..Config::default()
    };
    refused(auto, &problem(), "choose the quality optimal");
    assert!(!path.exists());
}

#[test]
fn shard_counts_add_up_to_the_whole_search() {
    let whole = solve(config());
    for count in [1, 2, 3, 7] {
        let reports: Vec<Report> = (0..count)
            .map(|index| solve(Config { shard: Shard::new(index, count), ..config() }))
            .collect();
        assert_eq!(reports.iter().filter_map(Report::length).min(), whole.length());
        assert!(reports.iter().all(|report| !report.optimal && report.lower_bound.is_none()));
        for (number, round) in complete(&whole).iter().enumerate() {
            let same = |report: &Report| report.stats.iterations[number];
            let iterations: Vec<Iteration> = reports.iter().map(same).collect();
            assert!(iterations.iter().all(|own| own.bound == round.bound));
            assert_eq!(iterations.iter().map(|own| own.expanded).sum::<u64>(), round.expanded);
            assert_eq!(iterations.iter().map(|own| own.generated).sum::<u64>(), round.generated);
        }
    }
}
