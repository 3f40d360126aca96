//! A line of jobs, in which clients take turns.

use std::collections::VecDeque;
use std::net::IpAddr;

use loyd::CancelToken;

/// A job for a client.
pub struct Job {
    /// Address of the client.
    pub client: IpAddr,
    /// The line in which the job waits.
    pub lane: Lane,
    /// Whether the job continues earlier work. Such a job is accepted even if the line is full.
    pub is_continued: bool,
    /// Set when the client no longer waits for the result.
    pub cancel: CancelToken,
    /// Called with the place of the job in line, from 1, when it has to wait and whenever the place changes. Small jobs
    /// do not wait long enough for that.
    pub on_place: Option<Box<dyn FnMut(usize) + Send>>,
    /// Work to do on a thread of the queue.
    pub work: Box<dyn FnOnce() + Send>,
}

/// A line for jobs that take about the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Milliseconds at most.
    Small,
    /// Milliseconds, in rare cases seconds.
    Medium,
    Large,
}

/// Jobs that wait.
#[derive(Default)]
pub struct Line {
    /// Clients with waiting jobs, in the order of their turns.
    clients: VecDeque<Client>,
    waiting: usize,
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

impl Line {
    /// Returns the number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the number of waiting jobs, of which each client counts for `most` at most.
    pub fn waiting_up_to(&self, most: usize) -> usize {
        self.clients.iter().map(|known| known.jobs.len().min(most)).sum()
    }

    /// Returns the number of waiting jobs of a client.
    pub fn waiting_for(&self, client: IpAddr) -> usize {
        self.clients
            .iter()
            .find(|known| known.address == client)
            .map_or(0, |known| known.jobs.len())
    }

    /// Adds a job behind the others of its client.
    pub fn push(&mut self, job: Job) {
        self.waiting += 1;
        let address = job.client;
        let job = Waiting { job, place: 0 };
        match self.clients.iter_mut().find(|known| known.address == address) {
            Some(known) => known.jobs.push_back(job),
            None => self.clients.push_back(Client { address, jobs: VecDeque::from([job]) }),
        }
    }

    /// Removes the next job of the client whose turn it is.
    pub fn pop(&mut self) -> Option<Job> {
        self.pop_of(|_| true)
    }

    /// Removes the next job of the first client with a property.
    pub fn pop_of(&mut self, has_property: impl Fn(IpAddr) -> bool) -> Option<Job> {
        let index = self.clients.iter().position(|client| has_property(client.address))?;
        let mut client = self.clients.remove(index)?;
        let job = client.jobs.pop_front();
        if !client.jobs.is_empty() {
            self.clients.push_back(client);
        }
        self.waiting -= 1;
        job.map(|waiting| waiting.job)
    }

    /// Reports the places that have changed, where `idle` threads take the first jobs.
    pub fn report_places(&mut self, idle: usize) {
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

    /// Removes the cancelled jobs.
    pub fn drop_cancelled(&mut self) {
        for client in &mut self.clients {
            client.jobs.retain(|waiting| !waiting.job.cancel.is_cancelled());
        }
        self.clients.retain(|client| !client.jobs.is_empty());
        self.waiting = self.clients.iter().map(|client| client.jobs.len()).sum();
    }
}
