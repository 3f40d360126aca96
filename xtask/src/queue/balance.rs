//! How equally the workers are busy, and what the division of one board costs.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::bench::{Bench, Process, SEARCH, free_port, medians, metric};
use crate::run::print_line;

/// Number of workers whose loads are compared: the times in which they have a job. They share the cores of this machine, so
/// each of them stands for a slow machine.
const WORKERS: usize = 64;

/// Number of 4x4 boards for them.
const BOARDS: usize = 40 * WORKERS;

/// Time between two requests for the state of a worker.
const SAMPLE: Duration = Duration::from_millis(200);

/// Time in which all workers start.
const START: Duration = Duration::from_secs(10);

/// A board whose search for solutions of up to [`DEPTH`] moves, of which there are none, takes about a minute and ends
/// with a complete iteration.
const BOARD: &str = "15 2 3 9 12/11 4 22 8 7/16 1 10 5 0/18 19 13 23 14/6 17 21 24 20";
const DEPTH: &str = "74";

/// Tables that build quickly.
const TABLES: &str = "1,5,6/2,3,7/4,8,9/10,11,15/12,13,17/14,18,19/16,20,21/22,23,24";

fn search() -> Vec<&'static str> {
    let tables = ["--heuristic", "pdb", "--tables", TABLES, "--prune", "undo"];
    let limits = ["--max-depth", DEPTH, "--max-time", "none", "--output", "json"];
    [&["solve", BOARD][..], &tables, &limits].concat()
}

/// Compares the loads of the workers of a file of boards.
pub fn files(bench: &Bench) -> Result<()> {
    let file = bench.draw("4x4", BOARDS)?;
    let command = [&["solve", "-f", &file][..], &SEARCH].concat();
    let [ratio, mean] = medians(bench, || loads(bench, &command))?;
    print_line(format!(
        "{BOARDS} boards, {WORKERS} workers: max / mean load {ratio:.3}; busy {:.0}% of the time",
        100.0 * mean
    ));
    Ok(())
}

/// Compares the loads of the workers of one board.
pub fn subtrees(bench: &Bench) -> Result<()> {
    build_tables(bench)?;
    let command = [&search()[..], &["--divide-after", "1000000"]].concat();
    let [ratio, mean] = medians(bench, || loads(bench, &command))?;
    print_line(format!(
        "one board, {WORKERS} workers: max / mean load {ratio:.3}; busy {:.0}% of the time",
        100.0 * mean
    ));
    Ok(())
}

/// Compares the processor time of one board over a queue, with two workers, with that of one process.
pub fn board(bench: &Bench) -> Result<()> {
    let tables = build_tables(bench)?;
    let [alone, ratio, driver] = medians(bench, || {
        let command = search();
        let saved = bench.forget("alone")?;
        let one = [&command[..], &["--threads", "1", "--save", &saved]].concat();
        let alone = bench.start(&one)?.finish()?.0;
        let (_server, url) = bench.serve()?;
        let workers = start_workers(bench, &url, 2)?;
        let driver = [&command[..], &["--divide-after", "10000000"]].concat();
        let driver = bench.drive(&driver, &url)?.finish()?.0;
        let busy: f64 = workers.iter().map(Process::seconds).sum::<Result<f64>>()?;
        let (one, queued) = (iterations(bench, "alone")?, iterations(bench, "queued")?);
        ensure!(one == queued, "other counts: {one} and {queued}");
        Ok([alone, (busy + driver) / alone, driver])
    })?;
    print_line(format!("one board, one process: {alone:.1} s of CPU; its tables: {tables:.1} s"));
    print_line(format!(
        "workers and driver / one process, CPU: {ratio:.3}; the driver: {driver:.2} s"
    ));
    Ok(())
}

/// Stores the tables of the board, which every process would build otherwise. Returns the time in seconds.
fn build_tables(bench: &Bench) -> Result<f64> {
    let saved = bench.forget("alone")?;
    let command = [&search()[..], &["--max-expanded", "1", "--save", &saved]].concat();
    Ok(bench.start(&command)?.finish()?.0)
}

/// Returns the counts of the iterations in a checkpoint, the last of which is that of [`DEPTH`].
fn iterations(bench: &Bench, name: &str) -> Result<Value> {
    let text = fs::read_to_string(bench.folder.join(format!("{name}.checkpoint")))?;
    let checkpoint: Value = serde_json::from_str(text.lines().next().context("no checkpoint")?)?;
    let iterations = checkpoint["rounds"].clone();
    let last = iterations.as_array().and_then(|iterations| iterations.last());
    let is_complete = last.is_some_and(|last| last[0].as_u64() == DEPTH.parse().ok());
    ensure!(is_complete, "the search has not ended at its depth: {iterations}");
    Ok(iterations)
}

/// Returns the longest time that a worker was busy divided by the mean of all, and the mean as a share of the whole time.
fn loads(bench: &Bench, command: &[&str]) -> Result<[f64; 2]> {
    let (_server, url) = bench.serve()?;
    let ports = (0..WORKERS).map(|_| free_port()).collect::<Result<Vec<_>>>()?;
    let start = |port: &u16| {
        let metrics = format!("127.0.0.1:{port}");
        bench.start(&["work", &url, "--threads", "1", "--metrics", &metrics])
    };
    let _workers = ports.iter().map(start).collect::<Result<Vec<_>>>()?;
    sleep(START);
    let driver = bench.drive(command, &url)?;
    let is_over = AtomicBool::new(false);
    let shares: Vec<f64> = thread::scope(|scope| {
        let watch = |&port| {
            let is_over = &is_over;
            scope.spawn(move || {
                let (mut busy, mut samples) = (0.0, 0.0);
                while !is_over.load(Ordering::Relaxed) {
                    busy += metric(port, "loyd_worker_running").unwrap_or_default();
                    samples += 1.0;
                    sleep(SAMPLE);
                }
                busy / samples
            })
        };
        let watches: Vec<_> = ports.iter().map(watch).collect();
        let ended = driver.finish();
        is_over.store(true, Ordering::Relaxed);
        let shares = watches.into_iter().map(|watch| watch.join().unwrap_or(f64::NAN)).collect();
        ended.map(|_| shares)
    })?;
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    Ok([shares.into_iter().fold(0.0, f64::max) / mean, mean])
}

fn start_workers(bench: &Bench, url: &str, count: usize) -> Result<Vec<Process>> {
    let start = |_| bench.start(&["work", url, "--threads", "1"]);
    let workers = (0..count).map(start).collect::<Result<_>>()?;
    sleep(START);
    Ok(workers)
}
