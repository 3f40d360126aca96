//! Records and planning problems: every field with a meaning counts, or the record is refused.

mod common;

use std::time::{Duration, Instant};

use common::{BOARD, GOAL, file, refused};
use loyd_tiles::notation::{Cases, Format, Hints, read_board};

/// Returns a record with the usual board and further fields.
fn record(fields: &str) -> String {
    format!("{{\"board\":\"123456708\",{fields}}}")
}

#[test]
fn words_of_goals_name_goals() {
    let both = format!("{BOARD} -> {GOAL}");
    let names = [
        "goal",
        "goals",
        "goalTiles",
        "goal_grid",
        "goal_position",
        "goal_config",
        "goalBoardState",
        "goal.state",
        "target_grid",
        "end_board",
        "final_configuration",
        "desired",
        "desired_state",
        "solved",
        "solvedState",
        "destination",
        "to",
        "to state",
        "Final Position",
    ];
    for name in names {
        let list = record(&format!("\"{name}\":[1,2,3,4,5,6,0,7,8]"));
        assert_eq!(file(&list), [both.as_str()], "{name}");
        let csv = format!("Start Board,{name}\n123456708,123456078\n");
        assert_eq!(file(&csv), [both.as_str()], "{name}");
        let label = record(&format!("\"{name}\":true"));
        assert!(name.contains("oal") || file(&label) == [BOARD], "{name}: {:?}", file(&label));
    }
    for fields in [
        "\"config\":{\"goal\":\"123456078\"}",
        "\"task\":{\"more\":{\"target_state\":[[1,2,3],[4,5,6],[0,7,8]]}}",
        "\"goal_state\":{\"tiles\":[1,2,3,4,5,6,0,7,8]}",
    ] {
        assert_eq!(file(&record(fields)), [both.as_str()], "{fields}");
    }
}

/// The faults themselves are found where goals are parsed.
#[test]
fn faulty_goals_are_not_left_out() {
    for (field, goal) in [
        ("\"goal_state\":\"123456077\"", "`123456077`"),
        ("\"goalState\":\"1 2 3/* * */* * *\"", "1 2 3/* * */* * *"),
        ("\"goal_state\":\"spiral\"", "`spiral`"),
        ("\"target\":\"spiral\"", "`spiral`"),
        ("\"final\":\"Blank Last\"", "`Blank Last`"),
        ("\"target\":[[1,2],[3,0]]", "`[[1,2],[3,0]]`"),
        ("\"target\":\"0 1 2 3\"", "`0 1 2 3`"),
        ("\"end\":\"1 2 3 4 5 6 0 7 7\"", "`1 2 3 4 5 6 0 7 7`"),
        ("\"end\":12345678", "`12345678`"),
        ("\"goal\":0", "`0`"),
    ] {
        assert_eq!(file(&record(field)), [format!("{BOARD} -> {goal}")], "{field}");
    }
    for field in [
        "\"goal_state\":{\"cells\":[1,2,3,4,5,6,0,7,8]}",
        "\"target\":{\"name\":\"x\"}",
        "\"goalState\":false",
    ] {
        refused(&record(field), "has no goal");
    }
    refused("board,goal_state,end\n123456708,123456078,123456780\n", "which differ");
    for label in ["\"easy\"", "\"half-way there!\"", "true", "null", "17", "\"17\"", "1.5", "\"\""]
    {
        for name in ["target", "final", "end", "solved"] {
            assert_eq!(file(&record(&format!("\"{name}\":{label}"))), [BOARD], "{name} {label}");
        }
    }
}

#[test]
fn other_boards_of_a_record_are_refused() {
    for fields in [
        "\"cost.ms\":\"123456078\"",
        "\"prev.state\":\"123456078\"",
        "\"solution\":[1,2,3,4,5,6,0,7,8]",
        "\"reached\":[[1,2,3],[4,5,6],[0,7,8]]",
        "\"board2\":\"1 2 3/4 5 6/0 7 8\"",
        "\"more\":{\"correct\":[\"123\",\"456\",\"078\"]}",
    ] {
        refused(&record(fields), "has a board too");
    }
    for field in
        ["\"goal_type\":\"spiral\"", "\"goalName\":\"blank-first\"", "\"target_kind\":\"snake\""]
    {
        refused(&record(field), "or a goal");
    }
    refused("board,reached\n123456708,123456078\n", "the field `reached` has a board too");
    for fields in [
        "\"time.sec\":\"1.5\"",
        "\"moves\":[8]",
        "\"moves\":\"rdlurdlur\",\"solution\":\"r\",\"cost.ms\":\"15\"",
        "\"copy\":[[1,2,3],[4,5,6],[7,0,8]]",
        "\"path\":[\"123456708\",\"123456780\"],\"id\":\"123456780\",\"seed\":123456780",
        "\"costs\":[1,2,3,4,5,6,0,7,7]",
    ] {
        assert_eq!(file(&record(fields)), [BOARD], "{fields}");
    }
}

#[test]
fn faults_of_boards_are_faults_of_records() {
    for text in [
        "{\"board\":[[1,2,3],[4,5,6],[7,8,8]],\"puzzle\":3120}",
        "{\"puzzle\":3120,\"board\":[[1,2,3],[4,5,6],[7,8,8]],\"state\":\"123456708\"}",
        "{\"puzzle\":3120,\"cells\":[[1,2,3],[4,5,6],[7,0,8]]}",
        "puzzle,cells\n1023,1 2 3 4 5 6 7 0 8\n",
        "{\"board\":\"12345678x9\",\"state\":\"123456708\"}",
        "{\"board\":123456078,\"state\":\"123456708\"}",
        "{\"board\":\"123456708\",\"tiles\":[7,8]}",
        "{\"board\":\"1023\",\"puzzle\":\"123456708\"}",
    ] {
        refused(text, "");
    }
    for text in [
        "{\"board\":\"123456708\",\"puzzle\":1023}",
        "{\"puzzle\":\"8-puzzle\",\"board\":[1,2,3,4,5,6,7,0,8],\"state\":\"solved\"}",
        "{\"puzzle\":12,\"start\":\"123456708\",\"grid\":\"3x3\"}",
        "puzzle,start\n1,1 2 3 4 5 6 7 0 8\n",
        "state,board\nsolved,1 2 3 4 5 6 7 0 8\n",
        "puzzle,board\n7,123456708\n",
    ] {
        assert_eq!(file(text), [BOARD], "{text:?}");
    }
}

#[test]
fn all_sizes_of_records_count() {
    let tiles = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    let record = |fields: &str| format!("{{{fields},\"board\":[{}]}}", tiles.replace(' ', ","));
    let wide = "1 2 3 4 5 6 7 8/9 10 11 12 13 14 0 15";
    for fields in [
        "\"size\":{\"rows\":2,\"cols\":8}",
        "\"width\":8.0,\"height\":2.0",
        "\"size\":\"8*2\"",
        "\"board_size\":\"8 x 2\"",
        "\"shape\":\"(2, 8)\"",
        "\"boardWidth\":\"8\",\"num_rows\":2",
        "\"config\":{\"rows\":2,\"cols\":8}",
        "\"dimension\":[2,8],\"rows\":2",
    ] {
        assert_eq!(file(&record(fields)), [wide], "{fields}");
    }
    for fields in ["\"size\":\"8,2\"", "\"dimensions\":\"2x8\"", "\"n\":2,\"m\":8", "\"dim\":[8,2]"]
    {
        refused(&record(fields), "may be");
    }
    for fields in [
        "\"width\":8,\"height\":2,\"size\":\"2x8\"",
        "\"width\":8,\"height\":2,\"cols\":2,\"rows\":8",
        "\"shape\":[8,2],\"size\":\"8x2\"",
        "\"size\":\"large\"",
        "\"gridSize\":[4]",
        "\"width\":\"eight\"",
        "\"dim\":3",
    ] {
        refused(&record(fields), "");
    }
    refused(&format!("dim,board\n2x8,{tiles}\n"), "may be 2x8 or 8x2");
    let square = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15";
    for fields in
        ["\"n\":3,\"m\":40", "\"n\":7", "\"size\":16", "\"dims\":[4,4]", "\"tile_size\":64"]
    {
        assert_eq!(file(&record(fields)), [square], "{fields}");
    }
}

#[test]
fn all_blanks_of_records_count() {
    let record = |fields: &str| format!("{{\"board\":[[0,1,2],[3,8,4],[6,7,5]],{fields}}}");
    for fields in [
        "\"blank\":[1,1]",
        "\"blank\":{\"row\":1,\"col\":1}",
        "\"blank\":8.0",
        "\"empty\":8",
        "\"blank_tile\":8",
        "\"blank_index\":4",
        "\"blank_row\":2",
        "\"blank\":true",
        "\"empty_position\":\"here\"",
    ] {
        refused(&record(fields), "");
    }
    refused("{\"board\":[[1,\"X\",2],[3,4,5],[6,7,0]],\"blank\":0}", "");
    refused("{\"board\":\"123456780\",\"blank\":8}", "gives 8 as the blank");
    for fields in [
        "\"blank\":0",
        "\"blank_pos\":[0,0]",
        "\"blank_index\":0,\"blankRow\":0,\"blank_col\":1",
        "\"empty\":{\"x\":0,\"y\":0}",
        "\"config\":{\"blank\":\"0\"}",
    ] {
        assert_eq!(file(&record(fields)), ["0 1 2/3 8 4/6 7 5"], "{fields}");
    }
    assert_eq!(file("{\"board\":\"1 2 3 4 5 6 7 -1 8\",\"blank\":-1}"), [BOARD]);
    assert_eq!(file("{\"board\":\"123456708\",\"blank\":[2,1]}"), [BOARD]);
}

/// Each line of a record would be parsed with all lines before it if the time were not linear.
#[test]
fn records_over_many_lines_are_read_in_linear_time() {
    let since = Instant::now();
    let list = "1,\n".repeat(60_000);
    refused(&format!("{{\"board\":[\n{list}"), "the record is not JSON");
    assert!(read_board(&format!("{{\"board\":[\n{list}"), Hints::default()).is_err());
    let row = "{\n\"board\":\n[\n1,\n2,\n3,\n0\n]\n},\n".repeat(3_000);
    refused(&format!("{{\"meta\":1,\n\"puzzles\":[\n{row}{{}}]}}"), "no board");
    refused(&format!("{{\"board\":[\n{}", "1,\n".repeat(600_000)), "longer than 1 MiB");
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    let pretty = format!(
        "{{\n\"path\":[\n{}\"0\"\n],\n\"board\":\n\"123456708\"\n}}\n",
        "1,\n".repeat(50_000)
    );
    assert_eq!(file(&pretty.repeat(3)), [BOARD; 3]);
}

#[test]
fn parts_of_faulty_records_are_no_boards() {
    let broken = "{\n\"board\": [1,2,3,oops],\n\"goal\":\n[1,2,3,4,5,6,0,7,8]\n}\n";
    let read = file(&format!("{broken}{{\"board\":\"123456708\"}}\n"));
    assert!(read.len() == 2 && read[0].contains("not JSON") && read[1] == BOARD, "{read:?}");
    let escaped = "{\n\"name\": \"a\\\"]} [\",\n\"board\": \"123456708\"\n}\n";
    assert_eq!(file(&escaped.repeat(2)), [BOARD; 2]);
}

/// Returns a planning problem with tiles at these four positions, the blank at the last one, and the usual goal.
fn problem(positions: [&str; 4]) -> String {
    let [a, b, c, d] = positions;
    format!(
        "(define (problem p) (:init (at t1 {a}) (at t2 {b}) (at t3 {c}) (blank {d})) \
         (:goal (and (at t1 {a}) (at t3 {b}) (at t2 {c}) (blank {d}))))"
    )
}

#[test]
fn rows_and_columns_of_planning_problems_are_named() {
    for positions in [
        ["r1 c1", "r1 c2", "r2 c1", "r2 c2"],
        ["row1 col1", "row1 col2", "row2 col1", "row2 col2"],
        ["y1 x1", "y1 x2", "y2 x1", "y2 x2"],
        ["x1 y1", "x2 y1", "x1 y2", "x2 y2"],
        ["col1 row1", "col2 row1", "col1 row2", "col2 row2"],
        ["loc-x1-y1", "loc-x2-y1", "loc-x1-y2", "loc-x2-y2"],
        ["p_c1_r1", "p_c2_r1", "p_c1_r2", "p_c2_r2"],
        ["row_1_col_1", "row_1_col_2", "row_2_col_1", "row_2_col_2"],
        ["p_1_1", "p_1_2", "p_2_1", "p_2_2"],
        ["p11", "p12", "p21", "p22"],
        ["p1", "p2", "p3", "p4"],
    ] {
        assert_eq!(file(&problem(positions)), ["1 2/3 0 -> 1 3/2 0"], "{positions:?}");
    }
    for positions in [
        ["a1 b1", "a1 b2", "a2 b1", "a2 b2"],
        ["loc_1_1", "loc_1_2", "loc_2_1", "loc_2_2"],
        ["l11", "l12", "l21", "l22"],
        ["r1 c1", "r1 c2", "c2 r1", "r2 c2"],
        ["x1 x1", "x1 x2", "x2 x1", "x2 x2"],
    ] {
        refused(&problem(positions), "may have the row or the column first");
    }
    let twice = problem(["p1", "p2", "p3", "p4"]);
    refused(&twice.replace("(:goal", "(:goal (at t1 p2)) (:goal"), "`(:goal …)` twice");
    refused(&twice.replace("(:init", "(:init (at t1 p2)) (:init"), "`(:init …)` twice");
}

#[test]
fn declared_sizes_of_lists_without_rows_count() {
    let tiles = "{1,2,3,4,5,6,7,8,9,10,11,12,13,14,0,15}";
    for name in ["int b[2][8]", "static const int b[2][8]", "int b[2, 8]"] {
        let text = format!("{name} = {tiles};\n");
        assert_eq!(file(&text), ["1 2 3 4 5 6 7 8/9 10 11 12 13 14 0 15"], "{text}");
    }
    refused(&format!("int b[3][5] = {tiles};\n"), "");
    let size = "4x4".parse().ok();
    let hints = Hints { size, blank: None };
    assert!(read_board(&format!("int b[2][8] = {tiles};"), hints).is_err());
    assert_eq!(file("int b[10][10] = {{1,2,3},{4,5,6},{7,0,8}};\n"), [BOARD]);
}

#[test]
fn two_numbers_before_the_tiles_may_be_a_size() {
    let tiles = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    for front in ["2 8", "4 4", "8 2"] {
        refused(&format!("{front} {tiles}\n"), "may be the size of the board, or the name");
        let text = format!("{front} {tiles}\n");
        let korf = Cases::new(text.as_bytes(), Format::Korf, None).next().unwrap().unwrap();
        assert_eq!(korf.expected, front[2..].parse().ok());
    }
    assert_eq!(file(&format!("7 41 {tiles}\n")), ["1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"]);
}

#[test]
fn other_encodings_are_named() {
    let text: Vec<u8> =
        [0xFEFF].into_iter().chain("1 2 3 0".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let cases = Cases::with_hints(text.as_slice(), Format::Auto, Hints::default());
    let first = cases.map(Result::unwrap).next().unwrap();
    assert!(first.board.unwrap_err().message.contains("UTF-16"));
}

#[test]
fn starts_with_common_words_count_next_to_goals() {
    let both = [format!("{BOARD} -> {GOAL}")];
    for [start, goal] in
        [["from", "to"], ["source", "destination"], ["src", "dst"], ["input", "target"]]
    {
        let json = format!("{{\"{start}\":\"123456708\",\"{goal}\":[1,2,3,4,5,6,0,7,8]}}");
        assert_eq!(file(&json), both, "{start}");
        let csv = format!("sep=;\n{start};{goal}\n123456708;123456078\n");
        assert_eq!(file(&csv), both, "{start}");
        let remark = record(&format!("\"{start}\":\"https://example.org/1,2\""));
        assert_eq!(file(&remark), [BOARD], "{start}");
        let other = record(&format!("\"{start}\":[1,2,3,4,5,6,0,7,8]"));
        refused(&other, "differ");
    }
}

#[test]
fn times_and_missing_values_are_neither_boards_nor_goals() {
    for fields in [
        "\"start\":\"2026-11-30T17:50:59\",\"end\":\"2026-11-30 17:51\"",
        "\"start\":\"17:50:59\",\"end\":\"2026/11/30\"",
        "\"start\":1790000000,\"end\":1790000001.5",
        "\"goal\":\"N/A\"",
        "\"target\":\"NaN\"",
        "\"order\":\"row-major\"",
    ] {
        assert_eq!(file(&record(fields)), [BOARD], "{fields}");
    }
    for fields in
        ["\"order\":\"column-major\"", "\"storage\":\"Fortran\"", "\"layout\":\"by columns\""]
    {
        refused(&record(fields), "row by row");
    }
    for fields in ["\"zero_pos\":3", "\"gap\":2", "\"blank_x\":0", "\"side\":4", "\"empty_y\":1"] {
        refused(&record(fields), "gives");
    }
}

#[test]
fn other_boards_of_a_record_are_found_in_any_form() {
    for fields in [
        "\"win\":\"A_BCDEFGH\"",
        "\"win\":\"3x3:1,0,2,3,4,5,6,7,8\"",
        "\"win\":\"1 B 2 3 4 5 6 7 8\"",
        "\"win\":\"[1, None, 2, 3, 4, 5, 6, 7, 8]\"",
        "\"win\":{\"tiles\":[1,0,2,3,4,5,6,7,8]}",
        "\"b\":[{\"tiles\":[1,0,2,3,4,5,6,7,8]}]",
        "\"win\":\"blank-first\"",
        "\"blank_first\":true",
        "\"note\":\"goal: 012345678\"",
    ] {
        refused(&record(fields), "has a board too");
    }
    for fields in ["\"goal_blank\":\"first\"", "\"goal_blank\":0", "\"blank_goal\":\"top-left\""] {
        refused(&record(fields), "is not understood");
    }
    refused(&record("\"goalIndex\":0"), "is not understood");
    assert_eq!(file(&record("\"g\":0,\"h\":2,\"f\":2")), [BOARD]);
    refused("board,moves\n102345678,1,012345678\n", "`012345678` has no name");
    for fields in
        ["\"solution\":\"RULDRULD\"", "\"title\":\"Labyrinth\"", "\"by\":\"The Makers of Puzzles\""]
    {
        assert_eq!(file(&record(fields)), [BOARD], "{fields}");
    }
}

/// A line may have many records.
#[test]
fn messages_show_a_part_of_long_lines_of_records() {
    let text = format!("{{\"board\":\"123456708\"}}\n{}\n", "{} ".repeat(2000));
    let cases = Cases::with_hints(text.as_bytes(), Format::Auto, Hints::default());
    let faults = cases.filter_map(|case| case.unwrap().board.err());
    assert!(faults.map(|error| error.to_string().len()).max() < Some(1000));
}
