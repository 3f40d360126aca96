//! A connection whose end is noticed while an answer is pending.

use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::http::Version;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::places::Place;

/// Interval between two checks of a connection.
pub const LOOK: Duration = Duration::from_millis(50);

/// Minimum rate at which a client has to receive an answer, in bytes per second.
const MIN_RATE: u64 = 64 * 1024;

/// Size of the buffer in which the system keeps what a client has not received, in bytes.
const SEND_BUFFER: usize = 256 * 1024;

/// Interim answer, which clients ignore.
const INTERIM: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// A connection to a client. Clones share it, so that one of them can observe it while another reads and writes.
#[derive(Clone, Debug)]
pub struct Connection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    stream: TcpStream,
    place: Arc<Place>,
    client_timeout: Duration,
    /// Set while a part of an answer may still have to be written.
    writing: Mutex<Option<Writing>>,
}

/// The bytes written without a pause.
#[derive(Debug)]
struct Writing {
    since: Instant,
    bytes: u64,
}

/// Part of a connection that the client has closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    Nothing,
    /// Its own side: it sends nothing more. Whether it still reads is unknown.
    Sending,
    /// Both sides: it will read nothing.
    Everything,
}

impl Writing {
    /// Returns whether the client takes longer than `client_timeout` and the time for all bytes at [`MIN_RATE`].
    fn is_late(&self, client_timeout: Duration) -> bool {
        let most = client_timeout + Duration::from_secs(self.bytes / MIN_RATE);
        self.since.elapsed() > most
    }
}

impl Connection {
    /// Shares a connection. Writing fails if the client reads so slowly that it [is late](Writing::is_late).
    pub fn new(stream: TcpStream, place: Arc<Place>, client_timeout: Duration) -> Self {
        // In a large buffer, the system would report progress of a slow client only every few megabytes.
        let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
        Self(Arc::new(Shared { stream, place, client_timeout, writing: Mutex::default() }))
    }

    fn writing(&self) -> MutexGuard<'_, Option<Writing>> {
        self.0.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the client no longer reads.
    ///
    /// A client may close its side of the connection and wait for the answer. TCP does not distinguish it from a client
    /// that is gone until something is sent: if the client is gone, its system replies with a reset. So this sends an
    /// interim answer. HTTP/1.0 has no interim answers, so its clients count as there until they have closed everything.
    pub async fn left(&self, version: Version) {
        let mut is_asked = false;
        loop {
            sleep(LOOK).await;
            match self.closed() {
                Closed::Everything => return,
                Closed::Sending if !is_asked => is_asked = self.ask(version),
                Closed::Sending | Closed::Nothing => {}
            }
        }
    }

    /// Sends an interim answer, unless the client's version of HTTP has none or another answer is being written. Returns
    /// whether it was sent.
    pub fn ask(&self, version: Version) -> bool {
        version >= Version::HTTP_11
            && self.writing().is_none()
            && self.0.stream.try_write(INTERIM).is_ok_and(|sent| sent == INTERIM.len())
    }

    /// Returns what the client has closed, even if bytes before that have not been read.
    #[cfg(target_os = "linux")]
    pub fn closed(&self) -> Closed {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let now = Timespec::default();
        let mut looked = [PollFd::new(&self.0.stream, PollFlags::RDHUP)];
        if poll(&mut looked, Some(&now)).is_err() {
            return Closed::Nothing;
        }
        let seen = looked[0].revents();
        if seen.intersects(PollFlags::ERR | PollFlags::HUP) {
            Closed::Everything
        } else if seen.contains(PollFlags::RDHUP) {
            Closed::Sending
        } else {
            Closed::Nothing
        }
    }

    /// Returns `Nothing`, because this system has no way to check.
    #[cfg(not(target_os = "linux"))]
    pub fn closed(&self) -> Closed {
        Closed::Nothing
    }

    /// Repeats an operation until it no longer has to wait, each time after `is_ready`.
    fn when_ready<T>(
        &self,
        mut is_ready: impl FnMut(&TcpStream) -> Poll<io::Result<()>>,
        mut operation: impl FnMut(&TcpStream) -> io::Result<T>,
    ) -> Poll<io::Result<T>> {
        loop {
            ready!(is_ready(&self.0.stream))?;
            match operation(&self.0.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return Poll::Ready(done),
            }
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = |stream: &TcpStream| stream.try_read_buf(buffer).map(|_| ());
        self.when_ready(|stream| stream.poll_read_ready(context), read)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.0.place.set_sending(true);
        let mut writing = self.writing();
        let writing = writing.get_or_insert_with(|| Writing { since: Instant::now(), bytes: 0 });
        if writing.is_late(self.0.client_timeout) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let write = |stream: &TcpStream| stream.try_write_vectored(parts);
        let written = ready!(self.when_ready(|stream| stream.poll_write_ready(context), write))?;
        writing.bytes += written as u64;
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        *self.writing() = None;
        self.0.place.set_sending(false);
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(SockRef::from(&self.0.stream).shutdown(Shutdown::Write))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_below_the_minimum_rate_are_late() {
        let minute_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let is_late = |seconds, bytes| {
            Writing { since: minute_ago, bytes }.is_late(Duration::from_secs(seconds))
        };
        assert!(is_late(30, 0) && is_late(30, 29 * MIN_RATE));
        assert!(!is_late(90, 0) && !is_late(30, 40 * MIN_RATE));
    }
}
