//! Loyd over HTTP: the calls of [`loyd_api`] under `/api/v1`, and the web page that uses them.
//!
//! Calls wait in a queue of bounded length in which clients take turns, and are answered by a fixed number of threads;
//! small and medium ones have separate lines and threads. Another thread handles all of HTTP, and answers what takes only
//! microseconds. When a client disconnects, the work for it is cancelled.
//!
//! ```no_run
//! use loyd_api::Service;
//! use loyd_server::{Options, Server};
//!
//! let service = Service::new(loyd::Config::default())?;
//! let server = Server::bind(service, Options::default())?;
//! println!("http://{}", server.address());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod app;
mod batches;
mod calls;
mod connection;
mod connections;
mod faults;
mod jobs;
mod metrics;
mod openapi;
mod options;
mod places;
mod proxies;
mod queue;
mod routes;
mod site;
mod streams;
mod unread;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use loyd::CancelToken;
use loyd_api::Service;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tracing::warn;

use app::App;
pub use openapi::document;
pub use options::{Options, PORT};
pub use site::files;

/// A server bound to its port.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    stopper: Stopper,
}

/// Handle that stops a server.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Stops the server: it accepts no further requests, stops its searches, sends what they have found, and
    /// [`run`](Server::run) returns.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Binds the server to its address.
    ///
    /// # Errors
    /// Fails if the port is in use, or the system refuses.
    pub fn bind(service: Service, options: Options) -> io::Result<Self> {
        let listener = connections::listen(options.address)?;
        let address = listener.local_addr()?;
        let app = Arc::new(App::new(service, Options { address, ..options }));
        Ok(Self { app, listener, stopper: Stopper(watch::Sender::new(false)) })
    }

    /// Returns the address of the server.
    pub fn address(&self) -> SocketAddr {
        self.app.options.address
    }

    /// Returns a handle that stops the server.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Serves requests until the server is stopped.
    ///
    /// # Errors
    /// Fails if the system does not let the server start.
    pub fn run(self) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let mut threads = self.app.queue.start(self.app.options.threads)?;
        let (app, ended) = (self.app.clone(), CancelToken::new());
        let cancel = ended.clone();
        match thread::Builder::new().spawn(move || app.warm(&cancel)) {
            Ok(thread) => threads.push(thread),
            Err(error) => warn!(%error, "the tables are built when they are needed"),
        }
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, self.app, self.stopper.0.subscribe()).await;
            Ok(())
        });
        ended.cancel();
        for thread in threads {
            // A thread that panicked has printed its message already.
            let _ = thread.join();
        }
        done
    }
}
