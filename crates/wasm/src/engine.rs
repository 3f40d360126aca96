//! The engine and its limits.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::engine::Clock;
use loyd::search::Limits;
use loyd::{CancelToken, Config, Error};
use loyd_api::{Event, Fault, Service, list_named};
use serde_json::Value;

/// The memory that a search may take, tables included.
pub const MOST_BYTES: u64 = 128 << 20;

/// The time that a call may take. Who does not want to wait so long ends the worker.
const MOST_TIME: Duration = Duration::from_secs(600);

/// The call that asks for a list of what there is to choose from.
const LIST: &str = "list";

/// What answers calls. It keeps its tables.
#[derive(Debug)]
pub struct Engine(Service);

impl Engine {
    /// An engine that knows the time from `clock`.
    ///
    /// # Errors
    /// Never: its configuration is sound.
    pub fn new(clock: Clock) -> Result<Self, Error> {
        let limits = Limits {
            max_bytes: Some(MOST_BYTES),
            max_time: Some(MOST_TIME),
            ..Limits::default()
        };
        Service::new(Config { clock, limits, ..Config::default() }).map(Self)
    }

    /// Answers the call `name`: one of [`CALLS`](loyd_api::CALLS), or `list`, whose request names one of
    /// [`LISTS`](loyd_api::LISTS). `tell` gets the name of each event and its data as JSON. Returns JSON.
    ///
    /// # Errors
    /// A [`Fault`] as JSON.
    pub fn call(
        &self,
        name: &str,
        request: &str,
        mut tell: impl FnMut(&str, &str) + Send,
    ) -> Result<String, String> {
        let mut listener = |event: Event| {
            tell(event.name, &event.data);
            ControlFlow::Continue(())
        };
        let answer = match name {
            LIST => list(request),
            _ => self.0.call(name, request.as_bytes(), &CancelToken::new(), &mut listener),
        };
        answer.map_err(|fault| fault.to_json())
    }
}

fn list(request: &str) -> Result<String, Fault> {
    let request: Value = serde_json::from_str(request).unwrap_or_default();
    let list = list_named(request["name"].as_str().unwrap_or_default())?;
    Ok(Value::from((list.rows)()).to_string())
}
