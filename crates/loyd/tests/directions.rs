//! Searches from the goal find solutions as short as those from the start, and hard boards are tried from both ends.
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

/// A board that a walk of so many moves leads to.
fn problem(size: &str, moves: usize, seed: u64) -> Problem {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    let mut board = goal.clone();
    for m in random_walk(&goal, moves, &mut Random::new(seed)).unwrap() {
        board.apply(m).unwrap();
    }
    Problem::between(board, goal).unwrap()
}

/// The report, whose moves lead to the goal.
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
fn a_search_from_the_goal_is_one_with_the_boards_exchanged() {
    let mut counts = 0;
    for (size, seed) in [("3x6", 1), ("3x6", 2), ("5x4", 3), ("5x4", 4)] {
        let problem = problem(size, 90, seed);
        let exchanged = Problem::between(problem.goal().clone(), problem.start().clone()).unwrap();
        let forward = solved(large(Some(Direction::Forward)), &problem);
        let backward = solved(large(Some(Direction::Backward)), &problem);
        let other_way = solved(large(Some(Direction::Forward)), &exchanged);
        assert_eq!(forward.length(), backward.length());
        assert_eq!(backward.stats.iterations, other_way.stats.iterations);
        let direction = |report: &Report| report.stats.direction;
        assert_eq!(direction(&forward), Some(Direction::Forward));
        assert_eq!(direction(&backward), Some(Direction::Backward));
        counts += u32::from(forward.stats.iterations != backward.stats.iterations);
    }
    assert!(counts > 0, "both ends are alike");
}

#[test]
fn a_report_names_the_tables_of_the_end_that_was_searched_from() {
    // The blank starts beside a corner, where there is no `catalogue`.
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
fn a_search_from_the_goal_is_put_aside_and_continued() {
    let problem = problem("3x6", 400, 2);
    let undisturbed = solved(large(Some(Direction::Backward)), &problem);
    let path = place("aside");
    let most = undisturbed.stats.expanded / 3;
    let aside = |direction| Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(most), ..Limits::default() },
        ..large(direction)
    };
    let solver = Solver::new(aside(Some(Direction::Backward))).unwrap();
    let mut stops = 0;
    let report = loop {
        let report = solver.solve(&problem).unwrap();
        if report.status == Status::Solved {
            break report;
        }
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        stops += 1;
        let other = Solver::new(aside(Some(Direction::Forward))).unwrap();
        let said = other.solve(&problem).unwrap_err().to_string();
        assert!(said.contains("direction: backward then, forward now"), "{said}");
    };
    assert!((2..10).contains(&stops), "{stops}");
    assert!(undisturbed.stats.expanded_complete() > 50_000, "{undisturbed:?}");
    assert_eq!(complete(&report), complete(&undisturbed));
}

/// Such searches share their tables.
fn either(config: Config) -> Solver {
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
fn a_hard_board_is_solved_from_the_easier_end() {
    // From the start it takes forty million expansions, and from the goal eight million.
    let problem = "10 18 17 7 11/3 9 5 8 12/15 2 16 1 14/6 13 4 19 0".parse().unwrap();
    let report = either(large(None)).solve(&problem).unwrap();
    assert_eq!((report.length(), report.optimal), (Some(80), true));
    assert_eq!(report.stats.direction, Some(Direction::Backward));
    let only = either(large(Some(Direction::Backward))).solve(&problem).unwrap();
    assert_eq!(complete(&report), complete(&only));
    let limits = Limits { max_expanded: Some(31_000_000), ..Limits::default() };
    let one_of_many = Config { boards: Some(2), limits, ..large(None) };
    let shard = Config { shard: Shard::new(0, 1), limits, ..large(None) };
    for config in [one_of_many, shard] {
        let report = either(config).solve(&problem).unwrap();
        assert_eq!(report.stats.direction, Some(Direction::Forward));
    }
}

#[test]
fn what_was_tried_counts_once_and_is_not_repeated() {
    // It takes about sixty million expansions from either end, so both trials are broken off.
    let problem: Problem = "15 5 4 2 6/18 17 3 8 11/13 14 7 12 19/16 9 1 10 0".parse().unwrap();
    let path = place("tried");
    let aside = |millions: u64| Config {
        checkpoint: Some(Checkpoint::new(&path)),
        limits: Limits { max_expanded: Some(millions * 1_000_000), ..Limits::default() },
        ..large(None)
    };
    let solve = |config| either(config).solve(&problem).unwrap();
    // It stops in the trial from the start, then after both, then where the search goes on.
    let mut all = 0;
    let stops = [(20, None), (45, Some(Direction::Backward)), (1, Some(Direction::Backward))];
    let rounds = stops.map(|(millions, direction)| {
        let report = solve(aside(millions));
        all += 1_000_000 * millions;
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        assert_eq!((report.stats.direction, report.stats.expanded), (direction, all));
        complete(&report).to_vec()
    });
    let limits = aside(30).limits;
    let only = solve(Config { limits, ..large(Some(Direction::Backward)) });
    assert!(complete(&only).len() > 5, "{only:?}");
    for rounds in &rounds[1..] {
        assert_eq!(rounds[..complete(&only).len()], *complete(&only));
    }
    // What has begun at the goal goes on there, even if it is one of many boards.
    let one_of_many = solve(Config { boards: Some(2), ..aside(1) });
    assert_eq!(one_of_many.stats.direction, Some(Direction::Backward));
    assert_eq!(one_of_many.stats.expanded, all + 1_000_000);
}

#[test]
fn a_direction_is_for_searches_that_can_be_put_aside() {
    let small: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let said = |config: Config, problem: &Problem| {
        let solver = Solver::new(config);
        solver.and_then(|solver| solver.solve(problem)).unwrap_err().to_string()
    };
    let backward = Some(Direction::Backward);
    assert!(said(large(backward), &small).starts_with("a direction is for IDA*"));
    let astar = Config { algorithm: Some("astar"), ..large(backward) };
    assert!(said(astar, &problem("3x6", 90, 1)).starts_with("a direction is for IDA*"));
    let nine = "1,2,3,4,5,6,7,8,9/10,11,12,13,14,15,16,17";
    let tables = TableChoice::Partition(nine.to_owned());
    let nine = Config { tables, ..large(backward) };
    assert!(
        said(nine, &problem("3x6", 90, 1))
            .ends_with("at most eight tiles in a pattern and eight patterns for a tile")
    );
    let quality = Some(Quality::Auto);
    let auto = Config { quality, direction: backward, ..Config::default() };
    assert!(said(auto, &problem("3x6", 90, 1)).contains("choose the quality optimal"));
}
