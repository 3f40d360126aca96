//! The time that is lost with a worker or the server.

use anyhow::Result;

use super::bench::{Bench, SEARCH, free_port, medians, metric, wait_until};
use crate::run::print_line;

/// Time of the server for reports of a worker.
const ACK_WAIT: &str = "5s";

/// A board whose search takes longer than the measurement.
const HARD: &str = "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0";

/// Kills a worker, and measures the time until another one has its job.
pub fn worker(bench: &Bench) -> Result<()> {
    let file = bench.folder.join("hard.txt");
    let [seconds] = medians(bench, || {
        let (_server, url) = bench.serve()?;
        std::fs::write(&file, format!("{HARD}\n"))?;
        let file = file.to_string_lossy();
        let command = ["solve", "-f", &file, "--algorithm", "idastar", "--heuristic", "manhattan"];
        let _driver = bench.drive(&[&command[..], &["--max-time", "none"]].concat(), &url)?;
        let (first, second) = (free_port()?, free_port()?);
        let start = |port: u16| {
            let metrics = format!("127.0.0.1:{port}");
            bench.start(&[
                "work",
                &url,
                "--threads",
                "1",
                "--ack-wait",
                ACK_WAIT,
                "--metrics",
                &metrics,
            ])
        };
        let lost = start(first)?;
        wait_until("no job", || Ok(metric(first, "loyd_worker_running") == Some(1.0)))?;
        let _other = start(second)?;
        wait_until("no worker", || Ok(metric(second, "loyd_worker_running").is_some()))?;
        drop(lost);
        let is_again = || Ok(metric(second, "loyd_worker_running") == Some(1.0));
        Ok([wait_until("the job is lost", is_again)?])
    })?;
    print_line(format!(
        "a killed worker, --ack-wait {ACK_WAIT}: its job runs again after {seconds:.2} s"
    ));
    Ok(())
}

/// Kills the server, starts it again, and measures the time until a worker has stored a result, and the driver has taken
/// it.
pub fn server(bench: &Bench) -> Result<()> {
    let file = bench.draw("4x4", 2000)?;
    let command = [&["solve", "-f", &file][..], &SEARCH].concat();
    let [result, answer] = medians(bench, || {
        let (server, url) = bench.serve()?;
        let (port, metrics) = (url.rsplit(':').next().unwrap_or_default().parse()?, free_port()?);
        let address = format!("127.0.0.1:{metrics}");
        let _worker = bench.start(&["work", &url, "--threads", "2", "--metrics", &address])?;
        let _driver = bench.drive(&command, &url)?;
        let answers = || bench.answers().lines().count();
        wait_until("no answers", || Ok(answers() >= 20))?;
        let is_done = || metric(metrics, "loyd_worker_jobs_total{outcome=\"done\"}");
        drop(server);
        let (answered, done) = (answers(), is_done());
        let _server = bench.serve_at(port)?;
        // Two jobs were running, and one waited.
        let next = done.map(|done| done + 4.0);
        let answer = wait_until("no answer", || Ok(answers() > answered))?;
        let result = answer + wait_until("no result", || Ok(is_done() >= next))?;
        Ok([result, answer])
    })?;
    print_line(format!(
        "a restarted server: an answer after {answer:.2} s, the result of a new job after {result:.2} s"
    ));
    Ok(())
}
