use loyd_search::Limits;
use loyd_tiles::Goal;
use loyd_tiles::notation::parse_partial_goal;

use super::*;
use crate::problem::Problem;

/// The stages for the goal of `problem`.
fn stages_for(config: &Config, problem: &Problem) -> Result<Vec<Stage>, Error> {
    let space = AnySpace::new(problem, config.metric);
    (PDB.stages)(&PDB, &Setting { space: &space, config })
}

fn problem(size: &str) -> Problem {
    let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
    Problem::between(goal.clone(), goal).unwrap()
}

fn cells(stage: &Stage) -> String {
    match &stage.tables {
        Some(Contents::Patterns(partition)) => partition.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn patterns_of_partial_goals_have_the_tiles_that_they_constrain() {
    let of = |text: &str| {
        let goal = parse_partial_goal(text, None).unwrap();
        let start = Goal::BlankLast.board(goal.size()).unwrap();
        let problem = Problem::to_partial(start, &goal).unwrap();
        let config = Config { heuristic: Some("pdb".into()), ..Config::default() };
        let stages = stages_for(&config, &problem)?;
        Ok(stages.iter().filter(|stage| stage.tables.is_some()).map(cells).collect::<Vec<_>>())
    };
    // The blank's goal cell comes first in canonical orientation: here boards are upside down.
    assert_eq!(of("* * * */* * * */* * * */13 14 15 x").unwrap(), ["1,2,3"]);
    let rows = of("1 2 3 4/5 6 7 8/* * * */* * * *").unwrap();
    assert_eq!((rows[0].matches('/').count(), rows[1].matches('/').count()), (1, 0));
    // A wall of tiles: the blank may end on either side of it.
    assert_eq!(of("* * * */5 6 7 8/* * * */* * * *"), Err(Error::BlankCutOff));
    assert_eq!(of("* * * */5 6 7 8/* * * */* * * x").unwrap().len(), 1);
    assert!(of("* * * */* x * */* * * */* * * *").unwrap().is_empty());
}

fn names(config: &Config, size: &str) -> Vec<String> {
    let stages = stages_for(config, &problem(size)).unwrap();
    assert!(stages.iter().rev().skip(1).all(|stage| stage.expansion_limit.is_some()));
    assert!(stages.last().is_none_or(|stage| stage.expansion_limit.is_none()));
    stages.into_iter().filter_map(|stage| Some(stage.tables?.name())).collect()
}

#[test]
fn tables_are_chosen_by_the_work_to_be_done() {
    let with = |boards, tables| Config { boards, tables, ..Config::default() };
    for (boards, tables, expected) in [
        (None, TableChoice::Default, &["6-6-3", "7-7-1"][..]),
        (Some(99), TableChoice::Default, &["6-6-3", "7-7-1"]),
        (Some(100), TableChoice::Default, &["7-7-1"]),
        (Some(1_000_000), TableChoice::Default, &["7-7-1"]),
        (None, TableChoice::Auto, &["6-6-3", "7-7-1"]),
        (Some(1000), TableChoice::Auto, &["7-7-1"]),
        (Some(8000), TableChoice::Auto, &["7-8"]),
        (None, TableChoice::Partition("7-8".to_owned()), &["7-8"]),
    ] {
        assert_eq!(names(&with(boards, tables), "4x4"), expected);
    }
    assert_eq!(names(&Config::default(), "3x3"), ["1,2,3,4,5,6,7/8"]);
    let small = "1,2,3,4,5,6,7/8/9,10,11,12,13,14,15";
    let large = "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15";
    assert_eq!(names(&Config::default(), "2x8"), [small, large]);
    assert_eq!(names(&with(Some(300), TableChoice::Default), "8x2"), [large]);
}

#[test]
fn tables_are_chosen_to_fit() {
    let within = |bytes, boards| {
        let limits = Limits { max_bytes: Some(bytes), ..Limits::default() };
        names(&Config { limits, boards, ..Config::default() }, "4x4")
    };
    assert_eq!(within(100 << 20, None), ["6-6-3", "7-7-1"]);
    assert_eq!(within(20 << 20, None), ["6-6-3"]);
    assert_eq!(within(20 << 20, Some(1000)), ["6-6-3"]);
    assert_eq!(within(8 << 20, None), ["5-5-5"]);
    assert_eq!(within(1 << 20, None), [""; 0]);
}

#[test]
fn what_has_no_tables_is_refused() {
    let choice = |text: &str| Config { tables: text.parse().unwrap(), ..Config::default() };
    let refused = |config, size| stages_for(&config, &problem(size)).unwrap_err().to_string();
    assert!(
        refused(choice("7-8"), "5x5")
            .contains("`7-8` is neither the name of a partition (6-6-6-6, catalogue")
    );
    assert!(refused(choice("catalogue"), "2x9").contains("`catalogue` is neither"));
    assert!(refused(choice("7-8"), "3x4").contains("`7-8` is neither"));
}

#[test]
fn large_boards_have_the_tables_that_are_asked_for() {
    let with = |text: &str| Config { tables: text.parse().unwrap(), ..Config::default() };
    for (text, size, name) in [
        ("catalogue", "5x5", "catalogue"),
        ("6-6-6-6", "5x5", "6-6-6-6"),
        (
            "1,2,3/4,5/6,7,8,9,10/11,12,13,14/15,16,17",
            "3x6",
            "1,2,3/4,5/6,7,8,9,10/11,12,13,14/15,16,17",
        ),
    ] {
        assert_eq!(names(&with(text), size), [name], "{text}");
    }
    let part =
        parse_partial_goal("1 2 3 * */* * * * */* * * * */* * * * */* * * * *", None).unwrap();
    let start = Goal::BlankLast.board(part.size()).unwrap();
    let problem = Problem::to_partial(start, &part).unwrap();
    let refused = stages_for(&with("catalogue"), &problem).map(|_| ());
    assert_eq!(refused, Err(Error::TablesForPartialGoal));
}

#[test]
fn hard_boards_go_on_to_the_catalogue_where_memory_has_room() {
    let stages = |config: &Config, size: &str| {
        let problem = problem(size);
        let space = AnySpace::new(&problem, config.metric);
        let setting = Setting { space: &space, config };
        let stages = large_stages(&PDB, &setting).unwrap();
        let told = Stage::telling(&stages).unwrap().tables.as_ref().map(Contents::name);
        let name = |stage: &Stage| stage.tables.as_ref().map_or("-".to_owned(), Contents::name);
        let limits = stages.iter().map(|stage| stage.expansion_limit).collect::<Vec<_>>();
        (stages.iter().map(name).collect::<Vec<_>>().join(" "), limits, told.unwrap())
    };
    let of_few = Config::default();
    let (names, limits, told) = stages(&of_few, "5x5");
    assert_eq!((&*names, &*told), ("- 6-6-6-6 catalogue", "6-6-6-6"));
    assert_eq!(limits, [Some(LARGE_EXPANSIONS), Some(CATALOGUE_AFTER), None]);
    let of_many = Config { boards: Some(1000), ..Config::default() };
    assert_eq!(stages(&of_many, "5x5").0, "6-6-6-6 catalogue");
    let little = Limits { max_bytes: Some(256 << 20), ..Limits::default() };
    assert_eq!(stages(&Config { limits: little, ..Config::default() }, "5x5").0, "- 6-6-6-6");
    let named = Config { heuristic: Some("pdb".into()), ..Config::default() };
    assert_eq!(stages(&named, "5x5").0, "6-6-6-6");
    for size in ["3x6", "6x3", "3x7", "4x5", "4x6"] {
        assert!(stages(&of_few, size).0.ends_with(" catalogue"), "{size}");
    }
    assert!(!stages(&of_few, "2x9").0.contains("catalogue"));
    let asked = Config { tables: "catalogue".parse().unwrap(), ..Config::default() };
    assert_eq!(stages(&asked, "5x5"), ("catalogue".to_owned(), vec![None], "catalogue".to_owned()));
}
