//! Proving and improving at once, each on a thread of its own.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use loyd_search::{Account, CancelToken, Cost, Event, Meter, Observer, Stats, Stop};
use loyd_tiles::notation::{moves_to_string, parse_moves};
use loyd_tiles::{Metric, Move};

use super::{Anytime, IMPROVER};
use crate::attempt::{Attempt, attempt};
use crate::choices::Weight;
use crate::fast::Improver;
use crate::report::Status;
use crate::sync::lock;

/// The part of the memory for improving, whose beams take little: one in so many.
const SHARE: u64 = 8;

/// How long the thread that cannot prove sleeps between two looks at the other.
const NAP: Duration = Duration::from_millis(5);

/// What both threads know.
struct Known {
    metric: Metric,
    /// How many times as long as a shortest one a solution may be.
    enough: Weight,
    /// No solution is shorter.
    least: AtomicU32,
    /// The best solution, and its length.
    best: Mutex<Vec<Move>>,
    length: AtomicU32,
    /// What improving has expanded.
    expanded: AtomicU64,
    /// Set when one thread has made the work of the other needless.
    over: CancelToken,
}

impl Known {
    fn is_enough(&self) -> bool {
        let least = self.least.load(Ordering::Relaxed);
        self.length.load(Ordering::Relaxed) as usize <= self.enough.times(least)
    }

    /// Improves a solution until it is good enough, a limit is reached, or the other thread is ready.
    fn improve(&self, improver: &mut Improver<'_>, account: &Account) -> Stats {
        let mut stop_when_over = |event: Event<'_>| {
            match event {
                Event::Progress { expanded, .. } => {
                    self.expanded.store(expanded, Ordering::Relaxed);
                }
                Event::Incumbent { solution, .. } => {
                    self.keep(parse_moves(solution).unwrap_or_default());
                }
                _ => {}
            }
            self.goes_on()
        };
        let part = account.max_bytes().map(|bytes| bytes / SHARE);
        let mut meter = account.meter(part).observed_by(&mut stop_when_over);
        let mut stopped = Ok(());
        while stopped.is_ok() && improver.goes_on() && !self.is_enough() {
            let enough = self.enough.times(self.least.load(Ordering::Relaxed));
            stopped = improver.step(enough, &mut meter);
            self.keep(improver.moves().to_vec());
        }
        if self.is_enough() {
            self.over.cancel();
        }
        meter.finish()
    }

    /// Keeps a solution if it is better than the best one so far.
    fn keep(&self, moves: Vec<Move>) {
        let length = self.metric.length(&moves) as Cost;
        let mut best = lock(&self.best);
        if !moves.is_empty() && length < self.length.load(Ordering::Relaxed) {
            *best = moves;
            self.length.store(length, Ordering::Relaxed);
        }
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.over.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Passes on what proving tells, and what improving has found meanwhile.
struct Both<'m, 'o> {
    known: &'m Known,
    meter: &'m mut Meter<'o>,
    /// What had been expanded before.
    before: u64,
}

impl Both<'_, '_> {
    fn pass_on(&mut self, event: Event<'_>) -> Result<(), Stop> {
        let (known, meter) = (self.known, &mut *self.meter);
        // With its lock, the solution has that length.
        let best = lock(&known.best);
        meter.incumbent(known.length.load(Ordering::Relaxed), || moves_to_string(&best))?;
        drop(best);
        match event {
            Event::LowerBound(bound) => {
                known.least.fetch_max(bound, Ordering::Relaxed);
                meter.at_least(bound)
            }
            Event::Incumbent { cost, solution } => meter.incumbent(cost, || solution.to_owned()),
            Event::Stage { name, with } => meter.stage(name, with),
            Event::Progress { expanded, bytes, elapsed } => {
                let expanded = expanded + self.before + self.known.expanded.load(Ordering::Relaxed);
                meter.tell(Event::Progress { expanded, bytes, elapsed })
            }
            event => meter.tell(event),
        }
    }
}

impl Observer for Both<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match self.pass_on(event) {
            Ok(()) if !self.known.is_enough() => self.known.goes_on(),
            _ => ControlFlow::Break(()),
        }
    }
}

impl<'a> Anytime<'a> {
    /// Improves the first solution on another thread while this one looks for a shortest one; `None` if the best one
    /// so far is as good as is wanted.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn run_beside(
        &mut self,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Attempt<'a>>, Stop> {
        if self.improver.is_none() {
            self.begin(meter)?;
        }
        let mut improver = self.improver.take().expect("there is a first solution");
        let metric = self.run.config.metric;
        let moves = improver.moves().to_vec();
        let known = Known {
            metric,
            enough: self.enough,
            least: self.least.into(),
            length: (metric.length(&moves) as Cost).into(),
            best: moves.into(),
            expanded: 0.into(),
            over: CancelToken::new(),
        };
        let account = meter.account();
        let mut both = Both { known: &known, before: meter.expanded(), meter: &mut *meter };
        let (ended, mut proved, improved) = thread::scope(|scope| {
            let thread = scope.spawn(|| known.improve(&mut improver, &account));
            let rest = account.max_bytes().map(|bytes| bytes - bytes / SHARE);
            let mut proving = account.meter(rest).observed_by(&mut both);
            let mut ended = self.try_to_prove(&mut proving);
            while matches!(ended, Ok(None)) && !thread.is_finished() {
                thread::sleep(NAP);
                ended = proving.check().map(|()| None);
            }
            known.over.cancel();
            let improved = thread.join().expect("improving does not panic");
            (ended, proving.finish(), improved)
        });
        proved.peak_bytes += improved.peak_bytes;
        meter.charge(&improved);
        meter.charge(&proved);
        self.improver = Some(improver);
        self.least = known.least.into_inner();
        self.tell(meter)?;
        match ended {
            Err(_) if self.is_enough() => {
                if self.length() == Some(self.least) {
                    meter.ended_by(IMPROVER);
                }
                Ok(None)
            }
            ended => ended,
        }
    }

    /// Looks for a shortest solution; `None` if there is no way to find one.
    ///
    /// # Errors
    /// The limit that was reached.
    fn try_to_prove(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        if !self.can_prove {
            return Ok(None);
        }
        let attempt = attempt(&self.run, meter);
        let Status::Stopped(stop) = attempt.status else { return Ok(Some(attempt)) };
        self.proved_in = attempt.stage.or(self.proved_in);
        match stop {
            // Tables that are damaged or too large are no reason to give up the solution.
            Stop::Memory | Stop::Tables => {
                self.gave_up = Some(stop);
                Ok(None)
            }
            stop => Err(stop),
        }
    }
}
