//! Publishes jobs and takes their results.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use crate::connect::{Error, Queue};
use crate::streams::{self, FAILED, JOBS, Run, publish_once};

/// Time after which jobs without a result are published again.
const AGAIN: Duration = Duration::from_secs(10);

/// Time between two checks for cancellation.
const LOOK: Duration = Duration::from_millis(200);

/// Time between two requests for the number of jobs that are being done.
const COUNT: Duration = Duration::from_secs(2);

/// Time after which errors of the first requests count as a refusal: a server that was restarted needs a moment.
const REFUSED: Duration = Duration::from_secs(3);

/// Maximum number of jobs without a result.
const MOST_JOBS: usize = 4096;

/// A job for one worker.
#[derive(Clone, Debug)]
pub struct Job {
    /// Name of the job in its run, of letters, digits and hyphens.
    pub key: String,
    /// The message to a worker.
    pub payload: Vec<u8>,
}

/// The outcome of a job.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// The result of a worker.
    Done(&'a [u8]),
    /// Why the job cannot be done.
    Failed(&'a str),
}

/// State of the queue, for a display of progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// Number of jobs without a result.
    pub jobs: usize,
    /// Number of jobs that workers have taken.
    pub running: usize,
    /// Number of jobs that were given to another worker.
    pub again: usize,
    /// Number of workers that wait for a job.
    pub idle: usize,
    /// Whether the server cannot be reached at present.
    pub is_lost: bool,
    /// Whether the server refuses messages, as it does without room on its disk.
    pub is_refused: bool,
}

/// The work of a driver.
pub trait Work {
    /// The error that ends a run.
    type Error: From<Error>;

    /// Returns the next job; `None` if there is none at present.
    ///
    /// # Errors
    /// Ends the run.
    fn next_job(&mut self) -> Result<Option<Job>, Self::Error>;

    /// Returns whether the run is complete. Its jobs and results are then removed from the server.
    fn is_done(&self) -> bool;

    /// Takes the outcome of a job, perhaps one that an earlier driver published, or one that was taken before. Returns
    /// false if the result is not valid, so that the job is done again.
    ///
    /// # Errors
    /// Ends the run.
    fn take(&mut self, key: &str, outcome: Outcome<'_>) -> Result<bool, Self::Error>;

    /// Shows the state of the queue, a few times a second. Returns false to end the run.
    fn look(&mut self, state: State) -> bool;
}

/// A job without a result.
struct Outstanding {
    payload: Vec<u8>,
    /// Whether it is being published.
    is_sent: bool,
}

/// The outcome of the attempt to publish a job.
type Sent = (String, Result<bool, PublishErrorKind>);

impl Queue {
    /// Does `work` with the workers of the queue, until it is done or [`Work::look`] returns false.
    ///
    /// # Errors
    /// Returns an error of `work`, or one of the server if it refuses the streams at the start.
    pub fn drive<W: Work>(&self, run: &Run, work: &mut W) -> Result<(), W::Error> {
        let mut driver =
            Driver { queue: self, run, jobs: BTreeMap::new(), taken: (None, 0), largest: 0 };
        self.runtime.block_on(async {
            let ended = driver.drive(work).await;
            driver.clear(matches!(ended, Ok(true))).await;
            ended.map(|_| ())
        })
    }
}

struct Driver<'a> {
    queue: &'a Queue,
    run: &'a Run,
    jobs: BTreeMap<String, Outstanding>,
    /// When the stream of results was created, and the number of the last result taken from it.
    taken: (Option<String>, u64),
    /// Size of the largest result so far, in bytes.
    largest: usize,
}

impl Driver<'_> {
    /// Returns whether the work is done.
    async fn drive<W: Work>(&mut self, work: &mut W) -> Result<bool, W::Error> {
        let (mut state, mut failed_at) = (State::default(), None);
        let mut results = loop {
            match self.begin().await {
                Ok((results, last)) => break self.take_until(work, results, last).await?,
                Err(error)
                    if failed_at.get_or_insert_with(Instant::now).elapsed() >= REFUSED
                        && !self.queue.has_begun.load(Ordering::Relaxed)
                        && !self.queue.link.is_lost() =>
                {
                    let error = Error::Server(self.queue.address.clone(), error.to_string());
                    return Err(error.into());
                }
                Err(_) => {
                    state.is_lost = true;
                    if !work.look(state) {
                        return Ok(false);
                    }
                    sleep(LOOK).await;
                }
            }
        };
        self.queue.has_begun.store(true, Ordering::Relaxed);
        let mut sending = FuturesUnordered::new();
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut published, mut counted, mut seen) = (Instant::now(), None::<Instant>, 0);
        loop {
            while self.jobs.len() < MOST_JOBS
                && !state.is_refused
                && let Some(Job { key, payload }) = work.next_job()?
            {
                sending.push(self.send(key.clone(), payload.clone()).boxed_local());
                self.jobs.insert(key, Outstanding { payload, is_sent: true });
            }
            if work.is_done() {
                return Ok(true);
            }
            tokio::select! {
                Some(message) = async { Some(results.as_mut()?.next().await) } => match message {
                    Some(Ok(message)) => self.take(work, &message).await?,
                    // The server or its store is gone; the next look asks again.
                    _ => results = None,
                },
                Some((key, sent)) = sending.next() => {
                    state.is_refused = sent == Err(PublishErrorKind::Other);
                    self.sent(work, &key, sent)?;
                }
                _ = looks.tick() => {
                    if counted.is_none_or(|at| at.elapsed() >= COUNT) && !self.queue.link.is_lost() {
                        state = State { is_refused: state.is_refused, ..self.count().await };
                        counted = Some(Instant::now());
                    }
                    state.jobs = self.jobs.len();
                    state.is_lost = self.queue.link.is_lost();
                    if !work.look(state) {
                        return Ok(false);
                    }
                    let is_restored = self.queue.link.restored.notified().now_or_never().is_some();
                    let is_due = is_restored || published.elapsed() >= AGAIN;
                    if state.is_lost || !(is_due || results.is_none()) {
                        continue;
                    }
                    // A consumer that is silent may have been lost unnoticed.
                    let is_silent = is_due && seen == self.taken.1;
                    if is_restored || is_silent || self.is_new_stream().await {
                        results = None;
                    }
                    if results.is_none() {
                        results = self.results().await.ok();
                    }
                    if is_due {
                        published = Instant::now();
                        // Without room for results, none comes, and jobs that it has are not refused.
                        let is_unsent = self.jobs.values().any(|job| !job.is_sent);
                        state.is_refused = state.is_refused && is_unsent
                            || (state.is_refused || is_silent) && !self.has_room().await;
                        if state.is_refused {
                            // Jobs that are done again may then have a second result, which is ignored.
                            self.purge(&self.run.result("*"), self.taken.1 + 1).await;
                        }
                        seen = self.taken.1;
                        let again = self.jobs.iter_mut().filter(|(_, job)| !job.is_sent);
                        // One is enough to learn whether the server takes messages again.
                        let most = if state.is_refused { 1 } else { usize::MAX };
                        let again: Vec<(String, Vec<u8>)> = again
                            .take(most)
                            .map(|(key, job)| {
                                job.is_sent = true;
                                (key.clone(), job.payload.clone())
                            })
                            .collect();
                        for (key, payload) in again {
                            sending.push(self.send(key, payload).boxed_local());
                        }
                    }
                }
            }
        }
    }

    /// Removes the jobs that an earlier driver of this run has left, and the value that its workers shared. Returns the
    /// results that it has left, and the number of the last of them, if any.
    async fn begin(&mut self) -> Result<(Ordered, Option<u64>), async_nats::Error> {
        let (context, run) = (&self.queue.context, self.run);
        streams::jobs(context).await?.purge().filter(run.job("*")).await?;
        streams::shared(context).await?.purge(&run.name).await?;
        let results = self.results().await?;
        let stream = streams::results(context).await?;
        let last = stream.get_last_raw_message_by_subject(&run.result("*")).await;
        match last {
            Ok(message) => Ok((results, Some(message.sequence))),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                Ok((results, None))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Takes results, up to the one with the number `last`. Returns the others, or `None` if the connection was lost.
    async fn take_until<W: Work>(
        &mut self,
        work: &mut W,
        mut results: Ordered,
        last: Option<u64>,
    ) -> Result<Option<Ordered>, W::Error> {
        while last.is_some_and(|last| self.taken.1 < last) {
            let Ok(Some(Ok(message))) = timeout(AGAIN, results.next()).await else {
                return Ok(None);
            };
            self.take(work, &message).await?;
        }
        Ok(Some(results))
    }

    /// Returns whether the stream of results is another one than before, because the store or the stream was deleted.
    async fn is_new_stream(&self) -> bool {
        let stream = streams::results(&self.queue.context).await;
        stream.is_ok_and(|stream| self.taken.0 != Some(stream.cached_info().created.to_string()))
    }

    /// Returns the results of the run that are not taken yet.
    async fn results(&mut self) -> Result<Ordered, async_nats::Error> {
        let stream = streams::results(&self.queue.context).await?;
        let created = Some(stream.cached_info().created.to_string());
        if self.taken.0 != created {
            self.taken = (created, 0);
        }
        let config = OrderedConfig {
            filter_subject: self.run.result("*"),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.taken.1 + 1 },
            ..OrderedConfig::default()
        };
        Ok(stream.create_consumer(config).await?.messages().await?)
    }

    /// Publishes a job, unless the server has it.
    fn send(&self, key: String, payload: Vec<u8>) -> impl Future<Output = Sent> + use<> {
        let (context, subject) = (self.queue.context.clone(), self.run.job(&key));
        async move {
            let sent = publish_once(&context, subject, HeaderMap::new(), payload).await;
            if sent == Err(PublishErrorKind::StreamNotFound) {
                // The stream may have been deleted with everything else.
                _ = streams::jobs(&context).await;
                sleep(LOOK).await;
            }
            (key, sent)
        }
    }

    /// Takes the outcome of the attempt to publish a job.
    fn sent<W: Work>(
        &mut self,
        work: &mut W,
        key: &str,
        sent: Result<bool, PublishErrorKind>,
    ) -> Result<(), W::Error> {
        if let Some(job) = self.jobs.get_mut(key) {
            job.is_sent = false;
        }
        if sent == Err(PublishErrorKind::MaxPayloadExceeded) && self.jobs.remove(key).is_some() {
            work.take(key, Outcome::Failed("the job is longer than a message of the server"))?;
        }
        Ok(())
    }

    /// Takes a result. One that is not valid, or a failure, is removed, so that the job can be done again.
    async fn take<W: Work>(
        &mut self,
        work: &mut W,
        message: &async_nats::jetstream::Message,
    ) -> Result<(), W::Error> {
        if let Ok(info) = message.info() {
            self.taken.1 = info.stream_sequence;
        }
        self.largest = self.largest.max(message.payload.len());
        let Some((_, key)) = Run::of_subject(&message.subject) else { return Ok(()) };
        let failed = message.headers.as_ref().and_then(|headers| headers.get(FAILED));
        let outcome = match failed {
            Some(reason) => Outcome::Failed(reason.as_str()),
            None => Outcome::Done(&message.payload),
        };
        // A failure may be that of an earlier driver.
        let is_old = failed.is_some() && !self.jobs.contains_key(key);
        let taken = if is_old { Ok(false) } else { work.take(key, outcome) };
        if matches!(taken, Ok(true)) {
            self.jobs.remove(key);
        }
        // A failure must not be taken again for the result of another attempt.
        if failed.is_some() || !matches!(taken, Ok(true)) {
            self.purge(&self.run.result(key), 0).await;
        }
        taken.map(|_| ())
    }

    /// Returns the numbers of jobs and workers that the server knows.
    async fn count(&self) -> State {
        let info = async {
            let stream = self.queue.context.get_stream_no_info(JOBS).await.ok()?;
            stream.consumer_info(&streams::consumer_name(&self.run.version)).await.ok()
        };
        info.await.map_or_else(State::default, |info| State {
            running: info.num_ack_pending,
            again: info.num_redelivered,
            idle: info.num_waiting,
            ..State::default()
        })
    }

    /// Removes the results with a subject and a number less than `before`; 0 stands for all. Errors are ignored: results
    /// that remain are taken again, and then ignored.
    async fn purge(&self, subject: &str, before: u64) {
        if let Ok(stream) = streams::results(&self.queue.context).await {
            _ = stream.purge().filter(subject).sequence(before).await;
        }
    }

    /// Returns whether the server would store another result.
    async fn has_room(&self) -> bool {
        let Ok(store) = streams::shared(&self.queue.context).await else { return true };
        let key = format!("{}-room", self.run.name);
        let has_room = store.put(&key, vec![0; self.largest].into()).await.is_ok();
        _ = store.purge(&key).await;
        has_room
    }

    /// Removes the jobs of the run from the server, so that no worker starts them; if the run is complete, also its
    /// results, which another driver could use otherwise. Errors are ignored: the server removes abandoned messages.
    async fn clear(&self, is_complete: bool) {
        if self.queue.link.is_lost() {
            return;
        }
        if let Ok(jobs) = streams::jobs(&self.queue.context).await {
            _ = jobs.purge().filter(self.run.job("*")).await;
        }
        if !is_complete {
            return;
        }
        self.purge(&self.run.result("*"), 0).await;
        if let Ok(shared) = streams::shared(&self.queue.context).await {
            _ = shared.purge(&self.run.name).await;
        }
    }
}
