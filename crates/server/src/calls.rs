//! `POST /api/v1/{call}`: calls, answered at once if that takes microseconds, otherwise by a thread of the queue.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, request};
use axum::response::Response;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use loyd::CancelToken;
use loyd_api::{Call, Effort, Event, Fault, Question};
use mime::Mime;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tracing::info;

use crate::app::{App, CallGuard, Peer};
use crate::batches::Solving;
use crate::faults::{self, Answer};
use crate::jobs::{answer_safely, on_place, run};
use crate::queue::{Job, Lane, Refused};
use crate::streams::{self, Answering, Parts};

/// Number of events buffered for a slow client. Further events are dropped; the answer contains everything they
/// reported.
const EVENTS: usize = 64;

/// Maximum size of a request that is read on the thread of the connections, in bytes. Longer ones take a while to read.
const MAX_READ_HERE: usize = 4 * 1024;

/// Answers the call `call`.
pub async fn answer(
    app: &Arc<App>,
    call: &'static Call,
    peer: &Peer,
    request: &request::Parts,
    body: Body,
) -> Response {
    let headers = &request.headers;
    let body = match read(app, headers, body).await {
        Ok(body) => body,
        Err(refusal) => return *refusal,
    };
    let form = match accepts_events(headers) {
        true => Form::Events,
        false if call.has_records => Form::Lines,
        false => Form::Json,
    };
    let question = (body.len() <= MAX_READ_HERE).then(|| Question::read(call, &body));
    let question = match question {
        Some(question) if form != Form::Events && is_tiny(&question) => {
            return respond(app, peer, answer_tiny(app, call, question));
        }
        question => question,
    };
    let asked = Asked { call, body, question };
    if call.has_records {
        let parts = match start_batch(app, peer, asked, form) {
            Ok(parts) => parts,
            Err(refusal) => return *refusal,
        };
        return match form {
            Form::Events => streams::events(parts),
            _ => streams::lines(parts, request.version).await,
        };
    }
    let (guard, answer, events) = match submit(app, peer, asked, form) {
        Ok(submitted) => submitted,
        Err(refused) => return refusal(refused, peer),
    };
    if form == Form::Events {
        return streams::events(Parts::new(app, peer, guard, Answering { answer, events }));
    }
    let answer = tokio::select! {
        biased;
        answer = answer => answer,
        () = peer.connection.left(request.version) => return faults::left(),
    };
    drop(guard);
    answer.map_or_else(|_| faults::ending(), |answer| respond(app, peer, answer))
}

/// Returns the response to a call with this answer.
fn respond(app: &App, peer: &Peer, answer: Answer) -> Response {
    match answer {
        Ok(json) => match app.unread.hold(peer.client, json, Vec::new()) {
            Some(json) => faults::json(StatusCode::OK, json),
            None => faults::too_large(),
        },
        Err(fault) => faults::fault(&fault),
    }
}

/// A call that was received.
struct Asked {
    call: &'static Call,
    body: Bytes,
    /// The request of the call, unless it is long and still has to be read.
    question: Option<Result<Question, Fault>>,
}

/// Returns whether the answer takes less time than handing the question to another thread.
fn is_tiny(question: &Result<Question, Fault>) -> bool {
    question.as_ref().map_or(true, |question| question.effort() == Effort::Tiny)
}

/// Returns the lane of the queue in which a question waits.
fn lane(question: &Result<Question, Fault>) -> Lane {
    match question.as_ref().map_or(Effort::Tiny, Question::effort) {
        Effort::Tiny | Effort::Small => Lane::Small,
        Effort::Medium => Lane::Medium,
        Effort::Large => Lane::Large,
    }
}

/// Answers a question that takes no time on the thread of the connections.
fn answer_tiny(app: &App, call: &Call, question: Result<Question, Fault>) -> Answer {
    let started = Instant::now();
    let answer = answer_safely(call, || app.service.answer(question?, &CancelToken::new(), None));
    app.report_warnings();
    app.metrics.worked(call.name, started.elapsed());
    answer
}

/// Reads the body of a request, which has to be JSON of limited size.
async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Bytes, Box<Response>> {
    let refuse =
        |status, message: String| Box::new(faults::answer(status, &Fault::malformed(message)));
    if !is_json(headers) {
        let message =
            "a request has to be JSON: send it with `Content-Type: application/json`".to_owned();
        return Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let most = app.options.max_body;
    let too_large = || {
        let message = format!("a request may have at most {most} bytes");
        refuse(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    let declared =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: usize| length > most) {
        return Err(too_large());
    }
    let client_timeout = app.options.client_timeout;
    let read = Limited::new(body, most).collect();
    match timeout(client_timeout, read).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if is_too_large(error.as_ref()) => Err(too_large()),
        Ok(Err(error)) => {
            Err(refuse(StatusCode::BAD_REQUEST, format!("the request cannot be read: {error}")))
        }
        Err(_) => {
            let message = format!("the request was not complete within {client_timeout:?}");
            Err(refuse(StatusCode::REQUEST_TIMEOUT, message))
        }
    }
}

fn is_too_large(error: &(dyn Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_too_large)
}

/// Returns whether a request has exactly one content type, which is JSON in UTF-8. Browsers send requests with some
/// other types to any site, without asking that site whether it accepts them.
fn is_json(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(CONTENT_TYPE).iter();
    let (Some(only), None) = (lines.next(), lines.next()) else { return false };
    let Ok(text) = only.to_str() else { return false };
    // HTTP allows spaces around the semicolon.
    let parts: Vec<_> = text.split(';').map(str::trim).collect();
    parts.join(";").parse::<Mime>().is_ok_and(|media_type| {
        let mut charsets = media_type.params().filter(|(name, _)| *name == mime::CHARSET);
        media_type.essence_str() == mime::APPLICATION_JSON
            && charsets.all(|(_, charset)| charset == mime::UTF_8)
    })
}

/// Returns whether a client accepts a stream of events.
fn accepts_events(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|one| {
        one.trim()
            .parse::<Mime>()
            .is_ok_and(|media_type| media_type.essence_str() == mime::TEXT_EVENT_STREAM)
    })
}

/// Form of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    /// JSON Lines.
    Lines,
    /// Events, followed by the answer.
    Events,
}

type Submitted = (CallGuard, oneshot::Receiver<Answer>, mpsc::Receiver<Event>);

/// Adds a call to the queue.
fn submit(
    app: &Arc<App>,
    peer: &Peer,
    Asked { call, body, question }: Asked,
    form: Form,
) -> Result<Submitted, Refused> {
    let lane = question.as_ref().map_or(Lane::Large, lane);
    let (guard, state) = CallGuard::new(&app.queue);
    let (event_sender, events) = mpsc::channel(EVENTS);
    let (answer_sender, answer) = oneshot::channel();
    let cancel = state.cancel.clone();
    let on_place = (form == Form::Events).then(|| on_place(event_sender.clone()));
    let shared = app.clone();
    let work = move || {
        let app = shared;
        state.start();
        let started = Instant::now();
        let mut listen = |event: Event| {
            _ = event_sender.try_send(event);
            ControlFlow::Continue(())
        };
        let listener = (form == Form::Events).then_some(&mut listen as _);
        let answer = run(&app, call, &state, || {
            let question = question.unwrap_or_else(|| Question::read(call, &body))?;
            app.service.answer(question, &state.cancel, listener)
        });
        app.metrics.worked(call.name, started.elapsed());
        drop(event_sender);
        _ = answer_sender.send(answer);
    };
    let (client, work, is_continued) = (peer.client, Box::new(work), false);
    app.queue.push(Job { client, lane, is_continued, cancel, on_place, work })?;
    Ok((guard, answer, events))
}

/// Starts to solve a batch.
fn start_batch(
    app: &Arc<App>,
    peer: &Peer,
    Asked { call, body, question }: Asked,
    form: Form,
) -> Result<Parts, Box<Response>> {
    // The boards are kept twice until they are read.
    let claim = app.unread.claim(peer.client, 2 * body.len()).ok_or_else(faults::too_large)?;
    let (guard, state) = CallGuard::new(&app.queue);
    let read = move || question.unwrap_or_else(|| Question::read(call, &body));
    let about = (app.clone(), call, peer.client);
    let solving = Solving::start(about, state, read, form == Form::Events, claim)
        .map_err(|refused| refusal(refused, peer))?;
    Ok(Parts::new(app, peer, guard, solving))
}

/// Returns the response to a call that the queue rejected.
fn refusal(refused: Refused, peer: &Peer) -> Response {
    match refused {
        Refused::Closed => faults::ending(),
        Refused::Full(waiting) => {
            info!(client = %peer.client, waiting, "a call was rejected because the queue is full");
            faults::busy(waiting)
        }
    }
}
