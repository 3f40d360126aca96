//! Pattern databases for larger boards, on small ones against a plain breadth-first search, and on their
//! own along walks.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;

use loyd_heuristics::LinearConflict;
use loyd_heuristics::pdb::{WidePattern, WideSum, WideTable, wide_patterns};
use loyd_search::{
    CancelToken, Cost, Heuristic, IncrementalHeuristic, Limits, Meter, NoUndo, Outcome, Rankable,
    StateSpace, Stop, idastar, replay, retrograde,
};
use loyd_tiles::{
    ArraySpace, Board, BoardSpace, Cell, Goal, Move, Packed3x3, Random, Size, StepSpace,
    notation::parse_partial_goal, random_walk,
};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn table(pattern: &WidePattern) -> Arc<WideTable> {
    Arc::new(WideTable::build(pattern.clone(), &mut Meter::default()).unwrap())
}

fn sum<S: BoardSpace>(space: &S, sums: &[Vec<WidePattern>]) -> WideSum {
    let mut tables = HashMap::new();
    let get = |pattern: &WidePattern| {
        let made = tables.entry(pattern.clone()).or_insert_with_key(table);
        Ok::<_, Infallible>(Arc::clone(made))
    };
    WideSum::new(space, sums, get).unwrap()
}

/// Distances of a pattern by single steps of the blank, of which only those that move a tile of the
/// pattern cost anything: `(cells of the tiles, cell of the blank)`, all of them.
fn plain(pattern: &WidePattern) -> HashMap<(Vec<u8>, u8), Cost> {
    let size = pattern.size();
    let mut distances = HashMap::new();
    let mut queue = VecDeque::new();
    for blank in (0..size.cells() as u8).filter(|blank| pattern.blanks() >> blank & 1 == 1) {
        queue.push_back(((pattern.cells().to_vec(), blank), 0));
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

#[test]
fn every_entry_is_the_distance_by_breadth_first_search() {
    for (text, cells, blanks) in [
        ("3x3", vec![0, 1, 2, 3], 1 << 8),
        ("3x3", vec![1, 3, 5], 1 << 0),
        ("3x3", vec![1, 3, 5], 0x1ff),
        ("2x4", vec![1, 2, 3], 1 << 0),
        ("4x2", vec![0, 4, 7], 1 << 3),
        ("2x4", vec![2, 3, 6, 7], 1 << 0),
        ("4x3", vec![1, 4, 6, 9], 1 << 0),
    ] {
        let pattern = WidePattern::new(size(text), cells, blanks);
        let (table, plain) = (table(&pattern), plain(&pattern));
        let mut levels = vec![0; table.census().len()];
        for ((cells, blank), &distance) in &plain {
            let tile = |(label, &cell): (usize, &u8)| table.weight(label) * u32::from(cell);
            let place = u32::from(*blank) + cells.iter().enumerate().map(tile).sum::<u32>();
            assert_eq!(table.bit(place), distance >> 1 & 1, "{pattern:?} {cells:?} {blank}");
            assert_eq!(
                table.distance(cells, *blank),
                Some(distance),
                "{pattern:?} {cells:?} {blank}"
            );
            levels[distance as usize] += 1;
        }
        // A state counts once for all cells of its region.
        let states = |level: (&u64, &u64)| level.0 > &0 && level.0 <= level.1;
        assert!(table.census().iter().zip(&levels).all(states), "{:?}", table.census());
    }
}

#[test]
fn the_number_of_states_is_that_of_the_regions_of_all_sets_of_cells() {
    let mut progress = Vec::new();
    let mut watch = |event| {
        if let loyd_search::Event::Table { done, total } = event {
            progress.push((done, total));
        }
        std::ops::ControlFlow::Continue(())
    };
    let mut meter = Meter::default().observed_by(&mut watch);
    let pattern = WidePattern::new(size("3x4"), vec![1, 2, 4, 5], 1);
    let table = WideTable::build(pattern, &mut meter).unwrap();
    drop(meter);
    let states = table.census().iter().sum::<u64>();
    assert!(progress.is_sorted() && progress.iter().all(|&(_, total)| total == states));
    assert!(states > 12 * 11 * 10 * 9);
}

/// Turned and mirrored patterns are one, unless the blank ends on another side of them.
#[test]
fn patterns_that_are_turned_share_a_table() {
    let upright = |text, cells: &[u8], blank: u8| {
        WidePattern::new(size(text), cells.to_vec(), 1 << blank).upright().0
    };
    let corner = upright("5x5", &[0, 1, 5, 6], 24);
    for (cells, blank) in [([3, 4, 8, 9], 0), ([15, 16, 20, 21], 2), ([18, 19, 23, 24], 12)] {
        assert_eq!(upright("5x5", &cells, blank), corner);
    }
    assert_eq!(upright("4x5", &[0, 1, 4], 19), upright("5x4", &[3, 4, 9], 0));
    assert_ne!(upright("5x5", &[1, 5], 0), upright("5x5", &[1, 5], 24));
}

#[test]
fn sums_never_exceed_the_distance_of_any_3x3_board() {
    for goal in
        [[1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3, 8, 0, 4, 7, 6, 5], [3, 0, 6, 1, 8, 2, 7, 5, 4]]
    {
        let space = Packed3x3::new(&Board::new(Size::EIGHT, &goal).unwrap());
        let (exact, sums) =
            (retrograde(&space, &mut Meter::default()).unwrap(), wide_patterns(&space));
        let sum = sum(&space, &sums);
        let (mut h_all, mut larger) = (0_u64, 0);
        let manhattan = loyd_heuristics::TileSum::manhattan(space.relabelling());
        for rank in 0..181_440 {
            let state = space.unrank(rank);
            let memo = sum.memo(&space, &state);
            let h = memo.value();
            assert!(h <= exact.distance(&space, &state) && h >= manhattan.h(&space, &state));
            for m in space.actions(&state) {
                let child = space.successor(&state, m);
                let carried = sum.update(&space, memo, &state, m, &child).value();
                assert!(h.abs_diff(carried) <= 1, "not consistent at {rank}");
                larger += u32::from(rank % 97 == 0 && carried != sum.h(&space, &child));
            }
            h_all += u64::from(h);
        }
        assert_eq!(larger, 0, "carried values differ from those from scratch");
        assert!(h_all > 16 * 181_440, "{h_all}");
    }
}

/// Walks from the goal; the carried value is the one from scratch at each step.
fn walk<S: StepSpace>(space: &S, steps: u32) {
    let sum = sum(space, &wide_patterns(space));
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
fn carried_sums_are_those_from_scratch() {
    let goal = |text, goal: Goal| goal.board(size(text)).unwrap();
    walk(&ArraySpace::<64>::new(&goal("5x5", Goal::BlankLast)), 300);
    walk(&ArraySpace::<64>::new(&goal("4x5", Goal::BlankFirst)), 300);
    walk(&ArraySpace::<64>::new(&goal("6x3", Goal::Spiral)), 300);
    walk(&ArraySpace::<64>::new(&goal("2x9", Goal::BlankTopRight)), 300);
    let part =
        parse_partial_goal("1 2 3 * */6 7 * * */* * * * */* * * * */* * * * *", None).unwrap();
    walk(&ArraySpace::<64>::to_partial(&part, &goal("5x5", Goal::BlankLast)), 300);
}

/// All tiles wanted somewhere are in one pattern of each sum.
#[test]
fn boards_of_all_sizes_have_patterns() {
    for height in 2..=18 {
        for width in (2..=18).filter(|width| (17..=36).contains(&(width * height))) {
            let size = Size::new(width, height).unwrap();
            for goal in [Goal::BlankLast, Goal::Spiral] {
                let space = ArraySpace::<64>::new(&goal.board(size).unwrap());
                let sums = wide_patterns(&space);
                assert!((1..=2).contains(&sums.len()));
                for patterns in sums {
                    let mut cells: Vec<u8> =
                        patterns.iter().flat_map(|pattern| pattern.cells().to_vec()).collect();
                    cells.sort_unstable();
                    let blank = space.relabelling().goal().blank().index() as u8;
                    assert!((0..size.cells() as u8).filter(|&c| c != blank).eq(cells), "{size}");
                    assert!(patterns.len() <= 9);
                    let bytes: u64 = patterns.iter().map(WidePattern::table_bytes).sum();
                    assert!(bytes < 160 << 20, "{size}: {bytes}");
                }
            }
        }
    }
}

#[test]
fn answers_are_as_long_as_with_linear_conflict() {
    for (text, steps) in [("5x5", 36), ("3x6", 40), ("5x4", 40)] {
        let goal = Goal::BlankLast.board(size(text)).unwrap();
        let space = ArraySpace::<64>::new(&goal);
        let (sum, conflicts) =
            (sum(&space, &wide_patterns(&space)), LinearConflict::new(space.relabelling()));
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
        let pattern = WidePattern::new(size("5x5"), vec![1, 2, 5, 6], 1);
        WideTable::build(pattern, &mut Meter::new(limits, cancel)).map(|_| ()).unwrap_err()
    };
    let little = Limits { max_bytes: Some(2 << 20), ..Limits::default() };
    assert_eq!(build(little, CancelToken::new()), Stop::Memory);
    let cancel = CancelToken::new();
    cancel.cancel();
    assert_eq!(build(Limits::default(), cancel), Stop::Cancelled);
}
