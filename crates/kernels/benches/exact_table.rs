//! Benchmarks of exact tables: building them at each instruction level, on one thread and on all threads, and solving
//! boards with them.
//!
//! `taskset -c 1 cargo bench -p loyd-kernels --bench exact_table` prints two Markdown tables. Arguments are sizes, as
//! in `-- 3x4`. Times are medians in seconds over rounds in which the rows alternate. The depth of each table and the
//! number of states at that depth are compared with known values, and every solution is replayed.

use std::sync::Arc;
use std::time::Instant;

use loyd_heuristics::pdb::Orientation;
use loyd_kernels::{Cpu, ExactDistance, ExactTable};
use loyd_search::{Meter, Rankable, replay};
use loyd_tiles::{ArraySpace, ArrayState, BoardSpace, Goal, Move};
use rayon::{ThreadPool, ThreadPoolBuilder};

const ROUNDS: usize = 9;
const BOARDS: usize = 100_000;

/// Per size: the depth, and the number of states at that depth.
const KNOWN: [(&str, usize, u64); 4] =
    [("3x3", 31, 2), ("2x5", 55, 2), ("3x4", 53, 18), ("2x6", 80, 2)];

/// Returns the next pseudorandom number: SplitMix64 (Steele, Lea and Flood, 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn space(size: &str) -> ArraySpace<16> {
    let size = size.parse().expect("a size");
    ArraySpace::new(&Goal::BlankLast.board(size).expect("every size has this goal"))
}

/// Builds the table of `size` at each instruction level and number of threads, prints the times, and returns a table.
fn build(size: &str) -> ExactTable {
    let orientation = Orientation::new(space(size).relabelling()).expect("a small board");
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let configurations = |threads: usize| Cpu::available().map(move |cpu| (cpu, pool(threads)));
    let configurations: Vec<(Cpu, ThreadPool)> =
        [1, all].into_iter().take(all.min(2)).flat_map(configurations).collect();
    let mut seconds = vec![Vec::new(); configurations.len()];
    let mut last = None;
    for _ in 0..ROUNDS {
        for ((cpu, pool), seconds) in configurations.iter().zip(&mut seconds) {
            let mut meter = Meter::default();
            let start = Instant::now();
            let table = pool.install(|| ExactTable::build(&orientation, *cpu, &mut meter));
            seconds.push(start.elapsed().as_secs_f64());
            let (table, held) = (table.expect("no limits"), meter.finish().peak_bytes);
            let known = KNOWN.iter().find(|known| known.0 == size);
            let farthest = table.census()[table.census().len() - 1];
            let right = known
                .is_none_or(|known| (known.1, known.2) == (table.census().len() - 1, farthest));
            assert!(right, "{size} on {cpu}: {:?}", table.census());
            last = Some((table, held, farthest));
        }
    }
    let (table, held, farthest) = last.expect("there is at least one round");
    for ((cpu, pool), seconds) in configurations.iter().zip(seconds) {
        let (threads, seconds) = (pool.current_num_threads(), median(seconds));
        let (states, depth) = (table.census().iter().sum::<u64>(), table.depth());
        let bytes = table.bytes();
        println!(
            "| {size} | {cpu} | {threads} | {seconds:.4} | {bytes} | {held} | {states} | {depth} ({farthest}) |"
        );
    }
    table
}

/// Solves random boards one by one and in a batch, and prints the times.
fn answer(size: &str, table: ExactTable) {
    let space = space(size);
    let (depth, mean) = (table.depth(), table.mean());
    let exact = ExactDistance::new(Arc::new(table), space.relabelling());
    let count = space.state_count().expect("a small board");
    let mut seed = 12;
    let boards: Vec<ArrayState<16>> =
        (0..BOARDS).map(|_| space.unrank(random(&mut seed) % count)).collect();
    let mut seconds = [Vec::new(), Vec::new()];
    let mut paths: Vec<Vec<Move>> = vec![Vec::new(); BOARDS];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let moves: usize = boards.iter().map(|board| exact.path(&space, board).len()).sum();
        seconds[0].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        exact.paths(&space, &boards, |board, path| paths[board] = path.to_vec());
        seconds[1].push(start.elapsed().as_secs_f64());
        assert_eq!(paths.iter().map(Vec::len).sum::<usize>(), moves);
    }
    for (board, path) in boards.iter().zip(&paths) {
        assert_eq!(replay(&space, board, path), Ok(path.len() as u32));
    }
    let moves: usize = paths.iter().map(Vec::len).sum();
    let [alone, together] = seconds.map(median);
    let drawn = moves as f64 / BOARDS as f64;
    println!(
        "| {size} | {BOARDS} | {alone:.4} | {together:.4} | {drawn:.3} | {mean:.3} | {depth} |"
    );
}

fn main() {
    let mut sizes: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if sizes.is_empty() {
        sizes = KNOWN.map(|known| known.0.to_owned()).to_vec();
    }
    println!(
        "| size | instructions | threads | seconds | bytes | bytes held | states | depth (states) |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let tables: Vec<_> = sizes.iter().map(|size| (size, build(size))).collect();
    println!(
        "\n| size | boards | one by one, s | together, s | mean moves | mean of all | depth |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (size, table) in tables {
        answer(size, table);
    }
}
