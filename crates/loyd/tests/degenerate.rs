//! Degenerate input and refused combinations: what is asked for is impossible, forbidden or done.

mod common {
    pub mod rows;
}

use std::sync::Arc;
use std::time::Duration;

use common::rows::{Row, rows};
use loyd::moves::Metric;
use loyd::search::{
    Algorithm, Closed, DistanceMatrix, HeuristicChoice, HeuristicRow, Limits, Status, Stop, Weight,
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

/// Limits that allow nothing at all.
const NOTHING: Limits = Limits {
    max_expanded: Some(0),
    max_depth: Some(0),
    max_bytes: None,
    max_time: Some(Duration::ZERO),
};

#[test]
fn a_solved_board_has_the_empty_answer_whatever_the_limits() {
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
fn an_unsolvable_board_is_unsolvable_whatever_the_limits() {
    for row in rows() {
        let report = solve(limited(&row, NOTHING), UNSOLVABLE).unwrap();
        assert_eq!((report.status, report.moves), (Status::Unsolvable, None), "{row}");
    }
}

#[test]
fn limits_of_zero_stop_every_row_for_their_own_reason() {
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

/// Only the table that is compiled in needs no memory of its own.
#[test]
fn without_memory_searches_stop() {
    let limits = Limits { max_bytes: Some(0), ..Limits::default() };
    for row in rows() {
        let expected = match row.algorithm.name {
            "table" => Status::Solved,
            _ => Status::Stopped(Stop::Memory),
        };
        assert_eq!(solve(limited(&row, limits), EASY).unwrap().status, expected, "{row}");
    }
}

/// Without limits the same rows answer, and say themselves whether the answer is a shortest one.
#[test]
fn without_limits_every_row_answers() {
    for row in rows() {
        let report = solve(limited(&row, Limits::default()), EASY).unwrap();
        assert_eq!(report.status, Status::Solved, "{row}");
        assert_eq!(report.optimal, row.promises_shortest(), "{row}");
        assert!(!report.optimal || report.length() == Some(19), "{row}");
    }
}

#[test]
fn a_search_that_was_cancelled_before_it_began_does_nothing() {
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
    solve(config, board).expect_err("this combination is refused").to_string()
}

#[test]
fn choices_that_an_algorithm_does_not_take_are_refused() {
    let heuristic = Some("manhattan".into());
    assert_eq!(
        refusal(Config { heuristic, ..named("bfs") }, EASY),
        "bfs uses no heuristic; those that do are greedy, astar, wastar, idastar, mm"
    );
    assert_eq!(
        refusal(Config { closed: Some(Closed::Hashed), ..named("idastar") }, EASY),
        "idastar keeps no closed list, so `hashed` has no meaning for it"
    );
    assert_eq!(
        refusal(Config { weight: Some(Weight::DEFAULT), ..named("astar") }, EASY),
        "astar has no weight; weighted A* is `wastar`"
    );
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
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
fn exact_tables_cannot_go_without_the_parity_test() {
    let exact = Config { heuristic: Some("exact".into()), ..named("astar") };
    for (name, config) in [("table", named("table")), ("exact", exact)] {
        assert_eq!(
            refusal(Config { parity_check: false, ..config }, UNSOLVABLE),
            format!(
                "{name} knows solvable boards only, so it needs the parity test; another algorithm finds \
                 out by exhaustion"
            )
        );
    }
}

#[test]
fn searches_that_prove_nothing_cannot_go_without_the_parity_test() {
    for name in ["dfs", "iddfs", "idastar"] {
        let refused = Solver::new(Config { parity_check: false, ..named(name) }).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "{name} cannot prove that a board has no solution: it keeps no closed list, so without the \
                 parity test it might search for ever; bfs, bibfs, ucs, greedy, astar, wastar, mm find \
                 out by exhaustion"
            )
        );
    }
    // Nor are they chosen where nothing is.
    for metric in Metric::ALL {
        for heuristic in [None, Some("zero".into())] {
            let config = Config { parity_check: false, metric, heuristic, ..Config::default() };
            let report = solve(config, UNSOLVABLE).unwrap();
            assert_eq!(report.status, Status::Exhausted, "{metric}");
        }
    }
}

#[test]
fn what_needs_a_place_for_each_state_is_refused_on_large_boards() {
    let fifteen = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 x 15";
    let states = "needs a place for each state, and a 4x4 board has 10461394944000 states";
    let exact = Config { heuristic: Some("exact".into()), ..named("idastar") };
    for config in [named("table"), exact] {
        assert_eq!(
            refusal(config, fifteen),
            format!("an exact table {states}: idastar with linear-conflict does not")
        );
    }
    let ranked = Config { closed: Some(Closed::Ranked), ..named("bfs") };
    assert_eq!(refusal(ranked.clone(), fifteen), format!("`ranked` {states}: `hashed` does not"));
    let tiles: Vec<String> = (1..25).map(|tile| tile.to_string()).collect();
    let rows = tiles.chunks(5).map(|row| row.join(" ")).collect::<Vec<_>>().join("/");
    assert_eq!(
        refusal(ranked, &format!("{rows} x")),
        "`ranked` needs a place for each state, and a 5x5 board has more states than 64 bits \
         can number: `hashed` does not"
    );
}

#[test]
fn walking_distance_is_refused_where_its_tables_would_be_large() {
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
                "walking-distance is for boards of at most 16 cells, six rows and six columns, and \
                 not for {w}x{h}: linear-conflict takes any size"
            )
        );
    }
    for (w, h) in [(2, 5), (3, 4), (4, 4), (1, 16)] {
        assert_eq!(solve(w, h).unwrap().length(), Some(0));
    }
}

#[test]
fn depth_first_search_needs_a_limit_where_the_diameter_is_not_known() {
    assert_eq!(
        refusal(named("dfs"), "1 2/x 3"),
        "dfs on a 2x2 board needs a depth limit: it would never turn back"
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
