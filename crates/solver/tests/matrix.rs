//! The test matrix: every algorithm × heuristic × closed list × shape of board × goal.
//!
//! Optimal rows agree with retrograde analysis, weighted A* respects its weight, all solutions replay, and node counts
//! depend neither on the run, nor on the closed list, nor on the open list.

mod common {
    pub mod replay;
    pub mod rows;
    pub mod truth;
}

use std::sync::LazyLock;

use common::replay::{replay, twin};
use common::rows::{Row, rows};
use common::truth::Truth;
use loyd::search::{ClosedKind, Cost, FrontierKind, Guarantee, Limits, Stats, Status, Weight};
use loyd::{Board, Config, Goal, Problem, Report, Size, Solver};
use rayon::prelude::*;

/// Seed of the boards and of the third goal of every shape.
const SEED: u64 = 1873;

/// Number of boards for each shape and goal, including the goal itself.
const BOARDS: u64 = 3;

/// Boards that can reach one goal, with their distances.
struct Fixture {
    goal: Board,
    boards: Vec<(Board, Cost)>,
    diameter: Cost,
    /// Number of boards of each parity class.
    component: u64,
}

impl Fixture {
    fn new(goal: Board) -> Self {
        let truth = Truth::new(&goal);
        let boards = truth.sample(BOARDS - 1, SEED).into_iter().chain([goal.clone()]);
        let boards = boards.map(|board| (board.clone(), truth.distance(&board))).collect();
        Self { goal, boards, diameter: truth.diameter(), component: truth.count() }
    }

    /// Returns whether the goal is one of the named ones, not the drawn one.
    fn has_named_goal(&self) -> bool {
        let is_named = |goal: Goal| goal.board(self.goal.size()).unwrap() == self.goal;
        is_named(Goal::BlankLast) || is_named(Goal::BlankFirst)
    }

    fn problem(&self, board: &Board) -> Problem {
        Problem::new(board.clone(), &Goal::Board(self.goal.clone())).unwrap()
    }

    /// Returns the configuration of `row`, with the depth limit that depth-first search needs.
    fn config(&self, row: &Row) -> Config {
        let config = row.config();
        let max_depth = (row.algorithm.name == "dfs").then_some(self.diameter);
        Config { limits: Limits { max_depth, ..config.limits }, ..config }
    }
}

/// All shapes with three goals each: blank last, blank first, and one drawn with a fixed seed. Built once for all
/// tests.
static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(|| {
    let shapes = ["3x3", "2x2", "2x3", "3x2", "2x4", "4x2", "1x2", "1x5", "6x1"];
    let with_goals = |shape: &str| {
        let size: Size = shape.parse().unwrap();
        let last = Goal::BlankLast.board(size).unwrap();
        let first = Goal::BlankFirst.board(size).unwrap();
        let drawn = Truth::new(&first).sample(1, SEED).remove(0);
        [last, first, twin(&drawn).unwrap_or(drawn)].map(Fixture::new)
    };
    shapes.into_iter().flat_map(with_goals).collect()
});

/// Runs `check` on every fixture with every row that `selects` accepts.
fn on_the_matrix(selects: fn(&Row) -> bool, check: impl Fn(&Fixture, &Row) + Sync) {
    let rows: Vec<Row> = rows().into_iter().filter(selects).collect();
    assert!(!rows.is_empty());
    FIXTURES.par_iter().for_each(|fixture| rows.par_iter().for_each(|row| check(fixture, row)));
}

fn solve(config: Config, problem: &Problem) -> Report {
    Solver::new(config).unwrap().solve(problem).unwrap()
}

/// Returns the counts that depend neither on the speed of the machine nor on how states are stored.
fn counts(stats: &Stats) -> impl PartialEq + std::fmt::Debug + use<> {
    (stats.expanded, stats.generated, stats.duplicates, stats.reopened, stats.iterations.clone())
}

/// Returns the maximum length of a solution that `row` may find at `distance`.
fn longest(row: &Row, weight: f64, distance: Cost) -> Cost {
    match row.algorithm.guarantee {
        _ if row.promises_shortest() => distance,
        Guarantee::WithinWeight => (weight * f64::from(distance)).floor() as Cost,
        _ => Cost::MAX,
    }
}

#[test]
fn every_solution_replays_and_is_as_short_as_promised() {
    on_the_matrix(
        |_| true,
        |fixture, row| {
            let solver = Solver::new(fixture.config(row)).unwrap();
            for (board, distance) in &fixture.boards {
                let report = solver.solve(&fixture.problem(board)).unwrap();
                let place = format!("{row}, {} board {board} to {}", board.size(), fixture.goal);
                let length = replay(&report).unwrap_or_else(|wrong| panic!("{place}: {wrong}"));
                assert!((*distance..=longest(row, 2.0, *distance)).contains(&length), "{place}");
                assert_eq!(report.optimal, row.promises_shortest() || *distance == 0, "{place}");
                if *distance == 0 {
                    assert_eq!((length, report.stats.expanded), (0, 0), "{place}");
                }
            }
        },
    );
}

#[test]
fn every_row_detects_unsolvable_boards_by_parity() {
    on_the_matrix(
        |_| true,
        |fixture, row| {
            let solver = Solver::new(fixture.config(row)).unwrap();
            for twin in fixture.boards.iter().filter_map(|(board, _)| twin(board)) {
                let report = solver.solve(&fixture.problem(&twin)).unwrap();
                assert_eq!(report.status, Status::Unsolvable, "{row}, board {twin}");
                assert_eq!((report.optimal, report.stats.expanded), (false, 0), "{row}");
            }
        },
    );
}

/// Returns whether a table of the row contains only solvable boards.
fn knows_solvable_boards_only(row: &Row) -> bool {
    row.heuristic.is_some_and(|h| ["pdb", "exact"].contains(&h.name))
}

/// Searches from the start of `problem` until all `component` boards are expanded.
fn exhaust(row: &Row, config: Config, problem: &Problem, component: u64) -> Report {
    let report = solve(Config { parity_check: false, ..config }, problem);
    let board = problem.start();
    assert_eq!(report.status, Status::Exhausted, "{row}, board {board}");
    // If two boards had the same rank, one of them would be missing.
    let visited = report.stats.expanded - report.stats.reopened;
    let all = visited == component || ["bibfs", "mm"].contains(&row.algorithm.name);
    assert!(all, "{row}, board {board}: {visited} of {component}");
    report
}

/// The shapes include lines and boards two cells wide. The last test covers all rows on 3x3 boards with the blank last,
/// so shapes with thousands of boards run here with one heuristic and the drawn goal only.
#[test]
fn every_closed_list_detects_unsolvable_boards_by_exhaustion() {
    let selects = |fixture: &Fixture, row: &Row| {
        let usual = row.heuristic.is_none_or(|h| h.name == "manhattan");
        fixture.component < 1_000 || usual && !fixture.has_named_goal()
    };
    on_the_matrix(
        |row| row.closed.is_some() && !knows_solvable_boards_only(row),
        |fixture, row| {
            if let Some(twin) = twin(&fixture.boards[0].0).filter(|_| selects(fixture, row)) {
                exhaust(row, fixture.config(row), &fixture.problem(&twin), fixture.component);
            }
        },
    );
}

#[test]
fn weighted_astar_solutions_are_at_most_the_weight_times_the_shortest() {
    on_the_matrix(
        // Another test checks that closed lists make no difference.
        |row| row.algorithm.name == "wastar" && row.closed == Some(ClosedKind::Ranked),
        |fixture, row| {
            for word in ["1", "1.37", "10", "100"] {
                let weight: Weight = word.parse().unwrap();
                let config = Config { weight: Some(weight), ..fixture.config(row) };
                let solver = Solver::new(config).unwrap();
                for (board, distance) in &fixture.boards {
                    let report = solver.solve(&fixture.problem(board)).unwrap();
                    let length = replay(&report).unwrap();
                    let longest = longest(row, word.parse().unwrap(), *distance);
                    assert!(length <= longest, "{row}, weight {weight}, board {board}: {length}");
                    assert_eq!(report.optimal, weight.is_one() || *distance == 0, "{row}");
                }
            }
        },
    );
}

#[test]
fn counts_depend_neither_on_the_run_nor_on_the_data_structures() {
    on_the_matrix(
        |row| row.closed.is_none_or(|closed| closed == ClosedKind::Ordered),
        |fixture, row| {
            if fixture.has_named_goal() && fixture.goal.size() == Size::EIGHT {
                return; // Slow, and one goal is enough.
            }
            let config = fixture.config(row);
            let problem = fixture.problem(&fixture.boards[0].0);
            let first = solve(config.clone(), &problem);
            let again = solve(config.clone(), &problem);
            assert_eq!(first.stats.peak_bytes, again.stats.peak_bytes, "{row}");
            let closed = row.closed.map_or(vec![None], |_| ClosedKind::ALL.map(Some).to_vec());
            // An algorithm without a closed list has no open list either.
            let opens = [FrontierKind::Buckets, FrontierKind::Heap];
            let opens = if row.closed.is_some() { &opens[..] } else { &opens[..1] };
            let others =
                closed.into_iter().flat_map(|closed| opens.iter().map(move |&open| (closed, open)));
            let others = others
                .map(|(closed, open)| solve(Config { closed, open, ..config.clone() }, &problem));
            for other in others.chain([again]) {
                assert_eq!(counts(&first.stats), counts(&other.stats), "{row}, {problem:?}");
                assert_eq!(first.moves, other.moves, "{row}, {problem:?}");
            }
        },
    );
}

/// Memory limit of the old online judges, in bytes.
const JUDGE_MEMORY: u64 = 65_536 << 10;

#[test]
fn every_3x3_search_fits_the_memory_limit_of_the_old_judges() {
    // The two boards at the maximum distance, 31 moves.
    let hardest = ["8 6 7/2 5 4/3 x 1", "6 4 7/8 5 x/3 2 1"].map(|text| text.parse().unwrap());
    rows().par_iter().for_each(|row| {
        for problem in &hardest {
            let report = solve(row.config(), problem);
            let peak = report.stats.peak_bytes;
            assert_eq!(report.status, Status::Solved, "{row}");
            assert!(peak <= JUDGE_MEMORY, "{row}: {peak} bytes");
        }
        if row.closed.is_some() && !knows_solvable_boards_only(row) {
            let unsolvable = "1 2 3/4 5 6/8 7 x".parse().unwrap();
            let peak = exhaust(row, row.config(), &unsolvable, 181_440).stats.peak_bytes;
            assert!(peak <= JUDGE_MEMORY, "{row}: {peak} bytes to exhaust");
        }
    });
}
