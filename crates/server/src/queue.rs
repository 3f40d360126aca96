//! Requests that wait for a thread.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use loyd::CancelToken;

/// Something to be done for a client.
pub struct Job {
    /// Who asked for it.
    pub client: IpAddr,
    /// Set when nobody waits for it any more.
    pub cancel: CancelToken,
    /// What is done on one of the queue's threads.
    pub work: Box<dyn FnOnce() + Send>,
}

/// Why a job was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is no place: so many jobs wait already.
    Full(usize),
    /// The server ends.
    Closed,
}

/// A queue of bounded length. Clients take turns: one that asks for much does not keep others waiting.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    places: usize,
}

#[derive(Default)]
struct State {
    /// Those who wait, in the order of their turns.
    clients: VecDeque<Client>,
    waiting: usize,
    is_closed: bool,
    /// What cancels the jobs that are being done, by the number of their thread.
    running: BTreeMap<usize, CancelToken>,
}

struct Client {
    address: IpAddr,
    jobs: VecDeque<Job>,
}

impl Queue {
    /// A queue in which so many jobs may wait, half of them from one client.
    pub fn new(places: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), places }
    }

    /// Starts threads that do the jobs until the queue is closed.
    pub fn start(self: &Arc<Self>, threads: usize) -> Vec<JoinHandle<()>> {
        let start = |number| {
            let queue = self.clone();
            thread::spawn(move || {
                while let Some(job) = queue.next(number) {
                    (job.work)();
                }
            })
        };
        (0..threads).map(start).collect()
    }

    /// Puts a job into the queue.
    ///
    /// # Errors
    /// When there is no place for it.
    pub fn push(&self, job: Job) -> Result<(), Refused> {
        let mut state = self.state();
        if state.is_closed {
            return Err(Refused::Closed);
        }
        if state.waiting >= self.places || state.waiting_for(job.client) >= self.share() {
            state.forget_cancelled();
        }
        if state.waiting >= self.places || state.waiting_for(job.client) >= self.share() {
            return Err(Refused::Full(state.waiting));
        }
        state.push(job);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// The places that one client may take.
    fn share(&self) -> usize {
        self.places.div_ceil(2)
    }

    /// How many jobs wait.
    pub fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Takes no more jobs, ends those that are being done, and forgets those that wait: their `work` is dropped.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.waiting = 0;
        state.running.values().for_each(CancelToken::cancel);
        let forgotten = std::mem::take(&mut state.clients);
        drop(state);
        drop(forgotten);
        self.changed.notify_all();
    }

    /// Waits for the next job whose client still waits, for the thread of this number; `None` when the queue is closed.
    fn next(&self, thread: usize) -> Option<Job> {
        let mut state = self.state();
        state.running.remove(&thread);
        loop {
            match state.pop() {
                Some(job) if job.cancel.is_cancelled() => {}
                Some(job) => {
                    state.running.insert(thread, job.cancel.clone());
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
        match self.clients.iter_mut().find(|known| known.address == address) {
            Some(known) => known.jobs.push_back(job),
            None => self.clients.push_back(Client { address, jobs: VecDeque::from([job]) }),
        }
    }

    /// The next job of the client whose turn it is.
    fn pop(&mut self) -> Option<Job> {
        let mut client = self.clients.pop_front()?;
        let job = client.jobs.pop_front();
        if !client.jobs.is_empty() {
            self.clients.push_back(client);
        }
        self.waiting -= 1;
        job
    }

    fn forget_cancelled(&mut self) {
        for client in &mut self.clients {
            client.jobs.retain(|job| !job.cancel.is_cancelled());
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
        Job { client: client(from), cancel: CancelToken::new(), work: Box::new(work) }
    }

    #[test]
    fn clients_take_turns() {
        let queue = Arc::new(Queue::new(16));
        let (done, order) = mpsc::channel();
        for (from, name) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            let done = done.clone();
            queue.push(job(from, move || done.send(name).unwrap())).unwrap();
        }
        let threads = queue.start(1);
        let order: Vec<_> = order.iter().take(6).collect();
        assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
        queue.close();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(queue.push(job(1, || ())), Err(Refused::Closed));
    }

    #[test]
    fn a_full_queue_refuses_and_no_client_takes_more_than_half() {
        let queue = Queue::new(4);
        assert_eq!(queue.push(job(1, || ())), Ok(()));
        assert_eq!(queue.push(job(1, || ())), Ok(()));
        assert_eq!(queue.push(job(1, || ())), Err(Refused::Full(2)));
        assert_eq!(queue.push(job(2, || ())), Ok(()));
        assert_eq!(queue.push(job(3, || ())), Ok(()));
        assert_eq!(queue.push(job(4, || ())), Err(Refused::Full(4)));
    }

    #[test]
    fn who_has_left_takes_no_place() {
        let queue = Queue::new(2);
        let gone = job(1, || unreachable!("nobody waits for it"));
        let cancel = gone.cancel.clone();
        queue.push(gone).unwrap();
        queue.push(job(2, || ())).unwrap();
        cancel.cancel();
        assert_eq!(queue.push(job(3, || ())), Ok(()));
        assert_eq!(queue.waiting(), 2);
        assert_eq!(queue.next(0).map(|job| job.client), Some(client(2)));
    }
}
