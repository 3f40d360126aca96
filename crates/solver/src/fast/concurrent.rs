//! Runs several beams concurrently, each on its own thread.

use std::iter;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use loyd_search::{Event, Meter, Stats, Stop};
use loyd_tiles::Move;

use super::beam::{Weights, beam};
use super::geometry::{Geometry, Position};

/// Interval at which the calling thread checks the limits while it waits for the beams of other threads.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Runs a beam from each of the positions, with its weights, concurrently; there is at least one. Each gets an equal
/// share of the memory that is left. If the system cannot start a thread, its beam runs after the first one.
pub(super) fn run_beams(
    geometry: &Geometry,
    mut beams: Vec<(Position, Weights)>,
    per_cell: usize,
    meter: &mut Meter<'_>,
) -> Vec<(Vec<Move>, Option<Stop>)> {
    let others = beams.split_off(1);
    let (start, weights) = &beams[0];
    if others.is_empty() {
        return vec![beam(geometry, start, *weights, per_cell, meter)];
    }
    let limits = meter.shared_limits();
    let part = limits.max_bytes().map(|bytes| bytes / (1 + others.len() as u64));
    let is_over = AtomicBool::new(false);
    let run = |(start, weights): &(Position, Weights)| {
        let mut stop_when_over = |_: Event<'_>| match is_over.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut own = limits.meter(part).with_observer(&mut stop_when_over);
        let result = beam(geometry, start, *weights, per_cell, &mut own);
        (result, own.finish())
    };
    // Only the calling thread reports progress. What ends its beam ends all, except for a lack of memory: other beams
    // may need less.
    let before = meter.expanded();
    let mut forward = |event: Event<'_>| {
        let event = match event {
            Event::Progress { expanded, bytes, elapsed } => {
                Event::Progress { expanded: before + expanded, bytes, elapsed }
            }
            event => event,
        };
        meter.notify(event).map_or(ControlFlow::Break(()), ControlFlow::Continue)
    };
    let results: Vec<(_, Stats)> = thread::scope(|scope| {
        let run = &run;
        let spawn = |beam| thread::Builder::new().spawn_scoped(scope, move || run(beam));
        let threads: Vec<_> = others.iter().map(|beam| (spawn(beam).ok(), beam)).collect();
        let mut own = limits.meter(part).with_observer(&mut forward);
        let result = beam(geometry, start, *weights, per_cell, &mut own);
        let is_running = |thread: &Option<ScopedJoinHandle<'_, _>>| {
            thread.as_ref().is_some_and(|thread| !thread.is_finished())
        };
        let mut stopped = result.1.filter(|&stop| stop != Stop::Memory);
        while stopped.is_none() && threads.iter().any(|(thread, _)| is_running(thread)) {
            thread::sleep(POLL_INTERVAL);
            stopped = own.check().err();
        }
        is_over.store(stopped.is_some(), Ordering::Relaxed);
        let join = |(thread, beam): (Option<ScopedJoinHandle<'_, _>>, _)| match thread {
            Some(thread) => thread.join().expect("a beam does not panic"),
            None => run(beam),
        };
        let first = (result, own.finish());
        iter::once(first).chain(threads.into_iter().map(join)).collect()
    });
    // All of them hold their memory at the same time.
    let peak_bytes = results.iter().map(|(_, stats)| stats.peak_bytes).sum();
    let charge = |(result, stats)| {
        meter.charge(&Stats { peak_bytes, ..stats });
        result
    };
    results.into_iter().map(charge).collect()
}
