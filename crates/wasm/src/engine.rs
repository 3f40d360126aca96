//! The engine and its limits.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::engine::Clock;
use loyd::search::Limits;
use loyd::{CancelToken, Config};
use loyd_api::{Event, Fault, Service, list_named};
use serde_json::Value;

/// Memory limit of a search, including tables: enough to solve 4x4 boards by slides while their table is built.
/// Together with cached tables and fragmentation, the module stays below 200 MB.
const MAX_BYTES: u64 = 124 << 20;

/// Tables larger than this, in bytes, are dropped when a request is about other boards. The tables of two goals on 4x4
/// boards fit.
const MAX_CACHED_BYTES: u64 = 28 << 20;

/// Time limit of a call. The page can end a call earlier by terminating the worker.
const MAX_TIME: Duration = Duration::from_secs(600);

/// Name of the call that lists available options.
const LIST: &str = "list";

/// Answers calls and caches tables between them.
#[derive(Debug)]
pub struct Engine {
    service: Service,
    clock: Clock,
    random: fn() -> u64,
    /// Values of the request fields [`TABLE_FIELDS`] for which the current tables were built.
    tables_for: Vec<Value>,
}

/// Request fields on which tables depend.
const TABLE_FIELDS: [&str; 3] = ["size", "goal", "metric"];

impl Engine {
    /// Creates an engine that reads the time from `clock` and draws seeds from `random`.
    pub fn new(clock: Clock, random: fn() -> u64) -> Self {
        Self { service: service(clock, random), clock, random, tables_for: Vec::new() }
    }

    /// Answers the call `name`: one of [`CALLS`](loyd_api::CALLS), or `list`, whose request names one of
    /// [`LISTS`](loyd_api::LISTS). `on_event` receives the name of each event and its data as JSON. Returns JSON.
    ///
    /// # Errors
    /// Returns a [`Fault`] as JSON.
    pub fn call(
        &mut self,
        name: &str,
        request: &str,
        mut on_event: impl FnMut(&str, &str) + Send,
    ) -> Result<String, String> {
        let mut listener = |event: Event| {
            on_event(event.name, &event.data);
            ControlFlow::Continue(())
        };
        // Invalid JSON is reported by the call itself.
        let fields: Value = serde_json::from_str(request).unwrap_or_default();
        let answer = if name == LIST {
            list(&fields)
        } else {
            self.drop_other_tables(&fields);
            self.service.call(name, request.as_bytes(), &CancelToken::new(), Some(&mut listener))
        };
        answer.map_err(|fault| fault.to_json())
    }

    /// Drops large tables that do not fit this request.
    fn drop_other_tables(&mut self, request: &Value) {
        let tables_for: Vec<Value> =
            TABLE_FIELDS.iter().map(|&name| request[name].clone()).collect();
        if self.service.held_bytes() > MAX_CACHED_BYTES && tables_for != self.tables_for {
            self.service = service(self.clock, self.random);
        }
        self.tables_for = tables_for;
    }
}

fn service(clock: Clock, random: fn() -> u64) -> Service {
    let limits =
        Limits { max_bytes: Some(MAX_BYTES), max_time: Some(MAX_TIME), ..Limits::default() };
    let service = Service::new(Config { clock, limits, ..Config::default() });
    service.expect("limits are compatible with all options").with_random(random)
}

/// Returns the rows of a list as JSON.
fn list(request: &Value) -> Result<String, Fault> {
    let list = list_named(request["name"].as_str().unwrap_or_default())?;
    Ok(Value::from((list.rows)()).to_string())
}
