//! Texts that a reader could mistake for boards that they do not contain.

use std::io;

use loyd_tiles::notation::{Case, Cases, Format, Hints, read_board, slashes};

/// Returns the boards of a file, with goals after `->`, or its faults, each with its line.
fn file(text: &str) -> Vec<String> {
    let cases: io::Result<Vec<Case>> =
        Cases::with_hints(text.as_bytes(), Format::Auto, Hints::default()).collect();
    let shown = |case: Case| match (case.board, case.goal) {
        (Ok(board), None) => format!("{}: {}", case.line, slashes(&board)),
        (Ok(board), Some(goal)) => {
            format!("{}: {} -> {}", case.line, slashes(&board), slashes(&goal))
        }
        (Err(error), _) => format!("{}! {}", error.line, error.message),
    };
    cases.unwrap().into_iter().map(shown).collect()
}

/// Checks that no board is read, and that the first fault contains `message`.
#[track_caller]
fn refused(text: &str, message: &str) {
    let read = file(text);
    assert!(read.iter().all(|case| case.contains('!')), "{text:?}: {read:?}");
    assert!(read.first().is_some_and(|first| first.contains(message)), "{text:?}: {read:?}");
}

const BOARD: &str = "1 8 2/0 4 3/7 6 5";

#[test]
fn board_after_a_heading_is_read() {
    for text in [
        "Board: 1 8 2 0 4 3 7 6 5",
        "Puzzle 1: 182043765",
        "puzzle-1: 1 8 2 0 4 3 7 6 5",
        "Instance 5: [[1,8,2],[0,4,3],[7,6,5]]",
        "start 182043765",
        "Test 1 - 182043765",
        "Start: 1 8 2\n       0 4 3\n       7 6 5",
        "Start 1 8 2\n0 4 3\n7 6 5\n",
        "A =\n\n  1 8 2\n  0 4 3\n  7 6 5\n",
    ] {
        let read = file(text);
        assert!(read.len() == 1 && read[0].ends_with(BOARD), "{text:?}: {read:?}");
    }
    let two = file("Case #1: 182043765\nCase #2: 123456708\n");
    assert_eq!(two, [format!("1: {BOARD}"), "2: 1 2 3/4 5 6/7 0 8".to_owned()]);
    let mixed = file("Board: 1 8 2 0 4 3 7 6 5\n1 2 3 4 5 6 7 8 0\n");
    assert_eq!(mixed, [format!("1: {BOARD}"), "2: 1 2 3/4 5 6/7 8 0".to_owned()]);
    refused("Board: 1 8 2 0 4 3 7 6 6", "tile 6 appears twice");
}

#[test]
fn goals_are_never_boards_to_solve() {
    let read = [format!("1: {BOARD} -> 1 2 3/8 0 4/7 6 5")];
    for text in [
        "start = [1,8,2,0,4,3,7,6,5]\ngoal = [1,2,3,8,0,4,7,6,5]\n",
        "initial_state = [[1,8,2],[0,4,3],[7,6,5]]\ngoal_state = [[1,2,3],[8,0,4],[7,6,5]]\n",
        "int START[9] = {1,8,2,0,4,3,7,6,5};\nint GOAL[9] = {1,2,3,8,0,4,7,6,5};\n",
        "Initial state: [[1,8,2],[0,4,3],[7,6,5]]\nGoal state: [[1,2,3],[8,0,4],[7,6,5]]\n",
        "Initial: 1 8 2 0 4 3 7 6 5\nGoal: 1 2 3 8 0 4 7 6 5\n",
        "start 182043765\ngoal 123804765\n",
    ] {
        assert_eq!(file(text), read, "{text:?}");
    }
    let first = file("Goal:\n1 2 3\n8 0 4\n7 6 5\nStart:\n1 8 2\n0 4 3\n7 6 5\n");
    assert_eq!(first, [format!("6: {BOARD} -> 1 2 3/8 0 4/7 6 5")]);
    refused("goal = [1,2,3,8,0,4,7,6,5]\n", "this goal has no board");
    refused("Goal:\n1 2 3\n8 0 4\n7 6 5\n", "this goal has no board");
    let second =
        "Start:\n1 8 2\n0 4 3\n7 6 5\nGoal:\n1 2 3\n8 0 4\n7 6 5\nGoal:\n1 2 3\n4 5 6\n7 8 0\n";
    assert_eq!(file(second).len(), 2);
    assert!(file(second)[1].contains("has no board"), "{:?}", file(second));
    let late = format!("{}goal 123456780\n", "1 8 2 0 4 3 7 6 5\n".repeat(40));
    assert!(file(&late)[40].contains("this goal has no board"), "{:?}", file(&late)[40]);
}

#[test]
fn rows_starting_with_a_hash_are_not_comments() {
    for text in [
        "1 2 3\n4 5 6\n# 7 8\n",
        "123\n456\n#78\n",
        "1 2 3 4\n5 6 7 8\n9 10 11 12\n# 13 14 15\n",
        "# 1 2\n3 4 5\n6 7 8\n",
        "1 2 3\n# 4 5\n6 7 8\n",
        "1 2 3\n4 5 6\n// 7 8\n",
        "1 2 3\n% 4 5\n6 7 8\n",
    ] {
        refused(text, "may be a comment, or a row");
    }
    for text in [
        "# 1 2 3 4 5 6 7 8 0\n1 8 2 0 4 3 7 6 5\n",
        "# 3\n1 8 2\n0 4 3\n7 6 5\n",
        "# puzzle 12\n182043765\n# 7\n",
    ] {
        let read = file(text);
        assert!(read.len() == 1 && read[0].ends_with(BOARD), "{text:?}: {read:?}");
    }
}

#[test]
fn separated_rows_are_not_boards() {
    for text in [
        "1 2 3 4\n\n5 6 7 8\n\n9 10 11 0\n\n13 14 15 12\n",
        "3 1 2 0\n4 5 6 7\n8 9 10 11\n12 13 15 15\n",
        "3 1 2 0\n4 5 6 7\n8 9 1O 11\n12 13 14 15\n",
        "- 1 2 3\n- 4 5 6\n- 7 0 8\n",
        "   0  1  2\n0  1  3  2\n1  0  4  5\n2  7  6  8\n",
        "1 | 3 2 0\n2 | 4 5 6\n3 | 7 8 1\n",
        "tiles = [\n  [1, 2, 3, 4],\n  [5, 6, 7, 8],\n  [9, 10, 11, 0],\n  [13, 14, 15, 15]\n]\n",
        "board[0] = {1, 2, 3, 4};\nboard[1] = {5, 6, 7, 8};\nboard[2] = {9, 10, 11, 0};\n",
    ] {
        refused(text, "");
    }
    let read = file("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n\n1 2 3 4\n");
    assert!(read.len() == 2 && read[1].contains('!'), "{read:?}");
}

/// The rest of a board may make a smaller one.
#[test]
fn board_that_is_cut_off_is_no_smaller_board() {
    let read = file("2 3 4\n1 5 0\n7 6 8\n1 2 3\n4 5 6\n");
    assert_eq!(read, ["4! this board has 2 rows, and the previous one is 3x3"]);
    // A blank line separates boards of different sizes.
    assert_eq!(file("2 3 4\n1 5 0\n7 6 8\n\n1 2 3\n4 5 0\n")[1], "5: 1 2 3/4 5 0");
}

#[test]
fn goals_in_other_fields_are_goals_if_they_are_boards() {
    let goals = |text: &str| -> Vec<Option<String>> {
        let cases = Cases::with_hints(text.as_bytes(), Format::Auto, Hints::default());
        cases.map(|case| case.unwrap().goal_text).collect()
    };
    let goal = "0 1 2 3 4 5 6 7 8";
    for name in ["goal", "target", "final", "end", "Goal_State"] {
        let csv = format!("start,{name}\n1 8 2 0 4 3 7 6 5,{goal}\n1 8 2 0 4 3 7 6 5,\n");
        assert_eq!(goals(&csv), [Some(goal.to_owned()), None], "{name}");
        let json = format!("{{\"board\": \"{BOARD}\", \"{name}\": \"{goal}\"}}\n");
        assert_eq!(goals(&json), [Some(goal.to_owned())], "{name}");
    }
    // A label.
    for target in ["9", "10", "easy"] {
        assert_eq!(goals(&format!("board,target\n1 8 2 0 4 3 7 6 5,{target}\n")), [None]);
    }
}

#[test]
fn one_number_per_line_is_a_column_only_if_it_fills_no_square() {
    let column =
        |numbers: &[u32]| numbers.iter().map(|number| format!("{number}\n")).collect::<String>();
    let fifteen = [8, 11, 0, 3, 1, 2, 13, 4, 5, 14, 6, 7, 15, 9, 10, 12];
    let read = read_board(&column(&fifteen), Hints::default()).unwrap();
    assert_eq!(read.notes, ["read as 4x4 boards with one tile on each line"]);
    let slashes = column(&fifteen).replace('\n', "/");
    let read = read_board(&slashes, Hints::default()).unwrap();
    assert_eq!(read.board.size().width(), 1);
    refused(slashes.trim_end_matches('/'), "4x4 board with one tile on each line, or a column");
    refused("0/8/1/2/4/3/7/6/5", "may be a 3x3 board");
    assert_eq!(file("0/1/2/3/4"), ["1: 0/1/2/3/4"]);
    assert_eq!(file("0/1/2/3/"), ["1: 0/1/2/3/"]);
    for size in ["4\n", "4 4\n", "4x4\n"] {
        let read = file(&format!("{size}{}", column(&fifteen)));
        assert_eq!(read, ["2: 8 11 0 3/1 2 13 4/5 14 6 7/15 9 10 12"]);
    }
    let large: Vec<u32> = (0..25).rev().collect();
    assert_eq!(file(&format!("5\n{}", column(&large)).repeat(2)).len(), 2);
}

#[test]
fn semicolons_separate_fields_or_rows() {
    let fifteen = "1 2 3 4/5 6 7 8/9 10 11 0/13 14 15 12";
    assert_eq!(file("1;2;3;4\n5;6;7;8\n9;10;11;0\n13;14;15;12\n"), [format!("1: {fifteen}")]);
    assert_eq!(file("1 2 3 4;5 6 7 8;9 10 11 0;13 14 15 12\n"), [format!("1: {fifteen}")]);
    refused("1;8;2;0;4;3;7;6;5", "may be a 3x3 board");
    refused("1;2;3;4\n5;6;7;8\n9;10;11;\n13;14;15;12\n", "row 3 has 3 tiles and no blank");
}

#[test]
fn tall_boards_are_read_without_size() {
    for side in [34, 60, 100] {
        let row = |row: usize| {
            (0..side).map(|column| (row * side + column).to_string()).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = (0..side).map(row).collect();
        let plain: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
        let list: Vec<String> = rows.iter().map(|row| format!("[{}]", row.join(", "))).collect();
        for text in [plain.join("\n"), format!("[{}]\n", list.join(",\n "))] {
            let read = file(&text);
            assert!(
                read.len() == 1 && read[0].starts_with("1: 0 1 2 "),
                "{side}: {:.100}",
                read[0]
            );
        }
    }
}

#[test]
fn wrong_board_count_is_reported() {
    let boards = "1 8 2 0 4 3 7 6 5\n1 2 3 4 5 6 7 8 0\n";
    assert_eq!(
        file(&format!("1\n{boards}")),
        [
            format!("2: {BOARD}"),
            "3! the first line gives the number of boards, 1, and there are more".to_owned()
        ]
    );
    let few = file(&format!("5\n{boards}"));
    assert_eq!(few[2], "3! the first line gives the number of boards, 5, and there are 2");
}

#[test]
fn faulty_lines_are_read_in_linear_time() {
    // Each line would be joined to all lines after it if the search for a taller board were not bounded.
    for line in ["hello world foo\n", "hello 2 foo\n", "hello 2 foo\n\n"] {
        let faults = if line.ends_with("\n\n") { 20_000 } else { 1 };
        assert_eq!(file(&line.repeat(20_000)).len(), faults, "{line:?}");
    }
}

#[test]
fn columns_with_different_boards_are_rejected() {
    let header = "board,state\n";
    refused(
        &format!("{header}182043765,123456708\n"),
        "boards in `board` and `state`, which differ",
    );
    assert_eq!(file(&format!("{header}182043765,182043765\n")), [format!("2: {BOARD}")]);
}

#[test]
fn records_with_a_repeated_key_are_rejected() {
    let records = [
        r#"{"board":"182043765","board":"123456708"}"#,
        r#"{"board":"182043765","goal":"123456780","goal":"123804765"}"#,
        r#"[{"board":"182043765","board":"123456708"}]"#,
    ];
    for record in records {
        refused(record, "the record is ambiguous: the key `");
    }
    let texts = file("{\"board\":\"1\",\"board\":\"2\"}\n{\"board\":\"182043765\"}\n");
    assert!(texts[0].contains("ambiguous"), "{texts:?}");
    assert_eq!(texts[1..], [format!("2: {BOARD}")]);
}

#[test]
fn negative_numbers_of_lists_are_not_split() {
    for text in ["[[-1]]", "[-1]", "[-12345678]", "{-3}", "[[-12],[-30]]"] {
        refused(text, "");
    }
    // Without brackets, a hyphen is a blank.
    let text = "-12/345/678";
    assert_eq!(
        slashes(&read_board(text, Hints::default()).unwrap().board).to_string(),
        "0 1 2/3 4 5/6 7 8"
    );
}

#[test]
fn text_after_a_record_is_not_ignored() {
    let record = r#"{"board": [[1,2],[3,0]]}"#;
    for before in ["", "\n "] {
        for after in ["[", "x", "\n["] {
            let read = file(&format!("{before}{record}{after}\n"));
            assert_eq!(read.len(), 2, "{read:?}");
            assert!(read[0].ends_with(": 1 2/3 0") && read[1].contains("! the record is not JSON"));
        }
        for (open, close) in [("[", "]"), ("[\n", "\n]")] {
            let read = file(&format!("{before}{open}{record}, {record}{close}\n"));
            assert_eq!(read.len(), 2, "{read:?}");
            assert!(read.iter().all(|case| case.ends_with(": 1 2/3 0")), "{read:?}");
        }
    }
}
