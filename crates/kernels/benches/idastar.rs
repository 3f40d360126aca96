//! Benchmark of the IDA* kernel for 3x3 boards against the generic search, alternating on the same boards.
//!
//! `taskset -c 1 cargo bench -p loyd-kernels --bench idastar` prints a Markdown table.

use std::time::{Duration, Instant};

use loyd_heuristics::TileSum;
use loyd_search::{Meter, NoUndo, Outcome, Rankable};
use loyd_tiles::{BoardSpace, Goal, Move, Packed3x3, Size};

const BOARDS: usize = 1000;
const ROUNDS: usize = 21;

/// Returns the next pseudorandom number: SplitMix64 (Steele, Lea and Flood, 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[derive(Default, PartialEq, Debug)]
struct Answer {
    moves: u64,
    expanded: u64,
    generated: u64,
}

fn timed(
    states: &[u32],
    search: impl Fn(u32, &mut Meter<'_>) -> Outcome<Move>,
) -> (Answer, Duration) {
    let start = Instant::now();
    let mut answer = Answer::default();
    for &state in states {
        let mut meter = Meter::default();
        if let Outcome::Solved { cost, .. } = search(state, &mut meter) {
            answer.moves += u64::from(cost);
        }
        let stats = meter.finish();
        answer.expanded += stats.expanded;
        answer.generated += stats.generated;
    }
    (answer, start.elapsed())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    println!(
        "| heuristic | boards | moves | expanded | generic ns/node | kernel ns/node | ratio |"
    );
    println!("|---|---|---|---|---|---|---|");
    let space = Packed3x3::new(&Goal::BlankLast.board(Size::EIGHT).expect("a 3x3 goal"));
    let mut seed = 8;
    let all = space.state_count().expect("181,440");
    let states: Vec<u32> = (0..BOARDS).map(|_| space.unrank(random(&mut seed) % all)).collect();
    let labels = space.relabelling();
    let rows = [
        ("manhattan", TileSum::manhattan(labels), BOARDS),
        ("misplaced", TileSum::misplaced(labels), BOARDS / 10),
    ];
    for (name, sum, boards) in rows {
        let states = &states[..boards];
        let (mut generic, mut kernel) = (Vec::new(), Vec::new());
        let mut answer = Answer::default();
        for _ in 0..ROUNDS {
            let (expected, time) =
                timed(states, |s, meter| loyd_search::idastar(&space, &sum, &NoUndo, &s, meter));
            generic.push(time);
            let (found, time) =
                timed(states, |s, meter| loyd_kernels::idastar(&space, &sum, s, meter));
            kernel.push(time);
            assert_eq!(found, expected);
            answer = found;
        }
        let Answer { moves, expanded, .. } = answer;
        let nanos = |times: &mut [Duration]| median(times).as_nanos() as f64 / expanded as f64;
        let (generic, kernel) = (nanos(&mut generic), nanos(&mut kernel));
        let ratio = generic / kernel;
        println!(
            "| {name} | {boards} | {moves} | {expanded} | {generic:.2} | {kernel:.2} | {ratio:.2} |"
        );
    }
}
