use std::collections::HashSet;

use super::*;
use crate::testkit::{Gap, Pancakes, Stack};
use crate::*;

/// Returns the number of states at each distance from `start` up to `depth`, by breadth-first search.
fn levels(space: &Pancakes, start: &Stack, depth: u32) -> Vec<usize> {
    let mut met = HashSet::from([*start]);
    let (mut level, mut sizes) = (vec![*start], vec![1]);
    for _ in 0..depth {
        let next = level.iter().flat_map(|state| {
            space.actions(state).into_iter().map(|action| space.successor(state, action))
        });
        level = next.collect::<Vec<_>>().into_iter().filter(|&state| met.insert(state)).collect();
        sizes.push(level.len());
    }
    sizes
}

/// Returns the number of words of each length that the automaton accepts.
fn language(automaton: &Automaton, depth: u32) -> Vec<usize> {
    let mut states = vec![automaton.start(0)];
    let mut sizes = vec![1];
    for _ in 0..depth {
        let next = |&state: &u32| {
            (0..automaton.actions()).filter_map(move |action| automaton.next(state, action))
        };
        states = states.iter().flat_map(next).collect();
        sizes.push(states.len());
    }
    sizes
}

#[test]
fn accepts_one_word_per_state_within_their_length() {
    for (n, words) in [(2, 3), (3, 5), (5, 6), (8, 5)] {
        let space = Pancakes::new(n);
        let automaton = Automaton::generate(&space, words, &mut Meter::default()).unwrap();
        let expected = levels(&space, &space.goals()[0], words);
        assert_eq!(language(&automaton, words), expected, "{n} pancakes");
        assert_eq!((automaton.max_word_length(), automaton.context_count()), (words, 1));
    }
}

#[test]
fn shortest_paths_keep_their_length() {
    let space = Pancakes::new(6);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    for words in [0, 1, 2, 4, 7] {
        let automaton = Automaton::generate(&space, words, &mut Meter::default()).unwrap();
        for rank in 0..720 {
            let start = space.unrank(rank);
            let mut counts = Vec::new();
            let mut check = |outcome, meter: Meter<'_>| {
                let Outcome::Solved { path, cost } = outcome else { panic!("{outcome:?}") };
                assert_eq!(cost, table.distance(&space, &start), "{words}: {start:?}");
                assert_eq!(replay(&space, &start, &path), Ok(cost));
                counts.push(meter.finish().expanded);
            };
            let mut meter = Meter::default();
            check(idastar(&space, &Gap, &automaton, &start, &mut meter), meter);
            let mut meter = Meter::default();
            check(idastar(&space, &Gap, &NoUndo, &start, &mut meter), meter);
            let mut meter = Meter::default();
            check(iterative_deepening(&space, &automaton, &start, &mut meter), meter);
        }
    }
}

#[test]
fn pruning_saves_expansions() {
    let space = Pancakes::new(7);
    let automaton = Automaton::generate(&space, 6, &mut Meter::default()).unwrap();
    let mut sums = [0; 2];
    for rank in (0..5040).step_by(59) {
        let start = space.unrank(rank);
        let mut meters = [Meter::default(), Meter::default()];
        iterative_deepening(&space, &NoUndo, &start, &mut meters[0]);
        iterative_deepening(&space, &automaton, &start, &mut meters[1]);
        sums.iter_mut().zip(meters).for_each(|(sum, meter)| *sum += meter.finish().expanded);
    }
    assert!(4 * sums[1] < 3 * sums[0], "{sums:?}");
}

#[test]
fn traced_search_meets_the_same_nodes() {
    let space = Pancakes::new(6);
    let automaton = Automaton::generate(&space, 5, &mut Meter::default()).unwrap();
    for rank in (0..720).step_by(13) {
        let start = space.unrank(rank);
        let mut meters = [Meter::default(), Meter::default()];
        let [plain, traced] = &mut meters;
        let outcome = idastar(&space, &Gap, &automaton, &start, plain);
        let traced_outcome = idastar_traced(&space, &Gap, &automaton, &start, (traced, NoTracer));
        assert_eq!(outcome, traced_outcome);
        let [plain, traced] = meters.map(Meter::finish);
        assert_eq!((plain.expanded, plain.generated), (traced.expanded, traced.generated));
        assert_eq!(plain.iterations, traced.iterations);
    }
}

#[test]
fn limits_end_the_generation() {
    let space = Pancakes::new(8);
    let generate = |limits, cancel: CancelToken| {
        Automaton::generate(&space, 6, &mut Meter::new(limits, cancel)).map(|_| ())
    };
    let within = |bytes| Limits { max_bytes: Some(bytes), ..Limits::default() };
    assert_eq!(generate(within(100_000), CancelToken::new()), Err(Stop::Memory));
    assert_eq!(generate(within(1 << 30), CancelToken::new()), Ok(()));
    let cancel = CancelToken::new();
    cancel.cancel();
    assert_eq!(generate(Limits::default(), cancel), Err(Stop::Cancelled));
}

#[test]
fn inconsistent_rows_are_rejected() {
    let automaton = Automaton::generate(&Pancakes::new(4), 4, &mut Meter::default()).unwrap();
    let rows = automaton.as_slice().to_vec();
    assert_eq!(Automaton::from_rows((4, 1, 3), rows.clone()), Some(automaton.clone()));
    assert_eq!(automaton.rows::<3>().unwrap().as_flattened(), rows);
    assert_eq!(automaton.rows::<4>(), None);
    let outside = rows.iter().map(|&next| next.saturating_add(1)).collect();
    for (counts, rows) in [
        ((4, 1, 3), outside),
        ((4, 1, 3), rows[1..].to_vec()),
        ((4, 1, 0), rows.clone()),
        ((4, 0, 3), rows.clone()),
        ((4, rows.len() / 3 + 1, 3), rows),
    ] {
        assert_eq!(Automaton::from_rows(counts, rows), None);
    }
}
