//! One hard board, whose subtrees are searched by workers.

use std::io::Read;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use loyd::search::SuspendedSearch;
use loyd_queue::{Access, Finished, Options, Queue, Task};
use serde_json::Value;

use crate::access::{free_address, metric};
use crate::common::Server;
use crate::{Place, Running, loyd, run, text, timeless, wait_until};

/// A board with a shortest solution of 56 moves, whose search expands nine million nodes with [`TABLES`].
const BOARD: &str = "2 13 15 4 9/1 11 8 0 10/7 14 12 19 3/6 22 18 24 5/16 17 21 23 20";
/// Tables that build quickly.
const TABLES: &str = "1,5,6/2,3,7/4,8,9/10,11,15/12,13,17/14,18,19/16,20,21/22,23,24";
const COMMAND: [&str; 10] = [
    "solve",
    BOARD,
    "--heuristic",
    "pdb",
    "--tables",
    TABLES,
    "--prune",
    "undo",
    "--output",
    "json",
];

/// Returns the iterations but the last, in which the order of the subtrees counts.
fn complete(record: &Value) -> &[Value] {
    record["iterations"].as_array().unwrap().split_last().map_or(&[], |(_, complete)| complete)
}

#[test]
fn divided_search_equals_one_process() {
    let Some(mut server) = Server::start("cli-board", "") else { return };
    let (place, url) = (Place::new("board"), server.url());
    let alone = run(&[&COMMAND[..], &["--save", &place.path("alone")]].concat());
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let saved = place.path("queued");
    let more = ["--save", &saved, "--resume", "--divide-after", "10000", "--on", &url];
    let queued = [&COMMAND[..], &more].concat();
    let mut driver = Running::start(&queued);
    let checkpoint =
        || std::fs::read_to_string(place.path("queued.checkpoint")).unwrap_or_default();
    wait_until("no checkpoint", || {
        checkpoint().contains("\"pending\":\"") && !checkpoint().contains("\"pending\":\"\"")
    });
    driver.kill();
    let mut worker = Running::work(&url);
    let mut driver = Running(loyd(&queued).spawn().unwrap());
    thread::sleep(Duration::from_millis(500));
    worker.kill();
    server.restart(false);
    let _workers = [Running::work(&url), Running::work(&url)];
    wait_until("the driver does not end", || !driver.is_running());
    let mut message = String::new();
    driver.0.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(driver.0.wait().unwrap().success(), "{message}");
    let [alone, queued] = ["alone", "queued"].map(|name| timeless(&place.lines(name)).remove(0));
    for name in ["board", "goal", "status", "length", "optimal", "tables", "prune", "heuristic"] {
        assert_eq!(queued[name], alone[name], "{name}");
    }
    assert_eq!(complete(&queued), complete(&alone));
    assert!(checkpoint().is_empty());
}

/// A worker that cannot do the tasks ends the search in the end, but nothing is lost.
#[test]
fn search_that_no_worker_can_continue_is_resumed() {
    let Some(server) = Server::start("cli-unable", "") else { return };
    let (place, url) = (Place::new("unable"), server.url());
    let alone = run(&[&COMMAND[..], &["--save", &place.path("alone")]].concat());
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let saved = place.path("queued");
    let more = ["--save", &saved, "--resume", "--divide-after", "500000", "--on", &url];
    let queued = [&COMMAND[..], &more].concat();
    let mut small =
        Running::start(&["work", &url, "--threads", "1", "--ack-wait", "1s", "--max-memory", "1M"]);
    let failed = run(&queued);
    let message = text(&failed.stderr);
    assert!(
        failed.status.code() == Some(2) && message.contains("--resume to try again"),
        "{message}"
    );
    small.kill();
    let _worker = Running::work(&url);
    let resumed = run(&queued);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let [alone, queued] = ["alone", "queued"].map(|name| timeless(&place.lines(name)).remove(0));
    assert_eq!((&queued["length"], complete(&queued)), (&alone["length"], complete(&alone)));
}

/// Results that are always wrong end the search, which is then resumed.
#[test]
fn wrong_results_end_the_search() {
    let Some(server) = Server::start("cli-wrong", "") else { return };
    let (place, url) = (Place::new("wrong"), server.url());
    let alone = run(&[&COMMAND[..], &["--save", &place.path("alone")]].concat());
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let saved = place.path("queued");
    let more = ["--save", &saved, "--resume", "--divide-after", "500000", "--on", &url];
    let queued = [&COMMAND[..], &more].concat();
    let has_ended = AtomicBool::new(false);
    let failed = thread::scope(|scope| {
        scope.spawn(|| {
            let options = Options {
                threads: NonZeroUsize::MIN,
                give_up: None,
                ack_wait: Duration::from_secs(1),
                metrics: None,
            };
            let answer: Arc<dyn Fn(&Task) -> Finished + Send + Sync> =
                Arc::new(|_: &Task| Finished::Done(b"{}".to_vec(), None));
            let queue = Queue::connect(&url, &Access::default()).unwrap();
            let has_ended = || has_ended.load(Ordering::Relaxed);
            queue.work(env!("CARGO_PKG_VERSION"), &options, &has_ended, &|_| {}, &answer).unwrap();
        });
        let failed = run(&queued);
        has_ended.store(true, Ordering::Relaxed);
        failed
    });
    let message = text(&failed.stderr);
    assert_eq!(failed.status.code(), Some(2), "{message}");
    assert!(message.contains("5 results of workers were wrong; run the same command"), "{message}");
    let _worker = Running::work(&url);
    let resumed = run(&queued);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let [alone, queued] = ["alone", "queued"].map(|name| timeless(&place.lines(name)).remove(0));
    assert_eq!((&queued["length"], complete(&queued)), (&alone["length"], complete(&alone)));
}

/// A board with a shortest solution of 52 moves, which the iteration with the bound 50 finds ahead.
const AHEAD: &str = "2 8 3 4 5/1 6 18 10 9/21 7 20 16 14/17 11 12 0 24/22 15 23 13 19";

/// A solution that is two moves longer than the bound is known to all workers before the iteration is complete. It saves
/// the next iteration, but the proof needs all of this one.
#[test]
fn solution_ahead_of_the_bound_leaves_the_proof_complete() {
    let Some(server) = Server::start("cli-ahead", "") else { return };
    let (place, url) = (Place::new("ahead"), server.url());
    let command = [&["solve", AHEAD][..], &COMMAND[2..]].concat();
    let alone = run(&[&command[..], &["--save", &place.path("alone")]].concat());
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    let _workers = [Running::work(&url), Running::work(&url)];
    let saved = place.path("queued");
    let more = ["--save", &saved, "--divide-after", "1000", "--on", &url];
    let queued = run(&[&command[..], &more].concat());
    assert!(queued.status.success(), "{}", text(&queued.stderr));
    let [alone, queued] = ["alone", "queued"].map(|name| timeless(&place.lines(name)).remove(0));
    assert_eq!((&alone["length"], &alone["ended_by"]), (&52.into(), &"ahead".into()));
    for name in ["status", "length", "optimal", "ended_by", "expanded_complete"] {
        assert_eq!(queued[name], alone[name], "{name}");
    }
    assert_eq!(complete(&queued), complete(&alone));
    let last = complete(&queued).last().unwrap();
    assert_eq!(last["bound"], 50);
    assert!(last["expanded"].as_u64() > Some(500_000));
}

/// A driver that is killed leaves jobs and, if a worker does them, results. The next one continues with these at once, even
/// if there is no worker.
#[test]
fn next_driver_takes_results_at_its_start() {
    let Some(server) = Server::start("cli-left", "") else { return };
    let (place, url) = (Place::new("left"), server.url());
    let saved = place.path("queued");
    let more = ["--save", &saved, "--resume", "--divide-after", "500000", "--on", &url];
    let queued = [&COMMAND[..], &more].concat();
    let pending = || {
        let text = std::fs::read_to_string(place.path("queued.checkpoint")).unwrap_or_default();
        let search = SuspendedSearch::read(&text).ok()?;
        (search.pending() > 0).then(|| search.bound())
    };
    let mut driver = Running(loyd(&queued).spawn().unwrap());
    wait_until("no checkpoint", || pending().is_some());
    let bound = pending().unwrap();
    let metrics = free_address();
    let mut worker = Running::start(&["work", &url, "--threads", "1", "--metrics", &metrics]);
    // The driver publishes all jobs before a worker has done one.
    let done = || metric(&metrics, "loyd_worker_jobs_total{outcome=\"done\"}");
    wait_until("no result", || done() >= Some(1.0));
    driver.kill();
    let mut message = String::new();
    driver.0.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    let (_, note) = message.split_once(&format!("bound {bound}: ")).expect(&message);
    let jobs: f64 = note.split(' ').next().unwrap().parse().unwrap();
    assert!(jobs > 1.0, "{message}");
    wait_until("no results", || done() == Some(jobs));
    worker.kill();
    let _driver = Running::start(&queued);
    wait_until("the results are not taken", || pending().is_some_and(|next| next > bound));
}
