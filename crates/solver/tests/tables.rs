//! Tile classes, pattern databases of large boards and automata in files: valid files are read, invalid ones are
//! rebuilt, each table is built once for all threads, and nothing panics.
#![cfg(feature = "cache")]

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use loyd::moves::Metric;
use loyd::notation::parse_partial_goal;
use loyd::scramble::{Random, random_walk};
use loyd::search::{Meter, Prune, Status, Stop};
use loyd::tables::file::{AnyTableKey, TableKey};
use loyd::tables::pdb::Words;
use loyd::tables::{AutomatonKey, Build, Store, Warning, default_tables};
use loyd::{Config, Goal, Problem, Report, Solver};

/// Boards whose tables are built quickly, and the configuration that solves them.
struct Case {
    config: Config,
    problems: Vec<Problem>,
    kind: &'static str,
}

fn walked(size: &str, moves: usize) -> impl Iterator<Item = Problem> {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    let mut random = Random::new(7);
    (0..5).map(move |_| {
        let mut board = goal.clone();
        for m in random_walk(&goal, moves, &mut random).unwrap() {
            board.apply(m).unwrap();
        }
        Problem::between(board, goal.clone()).unwrap()
    })
}

fn cases() -> [Case; 3] {
    let named = |name: &'static str| Config { heuristic: Some(name.into()), ..Config::default() };
    let part = parse_partial_goal("1 2 3/4 * */* * */* * */* * */* * *", None).unwrap();
    let part =
        |problem: Problem| Problem::with_partial_goal(problem.start().clone(), &part).unwrap();
    [
        Case {
            config: Config { metric: Metric::MultiTile, ..named("tile-classes") },
            problems: walked("2x5", 60).collect(),
            kind: "tile-classes",
        },
        Case {
            config: named("pdb"),
            problems: walked("3x6", 60).map(part).collect(),
            kind: "patterns",
        },
        Case {
            config: Config {
                algorithm: Some("idastar"),
                prune: Some("automaton=9".parse().unwrap()),
                metric: Metric::MultiTile,
                ..named("line-crossings")
            },
            problems: walked("2x5", 60).collect(),
            kind: "automaton",
        },
    ]
}

/// Returns an empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the path of the only table in `folder`.
fn table_in(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let tables: Vec<_> = files.filter(|path| path.extension().unwrap() == "pdb").collect();
    let [table] = tables.try_into().unwrap();
    table
}

impl Case {
    /// Solves all problems with a solver that stores tables in `store`. Returns the results that do not depend on how
    /// the tables are obtained, and the warnings.
    fn solve(&self, store: Store) -> (Vec<String>, Vec<Warning>) {
        let solver = Solver::new(Config { store, ..self.config.clone() }).unwrap();
        let result = |report: Report| {
            let (moves, stats) = (report.moves.unwrap(), report.stats);
            let counts = (stats.expanded, stats.generated, stats.iterations);
            format!(
                "{moves:?} {counts:?} {:?} {:?} {:?}",
                report.heuristic, report.tables, report.prune
            )
        };
        let reports = self.problems.iter().map(|problem| result(solver.solve(problem).unwrap()));
        (reports.collect(), solver.take_warnings())
    }
}

#[test]
fn stored_tables_give_the_same_results_and_counts() {
    for case in cases() {
        let cache = folder(&format!("kept_{}", case.kind));
        let known = case.solve(Store::disabled());
        assert_eq!(known.1, []);
        assert_eq!(case.solve(Store::new(&cache)), known);
        let file = table_in(&cache);
        let header = Store::new(&cache).list(&mut Meter::default()).unwrap().remove(0).state;
        assert_eq!(header.unwrap().contents.kind(), case.kind, "{file:?}");
        let written = fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(case.solve(Store::new(&cache)), known);
        assert_eq!(
            fs::metadata(&file).unwrap().modified().unwrap(),
            written,
            "the table was built again"
        );
    }
}

#[test]
fn counts_do_not_depend_on_the_tables_in_the_store() {
    let cache = folder("ladder");
    let config = Config { metric: Metric::MultiTile, ..Config::default() };
    let solve = || {
        let solver = Solver::new(Config { store: Store::new(&cache), ..config.clone() }).unwrap();
        let reports = walked("2x6", 90).map(|problem| solver.solve(&problem).unwrap());
        let result = |r: Report| (r.heuristic, r.tables, r.stats.expanded, r.stats.iterations);
        reports.map(result).collect::<Vec<_>>()
    };
    let cold = solve();
    table_in(&cache);
    assert_eq!(solve(), cold);
    for (heuristic, tables, expanded, _) in &cold {
        let easy = *heuristic == Some("line-crossings");
        assert_eq!((easy, easy), (tables.is_none(), *expanded <= 200_000), "{cold:?}");
    }
    assert!(cold.iter().any(|report| report.0 == Some("tile-classes")), "{cold:?}");
}

#[test]
fn damaged_tables_are_refused_and_rebuilt() {
    for case in cases() {
        let cache = folder(&format!("damaged_{}", case.kind));
        let (known, _) = case.solve(Store::new(&cache));
        let file = table_in(&cache);
        let valid = fs::read(&file).unwrap();
        let flipped = |at: usize| {
            let mut bytes = valid.clone();
            bytes[at] ^= 16;
            bytes
        };
        for (bytes, reason) in [
            (flipped(3), "it is not a table file"),
            (flipped(8), "version 17"),
            (flipped(20), "the checksum of its header"),
            (flipped(valid.len() - 9), "the checksum of its tables"),
            (valid[..valid.len() - 1].to_vec(), "truncated"),
            (valid[..20].to_vec(), "truncated"),
            ([&valid[..], b"x"].concat(), "longer than it should be"),
        ] {
            fs::write(&file, bytes).unwrap();
            let (found, warnings) = case.solve(Store::new(&cache));
            let [warning] = &warnings[..] else { panic!("{reason}: {warnings:?}") };
            assert!(warning.to_string().contains(reason), "{warning}");
            assert_eq!(found, known);
            assert!(fs::read(&file).unwrap() == valid, "the file is not the same as before");
        }
    }
}

/// Replaces the tables of `key` with tables of the constant `word`, with valid checksums.
fn forge<K: TableKey>(store: &Store, key: &K, word: u64) {
    let table = store.load(key, &mut Meter::default()).unwrap().expect("the table was stored");
    let piece = |words: &Cow<'_, [u64]>| {
        let mut piece = Words::zeroed(words.len()).unwrap();
        piece.fill(word);
        piece
    };
    let pieces = K::pieces(&table).iter().map(piece).collect();
    store.save(key, &key.restore(pieces, K::censuses(&table)).unwrap()).unwrap();
}

#[test]
fn forged_tables_lead_to_an_error_or_a_solution() {
    // An automaton cannot consist of equal words.
    for case in cases().into_iter().filter(|case| case.kind != "automaton") {
        let cache = folder(&format!("forged_{}", case.kind));
        let store = Store::new(&cache);
        case.solve(store.clone());
        let kept = store.list(&mut Meter::default()).unwrap().remove(0).state.unwrap();
        let mut errors = 0;
        for word in [0, u64::MAX, 0x5555_5555_5555_5555, 0x1234_5678_9abc_def0] {
            match &kept.contents {
                AnyTableKey::Patterns(key) => forge(&store, key, word),
                AnyTableKey::TileClasses(key) => forge(&store, key, word),
                AnyTableKey::Automaton(key) => panic!("{key:?} is excluded above"),
            }
            for algorithm in ["idastar", "astar"] {
                let algorithm = Some(algorithm);
                let mut config = Config { algorithm, store: store.clone(), ..case.config.clone() };
                config.limits.max_expanded = Some(10_000);
                let solver = Solver::new(config).unwrap();
                for problem in &case.problems {
                    let report = solver.solve(problem).unwrap();
                    errors += usize::from(report.status == Status::Stopped(Stop::Tables));
                    assert_eq!(report.moves.is_some(), report.status == Status::Solved);
                }
                assert_eq!(solver.take_warnings(), [], "the checksums are valid");
            }
        }
        assert!(errors >= 20, "{} errors", errors);
    }
}

#[test]
fn concurrent_requests_build_tables_once() {
    let cache = folder("once");
    let goal = Goal::BlankLast.board("2x5".parse().unwrap()).unwrap();
    let Some(AnyTableKey::TileClasses(classes)) = default_tables(&goal, Metric::MultiTile) else {
        panic!("boards of ten cells have tile classes")
    };
    let made = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let build = |classes: &_, meter: &mut Meter<'_>| {
                    made.fetch_add(1, Ordering::Relaxed);
                    Build::build(classes, meter)
                };
                let store = Store::new(&cache);
                let obtained = store.get_or_build(&classes, &mut Meter::default(), build).unwrap();
                assert_eq!(obtained.warnings, []);
            });
        }
    });
    assert_eq!(made.into_inner(), 1);
}

#[test]
fn tables_of_all_kinds_are_listed_verified_and_removed() {
    let cache = folder("listed");
    let store = Store::new(&cache);
    for case in cases() {
        case.solve(store.clone());
    }
    let kept = store.list(&mut Meter::default()).unwrap();
    let header = |kind: &str| {
        let mut headers = kept.iter().map(|file| &file.state.as_ref().unwrap().contents);
        headers.find(|contents| contents.kind() == kind).unwrap()
    };
    let (
        AnyTableKey::TileClasses(classes),
        AnyTableKey::Patterns(partition),
        AnyTableKey::Automaton(automaton),
    ) = (header("tile-classes"), header("patterns"), header("automaton"))
    else {
        panic!("{kept:?}")
    };
    fn wrong<K: Build>(store: &Store, key: &K) -> u64 {
        match store.verify(key, &mut Meter::default()).unwrap() {
            loyd::tables::Check::Compared(compared) => compared.wrong,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((wrong(&store, classes), wrong(&store, partition)), (0, 0));
    assert_eq!(wrong(&store, automaton), 0);
    // Store the rows of another automaton.
    let other = AutomatonKey::new(automaton.size(), automaton.metric(), 8).unwrap();
    assert!(store.save(automaton, &other.build(&mut Meter::default()).unwrap()).is_ok());
    assert!(wrong(&store, automaton) > 1000);
    assert!(store.remove(automaton).unwrap());
    forge(&store, classes, 1);
    forge(&store, partition, 1);
    assert!(wrong(&store, classes) > 1000 && wrong(&store, partition) > 1000);
    assert!(store.remove(partition).unwrap() && !store.remove(partition).unwrap());
    // Earlier versions had another name for tile classes; such files are recognized by their first bytes.
    let path = store.path(classes).unwrap();
    let earlier =
        cache.join(path.file_name().unwrap().to_str().unwrap().replace("tile-classes", "alike"));
    fs::copy(&path, &earlier).unwrap();
    assert_eq!(store.remove_all().unwrap(), (vec![earlier, path], Vec::new()));
}

#[test]
fn solvers_that_share_tables_do_not_rebuild_them() {
    for case in cases() {
        let cache = folder(&format!("shared_{}", case.kind));
        let first =
            Solver::new(Config { store: Store::new(&cache), ..case.config.clone() }).unwrap();
        first.solve(&case.problems[0]).unwrap();
        let file = table_in(&cache);
        fs::remove_file(&file).unwrap();
        let second = first.sharing(first.config().clone()).unwrap();
        let report = second.solve(&case.problems[1]).unwrap();
        assert!(report.tables.is_some() || report.prune == case.config.prune);
        assert!(!file.exists(), "the table was built again: {report:?}");
    }
}

/// The first stage solves the board without the automaton and without waiting for it.
#[test]
fn automaton_of_long_words_is_built_in_the_background() {
    let cache = folder("background");
    let config = Config {
        prune: Some("automaton=13".parse().unwrap()),
        threads: 2,
        store: Store::new(&cache),
        ..Config::default()
    };
    let solver = Solver::new(config).unwrap();
    let report = solver.solve(&walked("3x6", 20).next().unwrap()).unwrap();
    assert_eq!((report.heuristic, report.prune), (Some("linear-conflict"), Some(Prune::Undo)));
    let start = Instant::now();
    while !cache.join("3x6-automaton-13.pdb").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the automaton is not built");
        thread::sleep(Duration::from_millis(5));
    }
}
