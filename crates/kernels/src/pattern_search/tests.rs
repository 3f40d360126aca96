use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::TableKey;
use loyd_heuristics::pdb::{Orientation, Partition, PatternSum, Plain};
use loyd_search::{Automaton, CancelToken, Cost, Event, Iteration, Limits, Stats, idastar};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Cell, Metric, Size};

use super::engine::Engine;
use super::*;

pub fn fifteen() -> Size {
    Size::new(4, 4).unwrap()
}

pub fn database(text: &str, blank: u8) -> Arc<Database> {
    let partition = Partition::parse(text, fifteen(), blank).unwrap();
    Arc::new(Database::build::<Plain>(partition, &mut Meter::default()).unwrap())
}

/// The 6-6-3 database for goals with the blank first, built once.
fn database_663() -> &'static Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    DATABASE.get_or_init(|| database("6-6-3", 0))
}

impl PatternSearch {
    /// Returns the number of engines.
    fn engines(&self) -> usize {
        match &self.iterations {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(iterations) => iterations.engines.len(),
            Kernel::Portable(iterations) => iterations.engines.len(),
        }
    }

    /// Limits the parent links of the first engine.
    fn limit_links(&mut self, limit: usize) {
        match &mut self.iterations {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(iterations) => iterations.engines[0].links().limit = limit,
            Kernel::Portable(iterations) => iterations.engines[0].links().limit = limit,
        }
    }
}

/// Unpacks a board word.
pub fn position(board: u64) -> [u8; 16] {
    std::array::from_fn(|cell| (board >> (4 * cell)) as u8 & 15)
}

/// Knuth's linear congruential generator.
pub fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

fn moved(mut position: [u8; 16], blank: u8, m: Move) -> Option<[u8; 16]> {
    let at = position.iter().position(|&goal| goal == blank).unwrap();
    position.swap(at, fifteen().neighbour(Cell::new(at), m)?.index());
    Some(position)
}

/// Returns the position after `steps` random moves from the goal.
fn scrambled(seed: &mut u64, blank: u8, steps: usize) -> [u8; 16] {
    (0..steps).fold(position(Tables::GOAL), |position, _| {
        let moves: Vec<_> = Move::ALL.iter().filter_map(|&m| moved(position, blank, m)).collect();
        moves[random(seed, moves.len())]
    })
}

/// Solves `start` and replays the path. Returns its length and all iterations but the last.
fn solved(search: &mut PatternSearch, start: &[u8; 16]) -> (Cost, Vec<Iteration>) {
    let mut meter = Meter::default();
    let Outcome::Solved { path, cost } = search.solve(start, &mut meter) else {
        panic!("{start:?} has no answer");
    };
    let blank = search.tables.blank();
    let end = path.iter().fold(*start, |position, &m| moved(position, blank, m).unwrap());
    assert_eq!((end, path.len()), (position(Tables::GOAL), cost as usize));
    let mut iterations = meter.finish().iterations;
    assert_eq!(iterations.pop().unwrap().bound, cost);
    (cost, iterations)
}

fn levels(database: &Arc<Database>, threads: usize) -> Vec<PatternSearch> {
    pruned_levels(database, &MoveRows::no_undo(fifteen()), threads)
}

fn pruned_levels(database: &Arc<Database>, rows: &MoveRows, threads: usize) -> Vec<PatternSearch> {
    let level = |cpu| PatternSearch::new(database, rows, cpu, threads).unwrap();
    Cpu::available().map(level).collect()
}

fn automaton(words: u32) -> Automaton {
    let key = AutomatonKey::new(fifteen(), Metric::SingleTile, words).unwrap();
    key.build(&mut Meter::default()).unwrap()
}

fn rows_of(automaton: &Automaton) -> MoveRows {
    let rows = automaton.rows::<4>().unwrap().iter().copied();
    MoveRows::new(fifteen(), rows, (0..16).map(|cell| automaton.start(cell)).collect()).unwrap()
}

#[test]
fn all_levels_agree_on_a_thousand_boards() {
    let mut searches = levels(database_663(), 1);
    let mut seed = 15;
    for board in 0..1000 {
        let start = scrambled(&mut seed, 0, 60 + board % 200);
        let (first, others) = searches.split_first_mut().unwrap();
        let expected = solved(first, &start);
        for search in others {
            assert_eq!(solved(search, &start), expected, "{start:?}");
        }
    }
}

#[test]
fn compacting_parent_links_keeps_live_paths() {
    let mut searches = levels(database_663(), 1);
    for search in &mut searches {
        // So low that compaction happens every few expansions.
        search.limit_links(1 << 11);
    }
    let mut seed = 65;
    for board in 0..200 {
        let start = scrambled(&mut seed, 0, 100 + board);
        for search in &mut searches {
            solved(search, &start);
        }
    }
}

#[test]
fn iterations_equal_the_generic_search() {
    for blank in [0, 1, 5] {
        let database = database("5-5-5", blank);
        let mut numbers: Vec<u32> = (1..16).collect();
        numbers.insert(blank.into(), 0);
        let space = ArraySpace::<16>::new(&Board::new(fifteen(), &numbers).unwrap());
        let orientation = Orientation::new(space.relabelling()).unwrap();
        assert_eq!((orientation.blank(), orientation.to_canonical(Move::Up)), (blank, Move::Up));
        let sum = PatternSum::new(Arc::clone(&database), space.relabelling());
        let mut searches = [None, Some(automaton(2)), Some(automaton(10))].map(|automaton| {
            let rows = automaton.as_ref().map_or_else(|| MoveRows::no_undo(fifteen()), rows_of);
            (automaton, pruned_levels(&database, &rows, 1))
        });
        let mut seed = 100 + u64::from(blank);
        for _ in 0..40 {
            let start = scrambled(&mut seed, blank, 70);
            let tile = |&goal: &u8| numbers[usize::from(goal)];
            let board: Vec<u32> = start.iter().map(tile).collect();
            let state = space.encode(&Board::new(fifteen(), &board).unwrap());
            assert_eq!(orientation.position(&space, &state)[..16], start);
            for (pruner, searches) in &mut searches {
                let mut meter = Meter::default();
                let Outcome::Solved { cost, .. } =
                    idastar(&space, &sum, &pruner.as_ref(), &state, &mut meter)
                else {
                    panic!("a scrambled board has an answer");
                };
                let mut iterations = meter.finish().iterations;
                iterations.pop();
                for search in searches {
                    assert_eq!(solved(search, &start), (cost, iterations.clone()));
                }
            }
        }
    }
}

/// A board farther from the goal than most.
const HARD: [u8; 16] = [15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];

#[test]
fn threads_share_hard_boards() {
    let pruned = rows_of(&automaton(8));
    let alone = |rows| PatternSearch::new(database_663(), rows, Cpu::detect(), 1).unwrap();
    let [mut alone, mut pruned_alone] = [&MoveRows::no_undo(fifteen()), &pruned].map(alone);
    let mut seed = 80;
    let (start, expected) = loop {
        let start = scrambled(&mut seed, 0, 1000);
        let expected = solved(&mut alone, &start);
        if expected.1.last().is_some_and(|iteration| iteration.expanded > 1 << 18) {
            break (start, expected);
        }
    };
    let fewer = solved(&mut pruned_alone, &start);
    assert_eq!(fewer.0, expected.0);
    assert!(fewer.1.last().unwrap().expanded < expected.1.last().unwrap().expanded);
    for threads in [1, 2, 3] {
        for search in &mut levels(database_663(), threads) {
            assert_eq!(solved(search, &start), expected);
            assert_eq!(search.engines(), threads);
        }
        for search in &mut pruned_levels(database_663(), &pruned, threads) {
            assert_eq!(solved(search, &start), fewer);
        }
    }
}

fn limited(
    search: &mut PatternSearch,
    limits: Limits,
    cancel: &CancelToken,
) -> (Outcome<Move>, Stats) {
    let mut meter = Meter::new(limits, cancel.clone());
    let outcome = search.solve(&HARD, &mut meter);
    (outcome, meter.finish())
}

#[test]
fn limits_stop_the_search() {
    let never = CancelToken::new();
    let expanded = |limit| Limits { max_expanded: Some(limit), ..Limits::default() };
    for threads in [1, 2] {
        for search in &mut levels(database_663(), threads) {
            for limit in [0, 1, 7, 8, 1000, 100_000, 1_000_000] {
                let (outcome, stats) = limited(search, expanded(limit), &never);
                assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
                assert_eq!(stats.expanded, limit);
                let expanded: u64 =
                    stats.iterations.iter().map(|iteration| iteration.expanded).sum();
                assert_eq!(expanded, limit);
            }
            let depth = Limits { max_depth: Some(60), ..Limits::default() };
            assert_eq!(limited(search, depth, &never).0, Outcome::Stopped(Stop::Depth));
            let memory = Limits { max_bytes: Some(1 << 16), ..Limits::default() };
            assert_eq!(limited(search, memory, &never).0, Outcome::Stopped(Stop::Memory));
            let time = Limits { max_time: Some(Duration::from_millis(5)), ..Limits::default() };
            let (outcome, stats) = limited(search, time, &never);
            assert_eq!(outcome, Outcome::Stopped(Stop::Time));
            assert!(stats.elapsed >= Duration::from_millis(5));
            assert!(stats.peak_bytes < 20 << 20, "{} bytes", stats.peak_bytes);
            let cancelled = CancelToken::new();
            cancelled.cancel();
            assert_eq!(
                limited(search, Limits::default(), &cancelled).0,
                Outcome::Stopped(Stop::Cancelled)
            );
            solved(search, &scrambled(&mut 1, 0, 100));
        }
    }
}

#[test]
fn an_observer_can_stop_a_search() {
    for threads in [1, 2] {
        for search in &mut levels(database_663(), threads) {
            let (mut iterations, mut progress) = (Vec::new(), 0);
            let mut watch = |event: Event<'_>| {
                match event {
                    Event::Iteration(iteration) => iterations.push(iteration),
                    Event::Progress { expanded, .. } => progress = expanded,
                    _ => {}
                }
                if progress > 500_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let mut meter = Meter::default().with_observer(&mut watch);
            let outcome = search.solve(&HARD, &mut meter);
            let stats = meter.finish();
            assert_eq!(outcome, Outcome::Stopped(Stop::Cancelled));
            assert_eq!(stats.iterations, iterations);
            assert!(stats.expanded >= progress);
        }
    }
}

#[test]
fn solved_and_unsolvable_boards_need_no_search() {
    for blank in [0, 1, 5] {
        let database = database("5-5-5", blank);
        for search in &mut levels(&database, 1) {
            let goal = position(Tables::GOAL);
            let mut meter = Meter::default();
            assert_eq!(search.solve(&goal, &mut meter), Outcome::at_goal());
            let stats = meter.finish();
            assert_eq!((stats.expanded, stats.iterations.len()), (0, 1));
            let mut swapped = goal;
            swapped.swap(14, 15);
            assert_eq!(search.solve(&swapped, &mut Meter::default()), Outcome::Exhausted);
            // One move from the goal: the first iteration tests the solution.
            for m in Move::ALL {
                if let Some(start) = moved(goal, blank, m) {
                    assert_eq!(solved(search, &start).0, 1);
                }
            }
        }
    }
}

#[test]
fn unsupported_inputs_are_rejected() {
    let taken = |text, rows: &MoveRows| {
        PatternSearch::new(&database(text, 0), rows, Cpu::Scalar, 1).is_some()
    };
    let rows = MoveRows::no_undo(fifteen());
    assert!(taken("5-5-5", &rows));
    assert!(!taken("1,2,3,4/5,6,7,8/9,10,11,12/13,14,15", &rows));
    assert!(taken("5-5-5", &rows_of(&automaton(14))));
    assert!(!taken("5-5-5", &rows_of(&automaton(16))));
    for (width, height) in [(4, 3), (2, 8), (8, 2)] {
        let other = Size::new(width, height).unwrap();
        assert!(!taken("5-5-5", &MoveRows::no_undo(other)), "{other}");
    }
}

/// Returns the 6-6-3 database with one word in `every` corrupted.
fn corrupted(seed: &mut u64, every: usize) -> Arc<Database> {
    let mut file = Vec::new();
    loyd_heuristics::file::write(database_663().partition(), database_663(), &mut file).unwrap();
    let header = loyd_heuristics::file::Header::read(&mut &file[..]).unwrap();
    let words = database_663().words().iter().map(|&word| match random(seed, every) {
        0 => word ^ (random(seed, 1 << 31) as u64 * 0x1_0000_0001),
        _ => word,
    });
    let mut pieces =
        vec![loyd_heuristics::pdb::Words::zeroed(database_663().words().len()).unwrap()];
    pieces[0].iter_mut().zip(words).for_each(|(word, corrupted)| *word = corrupted);
    Arc::new(database_663().partition().restore(pieces, header.censuses).unwrap())
}

#[test]
fn corrupt_tables_give_an_error_or_a_valid_solution() {
    let (mut seed, mut errors) = (3, 0);
    for every in [1, 2, 1000] {
        let database = corrupted(&mut seed, every);
        for mut search in levels(&database, 2) {
            for board in 0..60 {
                let start = scrambled(&mut seed, 0, 10 + board * 2);
                let limits = Limits { max_expanded: Some(100_000), ..Limits::default() };
                let mut meter = Meter::new(limits, CancelToken::new());
                match search.solve(&start, &mut meter) {
                    Outcome::Solved { path, .. } => {
                        let step = |position, &m| moved(position, 0, m).unwrap();
                        assert_eq!(path.iter().fold(start, step), position(Tables::GOAL));
                    }
                    Outcome::Stopped(stop) => errors += u32::from(stop == Stop::Tables),
                    Outcome::Exhausted => panic!("the goal can be reached"),
                }
            }
        }
    }
    assert!(errors > 100, "{errors} errors");
}
