//! Benchmark of building pattern databases: each partition at each instruction level, on one thread and on all threads,
//! alternating in one run.
//!
//! `cargo bench -p loyd-kernels --bench pattern_build` prints a Markdown table. Arguments are partitions (`-- 7-8`).
//! Times are of the fastest round, in seconds. Memory is the size of the tables and the peak usage, in bytes.

use std::time::{Duration, Instant};

use loyd_heuristics::pdb::Partition;
use loyd_kernels::{Cpu, build_patterns};
use loyd_search::Meter;
use loyd_tiles::Size;

const ROUNDS: usize = 11;

struct Row {
    partition: Partition,
    cpu: Cpu,
    pool: rayon::ThreadPool,
    seconds: Duration,
    bytes: u64,
    held: u64,
}

impl Row {
    fn new(name: &str, cpu: Cpu, threads: usize) -> Self {
        let partition = Partition::parse(name, Size::new(4, 4).expect("a size"), 0);
        Self {
            partition: partition.unwrap_or_else(|error| panic!("{error}")),
            cpu,
            pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool"),
            seconds: Duration::MAX,
            bytes: 0,
            held: 0,
        }
    }

    /// Builds the tables, updates the row, and returns the words of the tables.
    fn run(&mut self) -> Vec<u64> {
        let (partition, cpu) = (self.partition.clone(), self.cpu);
        let (database, seconds, held) = self.pool.install(|| {
            let mut meter = Meter::default();
            let start = Instant::now();
            let database = build_patterns(partition, cpu, &mut meter).expect("no limits");
            (database, start.elapsed(), meter.finish().peak_bytes)
        });
        self.seconds = self.seconds.min(seconds);
        (self.bytes, self.held) = (database.bytes(), held);
        database.words().to_vec()
    }
}

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if names.is_empty() {
        names = ["5-5-5", "6-6-3", "7-7-1"].map(str::to_owned).to_vec();
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    println!("| partition | instructions | threads | seconds | table bytes | bytes held |");
    println!("|---|---|---|---|---|---|");
    for name in names {
        let threads = || [1, all].into_iter().take(all.min(2));
        let rows = Cpu::available().flat_map(|cpu| threads().map(move |n| (cpu, n)));
        let mut rows: Vec<Row> = rows.map(|(cpu, n)| Row::new(&name, cpu, n)).collect();
        for _ in 0..ROUNDS {
            let words: Vec<_> = rows.iter_mut().map(Row::run).collect();
            assert!(words.iter().all(|other| *other == words[0]), "levels differ");
        }
        for Row { cpu, pool, seconds, bytes, held, .. } in rows {
            let (threads, seconds) = (pool.current_num_threads(), seconds.as_secs_f64());
            println!("| {name} | {cpu} | {threads} | {seconds:.4} | {bytes} | {held} |");
        }
    }
}
