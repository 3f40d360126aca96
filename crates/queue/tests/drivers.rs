//! Drivers and workers with a real server, and what may happen to them.

mod common;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use common::Server;
use loyd_queue::{Access, Error, Finished, Job, Options, Outcome, Queue, Run, State, Task, Work};

const VERSION: &str = "1.2.3";

/// Longest time of a test.
const LONGEST: Duration = Duration::from_secs(60);

fn connect(server: &Server) -> Queue {
    connect_to(&server.url())
}

/// Connects to a server that was just started, which on a busy machine may be late with its first answers.
fn connect_to(url: &str) -> Queue {
    let until = Instant::now() + LONGEST;
    loop {
        match Queue::connect(url, &Access::default()) {
            Ok(queue) => return queue,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
    }
}

/// A driver of jobs `0..count`, whose result is the square of their number.
struct Squares {
    count: usize,
    next: usize,
    /// Maximum number of jobs without a result.
    ahead: usize,
    results: BTreeMap<String, Result<String, String>>,
    /// Number of results that came again.
    again: usize,
    until: Instant,
    /// Number of results after which the driver ends.
    at_most: usize,
    /// Keeps the driver from taking results.
    is_held: Arc<AtomicBool>,
    is_ended: Arc<AtomicBool>,
    /// Number of bytes that each job is longer.
    padding: usize,
    /// Number of times that the server started to refuse messages.
    refusals: Arc<AtomicUsize>,
    was_refused: bool,
}

impl Squares {
    fn new(count: usize) -> Self {
        let until = Instant::now() + LONGEST;
        Self {
            count,
            next: 0,
            ahead: usize::MAX,
            results: BTreeMap::new(),
            again: 0,
            until,
            at_most: usize::MAX,
            is_held: Arc::default(),
            is_ended: Arc::default(),
            padding: 0,
            refusals: Arc::default(),
            was_refused: false,
        }
    }

    fn failures(&self) -> Vec<&str> {
        self.results
            .values()
            .filter_map(|result| result.as_ref().err())
            .map(String::as_str)
            .collect()
    }

    /// Checks that all jobs have their result or have failed.
    fn check(&self) {
        assert_eq!(self.results.len(), self.count);
        for (key, result) in &self.results {
            let number: usize = key.parse().unwrap();
            assert!(result.as_ref().map_or(true, |text| *text == (number * number).to_string()));
        }
    }
}

impl Work for Squares {
    type Error = Error;

    fn next_job(&mut self) -> Result<Option<Job>, Error> {
        if self.next.saturating_sub(self.results.len()) >= self.ahead {
            return Ok(None);
        }
        let number = self.next;
        self.next += 1;
        let key = number.to_string();
        let is_new = !self.results.contains_key(&key);
        let payload = (key.clone() + &" ".repeat(self.padding)).into_bytes();
        Ok((number < self.count && is_new).then_some(Job { key, payload }))
    }

    fn is_done(&self) -> bool {
        self.results.len() == self.count
    }

    fn take(&mut self, key: &str, outcome: Outcome<'_>) -> Result<bool, Error> {
        let result = match outcome {
            Outcome::Done(result) => Ok(str::from_utf8(result).unwrap().trim_end().to_owned()),
            Outcome::Failed(reason) => Err(reason.to_owned()),
        };
        let before = self.results.insert(key.to_owned(), result.clone());
        self.again += usize::from(before.as_ref().is_some_and(|before| *before == result));
        assert!(before.is_none_or(|before| before == result));
        Ok(true)
    }

    fn look(&mut self, state: State) -> bool {
        let begins =
            state.is_refused && !std::mem::replace(&mut self.was_refused, state.is_refused);
        self.refusals.fetch_add(usize::from(begins), Ordering::SeqCst);
        assert!(Instant::now() < self.until, "{} of {} results", self.results.len(), self.count);
        while self.is_held.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(5));
        }
        self.results.len() < self.at_most && !self.is_ended.load(Ordering::SeqCst)
    }
}

/// A worker on a thread. It ends when it is dropped.
struct Worker {
    stop: Arc<AtomicBool>,
    notes: Arc<Mutex<Vec<String>>>,
    done: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn start(server: &Server, version: &'static str, solve: fn(u64, &Task) -> Finished) -> Self {
        Self::with_ack_wait(Duration::from_secs(1), server, version, solve)
    }

    fn with_ack_wait(
        ack_wait: Duration,
        server: &Server,
        version: &'static str,
        solve: fn(u64, &Task) -> Finished,
    ) -> Self {
        let (url, stop, notes, done) =
            (server.url(), Arc::default(), Arc::default(), Arc::<AtomicUsize>::default());
        let (stopped, noted, counted): (Arc<AtomicBool>, Arc<Mutex<Vec<String>>>, _) =
            (Arc::clone(&stop), Arc::clone(&notes), done.clone());
        let options =
            Options { threads: 2.try_into().unwrap(), give_up: None, ack_wait, metrics: None };
        let thread = spawn(move || {
            let queue = connect_to(&url);
            let solve = move |task: &Task| {
                counted.fetch_add(1, Ordering::SeqCst);
                solve(str::from_utf8(&task.payload).unwrap().trim_end().parse().unwrap(), task)
            };
            let is_stopped = || stopped.load(Ordering::SeqCst);
            let note = |text| noted.lock().unwrap().push(text);
            let solve: Arc<dyn Fn(&Task) -> Finished + Send + Sync> = Arc::new(solve);
            queue.work(version, &options, &is_stopped, &note, &solve).unwrap();
        });
        Self { stop, notes, done, thread: Some(thread) }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let ended = self.thread.take().unwrap().join();
        assert!(std::thread::panicking() || ended.is_ok());
    }
}

/// Waits until `is_so` returns true.
fn wait_until(is_so: impl Fn() -> bool) {
    let until = Instant::now() + LONGEST;
    while !is_so() {
        assert!(Instant::now() < until);
        sleep(Duration::from_millis(5));
    }
}

fn square(number: u64, _: &Task) -> Finished {
    Finished::Done((number * number).to_string().into_bytes(), None)
}

fn slow_square(number: u64, task: &Task) -> Finished {
    sleep(Duration::from_millis(20));
    square(number, task)
}

#[test]
fn workers_do_all_jobs() {
    let Some(server) = Server::start("all", "") else { return };
    let _workers = [(); 3].map(|()| Worker::start(&server, VERSION, square));
    let mut driver = Squares::new(5000);
    connect(&server).drive(&Run::new(VERSION, "all"), &mut driver).unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
    assert_eq!(driver.again, 0);
}

#[test]
fn nothing_is_lost_with_the_server_or_its_store() {
    let Some(mut server) = Server::start("restarts", "") else { return };
    let workers = [(); 2].map(|()| Worker::start(&server, VERSION, slow_square));
    let queue = connect(&server);
    let driver = spawn(move || {
        let mut driver = Squares::new(600);
        queue.drive(&Run::new(VERSION, "restarts"), &mut driver).unwrap();
        driver
    });
    let done = || workers.iter().map(|worker| worker.done.load(Ordering::SeqCst)).sum::<usize>();
    for (jobs, keeps_store) in [(50, true), (150, false), (250, true), (350, false)] {
        while done() < jobs && !driver.is_finished() {
            sleep(Duration::from_millis(10));
        }
        server.restart(keeps_store);
    }
    let driver = driver.join().unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
}

#[test]
fn job_that_ends_workers_fails_alone() {
    let Some(server) = Server::start("poison", "") else { return };
    let solve = |number, task: &Task| {
        if number == 7 { panic!("of the test") } else { square(number, task) }
    };
    let _workers = [(); 2].map(|()| Worker::start(&server, VERSION, solve));
    let mut driver = Squares::new(20);
    connect(&server).drive(&Run::new(VERSION, "poison"), &mut driver).unwrap();
    driver.check();
    assert_eq!(driver.failures(), ["it ended 5 workers"]);
    assert!(driver.results["7"].is_err());
}

#[test]
fn impossible_jobs_and_long_results_fail_with_a_reason() {
    let Some(server) = Server::start("failures", "max_payload: 65536") else { return };
    let solve = |number, task: &Task| match number {
        3 => Finished::Failed("it is a prime".to_owned()),
        4 => Finished::Done(vec![b'4'; 100_000], None),
        _ => square(number, task),
    };
    let _worker = Worker::start(&server, VERSION, solve);
    let mut driver = Squares::new(9);
    connect(&server).drive(&Run::new(VERSION, "failures"), &mut driver).unwrap();
    driver.check();
    let reasons = ["it is a prime", "its result is longer than a message of the server"];
    assert_eq!(driver.failures(), reasons);
}

/// Limits the disk of the server to 200 KB.
const SMALL: &str =
    "accounts { SMALL { jetstream { max_store: 200000 }, users: [{ user: a, password: b }] } }
    no_auth_user: a";

/// The jobs take more than the disk of the server has, until workers have done some.
#[test]
fn driver_waits_for_room_for_jobs() {
    let Some(server) = Server::start("full-jobs", SMALL) else { return };
    let queue = connect(&server);
    let mut driver = Squares { padding: 2000, ..Squares::new(200) };
    let refusals = driver.refusals.clone();
    let driver = spawn(move || {
        queue.drive(&Run::new(VERSION, "full"), &mut driver).unwrap();
        driver
    });
    wait_until(|| refusals.load(Ordering::SeqCst) > 0);
    let _worker = Worker::start(&server, VERSION, square);
    let driver = driver.join().unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
}

/// The results take more than the disk of the server has, unless the driver removes results that it has taken.
#[test]
fn driver_makes_room_for_results() {
    let Some(server) = Server::start("full-results", SMALL) else { return };
    let solve = |number: u64, _: &Task| {
        let result = (number * number).to_string() + &" ".repeat(5000);
        Finished::Done(result.into_bytes(), None)
    };
    let _worker = Worker::start(&server, VERSION, solve);
    let mut driver = Squares::new(60);
    connect(&server).drive(&Run::new(VERSION, "full"), &mut driver).unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
}

/// The driver publishes jobs again when they are done and the disk is full, and then takes their results.
#[test]
fn driver_goes_on_once_there_is_room_again() {
    let Some(server) = Server::start("room-again", SMALL) else { return };
    let drive = |name: &'static str, mut driver: Squares| {
        let (queue, refusals) = (connect(&server), driver.refusals.clone());
        let driver = spawn(move || {
            queue.drive(&Run::new(VERSION, name), &mut driver).unwrap();
            driver
        });
        (driver, move || refusals.load(Ordering::SeqCst) > 0)
    };
    let is_held = Arc::new(AtomicBool::new(false));
    let held = Squares {
        ahead: 4,
        is_held: is_held.clone(),
        until: Instant::now() + 2 * LONGEST,
        ..Squares::new(12)
    };
    let (driver, is_refused) = drive("held", held);
    // Until the jobs are published.
    sleep(Duration::from_secs(2));
    is_held.store(true, Ordering::SeqCst);
    {
        let worker = Worker::start(&server, VERSION, square);
        wait_until(|| worker.done.load(Ordering::SeqCst) == 4);
    }
    let is_ended = Arc::new(AtomicBool::new(false));
    let filler = Squares {
        is_ended: is_ended.clone(),
        until: Instant::now() + 2 * LONGEST,
        ..Squares::new(4000)
    };
    let (filler, is_full) = drive("filler", filler);
    wait_until(is_full);
    // Until jobs are published again.
    sleep(Duration::from_secs(10));
    is_held.store(false, Ordering::SeqCst);
    wait_until(is_refused);
    is_ended.store(true, Ordering::SeqCst);
    filler.join().unwrap();
    let _worker = Worker::start(&server, VERSION, square);
    let driver = driver.join().unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
}

/// A job whose worker is stopped is not a try.
#[test]
fn ordered_ends_do_not_count_as_tries() {
    let Some(server) = Server::start("ends", "") else { return };
    let queue = connect(&server);
    let driver = spawn(move || {
        let mut driver = Squares::new(3);
        queue.drive(&Run::new(VERSION, "ends"), &mut driver).unwrap();
        driver
    });
    for _ in 0..8 {
        let worker = Worker::start(&server, VERSION, |_, _| Finished::Interrupted);
        let until = Instant::now() + LONGEST;
        while worker.done.load(Ordering::SeqCst) == 0 {
            assert!(Instant::now() < until);
            sleep(Duration::from_millis(5));
        }
    }
    let _worker = Worker::start(&server, VERSION, square);
    let driver = driver.join().unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
}

#[test]
fn next_driver_takes_the_results_of_the_last() {
    let Some(server) = Server::start("drivers", "") else { return };
    let worker = Worker::start(&server, VERSION, slow_square);
    let run = Run::new(VERSION, "drivers");
    let mut first = Squares { at_most: 40, ..Squares::new(100) };
    connect(&server).drive(&run, &mut first).unwrap();
    assert!((40..100).contains(&first.results.len()), "{}", first.results.len());
    let mut second = Squares::new(100);
    connect(&server).drive(&run, &mut second).unwrap();
    second.check();
    // Jobs that a worker had at the time may be done twice.
    let done = worker.done.load(Ordering::SeqCst);
    assert!((100..=110).contains(&done), "{done}");
}

#[test]
fn other_versions_leave_jobs_and_say_so() {
    let Some(server) = Server::start("versions", "") else { return };
    let old = Worker::start(&server, "1.2.2", square);
    let queue = connect(&server);
    let driver = spawn(move || {
        let mut driver = Squares::new(10);
        queue.drive(&Run::new(VERSION, "versions"), &mut driver).unwrap();
        driver
    });
    let until = Instant::now() + LONGEST;
    while old.notes.lock().unwrap().is_empty() {
        assert!(Instant::now() < until);
        sleep(Duration::from_millis(50));
    }
    assert_eq!(
        *old.notes.lock().unwrap(),
        ["jobs of loyd 1.2.3 wait on this queue; this worker is loyd 1.2.2 and leaves them"]
    );
    let _new = Worker::start(&server, VERSION, square);
    driver.join().unwrap().check();
    assert_eq!(old.done.load(Ordering::SeqCst), 0);
}

/// The second job waits until it knows the value of the first.
#[test]
fn workers_share_the_least_value() {
    let Some(server) = Server::start("values", "") else { return };
    let solve = |number: u64, task: &Task| {
        let until = Instant::now() + LONGEST;
        while number == 1 && task.best() != Some(70) && Instant::now() < until {
            sleep(Duration::from_millis(20));
        }
        let value = [Some(70), None, Some(72)][number as usize];
        Finished::Done((number * number).to_string().into_bytes(), value)
    };
    let _workers = [(); 2].map(|()| Worker::start(&server, VERSION, solve));
    let mut driver = Squares { until: Instant::now() + LONGEST / 2, ..Squares::new(3) };
    connect(&server).drive(&Run::new(VERSION, "values"), &mut driver).unwrap();
    driver.check();
}

#[test]
fn refusals_say_why() {
    let nobody = Queue::connect("nats://127.0.0.1:9", &Access::default()).unwrap_err().to_string();
    assert!(
        nobody.starts_with("cannot connect to nats://127.0.0.1:9: is a NATS server running there?"),
        "{nobody}"
    );
    let user = "authorization { user: loyd, password: secret }";
    let Some(server) = Server::start("refusals", user) else { return };
    let refused = Queue::connect(&server.url(), &Access::default()).unwrap_err().to_string();
    assert!(refused.contains("the server refuses the credentials"), "{refused}");
    let tls = server.url().replace("nats://", "tls://");
    let plain = Queue::connect(&tls, &Access::default()).unwrap_err().to_string();
    assert!(plain.contains("cannot connect to tls://"), "{plain}");
    let file = server.folder().join("credentials");
    std::fs::write(&file, "secret").unwrap();
    let access = Access { credentials: Some(file), ..Access::default() };
    let unknown = Queue::connect(&server.url(), &access).unwrap_err().to_string();
    assert!(unknown.contains("this is neither the seed of an nkey"), "{unknown}");
}

/// The worker that is unable to do the jobs pauses, so that others get them.
#[test]
fn unable_workers_leave_jobs_to_others() {
    let Some(server) = Server::start("unable", "") else { return };
    let unable = |_: u64, _: &Task| Finished::Unable("of the test".to_owned());
    // It pauses for this long, and each of its tries counts: on a busy machine, the other one takes a while.
    let ack_wait = Duration::from_secs(6);
    let bad = Worker::with_ack_wait(ack_wait, &server, VERSION, unable);
    let queue = connect(&server);
    let driver = spawn(move || {
        let mut driver = Squares::new(30);
        queue.drive(&Run::new(VERSION, "unable"), &mut driver).unwrap();
        driver
    });
    let until = Instant::now() + LONGEST;
    while bad.done.load(Ordering::SeqCst) == 0 {
        assert!(Instant::now() < until);
        sleep(Duration::from_millis(5));
    }
    let _good = Worker::with_ack_wait(ack_wait, &server, VERSION, slow_square);
    let driver = driver.join().unwrap();
    driver.check();
    assert!(driver.failures().is_empty());
    assert!(bad.notes.lock().unwrap().iter().any(|note| note.ends_with("of the test")));
}

/// A worker gives back a job that it has fetched ahead when it is unable to do another one. The tries of both count.
#[test]
fn jobs_that_no_worker_is_able_to_do_fail() {
    let Some(server) = Server::start("none-able", "") else { return };
    let unable = |_: u64, _: &Task| Finished::Unable("of the test".to_owned());
    let _bad = Worker::with_ack_wait(Duration::from_secs(1), &server, VERSION, unable);
    let mut driver = Squares { until: Instant::now() + 2 * LONGEST, ..Squares::new(2) };
    connect(&server).drive(&Run::new(VERSION, "noneable"), &mut driver).unwrap();
    assert_eq!(driver.failures(), ["it ended 5 workers"; 2]);
}

/// Longer than the time after which jobs are published again.
#[test]
fn results_are_taken_once() {
    let Some(server) = Server::start("once", "") else { return };
    let solve = |number, task: &Task| {
        sleep(Duration::from_millis(600));
        square(number, task)
    };
    let worker = Worker::start(&server, VERSION, solve);
    let mut driver = Squares::new(44);
    connect(&server).drive(&Run::new(VERSION, "once"), &mut driver).unwrap();
    driver.check();
    assert_eq!((driver.again, worker.done.load(Ordering::SeqCst)), (0, 44));
}

/// Otherwise, workers would leave out what is needed to prove the value again.
#[test]
fn next_driver_forgets_the_value_of_the_last() {
    let Some(server) = Server::start("forgotten", "") else { return };
    let run = Run::new(VERSION, "forgotten");
    {
        let offer = |number: u64, _: &Task| {
            Finished::Done((number * number).to_string().into_bytes(), Some(70))
        };
        let _worker = Worker::start(&server, VERSION, offer);
        let mut first = Squares { at_most: 1, ..Squares::new(2) };
        connect(&server).drive(&run, &mut first).unwrap();
    }
    let solve = |number, task: &Task| {
        // Longer than the time between two requests for the value.
        sleep(Duration::from_secs(3));
        assert_eq!(task.best(), None);
        square(number, task)
    };
    let _worker = Worker::start(&server, VERSION, solve);
    let mut second = Squares::new(4);
    connect(&server).drive(&run, &mut second).unwrap();
    second.check();
    assert!(second.failures().is_empty(), "{:?}", second.failures());
}
