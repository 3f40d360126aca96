//! IDA* with controlled re-expansion and A* on a graph of very different action costs: both must find the least cost
//! according to a table of all states.

use loyd_search::{
    ActionSet, CancelToken, Cost, Evaluation, HashedClosedList, Heap, Limits, Meter, NoUndo,
    Outcome, Packable, Reversible, StateSpace, Stop, Zero, best_first, idastar_cr, replay,
};

const STATES: i16 = 60;
const STEPS: [i16; 6] = [-13, -5, -1, 1, 5, 13];

/// Paths from a number to [`GOAL`] by steps of different costs.
struct Numbers;

const GOAL: i16 = 29;

/// The cost of a step in either direction. Few sums of costs are equal.
fn cost(step: i16) -> Cost {
    match step.abs() {
        1 => 10_007,
        5 => 31_013,
        _ => 90_001,
    }
}

/// A bit for each step.
#[derive(Clone, Copy)]
struct Legal(u8);

impl IntoIterator for Legal {
    type Item = i16;
    type IntoIter = std::vec::IntoIter<i16>;
    fn into_iter(self) -> Self::IntoIter {
        let steps: Vec<i16> = (0..6).filter(|i| self.0 >> i & 1 == 1).map(|i| STEPS[i]).collect();
        steps.into_iter()
    }
}

impl ActionSet<i16> for Legal {
    fn without(self, step: Option<i16>) -> Self {
        let place = STEPS.iter().position(|&known| Some(known) == step);
        Self(self.0 & !place.map_or(0, |i| 1 << i))
    }
    fn count(self) -> u64 {
        self.0.count_ones().into()
    }
}

impl StateSpace for Numbers {
    type State = i16;
    type Action = i16;
    type Actions = Legal;
    fn actions(&self, state: &i16) -> Legal {
        let legal = |i: &usize| (0..STATES).contains(&(state + STEPS[*i]));
        Legal((0..6).filter(legal).fold(0, |set, i| set | 1 << i))
    }
    fn apply(&self, state: &mut i16, step: i16) {
        *state += step;
    }
    fn is_goal(&self, state: &i16) -> bool {
        *state == GOAL
    }
    fn action_cost(&self, _: &i16, step: i16) -> Cost {
        cost(step)
    }
}

impl Reversible for Numbers {
    fn inverse(&self, step: i16) -> i16 {
        -step
    }
}

impl Packable for Numbers {
    type Key = i16;
    fn pack(&self, state: &i16) -> i16 {
        *state
    }
    fn unpack(&self, key: i16) -> i16 {
        key
    }
}

/// Returns the least cost from each state, by relaxing all steps until nothing changes.
fn least_costs() -> Vec<Cost> {
    let mut least = vec![Cost::MAX / 2; STATES as usize];
    least[GOAL as usize] = 0;
    for _ in 0..STATES {
        for state in 0..STATES {
            for step in Numbers.actions(&state) {
                let by = least[(state + step) as usize] + cost(step);
                least[state as usize] = least[state as usize].min(by);
            }
        }
    }
    least
}

#[test]
fn both_searches_find_the_least_cost() {
    for (start, least) in (0..).zip(least_costs()) {
        let mut meter = Meter::default();
        let mut closed = HashedClosedList::new(&mut meter).unwrap();
        let (uniform, open) = (Evaluation::UNIFORM_COST, Heap::default());
        let astar = best_first(&Numbers, &Zero, uniform, &start, &mut closed, open, &mut meter);
        let mut meter = Meter::default();
        let idastar = idastar_cr(&Numbers, &Zero, &NoUndo, &start, &mut meter);
        for outcome in [astar, idastar] {
            let Outcome::Solved { path, cost } = outcome else { panic!("{start}: {outcome:?}") };
            assert_eq!((cost, replay(&Numbers, &start, &path)), (least, Ok(least)), "{start}");
        }
        // Far fewer bounds than there are costs below the least one.
        assert!(meter.finish().iterations.len() < 60, "{start}");
    }
}

#[test]
fn lower_bounds_are_proved_and_limits_hold() {
    let least = least_costs()[0];
    for max_expanded in [0, 1, 2, 5, 10, 50, 100] {
        let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        meter.set_bounds_are_proven(true);
        let outcome = idastar_cr(&Numbers, &Zero, &NoUndo, &0, &mut meter);
        assert!(meter.lower_bound() <= least);
        let expanded = meter.expanded();
        match outcome {
            Outcome::Solved { cost, .. } => assert_eq!(cost, least),
            outcome => {
                assert_eq!((outcome, expanded), (Outcome::Stopped(Stop::Expanded), max_expanded));
            }
        }
    }
    for (max_depth, is_solved) in [(least - 1, false), (least, true)] {
        let limits = Limits { max_depth: Some(max_depth), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let outcome = idastar_cr(&Numbers, &Zero, &NoUndo, &0, &mut meter);
        assert_eq!(matches!(outcome, Outcome::Solved { .. }), is_solved);
        assert_eq!(outcome == Outcome::Stopped(Stop::Depth), !is_solved);
    }
}
