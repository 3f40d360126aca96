//! Surveys on disk against surveys in memory.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use loyd::engine::Meter;
use loyd::goal::Goal;
use loyd::moves::Metric;
use loyd::notation::parse_partial_goal;
use loyd_lab::census::{CensusSpec, DiskPlan, DiskSurvey, Survey, all_goals};

/// Returns a new folder for a test.
fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn to_last(size: &str) -> CensusSpec {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    CensusSpec::to_board(&goal, Metric::SingleTile).unwrap()
}

fn plan(survey: &Survey, anchors: usize) -> DiskPlan {
    DiskPlan::new(survey, Some(anchors), 2, None).unwrap()
}

fn assert_equal_to_memory(name: &str, specs: Vec<CensusSpec>, anchors: usize) {
    let mut in_memory = Survey::new(specs.clone(), 7);
    while in_memory.advance(&mut Meter::default()).unwrap() {}
    let (survey, folder) = (Survey::new(specs, 7), place(name));
    let plan = plan(&survey, anchors);
    let mut on_disk = DiskSurvey::new(survey, plan, folder.clone());
    while on_disk.advance(&mut Meter::default()).unwrap() {
        let lengths = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().metadata().unwrap());
        let lengths: Vec<u64> = lengths.map(|metadata| metadata.len()).collect();
        // Two levels, and what each thread writes or flushes.
        assert!(lengths.len() <= 2 * plan.blocks + plan.threads + 1, "{name}: {lengths:?}");
        assert!(lengths.iter().sum::<u64>() <= plan.disk, "{name}: {lengths:?}");
        on_disk.remove_old_files().unwrap();
    }
    assert_eq!(on_disk.survey().results(), in_memory.results(), "{name}, {anchors} anchors");
    on_disk.remove_old_files().unwrap();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}

#[test]
fn surveys_on_disk_equal_those_in_memory() {
    for (size, anchors) in [("2x2", 0), ("5x1", 0), ("3x3", 0), ("2x5", 0), ("5x2", 1)] {
        assert_equal_to_memory(&format!("disk-{size}-{anchors}"), vec![to_last(size)], anchors);
    }
    assert_equal_to_memory(
        "disk-all",
        all_goals("2x5".parse().unwrap(), Metric::SingleTile).unwrap(),
        1,
    );
    for (number, text) in
        ["1 2 3/* * */* * *", "1 2 3 4 5/* * * * *", "1 2/3 4/5 6/* 8/* *", "1 * 3/4 5 *"]
            .into_iter()
            .enumerate()
    {
        let goal = parse_partial_goal(text, None).unwrap();
        let spec = CensusSpec::new(goal, Metric::SingleTile).unwrap();
        assert_equal_to_memory(&format!("disk-partial-{number}"), vec![spec], 1);
    }
}

#[test]
fn boards_with_several_anchors_have_the_known_counts() {
    for (size, anchors, depth, farthest) in [("2x6", 2, 80, 2), ("3x4", 1, 53, 18)] {
        let survey = Survey::new(vec![to_last(size)], 100);
        let plan = plan(&survey, anchors);
        let mut on_disk = DiskSurvey::new(survey, plan, place(&format!("disk-{size}")));
        while on_disk.advance(&mut Meter::default()).unwrap() {}
        let result = on_disk.survey().results().remove(0);
        assert_eq!((result.depth(), result.state_count()), (depth, 239_500_800));
        assert_eq!(
            (result.levels[depth as usize], result.farthest.len()),
            (farthest, farthest as usize)
        );
    }
}

/// Returns the number of boards at each distance up to `depth` from `goal`, by a plain breadth-first search.
fn plain(goal: &loyd::Board, depth: usize) -> Vec<u64> {
    let (width, cells) = (goal.size().width(), goal.size().cells());
    let mut counts = vec![1];
    let mut level: Vec<Vec<u32>> = vec![goal.numbers().map(u32::from).collect()];
    let mut met: HashSet<Vec<u32>> = level.iter().cloned().collect();
    while counts.len() <= depth {
        let mut next = Vec::new();
        for board in &level {
            let blank = board.iter().position(|&tile| tile == 0).unwrap();
            let is_near = |to: &usize| {
                let (row, column) =
                    ((to / width).abs_diff(blank / width), (to % width).abs_diff(blank % width));
                row + column == 1
            };
            for to in (0..cells).filter(is_near) {
                let mut board = board.clone();
                board.swap(blank, to);
                if met.insert(board.clone()) {
                    next.push(board);
                }
            }
        }
        counts.push(next.len() as u64);
        level = next;
    }
    counts
}

#[test]
fn first_levels_of_a_large_board_equal_a_plain_search() {
    let spec = to_last("3x5");
    let goal = Goal::BlankLast.board("3x5".parse().unwrap()).unwrap();
    let survey = Survey::new(vec![spec], 1);
    let plan = plan(&survey, 2);
    let mut on_disk = DiskSurvey::new(survey, plan, place("disk-3x5"));
    let depth = 8;
    for _ in 0..=depth {
        assert!(on_disk.advance(&mut Meter::default()).unwrap());
    }
    let checkpoint = serde_json::to_value(on_disk.checkpoint()).unwrap();
    assert_eq!(checkpoint["levels"], serde_json::to_value(plain(&goal, depth)).unwrap());
}

#[test]
fn plans_keep_to_the_memory_that_is_allowed() {
    for size in ["2x2", "2x5", "3x4", "2x7", "3x5"] {
        let survey = Survey::new(vec![to_last(size)], 1);
        let plan = |threads, most| DiskPlan::new(&survey, None, threads, most);
        let ample = plan(8, None).unwrap();
        assert_eq!(ample.threads, 8, "{size}");
        let least = plan(8, Some(0)).unwrap_err();
        assert_eq!(plan(8, Some(least - 1)), Err(least), "{size}");
        let mut most = least;
        while most <= ample.memory {
            let found = plan(8, Some(most)).unwrap();
            assert!(
                found.memory <= most && found.blocks >= ample.blocks,
                "{size}, {most}: {found:?}"
            );
            let again = DiskPlan::new(&survey, Some(found.anchors), found.threads, Some(most));
            assert_eq!(again, Ok(found), "{size}");
            most += most / 3;
        }
    }
}
