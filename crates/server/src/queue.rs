//! Queue of jobs that wait for a thread.

mod line;

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use loyd::CancelToken;
use tracing::warn;

use line::Line;
pub use line::{Job, Lane};

/// Reason why a job was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The queue is full: the number of waiting jobs.
    Full(usize),
    /// The server is shutting down.
    Closed,
}

/// A queue of bounded length. Clients take turns, so a client with many jobs does not delay the others. Small and medium
/// jobs have separate lines, each with a thread, so they do not wait for the end of a long search. Nor does a client
/// without a running job wait for the jobs of others: there are as many threads for such clients as for all jobs. They
/// are used while the others are busy, and the system then divides the processors among the threads.
pub struct Queue {
    state: Mutex<State>,
    /// Wakes threads that take any job.
    any: Condvar,
    /// Wakes threads that take jobs of clients without a running job.
    first: Condvar,
    /// Wakes the threads that take jobs of one lane, by lane.
    only: [Condvar; OWN_THREADS.len()],
    places: usize,
}

/// The lanes that have a thread.
const OWN_THREADS: [Lane; 2] = [Lane::Small, Lane::Medium];

#[derive(Default)]
struct State {
    /// The lines by lane.
    lines: [Line; 3],
    /// Number of threads that run any job.
    threads: usize,
    /// Whether there is a thread for one lane only, by lane.
    has_thread: [bool; OWN_THREADS.len()],
    is_closed: bool,
    /// Clients and cancel tokens of the running jobs, by the number of their thread.
    running: BTreeMap<usize, (IpAddr, CancelToken)>,
}

/// Jobs that a thread takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Any,
    Only(Lane),
    /// Jobs of clients without a running job, while all threads that take any job are busy.
    First,
}

impl Queue {
    /// Creates a queue in which `places` jobs of each lane may wait, half of them from one client.
    pub fn new(places: usize) -> Self {
        let (state, any, first) = (Mutex::default(), Condvar::new(), Condvar::new());
        Self { state, any, first, only: Default::default(), places }
    }

    /// Starts `threads` threads that run jobs until the queue is closed, one for small jobs, one for medium ones, and
    /// `threads` for clients without a running job, or as many of them as the system has.
    ///
    /// # Errors
    /// Fails if the system has none.
    pub fn start(self: &Arc<Self>, threads: usize) -> io::Result<Vec<JoinHandle<()>>> {
        let mut started = Vec::new();
        let any = std::iter::repeat_n(Takes::Any, threads);
        let first = std::iter::repeat_n(Takes::First, threads);
        for (number, takes) in any.chain(OWN_THREADS.map(Takes::Only)).chain(first).enumerate() {
            let queue = self.clone();
            let work = move || {
                while let Some(job) = queue.next(number, takes) {
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
        let mut state = self.state();
        state.threads = started.len().min(threads);
        let own_threads = state.has_thread.iter_mut().zip(threads + 1..);
        own_threads.for_each(|(has_thread, needed)| *has_thread = started.len() >= needed);
        drop(state);
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
        let lane = job.lane as usize;
        let line = &mut state.lines[lane];
        if !job.is_continued && self.is_full(line, job.client) {
            line.drop_cancelled();
            if self.is_full(line, job.client) {
                return Err(Refused::Full(line.waiting()));
            }
        }
        line.push(job);
        state.report_places();
        self.wake_first(&state);
        drop(state);
        if let Some(only) = self.only.get(lane) {
            only.notify_one();
        }
        self.any.notify_one();
        Ok(())
    }

    /// Returns whether a client has to wait until there is a place in the line. One client may have half of the places.
    fn is_full(&self, line: &Line, client: IpAddr) -> bool {
        let half = self.places.div_ceil(2);
        // Continued jobs of one client do not take the places of others.
        line.waiting_up_to(half) >= self.places || line.waiting_for(client) >= half
    }

    /// Returns the number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.state().lines.iter().map(|line| line.waiting()).sum()
    }

    /// Removes the cancelled jobs, so that the jobs behind them advance.
    pub fn drop_cancelled(&self) {
        let mut state = self.state();
        state.lines.iter_mut().for_each(Line::drop_cancelled);
        state.report_places();
    }

    /// Closes the queue: rejects further jobs, cancels running jobs, and drops waiting jobs without running them.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.running.values().for_each(|(_, cancel)| cancel.cancel());
        let dropped = std::mem::take(&mut state.lines);
        drop(state);
        drop(dropped);
        self.any.notify_all();
        self.first.notify_all();
        self.only.iter().for_each(Condvar::notify_all);
    }

    /// Waits for the next job that is not cancelled and registers it as running on `thread`. Returns `None` when the
    /// queue is closed.
    fn next(&self, thread: usize, takes: Takes) -> Option<Job> {
        let mut state = self.state();
        state.running.remove(&thread);
        // The client whose job has ended may have another one that waits for this.
        self.wake_first(&state);
        loop {
            match state.pop(takes) {
                Some(job) if job.cancel.is_cancelled() => {}
                Some(job) => {
                    state.running.insert(thread, (job.client, job.cancel.clone()));
                    state.report_places();
                    self.wake_first(&state);
                    return Some(job);
                }
                None if state.is_closed => return None,
                None => {
                    let changed = match takes {
                        Takes::Any => &self.any,
                        Takes::Only(lane) => &self.only[lane as usize],
                        Takes::First => &self.first,
                    };
                    state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Wakes a thread for clients without a running job, if it may find a job: all threads that take any job are busy.
    fn wake_first(&self, state: &State) {
        let waits = |lane: Lane| state.lines[lane as usize].waiting() > 0;
        if state.idle() == 0 && (waits(Lane::Medium) || waits(Lane::Large)) {
            self.first.notify_one();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Removes the next job for a thread. Jobs whose lane has a thread come last on the others, and without one first.
    fn pop(&mut self, takes: Takes) -> Option<Job> {
        match takes {
            Takes::Only(lane) => return self.lines[lane as usize].pop(),
            Takes::First if self.idle() > 0 => return None,
            Takes::First => {
                let Self { lines, running, .. } = self;
                let is_new = |client| running.values().all(|&(running, _)| running != client);
                let mut lanes = [Lane::Medium, Lane::Large].into_iter();
                return lanes.find_map(|lane| lines[lane as usize].pop_of(is_new));
            }
            Takes::Any => {}
        }
        let has_thread = self.has_thread;
        let first = OWN_THREADS.into_iter().filter(|&lane| !has_thread[lane as usize]);
        let mut lanes = first.chain([Lane::Large, Lane::Medium, Lane::Small]);
        lanes.find_map(|lane| self.lines[lane as usize].pop())
    }

    /// Returns the number of idle threads that take any job.
    fn idle(&self) -> usize {
        self.threads.saturating_sub(self.running.range(..self.threads).count())
    }

    /// Reports the places of medium and large jobs that have changed since the last report. Idle threads take the first
    /// jobs at once.
    fn report_places(&mut self) {
        let idle = self.idle();
        let is_free = self.has_thread[Lane::Medium as usize]
            && !self.running.contains_key(&(self.threads + Lane::Medium as usize));
        self.lines[Lane::Large as usize].report_places(idle);
        self.lines[Lane::Medium as usize].report_places(idle + usize::from(is_free));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::mpsc;
    use std::time::Duration;

    fn client(number: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, number).into()
    }

    fn job(from: u8, work: impl FnOnce() + Send + 'static) -> Job {
        Job {
            client: client(from),
            lane: Lane::Large,
            is_continued: false,
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
        for _ in 0..6 {
            (queue.next(0, Takes::Any).unwrap().work)();
        }
        let order: Vec<_> = order.try_iter().collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
        let threads = queue.start(1).unwrap();
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
        assert!(queue.next(0, Takes::Any).is_some());
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
    fn jobs_of_a_lane_pass_longer_ones_on_their_own_thread() {
        let queue = Queue::new(16);
        let push = |from, lane| queue.push(Job { lane, ..job(from, || ()) }).unwrap();
        let lanes = [Lane::Large, Lane::Medium, Lane::Small];
        (1..=9).zip(lanes.iter().cycle()).for_each(|(from, &lane)| push(from, lane));
        let next = |takes| queue.next(0, takes).map(|job| job.client);
        // Until there are threads for them, they come first on all threads.
        assert_eq!(next(Takes::Any), Some(client(3)));
        queue.state().has_thread[0] = true;
        assert_eq!(next(Takes::Any), Some(client(2)));
        queue.state().has_thread[1] = true;
        assert_eq!(next(Takes::Any), Some(client(1)));
        assert_eq!(next(Takes::Only(Lane::Small)), Some(client(6)));
        assert_eq!(next(Takes::Only(Lane::Medium)), Some(client(5)));
        let rest = [(); 4].map(|()| next(Takes::Any));
        assert_eq!(rest, [4, 7, 8, 9].map(|from| Some(client(from))));
        push(1, Lane::Large);
        queue.close();
        assert_eq!(next(Takes::Only(Lane::Small)), None);
    }

    #[test]
    fn clients_without_a_running_job_do_not_wait_for_busy_threads() {
        let queue = Queue::new(16);
        queue.state().threads = 1;
        let next = |thread, takes| queue.next(thread, takes).map(|job| job.client);
        for from in [1, 1, 2, 2] {
            queue.push(job(from, || ())).unwrap();
        }
        // While a thread is idle, it takes all jobs.
        assert!(queue.state().pop(Takes::First).is_none());
        assert_eq!(next(0, Takes::Any), Some(client(1)));
        assert_eq!(next(3, Takes::First), Some(client(2)));
        // Both clients have a running job.
        assert!(queue.state().pop(Takes::First).is_none());
        assert_eq!(next(0, Takes::Any), Some(client(1)));
        queue.close();
        assert_eq!(next(3, Takes::First), None);
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
    fn continued_jobs_leave_half_of_the_places_to_others() {
        let queue = Queue::new(4);
        for _ in 0..10 {
            assert_eq!(queue.push(Job { is_continued: true, ..job(1, || ()) }), Ok(()));
        }
        assert_eq!(queue.push(job(1, || ())), Err(Refused::Full(10)));
        assert_eq!(queue.push(job(2, || ())), Ok(()));
        assert_eq!(queue.push(job(2, || ())), Ok(()));
        assert_eq!(queue.push(job(3, || ())), Err(Refused::Full(12)));
    }

    /// A small job of a client ends while its search waits and all threads for any job are busy.
    #[test]
    fn searches_start_when_a_small_job_of_their_client_ends() {
        let queue = Arc::new(Queue::new(16));
        let (release, [busy, small]) = {
            let (senders, receivers): (Vec<_>, Vec<_>) =
                (0..2).map(|_| mpsc::channel::<()>()).unzip();
            (senders, <[_; 2]>::try_from(receivers).unwrap())
        };
        let (running, started) = mpsc::channel();
        let blocked = |on: mpsc::Receiver<()>, name| {
            let running = running.clone();
            move || {
                running.send(name).unwrap();
                let _ = on.recv();
            }
        };
        let threads = queue.start(1).unwrap();
        queue.push(job(1, blocked(busy, "long"))).unwrap();
        assert_eq!(started.recv(), Ok("long"));
        queue.push(Job { lane: Lane::Medium, ..job(2, blocked(small, "small")) }).unwrap();
        assert_eq!(started.recv(), Ok("small"));
        let done = running.clone();
        queue.push(job(2, move || done.send("search").unwrap())).unwrap();
        // The thread that looked for the search finds that its client has a running job.
        thread::sleep(Duration::from_millis(50));
        release[1].send(()).unwrap();
        assert_eq!(started.recv_timeout(Duration::from_secs(60)), Ok("search"));
        drop(release);
        queue.close();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
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
        assert_eq!(queue.next(0, Takes::Any).map(|job| job.client), Some(client(2)));
    }
}
