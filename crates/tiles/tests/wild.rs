//! Files and texts from the wild: course files, judges' statements, literals of programs, drawn boards.

use std::io;

use loyd_tiles::notation::{Case, Cases, Format, Hints, read_board, slashes};

/// Returns the boards of a file, or its faults, each with its first line.
fn file(text: &str) -> Vec<String> {
    file_with(text, Hints::default())
}

fn file_with(text: &str, hints: Hints<'_>) -> Vec<String> {
    let cases: io::Result<Vec<Case>> =
        Cases::with_hints(text.as_bytes(), Format::Auto, hints).collect();
    let shown = |case: Case| match case.board {
        Ok(board) => format!("{}: {}", case.line, slashes(&board)),
        Err(error) => format!("{error}"),
    };
    cases.unwrap().into_iter().map(shown).collect()
}

#[track_caller]
fn is_board(text: &str, board: &str) {
    let read = read_board(text, Hints::default());
    let read = read.map(|read| slashes(&read.board).to_string());
    assert_eq!(read.as_deref(), Ok(board), "{text:?}");
}

/// One move from the goal, as in most of the texts below.
const NEAR: &str = "1 2 3/4 5 6/7 0 8";

#[test]
fn a_size_line_may_precede_one_board_or_each() {
    for text in [
        "3\n 1  2  3\n 4  5  6\n 7  0  8\n",
        "3 3\n1 2 3\n4 5 6\n7 0 8",
        "3x3\n1 2 3\n4 5 6\n7 0 8",
        "N = 3\n1 2 3\n4 5 6\n7 0 8",
        "size: 3\n1 2 3\n4 5 6\n7 0 8",
        "3\n1 2 3 4 5 6 7 0 8\n",
        "3\n1\n2\n3\n4\n5\n6\n7\n0\n8\n",
        "# a comment\n3\n1 2 3 # first row\n4 5 6\n\n7 0 8 #last\n",
        "3\n123\n456\n708\n",
    ] {
        let line = if text.starts_with('#') { 3 } else { 2 };
        assert_eq!(file(text), [format!("{line}: {NEAR}")], "{text:?}");
    }
    let two = "3\n1 2 3\n4 5 6\n7 0 8\n";
    assert_eq!(file(&two.repeat(2)), [format!("2: {NEAR}"), format!("6: {NEAR}")]);
    assert_eq!(file(&format!("{two}1 2 3\n4 5 6\n0 7 8\n"))[1], "5: 1 2 3/4 5 6/0 7 8");
    assert_eq!(file("2 3\n1 0 5\n4 3 2\n"), ["2: 1 0 5/4 3 2"]);
    assert_eq!(file("3 2\n1 0 5\n4 3 2\n"), ["2: 1 0 5/4 3 2"]);
    assert_eq!(file("2\n1 2\n3 0\n"), ["2: 1 2/3 0"]);
    let either = file("2 3\n1 0 5 4 3 2\n");
    assert!(either[0].contains("may be 2x3 or 3x2"), "{either:?}");
}

#[test]
fn board_count_line_is_not_a_tile() {
    let hard = "8 6 7 x 5 4 3 1 2";
    let read = "8 6 7/0 5 4/3 1 2";
    assert_eq!(file(&format!("2\n{hard}\n{hard}\n")), [format!("2: {read}"), format!("3: {read}")]);
    assert_eq!(file(&format!("1\n{hard}\n")), [format!("2: {read}")]);
    assert_eq!(
        file(&format!("2\n\n{hard}\n\n{hard}\n")),
        [format!("3: {read}"), format!("5: {read}")]
    );
    assert_eq!(
        file(
            "2\n2 3 4 0\n1 5 7 8\n9 6 10 12\n13 14 11 15\n13 1 2 4\n5 0 3 7\n9 6 10 12\n15 8 11 14\n"
        ),
        ["2: 2 3 4 0/1 5 7 8/9 6 10 12/13 14 11 15", "6: 13 1 2 4/5 0 3 7/9 6 10 12/15 8 11 14"]
    );
    assert_eq!(
        file("2\n2\n1 2\n3 0\n3\n1 2 3\n4 5 6\n7 0 8\n"),
        ["3: 1 2/3 0", "6: 1 2 3/4 5 6/7 0 8"]
    );
    let wrong = file(&format!("4\n{hard}\n{hard}\n"));
    assert_eq!(&wrong[..2], [format!("2: {read}"), format!("3: {read}")]);
    assert!(wrong[2].ends_with("the number of boards, 4, and there are 2"), "{wrong:?}");
    let faulty = file(&format!("2\n8 6 7 x 5 4 3 1 1\n{hard}\n"));
    assert!(faulty[0].contains("tile 1 appears twice"), "{faulty:?}");
    assert_eq!(faulty[1], format!("3: {read}"));
}

#[test]
fn boards_span_lines_only_if_every_line_break_agrees() {
    assert_eq!(file("1\n2\n3\n4\n5\n6\n7\n0\n8\n"), [format!("1: {NEAR}")]);
    assert_eq!(
        file("1 2 3 4 5 6 7 0 8 1 2 3 4 5 6 0 7 8\n"),
        [format!("1: {NEAR}"), "1: 1 2 3/4 5 6/0 7 8".to_owned()]
    );
    for text in
        ["1 2 3 4 5\n6 7 0 8\n", "1 2\n3 4 5 6 7 0 8\n", "1 2 3 4 5 6 7 0 8 1 2 3\n4 5 6 7 0 8\n"]
    {
        assert!(file(text).iter().all(|case| case.starts_with("line ")), "{:?}", file(text));
    }
}

#[test]
fn headings_separate_boards_and_name_goals() {
    let text = "Puzzle 1:\n1 2 3\n4 5 6\n7 0 8\n\nPuzzle 2:\n1 2 3\n4 5 6\n0 7 8\n";
    assert_eq!(file(text), [format!("2: {NEAR}"), "7: 1 2 3/4 5 6/0 7 8".to_owned()]);
    let text = "Initial state:\n1 2 3\n4 5 6\n7 0 8\nGoal state:\n0 1 2\n3 4 5\n6 7 8\n";
    let cases: Vec<Case> =
        Cases::new(text.as_bytes(), Format::Auto, None).collect::<io::Result<_>>().unwrap();
    assert_eq!(cases.len(), 1);
    assert_eq!(slashes(cases[0].board.as_ref().unwrap()).to_string(), NEAR);
    assert_eq!(slashes(cases[0].goal.as_ref().unwrap()).to_string(), "0 1 2/3 4 5/6 7 8");
    let drawn = "0\n┌───────┐\n│ 1 2 3 │\n│ 4 5 6 │\n│ 7 · 8 │\n└───────┘\n1 r\n┌───────┐\n│ 1 2 3 │\n│ 4 5 6 │\n│ 7 8 · │\n└───────┘\n";
    assert_eq!(file(drawn), [format!("3: {NEAR}"), "9: 1 2 3/4 5 6/7 8 0".to_owned()]);
}

#[test]
fn the_blank_has_many_names() {
    for blank in [
        "x", "X", "0", "_", "__", ".", "*", "-", "-1", "#", "b", "B", "None", "null", "\"\"",
        "\" \"", "''", "□", "⬜", "⬛", "9",
    ] {
        is_board(&format!("1 2 3 4 5 6 7 {blank} 8"), NEAR);
        is_board(&format!("1 2 3\n4 5 6\n7 {blank} 8\n"), NEAR);
        is_board(&format!("[[1,2,3],[4,5,6],[7,{blank},8]]"), NEAR);
        is_board(&format!("1 2 3/4 5 6/7 {blank} 8"), NEAR);
    }
    is_board("0 1 2 3 4 5 6 -1 7", NEAR);
    is_board("0 1 2/3 4 5/6 _ 7", NEAR);
    let with = |text: &str, blank| {
        let read = read_board(text, Hints { size: None, blank: Some(blank) });
        read.map(|read| slashes(&read.board).to_string()).map_err(|error| error.message)
    };
    assert_eq!(with("0 1 2 3 4 5 6 8 7", "8").as_deref(), Ok(NEAR));
    assert_eq!(with("1 2 3 4 5 6 7 E 8", "E").as_deref(), Ok(NEAR));
    assert_eq!(with("1 2 3 4 5 6 7 0 8", "0").as_deref(), Ok(NEAR));
    assert!(with("1 2 3 4 5 6 7 x 8", "0").unwrap_err().contains("`x` is not a tile"));
    assert!(with("1 2 3 4 5 6 7 0 8", "9").unwrap_err().contains("no cell shows it"));
    assert_eq!(
        with("0FD1C3B648952A7E", "F").as_deref(),
        Ok("1 0 14 2/13 4 12 7/5 9 10 6/3 11 8 15")
    );
}

#[test]
fn blank_may_be_a_gap() {
    for text in [
        "1,2,3\n4,5,6\n7,,8\n",
        "1,2,3,4,5,6,7,,8",
        "| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 |   | 8 |\n",
        "+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n| 4 | 5 | 6 |\n+---+---+---+\n| 7 |   | 8 |\n+---+---+---+\n",
        "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │ 5 │ 6 │\n├───┼───┼───┤\n│ 7 │   │ 8 │\n└───┴───┴───┘\n",
        "| | | |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | | 8 |\n",
        "1 | 2 | 3\n4 | 5 | 6\n7 |   | 8\n",
        "1 & 2 & 3 \\\\ 4 & 5 & 6 \\\\ 7 & & 8",
        "\\begin{tabular}{ccc}\n1 & 2 & 3 \\\\\n\\hline\n4 & 5 & 6 \\\\\n7 & & 8 \\\\\n\\end{tabular}\n",
        "1 2 3\n4 5 6\n7   8\n",
        "1\t2\t3\n4\t5\t6\n7\t\t8\n",
        "[['1','2','3'],['4','5','6'],['7','','8']]",
    ] {
        is_board(text, NEAR);
    }
    assert_eq!(
        file(" 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14    15\n"),
        ["1: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"]
    );
    assert_eq!(file("1 2 3\n4 5 6\n7 8\n"), ["1: 1 2 3/4 5 6/7 8 0"]);
    for text in ["1 2 3 4 5 6 7 8", "1,2,3,4,5,6,7,8", "1 2 3/4 5/6 7 8", "1,,,\n4,5,6\n7,3,8"] {
        assert!(read_board(text, Hints::default()).is_err(), "{text:?}");
    }
}

#[test]
fn literals_of_programs_are_boards() {
    for text in [
        "board = [[1,2,3],[4,5,6],[7,0,8]]",
        "board: [[1,2,3],[4,5,6],[7,0,8]]",
        "np.array([[1,2,3],[4,5,6],[7,0,8]])",
        "array([[1, 2, 3],\n       [4, 5, 6],\n       [7, 0, 8]])",
        "array([[1, 2, 3], [4, 5, 6], [7, 0, 8]], dtype=int32)",
        "int b[3][3] = {{1,2,3},{4,5,6},{7,0,8}};",
        "int[][] b = new int[][] {{1,2,3},{4,5,6},{7,0,8}};",
        "let board = vec![vec![1,2,3], vec![4,5,6], vec![7,0,8]];",
        "((1,2,3),(4,5,6),(7,0,8))",
        "[1, 2, 3, 4, 5, 6, 7, null, 8]",
        "[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\" \",\"8\"]",
        "[\"123\",\"456\",\"708\"]",
        "[\"1 2 3\",\"4 5 6\",\"7 0 8\"]",
        "1 2 3; 4 5 6; 7 0 8",
        "[1 2 3; 4 5 6; 7 0 8]",
        "123-456-708",
        "123|456|708",
        "1 2 3 | 4 5 6 | 7 0 8",
        "123 456 708",
        "1-2-3-4-5-6-7-0-8",
        "3x3:1,2,3,4,5,6,7,0,8",
        "1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣⬜8️⃣",
        "1️⃣2️⃣3️⃣\n4️⃣5️⃣6️⃣\n7️⃣⬜8️⃣",
        "'1 2 3 4 5 6 7 0 8'",
    ] {
        is_board(text, NEAR);
    }
}

#[test]
fn boards_are_read_from_source_code_and_messages() {
    for text in [
        "int[]{1, 2, 3, 4, 5, 6, 7, 0, 8}; // one move",
        "int[,] b = {\n  { 1, 2, 3 },\n  { 4, 5, 6 },\n  { 7, 0, 8 }\n};",
        "var b = new int[3,3] { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 0, 8 } };",
        "[3][3]int{{1, 2, 3}, {4, 5, 6}, {7, 0, 8}}",
        "$board = array(array(1, 2, 3), array(4, 5, 6), array(7, 0, 8));",
        "'((1 2 3) (4 5 6) (7 0 8))",
        "[[1,2,3],[4,5,6],[7,0,8]].",
        "[[Just 1,Just 2,Just 3],[Just 4,Just 5,Just 6],[Just 7,Nothing,Just 8]]",
        "array([[ 1.,  2.,  3.],\n       [ 4.,  5.,  6.],\n       [ 7., nan,  8.]])",
        "    1.0000    2.0000    3.0000\n    4.0000    5.0000    6.0000\n    7.0000       NaN    8.0000",
        "```\n1 2 3\n4 5 6\n7 0 8\n```\n",
        "> 1 2 3\n> 4 5 6\n> 7 0 8\n",
        "  > 1 2 3\n  > 4 5 6\n  > 7 0 8\n",
        ">>> board = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]",
        "1|2|3\n-+-+-\n4|5|6\n-+-+-\n7| |8\n",
        "|1|2|3|\n|:-:|:-:|:-:|\n|4|5|6|\n|7|0|8|\n",
        "1 2 3 // first row\n4 5 6 % second row\n7 0 8 -- third row\n",
        "% from a file of MATLAB\nA = [1 2 3; 4 5 6; 7 0 8]\n",
    ] {
        is_board(text, NEAR);
    }
}

#[test]
fn letters_are_read_if_no_other_reading_fits() {
    is_board("FE169B4C0A73D852", "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2");
    is_board("ABCDEFGHIJKLMN_O", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15");
    is_board("A B C D E F G _ H", NEAR);
    is_board("ABC/DEF/GXH", NEAR);
    is_board("1 2 3 4 5 6 7 8 9 A B C D E 0 F", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15");
    assert!(read_board("ABCDEFGHIJKLMN_P", Hints::default()).is_err());
    assert!(read_board("FE169B4C0A73D85F", Hints::default()).is_err());
}

#[test]
fn instance_length_comes_first_or_last_or_is_omitted() {
    let tiles = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    for (line, id, length) in [
        (format!("1 57 {tiles}\n"), Some("1"), Some(57)),
        (format!("1 {tiles} 57\n"), Some("1"), Some(57)),
        (format!("00 {tiles}\n"), Some("00"), None),
        (format!("{tiles} 57\n"), None, Some(57)),
    ] {
        let mut cases = Cases::new(line.as_bytes(), Format::Auto, None);
        let case = cases.next().unwrap().unwrap();
        assert_eq!(
            case.board
                .unwrap()
                .numbers()
                .map(u32::from)
                .map(|n| n.to_string())
                .collect::<Vec<_>>()
                .join(" "),
            tiles
        );
        assert_eq!((case.id.as_deref(), case.expected), (id, length), "{line}");
    }
}

#[test]
fn records_and_columns_are_boards() {
    let near = |line: usize| format!("{line}: {NEAR}");
    let lines = "{\"puzzle\":[[1,2,3],[4,5,6],[7,0,8]]}\n{\"state\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"0\",\"8\"]}\n{\"board\":\"1234567xx\"}\n{\"board\":[[1,2,3],[4,5,6],[7,null,8]]}\n";
    let read = file(lines);
    assert_eq!([&read[0], &read[1], &read[3]], [&near(1), &near(2), &near(4)]);
    assert!(read[2].starts_with("line 3, column 9: the blank appears twice"), "{}", read[2]);
    let pretty =
        "{\n  \"id\": 7,\n  \"board\": [\n    [1, 2, 3],\n    [4, 5, 6],\n    [7, 0, 8]\n  ]\n}\n";
    assert_eq!(file(&pretty.repeat(2)), [near(1), near(9)]);
    assert_eq!(
        file("[\n{\"board\":\"123456708\"},\n{\"tiles\":[1,2,3,4,5,6,7,0,8]}\n]\n"),
        [near(2), near(3)]
    );
    assert_eq!(file("[[1,2,3,4,5,6,7,0,8],\n[1,2,3,4,5,6,7,0,8]]\n"), [near(1), near(2)]);
    assert_eq!(file("[[[1,2,3],[4,5,6],[7,0,8]]]\n"), [near(1)]);
    assert_eq!(file("[\"123456708\", \"1 2 3/4 5 6/7 0 8\"]\n"), [near(1), near(1)]);
    let broken =
        file("{\"board\":\"123456708\"\n{\"board\":\"123456708\"}\n{\"board\":5}\n{\"x\":1}\n");
    assert!(broken[0].starts_with("line 1") && broken[0].contains("not JSON"), "{broken:?}");
    assert_eq!(broken[1], near(2));
    assert!(broken[3].contains("no board"), "{broken:?}");
    let lines = file(
        "{\"board\":\"123456708\"}\n{\"board\":\"123456708\"\n[1]\n{\"board\":\"123456708\"}\n",
    );
    assert_eq!(
        [&lines[0], &lines[3]],
        [&near(1), &near(4)],
        "a faulty line hides no other: {lines:?}"
    );
    for text in [
        "id,board,length\n1,\"1 2 3 4 5 6 7 0 8\",1\n",
        "id\tState\n1\t123456708\n",
        "puzzle;moves\n1,2,3,4,5,6,7,0,8;r\n",
    ] {
        assert_eq!(file(text), [near(2)], "{text:?}");
    }
    let goal = Cases::new(
        "{\"board\":\"12/3x\",\"goal\":\"blank-first\",\"id\":\"a\"}".as_bytes(),
        Format::Auto,
        None,
    );
    let case = goal.map(Result::unwrap).next().unwrap();
    assert_eq!((case.id.as_deref(), case.goal_text.as_deref()), (Some("a"), Some("blank-first")));
}

#[test]
fn planning_problems_and_positions_have_their_goals() {
    let cases = |text: &str| -> Vec<(String, String)> {
        let cases = Cases::new(text.as_bytes(), Format::Auto, None).map(Result::unwrap);
        let goal = |case: &Case| match (&case.goal, &case.goal_text) {
            (Some(goal), _) => slashes(goal).to_string(),
            (None, text) => text.clone().unwrap_or_default(),
        };
        cases.map(|case| (slashes(case.board.as_ref().unwrap()).to_string(), goal(&case))).collect()
    };
    let wanted = [("0 1/3 2".to_owned(), "1 2/3 0".to_owned())];
    for text in [
        "(define (problem p) (:domain strips-sliding-tile) (:objects t1 t2 t3 x1 x2 y1 y2)\n (:init (tile t1) (blank x1 y1) (at t1 x2 y1)\n (at t3 x1 y2) (at t2 x2 y2) (inc x1 x2))\n (:goal (and (at t1 x1 y1) (at t2 x2 y1) (at t3 x1 y2))))\n",
        "; typed\n(define (problem p)\n (:init (at t_1 p_1_2) (at t_2 p_2_2) (at t_3 p_2_1) (empty p_1_1))\n (:goal (and (at t_1 p_1_1) (at t_2 p_1_2) (at t_3 p_2_1))))\n",
        "(define (problem p) (:init (at p2 t1) (at p4 t2) (at p3 t3) (blank p1)) (:goal (and (at p1 t1) (at p2 t2) (at p3 t3))))",
        "(define (problem p) (:init (at tile1 x2y1) (at tile2 x2y2) (at tile3 x1y2) (blank x1y1)) (:goal (and (at tile1 x1y1) (at tile2 x2y1) (at tile3 x1y2) (blank x2y2))))",
    ] {
        assert_eq!(cases(text), wanted, "{text}");
    }
    let part = "(define (problem p) (:init (at t1 p1) (at t2 p2) (at t3 p3) (blank p4)) (:goal (at t2 p1)))";
    assert_eq!(cases(part), [("1 2/3 0".to_owned(), "2 */* *".to_owned())]);
    let positions =
        "2 2\nstarting positions for each tile:\n0\n1\n3\n2\ngoal positions:\n3\n0\n1\n2\n";
    assert_eq!(cases(positions), wanted);
}
