//! Metrics for Prometheus.

use std::fs;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Labels of a counter of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    /// Name of the call, or kind of the path.
    name: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Named {
    name: &'static str,
}

/// Upper bounds of the histogram buckets, in seconds.
const SECONDS: [f64; 12] =
    [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 60.0];

type Times = Family<Named, Histogram, fn() -> Histogram>;

/// All metrics of the server.
pub struct Metrics {
    registry: Registry,
    answered: Family<RequestLabels, Counter>,
    worked: Times,
    cancelled: Histogram,
    /// Number of calls being worked on.
    pub running: Gauge,
    waiting: Gauge,
    /// Number of open connections.
    pub connections: Gauge,
    memory: Gauge<u64, AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("loyd"),
            answered: Family::default(),
            worked: Family::new_with_constructor(histogram),
            cancelled: histogram(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            connections: Gauge::default(),
            memory: Gauge::default(),
        };
        metrics.register();
        metrics
    }
}

fn histogram() -> Histogram {
    Histogram::new(SECONDS)
}

impl Metrics {
    fn register(&mut self) {
        let to = &mut self.registry;
        to.register("requests", "Number of answered requests", self.answered.clone());
        to.register("work_seconds", "Time spent on calls", self.worked.clone());
        let about = "Time from a client's disconnection to the end of its work";
        to.register("cancel_seconds", about, self.cancelled.clone());
        to.register("running", "Number of calls being worked on", self.running.clone());
        to.register("waiting", "Number of calls waiting for a thread", self.waiting.clone());
        to.register("connections", "Number of open connections", self.connections.clone());
        to.register("resident_bytes", "Resident memory of the process", self.memory.clone());
    }

    /// Counts a request that was answered with `status`.
    pub fn answered(&self, name: &'static str, status: u16) {
        self.answered.get_or_create(&RequestLabels { name, status }).inc();
    }

    /// Records the time spent on a call.
    pub fn worked(&self, name: &'static str, time: Duration) {
        self.worked.get_or_create(&Named { name }).observe(time.as_secs_f64());
    }

    /// Records the time between the disconnection of a client and the end of its work.
    pub fn cancelled(&self, time: Duration) {
        self.cancelled.observe(time.as_secs_f64());
    }

    /// Encodes all metrics in Prometheus' text format. `waiting` is the number of waiting calls.
    pub fn text(&self, waiting: usize) -> String {
        self.waiting.set(waiting as i64);
        self.memory.set(resident_bytes().unwrap_or(0));
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string cannot fail");
        text
    }
}

/// Returns the resident memory of this process in bytes, or `None` if the system does not report it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
