//! Batches: many boards of one request, which all threads of the queue solve.

use std::collections::VecDeque;
use std::mem;
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
use crate::jobs::{answer_safely, on_place, run};
use crate::queue::{Job, Lane, Refused};
use crate::streams::{Part, Source};
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
    /// The fault that ended the block, after these records.
    fault: Option<Fault>,
}

/// The server is shutting down.
struct Stopped;

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
            // A block in reserve, so that no thread waits for the task that sends the records.
            let batch = app.service.batch(read()?, app.options.threads + 1)?;
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
                while self.blocks.len() < batch.at_once()
                    && !batch.block(self.next).is_empty()
                    && self.blocks.iter().all(|block| block.fault.is_none())
                {
                    let rest = batch.block(self.next);
                    self.blocks.push_back(Block { rest, ..Block::default() });
                    self.next += 1;
                }
            }
            let Self { jobs, batch, blocks, time, .. } = self;
            for block in blocks.iter_mut() {
                if block.poll(context, jobs, batch, time).is_err() {
                    return Poll::Ready(Part::Stopped);
                }
            }
            // The records of the blocks before a fault are sent, and no further ones.
            if let Some(index) = blocks.iter().position(|block| block.fault.is_some()) {
                blocks.truncate(index + 1);
            }
            let Some(first) = self.blocks.front_mut() else { return Poll::Pending };
            let (records, claims) = (mem::take(&mut first.records), mem::take(&mut first.claims));
            let is_complete = first.job.is_none() && first.rest.is_empty();
            if records.is_empty()
                && let Some(fault) = first.fault.take()
            {
                return Poll::Ready(Part::Answer(Err(fault), Vec::new()));
            }
            if is_complete && first.fault.is_none() {
                self.blocks.pop_front();
                let has_more = |batch: &Arc<Batch>| !batch.block(self.next).is_empty();
                if self.blocks.is_empty() && !self.batch.as_ref().is_some_and(has_more) {
                    return Poll::Ready(Part::Answer(Ok(records), claims));
                }
            }
            match records.is_empty() {
                false => return Poll::Ready(Part::Records(records, claims)),
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
    /// Takes the results of jobs and starts further ones, until there is something to wait for.
    ///
    /// # Errors
    /// Fails if the server is shutting down and the request has not been read.
    fn poll(
        &mut self,
        context: &mut Context<'_>,
        jobs: &Jobs,
        batch: &mut Option<Arc<Batch>>,
        time: &mut Duration,
    ) -> Result<(), Stopped> {
        loop {
            let Some(job) = &mut self.job else {
                let Some(batch) = batch.as_ref().filter(|_| !self.is_full()) else { return Ok(()) };
                self.job = Some(jobs.solve(batch, self.rest.clone()));
                continue;
            };
            let Poll::Ready(done) = Pin::new(job).poll(context) else { return Ok(()) };
            self.job = None;
            let done = match (done, &*batch) {
                (Ok(done), _) => done,
                // The queue drops its jobs when the server shuts down.
                (Err(_), None) => return Err(Stopped),
                (Err(_), Some(batch)) => {
                    jobs.state.cancel.cancel();
                    let (batch, rest) = (batch.clone(), self.rest.clone());
                    answer_safely(jobs.call, || jobs.solve_here(batch, rest))
                }
            };
            match done {
                Ok(done) => {
                    if !self.records.is_empty() {
                        self.records.push('\n');
                    }
                    self.records += &done.records;
                    self.claims.push(done.claim);
                    self.rest = done.rest;
                    *time += done.time;
                    batch.get_or_insert(done.batch);
                }
                Err(fault) => {
                    self.rest = 0..0;
                    self.fault = Some(fault);
                }
            }
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::task::Waker;

    use loyd::Config;
    use loyd::engine::Clock;
    use loyd_api::Service;

    use super::*;
    use crate::options::Options;

    const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const THREADS: usize = 2;

    /// Returns a batch of this many boards on a server whose threads have not started.
    fn solving(boards: usize, config: Config) -> (Solving, Arc<Batch>) {
        let options = Options { threads: THREADS, ..Options::default() };
        let app = Arc::new(App::new(Service::new(config).unwrap(), options));
        let call = loyd_api::CALLS.iter().find(|call| call.name == "batch").unwrap();
        let boards = vec!["\"1 2 3/4 5 6/7 x 8\""; boards].join(",");
        let request = format!("{{\"boards\":[{boards}]}}");
        let question = Question::read(call, request.as_bytes()).unwrap();
        let batch = Arc::new(app.service.batch(question, THREADS + 1).unwrap());
        let claim = app.unread.claim(CLIENT, 1).unwrap();
        let jobs = Jobs { app, call, client: CLIENT, state: Arc::default() };
        let solving = Solving {
            jobs,
            places: mpsc::channel(1).1,
            batch: Some(batch.clone()),
            blocks: VecDeque::new(),
            next: 0,
            time: Duration::ZERO,
            _claim: claim,
        };
        (solving, batch)
    }

    fn poll(solving: &mut Solving) -> Poll<Part> {
        solving.poll(&mut Context::from_waker(Waker::noop()))
    }

    /// The memory of a batch is divided by the number of these blocks.
    #[test]
    fn no_more_blocks_are_solved_than_share_the_memory() {
        for (boards, expected) in [(1, 1), (2, 2), (3, 3), (128, 3), (10_000, 3)] {
            let (mut solving, batch) = solving(boards, Config::default());
            assert!(poll(&mut solving).is_pending());
            let jobs = solving.jobs.app.queue.waiting();
            assert_eq!((jobs, batch.at_once()), (expected, expected), "{boards}");
        }
    }

    #[test]
    fn records_before_a_fault_are_sent() {
        let (mut solving, batch) = solving(10_000, Config::default());
        assert!(poll(&mut solving).is_pending());
        let (senders, receivers): (Vec<_>, Vec<_>) =
            solving.blocks.iter().map(|_| oneshot::channel()).unzip();
        for (block, receiver) in solving.blocks.iter_mut().zip(receivers) {
            block.job = Some(receiver);
        }
        let Ok([first, second, third]) = <[_; 3]>::try_from(senders) else { panic!() };
        let done = |records: &str| {
            let claim = solving.jobs.app.unread.claim(CLIENT, 1).unwrap();
            let (batch, records) = (batch.clone(), records.to_owned());
            Ok(Done { batch, records, claim, rest: 0..0, time: Duration::ZERO })
        };
        let (records, later) = (done("first"), done("third"));
        assert!(second.send(Err(Fault::defect("injected"))).is_ok() && third.send(later).is_ok());
        assert!(poll(&mut solving).is_pending());
        assert!(first.send(records).is_ok());
        let Poll::Ready(Part::Records(records, claims)) = poll(&mut solving) else { panic!() };
        assert_eq!((records.as_str(), claims.len()), ("first", 1));
        let Poll::Ready(Part::Answer(Err(fault), _)) = poll(&mut solving) else { panic!() };
        assert!(fault.error.contains("injected"));
    }

    /// The server shuts down, so the task of the connection ends the batch, and meets a defect.
    #[test]
    fn panics_at_shutdown_are_faults() {
        let clock = Clock::new(|| panic!("injected"));
        let (mut solving, _) = solving(1, Config { clock, ..Config::default() });
        solving.jobs.app.queue.close();
        let Poll::Ready(Part::Answer(Err(fault), _)) = poll(&mut solving) else { panic!() };
        assert!(fault.error.contains("a defect of the server"), "{}", fault.error);
    }
}
