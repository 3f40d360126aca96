//! The three-line format (start, index of the blank, goal), valid and damaged.

use loyd_tiles::notation::{Format, slashes};

use crate::{all, detected, line_of, read};

#[test]
fn three_line_files() {
    let text = "8 3 5 1 2 7 4 6 0\n8\n1 2 3 4 5 6 7 8 0\n";
    for (text, cases) in [(text.to_owned(), 1), (text.replace('\n', "\r\n\n").repeat(2), 2)] {
        let found = all(text.as_bytes(), Format::ThreeLines, None);
        assert_eq!(found.len(), cases);
        for case in found {
            assert_eq!(slashes(&case.board.unwrap()).to_string(), "8 3 5/1 2 7/4 6 0");
            assert_eq!(slashes(&case.goal.unwrap()).to_string(), "1 2 3/4 5 6/7 8 0");
        }
    }
    for (text, expected) in [
        (
            "8 3 5 1 2 7 4 6 0\n 5\n1 2 3 4 5 6 7 8 0",
            "1: line 2, column 2: the index of the blank is 8, not 5",
        ),
        (
            "8 3 5 1 2 7 4 6 0\n9\n1 2 3 4 5 6 7 8 0",
            "1: line 2, column 1: index 9 is out of range: the blank is at 8 of 0 to 8",
        ),
        (
            "8 3 5 1 2 7 4 6 0\nq\n1 2 3 4 5 6 7 8 0",
            "1: line 2, column 1: `q` is not an index of the blank, here 8",
        ),
        (
            "8 3 5 1 2 7 4 6 6\n8\n1 2 3 4 5 6 7 8 0",
            "1: line 1, column 17: tile 6 appears twice (cells 8 and 9); the blank is missing",
        ),
        (
            "8 3 5 1 2 7 4 6 0\n8\n1 2 3 4 5 6 7 8",
            "1: line 3, column 16: 8 tiles and no blank, which may be in any of 9 places",
        ),
        (
            "8 3 5 1 2 7 4 6 0\n8\n",
            "1: line 2, column 2: the goal is missing: three lines are needed: start, index of the \
             blank, goal",
        ),
        (
            "8 3 5 1 2 7 4 6 0",
            "1: line 1, column 18: the index of the blank is missing: three lines are needed: start, \
             index of the blank, goal",
        ),
    ] {
        assert_eq!(read(text, Format::ThreeLines, None), [expected]);
    }
}

#[test]
fn damaged_three_line_files_are_not_read_with_another_goal() {
    let goal = "0 1 2 3 4 5 6 7 8\n";
    for (index, rest, expected) in [
        ("8", "", "line 2, column 2: the goal is missing: three lines are needed"),
        ("\n8", "\n\n", "line 3, column 2: the goal is missing: three lines are needed"),
        ("-1", goal, "line 2, column 1: index -1 is out of range: the blank is at 8 of 0 to 8"),
        ("9", goal, "line 2, column 1: index 9 is out of range: the blank is at 8 of 0 to 8"),
        ("5", goal, "line 2, column 1: the index of the blank is 8, not 5"),
        ("8", "0 1 2 3 4 5 6 7\n", "line 3, column 16: 8 tiles where 9 are needed"),
        ("8", "0 1 2 3 4 5 6 7 7\n", "line 3, column 17: tile 7 appears twice"),
        ("8", "q\n", "line 3, column 1: `q` is not a tile"),
    ] {
        let text = format!("8 3 5 1 2 7 4 6 0\n{index}\n{rest}");
        for text in [text.replace('\n', "\r\n"), text] {
            assert_eq!(detected(&text, None), Format::ThreeLines, "{text:?}");
            let cases = read(&text, Format::Auto, None);
            assert_eq!(cases.len(), 1, "{text:?}");
            assert!(cases[0].starts_with(&format!("1: {expected}")), "{}", cases[0]);
        }
    }
    for surplus in ["2 3 4 1 5 x 7 6 8", " more", "8"] {
        let text = format!("8 3 5 1 2 7 4 6 0\n8\n{goal}\n{surplus}\n");
        let cases = all(text.as_bytes(), Format::Auto, None);
        assert_eq!(slashes(cases[0].goal.as_ref().unwrap()).to_string(), "0 1 2/3 4 5/6 7 8");
        let column = surplus.len() - surplus.trim_start().len() + 1;
        let expected = format!("5: line 5, column {column}: a line too many after the goal");
        assert_eq!((cases.len(), line_of(&cases[1])), (2, expected));
    }
}
