use loyd_search::{Meter, Outcome, Rankable, StateSpace, descend, replay, retrograde};
use loyd_tiles::{Board, Size};
use proptest::prelude::*;

use loyd_tiles::Packed3x3;

use super::*;

/// A space whose goal has the blank on `goal_blank` and its tiles in an order that is not sorted.
fn space(goal_blank: usize) -> Packed3x3 {
    let mut numbers = vec![3, 1, 2, 8, 5, 7, 4, 6];
    numbers.insert(goal_blank, 0);
    Packed3x3::new(&Board::new(Size::EIGHT, &numbers).unwrap())
}

#[test]
fn distances_are_those_of_retrograde_for_every_goal_cell() {
    for goal_blank in 0..9 {
        let space = space(goal_blank);
        let exact = ExactEight::new(&space);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        for rank in 0..space.state_count().unwrap() {
            let state = space.unrank(rank);
            let distance = exact.distance(&space, &state);
            assert_eq!(distance, table.distance(&space, &state), "{goal_blank}: {rank}");
        }
    }
}

#[test]
fn both_forms_of_the_table_lead_down_the_same_way() {
    let space = space(4);
    let exact = ExactEight::new(&space);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    for rank in (0..space.state_count().unwrap()).step_by(37) {
        let start = space.unrank(rank);
        let outcome = descend(&space, &exact, &start, &mut Meter::default());
        assert_eq!(outcome, descend(&space, &table, &start, &mut Meter::default()));
        let Outcome::Solved { path, cost } = outcome else { panic!("not solved") };
        assert_eq!(replay(&space, &start, &path), Ok(cost));
    }
}

#[test]
#[should_panic(expected = "the table belongs to another goal")]
fn the_table_of_another_goal_is_refused() {
    let state = space(0).unrank(5);
    ExactEight::new(&space(8)).distance(&space(0), &state);
}

#[test]
#[should_panic(expected = "this space")]
fn boards_that_cannot_be_solved_do_not_lead_round_for_ever() {
    let space = Packed3x3::new(&Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap());
    let board = Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap();
    ExactEight::new(&space).distance(&space, &space.encode(&board));
}

proptest! {
    #[test]
    fn carried_distances_are_those_from_scratch(
        goal_blank in 0..9_usize,
        start in 0..181_440_u64,
        steps in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let space = space(goal_blank);
        let exact = ExactEight::new(&space);
        let mut state = space.unrank(start);
        let mut memo = exact.memo(&space, &state);
        for step in steps {
            let actions: Vec<Move> = space.actions(&state).into_iter().collect();
            let action = actions[usize::from(step) % actions.len()];
            let child = space.successor(&state, action);
            let carried = exact.update(&space, memo, &state, action, &child);
            let value = |memo: &ExactMemo| IncrementalHeuristic::<Packed3x3>::value(&exact, memo);
            prop_assert_eq!(value(&memo).abs_diff(value(&carried)), 1);
            (memo, state) = (carried, child);
            prop_assert_eq!(value(&memo), exact.h(&space, &state));
        }
    }
}
