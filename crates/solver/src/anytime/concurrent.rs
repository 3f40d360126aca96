//! Proves and improves in parallel.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use loyd_search::{CancelToken, Cost, Event, Meter, Observer, SharedLimits, Stats, Stop};
use loyd_tiles::notation::{moves_to_string, parse_moves};
use loyd_tiles::{Metric, Move};

use super::{Anytime, IMPROVER};
use crate::attempt::{Attempt, attempt};
use crate::defaults::LARGE_CELLS;
use crate::fast::Improver;
use crate::quality::Weight;
use crate::report::Status;
use crate::sync::lock;

/// Improving gets 1/`SHARE` of the memory limit, because the tables of a proof may need most of it.
const SHARE: u64 = 8;

/// Interval at which the proving thread polls the other once it can prove nothing more.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The state that both threads share.
struct Shared {
    metric: Metric,
    /// A solution is good enough if its length is at most this weight times `lower_bound`.
    enough: Weight,
    /// Lower bound on the length.
    lower_bound: AtomicU32,
    /// The best solution; `length` is its length and changes under the same lock.
    best: Mutex<Vec<Move>>,
    length: AtomicU32,
    /// Number of expansions of the improving thread.
    expanded: AtomicU64,
    /// Set when one thread has finished, so that the other stops.
    over: CancelToken,
}

impl Shared {
    fn is_enough(&self) -> bool {
        let lower_bound = self.lower_bound.load(Ordering::Relaxed);
        self.length.load(Ordering::Relaxed) as usize <= self.enough.times(lower_bound)
    }

    /// Improves a solution until it is good enough, a limit is reached, or the other thread has finished.
    fn improve(&self, improver: &mut Improver<'_>, limits: &SharedLimits) -> Stats {
        let mut stop_when_over = |event: Event<'_>| {
            match event {
                Event::Progress { expanded, .. } => {
                    self.expanded.store(expanded, Ordering::Relaxed);
                }
                Event::Incumbent { solution, .. } => {
                    self.offer(parse_moves(solution).unwrap_or_default());
                }
                _ => {}
            }
            self.check_over()
        };
        let part = limits.max_bytes().map(|bytes| bytes / SHARE);
        let mut meter = limits.meter(part).with_observer(&mut stop_when_over);
        let mut stopped = Ok(());
        while stopped.is_ok() && improver.can_improve() && !self.is_enough() {
            let enough = self.enough.times(self.lower_bound.load(Ordering::Relaxed));
            stopped = improver.step(enough, &mut meter);
            self.offer(improver.moves().to_vec());
        }
        if self.is_enough() {
            self.over.cancel();
        }
        meter.finish()
    }

    /// Stores a solution if it is better than the best one so far.
    fn offer(&self, moves: Vec<Move>) {
        let length = self.metric.length(&moves) as Cost;
        let mut best = lock(&self.best);
        if !moves.is_empty() && length < self.length.load(Ordering::Relaxed) {
            *best = moves;
            self.length.store(length, Ordering::Relaxed);
        }
    }

    fn check_over(&self) -> ControlFlow<()> {
        if self.over.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Forwards the events of proving to the meter, together with the results of improving.
struct Forwarder<'m, 'o> {
    shared: &'m Shared,
    meter: &'m mut Meter<'o>,
    /// Number of expansions before this phase.
    before: u64,
}

impl Forwarder<'_, '_> {
    fn forward(&mut self, event: Event<'_>) -> Result<(), Stop> {
        let (shared, meter) = (self.shared, &mut *self.meter);
        // The length belongs to the solution while its lock is held.
        let best = lock(&shared.best);
        meter.report_incumbent(shared.length.load(Ordering::Relaxed), || moves_to_string(&best))?;
        drop(best);
        match event {
            Event::LowerBound(bound) => {
                shared.lower_bound.fetch_max(bound, Ordering::Relaxed);
                meter.raise_lower_bound(bound)
            }
            Event::Incumbent { cost, solution } => {
                meter.report_incumbent(cost, || solution.to_owned())
            }
            Event::Stage { name, with } => meter.enter_stage(name, with),
            Event::Progress { expanded, bytes, elapsed } => {
                let expanded =
                    expanded + self.before + self.shared.expanded.load(Ordering::Relaxed);
                meter.notify(Event::Progress { expanded, bytes, elapsed })
            }
            event => meter.notify(event),
        }
    }
}

impl Observer for Forwarder<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match self.forward(event) {
            Ok(()) if !self.shared.is_enough() => self.shared.check_over(),
            _ => ControlFlow::Break(()),
        }
    }
}

impl<'a> Anytime<'a> {
    /// Improves the first solution on another thread while this one searches for a shortest solution. Returns `None` if
    /// the best solution so far is good enough or no search can find a better one.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub(super) fn run_concurrently(
        &mut self,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Attempt<'a>>, Stop> {
        if self.improver.is_none() {
            self.find_first(meter)?;
        }
        let improver = self.improver.take().expect("there is a first solution");
        let mut improver = improver.with_threads(self.threads_for_improving());
        let metric = self.run.config.metric;
        let moves = improver.moves().to_vec();
        let shared = Shared {
            metric,
            enough: self.enough,
            lower_bound: self.lower_bound.into(),
            length: (metric.length(&moves) as Cost).into(),
            best: moves.into(),
            expanded: 0.into(),
            over: CancelToken::new(),
        };
        let limits = meter.shared_limits();
        let mut forwarder =
            Forwarder { shared: &shared, before: meter.expanded(), meter: &mut *meter };
        let (ended, mut proved, improved) = thread::scope(|scope| {
            // If the system has no thread, only the search for a shortest solution runs.
            let improve = || shared.improve(&mut improver, &limits);
            let thread = thread::Builder::new().spawn_scoped(scope, improve).ok();
            let rest = limits.max_bytes().map(|bytes| bytes - bytes / SHARE);
            let mut proving = limits.meter(rest).with_observer(&mut forwarder);
            let mut ended = self.try_to_prove(&mut proving);
            let is_improving = || thread.as_ref().is_some_and(|thread| !thread.is_finished());
            while matches!(ended, Ok(None)) && is_improving() {
                thread::sleep(POLL_INTERVAL);
                ended = proving.check().map(|()| None);
            }
            shared.over.cancel();
            let improved = thread.map(|thread| thread.join().expect("improving does not panic"));
            (ended, proving.finish(), improved.unwrap_or_default())
        });
        proved.peak_bytes += improved.peak_bytes;
        meter.charge(&improved);
        meter.charge(&proved);
        self.improver = Some(improver);
        self.lower_bound = shared.lower_bound.into_inner();
        self.report_bounds(meter)?;
        match ended {
            Err(_) if self.is_enough() => {
                if self.length() == Some(self.lower_bound) {
                    meter.set_ended_by(IMPROVER);
                }
                Ok(None)
            }
            ended => ended,
        }
    }

    /// Returns the number of threads for improving. Only proofs with tables use more than one thread, so larger boards
    /// have more threads left.
    fn threads_for_improving(&self) -> usize {
        let threads = self.run.plan.threads;
        let (cells, _) = self.kind();
        let for_improving = if cells <= *LARGE_CELLS.end() { threads / 2 } else { threads - 1 };
        for_improving.max(1)
    }

    /// Searches for a shortest solution. Returns `None` if proving is not possible.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn try_to_prove(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        if !self.can_prove {
            return Ok(None);
        }
        let attempt = attempt(&self.run, meter);
        let Status::Stopped(stop) = attempt.status else { return Ok(Some(attempt)) };
        self.proved_in = attempt.stage.or(self.proved_in);
        match stop {
            // Damaged or too large tables end the proof, but the solution remains valid.
            Stop::Memory | Stop::Tables => {
                self.gave_up = Some(stop);
                Ok(None)
            }
            stop => Err(stop),
        }
    }
}
