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
