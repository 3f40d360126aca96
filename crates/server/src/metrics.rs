//! What the server counts, for Prometheus.

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

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    /// The name of the call, or of the kind of address.
    name: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Named {
    name: &'static str,
}

/// Bounds of the classes of times, in seconds.
const SECONDS: [f64; 12] =
    [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 60.0];

type Times = Family<Named, Histogram, fn() -> Histogram>;

/// The counters.
pub struct Metrics {
    registry: Registry,
    answered: Family<Answered, Counter>,
    worked: Times,
    cancelled: Histogram,
    /// Requests that are being worked on.
    pub running: Gauge,
    waiting: Gauge,
    /// Connections that are open.
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
        to.register("requests", "Requests that were answered", self.answered.clone());
        to.register("work_seconds", "Time that calls were worked on", self.worked.clone());
        let about = "Time from a client's leaving to the end of the work for it";
        to.register("cancel_seconds", about, self.cancelled.clone());
        to.register("running", "Calls that are being worked on", self.running.clone());
        to.register("waiting", "Calls that wait for a thread", self.waiting.clone());
        to.register("connections", "Connections that are open", self.connections.clone());
        to.register("resident_bytes", "Memory that the process occupies", self.memory.clone());
    }

    /// A request was answered with a status.
    pub fn answered(&self, name: &'static str, status: u16) {
        self.answered.get_or_create(&Answered { name, status }).inc();
    }

    /// A call was worked on for so long.
    pub fn worked(&self, name: &'static str, time: Duration) {
        self.worked.get_or_create(&Named { name }).observe(time.as_secs_f64());
    }

    /// Work ended so long after its client had left.
    pub fn cancelled(&self, time: Duration) {
        self.cancelled.observe(time.as_secs_f64());
    }

    /// All of it in Prometheus' text form, while so many calls wait.
    pub fn text(&self, waiting: usize) -> String {
        self.waiting.set(waiting as i64);
        self.memory.set(resident_bytes().unwrap_or(0));
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes any text");
        text
    }
}

/// The memory that this process occupies, where the system says it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
