//! The cost of a queue for small boards.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::bench::{Bench, SEARCH, medians};
use crate::run::print_line;

/// Time in which a server and a worker start.
const START: Duration = Duration::from_secs(1);

/// Number of 4x4 boards.
const BOARDS: usize = 1000;

/// Number of 3x3 boards of the measurement of memory.
const MANY: usize = 100_000;

/// Compares a worker with one process.
pub fn batch(bench: &Bench) -> Result<()> {
    let file = bench.draw("4x4", BOARDS)?;
    let command = [&["solve", "--threads", "1", "-f", &file][..], &SEARCH].concat();
    let [alone, ratio, server] = medians(bench, || {
        let saved = bench.forget("alone")?;
        let alone = bench.start(&[&command[..], &["--save", &saved]].concat())?.finish()?.0;
        let (server, url) = bench.serve()?;
        let worker = bench.start(&["work", &url, "--threads", "1"])?;
        // Both have started, which is not part of a board.
        sleep(START);
        let started = (worker.seconds()?, server.seconds()?);
        bench.drive(&command, &url)?.finish()?;
        let each = |seconds: f64| 1e3 * seconds / BOARDS as f64;
        Ok([
            each(alone),
            (worker.seconds()? - started.0) / alone,
            each(server.seconds()? - started.1),
        ])
    })?;
    print_line(format!("milliseconds a board, one process: {alone:.2}"));
    print_line(format!("worker / one process, CPU: {ratio:.3}"));
    print_line(format!("server, ms of CPU a board: {server:.3}"));
    Ok(())
}

/// Measures the driver of many small boards.
pub fn memory(bench: &Bench) -> Result<()> {
    let file = bench.draw("3x3", MANY)?;
    let (server, url) = bench.serve()?;
    let _worker = bench.start(&["work", &url])?;
    let started = Instant::now();
    let (_, peak) = bench.drive(&["solve", "-f", &file, "--output", "json"], &url)?.finish()?;
    let seconds = started.elapsed().as_secs_f64();
    print_line(format!("driver of {MANY} 3x3 boards: {peak:.0} MB, {seconds:.1} s"));
    let each = 1e3 * server.seconds()? / MANY as f64;
    print_line(format!("server, ms of CPU for each of these: {each:.4}"));
    Ok(())
}
