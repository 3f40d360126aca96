use std::cell::Cell;

use super::*;

thread_local! {
    static SECONDS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that goes on only when it is told to.
const CLOCK: Clock = Clock::new(|| Duration::from_secs(SECONDS.get()));

fn pass(seconds: u64) {
    SECONDS.set(SECONDS.get() + seconds);
}

fn meter(max_time: Option<u64>) -> Meter<'static> {
    let limits = Limits { max_time: max_time.map(Duration::from_secs), ..Limits::default() };
    Meter::timed_by(CLOCK, limits, CancelToken::new())
}

#[test]
fn the_time_for_tables_is_told_apart_and_counted_once() {
    pass(1000);
    let mut meter = meter(None);
    pass(1);
    meter.off_the_clock(|meter| {
        pass(10);
        meter.off_the_clock(|_| pass(100));
        pass(20);
    });
    pass(2);
    meter.off_the_clock(|_| pass(200));
    pass(4);
    let stats = meter.finish();
    assert_eq!((stats.elapsed.as_secs(), stats.tables.as_secs()), (1 + 2 + 4, 10 + 100 + 20 + 200));
}

#[test]
fn the_time_limit_counts_tables_too() {
    let mut meter = meter(Some(10));
    pass(4);
    assert_eq!(meter.check(), Ok(()));
    meter.off_the_clock(|meter| {
        pass(5);
        assert_eq!(meter.check(), Ok(()));
        pass(1);
        assert_eq!(meter.check(), Err(Stop::Time));
    });
    assert_eq!(meter.check(), Err(Stop::Time));
    assert_eq!(meter.finish().elapsed.as_secs(), 4);
}

#[test]
fn without_a_clock_no_time_passes() {
    let limits = Limits { max_time: Some(Duration::from_nanos(1)), ..Limits::default() };
    let mut meter = Meter::timed_by(Clock::none(), limits, CancelToken::new());
    assert_eq!(meter.check(), Ok(()));
    assert_eq!(meter.finish().elapsed, Duration::ZERO);
    let mut meter = Meter::new(limits, CancelToken::new());
    while meter.check().is_ok() {}
    assert_eq!(meter.check(), Err(Stop::Time));
}

#[test]
fn a_search_that_was_put_aside_counts_as_if_it_had_not_been() {
    let round = |bound, expanded, generated| Iteration { bound, expanded, generated };
    let limits = Limits { max_expanded: Some(10), ..Limits::default() };
    let mut told = Vec::new();
    let mut observer = |event: Event<'_>| {
        if let Event::Iteration(round) = event {
            told.push(round);
        }
        std::ops::ControlFlow::Continue(())
    };
    let mut meter = Meter::new(limits, CancelToken::new()).observed_by(&mut observer);
    // An earlier stage, whose rounds are forgotten.
    meter.expand_many(3);
    meter.iteration(4).unwrap();
    meter.begin_again();
    meter.resume(&[round(6, 100, 200), round(8, 1000, 2000)], (50, 60), (7, 8)).unwrap();
    assert_eq!(meter.left_to_expand(), 7);
    meter.expand_many(5);
    meter.generate(6);
    meter.iteration(10).unwrap();
    meter.expand_many(2);
    meter.iteration(12).unwrap();
    let stats = meter.finish();
    let rounds = [round(6, 100, 200), round(8, 1000, 2000), round(10, 55, 66), round(12, 2, 0)];
    assert_eq!(stats.iterations, rounds);
    assert_eq!((stats.expanded, stats.generated), (3 + 1157 + 7, 2268 + 6));
    assert_eq!(told[1..], rounds);
}

#[test]
fn what_another_search_did_is_told_with_what_ended_it() {
    let mut other = Meter::default();
    other.expand_many(5);
    other.iteration(7).unwrap();
    other.ended_by("round");
    let mut meter = Meter::default();
    meter.charge(&other.finish());
    // One without rounds changes nothing of that.
    meter.charge(&Meter::default().finish());
    let stats = meter.finish();
    assert_eq!((stats.expanded, stats.iterations.len(), stats.ended_by), (5, 1, Some("round")));
}
