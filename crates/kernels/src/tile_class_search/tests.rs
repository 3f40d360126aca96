use std::sync::Arc;
use std::time::Duration;

use loyd_heuristics::pdb::Orientation;
use loyd_heuristics::pdb::tile_classes::{TileClassTable, TileClasses};
use loyd_search::{CancelToken, Limits, NoUndo, Stats, idastar, replay};
use loyd_tiles::{Board, Goal, Random, random_walk};

use super::*;

/// Returns a space and the heuristic for its goal, with so few classes that the table builds quickly.
fn with_classes(goal: &Board, letters: &str) -> (Slides<Packed4x4>, TileClassDistance) {
    let space = Slides::new(Packed4x4::new(goal));
    let labels = space.relabelling();
    let orientation = Orientation::new(labels).unwrap();
    let classes = TileClasses::new(orientation.size(), orientation.blank(), letters);
    let table = Arc::new(TileClassTable::build(classes, &mut Meter::default()).unwrap());
    let heuristic = TileClassDistance::new(table, labels);
    (space, heuristic)
}

/// Returns the board after `steps` random moves from `goal`.
fn walked(goal: &Board, steps: usize, random: &mut Random) -> Board {
    let mut board = goal.clone();
    board.walk(&random_walk(goal, steps, random).unwrap()).unwrap();
    board
}

fn goals() -> [Board; 3] {
    let size = Size::FIFTEEN;
    let middle = [5, 3, 8, 15, 2, 0, 9, 1, 4, 6, 14, 13, 12, 11, 10, 7];
    [
        Goal::BlankFirst.board(size).unwrap(),
        Goal::BlankLast.board(size).unwrap(),
        Board::new(size, &middle).unwrap(),
    ]
}

fn run(
    limits: Limits,
    search: impl FnOnce(&mut Meter<'_>) -> Outcome<Slide>,
) -> (Outcome<Slide>, Stats) {
    let mut meter = Meter::new(limits, CancelToken::new());
    let outcome = search(&mut meter);
    (outcome, meter.finish())
}

#[test]
fn equals_the_generic_search() {
    let mut random = Random::new(4);
    for (goal, letters) in
        goals().iter().zip(["aaaabbbbbbbccccc", "aabbaabbccccdddd", "aaaaaaaabbbbbbcc"])
    {
        let (space, heuristic) = with_classes(goal, letters);
        let mut kernel = TileClassSearch::new(&heuristic).unwrap();
        for walk in 0..20 {
            let start = space.encode(&walked(goal, walk, &mut random));
            let (found, stats) =
                run(Limits::default(), |meter| kernel.solve(&space, &start, meter));
            let (known, generic) =
                run(Limits::default(), |meter| idastar(&space, &heuristic, &NoUndo, &start, meter));
            let (Outcome::Solved { path, cost }, Outcome::Solved { cost: known, .. }) =
                (found, known)
            else {
                panic!("no answer after {walk}")
            };
            assert_eq!((replay(&space, &start, &path), cost), (Ok(known), known));
            let earlier = |stats: &Stats| stats.iterations[..stats.iterations.len() - 1].to_vec();
            assert_eq!(earlier(&stats), earlier(&generic), "{}", space.decode(&start));
            let bounds = |stats: &Stats| stats.iterations.last().map(|last| last.bound);
            assert_eq!(bounds(&stats), bounds(&generic));
        }
    }
}

#[test]
fn limits_stop_the_search() {
    let goal = &goals()[0];
    let (space, heuristic) = with_classes(goal, "aaaabbbbbbbccccc");
    let mut kernel = TileClassSearch::new(&heuristic).unwrap();
    let mut random = Random::new(9);
    let most = Limits { max_expanded: Some(100_000), ..Limits::default() };
    let (start, cost, whole) = loop {
        let start = space.encode(&walked(goal, 30, &mut random));
        let (outcome, whole) = run(most, |meter| kernel.solve(&space, &start, meter));
        match outcome {
            Outcome::Solved { cost, .. } if whole.expanded > 3000 => break (start, cost, whole),
            _ => {}
        }
    };
    for max_expanded in [0, 1, 2, 2048, 2049, whole.expanded - 1] {
        let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
        let (outcome, stats) = run(limits, |meter| kernel.solve(&space, &start, meter));
        assert_eq!((outcome, stats.expanded), (Outcome::Stopped(Stop::Expanded), max_expanded));
    }
    for (limits, stop) in [
        (Limits { max_depth: Some(cost - 1), ..Limits::default() }, Stop::Depth),
        (Limits { max_time: Some(Duration::ZERO), ..Limits::default() }, Stop::Time),
        (Limits { max_bytes: Some(1000), ..Limits::default() }, Stop::Memory),
    ] {
        let (outcome, _) = run(limits, |meter| kernel.solve(&space, &start, meter));
        assert_eq!(outcome, Outcome::Stopped(stop));
    }
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let mut meter = Meter::new(Limits::default(), cancelled);
    assert_eq!(kernel.solve(&space, &start, &mut meter), Outcome::Stopped(Stop::Cancelled));
    let start = space.encode(goal);
    let (outcome, stats) = run(Limits::default(), |meter| kernel.solve(&space, &start, meter));
    assert_eq!((outcome, stats.expanded), (Outcome::at_goal(), 0));
}

#[test]
fn goals_without_a_mirror_are_rejected() {
    let edge = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let edge = Board::new(Size::FIFTEEN, &edge).unwrap();
    assert!(TileClassSearch::new(&with_classes(&edge, "aaaaaaaabbbbbbcc").1).is_none());
}
