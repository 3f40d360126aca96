//! Does jobs on several threads.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc as channel;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use crate::connect::{Error, Queue};
use crate::metrics::Metrics;
use crate::streams::{self, FAILED, JOBS, RETRY, Run, TRIES, publish_surely, token};

/// Number of workers that a job may end before it counts as failed.
const MOST_TRIES: i64 = 5;

/// Time between two checks for cancellation.
const LOOK: Duration = Duration::from_millis(100);
/// Time between two requests for the best values of runs.
const SHARE: Duration = Duration::from_secs(2);
/// Longest time that the server holds a request for a job.
const FETCH: Duration = Duration::from_secs(2);
/// Time after which a stopping worker gives up results that the server does not take.
const END: Duration = Duration::from_secs(5);
/// Time after which a job that a worker is unable to do is given to another one.
const UNABLE: Duration = Duration::from_secs(2);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of jobs that are done at the same time.
    pub threads: NonZeroUsize,
    /// Time without a connection after which the worker ends; `None` for never.
    pub give_up: Option<Duration>,
    /// Time after which the server gives a job to another worker, unless this one reports progress. It reports
    /// three times as often. The first worker of a version decides.
    pub ack_wait: Duration,
    /// Where to serve metrics for Prometheus, if anywhere.
    pub metrics: Option<SocketAddr>,
}

/// A job that is being done.
#[derive(Debug)]
pub struct Task {
    /// The job.
    pub payload: Vec<u8>,
    best: Arc<AtomicU64>,
    bound: Arc<AtomicU64>,
}

impl Task {
    /// Returns the least value that a worker of the run has [offered](Finished::Done), as far as it is known here.
    pub fn best(&self) -> Option<u64> {
        Some(self.best.load(Ordering::Relaxed)).filter(|&best| best != u64::MAX)
    }

    /// Reports the bound of the search, for the metrics.
    pub fn report_bound(&self, bound: u64) {
        self.bound.store(bound, Ordering::Relaxed);
    }
}

/// How a job ended.
#[derive(Clone, Debug)]
pub enum Finished {
    /// With a result, and perhaps a value of which all workers of the run should know the least.
    Done(Vec<u8>, Option<u64>),
    /// It can be done by no worker, for this reason.
    Failed(String),
    /// This worker cannot do it, for this reason, but another one may.
    Unable(String),
    /// Its result is no longer needed.
    Unneeded,
    /// The worker is stopping; another one has to do the job.
    Interrupted,
}

/// The function that does a job.
type Solve = dyn Fn(&Task) -> Finished + Send + Sync;

/// A job, its number, and how it ended; `None` if the thread panicked.
type Ended = (u64, Option<Finished>);

/// A job that this worker has.
struct Held {
    message: Arc<Message>,
    run: Run,
    is_running: bool,
}

/// Stores the result of a job. Returns the number of the job, and its outcome for the metrics.
type Finishing = Pin<Box<dyn Future<Output = (u64, &'static str)>>>;

/// Waits for a job, for a few seconds.
type Fetch = Pin<Box<dyn Future<Output = Result<Option<Message>, async_nats::Error>>>>;

/// The state of a worker.
struct Worker<'a> {
    queue: &'a Queue,
    version: &'a str,
    ack_wait: Duration,
    threads: usize,
    held: BTreeMap<u64, Held>,
    /// Numbers of the jobs that wait for a thread.
    waiting: VecDeque<u64>,
    /// It takes no jobs until then, because it was unable to do one.
    pauses_until: Instant,
    /// The best values of the runs of the jobs.
    best: BTreeMap<String, Arc<AtomicU64>>,
    /// The jobs that have ended, and whose results are being stored.
    finishing: FuturesUnordered<Finishing>,
    metrics: Metrics,
}

impl Queue {
    /// Does jobs for drivers of the same `version` until `is_stopped` returns true, on new threads. `note` is called
    /// with messages for the user.
    ///
    /// # Errors
    /// Returns an error if the server refuses the streams at the start, if metrics cannot be served, if the system has no
    /// thread, or if there was no connection for [`Options::give_up`].
    pub fn work(
        &self,
        version: &str,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
        note: &dyn Fn(String),
        solve: &Arc<Solve>,
    ) -> Result<(), Error> {
        let (to_threads, tasks) = mpsc::channel();
        let (ended, results) = channel::unbounded_channel();
        let threads = start_threads(options.threads.get(), solve, tasks, &ended)?;
        if threads < options.threads.get() {
            note(format!("the system allows only {threads} threads"));
        }
        let worker = Worker {
            queue: self,
            version,
            ack_wait: options.ack_wait,
            threads,
            held: BTreeMap::new(),
            waiting: VecDeque::new(),
            pauses_until: Instant::now(),
            best: BTreeMap::new(),
            finishing: FuturesUnordered::new(),
            metrics: Metrics::default(),
        };
        self.runtime.block_on(worker.run(options, is_stopped, note, &to_threads, results))
    }
}

/// Starts up to `threads` threads that do the tasks they receive. Returns their number.
fn start_threads(
    threads: usize,
    solve: &Arc<Solve>,
    tasks: mpsc::Receiver<(u64, Task)>,
    ended: &channel::UnboundedSender<Ended>,
) -> Result<usize, Error> {
    let tasks = Arc::new(Mutex::new(tasks));
    let mut started = 0;
    for _ in 0..threads {
        let (solve, tasks, ended) = (solve.clone(), tasks.clone(), ended.clone());
        let work = move || {
            loop {
                let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((number, task)) = task else { return };
                let finished = catch_unwind(AssertUnwindSafe(|| solve(&task))).ok();
                if ended.send((number, finished)).is_err() {
                    return;
                }
            }
        };
        match thread::Builder::new().spawn(work) {
            Ok(_) => started += 1,
            Err(error) if started == 0 => return Err(error.into()),
            Err(_) => break,
        }
    }
    Ok(started)
}

impl Worker<'_> {
    async fn run(
        mut self,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
        note: &dyn Fn(String),
        to_threads: &mpsc::Sender<(u64, Task)>,
        mut results: channel::UnboundedReceiver<Ended>,
    ) -> Result<(), Error> {
        let refused =
            |error: async_nats::Error| Error::Server(self.queue.address.clone(), error.to_string());
        let mut consumer = self.consumer().await.map_err(refused)?;
        if let Some(address) = options.metrics {
            let listener = TcpListener::bind(address).await;
            let listener = listener.map_err(|error| Error::Metrics(address, error.to_string()))?;
            tokio::spawn(self.metrics.serve(listener, self.queue.link.clone()));
        }
        let (mut fetching, mut next): (Option<Fetch>, u64) = (None, 0);
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut reported = Instant::now();
        let mut shares = interval(SHARE);
        let (mut lost_since, mut idle_since, mut end_at) = (None, Instant::now(), Instant::now());
        let (mut is_ending, mut refused_version, mut reconnects) = (false, None, 0);
        loop {
            let pauses = is_ending || Instant::now() < self.pauses_until;
            if pauses {
                // A request may still be answered with a job, which would otherwise count as tried.
                for number in std::mem::take(&mut self.waiting) {
                    self.finish(number, Some(Finished::Interrupted));
                }
            } else {
                self.start_waiting(to_threads, &mut idle_since);
                // One job waits here, so that no thread waits for the network.
                if fetching.is_none() && self.waiting.is_empty() {
                    fetching = Some(fetch(consumer.clone()).boxed_local());
                }
            }
            if is_ending && self.held.is_empty() && self.finishing.is_empty() && fetching.is_none()
            {
                return Ok(());
            }
            tokio::select! {
                Some(message) = async { Some(fetching.as_mut()?.await) } => {
                    fetching = None;
                    match message {
                        Ok(Some(message)) => {
                            next += 1;
                            self.hold(next, message).await;
                        }
                        Ok(None) if self.held.is_empty() => {
                            let other = self.other_version().await;
                            if other.is_some() && other != refused_version {
                                let jobs = other.as_deref().unwrap_or_default();
                                let own = self.version;
                                note(format!("jobs of loyd {jobs} wait on this queue; this worker is loyd {own} and leaves them"));
                                refused_version = other;
                            }
                        }
                        Ok(None) => {}
                        Err(_) => {
                            sleep(RETRY).await;
                            // The consumer may have been deleted with everything else.
                            consumer = self.consumer().await.unwrap_or(consumer);
                        }
                    }
                }
                Some((number, finished)) = results.recv() => {
                    if let Some(Finished::Unable(reason)) = &finished {
                        // Otherwise it would get the job again as soon as no other worker is idle.
                        self.pauses_until = Instant::now() + self.ack_wait;
                        note(format!("a job is left to other workers: {reason}"));
                    }
                    self.finish(number, finished);
                    if self.running() == 0 {
                        idle_since = Instant::now();
                    }
                }
                Some((number, outcome)) = self.finishing.next() => {
                    self.held.remove(&number);
                    self.metrics.count(outcome);
                }
                _ = shares.tick() => self.share().await,
                _ = looks.tick() => {
                    let is_lost = self.queue.link.is_lost();
                    if reported.elapsed() >= self.ack_wait / 3 && !is_lost {
                        reported = Instant::now();
                        self.report().await;
                    }
                    if is_stopped() && !is_ending {
                        (is_ending, end_at) = (true, Instant::now() + END);
                    }
                    let now = self.queue.link.reconnects.load(Ordering::Relaxed);
                    if std::mem::replace(&mut reconnects, now) != now {
                        // The server has forgotten the request, and perhaps the consumer.
                        fetching = None;
                        consumer = self.consumer().await.unwrap_or(consumer);
                    }
                    lost_since = is_lost.then(|| lost_since.unwrap_or_else(Instant::now));
                    if let (Some(since), Some(most)) = (lost_since, options.give_up)
                        && since.elapsed() >= most
                    {
                        return Err(Error::GivenUp(self.queue.address.clone(), most));
                    }
                    let is_late = Instant::now() >= end_at && self.running() == 0;
                    if is_ending && (is_lost || is_late) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Returns the consumer of the jobs of this version, and adopts its time for reports.
    async fn consumer(&mut self) -> Result<Consumer<pull::Config>, async_nats::Error> {
        let context = &self.queue.context;
        let consumer = streams::consumer(context, self.version, self.ack_wait).await?;
        self.ack_wait = consumer.cached_info().config.ack_wait;
        Ok(consumer)
    }

    fn running(&self) -> usize {
        self.held.values().filter(|held| held.is_running).count()
    }

    /// Reports that the jobs are being done. A report that is lost delays nothing: the next one follows soon.
    async fn report(&self) {
        for held in self.held.values() {
            _ = timeout(LOOK, held.message.ack_with(AckKind::Progress)).await;
        }
    }

    /// Keeps a job. One that has ended too many workers is answered at once. A job that this worker has already was
    /// given to it again because its reports were late, and is not started twice.
    async fn hold(&mut self, number: u64, message: Message) {
        let Some((run, _)) = Run::of_subject(&message.subject) else {
            _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let same = |held: &&mut Held| held.message.subject == message.subject;
        if let Some(held) = self.held.values_mut().find(same) {
            held.message = Arc::new(message);
            return;
        }
        let tries = tries(&message);
        self.held.insert(number, Held { message: Arc::new(message), run, is_running: false });
        if tries > MOST_TRIES {
            let reason = format!("it ended {MOST_TRIES} workers");
            self.finish(number, Some(Finished::Failed(reason)));
        } else {
            self.waiting.push_back(number);
        }
    }

    /// Starts to store the result of a job.
    fn finish(&mut self, number: u64, finished: Option<Finished>) {
        let Some(held) = self.held.get_mut(&number) else { return };
        held.is_running = false;
        let (message, run) = (held.message.clone(), held.run.clone());
        if matches!(finished, Some(Finished::Interrupted)) {
            // The job may come back before its end is known.
            self.held.remove(&number);
        }
        let context = self.queue.context.clone();
        let finishing = async move { (number, store(&context, &message, &run, finished).await) };
        self.finishing.push(finishing.boxed_local());
    }

    /// Gives waiting jobs to threads that have none.
    fn start_waiting(&mut self, to_threads: &mpsc::Sender<(u64, Task)>, idle_since: &mut Instant) {
        while self.running() < self.threads
            && Instant::now() >= self.pauses_until
            && let Some(number) = self.waiting.pop_front()
        {
            if self.running() == 0 {
                self.metrics.add_wait(idle_since.elapsed());
            }
            let Some(held) = self.held.get_mut(&number) else { continue };
            held.is_running = true;
            let none = || Arc::new(AtomicU64::new(u64::MAX));
            let best = self.best.entry(held.run.name.clone()).or_insert_with(none).clone();
            let (payload, bound) = (held.message.payload.to_vec(), self.metrics.bound());
            // Fails only if all threads have ended, which they do not before the sender is dropped.
            _ = to_threads.send((number, Task { payload, best, bound }));
        }
        self.metrics.set_running(self.running());
    }

    /// Fetches the best values of the runs of the jobs, and forgets other runs.
    async fn share(&mut self) {
        let held = &self.held;
        self.best.retain(|run, _| held.values().any(|held| held.run.name == *run));
        if self.best.is_empty() || self.queue.link.is_lost() {
            return;
        }
        let Ok(store) = streams::shared(&self.queue.context).await else { return };
        for (run, best) in &self.best {
            if let Ok(Ok(value)) = timeout(SHARE, store.get(run)).await {
                // A new driver of the run has removed the value of the last one.
                let value = value.as_deref().and_then(streams::number_in).unwrap_or(u64::MAX);
                best.store(value, Ordering::Relaxed);
            }
        }
    }

    /// Returns the version of jobs that wait for workers of another version.
    async fn other_version(&self) -> Option<String> {
        let stream = self.queue.context.get_stream_no_info(JOBS).await.ok()?;
        let job = stream.get_last_raw_message_by_subject("loyd.job.>").await.ok()?;
        let (run, _) = Run::of_subject(&job.subject)?;
        (run.version != token(self.version)).then(|| run.version.replace('_', "."))
    }
}

/// Waits for a job, for a few seconds.
async fn fetch(consumer: Consumer<pull::Config>) -> Result<Option<Message>, async_nats::Error> {
    let mut batch = consumer.fetch().max_messages(1).expires(FETCH).messages().await?;
    // The server answers within the time, unless it is gone.
    timeout(2 * FETCH, batch.next()).await?.transpose()
}

/// Stores the result of a job, and then removes the job. Returns the outcome for the metrics.
async fn store(
    context: &Context,
    message: &Message,
    run: &Run,
    finished: Option<Finished>,
) -> &'static str {
    let (result, value, headers, outcome) = match finished {
        Some(Finished::Done(result, value)) => (result, value, HeaderMap::new(), "done"),
        Some(Finished::Failed(reason)) => (Vec::new(), None, header(FAILED, &reason), "failed"),
        Some(Finished::Unneeded) => {
            confirm(message).await;
            return "unneeded";
        }
        // Counts as a try: it may be the fault of the job.
        Some(Finished::Unable(_)) => {
            _ = message.ack_with(AckKind::Nak(Some(UNABLE))).await;
            return "unable";
        }
        Some(Finished::Interrupted) => {
            requeue(context, message).await;
            return "interrupted";
        }
        // Counts as a try: the job may end this worker again.
        None => {
            _ = message.ack_with(AckKind::Nak(Some(RETRY))).await;
            return "panicked";
        }
    };
    let Some((_, key)) = Run::of_subject(&message.subject) else { return outcome };
    let subject = run.result(key);
    let outcome = match publish_surely(context, &subject, &headers, &result).await {
        Ok(true) => outcome,
        Ok(false) => "duplicate",
        Err(_) => {
            let failed = header(FAILED, "its result is longer than a message of the server");
            _ = publish_surely(context, &subject, &failed, &[]).await;
            "failed"
        }
    };
    // After the result: without it, no other worker may rely on the value.
    if let Some(value) = value {
        streams::offer(context, &run.name, value).await;
    }
    confirm(message).await;
    outcome
}

fn header(name: &str, value: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(name, value);
    headers
}

/// Returns how often a job was given to a worker, this time included.
fn tries(message: &Message) -> i64 {
    let headers = message.headers.as_ref();
    let before = headers.and_then(|headers| headers.get(TRIES)?.as_str().parse::<i64>().ok());
    before.unwrap_or(0) + message.info().map_or(1, |info| info.delivered)
}

/// Confirms to the server that the job is done. If it does not answer, the job is done again, and its result ignored.
async fn confirm(message: &Message) {
    let mut left = 3;
    while left > 0 && message.double_ack().await.is_err() {
        left -= 1;
    }
}

/// Publishes a job again, so that this try does not count: an ordered end is not the fault of the job.
async fn requeue(context: &Context, message: &Message) {
    confirm(message).await;
    let (subject, payload) = (message.subject.to_string(), message.payload.to_vec());
    let headers = header(TRIES, &(tries(message) - 1).to_string());
    // If this fails, the driver publishes the job again.
    _ = streams::publish_once(context, subject, headers, payload).await;
}
