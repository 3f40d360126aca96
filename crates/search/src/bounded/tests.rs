use super::*;
use crate::limits::{CancelToken, Limits};
use crate::outcome::replay;
use crate::prune::{NoPruning, NoUndo};
use crate::space::Rankable;
use crate::testkit::{Gap, Pancakes};

/// Runs an iteration that recurses where at most `recursion` of the bound is left; returns its end and its counts.
fn run_iteration<P: PathPruner<Pancakes>>(
    pruner: &P,
    (rank, bound, max_expanded): (u64, Cost, u64),
    recursion: Cost,
) -> (Result<IterationEnd<u8>, Stop>, u64, u64) {
    let space = Pancakes::new(6);
    let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
    let mut meter = Meter::new(limits, CancelToken::new());
    let mut batches = Batches::new();
    let search = BoundedSearch::new((&space, &Gap, pruner), &mut meter, &mut batches);
    let start = space.unrank(rank);
    let end = BoundedSearch { recursion, ..search }.run(&start, bound);
    if let Ok(IterationEnd::Solved { path, cost }) = &end {
        assert_eq!(replay(&space, &start, path), Ok(*cost));
    }
    let stats = meter.finish();
    (end, stats.expanded, stats.generated)
}

#[test]
fn depth_of_recursion_does_not_change_results() {
    for rank in (0..720).step_by(7) {
        for case in [(rank, 5, u64::MAX), (rank, 8, u64::MAX), (rank, 8, rank)] {
            let known = run_iteration(&NoUndo, case, 0);
            for recursion in [1, 2, 5, 7, 8, RECURSION] {
                assert_eq!(run_iteration(&NoUndo, case, recursion), known, "{case:?}, {recursion}");
            }
        }
    }
}

/// Without pruning, the first path flips to and fro until the bound, and most of it is above the recursion.
#[test]
fn long_paths_do_not_use_more_of_the_thread_stack() {
    let deep = || {
        let (end, expanded, _) = run_iteration(&NoPruning, (77, 100_000, 100_500), RECURSION);
        assert!(matches!(end, Ok(IterationEnd::Solved { cost: 99_900.., .. })), "{end:?}");
        assert!((99_900..100_500).contains(&expanded));
    };
    std::thread::Builder::new().stack_size(128 << 10).spawn(deep).unwrap().join().unwrap();
}
