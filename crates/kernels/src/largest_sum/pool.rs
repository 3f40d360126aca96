//! One round on any number of threads: those with work give to those without.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use loyd_search::{Meter, Stop};

use super::engine::{BATCH, Engine, Within};
use super::node::Node;
use super::runner::Runner;
#[cfg(not(feature = "parallel"))]
use super::single as threads;
#[cfg(feature = "parallel")]
use super::threads;
use crate::move_rows::MoveRows;

/// Expansions between two looks at what the others do: less than a millisecond.
const SLICE: u64 = 4096;

/// What is left of a round, and what has been counted of it.
#[derive(Clone, Debug, Default)]
pub struct Rest {
    /// The nodes below which everything is still to be searched.
    pub nodes: Vec<Node>,
    pub expanded: u64,
    pub generated: u64,
    /// Nodes beyond the bound that were expanded and generated, which are no part of the round.
    pub beyond: (u64, u64),
    /// A solution of two moves more than the bound.
    pub ahead: Option<Box<Node>>,
}

/// What the threads of a round have in common.
struct Shared<'a> {
    runner: &'a Runner,
    rows: &'a MoveRows,
    within: Within,
    /// See [`Rest::ahead`].
    goal_ahead: Mutex<Option<Box<Node>>>,
    /// Nodes that wait for a thread, and how many threads wait for a node.
    waiting: Mutex<(Vec<Node>, usize)>,
    /// The same number of threads, to be looked at in passing.
    idle: AtomicUsize,
    threads: usize,
    /// Expansions that may still be made.
    left: AtomicU64,
    /// Nodes of the round.
    expanded: AtomicU64,
    generated: AtomicU64,
    beyond: [AtomicU64; 2],
    /// Whether all should put their nodes back and end.
    stop: AtomicBool,
}

/// Searches below the nodes of `rest` until nothing is left of it, a goal is found, or `look`, which is called every
/// millisecond or so with the time since, says that it is enough: what is left then is in `rest`.
///
/// Every node is expanded once, by one thread, so that a round which is searched to its end has the same counts
/// however many threads there are.
pub fn search(
    runner: &Runner,
    rows: &MoveRows,
    within: Within,
    engines: &mut [Engine],
    rest: &mut Rest,
    meter: &mut Meter<'_>,
    look: &mut dyn FnMut() -> bool,
) -> Result<Option<Box<Node>>, Stop> {
    let shared = Shared {
        waiting: Mutex::new((std::mem::take(&mut rest.nodes), 0)),
        left: AtomicU64::new(meter.left_to_expand()),
        ..Shared::new(runner, rows, within, engines.len())
    };
    engines.iter_mut().for_each(Engine::clear);
    let mut result = Ok(());
    let mut watch = |shared: &Shared<'_>, rest: &mut Rest| {
        let counts = (shared.expanded.swap(0, SeqCst), shared.generated.swap(0, SeqCst));
        let [expanded, generated] = shared.beyond.each_ref().map(|count| count.swap(0, SeqCst));
        rest.expanded += counts.0;
        rest.generated += counts.1;
        rest.beyond.0 += expanded;
        rest.beyond.1 += generated;
        meter.expand_many(counts.0 + expanded);
        meter.generate(counts.1 + generated);
        meter.not_of_round(expanded, generated);
        if result.is_ok() {
            result = meter.check();
        }
        result.is_err() || look()
    };
    let [first, others @ ..] = engines else { return Ok(None) };
    work_together(&shared, first, others, &mut || watch(&shared, rest));
    watch(&shared, rest);
    let ahead = shared.goal_ahead.into_inner().unwrap_or_else(PoisonError::into_inner);
    rest.ahead = rest.ahead.take().or(ahead);
    rest.nodes = shared.waiting.into_inner().unwrap_or_else(PoisonError::into_inner).0;
    if let Some(goal) = engines.iter_mut().find_map(|engine| engine.goal.take()) {
        return Ok(Some(goal));
    }
    result?;
    if meter.left_to_expand() == 0 && !rest.nodes.is_empty() {
        return Err(Stop::Expanded);
    }
    Ok(None)
}

/// Runs an engine on this thread, which also keeps watch, and each of the others on a thread of its own.
fn work_together(
    shared: &Shared<'_>,
    first: &mut Engine,
    others: &mut [Engine],
    watch: &mut dyn FnMut() -> bool,
) {
    let work = |engine: &mut Engine| {
        let mut waits = false;
        while shared.slice(engine, &mut waits) {}
    };
    // Where the system gives no more threads, those there are do the work.
    let gave_up = || shared.lock().1 += 1;
    threads::beside(others, &work, &gave_up, || {
        let mut waits = false;
        while shared.slice(first, &mut waits) {
            if watch() {
                shared.stop.store(true, SeqCst);
            }
        }
    });
}

impl<'a> Shared<'a> {
    /// Nothing to be done, by so many threads.
    fn new(runner: &'a Runner, rows: &'a MoveRows, within: Within, threads: usize) -> Self {
        Self {
            runner,
            rows,
            within,
            goal_ahead: Mutex::default(),
            waiting: Mutex::default(),
            idle: AtomicUsize::new(0),
            threads,
            left: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            beyond: Default::default(),
            stop: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Vec<Node>, usize)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slice of work; returns whether there may be more. `waits` is whether the thread counts as one that waits.
    fn slice(&self, engine: &mut Engine, waits: &mut bool) -> bool {
        if self.stop.load(SeqCst) {
            engine.give_away(usize::MAX, &mut self.lock().0);
            return false;
        }
        if engine.waiting() == 0 && !self.take(engine, waits) {
            threads::pause();
            return true;
        }
        let granted = self.grant();
        let unused = self.runner.run(engine, self.rows, (self.within, granted));
        self.left.fetch_add(unused, SeqCst);
        if let Some(goal) = engine.goal_ahead.take() {
            *self.goal_ahead.lock().unwrap_or_else(PoisonError::into_inner) = Some(goal);
        }
        let (expanded, generated) = std::mem::take(&mut engine.beyond);
        self.beyond[0].fetch_add(expanded, SeqCst);
        self.beyond[1].fetch_add(generated, SeqCst);
        self.expanded.fetch_add(std::mem::take(&mut engine.expanded) - expanded, SeqCst);
        self.generated.fetch_add(std::mem::take(&mut engine.generated) - generated, SeqCst);
        if engine.goal.is_some() || granted == 0 {
            self.stop.store(true, SeqCst);
        } else if self.idle.load(SeqCst) > 0 && engine.waiting() > BATCH {
            let count = (engine.waiting() / 2).min(4 * BATCH);
            engine.give_away(count, &mut self.lock().0);
        }
        true
    }

    /// Expansions for a slice.
    fn grant(&self) -> u64 {
        let take = |left: u64| Some(left - left.min(SLICE));
        self.left.fetch_update(SeqCst, SeqCst, take).map_or(0, |left| left.min(SLICE))
    }

    /// Gives an engine a share of the nodes that wait, if there are any; ends the round if all threads wait.
    fn take(&self, engine: &mut Engine, waits: &mut bool) -> bool {
        let mut waiting = self.lock();
        let (nodes, idle) = &mut *waiting;
        let share = nodes.len().div_ceil(2 * self.threads);
        let first = nodes.len() - share;
        nodes.drain(first..).for_each(|node| engine.push(&node));
        let found = share > 0;
        match (found, std::mem::replace(waits, !found)) {
            (true, true) => *idle -= 1,
            (false, false) => *idle += 1,
            _ => {}
        }
        self.idle.store(*idle, SeqCst);
        if *idle == self.threads {
            self.stop.store(true, SeqCst);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cpu::Cpu;
    use crate::largest_sum::tests::{scrambled, search, size, square};

    /// The nodes of a round that so many threads search, and the slices that each of them has time for: as many as the
    /// one that works longest, if all are equally fast.
    fn load(threads: usize, start: &[u8], bound: u32) -> (u64, f64) {
        let rows = Arc::new(MoveRows::no_undo(size("5x5")));
        let search = search(square(), &rows, Cpu::detect(), 1);
        let (root, sums) = search.runner.tables.root(start).unwrap();
        let root = search.within(&root, &sums, bound).unwrap();
        let shared = Shared {
            waiting: Mutex::new((vec![root], 0)),
            left: AtomicU64::new(u64::MAX),
            ..Shared::new(&search.runner, &rows, Within::bound(bound as u8), threads)
        };
        let mut engines: Vec<(Engine, bool)> =
            (0..threads).map(|_| (Engine::new(), false)).collect();
        let mut slices = 0;
        while !shared.stop.load(SeqCst) {
            for (engine, waits) in &mut engines {
                shared.slice(engine, waits);
            }
            slices += 1;
        }
        assert!(engines.iter().all(|(engine, _)| engine.waiting() == 0 && engine.goal.is_none()));
        (shared.expanded.load(SeqCst), f64::from(slices))
    }

    #[test]
    fn threads_wait_for_a_few_slices_a_round_however_many_they_are() {
        let start = scrambled(size("5x5"), &mut 17, 300);
        let (nodes, _) = load(1, &start, 56);
        for threads in [2, 8, 64] {
            let (expanded, slices) = load(threads, &start, 56);
            assert_eq!(expanded, nodes);
            let needed = expanded as f64 / (SLICE * threads as u64) as f64;
            assert!(needed > 8.0 && slices - needed < 40.0, "{threads}: {slices} for {needed}");
        }
    }
}
