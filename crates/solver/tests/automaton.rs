//! Pruning by an automaton keeps solutions shortest, and is refused where all shortest solutions matter.

use std::ops::ControlFlow;

use loyd::moves::Metric;
use loyd::scramble::Scrambler;
use loyd::search::{Limits, Prune, Quality, Status, Stop};
use loyd::study::{Pruning, TraceKind};
use loyd::{CancelToken, Config, Error, Goal, Problem, Report, Size, Solver};

fn words(words: u32) -> Option<Prune> {
    Some(Prune::Automaton { words: Some(words) })
}

fn config(algorithm: &'static str, heuristic: Option<&'static str>, metric: Metric) -> Config {
    Config {
        algorithm: Some(algorithm),
        heuristic: heuristic.map(Into::into),
        metric,
        ..Config::default()
    }
}

/// Solves and replays `boards`.
fn reports(config: Config, boards: &[Problem]) -> Vec<Report> {
    let solver = Solver::new(config).unwrap();
    let reports = boards.iter().map(|problem| solver.solve(problem).unwrap());
    reports
        .inspect(|report| {
            let mut board = report.problem.start().clone();
            board.walk(report.moves.as_ref().unwrap()).unwrap();
            assert_eq!(&board, report.problem.goal());
        })
        .collect()
}

/// Solves the boards with both pruning rules, and checks that the automaton saves expansions.
fn same_lengths(unpruned: &Config, prune: Option<Prune>, boards: &[Problem]) {
    let undo = reports(Config { prune: Some(Prune::Undo), ..unpruned.clone() }, boards);
    let automaton = reports(Config { prune, ..unpruned.clone() }, boards);
    let mut sums = [0, 0];
    for (undo, automaton) in undo.iter().zip(&automaton) {
        let result =
            |report: &Report| (report.status, report.length(), report.optimal, report.metric);
        assert_eq!(result(undo), result(automaton), "{unpruned:?}, {prune:?}: {:?}", undo.problem);
        assert_eq!((undo.prune, automaton.prune), (Some(Prune::Undo), prune));
        // The automaton keeps the first of the shortest solutions in the order of search.
        assert_eq!(undo.moves, automaton.moves);
        assert!(automaton.stats.expanded <= undo.stats.expanded);
        sums[0] += undo.stats.expanded;
        sums[1] += automaton.stats.expanded;
    }
    // With an exact heuristic there is nothing to prune.
    let exact = unpruned.heuristic.as_ref().is_some_and(|heuristic| heuristic.name() == "pdb");
    assert!(exact || sums[1] < sums[0], "{unpruned:?}, {prune:?}: {sums:?}");
}

/// Draws a board at each of these distances in single-tile moves.
fn drawn(size: &str, lengths: &[u32]) -> Vec<Problem> {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    let mut scrambler = Scrambler::new(goal.clone(), 7, Config::default()).unwrap();
    let boards = lengths.iter().map(|&length| {
        let board = scrambler.of_length(length, &CancelToken::new(), None).unwrap().board;
        Problem::between(board, goal.clone()).unwrap()
    });
    boards.collect()
}

/// Returns boards after walks of `moves` random moves from the goal.
fn walked(size: &str, moves: usize) -> Vec<Problem> {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    let mut scrambler = Scrambler::new(goal.clone(), 7, Config::default()).unwrap();
    let boards = (0..6).map(|_| scrambler.by_moves(moves).unwrap().0);
    boards.map(|board| Problem::between(board, goal.clone()).unwrap()).collect()
}

#[test]
fn pruned_single_tile_searches_find_shortest_solutions() {
    let (metric, lengths) = (Metric::SingleTile, [20, 24, 27, 31]);
    for (algorithm, heuristic) in
        [("idastar", Some("manhattan")), ("idastar", Some("pdb")), ("iddfs", None)]
    {
        let config = config(algorithm, heuristic, metric);
        same_lengths(&config, words(14), &drawn("3x3", &lengths[..3]));
        same_lengths(&config, words(12), &drawn("2x4", &lengths));
    }
    let lengths = [30, 34, 38];
    for heuristic in ["manhattan", "linear-conflict", "walking-distance", "pdb"] {
        let config = config("idastar", Some(heuristic), metric);
        same_lengths(&config, words(16), &walked("3x4", 60));
    }
    let config = config("idastar", Some("linear-conflict"), metric);
    same_lengths(&config, words(12), &drawn("4x4", &lengths));
    same_lengths(&config, words(10), &drawn("5x5", &lengths));
}

#[test]
fn pruned_slide_searches_find_shortest_solutions() {
    let metric = Metric::MultiTile;
    for (algorithm, heuristic) in [("idastar", Some("line-crossings")), ("iddfs", None)] {
        let config = config(algorithm, heuristic, metric);
        same_lengths(&config, words(8), &drawn("3x3", &[18, 22, 24]));
        same_lengths(&config, words(8), &drawn("2x4", &[20, 24, 28]));
    }
    for heuristic in ["line-crossings", "tile-classes"] {
        let config = config("idastar", Some(heuristic), metric);
        same_lengths(&config, words(6), &walked("3x4", 40));
    }
}

#[test]
fn length_of_words_depends_on_the_board() {
    for (metric, board) in [
        (Metric::SingleTile, "2 3 4 1 5 x 7 6 8"),
        (Metric::MultiTile, "1 2 3 4/5 6 7 8/9 x 10 12/13 14 11 15"),
    ] {
        let problem: Problem = board.parse().unwrap();
        // An automaton alone implies a depth-first search.
        let prune = Some(Prune::Automaton { words: None });
        let solver = Solver::new(Config { prune, metric, ..Config::default() }).unwrap();
        let report = solver.solve(&problem).unwrap();
        assert_eq!((report.algorithm, report.optimal), ("idastar", true));
        assert!(matches!(report.prune, Some(Prune::Automaton { words: Some(2..) })));
    }
}

/// The kernel for 4x4 boards searches in another order, so its solutions have the same length but may differ.
#[test]
fn pruned_4x4_kernel_finds_shortest_solutions() {
    let boards = walked("4x4", 200);
    let solved = |prune| {
        let config = config("idastar", Some("pdb"), Metric::SingleTile);
        reports(Config { tables: "6-6-3".parse().unwrap(), prune, ..config }, &boards)
    };
    let undo = solved(Some(Prune::Undo));
    // The kernel does not support the last one, which has too many states.
    for prune in [None, words(8), words(14), words(16)] {
        for (undo, automaton) in undo.iter().zip(solved(prune)) {
            let complete = |report: &Report| report.stats.expanded_complete();
            assert_eq!((undo.length(), automaton.optimal), (automaton.length(), true));
            assert!(complete(&automaton) < complete(undo), "{prune:?}: {:?}", undo.problem);
        }
    }
}

/// Tables and automata are built for the first board only.
#[test]
fn later_boards_reuse_tables_and_automata() {
    let config = config("idastar", Some("pdb"), Metric::SingleTile);
    let solver = Solver::new(Config { tables: "5-5-5".parse().unwrap(), ..config }).unwrap();
    let [first, next] = [40, 60].map(|moves| {
        let report = solver.solve(&walked("4x4", moves)[0]).unwrap();
        assert_eq!(report.prune, words(10));
        report.stats.table_time
    });
    assert!(!first.is_zero() && next.is_zero(), "{first:?}, {next:?}");
}

/// Kernels for pattern databases use an automaton by default, except in the early stages, which solve easy boards.
#[test]
fn pattern_databases_use_an_automaton_by_default() {
    let pdb = |tables: &str| Config {
        heuristic: Some("pdb".into()),
        tables: tables.parse().unwrap(),
        ..Config::default()
    };
    let cheap = "1,2,3/4,8,9/5,6,7/10,11,12/13,14,15/16,17,18/19,23,24/20,21,22";
    let undo = Config { prune: Some(Prune::Undo), ..pdb(cheap) };
    for (config, board, prune) in [
        (pdb(cheap), "5x5", words(12)),
        (undo, "5x5", Some(Prune::Undo)),
        (pdb("5-5-5"), "4x4", words(10)),
        (config("idastar", Some("pdb"), Metric::SingleTile), "4x4", Some(Prune::Undo)),
        (Config { prune: Some(Prune::Undo), ..pdb("5-5-5") }, "4x4", Some(Prune::Undo)),
        (Config { quality: Some(Quality::Optimal), ..Config::default() }, "5x5", Some(Prune::Undo)),
    ] {
        for report in reports(config, &walked(board, 40)) {
            assert_eq!((report.prune, report.optimal), (prune, true), "{board}");
        }
    }
}

/// Easy boards do not wait for an automaton that takes long to build.
#[test]
fn only_hard_boards_use_long_words() {
    let solver = Solver::new(Config {
        algorithm: Some("idastar"),
        heuristic: Some("pdb".into()),
        prune: words(15),
        threads: 2,
        ..Config::default()
    });
    let solver = solver.unwrap();
    let easy = solver.solve(&walked("4x4", 40)[0]).unwrap();
    assert_eq!((easy.prune, easy.optimal), (Some(Prune::Undo), true));
    // This board needs 80 moves.
    let hard: Problem = "x 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1".parse().unwrap();
    let hard = solver.solve(&hard).unwrap();
    assert_eq!((hard.prune, hard.length()), (words(15), Some(80)));
}

#[test]
fn depth_first_search_finds_a_solution_within_the_limit() {
    for problem in drawn("3x3", &[18, 25]) {
        let solve = |prune, max_depth| {
            let limits = Limits { max_depth: Some(max_depth), ..Limits::default() };
            let config = Config { prune, limits, ..config("dfs", None, Metric::SingleTile) };
            Solver::new(config).unwrap().solve(&problem).unwrap()
        };
        let length = solve(None, 31).length().unwrap();
        assert!(solve(words(14), 31).length().unwrap() <= 31 && length <= 31);
    }
    // Depth limits: the length of the shortest solution, and one less.
    for (depth, status) in [(27, Status::Solved), (26, Status::Stopped(Stop::Depth))] {
        let [problem] = &drawn("3x3", &[27])[..] else { panic!() };
        let limits = Limits { max_depth: Some(depth), ..Limits::default() };
        let prune = words(14);
        let config = Config { prune, limits, ..config("dfs", None, Metric::SingleTile) };
        assert_eq!(Solver::new(config).unwrap().solve(problem).unwrap().status, status);
    }
}

#[test]
fn prune_is_refused_where_it_has_no_effect() {
    let problem: Problem = "2 3 4 1 5 x 7 6 8".parse().unwrap();
    let refused = |config: Config| match Solver::new(config) {
        Err(error) => error,
        Ok(solver) => solver.solve(&problem).unwrap_err(),
    };
    for prune in [words(8), Some(Prune::Undo)] {
        for algorithm in ["astar", "bfs", "table", "mm", "wastar"] {
            let error = refused(Config { prune, ..config(algorithm, None, Metric::SingleTile) });
            let instead = vec!["dfs", "iddfs", "idastar"];
            assert_eq!(error, Error::PruneUnused { algorithm, prune: prune.unwrap(), instead });
        }
        let error = refused(Config { prune, quality: Some(Quality::Fast), ..Config::default() });
        assert!(matches!(error, Error::QualityDecides { option: "the pruning", .. }));
        let closed = Some(loyd::search::ClosedKind::Hashed);
        let error = refused(Config { prune, closed, ..Config::default() });
        assert!(matches!(error, Error::PruneUnused { algorithm: "astar", .. }));
    }
    let config = Config { prune: words(22), metric: Metric::MultiTile, ..Config::default() };
    let error = refused(config);
    let metric = Metric::MultiTile;
    assert_eq!(error, Error::WordsTooLong { size: Size::EIGHT, metric, most: 21 });
    assert!(error.to_string().ends_with("up to 21 slides"), "{error}");
}

#[test]
fn automaton_is_refused_for_all_shortest_solutions() {
    let problem: Problem = "1 2 3/4 x 5/7 8 6".parse().unwrap();
    let solver = |prune| Solver::new(Config { prune, ..Config::default() }).unwrap();
    let cancel = CancelToken::new();
    let pruned = solver(words(8));
    let refused = Some(Error::PruneLosesSolutions);
    assert_eq!(pruned.count_shortest(&problem, &cancel, None).err(), refused);
    let all = pruned.all_shortest(&problem, &cancel, None, |_| ControlFlow::Continue(()));
    assert_eq!(all.err(), refused);
    assert_eq!(pruned.hint(&problem, &cancel, None).err(), refused);
    assert_eq!(solver(Some(Prune::Undo)).count_shortest(&problem, &cancel, None).unwrap().count, 1);
}

#[test]
fn automaton_counts_as_memory() {
    let problem = &drawn("4x4", &[30])[0];
    let with = |max_bytes| {
        let limits = Limits { max_bytes: Some(max_bytes), ..Limits::default() };
        let solver = Solver::new(Config {
            prune: words(12),
            limits,
            ..config("idastar", Some("manhattan"), Metric::SingleTile)
        });
        solver.unwrap().solve(problem).unwrap()
    };
    assert_eq!(with(100_000).status, Status::Stopped(Stop::Memory));
    let report = with(64 << 20);
    assert_eq!(report.status, Status::Solved);
    // The automaton has at least 12,673 states of 16 bytes.
    assert!(report.stats.peak_bytes > 150_000, "{:?}", report.stats);
}

#[test]
fn trace_reports_moves_pruned_by_the_automaton() {
    for (metric, size, length) in [(Metric::SingleTile, "3x3", 24), (Metric::MultiTile, "3x3", 20)]
    {
        let problem = &drawn(size, &[length])[0];
        let heuristic = if metric == Metric::SingleTile { "manhattan" } else { "line-crossings" };
        for (algorithm, heuristic) in [("idastar", Some(heuristic)), ("iddfs", None)] {
            let config = Config { prune: words(7), ..config(algorithm, heuristic, metric) };
            let solver = Solver::new(config).unwrap();
            let (mut expanded, mut refused) = (0, 0);
            let traced = solver.trace(problem, &CancelToken::new(), None, &mut |event| {
                expanded += u64::from(event.kind == TraceKind::Expanding);
                refused += u64::from(event.kind == TraceKind::Pruned(Pruning::Equivalent));
                ControlFlow::Continue(())
            });
            let (traced, plain) = (traced.unwrap(), solver.solve(problem).unwrap());
            assert_eq!(traced.moves, plain.moves);
            assert_eq!(traced.stats.iterations, plain.stats.iterations);
            assert!(expanded == plain.stats.expanded && refused > 0);
        }
    }
}
