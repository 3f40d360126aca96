//! Answers in JSON, and error responses: a [`Fault`] as JSON, with a status.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use loyd_api::{Fault, FaultKind};
use serde_json::json;

/// Seconds after which a rejected client may try again.
const RETRY_SECONDS: u32 = 1;

/// The answer to a call, in JSON.
pub type Answer = Result<String, Fault>;

/// Creates a JSON response with a status.
pub fn json(status: StatusCode, json: impl Into<Bytes>) -> Response {
    let mut response = Response::new(Body::from(json.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Creates an error about the server's own options, whose names stay as they are.
pub fn about_options(error: String) -> Fault {
    Fault { error, ..Fault::malformed(String::new()) }
}

/// Creates an error response with a status.
pub fn answer(status: StatusCode, fault: &Fault) -> Response {
    json(status, fault.to_json())
}

/// Creates the error response to a call, with the status for the kind of the error.
pub fn fault(fault: &Fault) -> Response {
    answer(status(fault), fault)
}

/// Returns the status for the kind of an error.
fn status(fault: &Fault) -> StatusCode {
    match fault.kind {
        FaultKind::Malformed => StatusCode::BAD_REQUEST,
        FaultKind::Wrong | FaultKind::Stopped => StatusCode::UNPROCESSABLE_ENTITY,
        FaultKind::Defect => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Creates the response for a full queue, in which `waiting` calls are waiting.
pub fn busy(waiting: usize) -> Response {
    let fault = Fault {
        help: Some(format!("try again in {RETRY_SECONDS} s")),
        ..Fault::wrong(format!("the server is busy: {waiting} calls are waiting"))
    };
    let mut body = json!(fault);
    body["place"] = waiting.into();
    let mut answer = json(StatusCode::TOO_MANY_REQUESTS, body.to_string());
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
    answer
}

/// Creates the response in place of an answer that would exceed the memory for answers that are being sent.
pub fn too_large() -> Response {
    let mut answer = answer(StatusCode::SERVICE_UNAVAILABLE, &unread());
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
    answer
}

/// Returns the error for such an answer.
pub fn unread() -> Fault {
    Fault {
        help: Some("receive the last answers first, or send a smaller request".to_owned()),
        ..Fault::wrong("too many large answers are being sent")
    }
}

/// Creates the response to a call whose client is gone. Nobody receives it, but it is counted, with the status that
/// other servers use for this.
pub fn left() -> Response {
    let status = StatusCode::from_u16(499).expect("three digits");
    answer(status, &Fault::wrong("the client has closed the connection"))
}

/// Creates the response to a call that has not been answered when the server shuts down.
pub fn ending() -> Response {
    answer(StatusCode::SERVICE_UNAVAILABLE, &stopped())
}

/// Returns the error for such a call.
pub fn stopped() -> Fault {
    Fault::wrong("the server is shutting down")
}

/// Creates the response for a path that does not exist.
pub fn nothing(path: &str) -> Response {
    let fault = Fault {
        help: Some("/api/v1/openapi.json describes the API".to_owned()),
        ..Fault::malformed(format!("nothing is at {path}"))
    };
    answer(StatusCode::NOT_FOUND, &fault)
}
