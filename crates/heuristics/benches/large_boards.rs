//! Pattern databases for boards of more than 16 cells: time to build them, and IDA* with them on boards after seeded
//! random walks of 60 moves.
//!
//! `taskset -c 1 cargo bench -p loyd-heuristics --bench large_boards` prints rows of a Markdown table. Arguments are
//! sizes, as in `-- 5x5`, optionally with a partition, as in `5x5:1,2,3/…`. With the argument `conflict`, linear
//! conflict solves the boards too, which takes minutes, and the solution lengths are compared. Every solution is
//! replayed.

use std::sync::Arc;
use std::time::Instant;

use loyd_heuristics::LinearConflict;
use loyd_heuristics::pdb::{Database, Orientation, Partition, PatternSum, Plain};
use loyd_search::{IncrementalHeuristic, Meter, NoUndo, Outcome, idastar, replay};
use loyd_tiles::{ArraySpace, ArrayState, BoardSpace, Goal, Random, random_walk};

const BOARDS: usize = 100;
const MOVES: usize = 60;

type Space = ArraySpace<64>;

/// Returns the boards after random walks with seed 7.
fn boards(space: &Space) -> Vec<ArrayState<64>> {
    let goal = space.relabelling().goal();
    let mut random = Random::new(7);
    let board = |_| {
        let mut board = goal.clone();
        for m in random_walk(goal, MOVES, &mut random).expect("the board is not a single line") {
            board.apply(m).expect("moves of a walk are legal");
        }
        space.encode(&board)
    };
    (0..BOARDS).map(board).collect()
}

/// Solves the boards, prints a row that starts with `row`, and returns the solution lengths.
fn solve(row: &str, space: &Space, h: &impl IncrementalHeuristic<Space>) -> Vec<u32> {
    let (mut seconds, mut worst, mut expanded) = (0.0, 0.0_f64, 0);
    let solved = boards(space).into_iter().map(|board| {
        let (mut meter, start) = (Meter::default(), Instant::now());
        let outcome = idastar(space, h, &NoUndo, &board, &mut meter);
        let Outcome::Solved { path, cost } = outcome else { panic!("there are no limits") };
        let taken = start.elapsed().as_secs_f64();
        (seconds, worst) = (seconds + taken, worst.max(taken));
        expanded += meter.finish().expanded;
        assert_eq!(replay(space, &board, &path), Ok(cost));
        cost
    });
    let lengths: Vec<u32> = solved.collect();
    let (sum, mean) = (lengths.iter().sum::<u32>(), 1e3 * seconds / BOARDS as f64);
    let (worst, nodes) = (1e3 * worst, expanded / BOARDS as u64);
    println!("| {row} | {BOARDS} | {sum} | {nodes} | {mean:.2} | {worst:.1} |");
    lengths
}

fn bench(argument: &str, conflict: bool) {
    let (size, partition) = argument.split_once(':').unwrap_or((argument, "default"));
    let goal = Goal::BlankLast
        .board(size.parse().expect("invalid size"))
        .expect("every size has this goal");
    let space = Space::new(&goal);
    let orientation = Orientation::new(space.relabelling()).expect("at most 36 cells");
    let partition = Partition::parse(partition, orientation.size(), orientation.blank());
    let partition = partition.expect("invalid partition");
    let (start, mut meter) = (Instant::now(), Meter::default());
    let database = Database::build::<Plain>(partition, &mut meter).expect("there are no limits");
    let seconds = start.elapsed().as_secs_f64();
    let (bytes, peak) = (database.bytes(), meter.finish().peak_bytes);
    let sum = PatternSum::new(Arc::new(database), space.relabelling());
    let lengths =
        solve(&format!("{argument} | pdb | {bytes} | {peak} | {seconds:.2}"), &space, &sum);
    if conflict {
        let conflicts = LinearConflict::new(space.relabelling());
        let row = format!("{size} | linear-conflict | 0 | 0 | 0");
        assert_eq!(solve(&row, &space, &conflicts), lengths);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let (conflict, mut sizes): (Vec<_>, Vec<_>) =
        args.iter().map(String::as_str).partition(|arg| *arg == "conflict");
    if sizes.is_empty() {
        sizes = vec!["5x5", "4x5", "3x6"];
    }
    println!(
        "| size | heuristic | bytes | peak bytes of build | seconds to build | boards | moves | expanded, mean | ms, mean | worst |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    sizes.iter().for_each(|size| bench(size, !conflict.is_empty()));
}
