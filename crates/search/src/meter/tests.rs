use std::cell::Cell;

use super::*;

thread_local! {
    static SECONDS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that advances only by [`pass`].
const CLOCK: Clock = Clock::new(|| Duration::from_secs(SECONDS.get()));

fn pass(seconds: u64) {
    SECONDS.set(SECONDS.get() + seconds);
}

fn meter(max_time: Option<u64>) -> Meter<'static> {
    let limits = Limits { max_time: max_time.map(Duration::from_secs), ..Limits::default() };
    Meter::with_clock(CLOCK, limits, CancelToken::new())
}

#[test]
fn time_for_tables_is_separate_and_counted_once() {
    pass(1000);
    let mut meter = meter(None);
    pass(1);
    meter.build_tables(|meter| {
        pass(10);
        meter.build_tables(|_| pass(100));
        pass(20);
    });
    pass(2);
    meter.build_tables(|_| pass(200));
    pass(4);
    let stats = meter.finish();
    assert_eq!(
        (stats.elapsed.as_secs(), stats.table_time.as_secs()),
        (1 + 2 + 4, 10 + 100 + 20 + 200)
    );
}

#[test]
fn time_limit_includes_tables() {
    let mut meter = meter(Some(10));
    pass(4);
    assert_eq!(meter.check(), Ok(()));
    meter.build_tables(|meter| {
        pass(5);
        assert_eq!(meter.check(), Ok(()));
        pass(1);
        assert_eq!(meter.check(), Err(Stop::Time));
    });
    assert_eq!(meter.check(), Err(Stop::Time));
    assert_eq!(meter.finish().elapsed.as_secs(), 4);
}

#[test]
fn time_limit_of_a_part_ends_with_it() {
    let mut meter = meter(Some(10));
    pass(4);
    let seconds = |time| Some(Duration::from_secs(time));
    assert_eq!(meter.with_max_time(seconds(4), |meter| meter.check()), Err(Stop::Time));
    assert_eq!(meter.with_max_time(None, |meter| meter.check()), Ok(()));
    pass(6);
    assert_eq!(meter.with_max_time(seconds(20), |meter| meter.check()), Err(Stop::Time));
    assert_eq!(meter.limits().max_time, seconds(10));
}

#[test]
fn no_time_passes_without_a_clock() {
    let limits = Limits { max_time: Some(Duration::from_nanos(1)), ..Limits::default() };
    let mut meter = Meter::with_clock(Clock::none(), limits, CancelToken::new());
    assert_eq!(meter.check(), Ok(()));
    assert_eq!(meter.finish().elapsed, Duration::ZERO);
    let mut meter = Meter::new(limits, CancelToken::new());
    while meter.check().is_ok() {}
    assert_eq!(meter.check(), Err(Stop::Time));
}

#[test]
fn resumed_search_counts_like_an_uninterrupted_one() {
    let iteration = |bound, expanded, generated| Iteration { bound, expanded, generated };
    let limits = Limits { max_expanded: Some(10), ..Limits::default() };
    let mut sent = Vec::new();
    let mut observer = |event: Event<'_>| {
        if let Event::Iteration(iteration) = event {
            sent.push(iteration);
        }
        std::ops::ControlFlow::Continue(())
    };
    let mut meter = Meter::new(limits, CancelToken::new()).with_observer(&mut observer);
    // An earlier stage, whose iterations are discarded.
    meter.expand_many(3);
    meter.end_iteration(4).unwrap();
    meter.restart();
    meter.resume(&[iteration(6, 100, 200), iteration(8, 1000, 2000)], (50, 60), (7, 8)).unwrap();
    assert_eq!(meter.remaining_expansions(), 7);
    meter.expand_many(5);
    meter.generate(6);
    meter.end_iteration(10).unwrap();
    meter.expand_many(2);
    meter.end_iteration(12).unwrap();
    let stats = meter.finish();
    let iterations = [
        iteration(6, 100, 200),
        iteration(8, 1000, 2000),
        iteration(10, 55, 66),
        iteration(12, 2, 0),
    ];
    assert_eq!(stats.iterations, iterations);
    assert_eq!((stats.expanded, stats.generated), (3 + 1157 + 7, 2268 + 6));
    assert_eq!(sent[1..], iterations);
}

#[test]
fn charging_another_search_adopts_its_iterations_and_end() {
    let mut other = Meter::default();
    other.expand_many(5);
    other.end_iteration(7).unwrap();
    other.set_ended_by("round");
    let mut meter = Meter::default();
    meter.charge(&other.finish());
    // A search without iterations does not replace them.
    meter.charge(&Meter::default().finish());
    let stats = meter.finish();
    assert_eq!((stats.expanded, stats.iterations.len(), stats.ended_by), (5, 1, Some("round")));
}
