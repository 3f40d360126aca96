use loyd_search::{CancelToken, Goals, Limits, replay, retrograde};
use loyd_tiles::{Board, Goal, Size};
use proptest::prelude::*;

use super::*;

/// A space whose goal has the blank on `goal_blank` and its tiles in an order that is not sorted.
fn space(goal_blank: usize) -> Packed3x3 {
    let mut numbers = vec![3, 1, 2, 8, 5, 7, 4, 6];
    numbers.insert(goal_blank, 0);
    Packed3x3::new(&Board::new(Size::EIGHT, &numbers).unwrap())
}

fn handle(space: &Packed3x3) -> ExactEight {
    ExactEight::new(space.relabelling().goal().blank())
}

#[test]
fn distances_are_those_of_retrograde_for_every_goal_cell() {
    for goal_blank in 0..9 {
        let space = space(goal_blank);
        let exact = handle(&space);
        let table = retrograde(&space, &mut Meter::default()).unwrap();
        for rank in 0..space.state_count().unwrap() {
            let state = space.unrank(rank);
            let distance = exact.distance(&space, state);
            assert_eq!(Some(distance), table.distance(&space, &state), "{goal_blank}: {rank}");
        }
    }
}

#[test]
fn solutions_are_the_first_of_the_shortest() {
    let space = space(4);
    let exact = handle(&space);
    let table = retrograde(&space, &mut Meter::default()).unwrap();
    for rank in (0..space.state_count().unwrap()).step_by(37) {
        let start = space.unrank(rank);
        let mut meter = Meter::default();
        let outcome = exact.solve(&space, start, &mut meter);
        let known = |state: &u32| table.distance(&space, state);
        let plain = loyd_search::descend(&space, &start, known, &mut Meter::default());
        assert_eq!(outcome, plain);
        let Outcome::Solved { path, cost } = outcome else { panic!("not solved") };
        assert_eq!(replay(&space, &start, &path), Ok(cost));
        let stats = meter.finish();
        assert_eq!(stats.expanded, cost.into());
        assert!((stats.expanded..=4 * stats.expanded).contains(&stats.generated));
    }
}

#[test]
fn children_that_were_looked_at_are_counted_without_the_way_back() {
    let space = Packed3x3::new(&Goal::BlankLast.board(Size::EIGHT).unwrap());
    let mut start = space.goals()[0];
    space.apply(&mut start, Move::Left);
    space.apply(&mut start, Move::Left);
    let mut meter = Meter::default();
    let outcome = handle(&space).solve(&space, start, &mut meter);
    assert_eq!(outcome, Outcome::Solved { path: vec![Move::Right; 2], cost: 2 });
    // In the corner up and right; then up and right again, left being the way back.
    assert_eq!(meter.finish().generated, 4);
}

#[test]
fn limits_are_kept() {
    let space = space(8);
    let exact = handle(&space);
    let goal = space.goals()[0];
    let far = (0..).map(|rank| space.unrank(rank)).find(|&s| exact.distance(&space, s) == 20);
    let solve =
        |start, limits| exact.solve(&space, start, &mut Meter::new(limits, CancelToken::new()));
    let depth = |depth| Limits { max_depth: Some(depth), ..Limits::default() };
    let expanded = |nodes| Limits { max_expanded: Some(nodes), ..Limits::default() };
    assert_eq!(solve(goal, depth(0)), Outcome::at_goal());
    assert_eq!(solve(goal, expanded(0)), Outcome::at_goal());
    assert_eq!(solve(far.unwrap(), depth(19)), Outcome::Stopped(Stop::Depth));
    assert!(matches!(solve(far.unwrap(), depth(20)), Outcome::Solved { cost: 20, .. }));
    assert_eq!(solve(far.unwrap(), expanded(19)), Outcome::Stopped(Stop::Expanded));
    assert!(matches!(solve(far.unwrap(), expanded(20)), Outcome::Solved { cost: 20, .. }));
}

proptest! {
    #[test]
    fn carried_distances_are_those_from_scratch(
        goal_blank in 0..9_usize,
        start in 0..181_440_u64,
        steps in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let space = space(goal_blank);
        let exact = handle(&space);
        let mut state = space.unrank(start);
        let mut memo = exact.memo(&space, &state);
        for step in steps {
            let actions: Vec<Move> = space.actions(&state).collect();
            let action = actions[usize::from(step) % actions.len()];
            let child = space.successor(&state, action);
            let carried = exact.update(&space, memo, &state, action, &child);
            prop_assert_eq!(exact.value(&memo).abs_diff(exact.value(&carried)), 1);
            (memo, state) = (carried, child);
            prop_assert_eq!(exact.value(&memo), exact.h(&space, &state));
        }
    }
}
