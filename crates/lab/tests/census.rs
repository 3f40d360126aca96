//! Censuses compared with an independent search, and resumed from checkpoints.

use std::collections::HashSet;

use loyd::goal::{Goal, PartialGoal};
use loyd::moves::{Metric, Move};
use loyd::notation::parse_partial_goal;
use loyd::search::{Meter, Stop};
use loyd::{Board, Size};
use loyd_lab::census::{CensusError, CensusResult, CensusSpec, ResumeError, Survey, all_goals};
use loyd_tiles::Cell;

/// Code that all don't-care tiles share.
const ANY: u64 = 15;

/// Returns the number of states per level: searches breadth-first from all arrangements that meet `goal`, with a hash
/// set of visited boards, which are packed at four bits per cell.
fn plain(goal: &PartialGoal, metric: Metric) -> Vec<u64> {
    let size = goal.size();
    let tile = |blank: Cell, cell: Cell| match goal.required(cell) {
        _ if cell == blank => 0,
        Some(tile) => tile.number().into(),
        None => ANY,
    };
    let filled = |&blank: &Cell| {
        size.iter_cells().rev().fold(0_u64, |board, cell| board << 4 | tile(blank, cell))
    };
    let mut layer: Vec<u64> = goal.blank_cells().iter().map(filled).collect();
    let (mut known, mut levels) = (HashSet::new(), Vec::new());
    loop {
        layer.retain(|&board| known.insert(board));
        if layer.is_empty() {
            return levels;
        }
        levels.push(layer.len() as u64);
        layer = layer.iter().flat_map(|&board| neighbours(size, board, metric)).collect();
    }
}

fn neighbours(size: Size, board: u64, metric: Metric) -> Vec<u64> {
    let at = |board: u64, cell: Cell| board >> (4 * cell.index()) & 15;
    let start = size.iter_cells().find(|&cell| at(board, cell) == 0).unwrap();
    let mut found = Vec::new();
    for m in Move::ALL {
        let (mut board, mut blank) = (board, start);
        while let Some(to) = size.neighbour(blank, m) {
            let tile = at(board, to);
            board ^= tile << (4 * to.index()) | tile << (4 * blank.index());
            blank = to;
            found.push(board);
            if metric == Metric::SingleTile {
                break;
            }
        }
    }
    found
}

fn finished(questions: Vec<CensusSpec>) -> Vec<CensusResult> {
    let mut survey = Survey::new(questions, 3);
    let mut meter = Meter::default();
    while survey.advance(&mut meter).unwrap() {}
    survey.results()
}

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

#[test]
fn all_goals_match_plain_searches() {
    for text in ["2x2", "2x3", "4x2", "3x3"] {
        let size = size(text);
        for metric in Metric::ALL {
            let questions = all_goals(size, metric).unwrap();
            let alike: Vec<u64> = questions.iter().map(CensusSpec::multiplicity).collect();
            assert_eq!(alike.iter().sum::<u64>(), size.cells() as u64);
            let mut sums: Vec<u64> = Vec::new();
            let mut add = |times: u64, levels: &[u64]| {
                sums.resize(sums.len().max(levels.len()), 0);
                sums.iter_mut().zip(levels).for_each(|(sum, states)| *sum += times * states);
            };
            for (answer, times) in finished(questions).iter().zip(alike) {
                add(times, &answer.levels);
            }
            let mut expected: Vec<u64> = Vec::new();
            for blank in 0..size.cells() {
                let mut numbers: Vec<_> = (1..size.cells() as u32).map(Some).collect();
                numbers.insert(blank, Some(0));
                let levels = plain(&PartialGoal::new(size, &numbers).unwrap(), metric);
                expected.resize(expected.len().max(levels.len()), 0);
                expected.iter_mut().zip(levels).for_each(|(sum, states)| *sum += states);
            }
            assert_eq!(sums, expected, "{text}, {metric:?}");
        }
    }
}

#[test]
fn partial_goals_match_plain_searches() {
    for text in [
        "1 2 3/* * */* * *",
        "* 2 3/4 5 6/7 8 *",
        "1 2 3/4 5 6/7 * *",
        "1 2 3/4 5 6/* * x",
        "1 */* *",
        "* */* *",
        "1 2 3 4/* * * *",
        "1 * 3/4 5 *",
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        for metric in Metric::ALL {
            let question = CensusSpec::new(goal.clone(), metric).unwrap();
            let states = question.state_count();
            let answer = finished(vec![question]).remove(0);
            assert_eq!(answer.levels, plain(&goal, metric), "{text}, {metric:?}");
            assert_eq!(answer.state_count(), states, "{text}");
            let wanted = answer.levels[answer.depth() as usize].min(3);
            assert_eq!(answer.farthest.len() as u64, wanted, "{text}");
        }
    }
}

#[test]
fn unsupported_censuses_are_refused() {
    let line = parse_partial_goal("1 * * x/", None).unwrap();
    let error = CensusSpec::new(line, Metric::SingleTile).unwrap_err();
    assert_eq!(error, CensusError::Line(size("4x1")));
    let fifteen = Goal::BlankLast.board(Size::FIFTEEN).unwrap();
    let error = CensusSpec::to_board(&fifteen, Metric::SingleTile).unwrap_err();
    assert_eq!(error.to_string(), "a 4x4 board has 16 cells; a census supports at most 15");
    assert!(all_goals(Size::FIFTEEN, Metric::SingleTile).is_err());
}

fn survey() -> Survey {
    Survey::new(all_goals(size("2x4"), Metric::SingleTile).unwrap(), 2)
}

#[test]
fn survey_resumes_from_any_level() {
    let mut uninterrupted = survey();
    let mut meter = Meter::default();
    let mut checkpoints = Vec::new();
    loop {
        let mut blocks = Vec::new();
        uninterrupted.write_blocks(&mut blocks).unwrap();
        checkpoints.push((uninterrupted.checkpoint(), blocks));
        if uninterrupted.is_complete() {
            break;
        }
        uninterrupted.advance(&mut meter).unwrap();
    }
    assert!(checkpoints.len() > 2 * 36);
    for (checkpoint, blocks) in checkpoints.iter().step_by(5).chain(checkpoints.last()) {
        let mut resumed = survey();
        resumed.resume(checkpoint.clone(), &mut &blocks[..], &mut Meter::default()).unwrap();
        while resumed.advance(&mut Meter::default()).unwrap() {}
        assert_eq!(resumed.results(), uninterrupted.results());
    }
    // Blocks of another level, missing blocks and extra blocks are refused.
    let (checkpoint, _) = &checkpoints[9];
    let (_, mut blocks) = checkpoints[7].clone();
    let error = |blocks: &[u8]| {
        let mut input = blocks;
        survey().resume(checkpoint.clone(), &mut input, &mut Meter::default()).unwrap_err()
    };
    assert!(matches!(error(&blocks), ResumeError::Counts));
    assert!(matches!(error(&blocks[..9]), ResumeError::Io(_)));
    blocks = checkpoints[9].1.clone();
    blocks.push(0);
    assert!(matches!(error(&blocks), ResumeError::Counts));
}

#[test]
fn survey_respects_the_memory_limit() {
    let limits = loyd::search::Limits { max_bytes: Some(1000), ..Default::default() };
    let mut meter = Meter::new(limits, loyd::CancelToken::new());
    assert_eq!(survey().advance(&mut meter), Err(Stop::Memory));
}

#[test]
fn farthest_boards_have_the_reported_distance() {
    let goal = Goal::BlankLast.board(size("3x3")).unwrap();
    let answer = finished(vec![CensusSpec::to_board(&goal, Metric::SingleTile).unwrap()]).remove(0);
    assert_eq!((answer.depth(), answer.levels[31]), (31, 2));
    assert!((answer.mean() - 21.972_399).abs() < 1e-6);
    let solver = loyd::Solver::default();
    for board in &answer.farthest {
        let problem = loyd::Problem::between(Board::clone(board), goal.clone()).unwrap();
        assert_eq!(solver.solve(&problem).unwrap().length(), Some(31));
    }
}
