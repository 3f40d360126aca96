//! Answers that are no success: a fault as JSON, with a status.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use loyd_api::{Fault, FaultKind};
use serde_json::json;

/// When a client that was refused may try again, in seconds.
const RETRY_SECONDS: u32 = 1;

/// JSON with a status.
pub fn json(status: StatusCode, json: String) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A fault with a status.
pub fn answer(status: StatusCode, fault: &Fault) -> Response {
    json(status, fault.to_json())
}

/// The status that says what kind of fault it is.
pub fn status(fault: &Fault) -> StatusCode {
    match fault.kind {
        FaultKind::Malformed => StatusCode::BAD_REQUEST,
        FaultKind::Wrong | FaultKind::Stopped => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// The queue is full: so many calls wait.
pub fn busy(waiting: usize) -> Response {
    let fault = Fault {
        help: Some(format!("try again in {RETRY_SECONDS} s")),
        ..Fault::wrong(format!("the server is busy: {waiting} calls wait"))
    };
    let mut body = json!(fault);
    body["place"] = waiting.into();
    let mut answer = json(StatusCode::TOO_MANY_REQUESTS, body.to_string());
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
    answer
}

/// There is nothing at an address.
pub fn nothing(path: &str) -> Response {
    let fault = Fault {
        help: Some("/api/v1/openapi.json describes what there is".to_owned()),
        ..Fault::malformed(format!("there is nothing at {path}"))
    };
    answer(StatusCode::NOT_FOUND, &fault)
}
