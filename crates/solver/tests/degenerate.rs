//! Degenerate input and refused combinations: requests that are trivial, impossible or contradictory.

mod common {
    pub mod rows;
}

use std::sync::Arc;
use std::time::Duration;

use common::rows::{Row, rows};
use loyd::moves::Metric;
use loyd::search::{
    Algorithm, ClosedKind, DistanceMatrix, HeuristicChoice, HeuristicRow, Limits, Status, Stop,
    Weight,
};
use loyd::{CancelToken, Config, Goal, Problem, Report, Size, Solver};

const EASY: &str = "2 3 4 1 5 x 7 6 8";
const SOLVED: &str = "1 2 3 4 5 6 7 8 x";
const UNSOLVABLE: &str = "1 2 3 4 5 6 8 7 x";

fn limited(row: &Row, limits: Limits) -> Config {
    Config { limits, ..row.config() }
}

fn solve(config: Config, board: &str) -> Result<Report, loyd::Error> {
    Solver::new(config)?.solve(&board.parse()?)
}

/// Limits that allow no work at all.
const NOTHING: Limits = Limits {
    max_expanded: Some(0),
    max_depth: Some(0),
    max_bytes: None,
    max_time: Some(Duration::ZERO),
};

#[test]
fn solved_board_has_the_empty_solution_under_any_limits() {
    for row in rows() {
        for limits in [Limits::default(), NOTHING] {
            let report = solve(limited(&row, limits), SOLVED).unwrap();
            assert_eq!(report.status, Status::Solved, "{row}, {limits:?}");
            assert_eq!((report.length(), report.optimal), (Some(0), true), "{row}");
            assert_eq!((report.stats.expanded, report.stats.generated), (0, 0), "{row}");
        }
    }
}

#[test]
fn unsolvable_board_is_detected_under_any_limits() {
    for row in rows() {
        let report = solve(limited(&row, NOTHING), UNSOLVABLE).unwrap();
        assert_eq!((report.status, report.moves), (Status::Unsolvable, None), "{row}");
    }
}

#[test]
fn zero_limits_stop_every_row_with_their_own_reason() {
    let none = Limits::default();
    for (limits, stop) in [
        (Limits { max_expanded: Some(0), ..none }, Stop::Expanded),
        (Limits { max_depth: Some(0), ..none }, Stop::Depth),
        (Limits { max_time: Some(Duration::ZERO), ..none }, Stop::Time),
    ] {
        for row in rows() {
            let report = solve(limited(&row, limits), EASY).unwrap();
            assert_eq!(report.status, Status::Stopped(stop), "{row}");
            assert_eq!((report.moves, report.optimal), (None, false), "{row}");
            assert!(report.stats.expanded <= 1, "{row}: {} expanded", report.stats.expanded);
        }
    }
}

/// Only the built-in table needs no memory.
#[test]
fn searches_stop_without_memory() {
    let limits = Limits { max_bytes: Some(0), ..Limits::default() };
    for row in rows() {
        let expected = match row.algorithm.name {
            "table" => Status::Solved,
            _ => Status::Stopped(Stop::Memory),
        };
        assert_eq!(solve(limited(&row, limits), EASY).unwrap().status, expected, "{row}");
    }
}

/// Without limits the same rows find a solution, and report whether it is shortest.
#[test]
fn every_row_finds_a_solution_without_limits() {
    for row in rows() {
        let report = solve(limited(&row, Limits::default()), EASY).unwrap();
        assert_eq!(report.status, Status::Solved, "{row}");
        assert_eq!(report.optimal, row.promises_shortest(), "{row}");
        assert!(!report.optimal || report.length() == Some(19), "{row}");
    }
}

#[test]
fn search_cancelled_before_its_start_expands_nothing() {
    let cancel = CancelToken::new();
    cancel.cancel();
    for row in rows() {
        let solver = Solver::new(row.config()).unwrap();
        let report = solver.solve_watched(&EASY.parse().unwrap(), &cancel, None).unwrap();
        assert_eq!(report.status, Status::Stopped(Stop::Cancelled), "{row}");
        assert_eq!(report.stats.expanded, 0, "{row}");
    }
}

fn named(algorithm: &'static str) -> Config {
    Config { algorithm: Some(algorithm), ..Config::default() }
}

fn refusal(config: Config, board: &str) -> String {
    solve(config, board).expect_err("this combination must be refused").to_string()
}

#[test]
fn options_that_an_algorithm_does_not_use_are_refused() {
    let heuristic = Some("manhattan".into());
    assert_eq!(
        refusal(Config { heuristic, ..named("bfs") }, EASY),
        "bfs uses no heuristic; algorithms that do: greedy, astar, wastar, idastar, mm"
    );
    assert_eq!(
        refusal(Config { closed: Some(ClosedKind::Hashed), ..named("idastar") }, EASY),
        "idastar keeps no closed list, so `hashed` has no effect"
    );
    assert_eq!(
        refusal(Config { weight: Some(Weight::DEFAULT), ..named("astar") }, EASY),
        "astar has no weight; weighted A* is `wastar`"
    );
}

#[test]
fn unknown_name_error_lists_the_known_names() {
    assert_eq!(
        Algorithm::named("bsf").unwrap_err().to_string(),
        "there is no algorithm `bsf`; there are \
         bfs, bibfs, dfs, iddfs, ucs, greedy, astar, wastar, idastar, mm, table"
    );
    assert_eq!(
        HeuristicRow::named("").unwrap_err().to_string(),
        "there is no heuristic ``; there are zero, line-crossings, misplaced, gaschnig, manhattan, \
         inversion-distance, linear-conflict, walking-distance, pdb, tile-classes, pdb-max, exact"
    );
}

#[test]
fn exact_tables_require_the_parity_test() {
    let exact = Config { heuristic: Some("exact".into()), ..named("astar") };
    for (name, config) in [("table", named("table")), ("exact", exact)] {
        assert_eq!(
            refusal(Config { parity_check: false, ..config }, UNSOLVABLE),
            format!(
                "{name} contains only solvable boards, so it needs the parity test; other algorithms \
                 detect unsolvable boards by exhaustion"
            )
        );
    }
}

#[test]
fn depth_first_searches_require_the_parity_test() {
    for name in ["dfs", "iddfs", "idastar"] {
        let refused = Solver::new(Config { parity_check: false, ..named(name) }).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "{name} cannot prove that a board is unsolvable: it keeps no closed list, so without the \
                 parity test it might search forever; bfs, bibfs, ucs, greedy, astar, wastar, mm prove \
                 it by exhaustion"
            )
        );
    }
    // The defaults avoid these searches.
    for metric in Metric::ALL {
        for heuristic in [None, Some("zero".into())] {
            let config = Config { parity_check: false, metric, heuristic, ..Config::default() };
            let report = solve(config, UNSOLVABLE).unwrap();
            assert_eq!(report.status, Status::Exhausted, "{metric}");
        }
    }
}

#[test]
fn arrays_of_all_states_are_refused_on_large_boards() {
    let fifteen = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 x 15";
    let states = "needs an entry per state, but a 4x4 board has 10461394944000 states";
    let exact = Config { heuristic: Some("exact".into()), ..named("idastar") };
    for config in [named("table"), exact] {
        assert_eq!(
            refusal(config, fifteen),
            format!("an exact table {states}: idastar with linear-conflict does not")
        );
    }
    let ranked = Config { closed: Some(ClosedKind::Ranked), ..named("bfs") };
    assert_eq!(refusal(ranked.clone(), fifteen), format!("`ranked` {states}: `hashed` does not"));
    let tiles: Vec<String> = (1..25).map(|tile| tile.to_string()).collect();
    let rows = tiles.chunks(5).map(|row| row.join(" ")).collect::<Vec<_>>().join("/");
    assert_eq!(
        refusal(ranked, &format!("{rows} x")),
        "`ranked` needs an entry per state, but a 5x5 board has more states than 64 bits \
         can number: `hashed` does not"
    );
}

#[test]
fn walking_distance_is_refused_if_its_tables_would_be_large() {
    let walking = Some("walking-distance".into());
    let config = || Config { heuristic: walking.clone(), ..named("idastar") };
    let solve = |w, h| {
        let goal = Goal::BlankLast.board(Size::new(w, h).unwrap()).unwrap();
        Solver::new(config()).unwrap().solve(&Problem::new(goal, &Goal::BlankLast).unwrap())
    };
    for (w, h) in [(2, 7), (5, 4), (1, 17)] {
        assert_eq!(
            solve(w, h).unwrap_err().to_string(),
            format!(
                "walking-distance supports boards of at most 16 cells, six rows and six columns, not \
                 {w}x{h}: linear-conflict supports any size"
            )
        );
    }
    for (w, h) in [(2, 5), (3, 4), (4, 4), (1, 16)] {
        assert_eq!(solve(w, h).unwrap().length(), Some(0));
    }
}

#[test]
fn dfs_needs_a_depth_limit_if_the_diameter_is_unknown() {
    assert_eq!(
        refusal(named("dfs"), "1 2/x 3"),
        "dfs on a 2x2 board needs a depth limit: it would never backtrack"
    );
    let limits = Limits { max_depth: Some(6), ..Limits::default() };
    assert_eq!(solve(Config { limits, ..named("dfs") }, "1 2/x 3").unwrap().length(), Some(1));
}

#[test]
fn boards_goals_and_matrices_of_other_sizes_are_refused() {
    let goal = Goal::Board(Goal::BlankLast.board(Size::new(2, 2).unwrap()).unwrap());
    let start = EASY.parse::<Problem>().unwrap().start().clone();
    assert_eq!(
        Problem::new(start, &goal).unwrap_err().to_string(),
        "the goal is a 2x2 board, the start a 3x3 board"
    );
    let matrix = DistanceMatrix::manhattan(Size::new(2, 2).unwrap());
    let config =
        Config { heuristic: Some(HeuristicChoice::Matrix(Arc::new(matrix))), ..named("astar") };
    assert_eq!(refusal(config, EASY), "the matrix is for boards of 4 cells, and a 3x3 board has 9");
}
