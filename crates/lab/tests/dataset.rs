//! Labels compared with breadth-first search, and independence of rows from threads and other labels.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use loyd::moves::Metric;
use loyd::notation::{parse_board, parse_moves};
use loyd::search::{Limits, TableChoice};
use loyd::{Board, CancelToken, Config, Goal, Move, Size};
use loyd_lab::dataset::{
    Boards, Distribution, DrawError, Format, LabelOptions, Labeller, Part, WorkLayout, label_all,
};
use serde_json::Value;

fn goal(size: &str) -> Board {
    Goal::BlankLast.board(size.parse().unwrap()).unwrap()
}

fn drawn(goal: &Board, drawing: Distribution, seed: u64, unique: bool) -> Boards {
    Boards::new(goal, drawing, seed, unique, Config::default()).unwrap()
}

fn some(goal: &Board, drawing: Distribution, seed: u64, number: usize) -> Vec<Board> {
    let mut boards = drawn(goal, drawing, seed, false);
    (0..number).map(|_| boards.next(&CancelToken::new()).unwrap()).collect()
}

fn all_wanted() -> LabelOptions {
    LabelOptions { first_moves: true, solutions: true, heuristics: vec!["zero"] }
}

/// Labels all boards on `threads` threads; returns the rows and the sizes of the delivered groups.
fn labelled(
    goal: &Board,
    boards: &[Board],
    wanted: LabelOptions,
    config: Config,
    threads: usize,
) -> (Part, Vec<u64>) {
    let cancel = CancelToken::new();
    let labels = Labeller::new(goal, wanted, config, &cancel, None).unwrap();
    let (mut part, mut groups) = (labels.part(), Vec::new());
    let shape = WorkLayout { threads: NonZeroUsize::new(threads).unwrap(), part_rows: 70 };
    label_all(&labels, boards.iter().cloned(), shape, &cancel, |labelled| {
        assert!(labelled.skipped.is_empty(), "{:?}", labelled.skipped);
        groups.push(labelled.boards);
        part.append(labelled.part);
        ControlFlow::Continue(())
    });
    (part, groups)
}

fn text(part: &Part, format: Format) -> String {
    let mut out = Cursor::new(Vec::new());
    part.write(format, &mut out).unwrap();
    String::from_utf8(out.into_inner()).unwrap()
}

fn records(part: &Part) -> Vec<Value> {
    text(part, Format::Jsonl).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the neighbours of a board, each with the direction of the blank.
fn neighbours(board: &Board, metric: Metric) -> Vec<(Move, Board)> {
    let mut found = Vec::new();
    for m in Move::ALL {
        let mut next = board.clone();
        while next.apply(m).is_ok() {
            found.push((m, next.clone()));
            if metric == Metric::SingleTile {
                break;
            }
        }
    }
    found
}

/// Returns the distances of all boards from `goal`, by breadth-first search.
fn distances(goal: &Board, metric: Metric) -> HashMap<Board, u64> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal.clone()]);
    while let Some(board) = queue.pop_front() {
        let distance = distances[&board];
        for (_, next) in neighbours(&board, metric) {
            if !distances.contains_key(&next) {
                distances.insert(next.clone(), distance + 1);
                queue.push_back(next);
            }
        }
    }
    distances
}

/// Compares labelled rows with the true distances.
fn check(goal: &Board, metric: Metric, config: Config, number: usize) {
    let truth = distances(goal, metric);
    let mut boards = some(goal, Distribution::Uniform, 3, number);
    boards.push(goal.clone());
    let (part, _) = labelled(goal, &boards, all_wanted(), config, 1);
    let rows = records(&part);
    assert_eq!(rows.len(), boards.len());
    for (board, row) in boards.iter().zip(rows) {
        assert_eq!(parse_board(row["board"].as_str().unwrap(), Some(goal.size())).unwrap(), *board);
        assert_eq!(row["distance"], truth[board], "{board}");
        let nearer = neighbours(board, metric).into_iter();
        let nearer = nearer.filter(|(_, next)| truth[next] + 1 == truth[board]);
        let mask = nearer.fold(0, |mask, (m, _)| mask | 1 << m.index());
        assert_eq!(row["first_moves"], mask, "{board}");
        let moves = parse_moves(row["moves"].as_str().unwrap()).unwrap();
        assert_eq!(metric.length(&moves) as u64, truth[board]);
        let mut end = board.clone();
        end.walk(&moves).unwrap();
        assert_eq!((end, &row["h_zero"]), (goal.clone(), &Value::from(0)));
    }
}

/// Small boards use a different table if solutions are not requested.
#[test]
fn labels_do_not_depend_on_other_requested_labels() {
    for (size, number) in [("3x3", 1_500), ("2x4", 200), ("1x7", 10), ("2x5", 20)] {
        let goal = goal(size);
        let mut boards = some(&goal, Distribution::Uniform, 9, number);
        boards.push(goal.clone());
        let rows = |solutions| {
            let wanted = LabelOptions { solutions, ..all_wanted() };
            let limits = Limits { max_expanded: Some(9), ..Limits::default() };
            let config = Config { limits, ..Config::default() };
            records(&labelled(&goal, &boards, wanted, config, 1).0)
        };
        let mut with = rows(true);
        with.iter_mut().for_each(|row| drop(row.as_object_mut().unwrap().remove("moves")));
        assert_eq!(rows(false), with, "{size}");
    }
}

#[test]
fn labels_match_true_distances_in_both_metrics() {
    let spiral = Goal::Spiral.board(Size::EIGHT).unwrap();
    check(&goal("3x3"), Metric::SingleTile, Config::default(), 1_500);
    check(&spiral, Metric::SingleTile, Config::default(), 300);
    check(&goal("4x2"), Metric::SingleTile, Config::default(), 300);
    check(&goal("1x7"), Metric::SingleTile, Config::default(), 20);
    let slides = Config { metric: Metric::MultiTile, ..Config::default() };
    check(&goal("3x3"), Metric::MultiTile, slides, 150);
}

#[test]
fn labels_of_larger_boards_come_from_searches() {
    let goal = goal("4x4");
    let boards = some(&goal, Distribution::Walks(90), 5, 40);
    let with =
        |tables, heuristic| Config { tables, heuristic, boards: Some(40), ..Config::default() };
    let patterns = with(TableChoice::Partition("5-5-5".to_owned()), None);
    let generic = with(TableChoice::Default, Some("linear-conflict".into()));
    let wanted = || LabelOptions { solutions: false, ..all_wanted() };
    let (part, _) = labelled(&goal, &boards, wanted(), patterns, 2);
    let (other, _) = labelled(&goal, &boards, wanted(), generic.clone(), 1);
    assert_eq!(text(&part, Format::Csv), text(&other, Format::Csv));
    // A move is optimal if and only if it leads to a board that is nearer to the goal.
    let children: Vec<_> =
        boards.iter().flat_map(|board| neighbours(board, Metric::SingleTile)).collect();
    let next: Vec<Board> = children.iter().map(|(_, board)| board.clone()).collect();
    let (nexts, _) = labelled(&goal, &next, LabelOptions::default(), generic, 1);
    let mut next = children.iter().zip(records(&nexts));
    for (board, row) in boards.iter().zip(records(&part)) {
        let mut mask = 0;
        for ((m, _), child) in next.by_ref().take(neighbours(board, Metric::SingleTile).len()) {
            let is_nearer = child["distance"].as_u64() < row["distance"].as_u64();
            mask |= u64::from(is_nearer) << m.index();
        }
        assert_eq!(row["first_moves"], mask, "{board}");
    }
}

#[test]
fn labels_do_not_depend_on_the_number_of_threads() {
    let goal = goal("3x3");
    let boards = some(&goal, Distribution::Uniform, 8, 2_000);
    let rows = |threads| {
        let (part, groups) = labelled(&goal, &boards, all_wanted(), Config::default(), threads);
        // No group crosses the boundary between two parts of 70 boards.
        let ends = groups.iter().scan(0, |sum, boards| {
            *sum += boards;
            Some(*sum)
        });
        let ends: HashSet<u64> = ends.collect();
        assert!((1..28).all(|part| ends.contains(&(70 * part))));
        text(&part, Format::Csv)
    };
    let serial = rows(1);
    assert_eq!(serial.lines().count(), 2_001);
    assert_eq!(rows(3), serial);
}

#[test]
fn boards_are_determined_by_seed_and_number() {
    let (goal, cancel) = (goal("3x3"), CancelToken::new());
    for drawing in
        [Distribution::Uniform, Distribution::Walks(30), Distribution::Lengths(vec![4, 20])]
    {
        for unique in [false, true] {
            let mut boards = drawn(&goal, drawing.clone(), 1, unique);
            let mut later = drawn(&goal, drawing.clone(), 1, unique);
            (0..15).for_each(|_| drop(boards.next(&cancel).unwrap()));
            later.skip(15, &cancel).unwrap();
            for _ in 0..15 {
                assert_eq!(later.next(&cancel).unwrap(), boards.next(&cancel).unwrap());
            }
        }
        let (one, two) = (some(&goal, drawing.clone(), 1, 30), some(&goal, drawing, 2, 30));
        assert!(one[1..] != two[..29] && one != two);
    }
}

#[test]
fn drawn_boards_follow_their_distribution() {
    let (goal, cancel) = (goal("3x3"), CancelToken::new());
    let truth = distances(&goal, Metric::SingleTile);
    let of_lengths = some(&goal, Distribution::Lengths(vec![4, 31]), 1, 10);
    let lengths: Vec<u64> = of_lengths.iter().map(|board| truth[board]).collect();
    assert_eq!(lengths, [4, 31].repeat(5));
    let walks = some(&goal, Distribution::Walks(3), 1, 300);
    let far: HashSet<u64> = walks.iter().map(|board| truth[board]).collect();
    assert_eq!(far, HashSet::from([0, 1, 2, 3]));
    let uniform = some(&goal, Distribution::Uniform, 1, 4_000);
    let mean = uniform.iter().map(|board| truth[board]).sum::<u64>() as f64 / 4_000.0;
    assert!((21.7..22.3).contains(&mean), "{mean}");
    let too_long = Boards::new(&goal, Distribution::Lengths(vec![32]), 1, false, Config::default());
    assert!(matches!(too_long, Err(DrawError::Length(_))));
    let small = Goal::BlankLast.board(Size::new(2, 2).unwrap()).unwrap();
    let mut boards = drawn(&small, Distribution::Uniform, 1, true);
    let all: HashSet<Board> = (0..12).map(|_| boards.next(&cancel).unwrap()).collect();
    assert_eq!(all.len(), 12);
    assert!(matches!(boards.next(&cancel), Err(DrawError::NoMore(12))));
}

#[test]
fn training_and_test_set_are_disjoint() {
    let goal = goal("3x3");
    let boards = some(&goal, Distribution::Walks(12), 4, 3_000);
    let (part, _) = labelled(&goal, &boards, all_wanted(), Config::default(), 1);
    let sets = part
        .clone()
        .split(7, 0.25)
        .map(|part| records(&part).iter().map(|row| row["board"].to_string()).collect::<Vec<_>>());
    let [train, test] = sets.clone().map(|set| set.into_iter().collect::<HashSet<_>>());
    assert_eq!(sets[0].len() + sets[1].len(), 3_000);
    assert!(train.is_disjoint(&test) && sets[0].len() > train.len());
    let fraction = test.len() as f64 / (train.len() + test.len()) as f64;
    assert!((0.2..0.3).contains(&fraction), "{fraction}");
    let [_, other] = part.split(8, 0.25);
    assert_ne!(records(&other).len(), sets[1].len());
}

#[test]
fn rows_are_written_in_every_format() {
    let goal = goal("3x2");
    let boards = [parse_board("1 2 3/4 0 5", None).unwrap(), goal.clone()];
    let (part, _) = labelled(&goal, &boards, all_wanted(), Config::default(), 1);
    assert_eq!(
        text(&part, Format::Csv),
        "board,distance,first_moves,h_zero,moves\n1 2 3/4 0 5,1,4,0,r\n1 2 3/4 5 0,0,0,0,\n"
    );
    assert_eq!(
        text(&part, Format::Jsonl).lines().next(),
        Some(r#"{"board":"1 2 3/4 0 5","distance":1,"first_moves":4,"h_zero":0,"moves":"r"}"#)
    );
    let mut out = Cursor::new(Vec::new());
    part.write(Format::Npz, &mut out).unwrap();
    let bytes = out.into_inner();
    let at = |text: &[u8]| bytes.windows(text.len()).position(|window| window == text);
    assert!(bytes.starts_with(b"PK\x03\x04") && at(b"distance.npy").is_some());
    let header = at(b"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 6,), }").unwrap();
    let data = at(b"\n\x01\x02\x03\x04\x00\x05\x01\x02\x03\x04\x05\x00").unwrap() + 1;
    assert_eq!((data - (header - 10)) % 64, 0);
    let written = part.write(Format::Parquet, Cursor::new(Vec::new()));
    assert_eq!(written.is_ok(), cfg!(feature = "parquet"));
}
