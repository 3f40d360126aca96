//! Responses that are sent before the work is complete: events, and records of batches.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::http::Version;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use loyd_api::{Event, Fault};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, Sleep, sleep};

use crate::app::{App, CallGuard, Peer};
use crate::connection::{Closed, Connection, LOOK};
use crate::faults::{self, Answer};
use crate::places::Busy;
use crate::unread::{Claim, Unread};

const JSON_LINES: &str = "application/x-ndjson";

/// Time after which a stream without events sends a comment, so that proxies keep it open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Returns the response of a call that is answered with server-sent events.
pub fn events(parts: Parts) -> Response {
    let head = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-cache")];
    (head, Body::from_stream(Events(parts))).into_response()
}

/// Returns the response of a call that is answered with records, once there are some, or an error response if the call
/// fails before.
pub async fn lines(mut parts: Parts, version: Version) -> Response {
    let mut first = Some(Part::Ask);
    while let Some(Part::Ask) = first {
        // Nothing but an interim answer can be sent before the status is known.
        if parts.watch.connection.closed() == Closed::Sending {
            parts.watch.connection.ask(version);
        }
        first = poll_fn(|context| parts.poll(context)).await;
    }
    match first {
        Some(Part::Answer(Err(fault), _)) => faults::fault(&fault),
        Some(Part::Stopped) => faults::ending(),
        first => {
            let lines = Lines { first: Some(first), parts };
            ([(CONTENT_TYPE, JSON_LINES)], Body::from_stream(lines)).into_response()
        }
    }
}

/// The events of a call, followed by its answer.
pub struct Parts {
    /// Where they come from, until the answer has come.
    source: Option<Box<dyn Source>>,
    watch: Watch,
    client: IpAddr,
    unread: Arc<Unread>,
    _guard: CallGuard,
    _busy: Busy,
}

/// Work that reports events, followed by the answer.
pub trait Source: Send {
    /// Returns the next part, of which the answer is the last.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Part>;
}

/// A call that a thread answers.
pub struct Answering {
    pub events: mpsc::Receiver<Event>,
    pub answer: oneshot::Receiver<Answer>,
}

/// Checks at regular times whether the client of a stream still reads.
struct Watch {
    connection: Connection,
    next: Pin<Box<Sleep>>,
    is_asked: bool,
    /// Time of the last part.
    last: Instant,
}

impl Watch {
    fn new(connection: Connection) -> Self {
        let (next, last) = (Box::pin(sleep(LOOK)), Instant::now());
        Self { connection, next, is_asked: false, last }
    }

    /// Returns `Ask` when something has to be sent, and `None` when the client is gone.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        while self.next.as_mut().poll(context).is_ready() {
            let now = Instant::now();
            self.next.as_mut().reset(now + LOOK);
            match self.connection.closed() {
                Closed::Everything => return Poll::Ready(None),
                Closed::Sending if !self.is_asked => self.is_asked = true,
                Closed::Sending | Closed::Nothing if now < self.last + KEEP_ALIVE => continue,
                Closed::Sending | Closed::Nothing => {}
            }
            self.last = now;
            return Poll::Ready(Some(Part::Ask));
        }
        Poll::Pending
    }
}

/// Part of a streamed response.
pub enum Part {
    Event(Event),
    /// Records of a batch, and their memory.
    Records(String, Vec<Claim>),
    /// The answer, and its memory if that is counted already.
    Answer(Answer, Vec<Claim>),
    /// In place of an answer: the server is shutting down.
    Stopped,
    /// Something has to be sent to keep the stream open, or to learn whether a client that has ended its side still
    /// reads.
    Ask,
}

impl Parts {
    /// Joins the events and the answer of a call of `peer`, which ends with `guard`.
    pub fn new(app: &App, peer: &Peer, guard: CallGuard, source: impl Source + 'static) -> Self {
        let watch = Watch::new(peer.connection.clone());
        let busy = Busy::new(&peer.place);
        let (client, unread) = (peer.client, app.unread.clone());
        let source: Option<Box<dyn Source>> = Some(Box::new(source));
        Self { source, watch, client, unread, _guard: guard, _busy: busy }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        let Some(source) = &mut self.source else { return Poll::Ready(None) };
        let Poll::Ready(part) = source.poll(context) else { return self.watch.poll(context) };
        match part {
            Part::Answer(..) | Part::Stopped => self.source = None,
            Part::Event(_) | Part::Records(..) | Part::Ask => self.watch.last = Instant::now(),
        }
        Poll::Ready(Some(part))
    }
}

impl Parts {
    /// Returns the bytes of a part, whose memory is counted already if there are `claims`. Returns those of an error, which
    /// is then the last part, if too many bytes wait for clients already.
    fn hold(
        &mut self,
        (text, claims): (String, Vec<Claim>),
        error: impl FnOnce(&Fault) -> String,
    ) -> Bytes {
        self.unread.hold(self.client, text, claims).unwrap_or_else(|| {
            self.source = None;
            error(&faults::unread()).into()
        })
    }
}

impl Source for Answering {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Part> {
        if let Some(event) = ready!(self.events.poll_recv(context)) {
            return Poll::Ready(Part::Event(event));
        }
        // The sender of events is dropped before the answer is sent, so the answer arrives now or never.
        let answer = ready!(Pin::new(&mut self.answer).poll(context));
        Poll::Ready(answer.map_or(Part::Stopped, |answer| Part::Answer(answer, Vec::new())))
    }
}

/// Parts as server-sent events.
struct Events(Parts);

/// Formats a server-sent event.
fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {}\n\n", data.replace('\n', "\ndata: "))
}

impl Stream for Events {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(part) = ready!(self.0.poll(context)) else { return Poll::Ready(None) };
        let fault = |fault: &Fault| event("error", &fault.to_json());
        let held = match part {
            Part::Event(Event { name, data }) => (event(name, &data), Vec::new()),
            Part::Records(records, claims) => (event("records", &records), claims),
            Part::Answer(Ok(json), claims) => (event("result", &json), claims),
            Part::Answer(Err(error), _) => (fault(&error), Vec::new()),
            Part::Stopped => (fault(&faults::stopped()), Vec::new()),
            // If the client is gone, its system replies to the comment with a reset.
            Part::Ask => return Poll::Ready(Some(Ok(Bytes::from_static(b":\n\n")))),
        };
        let held = self.0.hold(held, fault);
        Poll::Ready(Some(Ok(held)))
    }
}

/// Parts as lines of JSON.
struct Lines {
    first: Option<Option<Part>>,
    parts: Parts,
}

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let part = match self.first.take() {
                Some(first) => first,
                None => ready!(self.parts.poll(context)),
            };
            let (mut text, claims) = match part {
                None => return Poll::Ready(None),
                Some(Part::Records(records, claims) | Part::Answer(Ok(records), claims)) => {
                    (records, claims)
                }
                Some(Part::Event(_)) => continue,
                // If the client is gone, its system replies to the space with a reset. JSON may start with spaces.
                Some(Part::Ask) => return Poll::Ready(Some(Ok(Bytes::from_static(b" ")))),
                Some(Part::Answer(Err(fault), _)) => (fault.to_json(), Vec::new()),
                Some(Part::Stopped) => (faults::stopped().to_json(), Vec::new()),
            };
            // A batch may have no boards.
            if !text.is_empty() {
                text.push('\n');
            }
            let held = self.parts.hold((text, claims), |fault| fault.to_json() + "\n");
            return Poll::Ready(Some(Ok(held)));
        }
    }
}
