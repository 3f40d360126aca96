//! Loyd over HTTP: the questions of [`loyd_api`] under `/api/v1`, and the page that asks them.
//!
//! A request waits in a queue of bounded length in which clients take turns, and is answered by one of a fixed number of
//! threads. Another thread does all that is HTTP. When a client goes away, the work for it ends.
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
mod calls;
mod connections;
mod faults;
mod host;
mod metrics;
mod openapi;
mod options;
mod queue;
mod routes;
mod site;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use loyd::CancelToken;
use loyd_api::Service;
use tokio::runtime::Builder;
use tokio::sync::watch;

use app::App;
pub use openapi::document;
pub use options::{Options, PORT};
pub use site::files;

/// A server that has its port.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    stopper: Stopper,
}

/// Stops a server.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// The server takes no more requests, ends its searches, sends what they have found, and returns.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// When it is taken, or the system does not allow it.
    pub fn bind(service: Service, options: Options) -> io::Result<Self> {
        let listener = connections::listen(options.address)?;
        let address = listener.local_addr()?;
        let app = Arc::new(App::new(service, Options { address, ..options }));
        Ok(Self { app, listener, stopper: Stopper(watch::Sender::new(false)) })
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.app.options.address
    }

    /// What stops it.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    /// When the system does not let it begin.
    pub fn run(self) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let mut threads = self.app.queue.start(self.app.options.threads);
        let (app, ended) = (self.app.clone(), CancelToken::new());
        let cancel = ended.clone();
        threads.push(thread::spawn(move || app.warm(&cancel)));
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, self.app, self.stopper.0.subscribe()).await;
            Ok(())
        });
        ended.cancel();
        for thread in threads {
            // A thread that failed has said so itself.
            let _ = thread.join();
        }
        done
    }
}
