//! Backward searches find solutions of the same length as forward ones, and hard boards are probed in both directions.
#![cfg(feature = "cache")]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use loyd::scramble::{Random, random_walk};
use loyd::search::{
    Checkpoint, Direction, Iteration, Limits, Prune, Quality, Shard, Status, Stop, TableChoice,
};
use loyd::{Config, Goal, Move, Problem, Report, Solver};

fn large(direction: Option<Direction>) -> Config {
    Config {
        algorithm: Some("idastar"),
        heuristic: Some("pdb".into()),
        direction,
        limits: Limits::default(),
        ..Config::default()
    }
}

/// Returns a board after a walk of `moves` moves from the goal.
fn problem(size: &str, moves: usize, seed: u64) -> Problem {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    let mut board = goal.clone();
    for m in random_walk(&goal, moves, &mut Random::new(seed)).unwrap() {
        board.apply(m).unwrap();
    }
    Problem::between(board, goal).unwrap()
}

/// Solves the problem, and checks that the moves lead to the goal.
fn solved(config: Config, problem: &Problem) -> Report {
    let report = Solver::new(config).unwrap().solve(problem).unwrap();
    let mut board = problem.start().clone();
    report.moves.iter().flatten().for_each(|&m| board.apply(m).unwrap());
    assert!(report.optimal && problem.is_solved_by(&board), "{report:?}");
    report
}

fn complete(report: &Report) -> &[Iteration] {
    report.stats.iterations.split_last().unwrap().1
}

fn place(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("directions-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("checkpoint")
}

#[test]
fn backward_search_equals_forward_search_of_the_reverse_problem() {
    let mut counts = 0;
    for (size, seed) in [("3x6", 1), ("3x6", 2), ("5x4", 3), ("5x4", 4)] {
        let problem = problem(size, 90, seed);
        let exchanged = Problem::between(problem.goal().clone(), problem.start().clone()).unwrap();
        let forward = solved(large(Some(Direction::Forward)), &problem);
        let backward = solved(large(Some(Direction::Backward)), &problem);
        let reverse = solved(large(Some(Direction::Forward)), &exchanged);
        assert_eq!(forward.length(), backward.length());
        assert_eq!(backward.stats.iterations, reverse.stats.iterations);
        let direction = |report: &Report| report.stats.direction;
        assert_eq!(direction(&forward), Some(Direction::Forward));
        assert_eq!(direction(&backward), Some(Direction::Backward));
        counts += u32::from(forward.stats.iterations != backward.stats.iterations);
    }
    assert!(counts > 0, "forward and backward searches have the same counts");
}

#[test]
fn report_names_the_tables_of_the_search_direction() {
    // The blank starts next to a corner; `catalogue` has no tables for that cell.
    let goal = Goal::BlankLast.board("3x6".parse().unwrap()).unwrap();
    let mut board = goal.clone();
    let walk = [Move::Left, Move::Up, Move::Right, Move::Down, Move::Left];
    walk.into_iter().for_each(|m| board.apply(m).unwrap());
    let problem = Problem::between(board, goal).unwrap();
    let optimal = |direction| Config { algorithm: None, heuristic: None, ..large(Some(direction)) };
    let tables = |direction| solved(optimal(direction), &problem).tables.unwrap();
    assert_eq!(tables(Direction::Forward), "catalogue");
    assert_ne!(tables(Direction::Backward), "catalogue");
}

#[test]
fn resumed_backward_search_equals_uninterrupted_search() {
    let problem = problem("3x6", 400, 2);
    let uninterrupted = solved(large(Some(Direction::Backward)), &problem);
    let path = place("suspended");
    let most = uninterrupted.stats.expanded / 3;
    let suspending = |direction| Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(most), ..Limits::default() },
        ..large(direction)
    };
    let solver = Solver::new(suspending(Some(Direction::Backward))).unwrap();
    let mut stops = 0;
    let report = loop {
        let report = solver.solve(&problem).unwrap();
        if report.status == Status::Solved {
            break report;
        }
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        stops += 1;
        let other = Solver::new(suspending(Some(Direction::Forward))).unwrap();
        let message = other.solve(&problem).unwrap_err().to_string();
        assert!(message.contains("direction: backward then, forward now"), "{message}");
    };
    assert!((2..10).contains(&stops), "{stops}");
    assert!(uninterrupted.stats.expanded_complete() > 50_000, "{uninterrupted:?}");
    assert_eq!(complete(&report), complete(&uninterrupted));
}

/// Returns a solver that chooses its direction. All such solvers share their tables.
fn choosing(config: Config) -> Solver {
    static FIRST: OnceLock<Solver> = OnceLock::new();
    let config = Config {
        tables: "catalogue".parse().unwrap(),
        prune: Some(Prune::Automaton { words: Some(12) }),
        threads: 2,
        ..config
    };
    let first = FIRST.get_or_init(|| Solver::new(config.clone()).unwrap());
    first.sharing(config).unwrap()
}

#[test]
fn hard_board_is_solved_in_the_easier_direction() {
    // The forward search takes forty million expansions, the backward search eight million.
    let problem = "10 18 17 7 11/3 9 5 8 12/15 2 16 1 14/6 13 4 19 0".parse().unwrap();
    let report = choosing(large(None)).solve(&problem).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(80), true));
    assert_eq!(report.stats.direction, Some(Direction::Backward));
    let only = choosing(large(Some(Direction::Backward))).solve(&problem).unwrap();
    assert_eq!(complete(&report), complete(&only));
    let limits = Limits { max_expanded: Some(31_000_000), ..Limits::default() };
    let one_of_many = Config { boards: Some(2), limits, ..large(None) };
    let shard = Config { shard: Shard::new(0, 1), limits, ..large(None) };
    for config in [one_of_many, shard] {
        let report = choosing(config).solve(&problem).unwrap();
        assert_eq!(report.stats.direction, Some(Direction::Forward));
    }
}

#[test]
fn resumed_probes_count_once_and_are_not_repeated() {
    // Either direction takes about sixty million expansions, so both probes are cut off.
    let problem: Problem = "15 5 4 2 6/18 17 3 8 11/13 14 7 12 19/16 9 1 10 0".parse().unwrap();
    let path = place("tried");
    let suspending = |millions: u64| Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(millions * 1_000_000), ..Limits::default() },
        ..large(None)
    };
    let solve = |config| choosing(config).solve(&problem).unwrap();
    // The search stops during the forward probe, then after both probes, then in the chosen direction.
    let mut all = 0;
    let stops = [(20, None), (45, Some(Direction::Backward)), (1, Some(Direction::Backward))];
    let iterations = stops.map(|(millions, direction)| {
        let report = solve(suspending(millions));
        all += 1_000_000 * millions;
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        assert_eq!((report.stats.direction, report.stats.expanded), (direction, all));
        complete(&report).to_vec()
    });
    let limits = suspending(30).limits;
    let only = solve(Config { limits, ..large(Some(Direction::Backward)) });
    assert!(complete(&only).len() > 5, "{only:?}");
    for iterations in &iterations[1..] {
        assert_eq!(iterations[..complete(&only).len()], *complete(&only));
    }
    // A backward search resumes backward, even if it is now one of many boards.
    let one_of_many = solve(Config { boards: Some(2), ..suspending(1) });
    assert_eq!(one_of_many.stats.direction, Some(Direction::Backward));
    assert_eq!(one_of_many.stats.expanded, all + 1_000_000);
}

#[test]
fn direction_is_refused_for_searches_that_cannot_be_suspended() {
    let small: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let message = |config: Config, problem: &Problem| {
        let solver = Solver::new(config);
        solver.and_then(|solver| solver.solve(problem)).unwrap_err().to_string()
    };
    let backward = Some(Direction::Backward);
    assert!(message(large(backward), &small).starts_with("a direction is for IDA*"));
    let astar = Config { algorithm: Some("astar"), ..large(backward) };
    assert!(message(astar, &problem("3x6", 90, 1)).starts_with("a direction is for IDA*"));
    let nine = "1,2,3,4,5,6,7,8,9/10,11,12,13,14,15,16,17";
    let tables = TableChoice::Partition(nine.to_owned());
    let nine = Config { tables, ..large(backward) };
    assert!(
        message(nine, &problem("3x6", 90, 1))
            .ends_with("at most eight tiles in a pattern and eight patterns for a tile")
    );
    let quality = Some(Quality::Auto);
    let auto = Config { quality, direction: backward, ..Config::default() };
    assert!(message(auto, &problem("3x6", 90, 1)).contains("choose the quality optimal"));
}
