//! Nodes that are drawn from a round, and rounds that end in time.

use super::*;

const MANY: usize = 1 << 20;

#[test]
fn samples_are_the_nodes_of_a_round() {
    let size = size("5x5");
    let automaton = Automaton::generate(&space(size), 10, &mut Meter::default()).unwrap();
    let rows = rows_of(&automaton, size);
    let start = scrambled(size, &mut 17, 300);
    let mut search = search(square(), &rows, Cpu::detect(), 1);
    let (_, rounds) = by_kernel(&mut search, &start);
    let round = rounds.iter().rfind(|round| round.expanded < 100_000).unwrap();
    assert!(round.expanded > 1000, "{round:?}");
    let bound = round.bound - 2;
    let mut meter = Meter::default();
    let all = search.samples(&start, bound, MANY, &mut meter).unwrap();
    assert_eq!(all.len() as u64, round.expanded);
    assert_eq!((meter.expanded(), meter.generated()), (round.expanded, round.generated));
    // Those that the sums allow within the bound are the round before, no more and no less.
    let before = rounds.iter().find(|round| round.bound == bound).unwrap();
    let tables = &search.runner.tables;
    let is_within = |sample: &&Sample| {
        let (_, sums) = tables.root(&sample.position[..size.cells()]).unwrap();
        sums.into_iter().all(|sum| sum <= sample.left)
    };
    assert_eq!(all.iter().filter(is_within).count() as u64, before.expanded);
    let some = search.samples(&start, bound, 300, &mut Meter::default()).unwrap();
    assert!((300..=600).contains(&some.len()), "{}", some.len());
    let stride = all.len().div_ceil(some.len());
    let every: Vec<_> = all.iter().step_by(stride.next_power_of_two()).collect();
    assert_eq!(every.len(), some.len());
    assert!(every.iter().zip(&some).all(|(a, b)| (a.position, a.left) == (b.position, b.left)));
}

#[test]
fn no_round_begins_after_so_many_expansions() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let start = scrambled(size, &mut 17, 300);
    let mut whole = search(square(), &rows, Cpu::detect(), 2);
    let (_, rounds) = by_kernel(&mut whole, &start);
    let until: u64 = rounds[..4].iter().map(|round| round.expanded).sum();
    for (until, expected) in [(until, 4), (until + 1, 5), (0, 0)] {
        let mut search = search(square(), &rows, Cpu::detect(), 2).with_rounds_until(Some(until));
        let (mut progress, mut meter) = (Progress::default(), Meter::default());
        let outcome = search.continue_from(&start, &mut progress, &mut meter, &mut |_| {});
        assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
        assert_eq!((progress.rounds.len(), progress.pending.len()), (expected, 0));
        // It can go on.
        let outcome = whole.continue_from(&start, &mut progress, &mut meter, &mut |_| {});
        assert!(matches!(outcome, Outcome::Solved { .. }));
        let same = |round: &Iteration| (round.bound, round.expanded, round.generated);
        assert!(progress.rounds.iter().copied().eq(rounds.iter().map(same)));
    }
}
