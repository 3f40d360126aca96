//! Benchmark of searches in slides: building the tile-class table, and IDA* with it, kernel and generic search
//! alternating in one run.
//!
//! `taskset -c 1 cargo bench -p loyd-kernels --bench tile_classes` prints a Markdown table for pseudorandom boards.
//! Optional arguments after `--`, where `-` is the default:
//!
//! 1. the size (`3x5`; default 4x4);
//! 2. the classes (`aaaabbbbccccdddd`);
//! 3. a file of boards, with the blank first in the goal (`id length t0 … t15` per line; default pseudorandom boards);
//! 4. the number of rounds (default 3);
//! 5. anything else: skips the generic search on 4x4 boards.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use loyd_heuristics::pdb::tile_classes::{TileClassDistance, TileClassTable, TileClasses};
use loyd_kernels::TileClassSearch;
use loyd_search::{Meter, NoUndo, Outcome, Stats, idastar, replay};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Goal, Packed4x4, Size, Slide, Slides, StepSpace};

const BOARDS: usize = 100;

/// Returns the next pseudorandom number: SplitMix64 (Steele, Lea and Flood, 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns a random board with the blank on its goal cell and an even permutation of the tiles, which is solvable.
fn random_board(size: Size, seed: &mut u64) -> Board {
    let mut board: Vec<u32> = (0..size.cells() as u32).collect();
    let mut swaps = 0;
    for cell in (2..board.len()).rev() {
        let other = 1 + (random(seed) % cell as u64) as usize;
        swaps += usize::from(other != cell);
        board.swap(cell, other);
    }
    if swaps % 2 == 1 {
        board.swap(1, 2);
    }
    Board::new(size, &board).expect("a board")
}

fn read(path: &str) -> Vec<Board> {
    let text = fs::read_to_string(path).expect("a file of boards");
    let board = |line: &str| {
        let tiles: Vec<u32> =
            line.split(' ').skip(2).map(|word| word.parse().expect(line)).collect();
        Board::new(Size::FIFTEEN, &tiles).expect(line)
    };
    text.lines().map(board).collect()
}

/// Totals over all boards.
#[derive(Default)]
struct Run {
    slides: u64,
    complete: u64,
    expanded: u64,
    time: Duration,
    worst: Duration,
}

fn run<S: StepSpace>(
    space: &Slides<S>,
    boards: &[Board],
    mut search: impl FnMut(&S::State, &mut Meter<'_>) -> Outcome<Slide>,
) -> Run {
    let mut run = Run::default();
    for board in boards {
        let state = space.encode(board);
        let start = Instant::now();
        let mut meter = Meter::default();
        let outcome = search(&state, &mut meter);
        let time = start.elapsed();
        let Outcome::Solved { path, cost } = outcome else { panic!("{board} has no solution") };
        assert_eq!(replay(space, &state, &path), Ok(cost));
        let stats: Stats = meter.finish();
        run.slides += u64::from(cost);
        run.complete += stats.expanded_complete();
        run.expanded += stats.expanded;
        run.time += time;
        run.worst = run.worst.max(time);
    }
    run
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let argument =
        |index: usize| arguments.get(index).map(String::as_str).filter(|&word| word != "-");
    let size: Size = argument(0).map_or(Size::FIFTEEN, |word| word.parse().expect("a size"));
    let boards = match argument(2) {
        Some(path) => read(path),
        None => {
            let mut seed = 15;
            (0..BOARDS).map(|_| random_board(size, &mut seed)).collect()
        }
    };
    let rounds: usize = argument(3).map_or(3, |word| word.parse().expect("a number of rounds"));
    let goal = Goal::BlankFirst.board(size).expect("a goal");
    let classes = match argument(1) {
        Some(letters) => TileClasses::new(size, 0, letters),
        None => TileClasses::default_for(size, 0).expect("a size at most as wide as high"),
    };
    let start = Instant::now();
    let table = TileClassTable::build(classes, &mut Meter::default()).expect("no limit is set");
    let (seconds, megabytes) = (start.elapsed().as_secs_f64(), table.bytes() as f64 / 1e6);
    println!(
        "{}: {megabytes:.1} MB, built in {seconds:.2} s, {:?}",
        table.classes(),
        table.census()
    );
    println!();
    println!(
        "| search | boards | slides | expanded in complete iterations | expanded per board | ms per board | worst |"
    );
    println!("|---|---|---|---|---|---|---|");
    let table = Arc::new(table);
    if size == Size::FIFTEEN {
        let space = Slides::new(Packed4x4::new(&goal));
        let heuristic = TileClassDistance::new(table, space.relabelling());
        let mut kernel = TileClassSearch::new(&heuristic).expect("a kernel for 4x4 boards");
        let mut kernel = |start: &_, meter: &mut Meter<'_>| kernel.solve(&space, start, meter);
        let mut generic =
            |start: &_, meter: &mut Meter<'_>| idastar(&space, &heuristic, &NoUndo, start, meter);
        let mut searches: Vec<Search<'_, _>> = vec![("kernel", &mut kernel)];
        if argument(4).is_none() {
            searches.push(("generic", &mut generic));
        }
        compare(&space, &boards, rounds, &mut searches);
    } else {
        let space = Slides::new(ArraySpace::<16>::new(&goal));
        let heuristic = TileClassDistance::new(table, space.relabelling());
        let mut generic =
            |start: &_, meter: &mut Meter<'_>| idastar(&space, &heuristic, &NoUndo, start, meter);
        compare(&space, &boards, rounds, &mut [("generic", &mut generic)]);
    }
}

type Search<'a, S> = (&'a str, &'a mut dyn FnMut(&S, &mut Meter<'_>) -> Outcome<Slide>);

fn compare<S: StepSpace>(
    space: &Slides<S>,
    boards: &[Board],
    rounds: usize,
    searches: &mut [Search<'_, S::State>],
) {
    let mut runs: Vec<Vec<Run>> = searches.iter().map(|_| Vec::new()).collect();
    let mut answer = None;
    for _ in 0..rounds {
        for ((_, search), runs) in searches.iter_mut().zip(&mut runs) {
            let run = run(space, boards, |start, meter| search(start, meter));
            let found = (run.slides, run.complete);
            assert_eq!(*answer.get_or_insert(found), found, "searches differ");
            runs.push(run);
        }
    }
    let n = boards.len() as f64;
    for ((name, _), runs) in searches.iter().zip(&mut runs) {
        runs.sort_unstable_by_key(|run| run.time);
        let Run { slides, complete, expanded, time, worst } = &runs[runs.len() / 2];
        let (ms, worst) = (1e3 * time.as_secs_f64() / n, 1e3 * worst.as_secs_f64());
        let (all, expanded) = (boards.len(), *expanded as f64 / n);
        println!(
            "| {name} | {all} | {slides} | {complete} | {expanded:.0} | {ms:.2} | {worst:.0} |"
        );
    }
}
