//! Compares pattern databases for boards of more than 16 cells and for partial goals with plain breadth-first
//! searches, and checks them along walks.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use loyd_heuristics::LinearConflict;
use loyd_heuristics::pdb::{
    Database, Orientation, Partition, Pattern, PatternSpace, PatternSum, Plain, Position,
};
use loyd_search::{
    CancelToken, Cost, Heuristic, IncrementalHeuristic, Limits, Meter, NoUndo, Outcome, Rankable,
    StateSpace, Stop, idastar, replay, retrograde,
};
use loyd_tiles::{
    ArraySpace, Board, BoardSpace, Cell, CellSet, Goal, Move, Packed3x3, Random, Size, StepSpace,
    notation::parse_partial_goal, random_walk,
};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn build(partition: &Partition) -> Arc<Database> {
    Arc::new(Database::build::<Plain>(partition.clone(), &mut Meter::default()).unwrap())
}

fn sum<S: BoardSpace>(space: &S) -> PatternSum {
    let partition = Partition::for_goal(space.relabelling(), space.partial_goal())
        .expect("a tile is constrained");
    PatternSum::new(build(&partition), space.relabelling())
}

/// Returns a single pattern for boards whose blank may end on `blanks`; the first of them is its goal cell.
fn single(size: Size, cells: &[u8], blanks: &[u8]) -> Partition {
    let group = (cells.to_vec(), blanks.iter().copied().collect());
    Partition::with_blank_cells(size, blanks[0], vec![group]).unwrap()
}

/// Returns the distances of all states of a pattern, by `(cells of the tiles, cell of the blank)`. They are found by
/// single steps of the blank, which cost 1 if they move a tile of the pattern and 0 if not.
fn plain(size: Size, pattern: &[u8], blanks: &[u8]) -> HashMap<(Vec<u8>, u8), Cost> {
    let mut distances = HashMap::new();
    let mut queue = VecDeque::new();
    for &blank in blanks {
        queue.push_back(((pattern.to_vec(), blank), 0));
    }
    while let Some(((cells, blank), distance)) = queue.pop_front() {
        if distances.contains_key(&(cells.clone(), blank)) {
            continue;
        }
        distances.insert((cells.clone(), blank), distance);
        for m in Move::ALL {
            let Some(to) = size.neighbour(Cell::new(blank.into()), m) else { continue };
            let to = to.index() as u8;
            let mut next = cells.clone();
            match cells.iter().position(|&cell| cell == to) {
                Some(tile) => {
                    next[tile] = blank;
                    queue.push_back(((next, to), distance + 1));
                }
                None => queue.push_front(((next, to), distance)),
            }
        }
    }
    distances
}

/// Returns the position with the tiles of a pattern on these cells, and tiles that are not in the pattern elsewhere.
fn position(size: Size, pattern: &[u8], cells: &[u8], (blank, goal): (u8, u8)) -> Position {
    let nothing = (0..size.cells() as u8).find(|cell| *cell != goal && !pattern.contains(cell));
    let mut position = [nothing.expect("a tile is in no pattern"); 36];
    position[usize::from(blank)] = goal;
    for (&cell, &goal) in cells.iter().zip(pattern) {
        position[usize::from(cell)] = goal;
    }
    position
}

#[test]
fn every_distance_equals_that_of_a_breadth_first_search() {
    for (text, cells, blanks) in [
        ("3x3", vec![0, 1, 2, 3], vec![8]),
        ("3x3", vec![1, 3], vec![0]),
        ("3x3", vec![1, 3], vec![0, 2, 4, 5, 6, 7, 8]),
        ("3x3", vec![3, 4, 5], vec![0, 8]),
        ("2x4", vec![2, 3, 6], vec![0, 7]),
        ("3x6", vec![1, 4, 8], vec![0]),
        ("3x6", vec![6, 7, 8], vec![0, 1, 17]),
        ("4x5", vec![1, 4, 19], vec![0]),
        ("5x5", vec![1, 5], vec![0]),
        ("5x5", vec![1, 5, 24], vec![2, 3]),
        ("5x5", vec![1, 5], vec![0, 7, 24]),
        ("2x9", vec![2, 3, 16], vec![0, 17]),
        ("6x6", vec![30, 34], vec![35]),
    ] {
        let (size, goal) = (size(text), blanks[0]);
        let database = build(&single(size, &cells, &blanks));
        for ((tiles, blank), distance) in plain(size, &cells, &blanks) {
            let position = position(size, &cells, &tiles, (blank, goal));
            let found = database.distance(0, &position);
            assert_eq!(found, Some(distance), "{text} {cells:?}: {tiles:?} {blank}");
        }
    }
}

/// Compares every entry with the true distance in the abstract space, and the census with the number of states at each
/// distance.
#[test]
fn every_entry_equals_the_true_distance() {
    for (text, cells, blanks) in [
        ("5x5", vec![1, 5, 6], vec![0]),
        ("5x5", vec![1, 5, 13], vec![0, 12]),
        ("3x6", vec![0, 1, 3, 4], vec![17]),
        ("4x5", vec![8, 9, 10, 11], vec![0, 19]),
        ("5x7", vec![1, 2, 30], vec![0]),
    ] {
        let partition = single(size(text), &cells, &blanks);
        let database = build(&partition);
        let part = &database.parts()[0];
        let space = PatternSpace::new(partition.size(), part.pattern());
        let plain = retrograde(&space, &mut Meter::default()).unwrap();
        assert_eq!(part.census(), plain.census(), "{text} {cells:?}");
        let layouts = part.coordinates().layouts();
        for (place, distance) in plain.distances().enumerate() {
            let (rank, q) = ((place / layouts.len()) as u32, (place % layouts.len()) as u32);
            assert_eq!(database.bit(0, rank, q), distance >> 1 & 1, "{text} {cells:?}: {rank} {q}");
            assert_eq!(part.parity(layouts[q as usize].tiles), distance & 1);
        }
    }
}

/// Rotated and mirrored patterns share a table, unless the blank may end in different regions.
#[test]
fn images_share_a_table() {
    let default = Partition::default_for(size("5x5"), 0);
    assert_eq!(default.patterns().iter().map(Pattern::tiles).sum::<usize>(), 24);
    assert_eq!(default.table_bytes(), 45_342_720);
    let size = size("5x5");
    let groups = |groups: &[&[u8]]| groups.iter().map(|cells| cells.to_vec()).collect();
    let of = |cells| Partition::of_some_tiles(size, 0, groups(cells)).unwrap();
    let one = of(&[&[3, 4, 8, 9]]).table_bytes();
    assert_eq!(of(&[&[3, 4, 8, 9], &[15, 16, 20, 21], &[18, 19, 23, 24]]).table_bytes(), one);
    assert_eq!(of(&[&[3, 4, 8, 9], &[2, 7]]).table_bytes(), one + of(&[&[2, 7]]).table_bytes());
    let walled = of(&[&[1, 5], &[19, 23]]);
    assert_eq!(walled.table_bytes(), 2 * of(&[&[1, 5]]).table_bytes());
    // Each part of a shared table must return the distances of its pattern.
    let shared = of(&[&[3, 4, 9], &[15, 20, 21]]);
    let database = build(&shared);
    for (part, cells) in [[3, 4, 9], [15, 20, 21]].iter().enumerate() {
        for ((tiles, blank), distance) in plain(size, cells, &[0]).into_iter().step_by(7) {
            let position = position(size, cells, &tiles, (blank, 0));
            assert_eq!(database.distance(part, &position), Some(distance), "{tiles:?} {blank}");
        }
    }
}

/// Additional regions in which the blank may end are part of the key of a table.
#[test]
fn regions_in_which_the_blank_may_end_are_printed() {
    let size = size("5x5");
    let wall = |blanks: &[u8]| single(size, &[1, 5], blanks);
    assert_eq!(wall(&[0]).to_string(), "1,5");
    assert_eq!(wall(&[7]), wall(&[7, 24]));
    assert_eq!(wall(&[0, 7]), wall(&[0, 24, 12]));
    assert_ne!(wall(&[0]), wall(&[0, 7]));
    assert_eq!(wall(&[0, 7]).to_string(), "1,5@0,2");
}

#[test]
fn sums_are_admissible_for_partial_goals() {
    for text in [
        "1 2 3/* * */* * *",
        "* * */4 5 6/* * *",
        "1 * 3/* x */7 * 5",
        "* 2 */4 * 6/* 8 *",
        "* 2 3/4 * 6/7 8 *",
        "1 * */* * */* * *",
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let board = goal.reachable(&Goal::BlankLast.board(Size::EIGHT).unwrap()).unwrap();
        let space = ArraySpace::<64>::with_partial_goal(&goal, &board);
        let exact = retrograde(&space, &mut Meter::default()).unwrap();
        let sum = sum(&space);
        let mut positive = 0;
        for rank in 0..space.state_count().unwrap() {
            let state = space.unrank(rank);
            let memo = sum.memo(&space, &state);
            assert!(memo.value() <= exact.distance(&space, &state), "{text}: {rank}");
            positive += u32::from(memo.value() > 0);
            for m in space.actions(&state) {
                let child = space.successor(&state, m);
                let carried = sum.update(&space, memo, &state, m, &child).value();
                assert!(memo.value().abs_diff(carried) <= 1, "{text}: not consistent at {rank}");
                assert!(rank % 31 > 0 || carried == sum.h(&space, &child), "{text}: {rank}");
            }
        }
        assert!(positive > 0, "{text}");
    }
}

#[test]
fn sums_are_admissible_on_all_3x3_boards() {
    for (goal, step) in [
        ([1, 2, 3, 4, 5, 6, 7, 8, 0], 1),
        ([1, 2, 3, 8, 0, 4, 7, 6, 5], 5),
        ([3, 0, 6, 1, 8, 2, 7, 5, 4], 5),
    ] {
        let space = Packed3x3::new(&Board::new(Size::EIGHT, &goal).unwrap());
        let (exact, sum) = (retrograde(&space, &mut Meter::default()).unwrap(), sum(&space));
        let manhattan = loyd_heuristics::TileSum::manhattan(space.relabelling());
        let mut h_all = 0_u64;
        for rank in (0..181_440).step_by(step) {
            let state = space.unrank(rank);
            let memo = sum.memo(&space, &state);
            let h = memo.value();
            assert!(h <= exact.distance(&space, &state) && h >= manhattan.h(&space, &state));
            for m in space.actions(&state) {
                let child = space.successor(&state, m);
                let carried = sum.update(&space, memo, &state, m, &child).value();
                assert!(h.abs_diff(carried) <= 1, "not consistent at {rank}");
                assert!(rank % 97 > 0 || carried == sum.h(&space, &child), "{rank}");
            }
            h_all += u64::from(h);
        }
        assert!(h_all > 16 * 181_440 / step as u64, "{h_all}");
    }
}

/// Walks from the goal, and checks that the incremental value equals the one from scratch at each step.
fn walk<S: StepSpace>(space: &S, steps: u32) {
    let sum = sum(space);
    let mut state = space.encode(space.relabelling().goal());
    let mut memo = sum.memo(space, &state);
    assert_eq!(memo.value(), 0);
    let (mut random, mut last) = (Random::new(9), None);
    for step in 1..=steps {
        let moves: Vec<Move> =
            space.actions(&state).into_iter().filter(|&m| Some(m) != last).collect();
        let m = *random.choose(&moves).unwrap();
        let child = space.successor(&state, m);
        let before = memo.value();
        memo = sum.update(space, memo, &state, m, &child);
        (state, last) = (child, Some(m.inverse()));
        let value = memo.value();
        assert_eq!(value, sum.h(space, &state), "step {step}");
        assert!(value.abs_diff(before) <= 1 && value <= step);
    }
}

#[test]
fn incremental_sums_equal_scratch() {
    let goal = |text, goal: Goal| goal.board(size(text)).unwrap();
    walk(&ArraySpace::<64>::new(&goal("5x5", Goal::BlankLast)), 300);
    walk(&ArraySpace::<64>::new(&goal("4x5", Goal::BlankFirst)), 300);
    walk(&ArraySpace::<64>::new(&goal("6x3", Goal::Spiral)), 300);
    walk(&ArraySpace::<64>::new(&goal("2x9", Goal::BlankTopRight)), 300);
    let part =
        parse_partial_goal("1 2 3 * */6 7 * * */* * * * */* * * * */* * * * *", None).unwrap();
    walk(&ArraySpace::<64>::with_partial_goal(&part, &goal("5x5", Goal::BlankLast)), 300);
}

/// Default tables are small enough to be built without being requested.
#[test]
fn boards_of_all_sizes_have_patterns() {
    for height in 2..=18 {
        for width in (2..=18).filter(|width| (17..=36).contains(&(width * height))) {
            let size = Size::new(width, height).unwrap();
            for goal in [Goal::BlankLast, Goal::Spiral] {
                let space = ArraySpace::<64>::new(&goal.board(size).unwrap());
                let partition =
                    Partition::for_goal(space.relabelling(), space.partial_goal()).unwrap();
                let blank = Orientation::new(space.relabelling()).unwrap().blank();
                let all = CellSet::all(partition.size()).without(CellSet::of(blank));
                assert_eq!((partition.covered(), partition.blank()), (all, blank), "{size}");
                let bytes = partition.table_bytes();
                assert!(bytes < 128 << 20, "{size}: {bytes}");
                assert_eq!(Partition::parse("default", partition.size(), blank), Ok(partition));
            }
        }
    }
}

#[test]
fn solutions_are_as_long_as_with_linear_conflict() {
    for (text, steps) in [("5x5", 36), ("3x6", 40), ("5x4", 40)] {
        let goal = Goal::BlankLast.board(size(text)).unwrap();
        let space = ArraySpace::<64>::new(&goal);
        let (sum, conflicts) = (sum(&space), LinearConflict::new(space.relabelling()));
        let mut random = Random::new(3);
        for _ in 0..20 {
            let mut board = goal.clone();
            for m in random_walk(&goal, steps, &mut random).unwrap() {
                board.apply(m).unwrap();
            }
            let start = space.encode(&board);
            let mut meter = Meter::default();
            let expected = idastar(&space, &conflicts, &NoUndo, &start, &mut meter);
            let found = idastar(&space, &sum, &NoUndo, &start, &mut meter);
            let (Outcome::Solved { cost: a, .. }, Outcome::Solved { path, cost: b }) =
                (expected, found)
            else {
                panic!("there are no limits")
            };
            assert_eq!((a, replay(&space, &start, &path)), (b, Ok(b)));
        }
    }
}

#[test]
fn builds_stop_at_their_limits() {
    let build = |limits, cancel| {
        let partition = single(size("5x5"), &[1, 2, 5, 6], &[0]);
        let mut meter = Meter::new(limits, cancel);
        Database::build::<Plain>(partition, &mut meter).map(|_| ()).unwrap_err()
    };
    let little = Limits { max_bytes: Some(2 << 20), ..Limits::default() };
    assert_eq!(build(little, CancelToken::new()), Stop::Memory);
    let cancel = CancelToken::new();
    cancel.cancel();
    assert_eq!(build(Limits::default(), cancel), Stop::Cancelled);
}
