use std::time::Duration;

use loyd_heuristics::DistanceMatrix;
use loyd_search::{CancelToken, Event, Iteration, Limits, Observer, Rankable, Stats};
use loyd_tiles::{Board, Cell, Size};
use proptest::prelude::*;

use super::*;

type End = (Outcome<Move>, Stats, Vec<Iteration>);

/// Keeps what is told of each round.
struct Rounds(Vec<Iteration>);

impl Observer for Rounds {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Iteration(round) = event {
            self.0.push(round);
        }
        Continue(())
    }
}

/// The end of a search, without what may differ: time and the size of its own structures.
fn run(
    limits: Limits,
    cancel: &CancelToken,
    search: impl FnOnce(&mut Meter<'_>) -> Outcome<Move>,
) -> End {
    let mut rounds = Rounds(Vec::new());
    let mut meter = Meter::new(limits, cancel.clone()).observed_by(&mut rounds);
    let outcome = search(&mut meter);
    let stats = Stats { elapsed: Duration::ZERO, peak_bytes: 0, ..meter.finish() };
    (outcome, stats, rounds.0)
}

/// Runs both forms and returns what they agree on.
fn both(space: &Packed3x3, sum: &TileSum, start: u32, limits: Limits, cancel: &CancelToken) -> End {
    let kernel = run(limits, cancel, |meter| idastar(space, sum, start, meter));
    let generic =
        run(limits, cancel, |meter| loyd_search::idastar(space, sum, &NoUndo, &start, meter));
    assert_eq!(kernel, generic, "{:?} with {limits:?}", space.decode(&start));
    kernel
}

fn agree(space: &Packed3x3, sum: &TileSum, start: u32) -> End {
    both(space, sum, start, Limits::default(), &CancelToken::new())
}

fn space(numbers: &[u32]) -> Packed3x3 {
    Packed3x3::new(&Board::new(Size::EIGHT, numbers).unwrap())
}

/// The blank in two corners, on an edge and in the middle.
fn spaces() -> [Packed3x3; 4] {
    [
        space(&[1, 2, 3, 4, 5, 6, 7, 8, 0]),
        space(&[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        space(&[3, 1, 4, 0, 5, 2, 8, 6, 7]),
        space(&[1, 2, 3, 8, 0, 4, 7, 6, 5]),
    ]
}

fn limited(max_expanded: u64) -> Limits {
    Limits { max_expanded: Some(max_expanded), ..Limits::default() }
}

#[test]
fn does_what_the_generic_search_does() {
    for space in spaces() {
        let labels = space.relabelling();
        let (manhattan, misplaced) = (TileSum::manhattan(labels), TileSum::misplaced(labels));
        // A prime step: boards of all depths and all cells of the blank.
        for rank in (0..181_440).step_by(197) {
            agree(&space, &manhattan, space.unrank(rank));
        }
        for rank in (0..181_440).step_by(7919) {
            agree(&space, &misplaced, space.unrank(rank));
        }
    }
}

#[test]
fn a_goal_is_answered_with_nothing() {
    for space in spaces() {
        let goal = space.encode(space.relabelling().goal());
        let (outcome, stats, _) = agree(&space, &TileSum::manhattan(space.relabelling()), goal);
        assert_eq!((outcome, stats.expanded), (Outcome::at_goal(), 0));
    }
}

#[test]
fn limits_stop_both_at_the_same_node() {
    let [space, ..] = spaces();
    let sum = TileSum::manhattan(space.relabelling());
    let start = space.encode(&Board::new(Size::EIGHT, &[8, 6, 7, 2, 5, 4, 3, 0, 1]).unwrap());
    let (_, whole, _) = agree(&space, &sum, start);
    let never = CancelToken::new();
    let counts = [0, 1, 2, 1023, 1024, 1025, 4096, whole.expanded - 1, whole.expanded];
    for max_expanded in counts {
        let (_, stats, _) = both(&space, &sum, start, limited(max_expanded), &never);
        assert_eq!(stats.expanded, max_expanded);
    }
    for depth in [0, 20, 21, 22, 30, 31] {
        let limits = Limits { max_depth: Some(depth), ..Limits::default() };
        let (outcome, ..) = both(&space, &sum, start, limits, &never);
        assert_eq!(matches!(outcome, Outcome::Solved { .. }), depth >= 31);
    }
    for limits in [
        Limits { max_bytes: Some(0), ..Limits::default() },
        Limits { max_time: Some(Duration::ZERO), ..Limits::default() },
    ] {
        let (outcome, ..) = both(&space, &sum, start, limits, &never);
        assert!(matches!(outcome, Outcome::Stopped(_)));
    }
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let (outcome, ..) = both(&space, &sum, start, Limits::default(), &cancelled);
    assert_eq!(outcome, Outcome::Stopped(Stop::Cancelled));
}

#[test]
fn boards_of_the_other_parity_are_searched_alike() {
    let [space, ..] = spaces();
    let sum = TileSum::manhattan(space.relabelling());
    let start = space.encode(&Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap());
    let (outcome, ..) = both(&space, &sum, start, limited(300_000), &CancelToken::new());
    assert_eq!(outcome, Outcome::Stopped(Stop::Expanded));
}

#[test]
fn bounds_beyond_the_deepest_go_to_the_generic_search() {
    let [space, ..] = spaces();
    // The estimates are far too high, so the first bound allows far too deep a path, and the way on
    // from a swap of two tiles is up to the last allowed depth.
    for entry in [DEEPEST / 8, DEEPEST / 2, 2 * DEEPEST, DistanceMatrix::MAX_ENTRY] {
        let matrix = DistanceMatrix::from_fn(Size::EIGHT, |a, b| if a == b { 0 } else { entry });
        let sum = TileSum::new(space.relabelling(), &matrix);
        for numbers in [[1, 2, 3, 4, 5, 6, 8, 7, 0], [8, 6, 7, 2, 5, 4, 3, 0, 1]] {
            let start = space.encode(&Board::new(Size::EIGHT, &numbers).unwrap());
            both(&space, &sum, start, limited(200_000), &CancelToken::new());
        }
    }
}

#[test]
fn the_deepest_recursion_needs_little_stack() {
    let search = || {
        // No estimate below the bound: the first path goes down as far as it may.
        let [space, ..] = spaces();
        let swapped = Board::new(Size::EIGHT, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap();
        let matrix = DistanceMatrix::from_fn(Size::EIGHT, |a, b| match (a.index(), b.index()) {
            (7, 6) => DEEPEST,
            _ => 0,
        });
        let sum = TileSum::new(space.relabelling(), &matrix);
        both(&space, &sum, space.encode(&swapped), limited(50_000), &CancelToken::new());
    };
    std::thread::Builder::new().stack_size(128 << 10).spawn(search).unwrap().join().unwrap();
}

proptest! {
    #[test]
    fn any_matrix_is_searched_alike(
        numbers in Just((0..9).collect::<Vec<u32>>()).prop_shuffle(),
        goal in Just((0..9).collect::<Vec<u32>>()).prop_shuffle(),
        entries in prop::collection::vec(0..7_u32, 81),
    ) {
        let space = space(&goal);
        let entry = |from: Cell, to: Cell| entries[9 * from.index() + to.index()];
        let sum = TileSum::new(space.relabelling(), &DistanceMatrix::from_fn(Size::EIGHT, entry));
        let start = space.encode(&Board::new(Size::EIGHT, &numbers).unwrap());
        both(&space, &sum, start, limited(20_000), &CancelToken::new());
    }
}
