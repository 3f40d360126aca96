//! Connections: accepting, limiting and closing them.

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
use socket2::{Domain, Socket, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tracing::{debug, info, warn};

use crate::app::{App, Peer};
use crate::connection::Connection;
use crate::places::{MAX_WAITING, Place, Places};
use crate::routes::{self, Answering, MAX_HEAD};

/// Time limit for sending the last answers at shutdown.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Pause after a failed accept, for example when the process has no more file descriptors.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// Accepts and serves connections until `stopped` is set.
pub async fn serve(listener: TcpListener, app: Arc<App>, stopped: watch::Receiver<bool>) {
    let service = routes::service(&app);
    let places = Arc::new(Places::new(most_connections(app.options.connections)));
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop(stopped));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, client)) => {
                let Some(place) = places.take(client.ip().to_canonical()) else {
                    debug!(%client, "a connection was closed, because there are too many");
                    continue;
                };
                let (app, places) = (app.clone(), places.clone());
                let (service, watcher) = (service.clone(), graceful.watcher());
                tokio::spawn(async move {
                    let place = place.await;
                    app.metrics.connections.inc();
                    let answering = answer(stream, place.clone(), service, watcher, app.clone());
                    tokio::select! {
                        () = answering => {}
                        () = place.ended() => debug!(client = %place.address(), "a connection gave up its place"),
                    }
                    app.metrics.connections.dec();
                    places.free(&place);
                });
            }
            Err(error) => {
                warn!(%error, "a connection was not accepted");
                sleep(RETRY_DELAY).await;
            }
        }
    }
    info!("the server is shutting down");
    drop(listener);
    app.queue.close();
    if timeout(LONGEST_END, graceful.shutdown()).await.is_err() {
        warn!("clients were too slow to take their last answers");
    }
}

async fn stop(mut stopped: watch::Receiver<bool>) {
    // An error means that no sender is left that could stop the server.
    if stopped.wait_for(|&stopped| stopped).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Serves the requests of a connection.
async fn answer(
    stream: TcpStream,
    place: Arc<Place>,
    service: impl Answering,
    watcher: Watcher,
    app: Arc<App>,
) {
    let local = stream.local_addr().unwrap_or(app.options.address).ip();
    let _ = stream.set_nodelay(true);
    let client_timeout = app.options.client_timeout;
    let connection = Connection::new(stream, place.clone(), client_timeout);
    let client = place.address();
    let peer = Peer { client, local, connection: connection.clone(), place };
    let service = service_fn(move |request: Request<Incoming>| {
        routes::respond(app.clone(), service.clone(), peer.clone(), request.map(Body::new))
    });
    let mut stream = TimeoutStream::new(connection);
    stream.set_write_timeout(Some(client_timeout));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(client_timeout).max_buf_size(MAX_HEAD);
    // On Linux, calls check themselves whether their client is gone.
    http.half_close(cfg!(target_os = "linux"));
    let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
    if let Err(error) = watcher.watch(connection).await {
        debug!(%client, %error, "a connection was lost");
    }
}

/// Returns the maximum number of connections: `wanted`, or fewer if the system does not allow that many.
fn most_connections(wanted: usize) -> usize {
    /// Number of files that the server has open besides its connections.
    const OTHER_FILES: usize = 32;
    let most = |files: usize| files.saturating_sub(OTHER_FILES + MAX_WAITING).max(1);
    open_files().map_or(wanted, |files| wanted.min(most(files)))
}

/// Raises the limit on open files as far as the system allows and returns it.
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
/// Fails if the system refuses, for example because the port is in use.
pub fn listen(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    /// Number of connections that the system keeps until they are accepted, so that a crowd of clients can connect at
    /// once.
    const WAITING: i32 = 1024;
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    // A restarted server gets its port although old connections have not timed out.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(WAITING)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}
