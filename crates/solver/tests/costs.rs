//! Costs by tile: solutions are as cheap as those of a plain Dijkstra search over all 3x3 boards.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use loyd::board::Solvability;
use loyd::moves::Metric;
use loyd::scramble::Random;
use loyd::search::{
    ClosedKind, DistanceMatrix, Event, Fraction, Limits, Prune, Quality, Shard, Status, Stop,
    TileCosts,
};
use loyd::{Board, CancelToken, Config, Error, Goal, Problem, Report, Size, Solver};
use loyd_heuristics::CostDistance;
use loyd_search::{Heuristic, IncrementalHeuristic, StateSpace};
use loyd_tiles::{ArraySpace, BoardSpace, Costed, random_board};
use rayon::prelude::*;

/// The numbers on the cells of a 3x3 board, 0 for the blank.
type Cells = [u8; 9];

/// A multiple of all denominators in these tests.
const UNIT: u64 = 840;

/// The cost of each tile times [`UNIT`], starting with tile 1.
type Costs = [u64; 8];

const HEAVY: Costs = [840, 1680, 2520, 3360, 4200, 5040, 5880, 6720];
const INVERSE: Costs = [840, 420, 280, 210, 168, 140, 120, 105];
/// Widely different costs in no order: `7,1/3,2.5,1,1/8,40,2,3/5`.
const LISTED: Costs = [5880, 280, 2100, 840, 105, 33_600, 1680, 504];
/// Like [`LISTED`], with a tile of cost 0: `7,1/3,0,1,1/8,40,2,3/5`.
const FREE: Costs = [5880, 280, 0, 840, 105, 33_600, 1680, 504];

const NAMED: [(&str, Costs); 4] = [
    ("heavy", HEAVY),
    ("inverse", INVERSE),
    ("7,1/3,2.5,1,1/8,40,2,3/5", LISTED),
    ("7,1/3,0,1,1/8,40,2,3/5", FREE),
];

fn cells(board: &Board) -> Cells {
    let numbers: Vec<u8> = board.bytes().collect();
    numbers.try_into().unwrap()
}

fn board(cells: Cells) -> Board {
    Board::new(Size::EIGHT, &cells.map(u32::from)).unwrap()
}

/// Returns the boards one move away, each with the tile that moves.
fn neighbours(cells: Cells) -> impl Iterator<Item = (Cells, u8)> {
    let blank = cells.iter().position(|&number| number == 0).unwrap();
    let is_adjacent = move |&other: &usize| {
        let (rows, columns) = (blank / 3, blank % 3);
        rows.abs_diff(other / 3) + columns.abs_diff(other % 3) == 1
    };
    (0..9).filter(is_adjacent).map(move |other| {
        let mut next = cells;
        next.swap(blank, other);
        (next, cells[other])
    })
}

/// Runs Dijkstra's algorithm from the goal, and returns the least cost of every board that can reach it.
fn least_costs(goal: Cells, costs: Costs) -> HashMap<Cells, u64> {
    let mut least = HashMap::from([(goal, 0)]);
    let mut open = BinaryHeap::from([Reverse((0, goal))]);
    while let Some(Reverse((cost, cells))) = open.pop() {
        if least[&cells] < cost {
            continue;
        }
        for (next, tile) in neighbours(cells) {
            let cost = cost + costs[usize::from(tile) - 1];
            if least.get(&next).is_none_or(|&known| cost < known) {
                least.insert(next, cost);
                open.push(Reverse((cost, next)));
            }
        }
    }
    least
}

/// Returns the 20 most expensive boards and `drawn` random ones, with their least costs.
fn sample(truth: &HashMap<Cells, u64>, drawn: usize) -> Vec<(Cells, u64)> {
    let mut all: Vec<(Cells, u64)> = truth.iter().map(|(&cells, &cost)| (cells, cost)).collect();
    all.sort_by_key(|&(cells, cost)| (cost, cells));
    assert_eq!(all.len(), 181_440);
    let mut random = Random::new(38);
    let mut sample: Vec<_> = all[all.len() - 20..].to_vec();
    sample.extend((0..drawn).map(|_| all[random.below(all.len() as u64) as usize]));
    sample
}

/// Replays the moves of a report on plain cells, and returns their cost times [`UNIT`].
fn replayed(report: &Report, costs: Costs) -> u64 {
    let mut board = report.problem.start().clone();
    let mut cost = 0;
    for &m in report.moves.as_ref().unwrap() {
        let before = cells(&board);
        board.apply(m).unwrap();
        let moved = neighbours(before).find(|&(next, _)| next == cells(&board)).unwrap().1;
        cost += costs[usize::from(moved) - 1];
    }
    assert_eq!(board, *report.problem.goal());
    let total = report.costs.as_ref().unwrap().total.unwrap();
    assert_eq!(Some(total), Fraction::new(cost, UNIT), "the report has the wrong cost");
    cost
}

fn config(costs: &str, algorithm: &'static str) -> Config {
    let costs = costs.parse().unwrap();
    Config { costs, algorithm: Some(algorithm), ..Config::default() }
}

/// Checks that the solver solves each board of a sample at its least cost.
fn agrees(solver: &Solver, goal: Cells, costs: Costs, boards: &[(Cells, u64)]) {
    boards.par_iter().for_each(|&(start, least)| {
        let report = solver.solve(&Problem::between(board(start), board(goal)).unwrap()).unwrap();
        assert!(report.optimal, "{start:?}");
        assert_eq!(replayed(&report, costs), least, "{start:?}");
    });
}

const GOALS: [Cells; 2] = [[1, 2, 3, 4, 5, 6, 7, 8, 0], [7, 2, 0, 6, 8, 1, 3, 5, 4]];

#[test]
fn astar_agrees_with_dijkstra() {
    for (name, costs) in NAMED {
        for (goal, drawn) in GOALS.into_iter().zip([500, 50]) {
            let boards = sample(&least_costs(goal, costs), drawn);
            agrees(&Solver::new(config(name, "astar")).unwrap(), goal, costs, &boards);
            let default = Config { algorithm: None, ..config(name, "astar") };
            agrees(&Solver::new(default).unwrap(), goal, costs, &boards[..30]);
            for closed in ClosedKind::ALL {
                let solver = Solver::new(Config { closed: Some(closed), ..config(name, "astar") });
                agrees(&solver.unwrap(), goal, costs, &boards[..30]);
            }
        }
    }
}

/// With more widely different costs than these, IDA* searches too many paths of cheap tiles.
#[test]
fn idastar_agrees_with_dijkstra() {
    for (name, costs) in &NAMED[..2] {
        let boards = sample(&least_costs(GOALS[0], *costs), 500);
        agrees(&Solver::new(config(name, "idastar")).unwrap(), GOALS[0], *costs, &boards);
    }
    let (name, costs) = NAMED[2];
    let mut boards: Vec<_> = least_costs(GOALS[1], costs).into_iter().collect();
    boards.sort_by_key(|&(cells, cost)| (cost, cells));
    agrees(&Solver::new(config(name, "idastar")).unwrap(), GOALS[1], costs, &boards[..100]);
}

/// About nine minutes of CPU time: `cargo test -p loyd-solver --test costs -- --ignored`.
#[test]
#[ignore = "solves all boards"]
fn astar_agrees_with_dijkstra_on_all_boards() {
    for (name, costs) in NAMED {
        let boards: Vec<_> = least_costs(GOALS[0], costs).into_iter().collect();
        agrees(&Solver::new(config(name, "astar")).unwrap(), GOALS[0], costs, &boards);
    }
}

#[test]
fn weighted_astar_solutions_cost_at_most_the_weight_times_the_least() {
    for (name, costs) in NAMED {
        let boards = sample(&least_costs(GOALS[0], costs), 500);
        let mut suboptimal = 0;
        for (weight, hundredths) in [("1", 100), ("1.2", 120), ("1.5", 150), ("3", 300)] {
            let weight = Some(weight.parse().unwrap());
            let solver = Solver::new(Config { weight, ..config(name, "wastar") }).unwrap();
            for &(start, least) in &boards {
                let problem = Problem::between(board(start), board(GOALS[0])).unwrap();
                let report = solver.solve(&problem).unwrap();
                let cost = replayed(&report, costs);
                assert!(100 * cost <= hundredths * least, "{start:?}: {cost} for {least}");
                assert_eq!((report.within, report.optimal), (weight, hundredths == 100));
                suboptimal += u64::from(cost > least);
            }
        }
        assert!(suboptimal > 0, "the weights make no difference for {name}");
    }
}

/// On all boards, the heuristic never exceeds the least cost, is consistent, and is updated correctly.
#[test]
fn heuristic_is_admissible_and_consistent_on_all_boards() {
    for (name, costs) in NAMED {
        for goal in GOALS {
            let truth = least_costs(goal, costs);
            let by_tile = costs.map(|cost| cost as u32);
            let space = Costed::new(ArraySpace::<16>::new(&board(goal)), &by_tile);
            let h = CostDistance::new(&space);
            for (&start, &least) in &truth {
                let state = space.steps().encode(&board(start));
                let value = h.h(&space, &state);
                assert!(u64::from(value) <= least, "{name}, {start:?}");
                assert!(value > 0 || start == goal || costs == FREE, "{name}, {start:?}");
                let memo = h.memo(&space, &state);
                for m in space.actions(&state) {
                    let child = space.successor(&state, m);
                    let after = h.update(&space, memo, &state, m, &child);
                    assert_eq!(after, h.h(&space, &child));
                    assert!(value <= space.action_cost(&state, m) + after);
                }
            }
        }
    }
}

#[test]
fn costs_of_one_yield_shortest_solutions() {
    let mut random = Random::new(5);
    let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
    for _ in 0..20 {
        let problem = Problem::between(random_board(&goal, &mut random), goal.clone()).unwrap();
        let length = Solver::default().solve(&problem).unwrap().length().unwrap();
        for algorithm in ["astar", "idastar"] {
            let solver = Solver::new(config("1,1,1,1,1,1,1,1", algorithm)).unwrap();
            let report = solver.solve(&problem).unwrap();
            let total = report.costs.as_ref().unwrap().total;
            assert_eq!(report.length(), Some(length));
            assert_eq!(total, Fraction::new(length as u64, 1));
        }
    }
}

/// Returns a board after `moves` random moves from the goal.
fn walked(goal: &Board, moves: usize, random: &mut Random) -> Board {
    let mut board = goal.clone();
    for _ in 0..moves {
        let moves: Vec<_> = board.moves().into_iter().collect();
        board.apply(moves[random.below(moves.len() as u64) as usize]).unwrap();
    }
    board
}

/// Two independent searches agree.
#[test]
fn astar_and_idastar_agree_on_other_sizes() {
    for (size, costs) in [
        ("2x3", "inverse"),
        ("3x2", "heavy"),
        ("1x4", "inverse"),
        ("3x4", "heavy"),
        ("4x4", "inverse"),
        ("6x3", "inverse"),
        ("9x9", "heavy"),
    ] {
        let goal = Goal::Spiral.board(size.parse().unwrap()).unwrap();
        let mut random = Random::new(9);
        for _ in 0..5 {
            let start = walked(&goal, 25, &mut random);
            let problem = Problem::between(start, goal.clone()).unwrap();
            let total = |algorithm| {
                let report =
                    Solver::new(config(costs, algorithm)).unwrap().solve(&problem).unwrap();
                assert!(report.optimal, "{size}");
                report.costs.unwrap().total.unwrap()
            };
            assert_eq!(total("astar"), total("idastar"), "{size}, {costs}");
        }
    }
}

#[test]
fn unsolvable_boards_are_detected_or_exhausted() {
    let problem: Problem = "2 1 3/4 5 6/7 8 x".parse().unwrap();
    assert!(!Solvability::new(problem.start(), problem.goal()).is_solvable());
    let report = Solver::new(config("heavy", "idastar")).unwrap().solve(&problem).unwrap();
    assert_eq!((report.status, report.moves), (Status::Unsolvable, None));
    let exhaustive = Config { parity_check: false, ..config("inverse", "astar") };
    let report = Solver::new(exhaustive).unwrap().solve(&problem).unwrap();
    assert_eq!((report.status, report.stats.expanded), (Status::Exhausted, 181_440));
}

#[test]
fn stopped_search_reports_a_lower_bound_in_costs() {
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let truth = least_costs(GOALS[0], HEAVY)[&cells(problem.start())];
    for algorithm in ["astar", "idastar", "wastar"] {
        let limits = Limits { max_expanded: Some(100), ..Limits::default() };
        let solver = Solver::new(Config { limits, ..config("heavy", algorithm) }).unwrap();
        let report = solver.solve(&problem).unwrap();
        assert_eq!(report.status, Status::Stopped(Stop::Expanded));
        assert_eq!((report.stats.expanded, report.lower_bound), (100, None));
        let least = report.costs.unwrap().least.unwrap();
        // 92 is the Manhattan distance of this board, weighted by the numbers of the tiles.
        assert!((92..=truth / UNIT).contains(&least.numerator()), "{least}");
    }
    let limits = Limits { max_bytes: Some(100_000), ..Limits::default() };
    let solver = Solver::new(Config { limits, ..config("inverse", "astar") }).unwrap();
    assert_eq!(solver.solve(&problem).unwrap().status, Status::Stopped(Stop::Memory));
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let solver = Solver::new(config("inverse", "idastar")).unwrap();
    let report = solver.solve_watched(&problem, &cancelled, None).unwrap();
    assert_eq!(report.status, Status::Stopped(Stop::Cancelled));
}

#[test]
fn observers_receive_no_bounds_in_cost_units() {
    let problem: Problem = "8 6 7/2 5 4/3 x 1".parse().unwrap();
    let mut events = 0;
    let mut watch = |event: Event<'_>| {
        assert!(!matches!(event, Event::LowerBound(_) | Event::Iteration(_)), "{event:?}");
        events += 1;
        std::ops::ControlFlow::Continue(())
    };
    let solver = Solver::new(config("inverse", "idastar")).unwrap();
    solver.solve_watched(&problem, &CancelToken::new(), Some(&mut watch)).unwrap();
    assert!(events > 0);
}

/// The error of each request that counts moves names the request.
#[test]
fn searches_that_count_moves_refuse_costs() {
    let problem: Problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
    let heavy = || Config { costs: TileCosts::Heavy, ..Config::default() };
    let refused = |config: Config| {
        let solver = Solver::new(config);
        let solved = solver.and_then(|solver| solver.solve(&problem));
        match solved.unwrap_err() {
            Error::CostsUnsupported(what) => what,
            other => panic!("{other}"),
        }
    };
    for algorithm in ["bfs", "bibfs", "ucs", "greedy", "mm", "iddfs", "table", "dfs"] {
        assert_eq!(refused(Config { algorithm: Some(algorithm), ..heavy() }), algorithm);
    }
    for name in ["pdb", "linear-conflict", "misplaced", "zero"] {
        assert_eq!(refused(Config { heuristic: Some(name.into()), ..heavy() }), name);
    }
    let matrix = DistanceMatrix::manhattan(Size::EIGHT).into();
    let matrix = Some(loyd::search::HeuristicChoice::Matrix(matrix));
    assert_eq!(refused(Config { heuristic: matrix, ..heavy() }), "matrix");
    let slides = Config { metric: Metric::MultiTile, ..heavy() };
    assert_eq!(refused(slides), "slides of several tiles");
    let limits = Limits { max_depth: Some(20), ..Limits::default() };
    assert!(refused(Config { limits, ..heavy() }).contains("depth"));
    let prune = Some(Prune::Automaton { words: None });
    let automaton = Config { prune, algorithm: Some("idastar"), ..heavy() };
    assert_eq!(refused(automaton), "an automaton");
    let shard: Shard = "1/2".parse().unwrap();
    assert!(refused(Config { shard: Some(shard), ..heavy() }).contains("shard"));
    assert!(refused(Config { quality: Some(Quality::Fast), ..heavy() }).contains("fast"));
    let bounded = Some("bounded=2".parse().unwrap());
    assert!(refused(Config { quality: bounded, ..heavy() }).contains("bounded"));

    let solver = Solver::new(heavy()).unwrap();
    let (token, problem) = (CancelToken::new(), &problem);
    let is_refused =
        |error: Option<Error>| assert!(matches!(error, Some(Error::CostsUnsupported(_))));
    is_refused(solver.explain(problem, &token, None).err());
    is_refused(solver.count_shortest(problem, &token, None).err());
    let partial = loyd::notation::parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    let partial = Problem::with_partial_goal(problem.start().clone(), &partial).unwrap();
    is_refused(solver.solve(&partial).err());
}

#[test]
fn costs_that_do_not_fit_the_board_are_refused() {
    let solve = |costs: &str, size: &str| {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let mut start = goal.clone();
        start.apply(loyd::Move::Up).unwrap();
        let config = Config { costs: costs.parse().unwrap(), ..Config::default() };
        Solver::new(config)?.solve(&Problem::between(start, goal).unwrap())
    };
    let error = |costs: &str, size: &str| solve(costs, size).unwrap_err();
    assert_eq!(
        error("1,2,3", "3x3").to_string(),
        "the number of costs is 3, and a 3x3 board needs one for each of its 8 tiles"
    );
    assert!(error("inverse", "5x5").to_string().contains("at most 18 cells"));
    assert!(matches!(error("1000000,1/999983,1", "2x2"), Error::CostRange { .. }));
    let free =
        Config { algorithm: Some("idastar"), costs: "0,1,2".parse().unwrap(), ..Config::default() };
    let problem = "1 x/3 2".parse().unwrap();
    assert_eq!(Solver::new(free).unwrap().solve(&problem).unwrap_err(), Error::FreeTiles);
    for size in ["3x6", "16x2"] {
        let costs = if size == "3x6" { "inverse" } else { "heavy" };
        assert!(solve(costs, size).unwrap().optimal, "{size}");
    }
    // The largest boards are supported too.
    assert!(solve("heavy", "16x16").unwrap().optimal);
}
