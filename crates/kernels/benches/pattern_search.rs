//! Benchmark of the kernels of the pattern-database search against the generic search, alternating in one run.
//!
//! `taskset -c 1 cargo bench -p loyd-kernels --bench pattern_search` prints a Markdown table for pseudorandom boards.
//! Optional arguments after `--`:
//!
//! 1. partitions (default `6-6-3,7-7-1`);
//! 2. a file of boards, with the blank first in the goal (`id length t0 … t15` per line), in place of pseudorandom
//!    ones;
//! 3. the number of threads (default 1);
//! 4. the maximum word length of the automaton, or 0 for no automaton (default 0);
//! 5. anything: skips the generic search, which is also skipped with more than one thread.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::pdb::{Partition, PatternSum};
use loyd_kernels::{Cpu, MoveRows, PatternSearch, build_patterns};
use loyd_search::{Automaton, Meter, Outcome, idastar, replay};
use loyd_tiles::{Board, BoardSpace, Goal, Metric, Move, Packed4x4, Size};

const BOARDS: usize = 100;
const ROUNDS: usize = 5;

/// The goal cell of the tile or blank on each cell.
type Start = [u8; 16];

/// Returns the next pseudorandom number: SplitMix64 (Steele, Lea and Flood, 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns a random board with the blank on its goal cell and an even permutation of the tiles, which is solvable.
fn random_board(seed: &mut u64) -> Start {
    let mut board: Start = std::array::from_fn(|cell| cell as u8);
    let mut swaps = 0;
    for cell in (2..16).rev() {
        let other = 1 + (random(seed) % cell as u64) as usize;
        swaps += usize::from(other != cell);
        board.swap(cell, other);
    }
    if swaps % 2 == 1 {
        board.swap(1, 2);
    }
    board
}

fn read(path: &str) -> Vec<Start> {
    let text = fs::read_to_string(path).expect("a file of boards");
    let board = |line: &str| {
        let tiles: Vec<u8> =
            line.split(' ').skip(2).map(|word| word.parse().expect(line)).collect();
        tiles.try_into().expect("sixteen tiles")
    };
    text.lines().map(board).collect()
}

/// Totals over all boards.
struct Run {
    moves: u64,
    complete: u64,
    time: Duration,
}

fn run(
    space: &Packed4x4,
    boards: &[Start],
    mut search: impl FnMut(&Start, &mut Meter<'_>) -> Outcome<Move>,
) -> Run {
    let mut run = Run { moves: 0, complete: 0, time: Duration::ZERO };
    for board in boards {
        let start = Instant::now();
        let mut meter = Meter::default();
        let outcome = search(board, &mut meter);
        run.time += start.elapsed();
        let Outcome::Solved { path, cost } = outcome else { panic!("{board:?} has no solution") };
        assert_eq!(replay(space, &state(space, board), &path), Ok(cost));
        run.moves += u64::from(cost);
        run.complete += meter.finish().expanded_complete();
    }
    run
}

fn state(space: &Packed4x4, position: &Start) -> <Packed4x4 as loyd_search::StateSpace>::State {
    let numbers = position.map(u32::from);
    space.encode(&Board::new(size(), &numbers).expect("a board"))
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let argument = |index: usize| arguments.get(index).map(String::as_str);
    let boards = match argument(1) {
        Some(path) => read(path),
        None => {
            let mut seed = 15;
            (0..BOARDS).map(|_| random_board(&mut seed)).collect()
        }
    };
    let threads: usize = argument(2).map_or(1, |word| word.parse().expect("a number of threads"));
    let words: u32 = argument(3).map_or(0, |word| word.parse().expect("a number of moves"));
    let automaton = (words > 0).then(|| automaton(words));
    let generic = threads == 1 && argument(4).is_none();
    println!(
        "| tables | boards | moves | expanded in complete iterations | search | ms per board |"
    );
    println!("|---|---|---|---|---|---|");
    for name in argument(0).unwrap_or("6-6-3,7-7-1").split(',') {
        compare(name, &boards, threads, automaton.as_ref(), generic);
    }
}

fn size() -> Size {
    Size::new(4, 4).expect("a size")
}

fn automaton(words: u32) -> Automaton {
    let key = AutomatonKey::new(size(), Metric::SingleTile, words).expect("words of that length");
    key.build(&mut Meter::default()).expect("no limit is set")
}

fn rows(automaton: &Automaton) -> MoveRows {
    let rows = automaton.rows::<4>().expect("four moves").iter().copied();
    MoveRows::new(size(), rows, (0..16).map(|cell| automaton.start(cell)).collect()).expect("rows")
}

fn compare(
    name: &str,
    boards: &[Start],
    threads: usize,
    automaton: Option<&Automaton>,
    generic: bool,
) {
    let size = size();
    let goal = Goal::BlankFirst.board(size).expect("a goal");
    let partition = Partition::parse(name, size, 0).expect("a partition");
    let database =
        build_patterns(partition, Cpu::detect(), &mut Meter::default()).expect("no limit is set");
    let database = Arc::new(database);
    let space = Packed4x4::new(&goal);
    let sum = PatternSum::new(Arc::clone(&database), space.relabelling());
    let rows = automaton.map_or_else(|| MoveRows::no_undo(size), rows);
    let search =
        |cpu| PatternSearch::new(&database, &rows, cpu, threads).expect("supported tables");
    let mut kernels: Vec<_> = [Cpu::Scalar, Cpu::Avx512]
        .into_iter()
        .filter(|&cpu| cpu <= Cpu::detect())
        .map(|cpu| (cpu, search(cpu)))
        .collect();
    let mut times = vec![Vec::new(); 1 + kernels.len()];
    let mut answer = None;
    for _ in 0..ROUNDS {
        let plain = generic.then(|| {
            run(&space, boards, |board, meter| {
                idastar(&space, &sum, &automaton, &state(&space, board), meter)
            })
        });
        let kernels = kernels.iter_mut().map(|(_, search)| {
            Some(run(&space, boards, |board, meter| search.solve(board, meter)))
        });
        for (times, run) in times.iter_mut().zip([plain].into_iter().chain(kernels)) {
            let Some(run) = run else { continue };
            let found = (run.moves, run.complete);
            assert_eq!(*answer.get_or_insert(found), found, "{name}: searches differ");
            times.push(run.time);
        }
    }
    let (moves, complete) = answer.expect("a search");
    let names = ["generic"].into_iter().chain(kernels.iter().map(|(cpu, _)| cpu.name()));
    for (search, times) in names.zip(&mut times) {
        times.sort_unstable();
        let Some(median) = times.get(times.len() / 2) else { continue };
        let (n, time) = (boards.len(), 1e3 * median.as_secs_f64() / boards.len() as f64);
        println!(
            "| {name} | {n} | {moves} | {complete} | {search}, {threads} threads | {time:.3} |"
        );
    }
}
