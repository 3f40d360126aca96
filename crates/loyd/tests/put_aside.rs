//! Searches of 5x5 boards that are put aside and continued, or divided into shards, count as one that is neither.
#![cfg(feature = "cache")]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loyd::scramble::{Random, random_walk};
use loyd::search::{Checkpoint, Clock, Iteration, Limits, Quality, Shard, Status, Stop};
use loyd::{Config, Goal, Problem, Report, Solver};

/// A board of some rounds with 200,000 expansions in all.
fn problem() -> Problem {
    problem_of(3)
}

/// Where a walk leads to.
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

/// A solver with tables that all tests share.
fn solver(config: Config) -> Result<Solver, loyd::Error> {
    static FIRST: OnceLock<Solver> = OnceLock::new();
    FIRST.get_or_init(|| Solver::new(self::config()).unwrap()).sharing(config)
}

fn solve(config: Config) -> Report {
    solver(config).unwrap().solve(&problem()).unwrap()
}

fn complete(report: &Report) -> &[Iteration] {
    assert_eq!(report.status, Status::Solved);
    let rounds = &report.stats.iterations;
    &rounds[..rounds.len() - 1]
}

/// What was expanded outside of rounds: beyond their bounds.
fn beside(report: &Report) -> u64 {
    let rounds = report.stats.iterations.iter();
    report.stats.expanded - rounds.map(|round| round.expanded).sum::<u64>()
}

/// A file that is not there, in a folder of its own.
fn place(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("put-aside-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("checkpoint")
}

#[test]
fn a_search_that_is_stopped_again_and_again_counts_as_one_that_is_not() {
    let undisturbed = solve(config());
    let total = undisturbed.stats.expanded;
    assert!(complete(&undisturbed).iter().any(|round| round.expanded > 100_000), "{total}");
    let path = place("again");
    for (part, threads) in [(7, 1), (11, 2)] {
        let checkpoint = Checkpoint::new(&path);
        let limits = Limits { max_expanded: Some(total / part), ..Limits::default() };
        let aside = Config { checkpoint: Some(checkpoint.clone()), threads, limits, ..config() };
        let mut stops = 0;
        let report = loop {
            let report = solve(aside.clone());
            if report.status == Status::Solved {
                break report;
            }
            assert_eq!(report.status, Status::Stopped(Stop::Expanded));
            assert!(
                path.exists()
                    && report.stats.iterations.len() <= undisturbed.stats.iterations.len()
            );
            stops += 1;
            assert!(stops < 100, "it does not get on");
        };
        assert!(stops >= 2, "{stops}");
        assert_eq!(complete(&report), complete(&undisturbed));
        assert_eq!((report.length(), report.optimal), (undisturbed.length(), true));
        assert_eq!(beside(&report), beside(&undisturbed));
        checkpoint.remove().unwrap();
    }
}

/// Not even in the round that a goal ends, where counts depend on the order of nodes.
#[test]
fn a_search_that_nobody_keeps_counts_the_same_however_long_it_takes() {
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
fn nothing_is_lost_that_was_kept_in_the_middle_of_a_round() {
    // A board whose last round is searched.
    let problem = problem_of(14);
    let solve = |config| solver(config).unwrap().solve(&problem).unwrap();
    let undisturbed = solve(config());
    assert_eq!(undisturbed.stats.ended_by, Some("round"));
    let path = place("often");
    let checkpoint = Some(Checkpoint::new(&path).every(Duration::ZERO));
    let report = solve(Config { checkpoint: checkpoint.clone(), ..config() });
    assert_eq!(complete(&report), complete(&undisturbed));
    // What a process leaves behind that is killed in the last round.
    let kept = fs::read_to_string(&path).unwrap();
    assert!(!kept.contains("\"pending\":\"\""), "{kept}");
    let report = solve(Config { checkpoint, ..config() });
    assert_eq!(complete(&report), complete(&undisturbed));
    assert!(report.stats.iterations.last().unwrap().expanded > 0);
}

#[test]
fn what_is_no_checkpoint_of_the_search_is_refused() {
    let path = place("refused");
    let limits = Limits { max_expanded: Some(50_000), ..Limits::default() };
    let aside = Config { checkpoint: Some(Checkpoint::new(&path)), limits, ..config() };
    solve(aside.clone());
    let text = fs::read_to_string(&path).unwrap();
    let refused = |config: Config, problem: &Problem, reason: &str| {
        let said = solver(config).and_then(|solver| solver.solve(problem)).unwrap_err().to_string();
        assert!(said.contains(reason), "{said}");
    };
    let mut start = problem().start().clone();
    let walk = random_walk(&start, 2, &mut Random::new(1)).unwrap();
    walk.into_iter().for_each(|m| start.apply(m).unwrap());
    let other = Problem::between(start, problem().goal().clone()).unwrap();
    refused(aside.clone(), &other, "of another search:\n  board: ");
    let shard = Shard::new(0, 2);
    refused(Config { shard, ..aside.clone() }, &problem(), "shard: all then, 0/2 now");
    fs::write(&path, text.replacen("urd", "udr", 1)).unwrap();
    refused(aside.clone(), &problem(), "checkpoint is damaged");
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    refused(aside.clone(), &problem(), "checkpoint is damaged");
    fs::write(&path, "").unwrap();
    refused(aside.clone(), &problem(), "checkpoint is damaged");
    fs::remove_file(&path).unwrap();
    let small: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    refused(aside.clone(), &small, "a checkpoint is for IDA*");
    refused(
        Config { algorithm: Some("astar"), ..aside.clone() },
        &problem(),
        "a checkpoint is for",
    );
    let auto =
        Config { quality: Some(Quality::Auto), checkpoint: aside.checkpoint, ..Config::default() };
    refused(auto, &problem(), "choose the quality optimal");
    assert!(!path.exists());
}

#[test]
fn shards_count_together_as_much_as_the_whole() {
    let whole = solve(config());
    for count in [1, 2, 3, 7] {
        let reports: Vec<Report> = (0..count)
            .map(|index| solve(Config { shard: Shard::new(index, count), ..config() }))
            .collect();
        assert_eq!(reports.iter().filter_map(Report::length).min(), whole.length());
        assert!(reports.iter().all(|report| !report.optimal && report.lower_bound.is_none()));
        for (number, round) in complete(&whole).iter().enumerate() {
            let same = |report: &Report| report.stats.iterations[number];
            let rounds: Vec<Iteration> = reports.iter().map(same).collect();
            assert!(rounds.iter().all(|own| own.bound == round.bound));
            assert_eq!(rounds.iter().map(|own| own.expanded).sum::<u64>(), round.expanded);
            assert_eq!(rounds.iter().map(|own| own.generated).sum::<u64>(), round.generated);
        }
    }
}
