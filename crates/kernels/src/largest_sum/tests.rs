use std::sync::OnceLock;
use std::time::Duration;

use loyd_heuristics::pdb::{LargestSum, Partition, Plain};
use loyd_search::{
    Automaton, CancelToken, Clock, Event, Iteration, Limits, NoUndo, PathPruner, idastar,
};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Cell, CellSet, Size};

use super::*;
use node::Child;
use steps::{Scalar, Steps};

type Space = ArraySpace<64>;

pub(super) fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn database(text: &str, board: &str) -> Arc<Database> {
    let partition = Partition::parse(text, size(board), 0).unwrap();
    Arc::new(Database::build::<Plain>(partition, &mut Meter::default()).unwrap())
}

/// Two partitions of small patterns for 5x5 boards, which are used for the transpose too.
pub(super) fn square() -> &'static Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    DATABASE.get_or_init(|| {
        let rows = "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,16/17,18,19,20/21,22,23,24";
        let blocks = "1,2,6,7/3,4,8,9/5,10,15,20/11,12,16,17/13,14,18,19/21,22,23,24";
        database(&format!("{rows}+{blocks}"), "5x5")
    })
}

/// Patterns of different numbers of tiles, on boards that are not square.
fn oblong() -> &'static Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    DATABASE.get_or_init(|| {
        let one = "1,2,3,4,5/6,7,8,9/10,11,12,13/14,15,16/17,18,19";
        let other = "1,4,5,8,9/2,3,6,7/10,11,14,15/12,13,16,17/18,19";
        database(&format!("{one}+{other}"), "4x5")
    })
}

/// One partition of small patterns, on boards with two columns.
fn long() -> &'static Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    DATABASE.get_or_init(|| database("1,2,3,4,5/6,7,8,9/10,11,12,13/14,15,16,17", "2x9"))
}

/// The maximum number of patterns, up to eight per tile.
pub(super) fn many() -> &'static Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    DATABASE.get_or_init(|| {
        let partitions = [
            "3,4,8,14,15/6,10,13,16/1,2,9,12/5,7,11,17",
            "6,11,14,16,17/4,5,12,13/1,7,10,15/2,3,8,9",
            "4,6,8,12,15/1,11,13,14/2,9,16,17/3,5,7,10",
            "1,12,15,16,17/5,6,13,14/7,8,9,11/2,3,4,10",
            "4,7,11,15,16/1,2,13,14/6,9,12,17/3,5,8,10",
            "3,7,8,13,15/4,5,12,17/2,6,9,10/1,11,14,16",
            "3,7,13,15,17/4,6,8,14/1,2,5,10/9,11,12,16",
            "6,10,13,16/5,7,11,14,15/1,4,8,17/2,3,9,12",
        ];
        database(&partitions.join("+"), "3x6")
    })
}

/// Returns a pseudorandom number below `below` (Knuth's 64-bit linear congruential generator).
pub(super) fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

/// Returns the end of a random walk of `steps` steps from the goal.
pub(super) fn scrambled(size: Size, seed: &mut u64, steps: usize) -> Vec<u8> {
    let mut start: Vec<u8> = (0..size.cells() as u8).collect();
    for _ in 0..steps {
        let at = start.iter().position(|&goal| goal == 0).unwrap();
        let to = size.neighbour(Cell::new(at), Move::ALL[random(seed, 4)]);
        start.swap(at, to.map_or(at, |to| to.index()));
    }
    start
}

pub(super) fn space(size: Size) -> Space {
    let goal: Vec<u32> = (0..size.cells() as u32).collect();
    Space::new(&Board::new(size, &goal).unwrap())
}

pub(super) fn search(
    database: &Arc<Database>,
    rows: &Arc<MoveRows>,
    cpu: Cpu,
    threads: usize,
) -> LargestSumSearch {
    LargestSumSearch::new(database, Arc::clone(rows), cpu, threads).unwrap()
}

/// Replays the path of an outcome to the goal. Returns its length and the complete iterations.
pub(super) fn checked(
    size: Size,
    start: &[u8],
    outcome: Outcome<Move>,
    mut iterations: Vec<Iteration>,
) -> (Cost, Vec<Iteration>) {
    let Outcome::Solved { path, cost } = outcome else { panic!("{start:?}: {outcome:?}") };
    let mut board = start.to_vec();
    for m in path {
        let at = board.iter().position(|&goal| goal == 0).unwrap();
        board.swap(at, size.neighbour(Cell::new(at), m).unwrap().index());
    }
    assert!(board.iter().copied().eq(0..size.cells() as u8));
    assert_eq!(iterations.pop().unwrap().bound, cost);
    (cost, iterations)
}

fn generic<P: PathPruner<Space>>(
    database: &Arc<Database>,
    pruner: &P,
    start: &[u8],
) -> (Cost, Vec<Iteration>) {
    let size = database.partition().size();
    let space = space(size);
    let h = LargestSum::new(Arc::clone(database), space.relabelling());
    let numbers: Vec<u32> = start.iter().map(|&goal| goal.into()).collect();
    let board = space.encode(&Board::new(size, &numbers).unwrap());
    let mut meter = Meter::default();
    let outcome = idastar(&space, &h, pruner, &board, &mut meter);
    checked(size, start, outcome, meter.finish().iterations)
}

pub(super) fn by_kernel(search: &mut LargestSumSearch, start: &[u8]) -> (Cost, Vec<Iteration>) {
    let mut meter = Meter::default();
    let outcome = search.solve(start, &mut meter);
    checked(search.runner.tables.size, start, outcome, meter.finish().iterations)
}

pub(super) fn rows_of(automaton: &Automaton, size: Size) -> Arc<MoveRows> {
    let rows = automaton.rows::<4>().unwrap().iter().copied();
    let starts = (0..size.cells()).map(|cell| automaton.start(cell)).collect();
    Arc::new(MoveRows::new(size, rows, starts).unwrap())
}

#[test]
fn iterations_equal_those_of_the_generic_search() {
    for database in [square(), oblong(), long(), many()] {
        let size = database.partition().size();
        let automaton = Automaton::generate(&space(size), 10, &mut Meter::default()).unwrap();
        let pruned = rows_of(&automaton, size);
        let plain = Arc::new(MoveRows::no_undo(size));
        let searches = |rows| Cpu::available().map(move |cpu| search(database, rows, cpu, 1));
        let mut plain_searches: Vec<_> = searches(&plain).collect();
        let mut pruned_searches: Vec<_> = searches(&pruned).collect();
        let mut seed = 24;
        for board in 0..500 {
            let start = scrambled(size, &mut seed, board % 140);
            let by_no_undo = generic(database, &NoUndo, &start);
            let by_automaton = generic(database, &automaton, &start);
            assert_eq!(by_no_undo.0, by_automaton.0);
            for search in &mut plain_searches {
                assert_eq!(by_kernel(search, &start), by_no_undo, "{start:?}");
            }
            for search in &mut pruned_searches {
                assert_eq!(by_kernel(search, &start), by_automaton, "{start:?}");
            }
        }
    }
}

#[test]
fn incremental_nodes_equal_nodes_from_scratch() {
    for database in [square(), oblong(), long(), many()] {
        let size = database.partition().size();
        let by_loads = Cpu::available().map(|cpu| (cpu, false));
        let by_gathers = Cpu::available().skip(1).map(|cpu| (cpu, true));
        for (cpu, gathers) in by_loads.chain(by_gathers) {
            let rows = Arc::new(MoveRows::no_undo(size));
            let mut search = search(database, &rows, cpu, 1);
            search.runner.tables.gathers = gathers;
            let goal: Vec<u8> = (0..size.cells() as u8).collect();
            let (mut node, sums) = search.runner.tables.root(&goal).unwrap();
            let count = search.runner.tables.sums.len();
            assert_eq!(sums, [0; SUMS]);
            node.automaton = rows.start(node.blank);
            let (mut engine, mut seed) = (Engine::new(), 1);
            for step in 0..200 {
                node.slack = [120; SUMS];
                let (_, before) = search.runner.tables.root(&node.board[..size.cells()]).unwrap();
                let mut children = Vec::new();
                let mut keep = |child: &Node| children.push(child.clone());
                search.runner.expand_batch(&mut engine, &rows, &[node.clone()], &mut keep);
                node = children.swap_remove(random(&mut seed, children.len()));
                let (fresh, after) =
                    search.runner.tables.root(&node.board[..size.cells()]).unwrap();
                let lanes = search.runner.tables.lanes.len();
                assert_eq!(node.masks[..lanes], fresh.masks[..lanes]);
                assert_eq!(node.ranks[..lanes], fresh.ranks[..lanes]);
                assert_eq!((node.bits, node.parities), (fresh.bits, fresh.parities));
                assert_eq!(node.blank, fresh.blank);
                for sum in 0..count {
                    // Half of the growth of f.
                    let grown = 120 - node.slack[sum] as u32;
                    assert_eq!(after[sum] + 1, before[sum] + 2 * grown, "step {step}");
                }
                node.depth %= 100;
            }
        }
    }
}

/// Six tiles leave up to six regions, so that the numbers of the smaller ones take three bits.
#[test]
fn fixed_up_layouts_have_the_numbers_of_the_tables() {
    let database = database("1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17", "3x6");
    let tables = Tables::new(&database).unwrap();
    let lanes = &tables.tiles[1];
    let own = &tables.lanes[lanes.lanes.0[0] as usize];
    let coordinates = database.parts()[own.part].coordinates();
    let (mut numbers, mut sets) = (Vec::new(), 0);
    for mask in (0..1_u32 << 18).filter(|mask| mask.count_ones() == 6) {
        for blank in (0..18_u8).filter(|&cell| mask >> own.images[usize::from(cell)] & 1 == 0) {
            let image = own.images[usize::from(blank)];
            let mut child = Child { tile: 1, blank, ..Child::EMPTY };
            (child.q[0], child.words[0]) = (sets, 1_000_000 + sets / 32);
            child.off_region = Scalar.off_region(&tables, &child) & 1;
            tables.fix_up(&mut child);
            let q = coordinates.q(CellSet::from_bits(mask.into()), image);
            assert_eq!((child.q[0], child.words[0]), (q, 1_000_000 + q / 32), "{mask:b} {image}");
            assert_eq!(child.off_region == 1, q != sets);
            numbers.push(q);
        }
        sets += 1;
    }
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), coordinates.layouts().len());
}

#[test]
fn counts_do_not_depend_on_threads_and_interruptions() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let mut seed = 77;
    for board in 0..6 {
        let start = scrambled(size, &mut seed, 130 + board);
        let expected = by_kernel(&mut search(square(), &rows, Cpu::detect(), 1), &start);
        for threads in [2, 3] {
            let mut search = search(square(), &rows, Cpu::detect(), threads);
            assert_eq!(by_kernel(&mut search, &start), expected);
        }
        let total: u64 = expected.1.iter().map(|iteration| iteration.expanded).sum();
        let slices = [1, 7, 1000, total / 9 + 1];
        for slice in slices.into_iter().filter(|slice| total / slice < 300) {
            for threads in [1, 2] {
                let mut search = search(square(), &rows, Cpu::detect(), threads);
                assert_eq!(in_slices(&mut search, &start, slice), expected, "{slice} {threads}");
            }
        }
    }
}

/// Solves a board by repeated searches of at most `slice` expansions, each of which resumes the last one.
fn in_slices(search: &mut LargestSumSearch, start: &[u8], slice: u64) -> (Cost, Vec<Iteration>) {
    let mut progress = Progress::default();
    loop {
        let limits = Limits { max_expanded: Some(slice), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let mut saved = progress.clone();
        let outcome = search.resume(start, &mut progress.clone(), &mut meter, &mut |now| {
            saved = now.clone();
        });
        if let Outcome::Solved { cost, .. } = outcome {
            // The saved progress includes the iterations of all earlier slices.
            let mut iterations = saved.iterations;
            iterations.retain(|&(bound, ..)| bound < cost);
            let iteration = |(bound, expanded, generated)| Iteration { bound, expanded, generated };
            return (cost, iterations.into_iter().map(iteration).collect());
        }
        assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
        assert_ne!(progress, saved);
        progress = saved;
    }
}

#[test]
fn complete_iterations_are_never_repeated_after_a_stop() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let start = scrambled(size, &mut 77, 300);
    let expected = by_kernel(&mut search(square(), &rows, Cpu::detect(), 1), &start);
    let mut search = search(square(), &rows, Cpu::detect(), 1);
    let (mut progress, mut stops) = (Progress::default(), 0);
    let cost = loop {
        // Cancels at the first progress event, after a slice. Most iterations end within their first slice.
        let mut observer = |event: Event<'_>| match event {
            Event::Progress { .. } => Break(()),
            _ => Continue(()),
        };
        let mut meter = Meter::default().with_observer(&mut observer);
        let mut saved = progress.clone();
        let outcome = search.resume(&start, &mut progress.clone(), &mut meter, &mut |now| {
            saved = now.clone();
        });
        let before = std::mem::replace(&mut progress, saved);
        if let Outcome::Solved { cost, .. } = outcome {
            break cost;
        }
        assert_eq!(outcome, Outcome::Stopped(Stop::Cancelled));
        assert_ne!(before, progress);
        stops += 1;
    };
    let iterations = progress.iterations.iter();
    let iterations =
        iterations.map(|&(bound, expanded, generated)| Iteration { bound, expanded, generated });
    assert_eq!((cost, iterations.collect()), expected);
    assert!(stops > 5, "{stops}");
}

#[test]
fn searches_stop_at_limits_and_cancellation() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let start: Vec<u8> = (0..25).map(|cell| (cell * 7 + 3) % 25).collect();
    let solvable = search(square(), &rows, Cpu::detect(), 2).is_solvable(&start);
    let start = if solvable { start } else { swapped(start) };
    let token = CancelToken::new();
    token.cancel();
    let mut search = search(square(), &rows, Cpu::detect(), 2);
    let outcome = search.solve(&start, &mut Meter::new(Limits::default(), token));
    assert_eq!(outcome, Outcome::Stopped(Stop::Cancelled));
    let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
    let mut meter = Meter::with_clock(Clock::system(), limits, CancelToken::new());
    assert_eq!(search.solve(&start, &mut meter), Outcome::Stopped(Stop::Time));
    let unsolvable = swapped(start);
    assert_eq!(search.solve(&unsolvable, &mut Meter::default()), Outcome::Exhausted);
}

/// Returns the board with two tiles exchanged.
fn swapped(mut start: Vec<u8>) -> Vec<u8> {
    let tiles: Vec<usize> = (0..start.len()).filter(|&cell| start[cell] != 0).collect();
    start.swap(tiles[0], tiles[1]);
    start
}

#[test]
fn rows_that_lead_off_the_board_are_rejected() {
    let size = size("4x5");
    let plain = MoveRows::no_undo(size);
    let starts: Vec<u32> = (0..20).map(|cell| plain.start(cell)).collect();
    let with = |step: usize, next: u32| {
        let mut rows = plain.rows().to_vec();
        rows[starts[0] as usize][step] = next;
        MoveRows::new(size, rows.into_iter(), starts.clone())
    };
    let same = plain.rows()[starts[0] as usize][2];
    assert_eq!(with(2, same).map(|again| again.rows() == plain.rows()), Some(true));
    for (step, next) in [(0, starts[4]), (2, starts[5]), (2, 16 * 20)] {
        assert!(with(step, next).is_none(), "{step} {next}");
    }
}

#[test]
fn shares_add_up_to_the_iterations_of_one_search() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let (mut seed, mut divided) = (5, 0);
    for moves in [0, 20, 150, 200, 210, 220] {
        let start = scrambled(size, &mut seed, moves);
        let expected = by_kernel(&mut search(square(), &rows, Cpu::detect(), 1), &start);
        for count in [1, 2, 3, 7] {
            let (mut least, mut sums) = (Cost::MAX, vec![(0, 0); expected.1.len()]);
            for index in 0..count {
                let shard = Some(ShardId { index, count });
                let mut search = search(square(), &rows, Cpu::detect(), 2).with_shard(shard);
                let (mut progress, mut meter) = (Progress::default(), Meter::default());
                let outcome = search.resume(&start, &mut progress, &mut meter, &mut |_| {});
                let Outcome::Solved { cost, .. } = outcome else { panic!("{outcome:?}") };
                least = least.min(cost);
                for (sum, iteration) in sums.iter_mut().zip(progress.iterations) {
                    *sum = (sum.0 + iteration.1, sum.1 + iteration.2);
                }
            }
            assert_eq!(least, expected.0, "{count}");
            let iterations =
                expected.1.iter().map(|iteration| (iteration.expanded, iteration.generated));
            assert!(iterations.eq(sums), "{count}");
        }
        divided += usize::from(expected.1.iter().any(|iteration| iteration.expanded > 20_000));
    }
    assert!(divided > 0, "no iteration was divided");
}

#[test]
fn unsupported_tables_and_rows_are_rejected() {
    let some = |patterns: [&[u8]; 3]| {
        let patterns = patterns.map(<[u8]>::to_vec).to_vec();
        Partition::of_some_tiles(size("4x5"), 0, patterns).unwrap()
    };
    let one = some([&[1, 2, 3, 4], &[5, 6, 7, 8], &[9]]);
    let other = some([&[10, 11, 12, 13], &[14, 15, 16, 17], &[18, 19]]);
    let both = Partition::largest_of(vec![one, other]).unwrap();
    assert!(!LargestSumSearch::supports(&both), "a tile is in one sum only");
    for (text, board, is_supported) in [
        ("1,2,3,4,5,6,7,8/9,10,11,12,13,14,15,16,17", "3x6", false),
        ("1,2,3,4,5,6,7,8/9,10,11,12,13,14,15,16/17", "3x6", true),
        ("1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17", "1x18", false),
        ("1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17", "2x9", true),
        ("1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17", "6x3", false),
        // More than 8 GiB.
        ("1,2,3,4,5,6,7,8/9,10,11,12,13,14,15,16/17,18,19,20,21,22,23,24", "5x5", false),
    ] {
        let partition = Partition::parse(text, size(board), 0).unwrap();
        assert_eq!(LargestSumSearch::supports(&partition), is_supported, "{text} on {board}");
    }
    let rows = |board| Arc::new(MoveRows::no_undo(size(board)));
    let new = |rows| LargestSumSearch::new(oblong(), rows, Cpu::detect(), 1);
    assert!(new(rows("4x5")).is_some() && new(rows("2x10")).is_none());
}

/// Returns whether a search resumes `progress`.
pub(super) fn accepts(search: &mut LargestSumSearch, start: &[u8], progress: &Progress) -> bool {
    let limits = Limits { max_expanded: Some(1), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    let outcome = search.resume(start, &mut progress.clone(), &mut meter, &mut |_| {});
    outcome != Outcome::Stopped(Stop::Tables)
}

#[test]
fn progress_of_another_search_is_rejected() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let start = scrambled(size, &mut 9, 150);
    let mut search = search(square(), &rows, Cpu::detect(), 1);
    let limits = Limits { max_expanded: Some(100), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    let mut saved = Progress::default();
    let mut keep = |now: &Progress| saved = now.clone();
    let outcome = search.resume(&start, &mut Progress::default(), &mut meter, &mut keep);
    assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
    assert!(accepts(&mut search, &start, &saved));
    assert!(accepts(&mut search, &start, &Progress::default()));
    assert!(!saved.pending.is_empty());
    let change: [fn(&mut Progress); 7] = [
        |progress| progress.bound += 1,
        |progress| progress.bound += 2,
        |progress| progress.iterations.push((2, 1, 1)),
        |progress| progress.pending[0].automaton ^= 16,
        |progress| progress.pending[0].automaton = u32::MAX,
        |progress| progress.pending[0].moves = vec![Move::ALL[0]; 5],
        |progress| progress.pending[0].moves = Move::ALL[1..3].repeat(1000),
    ];
    for (number, change) in change.into_iter().enumerate() {
        let mut changed = saved.clone();
        change(&mut changed);
        assert!(!accepts(&mut search, &start, &changed), "{number}");
    }
}
