//! The engine and its limits.

use std::ops::ControlFlow;
use std::time::Duration;

use loyd::engine::Clock;
use loyd::search::Limits;
use loyd::{CancelToken, Config};
use loyd_api::{Event, Fault, Service, list_named};
use serde_json::Value;

/// The memory that a search may take, tables included: what solves 4x4 boards by slides needs while its table is built.
/// With what is kept, and with what the allocator cannot use again, the module stays below 200 MB.
const MOST_BYTES: u64 = 124 << 20;

/// Tables of more bytes are kept only for the next call about such boards: there is room for those of two goals on 4x4
/// boards.
const KEPT_BYTES: u64 = 28 << 20;

/// The time that a call may take. Who does not want to wait so long ends the worker.
const MOST_TIME: Duration = Duration::from_secs(600);

/// The call that asks for a list of what there is to choose from.
const LIST: &str = "list";

/// What answers calls. It keeps its tables.
#[derive(Debug)]
pub struct Engine {
    service: Service,
    clock: Clock,
    random: fn() -> u64,
    /// What tables were made for: the values of [`TABLES_FOR`] in the last request.
    tables_for: Vec<Value>,
}

/// What tables depend on, of the fields of a request.
const TABLES_FOR: [&str; 3] = ["size", "goal", "metric"];

impl Engine {
    /// An engine that knows the time from `clock` and draws seeds by `random`.
    pub fn new(clock: Clock, random: fn() -> u64) -> Self {
        Self { service: service(clock, random), clock, random, tables_for: Vec::new() }
    }

    /// Answers the call `name`: one of [`CALLS`](loyd_api::CALLS), or `list`, whose request names one of
    /// [`LISTS`](loyd_api::LISTS). `tell` gets the name of each event and its data as JSON. Returns JSON.
    ///
    /// # Errors
    /// A [`Fault`] as JSON.
    pub fn call(
        &mut self,
        name: &str,
        request: &str,
        mut tell: impl FnMut(&str, &str) + Send,
    ) -> Result<String, String> {
        let mut listener = |event: Event| {
            tell(event.name, &event.data);
            ControlFlow::Continue(())
        };
        // What is wrong with it, the call says.
        let fields: Value = serde_json::from_str(request).unwrap_or_default();
        let answer = if name == LIST {
            list(&fields)
        } else {
            self.make_room(&fields);
            self.service.call(name, request.as_bytes(), &CancelToken::new(), Some(&mut listener))
        };
        answer.map_err(|fault| fault.to_json())
    }

    /// Forgets large tables that are not for this request.
    fn make_room(&mut self, request: &Value) {
        let tables_for: Vec<Value> = TABLES_FOR.iter().map(|&name| request[name].clone()).collect();
        if self.service.held_bytes() > KEPT_BYTES && tables_for != self.tables_for {
            self.service = service(self.clock, self.random);
        }
        self.tables_for = tables_for;
    }
}

fn service(clock: Clock, random: fn() -> u64) -> Service {
    let limits =
        Limits { max_bytes: Some(MOST_BYTES), max_time: Some(MOST_TIME), ..Limits::default() };
    let service = Service::new(Config { clock, limits, ..Config::default() });
    service.expect("limits go with everything").with_random(random)
}

/// The rows of a list.
fn list(request: &Value) -> Result<String, Fault> {
    let list = list_named(request["name"].as_str().unwrap_or_default())?;
    Ok(Value::from((list.rows)()).to_string())
}
