//! Benchmark of the kernel for the 24-puzzle against the generic search, alternating in one run.
//!
//! `taskset -c 1 cargo bench -p loyd-kernels --bench large_search` prints a Markdown table for pseudorandom boards,
//! each searched for a fixed number of expansions. Optional arguments after `--`, with their defaults: the maximum word
//! length of the automaton (12), the number of expansions of the kernel per board (10000000), and the number of threads
//! (1). The generic search expands a hundredth of that, and the scalar kernel a tenth.

use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loyd_heuristics::pdb::{Database, LargestSum, Partition, Plain};
use loyd_kernels::{Cpu, LargestSumSearch, MoveRows};
use loyd_search::{Automaton, CancelToken, Limits, Meter, Outcome, Stop, idastar};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Move, Random, Size};

const BOARDS: usize = 4;
const ROUNDS: usize = 5;

/// The goal cell of the tile or blank on each cell.
type Start = [u8; 25];
type Space = ArraySpace<64>;

/// Returns a random board with the blank on its goal cell and an even permutation of the tiles, which is solvable.
fn random_board(random: &mut Random) -> Start {
    let mut board: Start = std::array::from_fn(|cell| cell as u8);
    let mut swaps = 0;
    for cell in (2..board.len()).rev() {
        let other = 1 + (random.next_u64() % cell as u64) as usize;
        swaps += usize::from(other != cell);
        board.swap(cell, other);
    }
    if swaps % 2 == 1 {
        board.swap(1, 2);
    }
    board
}

/// Returns the total time and the number of nodes expanded.
fn run(
    boards: &[Start],
    most: u64,
    mut search: impl FnMut(&Start, &mut Meter<'_>) -> Outcome<Move>,
) -> (Duration, u64) {
    let (mut time, mut expanded) = (Duration::ZERO, 0);
    for board in boards {
        let limits = Limits { max_expanded: Some(most), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::default());
        let start_time = Instant::now();
        let outcome = search(board, &mut meter);
        time += start_time.elapsed();
        assert_eq!(outcome, Outcome::Stopped(Stop::Expanded), "{board:?} is too easy");
        expanded += meter.expanded();
    }
    (time, expanded)
}

fn main() {
    let arguments: Vec<u64> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .map(|word| word.parse().expect("a number"))
        .collect();
    let number = |place: usize, default| arguments.get(place).copied().unwrap_or(default);
    let (words, most, threads) =
        (number(0, 12) as u32, number(1, 10_000_000), number(2, 1) as usize);
    let size = Size::new(5, 5).expect("a size");
    let partition = Partition::parse("catalogue", size, 0).expect("a partition");
    let database = Database::build::<Plain>(partition, &mut Meter::default()).expect("tables");
    let database = Arc::new(database);
    let goal: Vec<u32> = (0..25).collect();
    let space = Space::new(&Board::new(size, &goal).expect("a board"));
    let automaton =
        Automaton::generate(&space, words, &mut Meter::default()).expect("enough memory");
    let rows = automaton.rows::<4>().expect("four moves").iter().copied();
    let starts = (0..25).map(|cell| automaton.start(cell)).collect();
    let rows = Arc::new(MoveRows::new(size, rows, starts).expect("an automaton"));
    let h = LargestSum::new(Arc::clone(&database), space.relabelling());

    let mut random = Random::new(24);
    let boards: Vec<Start> = (0..BOARDS).map(|_| random_board(&mut random)).collect();
    println!("| | expansions per second (median) | ratio to the generic search |\n|---|---|---|");
    let mut levels: Vec<(String, Vec<f64>)> = Vec::new();
    for _ in 0..ROUNDS {
        let mut measured = Vec::new();
        measured.push((
            "generic".to_owned(),
            run(&boards, most / 100, |start, meter| {
                let numbers: Vec<u32> = start.iter().map(|&goal| goal.into()).collect();
                let board = space.encode(&Board::new(size, &numbers).expect("a board"));
                idastar(&space, &h, &automaton, &board, meter)
            }),
        ));
        for cpu in Cpu::available() {
            let mut kernel = LargestSumSearch::new(&database, Arc::clone(&rows), cpu, threads)
                .expect("a kernel");
            let most = if cpu == Cpu::Scalar { most / 10 } else { most };
            measured.push((
                format!("kernel, {}", cpu.name()),
                run(&boards, most, |start, meter| kernel.solve(start, meter)),
            ));
        }
        for (place, (name, (time, expanded))) in measured.into_iter().enumerate() {
            if place == levels.len() {
                levels.push((name, Vec::new()));
            }
            levels[place].1.push(expanded as f64 / time.as_secs_f64());
        }
    }
    let mut generic = None;
    for (name, mut rates) in levels {
        rates.sort_by(f64::total_cmp);
        let median = rates[ROUNDS / 2];
        let against = median / *generic.get_or_insert(median);
        println!("| {name} | {:.2} M | {against:.1} |", median / 1e6);
    }
}
