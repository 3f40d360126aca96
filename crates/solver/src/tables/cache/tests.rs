use std::time::Instant;

use loyd_heuristics::pdb::Partition;
use loyd_heuristics::pdb::tile_classes::TileClasses;

use super::*;
use crate::config::Config;
use crate::store::Store;

fn classes() -> TileClasses {
    TileClasses::default_for("2x6".parse().unwrap(), 0).unwrap()
}

fn cache() -> TableCache<TileClasses> {
    let config = Config { threads: 2, ..Config::default() };
    TableCache::new(Arc::new(TableSource::new(&config)))
}

#[test]
fn all_callers_share_one_table() {
    let cache = cache();
    let get = || cache.get(&classes(), &mut Meter::default()).unwrap();
    let tables: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(get)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(tables.iter().all(|table| Arc::ptr_eq(table, &tables[0])));
}

#[test]
fn build_continues_after_its_caller_times_out() {
    let cache = cache();
    let limits = Limits { max_time: Some(Duration::from_millis(1)), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    assert_eq!(cache.get(&classes(), &mut meter).unwrap_err(), Stop::Time);
    let started = Instant::now();
    while !matches!(cache.0.slots().get(&classes()), Some(Slot::Ready(..))) {
        assert!(started.elapsed() < Duration::from_secs(60), "the build has stopped");
        thread::sleep(POLL_INTERVAL);
    }
}

#[test]
fn single_thread_build_pauses_until_next_caller() {
    let config = Config { threads: 1, ..Config::default() };
    let cache = TableCache::<TileClasses>::new(Arc::new(TableSource::new(&config)));
    // The first caller gives up immediately.
    let mut observer = |_: Event<'_>| ControlFlow::Break(());
    let mut meter = Meter::default().with_observer(&mut observer);
    assert_eq!(cache.get(&classes(), &mut meter).unwrap_err(), Stop::Cancelled);
    // The builder finishes its current piece of work and then pauses.
    let done = || match cache.0.slots().get(&classes()) {
        Some(Slot::Building { done, .. }) => *done,
        _ => panic!("the build has finished"),
    };
    thread::sleep(Duration::from_millis(300));
    let before = done();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(done(), before);
    assert!(cache.get(&classes(), &mut Meter::default()).is_ok());
}

/// Returns partitions of the same boards into a pattern of two tiles and one of the other tiles.
fn partitions() -> Vec<Partition> {
    let size = "3x3".parse().unwrap();
    let pairs = (0..7).map(|tile| {
        let others = (0..8).filter(|&other| other != tile && other != tile + 1).collect();
        Partition::new(size, 8, vec![vec![tile, tile + 1], others]).unwrap()
    });
    pairs.collect()
}

#[test]
fn builds_that_nobody_waits_for_are_limited() {
    let config = Config { threads: 1, store: Store::disabled(), ..Config::default() };
    let cache = TableCache::<TileClasses>::new(Arc::new(TableSource::new(&config)));
    let size = "2x6".parse().unwrap();
    let keys = [0, 1, 2, 3, 4, 5].map(|blank| TileClasses::default_for(size, blank).unwrap());
    for key in &keys {
        let mut observer = |_: Event<'_>| ControlFlow::Break(());
        let mut meter = Meter::default().with_observer(&mut observer);
        assert_eq!(cache.get(key, &mut meter).unwrap_err(), Stop::Cancelled);
    }
    let is_building = |key| matches!(cache.0.slots().get(key), Some(Slot::Building { .. }));
    assert_eq!(keys.each_ref().map(is_building), [false, false, false, true, true, true]);
    // A cancelled build can be started again.
    assert!(cache.get(&keys[0], &mut Meter::default()).is_ok());
    assert_eq!(keys.each_ref().map(is_building), [false, false, false, false, true, true]);
}

#[test]
fn tables_of_the_same_boards_are_dropped_beyond_twice_the_limit() {
    let source = |max_bytes| {
        let limits = Limits { max_bytes, ..Limits::default() };
        let config = Config { limits, store: Store::disabled(), ..Config::default() };
        TableCache::<Partition>::new(Arc::new(TableSource::new(&config)))
    };
    let keys = partitions();
    let get = |cache: &TableCache<_>, key| drop(cache.get(key, &mut Meter::default()).unwrap());
    let cache = source(None);
    get(&cache, &keys[0]);
    let own = cache.held_bytes();
    let cache = source(Some(2 * own));
    for key in &keys {
        get(&cache, key);
        get(&cache, &keys[0]);
    }
    let held: Vec<_> = keys.iter().map(|key| cache.has(key)).collect();
    assert_eq!(held, [true, false, false, false, true, true, true], "{}", cache.held_bytes());
}

#[test]
fn build_is_retried_with_more_memory() {
    let cache = cache();
    let within = |bytes| {
        let limits = Limits { max_bytes: Some(bytes), ..Limits::default() };
        cache.get(&classes(), &mut Meter::new(limits, CancelToken::new())).map(|_| ())
    };
    assert_eq!(within(1 << 10), Err(Stop::Memory));
    assert_eq!(within(1 << 10), Err(Stop::Memory));
    assert_eq!(within(1 << 30), Ok(()));
}

#[test]
fn get_returns_tables_built_in_background() {
    let cache = cache();
    cache.build_in_background(&classes(), &Meter::default());
    assert!(matches!(cache.0.slots().get(&classes()), Some(Slot::Building { .. })));
    assert!(cache.get(&classes(), &mut Meter::default()).is_ok());
}

#[test]
fn builds_are_limited_when_their_callers_give_up() {
    let cache = cache();
    let size = "2x6".parse().unwrap();
    let keys = [0, 1, 2, 3, 4].map(|blank| TileClasses::default_for(size, blank).unwrap());
    let callers = keys.each_ref().map(|key| Caller::new(&cache.0, key));
    for key in &keys {
        let building = Slot::Building {
            number: cache.0.next_use(),
            process: own_process(),
            done: 0,
            total: 0,
        };
        cache.0.slots().insert(key.clone(), building);
    }
    let is_building = |key| matches!(cache.0.slots().get(key), Some(Slot::Building { .. }));
    drop(callers);
    assert_eq!(keys.each_ref().map(is_building), [false, false, true, true, true]);
}

/// A builder that was cancelled too late finishes while a newer one pauses.
#[test]
fn pausing_builders_end_when_older_ones_finish() {
    let config = Config { threads: 1, store: Store::disabled(), ..Config::default() };
    let cache = TableCache::<Partition>::new(Arc::new(TableSource::new(&config)));
    let key = partitions().swap_remove(0);
    let table = cache.0.source.obtain(&key, &mut Meter::default()).unwrap();
    let number = cache.0.next_use();
    cache
        .0
        .slots()
        .insert(key.clone(), Slot::Building { number, process: own_process(), done: 0, total: 0 });
    let (sender, ended) = std::sync::mpsc::channel();
    let (shared, paused) = (cache.0.clone(), key.clone());
    thread::spawn(move || {
        sender.send(()).unwrap();
        shared.pause(&paused, number);
        sender.send(()).unwrap();
    });
    ended.recv().unwrap();
    thread::sleep(Duration::from_millis(100));
    cache.0.insert(&key, table, 0);
    assert_eq!(ended.recv_timeout(Duration::from_secs(10)), Ok(()));
}
