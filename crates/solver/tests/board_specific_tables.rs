//! Hard boards get board-specific tables.
#![cfg(feature = "cache")]

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::OnceLock;

use loyd::search::{
    CancelToken, Checkpoint, Direction, Event, Iteration, Limits, Quality, Round, Status, Stop,
    SuspendedSearch,
};
use loyd::{Config, Problem, Report, Solver};

/// With `catalogue`, this board takes forty million expansions forward, and eight million backward.
const BOARD: &str = "10 18 17 7 11/3 9 5 8 12/15 2 16 1 14/6 13 4 19 0";
const LENGTH: usize = 80;

fn problem() -> Problem {
    BOARD.parse().unwrap()
}

/// Returns a configuration that chooses tables after half a million expansions.
fn config() -> Config {
    let specific_tables_after = Some(500_000);
    Config { specific_tables_after, threads: 2, limits: Limits::default(), ..Config::default() }
}

/// Returns a solver. All solvers share the tables of `catalogue`, but each chooses its own board-specific tables.
fn solver(config: Config) -> Solver {
    static FIRST: OnceLock<Solver> = OnceLock::new();
    FIRST.get_or_init(|| Solver::new(self::config()).unwrap()).sharing(config).unwrap()
}

/// Returns the report of a search without limits, which several tests compare with.
fn uninterrupted() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| solve(config()))
}

/// Solves the problem and replays the solution.
fn solve(config: Config) -> Report {
    let problem = problem();
    let report = solver(config).solve(&problem).unwrap();
    let mut board = problem.start().clone();
    report.moves.iter().flatten().for_each(|&m| board.apply(m).unwrap());
    assert_eq!(problem.is_solved_by(&board), report.status == Status::Solved);
    report
}

fn complete(report: &Report) -> &[Iteration] {
    report.stats.iterations.split_last().unwrap().1
}

fn has_specific_tables(report: &Report) -> bool {
    report.tables.as_ref().is_some_and(|tables| tables.contains('+'))
}

fn place(test: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("board-specific-tables-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("checkpoint")
}

#[test]
fn specific_tables_save_expansions_on_a_hard_board() {
    let report = uninterrupted();
    assert_eq!((report.length(), report.optimal), (Some(LENGTH), true));
    assert!(has_specific_tables(report), "{report:?}");
    let never = solve(Config { specific_tables_after: None, ..config() });
    assert_eq!((never.length(), never.tables.as_deref()), (Some(LENGTH), Some("catalogue")));
    assert!(2 * report.stats.expanded < never.stats.expanded, "{report:?}\n{never:?}");
    // A search with the same tables by name and the same direction has the same counts.
    let tables = report.tables.as_ref().unwrap().parse().unwrap();
    let (direction, prune) = (report.stats.direction, report.prune);
    let again = solve(Config { tables, direction, prune, ..config() });
    assert_eq!(complete(&again), complete(report));
}

#[test]
fn named_tables_or_direction_prevent_specific_tables() {
    let limits = Limits { max_expanded: Some(5_000_000), ..Limits::default() };
    let named = Config { tables: "catalogue".parse().unwrap(), limits, ..config() };
    let forward = Config { direction: Some(Direction::Forward), limits, ..config() };
    for config in [named, forward] {
        let report = solve(config);
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        assert_eq!(report.tables.as_deref(), Some("catalogue"));
    }
}

#[test]
fn turns_of_proving_keep_specific_tables() {
    let limits = Limits { max_expanded: Some(60_000_000), ..Limits::default() };
    let auto = Config { quality: Some(Quality::Auto), threads: 1, limits, ..config() };
    let report = solve(auto);
    assert_eq!((report.length(), report.optimal), (Some(LENGTH), true));
    assert!(has_specific_tables(&report), "{report:?}");
}

#[test]
fn resumed_search_keeps_specific_tables() {
    let uninterrupted = uninterrupted();
    assert_eq!(uninterrupted.stats.direction, Some(Direction::Backward));
    let in_iterations: u64 = complete(uninterrupted).iter().map(|round| round.expanded).sum();
    let (path, most) = (place("suspending"), in_iterations / 3);
    let suspending = || Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(most), ..Limits::default() },
        ..config()
    };
    let (mut stops, mut with_specific) = (0, 0);
    let report = loop {
        let report = solve(suspending());
        if report.status == Status::Solved {
            break report;
        }
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        stops += 1;
        with_specific += u64::from(has_specific_tables(&report));
    };
    assert!(stops > 1 && with_specific > 0, "{stops}, {with_specific}");
    assert_eq!(complete(&report), complete(uninterrupted));
    assert_eq!(report.tables, uninterrupted.tables);
    // Every expansion counts exactly once.
    let (counted, all) = (report.stats.expanded, stops * most..(stops + 1) * most);
    assert!(all.contains(&counted), "{counted}, {stops} of {most}");
}

/// The direction and the tables are chosen as in one search, whenever its division begins.
#[test]
fn divided_search_makes_the_same_choices() {
    let uninterrupted = uninterrupted();
    let checkpoint = Checkpoint::in_memory(String::new());
    let solve_round = |checkpoint: &Checkpoint, round| {
        let checkpoint = Some(checkpoint.clone());
        solve(Config { checkpoint, round: Some(round), ..config() })
    };
    let read = || SuspendedSearch::read(&checkpoint.text().unwrap_or_default());
    let mut divided = [0; 2];
    let report = loop {
        // A new checkpoint has no text.
        let round = match read() {
            Ok(search) if !search.is_undecided() => Round::Divide(100),
            _ => Round::Until(1000),
        };
        let report = solve_round(&checkpoint, round);
        if report.status == Status::Solved {
            break report;
        }
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        let mut search = read().unwrap();
        if round == Round::Until(1000) {
            continue;
        }
        divided[usize::from(has_specific_tables(&report))] += 1;
        let nodes: Vec<usize> = (0..search.pending()).collect();
        for part in nodes.chunks(nodes.len().div_ceil(2)) {
            let own = Checkpoint::in_memory(search.part(part).text());
            solve_round(&own, Round::Finish);
            assert!(search.add(&SuspendedSearch::read(&own.text().unwrap()).unwrap()));
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
    assert!(divided[1] > 0, "{divided:?}");
    assert_eq!(complete(&report), complete(uninterrupted));
    assert_eq!(report.tables, uninterrupted.tables);
    assert_eq!(report.stats.direction, uninterrupted.stats.direction);
}

#[test]
fn checkpoint_with_invalid_specific_tables_is_refused() {
    let path = place("refused");
    let suspending = Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(2_500_000), ..Limits::default() },
        ..config()
    };
    assert!(has_specific_tables(&solve(suspending.clone())));
    let never = Config { specific_tables_after: None, ..suspending.clone() };
    let message = solver(never).solve(&problem()).unwrap_err().to_string();
    assert!(message.contains("tables chosen after: 500000 then, never now"), "{message}");
    let text = fs::read_to_string(&path).unwrap();
    let (line, _) = text.split_once('\n').unwrap();
    let start = line.find("\"fitted\":\"").unwrap() + 10;
    let changed = format!("{}x{}", &line[..start], &line[start..]);
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = changed.bytes().fold(0xcbf2_9ce4_8422_2325, fnv);
    fs::write(&path, format!("{changed}\n{{\"checksum\":\"{sum:016x}\"}}\n")).unwrap();
    let message = solver(suspending).solve(&problem()).unwrap_err().to_string();
    assert!(message.contains("does not belong to this search"), "{message}");
}

/// Solves the problem, and returns the report and the number of times that tables were chosen.
fn counting(config: Config) -> (Report, u32) {
    let mut choices = 0;
    let mut observer = |event: Event<'_>| {
        choices += u32::from(matches!(event, Event::Stage { name: "choosing tables", .. }));
        ControlFlow::Continue(())
    };
    let (solver, cancel) = (solver(config), CancelToken::new());
    let report = solver.solve_watched(&problem(), &cancel, Some(&mut observer)).unwrap();
    (report, choices)
}

#[test]
fn no_tables_are_chosen_if_they_may_not_fit_into_memory() {
    let limits = |max_bytes| Limits {
        max_expanded: Some(5_000_000),
        max_bytes: Some(max_bytes),
        ..Limits::default()
    };
    let (report, choices) = counting(Config { limits: limits(300 << 20), ..config() });
    assert_eq!((choices, report.tables.as_deref()), (0, Some("catalogue")));
    let (report, choices) = counting(Config { limits: limits(400 << 20), ..config() });
    assert!(choices == 1 && has_specific_tables(&report), "{choices}: {report:?}");
}

#[test]
fn named_tables_remain_if_no_specific_tables_are_better() {
    let path = place("no-gain");
    let limits = Limits { max_expanded: Some(5_000_000), ..Limits::default() };
    // A single small iteration has too few nodes for a comparison.
    let suspending = || Config {
        specific_tables_after: Some(1),
        checkpoint: Some(Checkpoint::new(&path)),
        limits,
        ..config()
    };
    let (report, choices) = counting(suspending());
    assert_eq!((choices, report.tables.as_deref()), (1, Some("catalogue")));
    let never = solve(Config { limits, specific_tables_after: None, ..config() });
    let (iterations, others) = (complete(&report), complete(&never));
    let both = iterations.len().min(others.len());
    assert!(both > 4 && iterations[..both] == others[..both], "{iterations:?} {others:?}");
    // The resumed search does not choose again.
    let (report, choices) = counting(suspending());
    assert_eq!((choices, report.tables.as_deref()), (0, Some("catalogue")));
}

#[test]
fn estimate_does_not_build_tables() {
    let tables = "7-8".parse().unwrap();
    let limits = Limits { max_bytes: Some(1 << 20), ..Limits::default() };
    let solver = Solver::new(Config { tables, limits, ..Config::default() }).unwrap();
    let problem = "15 11 3 4/12 7 2 5/10 x 14 8/9 13 1 6".parse().unwrap();
    let found = solver.solve_estimated(limits, &problem, &CancelToken::new(), None);
    let (report, estimate) = found.unwrap();
    assert_eq!((report.status, estimate), (Status::Stopped(Stop::Memory), None));
    assert_eq!(solver.held_bytes(), 0);
}
