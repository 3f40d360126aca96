//! Metrics of a worker, in the format of Prometheus.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;

use crate::connect::Link;

/// The media type of the text.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The counts of a worker.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    jobs: Family<Outcome, Counter>,
    running: Gauge,
    wait: Counter<f64, AtomicU64>,
    bound: Arc<AtomicU64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

impl Metrics {
    /// Counts a job with its outcome.
    pub fn count(&self, outcome: &'static str) {
        self.jobs.get_or_create(&Outcome { outcome }).inc();
    }

    /// Adds the time in which the worker had no job.
    pub fn add_wait(&self, time: Duration) {
        self.wait.inc_by(time.as_secs_f64());
    }

    /// Sets the number of jobs that are being done.
    pub fn set_running(&self, jobs: usize) {
        self.running.set(jobs as i64);
    }

    /// Returns the cell for the bound of the current search.
    pub fn bound(&self) -> Arc<AtomicU64> {
        self.bound.clone()
    }

    /// Answers requests for `/metrics`.
    pub fn serve(
        &self,
        listener: TcpListener,
        link: Arc<Link>,
    ) -> impl Future<Output = ()> + use<> {
        let state = Arc::new((self.clone(), link));
        let router = Router::new().route("/metrics", get(answer)).with_state(state);
        async move {
            _ = axum::serve(listener, router).await;
        }
    }

    /// Returns the metrics as text.
    fn text(&self, link: &Link) -> String {
        let mut registry = Registry::with_prefix("loyd_worker");
        let reconnects: Counter = Counter::default();
        reconnects.inc_by(link.reconnects.load(Ordering::Relaxed));
        let bound: Gauge = Gauge::default();
        bound.set(self.bound.load(Ordering::Relaxed) as i64);
        registry.register("jobs", "Jobs that ended", self.jobs.clone());
        registry.register("running", "Jobs that are being done", self.running.clone());
        registry.register("wait_seconds", "Time without a job", self.wait.clone());
        registry.register("reconnects", "Restored connections", reconnects);
        registry.register("bound", "Bound of the last search for subtrees of one board", bound);
        let mut text = String::new();
        encode(&mut text, &registry).expect("text takes all that is written");
        text
    }
}

async fn answer(State(state): State<Arc<(Metrics, Arc<Link>)>>) -> impl IntoResponse {
    let (metrics, link) = &*state;
    ([(CONTENT_TYPE, MEDIA_TYPE)], metrics.text(link))
}
