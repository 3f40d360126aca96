//! Batches: many boards of one request, which all threads of the queue solve.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use loyd_api::{Batch, Call, Event, Fault, Question};
use tokio::sync::{mpsc, oneshot};

use crate::app::{App, CallState};
use crate::faults::unread;
use crate::jobs::{on_place, run};
use crate::queue::{Job, Lane, Refused};
use crate::streams::{Part, RECORDS, Source};
use crate::unread::Claim;

/// Size in bytes of the records from which a block waits for the blocks before it.
const MAX_RECORDS: usize = 64 * 1024;

/// Number of places in line that are kept until they are sent. Further ones are dropped.
const PLACES: usize = 8;

/// A batch that is being solved. Its blocks are jobs of the queue, a few at a time, so other clients take turns with it.
/// If the client does not receive the records, no further blocks are solved.
pub struct Solving {
    jobs: Jobs,
    /// Reports the place of the first job in line.
    places: mpsc::Receiver<Event>,
    /// The boards, once the request has been read.
    batch: Option<Arc<Batch>>,
    /// The first blocks that are not complete, or whose records have not been sent.
    blocks: VecDeque<Block>,
    /// Index of the block after these.
    next: usize,
    time: Duration,
    _claim: Claim,
}

/// Values that all jobs of a batch share.
#[derive(Clone)]
struct Jobs {
    app: Arc<App>,
    call: &'static Call,
    client: IpAddr,
    state: Arc<CallState>,
}

#[derive(Default)]
struct Block {
    job: Option<oneshot::Receiver<Result<Done, Fault>>>,
    /// Records that have not been sent, and their memory.
    records: String,
    claims: Vec<Claim>,
    /// Boards that are not solved.
    rest: Range<usize>,
}

/// Result of a job.
struct Done {
    batch: Arc<Batch>,
    records: String,
    claim: Claim,
    rest: Range<usize>,
    time: Duration,
}

impl Solving {
    /// Adds the first job to the queue, which reads the request with `read` if that has not been done. `claim` is the
    /// memory of the batch.
    ///
    /// # Errors
    /// Fails if the queue rejects the job.
    pub fn start(
        (app, call, client): (Arc<App>, &'static Call, IpAddr),
        state: Arc<CallState>,
        read: impl FnOnce() -> Result<Question, Fault> + Send + 'static,
        has_events: bool,
        claim: Claim,
    ) -> Result<Self, Refused> {
        let jobs = Jobs { app, call, client, state };
        let (event_sender, places) = mpsc::channel(PLACES);
        let on_place = has_events.then(|| on_place(event_sender));
        let first = move |app: &App| {
            let batch = app.service.batch(read()?, app.options.threads)?;
            let rest = batch.block(0);
            Ok((Arc::new(batch), rest))
        };
        let job = jobs.push(false, on_place, first)?;
        let blocks = VecDeque::from([Block { job: Some(job), ..Block::default() }]);
        let time = Duration::ZERO;
        Ok(Self { jobs, places, batch: None, blocks, next: 1, time, _claim: claim })
    }
}

impl Source for Solving {
    /// Returns the next records. The last ones are the answer.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Part> {
        if let Poll::Ready(Some(event)) = self.places.poll_recv(context) {
            return Poll::Ready(Part::Event(event));
        }
        loop {
            if let Some(batch) = &self.batch {
                // A block in reserve, so that no thread waits for this task.
                while self.blocks.len() <= batch.at_once() && !batch.block(self.next).is_empty() {
                    let rest = batch.block(self.next);
                    self.blocks.push_back(Block { rest, ..Block::default() });
                    self.next += 1;
                }
            }
            let Self { jobs, batch, blocks, time, .. } = self;
            for block in blocks.iter_mut() {
                match block.poll(context, jobs, batch, time) {
                    Ok(()) => {}
                    Err(Some(fault)) => return Poll::Ready(Part::Answer(Err(fault))),
                    Err(None) => return Poll::Ready(Part::Stopped),
                }
            }
            let Some(first) = self.blocks.front_mut() else { return Poll::Pending };
            let records = std::mem::take(&mut first.records);
            first.claims.clear();
            let is_complete = first.job.is_none() && first.rest.is_empty();
            if is_complete {
                self.blocks.pop_front();
                let has_more = |batch: &Arc<Batch>| !batch.block(self.next).is_empty();
                if self.blocks.is_empty() && !self.batch.as_ref().is_some_and(has_more) {
                    return Poll::Ready(Part::Answer(Ok(records)));
                }
            }
            match records.is_empty() {
                false => return Poll::Ready(Part::Event(Event { name: RECORDS, data: records })),
                true if !is_complete => return Poll::Pending,
                true => {}
            }
        }
    }
}

impl Drop for Solving {
    fn drop(&mut self) {
        self.jobs.app.metrics.worked(self.jobs.call.name, self.time);
    }
}

impl Block {
    /// Takes the results of jobs and starts further ones, until there is something to wait for. Fails with the fault of a
    /// job, or without one if the server is shutting down and the request has not been read.
    fn poll(
        &mut self,
        context: &mut Context<'_>,
        jobs: &Jobs,
        batch: &mut Option<Arc<Batch>>,
        time: &mut Duration,
    ) -> Result<(), Option<Fault>> {
        loop {
            let Some(job) = &mut self.job else {
                let Some(batch) = batch.as_ref().filter(|_| !self.is_full()) else { return Ok(()) };
                self.job = Some(jobs.solve(batch, self.rest.clone()));
                continue;
            };
            let Poll::Ready(done) = Pin::new(job).poll(context) else { return Ok(()) };
            self.job = None;
            let done = match (done, &*batch) {
                (Ok(done), _) => done?,
                // The queue drops its jobs when the server shuts down.
                (Err(_), None) => return Err(None),
                (Err(_), Some(batch)) => {
                    jobs.state.cancel.cancel();
                    jobs.solve_here(batch.clone(), self.rest.clone())?
                }
            };
            if !self.records.is_empty() {
                self.records.push('\n');
            }
            self.records += &done.records;
            self.claims.push(done.claim);
            self.rest = done.rest;
            *time += done.time;
            batch.get_or_insert(done.batch);
        }
    }

    fn is_full(&self) -> bool {
        self.rest.is_empty() || self.records.len() >= MAX_RECORDS
    }
}

impl Jobs {
    /// Adds a job that solves boards of `rest` to the queue. The job is dropped if the queue is closed.
    fn solve(
        &self,
        batch: &Arc<Batch>,
        rest: Range<usize>,
    ) -> oneshot::Receiver<Result<Done, Fault>> {
        let batch = batch.clone();
        let pushed = self.push(true, None, move |_| Ok((batch, rest)));
        pushed.unwrap_or_else(|_| oneshot::channel().1)
    }

    /// Adds a job to the queue that solves the boards which `find` returns.
    fn push(
        &self,
        is_continued: bool,
        on_place: Option<Box<dyn FnMut(usize) + Send>>,
        find: impl FnOnce(&App) -> Result<(Arc<Batch>, Range<usize>), Fault> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<Done, Fault>>, Refused> {
        let (sender, done) = oneshot::channel();
        let jobs = self.clone();
        let work = Box::new(move || {
            let Self { app, call, state, .. } = &jobs;
            let done = run(app, call, state, || {
                let (batch, rest) = find(app)?;
                jobs.solve_here(batch, rest)
            });
            _ = sender.send(done);
        });
        let (client, cancel) = (self.client, self.state.cancel.clone());
        let lane = Lane::Large;
        self.app.queue.push(Job { client, lane, is_continued, cancel, on_place, work })?;
        Ok(done)
    }

    /// Solves the first boards of `rest` on this thread. Fails if the records exceed the memory for the client.
    fn solve_here(&self, batch: Arc<Batch>, mut rest: Range<usize>) -> Result<Done, Fault> {
        let start = Instant::now();
        let records = self.app.service.solve(&batch, &mut rest, &self.state.cancel)?;
        let claim = self.app.unread.claim(self.client, records.len()).ok_or_else(unread)?;
        Ok(Done { batch, records, claim, rest, time: start.elapsed() })
    }
}
