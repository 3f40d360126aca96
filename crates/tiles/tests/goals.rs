//! Goals, sizes and blanks that texts give next to their boards: each counts, or the text is refused.

mod common;

use common::{BOARD, GOAL, file, refused};
use loyd_tiles::notation::{Hints, read_board};

#[test]
fn goals_of_files_belong_to_their_boards() {
    let both = format!("{BOARD} -> {GOAL}");
    for text in [
        "{\"board\":\"123456708\",\"goalState\":\"123456078\"}",
        "{\"initialState\":[[1,2,3],[4,5,6],[7,0,8]],\"goalState\":[[1,2,3],[4,5,6],[0,7,8]]}",
        "{\"board\":\"123456708\",\"goal\":{\"tiles\":[[1,2,3],[4,5,6],[0,7,8]]}}",
        "{\"puzzle\":{\"board\":[1,2,3,4,5,6,7,0,8],\"goal\":[1,2,3,4,5,6,0,7,8]},\"id\":7}",
        "{\"board\":\"123456708\",\"goal\":\"123456078\",\"target\":[1,2,3,4,5,6,0,7,8]}",
        "board,goal_board\n123456708,123456078\n",
        "Initial State,Goal State\n123456708,123456078\n",
        "int[] startState = {1,2,3,4,5,6,7,0,8};\nint[] goalState = {1,2,3,4,5,6,0,7,8};\n",
        "start([1,2,3,4,5,6,7,0,8]).\ngoal([1,2,3,4,5,6,0,7,8]).\n",
        "## Start\n1 2 3\n4 5 6\n7 0 8\n## Goal\n1 2 3\n4 5 6\n0 7 8\n",
        "1 2 3\n4 5 6\n7 0 8\n// goal state\n1 2 3\n4 5 6\n0 7 8\n",
        "Start:\n1 2 3\n4 5 6\n7 0 8\nDesired state:\n1 2 3\n4 5 6\n0 7 8\n",
    ] {
        assert_eq!(file(text), [both.as_str()], "{text:?}");
    }
    // A label is no goal.
    let label = "{\"board\":\"123456708\",\"target\":\"easy\",\"end\":3}";
    assert_eq!(file(label), [BOARD]);
}

#[test]
fn two_goals_of_a_board_must_be_equal() {
    for text in [
        "{\"board\":\"123456708\",\"goal\":\"123456078\",\"target\":\"123456780\"}",
        "{\"board\":\"123456708\",\"goal\":\"123456078\",\"Goal\":\"123456780\"}",
        "{\"goal\":\"123456780\",\"puzzle\":{\"board\":\"123456708\",\"goal\":\"123456078\"}}",
        "board,goal,target\n123456708,123456078,123456780\n",
        "board,goal,goal\n123456708,123456078,123456780\n",
    ] {
        refused(text, "which differ");
    }
    for goal in ["false", "true", "{}", "{\"x\":[1,2]}"] {
        refused(&format!("{{\"board\":\"123456708\",\"goal\":{goal}}}"), "has no goal");
    }
    assert_eq!(file("{\"board\":\"123456708\",\"goal\":null}"), [BOARD]);
}

#[test]
fn goals_are_refused_where_one_board_is_expected() {
    for text in [
        "{\"board\":\"123456708\",\"goal\":\"123456078\"}",
        "123456708\ngoal: 123456078",
        "goal = 123456708",
        "board,goal\n123456708,123456078",
        "(define (problem p) (:init (at t1 p1) (at t2 p2) (at t3 p3) (blank p4)) (:goal (at t2 p1)))",
    ] {
        let error = read_board(text, Hints::default()).unwrap_err();
        assert!(error.message.contains("has a goal"), "{text:?}: {error}");
    }
}

#[test]
fn parts_of_planning_goals_that_are_no_facts_are_refused() {
    for goal in [
        "(not (at t1 p1))",
        "(or (at t1 p1) (at t1 p2))",
        "(and (at t1 p1) (not (at t2 p2)))",
        "(and (at t1 p1) (clean p2))",
        "(and)",
    ] {
        let text = format!(
            "(define (problem p) (:init (at t1 p1) (at t2 p2) (at t3 p3) (blank p4)) (:goal {goal}))"
        );
        refused(&text, "the goal has parts that no board describes");
    }
}

#[test]
fn sizes_of_records_count() {
    let tiles = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    let list = tiles.replace(' ', ",");
    let (wide, high) =
        ("1 2 3 4 5 6 7 8/9 10 11 12 13 14 0 15", "1 2/3 4/5 6/7 8/9 10/11 12/13 14/0 15");
    for (text, board) in [
        (format!("{{\"rows\":2,\"cols\":8,\"board\":[{list}]}}"), wide),
        (format!("{{\"Width\":8,\"Height\":2,\"board\":[{list}]}}"), wide),
        (format!("{{\"w\":2,\"h\":8,\"board\":[{list}]}}"), high),
        (format!("{{\"shape\":[2,8],\"board\":[{list}]}}"), wide),
        (format!("{{\"size\":\"8x2\",\"board\":[{list}]}}"), wide),
        (format!("width,height,board\n8,2,{tiles}\n"), wide),
        (format!("size,board\n2x8,{tiles}\n"), high),
    ] {
        assert_eq!(file(&text), [board], "{text:?}");
    }
    refused(&format!("{{\"size\":[2,8],\"board\":[{list}]}}"), "may be 8x2 or 2x8");
    refused(&format!("{{\"width\":8,\"board\":[{list}]}}"), "gives another size");
    refused("{\"size\":5,\"board\":[[1,2],[3,0]]}", "");
    for size in ["3", "9", "\"3x3\"", "[3,3]"] {
        assert_eq!(file(&format!("{{\"size\":{size},\"board\":\"123456708\"}}")), [BOARD]);
    }
}

#[test]
fn blanks_of_records_count() {
    let board = "[[0,1,2],[3,8,4],[6,7,5]]";
    refused(&format!("{{\"board\":{board},\"blank\":8}}"), "gives 8 as the blank");
    refused("board,blank\n0 1 2 3 8 4 6 7 5,8\n", "gives 8 as the blank");
    // The number of the blank, and its place.
    for blank in ["0", "1", "\"0\"", "null", "[0,0]"] {
        let text = format!("{{\"board\":{board},\"blank\":{blank}}}");
        assert_eq!(file(&text), ["0 1 2/3 8 4/6 7 5"], "{text:?}");
    }
    assert_eq!(file("{\"board\":\"1 2 3 4 5 6 7 F 8\",\"blank\":\"F\"}"), [BOARD]);
    assert_eq!(file("{\"board\":\"1 2 3 4 5 6 7 9 8\",\"blank\":9}"), [BOARD]);
}

#[test]
fn semicolons_separate_tiles_within_inner_lists() {
    for text in ["[[1;2;3];[4;5;6];[7;0;8]]", "[|[|1;2;3|];[|4;5;6|];[|7;0;8|]|]"] {
        assert_eq!(file(text), [BOARD], "{text:?}");
    }
    refused("[1;2;3;4;5;6;7;0;8]", "or a column");
    refused("A = [1 2 3; 4 5 6; 7 0 8]; B = [1 2 3; 4 5 6; 7 8 0];", "");
}

#[test]
fn headers_are_names() {
    refused("start, goal = (1,2,3,4,5,6,7,0,8), (1,2,3,4,5,6,0,7,8)\n", "");
    refused("board,goal\r123456708,123456078\r", "");
}
