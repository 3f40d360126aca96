//! Compares every heuristic with the true distances of all 181,440 boards, for goals with the blank in a
//! corner, on an edge and in the middle.

use loyd_heuristics::{
    LineCrossings, LinearConflict, SmallLinearConflict, TileSum, WalkingDistance,
};
use loyd_search::{
    Cost, DistanceTable, IncrementalHeuristic, Meter, Rankable, StateSpace, Zero, retrograde,
};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Goal, Packed3x3, Relabelling, Size, StepSpace};
use proptest::prelude::*;

fn goals() -> [Board; 4] {
    let board = |numbers: &[u32]| Board::new(Size::EIGHT, numbers).unwrap();
    [
        Goal::BlankLast.board(Size::EIGHT).unwrap(),
        Goal::BlankFirst.board(Size::EIGHT).unwrap(),
        board(&[1, 2, 3, 8, 0, 4, 7, 6, 5]),
        board(&[3, 0, 6, 1, 8, 2, 7, 5, 4]),
    ]
}

/// Checks h ≤ truth, |h(s) − h(t)| ≤ 1 for neighbours, h(goal) = 0; returns the sum of all h.
fn check<H: IncrementalHeuristic<Packed3x3>>(
    name: &str,
    space: &Packed3x3,
    heuristic: &H,
    truth: &DistanceTable,
) -> u64 {
    let mut sum = 0;
    for rank in 0..181_440 {
        let state = space.unrank(rank);
        let memo = heuristic.memo(space, &state);
        let h = heuristic.value(&memo);
        assert!(h <= truth.distance(space, &state), "{name} is not admissible at {rank}");
        for m in space.actions(&state) {
            let child = space.successor(&state, m);
            let carried = heuristic.value(&heuristic.update(space, memo, &state, m, &child));
            assert_eq!(carried, heuristic.h(space, &child), "{name} carried by {m} from {rank}");
            assert!(h.abs_diff(carried) <= 1, "{name} is not consistent at {rank}");
        }
        sum += u64::from(h);
    }
    assert_eq!(heuristic.h(space, &space.encode(space.relabelling().goal())), 0);
    sum
}

#[test]
fn all_are_admissible_consistent_and_incremental() {
    for goal in goals() {
        let space = Packed3x3::new(&goal);
        let labels = Relabelling::new(&goal);
        let truth = retrograde(&space, &mut Meter::default()).unwrap();
        let sums = [
            check("zero", &space, &Zero, &truth),
            check("misplaced", &space, &TileSum::misplaced(&labels), &truth),
            check("manhattan", &space, &TileSum::manhattan(&labels), &truth),
            check("linear conflict", &space, &LinearConflict::new(&labels), &truth),
            check("exact", &space, &truth, &truth),
        ];
        let small =
            check("small linear conflict", &space, &SmallLinearConflict::new(&labels), &truth);
        assert_eq!(small, sums[3]);
        let walking = WalkingDistance::new(&labels, &mut Meter::default()).unwrap();
        let walking = check("walking distance", &space, &walking, &truth);
        assert!(sums[2] < walking && walking < sums[4], "{walking} in {sums:?}");
        let crossings = check("line crossings", &space, &LineCrossings::new(&labels), &truth);
        assert!(crossings < sums[2], "{crossings} in {sums:?}");
        assert!(sums.is_sorted_by(|a, b| a < b), "more informed means larger: {sums:?}");
    }
}

/// The census of the 8-puzzle from the corner goal, and its mean of 21.972399 moves.
#[test]
fn census_matches_the_literature() {
    let space = Packed3x3::new(&goals()[0]);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    let census = table.census();
    assert_eq!(census[..8], [1, 2, 4, 8, 16, 20, 39, 62]);
    assert_eq!(census[30..], [221, 2]);
    assert_eq!(census.iter().sum::<u64>(), 181_440);
    let total: u64 = (0..).zip(census).map(|(distance, states): (u64, _)| distance * states).sum();
    assert_eq!(format!("{:.6}", total as f64 / 181_440.0), "21.972399");
}

fn carried_equals_scratch<S: StepSpace, H: IncrementalHeuristic<S>>(
    space: &S,
    heuristic: &H,
    steps: &[u8],
) -> Result<(), TestCaseError> {
    let mut state = space.encode(space.relabelling().goal());
    let mut memo = heuristic.memo(space, &state);
    for (made, &step) in (1..).zip(steps) {
        let legal: Vec<_> = space.actions(&state).into_iter().collect();
        let m = legal[usize::from(step) % legal.len()];
        let (child, before) = (space.successor(&state, m), heuristic.value(&memo));
        memo = heuristic.update(space, memo, &state, m, &child);
        state = child;
        prop_assert_eq!(heuristic.value(&memo), heuristic.h(space, &state));
        let f_changes = (heuristic.value(&memo) + 1).abs_diff(before);
        prop_assert_eq!(f_changes % heuristic.granularity(), 0);
        let moves_made: Cost = made;
        prop_assert!(heuristic.value(&memo) <= moves_made);
    }
    Ok(())
}

/// Checks along a walk that the incremental values of `carried` equal the values of `plain` from scratch.
fn same_on_the_way<S: StepSpace>(
    space: &S,
    carried: &impl IncrementalHeuristic<S>,
    plain: &impl IncrementalHeuristic<S>,
    steps: &[u8],
) -> Result<(), TestCaseError> {
    let mut state = space.encode(space.relabelling().goal());
    let mut memo = carried.memo(space, &state);
    for &step in steps {
        let legal: Vec<_> = space.actions(&state).into_iter().collect();
        let m = legal[usize::from(step) % legal.len()];
        let child = space.successor(&state, m);
        memo = carried.update(space, memo, &state, m, &child);
        state = child;
        prop_assert_eq!(carried.value(&memo), plain.h(space, &state));
        prop_assert_eq!(carried.h(space, &state), plain.h(space, &state));
    }
    Ok(())
}

proptest! {
    #[test]
    fn carried_equals_scratch_on_any_size(
        (w, h) in (1..=8_u32, 1..=8_u32).prop_filter("two cells", |(w, h)| w * h > 1),
        blank_first: bool,
        steps in prop::collection::vec(any::<u8>(), 0..120),
    ) {
        let goal = if blank_first { Goal::BlankFirst } else { Goal::BlankLast };
        let goal = goal.board(Size::new(w, h).unwrap()).unwrap();
        let space = ArraySpace::<64>::new(&goal);
        let labels = Relabelling::new(&goal);
        carried_equals_scratch(&space, &TileSum::misplaced(&labels), &steps)?;
        carried_equals_scratch(&space, &TileSum::manhattan(&labels), &steps)?;
        carried_equals_scratch(&space, &LineCrossings::new(&labels), &steps)?;
        carried_equals_scratch(&space, &LinearConflict::new(&labels), &steps)?;
        if SmallLinearConflict::fits(goal.size()) {
            same_on_the_way(
                &space,
                &SmallLinearConflict::new(&labels),
                &LinearConflict::new(&labels),
                &steps,
            )?;
        }
        // The tables of other sizes take seconds to build.
        if WalkingDistance::fits(goal.size()) && goal.size().cells() <= 10 {
            let walking = WalkingDistance::new(&labels, &mut Meter::default()).unwrap();
            carried_equals_scratch(&space, &walking, &steps)?;
        }
    }
}

/// Two tiles are swapped in their goal row: Manhattan distance is 2, linear conflict 4.
#[test]
fn a_reversed_pair_costs_two_more() {
    let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
    let space = Packed3x3::new(&goal);
    let labels = Relabelling::new(&goal);
    let h = |numbers: &[u32]| {
        let state = space.encode(&Board::new(Size::EIGHT, numbers).unwrap());
        loyd_search::Heuristic::h(&LinearConflict::new(&labels), &space, &state)
    };
    assert_eq!(h(&[2, 1, 3, 4, 5, 6, 7, 8, 0]), 4);
    assert_eq!(h(&[3, 2, 1, 4, 5, 6, 7, 8, 0]), 8);
    assert_eq!(h(&[4, 2, 3, 1, 5, 6, 7, 8, 0]), 4);
}
