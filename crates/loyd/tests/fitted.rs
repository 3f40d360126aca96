//! Hard boards are searched with tables that are chosen for them.
#![cfg(feature = "cache")]

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::OnceLock;

use loyd::search::{
    CancelToken, Checkpoint, Direction, Event, Iteration, Limits, Quality, Status, Stop,
};
use loyd::{Config, Problem, Report, Solver};

/// A board of forty million expansions from the start with `catalogue`, and eight million from the goal.
const BOARD: &str = "10 18 17 7 11/3 9 5 8 12/15 2 16 1 14/6 13 4 19 0";
const LENGTH: usize = 80;

fn problem() -> Problem {
    BOARD.parse().unwrap()
}

/// The same from the other end.
fn exchanged() -> Problem {
    Problem::between(problem().goal().clone(), problem().start().clone()).unwrap()
}

/// Tables are chosen after half a million expansions.
fn config() -> Config {
    let fit_after = Some(500_000);
    Config { fit_after, threads: 2, limits: Limits::default(), ..Config::default() }
}

/// A report of the solver, whose tables all tests share.
fn solve(config: Config, problem: &Problem) -> Report {
    static FIRST: OnceLock<Solver> = OnceLock::new();
    let first = FIRST.get_or_init(|| Solver::new(self::config()).unwrap());
    let report = first.sharing(config).unwrap().solve(problem).unwrap();
    let mut board = problem.start().clone();
    report.moves.iter().flatten().for_each(|&m| board.apply(m).unwrap());
    assert_eq!(problem.is_solved_by(&board), report.status == Status::Solved);
    report
}

fn complete(report: &Report) -> &[Iteration] {
    report.stats.iterations.split_last().unwrap().1
}

fn has_own_tables(report: &Report) -> bool {
    report.tables.as_ref().is_some_and(|tables| tables.contains('+'))
}

fn place(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fitted-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("checkpoint")
}

#[test]
fn a_hard_board_gets_tables_of_its_own_that_need_fewer_nodes() {
    let report = solve(config(), &problem());
    assert_eq!((report.length(), report.optimal), (Some(LENGTH), true));
    assert!(has_own_tables(&report), "{report:?}");
    let never = solve(Config { fit_after: None, ..config() }, &problem());
    assert_eq!((never.length(), never.tables.as_deref()), (Some(LENGTH), Some("catalogue")));
    assert!(2 * report.stats.expanded < never.stats.expanded, "{report:?}\n{never:?}");
    // With the same tables by name, at the same end, it is the same search.
    let tables = report.tables.as_ref().unwrap().parse().unwrap();
    let (direction, prune) = (report.stats.direction, report.prune);
    let again = solve(Config { tables, direction, prune, ..config() }, &problem());
    assert_eq!(complete(&again), complete(&report));
}

#[test]
fn whoever_asks_for_tables_or_an_end_gets_those() {
    let limits = Limits { max_expanded: Some(5_000_000), ..Limits::default() };
    let named = Config { tables: "catalogue".parse().unwrap(), limits, ..config() };
    let forward = Config { direction: Some(Direction::Forward), limits, ..config() };
    for config in [named, forward] {
        let report = solve(config, &problem());
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        assert_eq!(report.tables.as_deref(), Some("catalogue"));
    }
}

#[test]
fn proving_in_turns_keeps_the_tables() {
    let limits = Limits { max_expanded: Some(60_000_000), ..Limits::default() };
    let auto = Config { quality: Some(Quality::Auto), threads: 1, limits, ..config() };
    let report = solve(auto, &problem());
    assert_eq!((report.length(), report.optimal), (Some(LENGTH), true));
    assert!(has_own_tables(&report), "{report:?}");
}

#[test]
fn it_is_put_aside_with_its_tables() {
    for (end, problem) in [problem(), exchanged()].into_iter().enumerate() {
        let undisturbed = solve(config(), &problem);
        let ends = [Direction::Backward, Direction::Forward];
        assert_eq!(undisturbed.stats.direction, Some(ends[end]));
        let in_rounds: u64 = complete(&undisturbed).iter().map(|round| round.expanded).sum();
        let (path, most) = (place(&format!("aside-{end}")), in_rounds / 3);
        let aside = || Config {
            checkpoint: Some(Checkpoint::new(&path)),
            limits: Limits { max_expanded: Some(most), ..Limits::default() },
            ..config()
        };
        let (mut stops, mut with_own) = (0, 0);
        let report = loop {
            let report = solve(aside(), &problem);
            if report.status == Status::Solved {
                break report;
            }
            assert_eq!(report.status, Status::Stopped(Stop::Expanded));
            stops += 1;
            with_own += u64::from(has_own_tables(&report));
        };
        assert!(stops > 1 && with_own > 0, "{stops}, {with_own}");
        assert_eq!(complete(&report), complete(&undisturbed));
        assert_eq!(report.tables, undisturbed.tables);
        // All that was done counts, and counts once.
        let (counted, all) = (report.stats.expanded, stops * most..(stops + 1) * most);
        assert!(all.contains(&counted), "{counted}, {stops} of {most}");
    }
}

#[test]
fn tables_that_a_checkpoint_cannot_mean_are_refused() {
    let path = place("refused");
    let aside = Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(2_500_000), ..Limits::default() },
        ..config()
    };
    assert!(has_own_tables(&solve(aside.clone(), &problem())));
    let never = Config { fit_after: None, ..aside.clone() };
    let said = Solver::new(never).unwrap().solve(&problem()).unwrap_err().to_string();
    assert!(said.contains("tables chosen after: 500000 then, never now"), "{said}");
    let text = fs::read_to_string(&path).unwrap();
    let (line, _) = text.split_once('\n').unwrap();
    let begins = line.find("\"fitted\":\"").unwrap() + 10;
    let changed = format!("{}x{}", &line[..begins], &line[begins..]);
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = changed.bytes().fold(0xcbf2_9ce4_8422_2325, fnv);
    fs::write(&path, format!("{changed}\n{{\"checksum\":\"{sum:016x}\"}}\n")).unwrap();
    let said = Solver::new(aside).unwrap().solve(&problem()).unwrap_err().to_string();
    assert!(said.contains("does not belong to this search"), "{said}");
}

/// The report of a search, and how often it has chosen tables.
fn counting(config: Config) -> (Report, u32) {
    let mut choices = 0;
    let mut observer = |event: Event<'_>| {
        choices += u32::from(matches!(event, Event::Stage { name: "choosing tables", .. }));
        ControlFlow::Continue(())
    };
    let (solver, cancel) = (Solver::new(config).unwrap(), CancelToken::new());
    let report = solver.solve_watched(&problem(), &cancel, Some(&mut observer)).unwrap();
    (report, choices)
}

#[test]
fn no_tables_are_chosen_where_memory_may_have_no_room() {
    let limits = |max_bytes| Limits {
        max_expanded: Some(5_000_000),
        max_bytes: Some(max_bytes),
        ..Limits::default()
    };
    let (report, choices) = counting(Config { limits: limits(300 << 20), ..config() });
    assert_eq!((choices, report.tables.as_deref()), (0, Some("catalogue")));
    let (report, choices) = counting(Config { limits: limits(400 << 20), ..config() });
    assert!(choices == 1 && has_own_tables(&report), "{choices}: {report:?}");
}

#[test]
fn the_tables_of_all_boards_serve_where_none_are_better() {
    let path = place("in-vain");
    let limits = Limits { max_expanded: Some(5_000_000), ..Limits::default() };
    // One small round has too few nodes to tell.
    let aside = || Config {
        fit_after: Some(1),
        checkpoint: Some(Checkpoint::new(&path)),
        limits,
        ..config()
    };
    let (report, choices) = counting(aside());
    assert_eq!((choices, report.tables.as_deref()), (1, Some("catalogue")));
    let never = solve(Config { limits, fit_after: None, ..config() }, &problem());
    let (rounds, others) = (complete(&report), complete(&never));
    let both = rounds.len().min(others.len());
    assert!(both > 4 && rounds[..both] == others[..both], "{rounds:?} {others:?}");
    // Whoever goes on does not try again.
    let (report, choices) = counting(aside());
    assert_eq!((choices, report.tables.as_deref()), (0, Some("catalogue")));
}

#[test]
fn no_tables_are_made_for_an_estimate() {
    let tables = "7-8".parse().unwrap();
    let limits = Limits { max_bytes: Some(1 << 20), ..Limits::default() };
    let solver = Solver::new(Config { tables, limits, ..Config::default() }).unwrap();
    let problem = "15 11 3 4/12 7 2 5/10 x 14 8/9 13 1 6".parse().unwrap();
    let (report, estimate) = solver.solve_estimated(&problem, &CancelToken::new(), None).unwrap();
    assert_eq!((report.status, estimate), (Status::Stopped(Stop::Memory), None));
    assert_eq!(solver.held_bytes(), 0);
}
