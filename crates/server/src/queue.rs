//! Queue of jobs that wait for a thread.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use loyd::CancelToken;
use tracing::warn;

/// A job for a client.
pub struct Job {
    /// Address of the client.
    pub client: IpAddr,
    /// Set when the client no longer waits for the result.
    pub cancel: CancelToken,
    /// Called with the place of the job in line, from 1, when it has to wait and whenever the place changes.
    pub on_place: Option<Box<dyn FnMut(usize) + Send>>,
    /// Work to do on a thread of the queue.
    pub work: Box<dyn FnOnce() + Send>,
}

/// Reason why a job was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The queue is full: the number of waiting jobs.
    Full(usize),
    /// The server is shutting down.
    Closed,
}

/// A queue of bounded length. Clients take turns, so a client with many jobs does not delay the others.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    places: usize,
}

#[derive(Default)]
struct State {
    /// Clients with waiting jobs, in the order of their turns.
    clients: VecDeque<Client>,
    waiting: usize,
    /// Number of threads that run jobs.
    threads: usize,
    is_closed: bool,
    /// Cancel tokens of the running jobs, by the number of their thread.
    running: BTreeMap<usize, CancelToken>,
}

struct Client {
    address: IpAddr,
    jobs: VecDeque<Waiting>,
}

struct Waiting {
    job: Job,
    /// Place reported last; 0 if none was.
    place: usize,
}

impl Queue {
    /// Creates a queue in which `places` jobs may wait, half of them from one client.
    pub fn new(places: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), places }
    }

    /// Starts `threads` threads that run jobs until the queue is closed, or as many as the system has.
    ///
    /// # Errors
    /// Fails if the system has none.
    pub fn start(self: &Arc<Self>, threads: usize) -> io::Result<Vec<JoinHandle<()>>> {
        let mut started = Vec::new();
        for number in 0..threads {
            let queue = self.clone();
            let work = move || {
                while let Some(job) = queue.next(number) {
                    // The callback may hold resources that the work expects to be released.
                    drop(job.on_place);
                    (job.work)();
                }
            };
            match thread::Builder::new().spawn(work) {
                Ok(thread) => started.push(thread),
                Err(error) if started.is_empty() => return Err(error),
                Err(error) => {
                    warn!(%error, threads = started.len(), "the system has no more threads");
                    break;
                }
            }
        }
        self.state().threads = started.len();
        Ok(started)
    }

    /// Adds a job to the queue.
    ///
    /// # Errors
    /// Fails if the queue is full or closed, or the client has its share of waiting jobs.
    pub fn push(&self, job: Job) -> Result<(), Refused> {
        let mut state = self.state();
        if state.is_closed {
            return Err(Refused::Closed);
        }
        if state.waiting >= self.places || state.waiting_for(job.client) >= self.share() {
            state.drop_cancelled();
        }
        if state.waiting >= self.places || state.waiting_for(job.client) >= self.share() {
            return Err(Refused::Full(state.waiting));
        }
        state.push(job);
        state.report_places();
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Returns the maximum number of waiting jobs of a single client.
    fn share(&self) -> usize {
        self.places.div_ceil(2)
    }

    /// Returns the number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Removes the cancelled jobs, so that the jobs behind them advance.
    pub fn drop_cancelled(&self) {
        let mut state = self.state();
        state.drop_cancelled();
        state.report_places();
    }

    /// Closes the queue: rejects further jobs, cancels running jobs, and drops waiting jobs without running them.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.waiting = 0;
        state.running.values().for_each(CancelToken::cancel);
        let dropped = std::mem::take(&mut state.clients);
        drop(state);
        drop(dropped);
        self.changed.notify_all();
    }

    /// Waits for the next job that is not cancelled and registers it as running on `thread`. Returns `None` when the
    /// queue is closed.
    fn next(&self, thread: usize) -> Option<Job> {
        let mut state = self.state();
        state.running.remove(&thread);
        loop {
            match state.pop() {
                Some(job) if job.cancel.is_cancelled() => {}
                Some(job) => {
                    state.running.insert(thread, job.cancel.clone());
                    state.report_places();
                    return Some(job);
                }
                None if state.is_closed => return None,
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn waiting_for(&self, client: IpAddr) -> usize {
        self.clients
            .iter()
            .find(|known| known.address == client)
            .map_or(0, |known| known.jobs.len())
    }

    fn push(&mut self, job: Job) {
        self.waiting += 1;
        let address = job.client;
        let job = Waiting { job, place: 0 };
        match self.clients.iter_mut().find(|known| known.address == address) {
            Some(known) => known.jobs.push_back(job),
            None => self.clients.push_back(Client { address, jobs: VecDeque::from([job]) }),
        }
    }

    /// Removes the next job of the client whose turn it is.
    fn pop(&mut self) -> Option<Job> {
        let mut client = self.clients.pop_front()?;
        let job = client.jobs.pop_front();
        if !client.jobs.is_empty() {
            self.clients.push_back(client);
        }
        self.waiting -= 1;
        job.map(|waiting| waiting.job)
    }

    /// Reports the places that have changed since the last report. Idle threads take the first jobs at once.
    fn report_places(&mut self) {
        let idle = self.threads.saturating_sub(self.running.len());
        if self.waiting <= idle {
            return;
        }
        let mut places = 1..;
        let longest = self.clients.iter().map(|client| client.jobs.len()).max().unwrap_or(0);
        for turn in 0..longest {
            let in_turn = self.clients.iter_mut().filter_map(|client| client.jobs.get_mut(turn));
            for (waiting, place) in in_turn.zip(&mut places) {
                let place: usize = place;
                let place = place.saturating_sub(idle);
                if place > 0 && place != waiting.place {
                    waiting.place = place;
                    waiting.job.on_place.iter_mut().for_each(|on_place| on_place(place));
                }
            }
        }
    }

    fn drop_cancelled(&mut self) {
        for client in &mut self.clients {
            client.jobs.retain(|waiting| !waiting.job.cancel.is_cancelled());
        }
        self.clients.retain(|client| !client.jobs.is_empty());
        self.waiting = self.clients.iter().map(|client| client.jobs.len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    fn client(number: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, number).into()
    }

    fn job(from: u8, work: impl FnOnce() + Send + 'static) -> Job {
        Job {
            client: client(from),
            cancel: CancelToken::new(),
            on_place: None,
            work: Box::new(work),
        }
    }

    #[test]
    fn clients_take_turns() {
        let queue = Arc::new(Queue::new(16));
        let (done, order) = mpsc::channel();
        for (from, name) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            let done = done.clone();
            queue.push(job(from, move || done.send(name).unwrap())).unwrap();
        }
        let threads = queue.start(1).unwrap();
        let order: Vec<_> = order.iter().take(6).collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
        queue.close();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(queue.push(job(1, || ())), Err(Refused::Closed));
    }

    #[test]
    fn jobs_learn_their_places() {
        let queue = Queue::new(16);
        let (places, reported) = mpsc::channel();
        let push = |from, name| {
            let places = places.clone();
            let on_place = Box::new(move |place| places.send((name, place)).unwrap());
            let job = Job { on_place: Some(on_place), ..job(from, || ()) };
            let cancel = job.cancel.clone();
            queue.push(job).unwrap();
            cancel
        };
        push(1, "a1");
        let left = push(1, "a2");
        push(1, "a3");
        push(2, "b1");
        let reports = || reported.try_iter().collect::<Vec<_>>();
        // The second client has its turn before the second job of the first.
        assert_eq!(reports(), [("a1", 1), ("a2", 2), ("a3", 3), ("b1", 2), ("a2", 3), ("a3", 4)]);
        assert!(queue.next(0).is_some());
        assert_eq!(reports(), [("b1", 1), ("a2", 2), ("a3", 3)]);
        left.cancel();
        queue.drop_cancelled();
        assert_eq!(reports(), [("a3", 2)]);
        // An idle thread takes the first job at once.
        queue.state().threads = 2;
        push(3, "c1");
        assert_eq!(reports(), [("a3", 1), ("c1", 2)]);
    }

    #[test]
    fn rejects_jobs_when_full_or_client_has_half() {
        let queue = Queue::new(4);
        assert_eq!(queue.push(job(1, || ())), Ok(()));
        assert_eq!(queue.push(job(1, || ())), Ok(()));
        assert_eq!(queue.push(job(1, || ())), Err(Refused::Full(2)));
        assert_eq!(queue.push(job(2, || ())), Ok(()));
        assert_eq!(queue.push(job(3, || ())), Ok(()));
        assert_eq!(queue.push(job(4, || ())), Err(Refused::Full(4)));
    }

    #[test]
    fn cancelled_jobs_take_no_place() {
        let queue = Queue::new(2);
        let gone = job(1, || unreachable!("the job is cancelled"));
        let cancel = gone.cancel.clone();
        queue.push(gone).unwrap();
        queue.push(job(2, || ())).unwrap();
        cancel.cancel();
        assert_eq!(queue.push(job(3, || ())), Ok(()));
        assert_eq!(queue.waiting(), 2);
        assert_eq!(queue.next(0).map(|job| job.client), Some(client(2)));
    }
}
