use std::num::NonZeroUsize;

use loyd::board::{Solvability, cantor_rank};
use loyd::engine::Meter;
use loyd::moves::Metric;
use loyd::scramble::Random;
use loyd::{Board, CancelToken, Config, Goal, Move, Problem, Size, Solver};
use loyd_lab::dataset::{LabelOptions, Labeller};

use super::*;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

/// Rows of a size: random arrangements, half of them solvable; with `with_invalid`, every fifth row is not a board.
fn rows(size: Size, count: usize, with_invalid: bool) -> Vec<u8> {
    let mut random = Random::new(7);
    let mut bytes = Vec::new();
    for row in 0..count {
        let mut board: Vec<u8> = (0..size.cells()).map(|n| n as u8).collect();
        for last in (1..board.len()).rev() {
            board.swap(last, random.below(last as u64 + 1) as usize);
        }
        if with_invalid && row % 5 == 3 {
            let cell = random.below(size.cells() as u64) as usize;
            board[cell] = [board[(cell + 1) % board.len()], size.cells() as u8, 255][row / 5 % 3];
        }
        bytes.extend(board);
    }
    bytes
}

const SIZES: [&str; 9] = ["2x2", "3x3", "2x5", "4x3", "4x4", "5x1", "5x5", "9x8", "16x16"];

#[test]
fn row_checks_match_board_checks() {
    for name in SIZES {
        let size = size(name);
        let goal =
            Goal::Spiral.board(size).unwrap_or_else(|_| Goal::BlankLast.board(size).unwrap());
        let bytes = rows(size, 100, true);
        let rows = Rows::new(size, &bytes);
        let (parity, mut solvable) = (Parity::new(&goal), vec![true; 100]);
        parity.solvable_mask(rows, InvalidRows::Mask, &mut solvable).unwrap();
        let boards: Vec<Option<Board>> = (0..100).map(|row| rows.board(row).ok()).collect();
        let expected = |board: &Option<Board>| {
            board.as_ref().is_some_and(|board| Solvability::new(board, &goal).is_solvable())
        };
        assert!(boards.iter().map(expected).eq(solvable.iter().copied()), "{name}");
        let found = parity.solvable_rows(rows, InvalidRows::Mask).unwrap();
        assert!(found.iter().all(|&row| solvable[row]), "{name}");
        assert_eq!(found.len(), solvable.iter().filter(|&&solvable| solvable).count(), "{name}");
        assert!((0..100).all(|row| rows.has_board(row) == boards[row].is_some()), "{name}");
        let first_bad = boards.iter().position(Option::is_none).unwrap();
        let error = parity.solvable_mask(rows, InvalidRows::Reject, &mut solvable).unwrap_err();
        assert_eq!(error, rows.board(first_bad).unwrap_err(), "{name}");
        assert_eq!(rows.check().unwrap_err(), error, "{name}");
    }
}

#[test]
fn moves_and_neighbours_match_boards() {
    for name in SIZES {
        let size = size(name);
        let (cells, bytes) = (size.cells(), rows(size, 100, true));
        let rows = Rows::new(size, &bytes);
        let (mut out, mut mask) = (vec![99; 4 * bytes.len()], vec![[true; 4]; 100]);
        neighbours(rows, InvalidRows::Mask, &mut out, &mut mask).unwrap();
        for row in 0..100 {
            let near = out[4 * cells * row..4 * cells * (row + 1)].chunks_exact(cells);
            for ((m, near), &legal) in Move::ALL.into_iter().zip(near).zip(&mask[row]) {
                let moved = rows.board(row).ok().and_then(|mut board| {
                    board.apply(m).ok().map(|()| board.bytes().collect::<Vec<_>>())
                });
                assert_eq!(legal, moved.is_some(), "{name} {row} {m:?}");
                assert_eq!(near, moved.as_deref().unwrap_or(rows.get(row)), "{name} {row} {m:?}");
                let mut applied = vec![99; cells];
                let action = [m.index() as u8];
                let part = rows.slice(row, 1);
                apply(part, &action, InvalidRows::Mask, &mut applied).unwrap();
                assert_eq!(applied, near, "{name} {row} {m:?}");
                let refused = apply(part, &action, InvalidRows::Reject, &mut applied).is_err();
                assert_eq!(refused, moved.is_none(), "{name} {row} {m:?}");
            }
        }
        let error = neighbours(rows, InvalidRows::Reject, &mut out, &mut mask).unwrap_err();
        assert_eq!(error.row, 3, "{name}");
    }
}

#[test]
fn illegal_action_error_lists_legal_ones() {
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    let rows = Rows::new(Size::EIGHT, &bytes);
    let error = apply(rows, &[3], InvalidRows::Reject, &mut [0; 9]).unwrap_err().to_string();
    assert_eq!(error, "row 0: action 3 leads off the board; 0, 1 are allowed here");
    let error = apply(rows, &[255], InvalidRows::Reject, &mut [0; 9]).unwrap_err().to_string();
    assert!(error.contains("action 255"), "{error}");
}

#[test]
fn ranks_match_cantor_rank() {
    for name in ["2x2", "3x3", "2x5", "4x3", "4x4", "5x4"] {
        let size = size(name);
        let bytes = rows(size, 100, false);
        let rows = Rows::new(size, &bytes);
        let mut ranks = vec![0; 100];
        rank(rows, InvalidRows::Reject, &mut ranks).unwrap();
        assert!(rows.iter().map(|row| cantor_rank(row).unwrap()).eq(ranks.iter().copied()));
        let mut back = vec![99; bytes.len()];
        unrank(&ranks, size, &mut back).unwrap();
        assert_eq!(back, bytes, "{name}");
    }
    for name in ["3x3", "4x4"] {
        let bytes = rows(size(name), 100, true);
        let with_invalid = Rows::new(size(name), &bytes);
        let mut ranks = [0; 100];
        assert_eq!(
            rank(with_invalid, InvalidRows::Reject, &mut ranks).unwrap_err().row,
            3,
            "{name}"
        );
        rank(with_invalid, InvalidRows::Mask, &mut ranks).unwrap();
        for (row, rank) in ranks.into_iter().enumerate() {
            assert_eq!(rank == u64::MAX, with_invalid.board(row).is_err(), "{name} {row}");
        }
    }
    let error = unrank(&[0, 24], size("2x2"), &mut [0; 8]).unwrap_err().to_string();
    assert!(error.starts_with("row 1: "), "{error}");
    let large = rows(size("5x5"), 1, false);
    let error =
        rank(Rows::new(size("5x5"), &large), InvalidRows::Mask, &mut [0]).unwrap_err().to_string();
    assert!(error.contains("at most 20"), "{error}");
}

/// Covers all arrangements of the 8-puzzle, including unsolvable ones.
#[test]
fn number_table_matches_searches() {
    for (name, goal, metric) in [
        ("3x3", Goal::BlankLast, Metric::SingleTile),
        ("3x3", Goal::Spiral, Metric::MultiTile),
        ("3x2", Goal::BlankFirst, Metric::SingleTile),
        ("4x2", Goal::BlankFirst, Metric::MultiTile),
    ] {
        let goal = goal.board(size(name)).unwrap();
        let cells = goal.size().cells();
        let table = RankTable::new(&goal, metric, &mut Meter::default()).unwrap();
        let all: Vec<u64> = (0..(1..=cells as u64).product()).collect();
        let mut bytes = vec![0; all.len() * cells];
        unrank(&all, goal.size(), &mut bytes).unwrap();
        let rows = Rows::new(goal.size(), &bytes);
        let (mut distances, mut first_moves) = (vec![0; all.len()], vec![[true; 4]; all.len()]);
        table.distances(rows, InvalidRows::Mask, &mut distances).unwrap();
        table.first_moves(rows, InvalidRows::Mask, &mut first_moves).unwrap();
        let config = Config { metric, quality: None, ..Config::default() };
        let solver = Solver::new(config).unwrap();
        // A sample of the table's rows; denser on the smaller sizes.
        let step = if cells == 9 { 97 } else { 7 };
        for row in (0..all.len()).step_by(step) {
            let problem = Problem::between(rows.board(row).unwrap(), goal.clone()).unwrap();
            let hint = solver.hint(&problem, &CancelToken::new(), None).unwrap();
            let length = hint.report.length().map_or(255, |length| length as u8);
            assert_eq!(distances[row], length, "{name} {metric} {}", problem.start());
            let begins = |m: Move| hint.best.iter().any(|steps| steps[0] == m);
            assert_eq!(first_moves[row], Move::ALL.map(begins), "{name} {}", problem.start());
        }
        let solvable = distances.iter().filter(|&&distance| distance != 255).count();
        assert_eq!(solvable, all.len() / 2, "{name}");
        assert!(table.distances(rows, InvalidRows::Reject, &mut distances).is_err());
        assert!(table.first_moves(rows, InvalidRows::Reject, &mut first_moves).is_err());
    }
}

#[test]
fn bit_table_matches_labels() {
    for (name, goal) in [("4x3", Goal::BlankLast), ("3x3", Goal::BlankFirst), ("2x6", Goal::Spiral)]
    {
        let goal = goal.board(size(name)).unwrap();
        let cancel = CancelToken::new();
        let labels =
            Labeller::new(&goal, LabelOptions::default(), Config::default(), &cancel, None)
                .unwrap();
        let exact = labels.exact().unwrap();
        let bytes = rows(goal.size(), 400, true);
        let rows = Rows::new(goal.size(), &bytes);
        let which = Parity::new(&goal).solvable_rows(rows, InvalidRows::Mask).unwrap();
        let mut distances = vec![255; 400];
        let boards = which.iter().map(|&row| rows.get(row));
        exact.distances(boards, |number, distance| distances[which[number]] = distance);
        let labels = labels.with_first_moves(true);
        let mut labelled = Vec::new();
        let threads = NonZeroUsize::new(2).unwrap();
        label_rows(&labels, (rows, InvalidRows::Mask), threads, &cancel, |answer| {
            labelled.push(answer);
        })
        .unwrap();
        assert!(labelled.iter().map(|answer| answer.row).eq(which.iter().copied()), "{name}");
        for answer in labelled {
            assert_eq!(u16::from(distances[answer.row]), answer.distance, "{name}");
            let moves = exact.first_moves_of(rows.get(answer.row));
            let mask: u8 = moves.into_iter().map(|m| 1 << m.index()).sum();
            assert_eq!(mask, answer.first_moves, "{name}");
        }
        let refused = (rows, InvalidRows::Reject);
        let error = label_rows(&labels, refused, threads, &cancel, |_| {}).unwrap_err();
        let first = (0..400).find(|row| !which.contains(row)).unwrap();
        assert_eq!(error.row, first, "{name}");
    }
}

/// Rows are solved by search where there is no table, and row indices stay right beyond the first batch.
#[test]
fn labels_match_the_number_table() {
    let goal = Goal::BlankLast.board(size("3x3")).unwrap();
    let config = Config { metric: Metric::MultiTile, ..Config::default() };
    let cancel = CancelToken::new();
    let labels =
        Labeller::new(&goal, LabelOptions::default(), config.clone(), &cancel, None).unwrap();
    assert!(labels.exact().is_none());
    let bytes = rows(goal.size(), 20_000, false);
    let rows = Rows::new(goal.size(), &bytes);
    let table = RankTable::new(&goal, Metric::MultiTile, &mut Meter::default()).unwrap();
    let mut distances = vec![0; 20_000];
    table.distances(rows, InvalidRows::Mask, &mut distances).unwrap();
    let mut found = vec![255; 20_000];
    let threads = NonZeroUsize::new(2).unwrap();
    label_rows(&labels, (rows, InvalidRows::Mask), threads, &cancel, |answer| {
        found[answer.row] = answer.distance as u8;
    })
    .unwrap();
    assert_eq!(found, distances);
}
