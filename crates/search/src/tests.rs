//! Runs every engine on a domain other than tiles, with one set of expectations.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::testkit::{Gap, Pancakes, Stack};
use crate::*;

type Engine = fn(&Pancakes, &Stack, &mut Meter<'_>) -> Outcome<u8>;

fn bfs(kind: ClosedKind, space: &Pancakes, start: &Stack, meter: &mut Meter<'_>) -> Outcome<u8> {
    let mut closed = AnyClosedList::new(kind, space, meter).unwrap();
    breadth_first(space, start, &mut closed, meter)
}

fn bibfs(kind: ClosedKind, space: &Pancakes, start: &Stack, meter: &mut Meter<'_>) -> Outcome<u8> {
    let mut list = || AnyClosedList::new(kind, space, meter);
    match list().and_then(|forward| Ok((forward, list()?))) {
        Ok((mut forward, mut backward)) => {
            bidirectional(space, start, &mut forward, &mut backward, meter)
        }
        Err(stop) => Outcome::Stopped(stop),
    }
}

fn best(
    evaluation: Evaluation,
    (closed, open): (ClosedKind, FrontierKind),
    space: &Pancakes,
    start: &Stack,
    meter: &mut Meter<'_>,
) -> Outcome<u8> {
    let mut closed = AnyClosedList::new(closed, space, meter).unwrap();
    best_first(space, &Gap, evaluation, start, &mut closed, AnyFrontier::new(open), meter)
}

/// Runs [`mm`] with an estimate towards the goal and none towards the start.
fn middle(
    (closed, open): (ClosedKind, FrontierKind),
    space: &Pancakes,
    start: &Stack,
    meter: &mut Meter<'_>,
) -> Outcome<u8> {
    let mut list = || AnyClosedList::new(closed, space, meter);
    match list().and_then(|forward| Ok((forward, list()?))) {
        Ok((mut ahead, mut behind)) => {
            let frontier = || AnyFrontier::new(open);
            let forward = SideLists { closed: &mut ahead, frontier: frontier() };
            let backward = SideLists { closed: &mut behind, frontier: frontier() };
            mm(space, start, (&Gap, forward), (&Zero, backward), meter)
        }
        Err(stop) => Outcome::Stopped(stop),
    }
}

/// All engines that guarantee a shortest solution.
const OPTIMAL: [(&str, Engine); 16] = [
    ("bfs ordered", |s, b, m| bfs(ClosedKind::Ordered, s, b, m)),
    ("bfs hashed", |s, b, m| bfs(ClosedKind::Hashed, s, b, m)),
    ("bfs ranked", |s, b, m| bfs(ClosedKind::Ranked, s, b, m)),
    ("bibfs ordered", |s, b, m| bibfs(ClosedKind::Ordered, s, b, m)),
    ("bibfs hashed", |s, b, m| bibfs(ClosedKind::Hashed, s, b, m)),
    ("bibfs ranked", |s, b, m| bibfs(ClosedKind::Ranked, s, b, m)),
    ("ucs ranked heap", |s, b, m| {
        best(Evaluation::UNIFORM_COST, (ClosedKind::Ranked, FrontierKind::Heap), s, b, m)
    }),
    ("astar ordered heap", |s, b, m| {
        best(Evaluation::A_STAR, (ClosedKind::Ordered, FrontierKind::Heap), s, b, m)
    }),
    ("astar hashed buckets", |s, b, m| {
        best(Evaluation::A_STAR, (ClosedKind::Hashed, FrontierKind::Buckets), s, b, m)
    }),
    ("astar ranked buckets", |s, b, m| {
        best(Evaluation::A_STAR, (ClosedKind::Ranked, FrontierKind::Buckets), s, b, m)
    }),
    ("mm hashed buckets", |s, b, m| middle((ClosedKind::Hashed, FrontierKind::Buckets), s, b, m)),
    ("mm ranked heap", |s, b, m| middle((ClosedKind::Ranked, FrontierKind::Heap), s, b, m)),
    ("idastar", |s, b, m| idastar(s, &Gap, &NoUndo, b, m)),
    ("idastar without pruning", |s, b, m| idastar(s, &Gap, &NoPruning, b, m)),
    ("idastar recomputing", |s, b, m| idastar(s, &Recompute(Gap), &NoUndo, b, m)),
    ("iddfs", |s, b, m| iterative_deepening(s, &NoUndo, b, m)),
];

#[test]
fn optimal_engines_agree_with_the_table() {
    let space = Pancakes::new(5);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    for rank in 0..120 {
        let start = space.unrank(rank);
        for (name, engine) in OPTIMAL {
            let outcome = engine(&space, &start, &mut Meter::default());
            let Outcome::Solved { path, cost } = outcome else { panic!("{name}: {outcome:?}") };
            assert_eq!(cost, table.distance(&space, &start), "{name} on {start:?}");
            assert_eq!(replay(&space, &start, &path), Ok(cost), "{name} on {start:?}: {path:?}");
        }
    }
}

#[test]
fn open_and_closed_lists_do_not_change_the_counts() {
    let space = Pancakes::new(7);
    for rank in (0..5040).step_by(97) {
        let start = space.unrank(rank);
        let counts = |engine: Engine| {
            let mut meter = Meter::default();
            let outcome = engine(&space, &start, &mut meter);
            let stats = meter.finish();
            (outcome, stats.expanded, stats.generated, stats.duplicates)
        };
        let [ordered, hashed, ranked] = [7, 8, 9].map(|row: usize| counts(OPTIMAL[row].1));
        assert!(ordered == hashed && hashed == ranked);
        let [ordered, hashed, ranked] = [0, 1, 2].map(|row: usize| counts(OPTIMAL[row].1));
        assert!(ordered == hashed && hashed == ranked);
    }
}

#[test]
fn weighted_a_star_is_bounded_and_greedy_finds_a_solution() {
    let space = Pancakes::new(6);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    for rank in 0..720 {
        let start = space.unrank(rank);
        for (evaluation, tenths) in [
            (Evaluation::weighted(3, 2), 15),
            (Evaluation::weighted(10, 1), 100),
            (Evaluation::GREEDY, 10_000),
        ] {
            let outcome = best(
                evaluation,
                (ClosedKind::Ranked, FrontierKind::Heap),
                &space,
                &start,
                &mut Meter::default(),
            );
            let Outcome::Solved { path, cost } = outcome else { panic!("{outcome:?}") };
            assert_eq!(replay(&space, &start, &path), Ok(cost));
            assert!(10 * cost <= tenths * table.distance(&space, &start));
        }
    }
}

#[test]
fn an_inconsistent_heuristic_reopens_and_stays_optimal() {
    /// Gap on two thirds of the states, 0 elsewhere: admissible but inconsistent.
    struct Patchy;
    impl Heuristic<Pancakes> for Patchy {
        fn h(&self, space: &Pancakes, state: &Stack) -> Cost {
            if space.rank(state).is_multiple_of(3) { 0 } else { Gap.h(space, state) }
        }
    }
    let space = Pancakes::new(7);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    let mut reopened = 0;
    for rank in (0..5040).step_by(11) {
        let start = space.unrank(rank);
        let mut meter = Meter::default();
        let mut closed = RankedClosedList::new(&space, &mut meter).unwrap();
        let outcome = best_first(
            &space,
            &Recompute(Patchy),
            Evaluation::A_STAR,
            &start,
            &mut closed,
            Heap::default(),
            &mut meter,
        );
        let Outcome::Solved { cost, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(cost, table.distance(&space, &start));
        reopened += meter.finish().reopened;
    }
    assert!(reopened > 0, "the case that reopening is for did not occur");
}

#[test]
fn depth_first_solves_or_distinguishes_limit_from_exhaustion() {
    let space = Pancakes::new(5);
    let start = space.unrank(77);
    let dfs = |space: &Pancakes, start: &Stack, limit| {
        depth_first(space, &NoUndo, start, limit, &mut Meter::default())
    };
    let Outcome::Solved { path, cost } = dfs(&space, &start, 9) else { panic!() };
    assert_eq!(replay(&space, &start, &path), Ok(cost));
    assert_eq!(dfs(&space, &start, 1), Outcome::Stopped(Stop::Depth));
    assert_eq!(dfs(&space, &start, 0), Outcome::Stopped(Stop::Depth));
    assert_eq!(dfs(&Pancakes::whole_flips(5), &start, 9), Outcome::Exhausted);
}

#[test]
fn unreachable_goals_exhaust_the_search() {
    let space = Pancakes::whole_flips(5);
    let start = space.unrank(77);
    for (name, engine) in OPTIMAL.into_iter().filter(|(name, _)| *name != "idastar without pruning")
    {
        assert_eq!(engine(&space, &start, &mut Meter::default()), Outcome::Exhausted, "{name}");
    }
}

/// The whole flip connects the only two states: at depth 1, all states have been met.
#[test]
fn limit_that_prunes_nothing_reports_exhaustion() {
    let space = Pancakes::whole_flips(5);
    let start = space.unrank(77);
    let end = |engine: Engine, max_depth| {
        let limits = Limits { max_depth: Some(max_depth), ..Limits::default() };
        engine(&space, &start, &mut Meter::new(limits, CancelToken::new()))
    };
    let one_sided = OPTIMAL.into_iter().filter(|(name, _)| {
        name.starts_with("bfs") || name.starts_with("ucs") || name.starts_with("astar")
    });
    for (name, engine) in one_sided {
        assert_eq!(end(engine, 0), Outcome::Stopped(Stop::Depth), "{name}");
        assert_eq!(end(engine, 1), Outcome::Exhausted, "{name}");
    }
    let ring = Pancakes::new(3);
    let limit = |max_depth| Limits { max_depth: Some(max_depth), ..Limits::default() };
    let search = |max_depth| {
        let mut meter = Meter::new(limit(max_depth), CancelToken::new());
        let mut closed = RankedClosedList::new(&ring, &mut meter).unwrap();
        let start = Pancakes::new(5).unrank(1);
        (breadth_first(&ring, &start, &mut closed, &mut meter), meter.finish())
    };
    assert_eq!(search(2).0, Outcome::Stopped(Stop::Depth));
    let (at_limit, stats) = search(3);
    assert_eq!((at_limit, stats.expanded), (Outcome::Exhausted, 6));
    let (without, unlimited) = search(99);
    assert_eq!(without, Outcome::Exhausted);
    assert_eq!(Stats { elapsed: unlimited.elapsed, ..stats }, unlimited);
}

#[test]
#[should_panic(expected = "the closed list must be empty")]
fn used_closed_list_panics() {
    let space = Pancakes::new(5);
    let mut closed = RankedClosedList::new(&space, &mut Meter::default()).unwrap();
    for _ in 0..2 {
        breadth_first(&space, &space.unrank(7), &mut closed, &mut Meter::default());
    }
}

#[test]
fn start_at_the_goal_expands_nothing() {
    let space = Pancakes::new(5);
    let goal = &space.goals()[0];
    let limits = Limits { max_expanded: Some(0), max_depth: Some(0), ..Limits::default() };
    for (name, engine) in OPTIMAL {
        let mut meter = Meter::new(limits, CancelToken::new());
        assert_eq!(engine(&space, goal, &mut meter), Outcome::at_goal(), "{name}");
        let stats = meter.finish();
        assert_eq!((stats.expanded, stats.generated), (0, 0), "{name}");
    }
}

#[test]
fn all_limits_stop_all_engines() {
    let space = Pancakes::new(7);
    let start = space.unrank(2718);
    let none = Limits::default();
    let cases = [
        (Limits { max_expanded: Some(0), ..none }, Stop::Expanded, 0),
        (Limits { max_expanded: Some(3), ..none }, Stop::Expanded, 3),
        (Limits { max_time: Some(Duration::ZERO), ..none }, Stop::Time, 0),
        (Limits { max_depth: Some(2), ..none }, Stop::Depth, u64::MAX),
    ];
    for (name, engine) in OPTIMAL {
        for (limits, stop, expanded) in cases {
            let mut meter = Meter::new(limits, CancelToken::new());
            assert_eq!(engine(&space, &start, &mut meter), Outcome::Stopped(stop), "{name}");
            assert!(meter.finish().expanded <= expanded, "{name}");
        }
        let cancelled = CancelToken::new();
        cancelled.cancel();
        let mut meter = Meter::new(none, cancelled);
        assert_eq!(engine(&space, &start, &mut meter), Outcome::Stopped(Stop::Cancelled), "{name}");
        let mut refuse = |_: Event<'_>| ControlFlow::Break(());
        let mut meter = Meter::default().with_observer(&mut refuse);
        assert_eq!(engine(&space, &start, &mut meter), Outcome::Stopped(Stop::Cancelled), "{name}");
    }
}

#[test]
fn memory_is_counted_before_allocation() {
    let space = Pancakes::new(8);
    let start = space.unrank(31_415);
    for (name, engine) in OPTIMAL {
        let limits = Limits { max_bytes: Some(200_000), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let outcome = engine(&space, &start, &mut meter);
        let peak = meter.finish().peak_bytes;
        assert!(peak > 0 && peak <= 200_000, "{name} held {peak} bytes");
        let needs_little_memory =
            name.starts_with("id") || name.starts_with("bi") || name.starts_with("astar");
        let needs_little_memory = needs_little_memory || name == "mm hashed buckets";
        // The limit allows one array of all states, but not one for each side.
        let needs_little_memory = needs_little_memory && name != "bibfs ranked";
        assert!(needs_little_memory || outcome == Outcome::Stopped(Stop::Memory), "{name}");
    }
    let mut meter =
        Meter::new(Limits { max_bytes: Some(1000), ..Limits::default() }, CancelToken::new());
    assert!(RankedClosedList::new(&space, &mut meter).is_err());
}

/// With only two states, the path and the list of iterations are all that grows.
#[test]
fn list_of_iterations_counts_as_memory() {
    let space = Pancakes::whole_flips(5);
    let limits = Limits { max_bytes: Some(100_000), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    let outcome = idastar(&space, &Gap, &NoPruning, &space.unrank(77), &mut meter);
    assert_eq!(outcome, Outcome::Stopped(Stop::Memory));
    let stats = meter.finish();
    assert!(stats.iterations.len() > 100 && stats.peak_bytes <= 100_000);
    let record = stats.iterations.len() * size_of::<Iteration>();
    assert!(stats.peak_bytes > record as u64, "{} bytes", stats.peak_bytes);
    assert_eq!(stats.iterations.iter().map(|i| i.expanded).sum::<u64>(), stats.expanded);
}

/// The first entry of a priority extends the table of priorities.
#[test]
fn huge_priorities_are_rejected_before_allocation() {
    let space = Pancakes::new(7);
    let limits = Limits { max_bytes: Some(1 << 20), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    let far = Evaluation::weighted(1 << 28, 1);
    let kinds = (ClosedKind::Ranked, FrontierKind::Buckets);
    let outcome = best(far, kinds, &space, &space.unrank(2718), &mut meter);
    assert_eq!(outcome, Outcome::Stopped(Stop::Memory));
    let stats = meter.finish();
    assert!(stats.peak_bytes <= 1 << 20 && stats.elapsed < Duration::from_millis(100));
}

#[test]
fn iterations_add_up_and_are_observed() {
    let space = Pancakes::new(7);
    let start = space.unrank(2718);
    let mut seen = Vec::new();
    let mut watch = |event: Event<'_>| {
        if let Event::Iteration(iteration) = event {
            seen.push(iteration);
        }
        ControlFlow::Continue(())
    };
    let mut meter = Meter::default().with_observer(&mut watch);
    let Outcome::Solved { cost, .. } = iterative_deepening(&space, &NoUndo, &start, &mut meter)
    else {
        panic!()
    };
    let stats = meter.finish();
    assert_eq!(seen, stats.iterations);
    assert!(seen.iter().map(|i| i.bound).eq(0..=cost));
    assert_eq!(seen.iter().map(|i| i.expanded).sum::<u64>(), stats.expanded);
    assert_eq!(seen.iter().map(|i| i.generated).sum::<u64>(), stats.generated);
    // Six flips, one of which would undo the last: 1 + 6 + 6·5 + 6·5² + … nodes, where those at the bound are
    // generated but not expanded.
    assert_eq!(seen[0].expanded, 0);
    assert_eq!(seen[2].expanded, 1 + 6);
    assert_eq!(seen[3].expanded, 1 + 6 + 30);
    assert_eq!(seen[3].generated, 6 + 30 + 150);
    let last = seen.last().unwrap().expanded;
    assert_eq!(stats.expanded_complete(), stats.expanded - last);
}
