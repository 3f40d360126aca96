//! The work of calls on the threads of the queue.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loyd_api::{Call, Event, Fault};
use serde_json::json;
use tokio::sync::mpsc;
use tracing::error;

use crate::app::{App, CallState};

/// Does the work of a job, and counts it.
pub fn run<T>(
    app: &App,
    call: &Call,
    state: &CallState,
    work: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    app.metrics.running.inc();
    state.begin_job();
    let done = answer_safely(call, work);
    app.metrics.running.dec();
    app.report_warnings();
    if let Some(left) = state.end_job() {
        app.metrics.cancelled(left.elapsed());
    }
    done
}

/// Returns what `answer` returns; after a panic, an error, because a defect that one request meets must not end the
/// requests of others.
pub fn answer_safely<T>(
    call: &Call,
    answer: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| {
        error!(call = call.name, "a call has ended with a panic");
        Err(Fault::defect("the server failed on this request, which is a defect of the server"))
    })
}

/// Returns a callback that reports the place in line with the event `queued`.
pub fn on_place(events: mpsc::Sender<Event>) -> Box<dyn FnMut(usize) + Send> {
    Box::new(move |place| {
        let data = json!({"event": "queued", "place": place}).to_string();
        _ = events.try_send(Event { name: "queued", data });
    })
}
