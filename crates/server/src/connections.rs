//! Connections: how many, how slow, and how they end.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, info, warn};

use crate::app::{App, Peer};
use crate::routes::{self, Answering};

/// How long answers may take to be sent when the server ends.
const LONGEST_END: Duration = Duration::from_secs(5);

/// How long to wait when the system has no more connections.
const PAUSE: Duration = Duration::from_millis(100);

/// The most bytes of the head of a request, and of an answer that is kept for a slow client.
const BUFFER: usize = 64 * 1024;

/// Answers until it is told to stop.
pub async fn serve(listener: TcpListener, app: Arc<App>, stopped: watch::Receiver<bool>) {
    let service = routes::service(&app);
    let places = Arc::new(Semaphore::new(most_connections(app.options.connections)));
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop(stopped));
    loop {
        let next = async {
            // Who finds no place waits in the system's own queue.
            let place = places.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, client)) => {
                let answering =
                    answer(stream, client, service.clone(), graceful.watcher(), app.clone());
                let app = app.clone();
                app.metrics.connections.inc();
                tokio::spawn(async move {
                    answering.await;
                    app.metrics.connections.dec();
                    drop(place);
                });
            }
            Err(error) => {
                warn!(%error, "a connection was not accepted");
                sleep(PAUSE).await;
            }
        }
    }
    info!("the server ends");
    drop(listener);
    app.queue.close();
    if timeout(LONGEST_END, graceful.shutdown()).await.is_err() {
        warn!("clients were too slow to take their last answers");
    }
}

async fn stop(mut stopped: watch::Receiver<bool>) {
    // An error means that nobody is left who could stop the server.
    if stopped.wait_for(|&stopped| stopped).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Answers the requests of a connection.
async fn answer(
    stream: TcpStream,
    client: SocketAddr,
    service: impl Answering,
    watcher: Watcher,
    app: Arc<App>,
) {
    let local = stream.local_addr().unwrap_or(app.options.address).ip();
    let peer = Peer { client: client.ip().to_canonical(), local };
    let _ = stream.set_nodelay(true);
    let patience = app.options.patience;
    let service = service_fn(move |request: Request<Incoming>| {
        routes::respond(app.clone(), service.clone(), peer, request.map(Body::new))
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(patience));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(BUFFER);
    let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
    if let Err(error) = watcher.watch(connection).await {
        debug!(client = %peer.client, %error, "a connection broke off");
    }
}

/// As many connections as are wanted and the system allows.
fn most_connections(wanted: usize) -> usize {
    /// Files that the server has open beside its connections.
    const OTHER_FILES: usize = 32;
    open_files().map_or(wanted, |files| wanted.min(files.saturating_sub(OTHER_FILES).max(1)))
}

/// How many files this process may have open; as many as the system lets it.
fn open_files() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
        let current = if raised.is_ok() { limit.maximum } else { limit.current };
        current.and_then(|files| usize::try_from(files).ok())
    }
    #[cfg(not(unix))]
    None
}

/// Listens at an address.
///
/// # Errors
/// When the system does not allow it.
pub fn listen(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
