//! `mm` finds shortest solutions for every heuristic, shape, goal and metric, even if the heuristic towards the start
//! needs its own tables, which count as memory.

mod common {
    pub mod replay;
    #[expect(dead_code, reason = "these tests do not need the largest distance")]
    pub mod truth;
}

use common::replay::{replay, twin};
use common::truth::Truth;
use loyd::moves::Metric;
use loyd::notation::{parse_board, parse_partial_goal};
use loyd::scramble::{Random, random_walk};
use loyd::search::{HEURISTICS, HeuristicChoice, HeuristicRow, Limits, Status, Stop, TableChoice};
use loyd::{Board, Config, Goal, Problem, Report, Size, Solver};
use rayon::prelude::*;

/// Seed of the boards and goals.
const SEED: u64 = 2016;

fn mm(heuristic: &'static str) -> Config {
    let heuristic = Some(HeuristicChoice::Named(heuristic));
    Config { algorithm: Some("mm"), heuristic, ..Config::default() }
}

fn solve(config: Config, problem: &Problem) -> Report {
    Solver::new(config).unwrap().solve(problem).unwrap()
}

/// Returns the boards of `size` with ordered tiles and the blank on the first, a middle and the last cell, and a drawn
/// one.
fn goals(size: &str) -> Vec<Board> {
    let size: Size = size.parse().unwrap();
    let blank_on = |cell| Board::in_order(size, size.iter_cells().nth(cell).unwrap());
    let goals = [0, size.cells() / 2, size.tiles()].map(blank_on);
    let drawn = Truth::new(&goals[0]).sample(1, SEED).remove(0);
    goals.into_iter().chain(twin(&drawn)).collect()
}

/// Checks each heuristic for single-tile moves on `boards` boards to `goal`.
fn compare_all(goal: &Board, boards: u64) {
    let truth = Truth::new(goal);
    let sample = truth.sample(boards, SEED);
    for row in HEURISTICS.iter().filter(|row| row.steps && row.fits(goal.size())) {
        let solver = Solver::new(mm(row.name)).unwrap();
        sample.par_iter().for_each(|board| {
            let problem = Problem::between(board.clone(), goal.clone()).unwrap();
            let report = solver.solve(&problem).unwrap();
            assert_eq!(replay(&report), Ok(truth.distance(board)), "{}: {problem:?}", row.name);
            assert!(report.optimal && report.algorithm == "mm");
        });
    }
}

#[test]
fn mm_is_optimal_on_small_boards_with_every_heuristic() {
    for goal in ["2x4", "4x2"].iter().flat_map(|size| goals(size)) {
        compare_all(&goal, 150);
    }
    for goal in &goals("2x5")[1..3] {
        compare_all(goal, 6);
    }
}

#[test]
fn mm_is_optimal_on_all_2x4_boards() {
    let goal = &goals("2x4")[1];
    let (truth, solver) = (Truth::new(goal), Solver::new(mm("manhattan")).unwrap());
    let boards = truth.sample(u64::MAX, SEED);
    assert_eq!(boards.len(), 20_160);
    boards.into_par_iter().for_each(|board| {
        let distance = truth.distance(&board);
        let report = solver.solve(&Problem::between(board, goal.clone()).unwrap()).unwrap();
        assert_eq!(replay(&report), Ok(distance), "{:?}", report.problem);
    });
}

/// Returns a walk from a goal whose blank cell depends on the seed.
fn walked(size: &str, steps: usize, seed: u64) -> Problem {
    let size: Size = size.parse().unwrap();
    let cell = (5 * seed as usize) % size.cells();
    let goal = Board::in_order(size, size.iter_cells().nth(cell).unwrap());
    let mut board = goal.clone();
    board.walk(&random_walk(&goal, steps, &mut Random::new(seed)).unwrap()).unwrap();
    Problem::between(board, goal).unwrap()
}

/// Returns whether a heuristic supports boards of this size in `metric`.
fn supports(row: &HeuristicRow, size: &str, metric: Metric) -> bool {
    row.fits(size.parse().unwrap()) && row.supports_metric(metric)
}

#[test]
fn mm_agrees_with_other_searches_on_larger_boards() {
    use Metric::{MultiTile, SingleTile};
    for (size, steps, metric, other) in [
        ("3x4", 70, SingleTile, ("idastar", Some("pdb".into()))),
        ("4x3", 60, MultiTile, ("bibfs", None)),
        ("2x5", 80, MultiTile, ("bibfs", None)),
        ("4x4", 40, SingleTile, ("idastar", Some("linear-conflict".into()))),
        ("3x6", 30, SingleTile, ("idastar", Some("linear-conflict".into()))),
    ] {
        let (algorithm, heuristic) = other;
        let other = Config { metric, algorithm: Some(algorithm), heuristic, ..Config::default() };
        let other = Solver::new(other).unwrap();
        // These take too long: large exact tables, pattern databases of 3x6, and on 4x4 those for each
        // cell of the blank.
        let too_long = |name: &str| {
            matches!(name, "exact" | "zero" | "line-crossings" | "misplaced")
                || size == "3x6" && name.starts_with("pdb")
                || size == "4x4" && name == "pdb-max"
        };
        let rows = HEURISTICS.iter().filter(|row| supports(row, size, metric));
        for row in rows.filter(|row| !too_long(row.name)) {
            let solver = Solver::new(Config { metric, ..mm(row.name) }).unwrap();
            // These heuristics build a table for the blank cell of every start.
            let starts = if ["tile-classes", "pdb-max"].contains(&row.name) { 1 } else { 3 };
            for seed in 0..starts {
                let problem = walked(size, steps, seed);
                let (report, known) = (solver.solve(&problem), other.solve(&problem));
                let (report, known) = (report.unwrap(), known.unwrap());
                let place = format!("{metric} {} {problem:?}", row.name);
                assert!(replay(&report).is_ok() && report.optimal, "{place}");
                assert_eq!(report.length(), known.length(), "{place}");
            }
        }
    }
}

/// A better heuristic reduces expansions only if both directions use it.
#[test]
fn both_directions_use_the_heuristic() {
    let [one, other] =
        ["8 6 7/2 5 4/3 x 1", "6 4 7/8 5 x/3 2 1"].map(|board| board.parse::<Problem>().unwrap());
    for problem in [one, other] {
        let expanded = |heuristic| solve(mm(heuristic), &problem).stats.expanded;
        let expansions = ["zero", "manhattan", "walking-distance", "exact"].map(expanded);
        assert!(expansions.is_sorted_by(|less, more| less > more), "{expansions:?}");
        // Exact distances lead straight to the middle from both sides.
        assert!(expansions[3] < expansions[0] / 20, "{expansions:?}");
    }
}

fn within(max_bytes: u64, config: Config) -> Config {
    Config { limits: Limits { max_bytes: Some(max_bytes), ..config.limits }, ..config }
}

#[test]
fn tables_for_the_blank_of_the_start_count_as_memory() {
    let between = |start, goal| {
        let [start, goal] = [start, goal].map(|board| parse_board(board, None).unwrap());
        Problem::between(start, goal).unwrap()
    };
    let ordered = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x";
    let shifted = "1 2 3 4/5 6 7 8/9 10 11 x/13 14 15 12";
    let walking = "walking-distance";
    let astar = Config { algorithm: Some("astar"), ..mm(walking) };
    let [there, back] = [(shifted, ordered), (ordered, shifted)]
        .map(|(start, goal)| solve(astar.clone(), &between(start, goal)).stats.peak_bytes);
    assert!(there > 1 << 20, "the tables do not dominate the memory: {there}");
    let problem = between(shifted, ordered);
    let report = solve(mm(walking), &problem);
    assert!(report.stats.peak_bytes > (there + back) / 10 * 9, "{report:?}");
    let status = |limit, problem| solve(within(limit, mm(walking)), problem).status;
    assert_eq!(status((there + back) / 10 * 9, &problem), Status::Stopped(Stop::Memory));
    assert_eq!(status((there + back) / 10 * 12, &problem), Status::Solved);
    // The search itself adds 6 MB for this board.
    let far = between("2 1 4 3/5 6 7 8/9 10 11 x/13 14 15 12", ordered);
    let peak = solve(mm(walking), &far).stats.peak_bytes;
    assert!(peak > report.stats.peak_bytes + (4 << 20), "{peak}");
    // If the blank is on the same cell, one table serves both directions.
    let same_blank = between("1 2 3 4/5 6 7 8/9 10 15 11/13 14 12 x", ordered);
    assert_eq!(status(there / 10 * 12, &same_blank), Status::Solved);
}

/// The blank cell of the start has a tile in the goal, so the requested cells need not be a partition for the
/// backward search.
#[test]
fn backward_search_shares_or_replaces_tables() {
    let near = |start: &str| {
        let start = parse_board(start, None).unwrap();
        Problem::between(start, Goal::BlankLast.board(Size::FIFTEEN).unwrap()).unwrap()
    };
    let corner = near("1 2 3 4/5 6 7 8/9 10 11 12/x 13 14 15");
    let middle = near("1 2 3 4/5 x 7 8/9 6 11 12/13 10 14 15");
    let tables =
        |tables: &str| Config { tables: TableChoice::Partition(tables.to_owned()), ..mm("pdb") };
    let peak = |config, problem| {
        let report = solve(config, problem);
        assert_eq!((report.status, report.tables.as_deref()), (Status::Solved, Some("6-6-3")));
        report.stats.peak_bytes
    };
    let one = peak(Config { algorithm: Some("astar"), ..tables("6-6-3") }, &corner);
    let [shared, own] = [&corner, &middle].map(|problem| peak(tables("6-6-3"), problem));
    // The tables take 3 MB.
    assert!(shared.abs_diff(one) < 1 << 20, "{one} and {shared}");
    assert!(own > one + (2 << 20), "{one} and {own}");
    let cells = tables("1,2,3,4,5/6,7,8,9,10/11,12,13,14,15");
    for problem in [corner, middle] {
        let report = solve(cells.clone(), &problem);
        assert!(report.optimal && replay(&report).is_ok());
        assert_eq!(report.length(), solve(mm("manhattan"), &problem).length());
    }
}

/// Tiles with the same label in the goal have the same label in the start.
#[test]
fn backward_search_starts_from_all_boards_of_a_partial_goal() {
    let goal = parse_partial_goal("* * * */5 6 7 8/* * * */* * * *", None).unwrap();
    for metric in Metric::ALL {
        let known = Config { metric, algorithm: Some("bibfs"), ..Config::default() };
        let rows = HEURISTICS.iter().filter(|row| row.partial_goals && row.supports_metric(metric));
        for row in rows.filter(|row| row.name != "exact") {
            for seed in 0..2 {
                let problem = walked("4x4", 60, seed);
                let problem = Problem::with_partial_goal(problem.start().clone(), &goal).unwrap();
                if row.name == "pdb" {
                    // The tiles of the goal cut off the blank, which is an error as in any other search.
                    assert!(Solver::new(mm("pdb")).unwrap().solve(&problem).is_err());
                    continue;
                }
                let report = solve(Config { metric, ..mm(row.name) }, &problem);
                let mut board = problem.start().clone();
                board.walk(report.moves.as_ref().unwrap()).unwrap();
                assert!(problem.is_solved_by(&board) && report.optimal, "{}", row.name);
                let length = solve(known.clone(), &problem).length();
                assert_eq!(report.length(), length, "{metric} {}", row.name);
            }
        }
    }
}
