//! What all requests share.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use loyd::CancelToken;
use loyd_api::Service;
use tracing::{info, warn};

use crate::metrics::Metrics;
use crate::openapi;
use crate::options::Options;
use crate::queue::Queue;

/// What all requests share.
pub struct App {
    pub service: Service,
    pub options: Options,
    pub queue: Arc<Queue>,
    pub metrics: Metrics,
    described: OnceLock<Bytes>,
}

impl App {
    pub fn new(service: Service, options: Options) -> Self {
        let queue = Arc::new(Queue::new(options.places));
        Self { service, options, queue, metrics: Metrics::default(), described: OnceLock::new() }
    }

    /// Makes the tables that are wanted from the start.
    pub fn warm(&self, cancel: &CancelToken) {
        for &size in &self.options.warm {
            match self.service.warm(size, cancel) {
                Ok(()) if cancel.is_cancelled() => return,
                Ok(()) => info!(%size, "the tables are ready"),
                Err(error) => warn!(%size, %error, "there are no tables"),
            }
            self.report_warnings();
        }
    }

    /// Reports what was wrong with files of tables.
    pub fn report_warnings(&self) {
        for warning in self.service.take_warnings() {
            warn!("{warning}");
        }
    }

    /// The OpenAPI document.
    pub fn description(&self) -> Bytes {
        self.described.get_or_init(|| openapi::document().to_string().into()).clone()
    }
}

/// Who is at the ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Who asks.
    pub client: IpAddr,
    /// The address that it knows this machine by.
    pub local: IpAddr,
}

/// Someone who waits for an answer. When this is dropped, the work for it ends.
pub struct Waiter(Arc<Waiting>);

/// Whether someone still waits.
#[derive(Default)]
pub struct Waiting {
    pub cancel: CancelToken,
    left: OnceLock<Instant>,
}

impl Waiter {
    /// Who waits, and what the work sees of it.
    pub fn new() -> (Self, Arc<Waiting>) {
        let waiting = Arc::new(Waiting::default());
        (Self(waiting.clone()), waiting)
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        _ = self.0.left.set(Instant::now());
        self.0.cancel.cancel();
    }
}

impl Waiting {
    /// When the client went away, if it did.
    pub fn left(&self) -> Option<Instant> {
        self.left.get().copied()
    }
}
