//! Compares line crossings with true distances in slides, and checks the means in the documentation.

use loyd_heuristics::LineCrossings;
use loyd_search::{Cost, Heuristic, IncrementalHeuristic, Meter, Rankable, StateSpace, retrograde};
use loyd_tiles::notation::parse_partial_goal;
use loyd_tiles::{ArraySpace, BoardSpace, Goal, Random, Slides, random_board, random_walk};

/// Checks that both estimates are admissible on every board. Returns the sums of their errors: of the heuristic, and of
/// the bound with alternating slides.
fn check(steps: &ArraySpace<16>) -> [u64; 2] {
    let space = Slides::new(steps.clone());
    let truth = retrograde(&space, &mut Meter::default()).unwrap();
    let crossings = LineCrossings::new(space.relabelling());
    let crossings = crossings.without_unconstrained(|label| space.is_constrained(label));
    let mut short = [0, 0];
    for rank in 0..space.state_count().unwrap() {
        let state = space.unrank(rank);
        let (h, distance) = (crossings.h(space.steps(), &state), truth.distance(&space, &state));
        let alternating = crossings.alternating(space.steps(), &state);
        assert!(h <= alternating && alternating <= distance, "{}", space.decode(&state));
        short[0] += u64::from(distance - h);
        short[1] += u64::from(distance - alternating);
    }
    short
}

#[test]
fn both_bounds_are_admissible_for_slides_on_all_boards() {
    for size in ["3x3", "2x4", "4x2", "2x5", "1x6"] {
        for goal in [Goal::BlankLast, Goal::BlankFirst] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let [plain, alternating] = check(&ArraySpace::<16>::new(&goal));
            assert!(alternating <= plain, "{size}: {alternating} and {plain}");
        }
    }
}

#[test]
fn both_bounds_are_admissible_for_slides_with_partial_goals() {
    for text in ["1 2 3/* * */* * *", "1 2 */* 5 */* * x", "1 * * */5 * * *", "* 2 3 4/* * * x"] {
        let goal = parse_partial_goal(text, None).unwrap();
        let start = Goal::BlankLast.board(goal.size()).unwrap();
        let board = goal.reachable(&start).unwrap();
        check(&ArraySpace::<16>::with_partial_goal(&goal, &board));
    }
}

/// The means in the documentation, of a thousand boards each.
#[test]
fn means_of_random_boards() {
    for (size, h, alternating) in [
        ("4x4", 15.7, 16.8),
        ("5x5", 25.2, 26.8),
        ("10x10", 101.9, 106.1),
        ("16x16", 260.3, 267.4),
        ("20x2", 40.5, 43.1),
    ] {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        let space = ArraySpace::<256>::new(&goal);
        let crossings = LineCrossings::new(space.relabelling());
        let mut random = Random::new(1);
        let (mut plain, mut more) = (0, 0);
        for _ in 0..1000 {
            let state = space.encode(&random_board(&goal, &mut random));
            plain += crossings.h(&space, &state);
            more += crossings.alternating(&space, &state);
        }
        let means = [plain, more].map(|sum| (f64::from(sum) / 100.0).round() / 10.0);
        assert_eq!(means, [h, alternating], "{size}");
    }
}

/// A side of 17 cells has as many lines as are counted, longer sides have more.
#[test]
fn incremental_updates_equal_scratch_on_long_boards() {
    let mut random = Random::new(2);
    for size in ["18x2", "2x17", "64x3", "16x16"] {
        let goal = Goal::BlankFirst.board(size.parse().unwrap()).unwrap();
        let space = ArraySpace::<256>::new(&goal);
        let crossings = LineCrossings::new(space.relabelling());
        let mut state = space.encode(&goal);
        let mut memo = crossings.memo(&space, &state);
        for m in random_walk(&goal, 3000, &mut random).unwrap() {
            let child = space.successor(&state, m);
            memo = crossings.update(&space, memo, &state, m, &child);
            state = child;
            let value: Cost = IncrementalHeuristic::<ArraySpace<256>>::value(&crossings, &memo);
            assert_eq!(value, crossings.h(&space, &state), "{size}");
        }
    }
}
