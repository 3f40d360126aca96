use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use loyd_search::{
    CancelToken, DistanceTable, Event, HashedClosedList, Limits, Meter, NoUndo, Outcome, Rankable,
    StateSpace, Stop, bidirectional, idastar, retrograde,
};
use loyd_tiles::{
    ArraySpace, Board, Goal, Move, Packed3x3, Packed4x4, Random, Size, Slide, Slides, StepSpace,
    random_walk,
};
use proptest::prelude::*;

use super::*;

fn build(width: u32, height: u32, blank: u8, letters: &str) -> TileClassTable {
    let classes = TileClasses::new(Size::new(width, height).unwrap(), blank, letters);
    TileClassTable::build(classes, &mut Meter::default()).unwrap()
}

/// Returns the distance of every abstract board, found by a plain search over boards. A board is the class of the
/// tile on each cell, or 9 for the blank.
fn plain(classes: &TileClasses) -> HashMap<Vec<u8>, u32> {
    let size = classes.size();
    let blank = Cell::new(classes.blank().into());
    let class = |cell| if cell == blank { 9 } else { classes.of(cell) };
    let goal: Vec<u8> = size.iter_cells().map(class).collect();
    let mut met = HashMap::from([(goal.clone(), 0)]);
    let mut layer = vec![(goal, blank)];
    for distance in 1.. {
        let mut next = Vec::new();
        for (board, blank) in &layer {
            for m in Move::ALL {
                let (mut board, mut blank) = (board.clone(), *blank);
                while let Some(to) = size.neighbour(blank, m) {
                    board.swap(blank.index(), to.index());
                    blank = to;
                    met.entry(board.clone()).or_insert_with(|| {
                        next.push((board.clone(), blank));
                        distance
                    });
                }
            }
        }
        if next.is_empty() {
            return met;
        }
        layer = next;
    }
    unreachable!("there are finitely many boards")
}

#[test]
fn every_entry_equals_the_distance_of_a_plain_search() {
    for (width, height, blank, letters) in [
        (2, 2, 0, "aabb"),
        (2, 3, 3, "abcabc"),
        (3, 3, 0, "aabbccddd"),
        (3, 3, 4, "abcdabcda"),
        (3, 3, 0, "hhabcdefg"),
        (2, 5, 0, "aabbccddef"),
        (2, 6, 1, "abababababab"),
        (3, 4, 0, "aaabbbbcccca"),
    ] {
        let table = build(width, height, blank, letters);
        let (size, bits) = (table.classes().size(), table.arrangements().bits());
        let truth = plain(table.classes());
        let mut census = vec![0; table.census().len()];
        for (board, distance) in &truth {
            let blank = board.iter().position(|&class| class == 9).unwrap();
            let blank = arrangements::place(size, blank) as u32;
            let mut arrangement = 0;
            for (cell, &class) in board.iter().enumerate().filter(|(_, class)| **class != 9) {
                let place = arrangements::place(size, cell) as u32;
                let tile = place - u32::from(place > blank);
                arrangement |= u64::from(class) << (tile * bits);
            }
            assert_eq!(code(table.word(arrangement), blank), distance % 3, "{board:?}");
            assert_eq!(table.distance(arrangement, blank), Some(*distance));
            census[*distance as usize] += 1;
        }
        assert_eq!(census, table.census(), "{letters}");
        // If all tiles differ, the goal cannot be reached from half of the boards.
        let states = table.arrangements().count() * size.cells();
        let is_abstract = table.classes().counts().iter().any(|&count| count > 1);
        assert_eq!(truth.len(), if is_abstract { states } else { states / 2 }, "{letters}");
    }
}

/// Checks that the estimate is admissible on all boards, and on every `step`-th board that it is consistent and that
/// incremental updates equal values from scratch. Returns the sum of all estimates.
fn check<S: StepSpace>(
    space: &Slides<S>,
    heuristic: &TileClassDistance,
    truth: &DistanceTable,
    step: u64,
) -> u64 {
    let memos: Vec<_> = (0..space.state_count().unwrap())
        .map(|rank| heuristic.memo(space, &space.unrank(rank)))
        .collect();
    let mut sum = 0;
    for ((rank, distance), &memo) in (0..).zip(truth.distances()).zip(&memos) {
        let state = space.unrank(rank);
        let h = heuristic.value_of(&memo);
        assert!(h <= distance, "not admissible at {rank}");
        sum += u64::from(h);
        for slide in space.actions(&state).into_iter().filter(|_| rank % step == 0) {
            let child = space.successor(&state, slide);
            let carried = heuristic.update(space, memo, &state, slide, &child);
            let scratch = memos[space.rank(&child) as usize];
            assert_eq!(carried, scratch, "{slide:?} from {rank}");
            assert!(h.abs_diff(heuristic.value_of(&carried)) <= 1, "not consistent at {rank}");
        }
    }
    let goal = space.encode(space.relabelling().goal());
    assert_eq!(heuristic.h(space, &goal), 0);
    sum
}

fn board(numbers: &[u32]) -> Board {
    Board::new(Size::EIGHT, numbers).unwrap()
}

fn heuristic_for(goal: &Board, letters: Option<&str>) -> TileClassDistance {
    let labels = Relabelling::new(goal);
    let orientation = Orientation::new(&labels).unwrap();
    let classes = match letters {
        Some(letters) => TileClasses::new(orientation.size(), orientation.blank(), letters),
        None => TileClasses::default_for(orientation.size(), orientation.blank()).unwrap(),
    };
    TileClassDistance::new(
        TileClassTable::build(classes, &mut Meter::default()).unwrap().into(),
        &labels,
    )
}

#[test]
fn admissible_consistent_and_incremental_on_all_3x3_boards() {
    for (goal, views) in [
        (Goal::BlankLast.board(Size::EIGHT).unwrap(), 2),
        (Goal::BlankFirst.board(Size::EIGHT).unwrap(), 2),
        (board(&[1, 2, 3, 8, 0, 4, 7, 6, 5]), 2),
        (board(&[3, 0, 6, 1, 8, 2, 7, 5, 4]), 2),
    ] {
        let space = Slides::new(Packed3x3::new(&goal));
        let truth = retrograde(&space, &mut Meter::default()).unwrap();
        let heuristic = heuristic_for(&goal, Some("aaabbbccd"));
        assert_eq!(heuristic.views().len(), views, "{goal}");
        let both = check(&space, &heuristic, &truth, 1);
        let one = TileClassDistance { views: heuristic.views[..1].to_vec(), ..heuristic };
        let one = check(&space, &one, &truth, 7);
        assert!(one < both, "the second view must increase the sum: {one}, {both}");
    }
}

#[test]
fn tables_of_ten_cells_are_exact() {
    for (width, height, goal) in [(2, 5, Goal::BlankFirst), (5, 2, Goal::BlankLast)] {
        let goal = goal.board(Size::new(width, height).unwrap()).unwrap();
        let space = Slides::new(ArraySpace::<16>::new(&goal));
        let truth = retrograde(&space, &mut Meter::default()).unwrap();
        let heuristic = heuristic_for(&goal, None);
        let all: u64 = truth.distances().map(u64::from).sum();
        assert_eq!(check(&space, &heuristic, &truth, 37), all);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn incremental_updates_equal_scratch_along_walks(
        (place, letters) in (0..5_usize, prop::collection::vec(0..3_u8, 16)),
        goal in Just((0..16).collect::<Vec<u32>>()).prop_shuffle(),
        steps in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let (width, height) = [(4, 4), (2, 6), (5, 3), (7, 2), (3, 4)][place];
        let size = Size::new(width, height).unwrap();
        let goal: Vec<u32> = goal.into_iter().filter(|&n| (n as usize) < size.cells()).collect();
        let goal = Board::new(size, &goal).unwrap();
        let letters: String = letters.iter().map(|letter| char::from(b'a' + letter)).collect();
        let letters = format!("abc{}", &letters[3..size.cells()]);
        let blank = Orientation::new(&Relabelling::new(&goal)).unwrap().blank();
        // Each class needs at least one goal cell other than that of the blank.
        prop_assume!(blank > 2 || ["a", "b", "c"].iter().all(|c| letters[3..].contains(c)));
        let heuristic = heuristic_for(&goal, Some(&letters));
        let space = Slides::new(ArraySpace::<16>::new(&goal));
        let mut state = space.encode(&goal);
        let mut memo = heuristic.memo(&space, &state);
        for (made, step) in (1..).zip(steps) {
            let slides: Vec<Slide> = space.actions(&state).into_iter().collect();
            let slide = slides[usize::from(step) % slides.len()];
            let child = space.successor(&state, slide);
            memo = heuristic.update(&space, memo, &state, slide, &child);
            state = child;
            prop_assert_eq!(memo, heuristic.memo(&space, &state));
            prop_assert!(heuristic.value_of(&memo) <= made);
        }
    }
}

#[test]
fn searches_find_the_lengths_of_plain_searches() {
    let size = Size::new(4, 4).unwrap();
    let goal = Goal::BlankFirst.board(size).unwrap();
    let space = Slides::new(Packed4x4::new(&goal));
    let heuristic = heuristic_for(&goal, Some("aaaabbbbbbbccccc"));
    let mut random = Random::new(1);
    for round in 0..12 {
        let mut board = goal.clone();
        board.walk(&random_walk(&goal, 2 * round, &mut random).unwrap()).unwrap();
        let start = space.encode(&board);
        let mut meter = Meter::default();
        let found = idastar(&space, &heuristic, &NoUndo, &start, &mut meter);
        let [mut forward, mut backward] =
            [(); 2].map(|()| HashedClosedList::new(&mut meter).unwrap());
        let plain = bidirectional(&space, &start, &mut forward, &mut backward, &mut meter);
        let length = |outcome: Outcome<Slide>| match outcome {
            Outcome::Solved { cost, .. } => cost,
            other => panic!("{other:?}"),
        };
        assert_eq!(length(found), length(plain), "{round}: {board}");
    }
}

#[test]
fn builds_stop_at_limits_and_report_progress() {
    let classes = || TileClasses::new(Size::new(3, 4).unwrap(), 0, "aabbccddeeff");
    let within = |limits, cancel| TileClassTable::build(classes(), &mut Meter::new(limits, cancel));
    let stopped = |limits, cancel| within(limits, cancel).map(|_| ()).unwrap_err();
    let bytes = TileClassTable::build_bytes(&classes());
    let memory = |bytes| Limits { max_bytes: Some(bytes), ..Limits::default() };
    assert_eq!(stopped(memory(bytes - 1), CancelToken::new()), Stop::Memory);
    assert!(within(memory(bytes), CancelToken::new()).is_ok());
    let time = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(stopped(time, CancelToken::new()), Stop::Time);
    let cancelled = CancelToken::new();
    cancelled.cancel();
    assert_eq!(stopped(Limits::default(), cancelled), Stop::Cancelled);
    let (mut last, mut events) = ((0, 0), 0);
    let mut observer = |event: Event<'_>| {
        if let Event::Table { done, total } = event {
            assert!(done > last.0, "every level must find boards");
            (last, events) = ((done, total), events + 1);
        }
        ControlFlow::Continue(())
    };
    let mut meter = Meter::default().with_observer(&mut observer);
    let table = TileClassTable::build(classes(), &mut meter).unwrap();
    assert_eq!((last.0, events), (last.1, table.census().len() - 1));
}
