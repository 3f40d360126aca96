//! Responses that are sent while the work goes on: events, and records of batches.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use loyd_api::{Event, Fault};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, Sleep, sleep};

use crate::app::{CallGuard, Peer};
use crate::connection::{Closed, Connection, LOOK};
use crate::faults::Answer;
use crate::places::Busy;

/// Name of the event with records of a batch.
pub const RECORDS: &str = "records";

const JSON_LINES: &str = "application/x-ndjson";

/// Interval between keep-alive comments in a stream of events.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Returns the response of a call that is answered with events.
pub fn events(parts: Parts) -> Response {
    Sse::new(Events(parts)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

/// Returns the response of a call that is answered with records, once there are some.
///
/// # Errors
/// Fails if the call does, before there are records.
pub async fn lines(mut parts: Parts) -> Result<Response, Fault> {
    let first = poll_fn(|context| parts.poll(context)).await;
    if let Some(Part::Answer(Err(fault))) = first {
        return Err(fault);
    }
    let lines = Lines { first: Some(first), parts };
    Ok(([(CONTENT_TYPE, JSON_LINES)], Body::from_stream(lines)).into_response())
}

/// The events of a call, followed by its answer.
pub struct Parts {
    events: mpsc::Receiver<Event>,
    answer: Option<oneshot::Receiver<Answer>>,
    watch: Watch,
    _guard: CallGuard,
    _busy: Busy,
}

/// Checks at regular times whether the client of a stream still reads.
struct Watch {
    connection: Connection,
    next: Pin<Box<Sleep>>,
    is_asked: bool,
}

impl Watch {
    fn new(connection: Connection) -> Self {
        Self { connection, next: Box::pin(sleep(LOOK)), is_asked: false }
    }

    /// Returns what the client has closed, once that is something new.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Closed> {
        while self.next.as_mut().poll(context).is_ready() {
            self.next.as_mut().reset(Instant::now() + LOOK);
            match self.connection.closed() {
                Closed::Sending if !self.is_asked => {
                    self.is_asked = true;
                    return Poll::Ready(Closed::Sending);
                }
                Closed::Everything => return Poll::Ready(Closed::Everything),
                Closed::Sending | Closed::Nothing => {}
            }
        }
        Poll::Pending
    }
}

/// Part of a streamed response.
enum Part {
    Event(Event),
    Answer(Answer),
    /// The client has ended its side: something has to be sent to learn whether it still reads.
    Ask,
}

impl Parts {
    /// Joins the events and the answer of a call of `peer`, which ends with `guard`.
    pub fn new(
        peer: &Peer,
        guard: CallGuard,
        answer: oneshot::Receiver<Answer>,
        events: mpsc::Receiver<Event>,
    ) -> Self {
        let watch = Watch::new(peer.connection.clone());
        let busy = Busy::new(&peer.place);
        Self { events, answer: Some(answer), watch, _guard: guard, _busy: busy }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>> {
        match self.events.poll_recv(context) {
            Poll::Ready(Some(event)) => return Poll::Ready(Some(Part::Event(event))),
            Poll::Ready(None) => {}
            Poll::Pending => {
                return Poll::Ready(match ready!(self.watch.poll(context)) {
                    Closed::Everything => None,
                    _ => Some(Part::Ask),
                });
            }
        }
        // The sender of events is dropped before the answer is sent, so the answer arrives now or never.
        let Some(answer) = &mut self.answer else { return Poll::Ready(None) };
        let ended = || Err(Fault::wrong("the server is shutting down"));
        let answer = ready!(Pin::new(answer).poll(context)).unwrap_or_else(|_| ended());
        self.answer = None;
        Poll::Ready(Some(Part::Answer(answer)))
    }
}

/// Parts as server-sent events.
struct Events(Parts);

impl Stream for Events {
    type Item = Result<SseEvent, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let named = |name: &str, data: String| SseEvent::default().event(name).data(data);
        Poll::Ready(ready!(self.0.poll(context)).map(|part| {
            Ok(match part {
                Part::Event(event) => named(event.name, event.data),
                Part::Answer(Ok(json)) => named("result", json),
                Part::Answer(Err(fault)) => named("error", fault.to_json()),
                // If the client is gone, its system replies to the comment with a reset.
                Part::Ask => SseEvent::default().comment("end of the request"),
            })
        }))
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
            let mut text = match part {
                None => return Poll::Ready(None),
                Some(Part::Event(event)) if event.name == RECORDS => event.data,
                // If the client is gone, the next records are answered with a reset.
                Some(Part::Event(_) | Part::Ask) => continue,
                Some(Part::Answer(Ok(text))) => text,
                Some(Part::Answer(Err(fault))) => fault.to_json(),
            };
            // A batch may have no boards.
            if !text.is_empty() {
                text.push('\n');
            }
            return Poll::Ready(Some(Ok(text.into())));
        }
    }
}
