//! State shared by all requests.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use loyd::CancelToken;
use loyd_api::Service;
use tracing::{info, warn};

use crate::connection::Connection;
use crate::metrics::Metrics;
use crate::openapi;
use crate::options::Options;
use crate::places::Place;
use crate::queue::Queue;
use crate::unread::Unread;

/// State shared by all requests.
pub struct App {
    pub service: Service,
    pub options: Options,
    pub queue: Arc<Queue>,
    pub metrics: Metrics,
    pub unread: Arc<Unread>,
    described: OnceLock<Bytes>,
}

impl App {
    pub fn new(service: Service, options: Options) -> Self {
        let queue = Arc::new(Queue::new(options.queue_length));
        let unread = Arc::new(Unread::new(options.unread));
        let (metrics, described) = (Metrics::default(), OnceLock::new());
        Self { service, options, queue, metrics, unread, described }
    }

    /// Builds the tables for the board sizes in [`Options::warm`].
    pub fn warm(&self, cancel: &CancelToken) {
        for &size in &self.options.warm {
            match self.service.warm(size, cancel) {
                Ok(()) if cancel.is_cancelled() => return,
                Ok(()) => info!(%size, "the tables are ready"),
                Err(error) => warn!(%size, %error, "the tables could not be built"),
            }
            self.report_warnings();
        }
    }

    /// Logs the problems with table files.
    pub fn report_warnings(&self) {
        for warning in self.service.take_warnings() {
            warn!("{warning}");
        }
    }

    /// Returns the OpenAPI document.
    pub fn description(&self) -> Bytes {
        self.described.get_or_init(|| openapi::document().to_string().into()).clone()
    }
}

/// The client of a connection.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Address of the client.
    pub client: IpAddr,
    /// Address at which the client reached this machine.
    pub local: IpAddr,
    pub connection: Connection,
    /// Place of the connection.
    pub place: Arc<Place>,
}

/// The client's side of a call, held while the client waits. Dropping it cancels the work for the call, or removes it
/// from the queue.
pub struct CallGuard {
    state: Arc<CallState>,
    queue: Arc<Queue>,
}

/// The worker's side of a call, which shows whether the client is still waiting for the answer.
#[derive(Default)]
pub struct CallState {
    pub cancel: CancelToken,
    left: OnceLock<Instant>,
    is_started: AtomicBool,
    /// Number of jobs of the call that are running.
    running: AtomicUsize,
    /// Whether the end of a cancelled call has been reported.
    is_reported: AtomicBool,
}

impl CallGuard {
    /// Creates both sides of a call.
    pub fn new(queue: &Arc<Queue>) -> (Self, Arc<CallState>) {
        let state = Arc::new(CallState::default());
        (Self { state: state.clone(), queue: queue.clone() }, state)
    }
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        _ = self.state.left.set(Instant::now());
        self.state.cancel.cancel();
        if !self.state.is_started.load(Ordering::Relaxed) {
            self.queue.drop_cancelled();
        }
    }
}

impl CallState {
    /// Notes that a thread has taken the call from the queue.
    pub fn start(&self) {
        self.is_started.store(true, Ordering::Relaxed);
    }

    /// Notes that a job of the call begins.
    pub fn begin_job(&self) {
        self.running.fetch_add(1, Ordering::SeqCst);
    }

    /// Notes that a job of the call has ended. Returns the time at which the client disconnected, if it did and this is the
    /// last job; once for a call.
    pub fn end_job(&self) -> Option<Instant> {
        let is_last = self.running.fetch_sub(1, Ordering::SeqCst) == 1;
        let left = self.left.get().filter(|_| is_last)?;
        (!self.is_reported.swap(true, Ordering::SeqCst)).then_some(*left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_call_is_reported_once_when_its_last_job_ends() {
        let (guard, state) = CallGuard::new(&Arc::new(Queue::new(1)));
        state.begin_job();
        assert!(state.end_job().is_none());
        (0..2).for_each(|_| state.begin_job());
        drop(guard);
        assert_eq!([state.end_job().is_some(), state.end_job().is_some()], [false, true]);
        state.begin_job();
        assert!(state.end_job().is_none());
    }
}
