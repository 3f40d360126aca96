//! The quality `auto`: the best solution within the limits, and its bounds.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::moves::Metric;
use loyd::notation::{parse_moves, parse_partial_goal};
use loyd::scramble::Scrambler;
use loyd::search::{Event, Limits, Quality, Status, Stop};
use loyd::{Board, CancelToken, Config, Goal, Problem, Report, Size, Solver};

fn solver(metric: Metric, limits: Limits) -> Solver {
    let quality = Some(Quality::Auto);
    Solver::new(Config { quality, metric, limits, ..Config::default() }).unwrap()
}

fn expanding(nodes: u64) -> Limits {
    Limits { max_expanded: Some(nodes), ..Limits::default() }
}

/// Solves the problem, and returns the report and the lower and upper bounds that the observer received. Checks that
/// all reported solutions solve the problem.
fn watched(solver: &Solver, problem: &Problem) -> (Report, Vec<(u32, u32)>) {
    let (mut bounds, mut known) = (Vec::new(), (0, u32::MAX));
    let mut observer = |event: Event<'_>| {
        match event {
            Event::Incumbent { cost, solution } => {
                let (mut board, moves) = (problem.start().clone(), parse_moves(solution).unwrap());
                moves.iter().for_each(|&m| board.apply(m).unwrap());
                assert!(problem.is_solved_by(&board), "{board}");
                assert_eq!(solver.config().metric.length(&moves), cost as usize, "{solution}");
                known.1 = cost;
            }
            Event::LowerBound(bound) => known.0 = bound,
            _ => return ControlFlow::Continue(()),
        }
        bounds.push(known);
        ControlFlow::Continue(())
    };
    let report = solver.solve_watched(problem, &CancelToken::new(), Some(&mut observer)).unwrap();
    (report, bounds)
}

/// Returns the board to which the moves of a report lead.
fn reached(report: &Report) -> Board {
    let mut board = report.problem.start().clone();
    report.moves.iter().flatten().for_each(|&m| board.apply(m).unwrap());
    board
}

/// Returns boards whose shortest solutions are found immediately; the limits here do not suffice to prove some of them.
fn problems(metric: Metric) -> Vec<(Problem, u32)> {
    let exact = Solver::new(Config { metric, ..Config::default() }).unwrap();
    // For slides, the tables of larger boards take seconds.
    let sizes: &[(u32, u32, usize)] = match metric {
        Metric::SingleTile => &[(3, 3, 100), (5, 2, 100), (4, 4, 1000), (5, 5, 50), (7, 3, 50)],
        Metric::MultiTile => &[(3, 3, 100), (5, 2, 100), (7, 3, 20)],
    };
    let mut problems = Vec::new();
    for &(width, height, moves) in sizes {
        let goal = Goal::BlankLast.board(Size::new(width, height).unwrap()).unwrap();
        let mut boards = Scrambler::new(goal.clone(), 5, Config::default()).unwrap();
        for _ in 0..2 {
            let (board, _) = boards.by_moves(moves).unwrap();
            let problem = Problem::between(board, goal.clone()).unwrap();
            let shortest = exact.solve(&problem).unwrap();
            assert!(shortest.optimal, "{}", problem.start());
            problems.push((problem, shortest.length().unwrap() as u32));
        }
    }
    problems
}

/// Solves a problem, and checks that all bounds reported on the way enclose the length `shortest`.
fn enclosing(solver: &Solver, problem: &Problem, shortest: u32) -> Report {
    let (report, bounds) = watched(solver, problem);
    let what = format!("{} with {:?}", problem.start(), solver.config().limits);
    assert_eq!(report.status, Status::Solved, "{what}");
    assert_eq!(reached(&report), *problem.goal(), "{what}");
    let last = (report.lower_bound.unwrap(), report.length().unwrap() as u32);
    let all: Vec<_> = bounds.iter().copied().chain([last]).collect();
    for &(at_least, cost) in &all {
        assert!(at_least <= shortest && shortest <= cost, "{what}: {all:?}");
    }
    assert!(all.windows(2).all(|w| w[0].0 <= w[1].0 && w[0].1 >= w[1].1), "{all:?}");
    assert_eq!(bounds.last(), Some(&last), "{what}: the last bounds were not reported");
    assert_eq!(report.optimal, last.0 == last.1, "{what}");
    let within = report.within.unwrap().as_f64();
    assert!(f64::from(last.1) <= within * f64::from(last.0) + 1e-9, "{what}");
    report
}

#[test]
fn bounds_enclose_the_shortest_solution_at_any_time() {
    let mut unproved = 0;
    for metric in [Metric::SingleTile, Metric::MultiTile] {
        let problems = problems(metric);
        for nodes in [0, 1_000, 300_000] {
            let solver = solver(metric, expanding(nodes));
            for (problem, shortest) in &problems {
                let report = enclosing(&solver, problem, *shortest);
                assert!(report.stats.expanded <= nodes, "{}", problem.start());
                unproved += u32::from(!report.optimal);
            }
        }
    }
    assert!(unproved > 0, "all solutions were proved");
}

#[test]
fn bounds_of_two_threads_enclose_the_shortest_solution() {
    for metric in [Metric::SingleTile, Metric::MultiTile] {
        for milliseconds in [0, 30, 300] {
            let max_time = Some(Duration::from_millis(milliseconds));
            let limits = Limits { max_time, ..Limits::default() };
            let config = Config { threads: 2, ..solver(metric, limits).config().clone() };
            let solver = Solver::new(config).unwrap();
            for (problem, shortest) in problems(metric) {
                enclosing(&solver, &problem, shortest);
            }
        }
    }
}

#[test]
fn either_of_two_threads_ends_the_search() {
    let goal = Goal::BlankLast.board(Size::new(6, 6).unwrap()).unwrap();
    let mut boards = Scrambler::new(goal.clone(), 7, Config::default()).unwrap();
    let near = Problem::between(boards.by_moves(60).unwrap().0, goal.clone()).unwrap();
    let far = Problem::between(boards.uniform(), goal).unwrap();
    let solve = |quality: &str, problem: &Problem| {
        let (quality, limits) = (Some(quality.parse().unwrap()), Limits::default());
        let config = Config { threads: 2, quality, limits, ..Config::default() };
        Solver::new(config).unwrap().solve(problem).unwrap()
    };
    assert!(solve("auto", &near).optimal, "the proof did not end improving");
    let good = solve("bounded=1.6", &far);
    assert!(
        !good.optimal && good.within.unwrap().as_f64() <= 1.6,
        "improving did not end the proof"
    );
}

#[test]
fn known_solution_ends_the_proof() {
    let goal = Goal::BlankLast.board(Size::new(6, 6).unwrap()).unwrap();
    let mut boards = Scrambler::new(goal.clone(), 9, Config::default()).unwrap();
    let mut ended = 0;
    for moves in (60..100).step_by(5) {
        let problem = Problem::between(boards.by_moves(moves).unwrap().0, goal.clone()).unwrap();
        let report = solver(Metric::SingleTile, expanding(3_000_000)).solve(&problem).unwrap();
        if report.optimal {
            let last = report.stats.iterations.last().unwrap().bound as usize;
            ended += u32::from(last < report.length().unwrap());
        }
    }
    assert!(ended > 0, "no search ended before the bound reached the known length");
}

#[test]
fn results_with_a_limit_on_expansions_are_reproducible() {
    let goal = Goal::BlankLast.board(Size::new(6, 6).unwrap()).unwrap();
    let board = Scrambler::new(goal.clone(), 7, Config::default()).unwrap().uniform();
    let problem = Problem::between(board, goal).unwrap();
    let solve = |nodes| {
        let report = solver(Metric::SingleTile, expanding(nodes)).solve(&problem).unwrap();
        (report.moves, report.lower_bound, report.stats.expanded, report.stats.generated)
    };
    assert_eq!(solve(3_000_000), solve(3_000_000));
    assert_eq!(solve(3_000_000).2, 3_000_000, "all that is allowed is used");
}

#[test]
fn turn_of_proving_starts_with_the_previous_tables() {
    let goal = Goal::BlankLast.board(Size::new(5, 4).unwrap()).unwrap();
    let board = Scrambler::new(goal.clone(), 3, Config::default()).unwrap().uniform();
    let problem = Problem::between(board, goal).unwrap();
    let mut stages = Vec::new();
    let mut observer = |event: Event<'_>| {
        if let Event::Stage { name: "proving", with: Some(with) } = event {
            stages.push(with.to_owned());
        }
        ControlFlow::Continue(())
    };
    let solver = solver(Metric::SingleTile, expanding(18_000_000));
    solver.solve_watched(&problem, &CancelToken::new(), Some(&mut observer)).unwrap();
    let tables = stages.iter().position(|with| with == "pdb").expect("the last turns use tables");
    assert!(stages[tables..].iter().all(|with| with == "pdb"), "{stages:?}");
    assert!(stages.len() - tables > 1, "only one turn used tables: {stages:?}");
}

/// The first solution of this board, which is 72 moves from the goal, has 82 moves. Hardly any board needs as long a
/// proof.
#[test]
fn hard_fifteens_are_improved_before_a_long_proof() {
    let problem: Problem = "1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0".parse().unwrap();
    let solve = |nodes| {
        let (report, bounds) = watched(&solver(Metric::SingleTile, expanding(nodes)), &problem);
        assert!(bounds.iter().all(|&(lower, upper)| lower <= 72 && upper >= 72), "{bounds:?}");
        (report.length().unwrap(), report.lower_bound.unwrap(), report.tables)
    };
    // No 4x4 board needs more than 80 moves.
    assert!(solve(1_000_000).0 <= 80);
    let (length, lower_bound, tables) = solve(13_000_000);
    assert!(length <= 76 && lower_bound >= 66, "{length} {lower_bound}");
    assert_eq!(tables.as_deref(), Some("7-7-1"));
    assert_eq!(solve(100_000_000), (72, 72, Some("7-8".to_owned())));

    let mut stages = Vec::new();
    let mut observer = |event: Event<'_>| {
        if let Event::Stage { name, .. } = event {
            stages.push(name.to_owned());
        }
        ControlFlow::Continue(())
    };
    let solver = solver(Metric::SingleTile, expanding(14_000_000));
    solver.solve_watched(&problem, &CancelToken::new(), Some(&mut observer)).unwrap();
    stages.dedup();
    assert_eq!(stages, ["first solution", "proving", "improving", "proving"]);
}

#[test]
fn timed_out_or_cancelled_search_returns_a_solution() {
    let goal = Goal::BlankLast.board(Size::new(9, 7).unwrap()).unwrap();
    let mut boards = Scrambler::new(goal.clone(), 9, Config::default()).unwrap();
    let large = Problem::between(boards.uniform(), goal).unwrap();
    let hard: Problem = "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0".parse().unwrap();
    for problem in [large, hard] {
        // If many boards are to be solved, no first solution precedes the proof.
        for boards in [1, 1000] {
            let max_time = Some(Duration::ZERO);
            let limits = Limits { max_time, ..Limits::default() };
            let quality = Some(Quality::Auto);
            let config = Config { quality, limits, boards: Some(boards), ..Config::default() };
            let report = Solver::new(config.clone()).unwrap().solve(&problem).unwrap();
            assert_eq!((report.status, reached(&report)), (Status::Solved, problem.goal().clone()));
            let cancel = CancelToken::new();
            cancel.cancel();
            let solver = Solver::new(Config { limits: Limits::default(), ..config }).unwrap();
            let report = solver.solve_watched(&problem, &cancel, None).unwrap();
            assert_eq!((report.status, reached(&report)), (Status::Solved, problem.goal().clone()));
            assert!(report.lower_bound.unwrap() > 1 && !report.optimal);
        }
    }
}

#[test]
fn depth_limits_hold_and_unsolvable_boards_are_detected() {
    let solve = |text: &str, max_depth| {
        let limits = Limits { max_depth, ..expanding(1_000_000) };
        solver(Metric::SingleTile, limits).solve(&text.parse().unwrap()).unwrap()
    };
    let hard = "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0";
    for (text, limit) in [(hard, 30), ("8 6 7/2 5 4/3 0 1", 30)] {
        let report = solve(text, Some(limit));
        assert_eq!((report.status, report.moves), (Status::Stopped(Stop::Depth), None), "{text}");
    }
    assert_eq!(solve("8 6 7/2 5 4/3 0 1", Some(31)).length(), Some(31));
    let report = solve("1 2 3/4 5 6/8 7 0", None);
    assert_eq!((report.status, report.moves), (Status::Unsolvable, None));
    let report = solve("1 2 3/4 5 6/7 8 0", None);
    assert!(report.optimal && report.lower_bound == Some(0) && report.moves == Some(Vec::new()));
}

#[test]
fn partial_goals_are_met() {
    let goal =
        parse_partial_goal("1 2 3 4 5/6 * * * */* * * * */* * * * */* * * * *", None).unwrap();
    let full = Goal::BlankLast.board(Size::new(5, 5).unwrap()).unwrap();
    let mut boards = Scrambler::new(full, 11, Config::default()).unwrap();
    for nodes in [100, 100_000, 5_000_000] {
        let problem = Problem::with_partial_goal(boards.uniform(), &goal).unwrap();
        let report = solver(Metric::SingleTile, expanding(nodes)).solve(&problem).unwrap();
        assert!(goal.is_met_by(&reached(&report)), "{}", problem.start());
        assert!(report.lower_bound.unwrap() as usize <= report.length().unwrap());
    }
}
