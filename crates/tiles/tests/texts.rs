//! Goals, headings, titles and rows of texts: no board is solved to a goal that was not given for it, and no board is
//! read that was not given.

use std::io;

use loyd_tiles::notation::{Case, Cases, Format, Hints, slashes};

/// Boards in one line: `N` is one move from the usual goal and from `G`.
const N: &str = "1 2 3 4 5 6 7 0 8";
const G: &str = "1 2 3 4 5 6 0 7 8";
const H: &str = "1 2 3 0 5 6 4 7 8";

/// The same boards in rows.
const N_ROWS: &str = "1 2 3\n4 5 6\n7 0 8\n";
const G_ROWS: &str = "1 2 3\n4 5 6\n0 7 8\n";
const H_ROWS: &str = "1 2 3\n0 5 6\n4 7 8\n";

/// Replaces `{N}`, `{G}`, `{H}` and `{n}`, `{g}`, `{h}` by the boards in one line and in rows.
fn text(template: &str) -> String {
    let mut text = template.to_owned();
    for (name, board) in
        [("{N}", N), ("{G}", G), ("{H}", H), ("{n}", N_ROWS), ("{g}", G_ROWS), ("{h}", H_ROWS)]
    {
        text = text.replace(name, board);
    }
    text
}

/// Returns `N`, `G` or `H` for a board.
fn name(board: &str) -> String {
    let of = |text: &str| text.split([' ', '/']).collect::<Vec<_>>().join(" ");
    let names = [(N, "N"), (G, "G"), (H, "H")];
    names.iter().find(|(text, _)| of(board) == *text).map_or(board, |(_, name)| *name).to_owned()
}

/// Returns the cases of a text: `N`, `N -> G`, or `! 3` for a fault on line 3.
fn read(template: &str) -> Vec<String> {
    let text = text(template);
    let cases = Cases::with_hints(text.as_bytes(), Format::Auto, Hints::default());
    let shown = |case: Case| {
        let goal = case.goal.map(|goal| name(&slashes(&goal).to_string())).or(case.goal_text);
        match (case.board, goal) {
            (Ok(board), None) => name(&slashes(&board).to_string()),
            (Ok(board), Some(goal)) => format!("{} -> {goal}", name(&slashes(&board).to_string())),
            (Err(error), _) => format!("! {}", error.line),
        }
    };
    cases.collect::<io::Result<Vec<Case>>>().unwrap().into_iter().map(shown).collect()
}

/// Checks the cases of each text, with commas between them.
#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (template, wanted) in table {
        assert_eq!(read(template).join(", "), *wanted, "{template:?}");
    }
}

/// Returns the messages of the faults of a text.
fn messages(template: &str) -> Vec<String> {
    let text = text(template);
    let cases = Cases::with_hints(text.as_bytes(), Format::Auto, Hints::default());
    let faults = cases.filter_map(|case| case.unwrap().board.err());
    faults.map(|error| format!("{} = {}", error.message, error.help.unwrap_or_default())).collect()
}

#[test]
fn goals_directly_before_or_behind_a_board_are_its_goals() {
    check(&[
        ("Start: {N}\nGoal: {G}\n", "N -> G"),
        ("Goal: {G}\nStart: {N}\n", "N -> G"),
        ("Puzzle 1:\nGoal: {G}\nStart: {N}\n", "N -> G"),
        (
            "def main():\n    goal = [1,2,3,4,5,6,0,7,8]\n    start = [1,2,3,4,5,6,7,0,8]\n",
            "N -> G",
        ),
        ("class P:\n    GOAL = [1,2,3,4,5,6,0,7,8]\n    board = [1,2,3,4,5,6,7,0,8]\n", "N -> G"),
        ("import heapq\ngoal = [1,2,3,4,5,6,0,7,8]\nstart = [1,2,3,4,5,6,7,0,8]\n", "! 1, N -> G"),
        ("Puzzle 1\nGoal:\n{g}Start:\n{n}\nPuzzle 2\nGoal:\n{n}Start:\n{h}", "N -> G, H -> N"),
        ("Goal 1: {G}\nStart 1: {N}\nGoal 2: {N}\nStart 2: {H}\n", "N -> G, H -> N"),
        ("3\nStart:\n{n}Goal:\n{g}", "N -> G"),
        ("Goal: 1 2 3\n4 5 6\n0 7 8\nStart: 1 2 3\n4 5 6\n7 0 8\n", "N -> G"),
        ("Initial\n{n}\nFinal\n{g}\nInitial\n{h}\nFinal\n{n}", "N -> G, H -> N"),
        ("From:\n{n}To:\n{g}", "N -> G"),
        ("Startzustand:\n{n}Zielzustand:\n{g}", "N -> G"),
        ("start([1,2,3,4,5,6,7,0,8]).\nsolved([1,2,3,4,5,6,0,7,8]).\n", "N -> G"),
        ("src = [1,2,3,4,5,6,7,0,8]\ndst = [1,2,3,4,5,6,0,7,8]\n", "N -> G"),
        (
            "start = [\n [1,2,3],\n [4,5,6],\n [7,0,8]\n]\n\ngoal = [\n [1,2,3],\n [4,5,6],\n [0,7,8]\n]\n",
            "N -> G",
        ),
        ("Puzzle 1\n{n}Goal: spiral\nPuzzle 2\n{h}Goal: Snake\n", "N -> spiral, H -> snake"),
        ("private final int[] board = {1,2,3,4,5,6,7,0,8};\n", "N"),
    ]);
}

#[test]
fn goals_and_boards_that_make_no_pair_are_refused() {
    check(&[
        // Lines of a program between them.
        (
            "goal = [1,2,3,4,5,6,0,7,8]\n\ndef f(a, b):\n    return a\n\nstart = [1,2,3,4,5,6,7,0,8]\n",
            "! 1, ! 4, ! 6",
        ),
        (
            "start = [1,2,3,4,5,6,7,0,8]\nimport heapq\ngoal = [1,2,3,4,5,6,0,7,8]\n",
            "! 1, ! 2, ! 3",
        ),
        // One goal for several boards.
        ("goal: {G}\n{N}\n{H}\n", "N -> G, ! 3"),
        ("Goal:\n{g}\nBoards:\n{n}\n{h}", "N -> G, ! 11"),
        ("Puzzles:\n{n}\n{h}\nGoal:\n{g}", "! 2, ! 6"),
        ("{N}\n{H}\ngoal: {G}\n", "N, H, ! 3"),
        ("Goal:\n{g}{n}{h}", "N -> G, ! 8"),
        ("Goal: spiral\n\n{n}\n{h}", "N -> spiral, ! 7"),
        ("Goal of all puzzles:\n{g}\n{n}\n{h}", "! 1, ! 6, ! 10"),
        // Nothing under the heading of a goal, or no goal.
        ("Goal:\nStart: {N}\n", "! 1"),
        ("Goal: default\nStart: {N}\n", "! 1"),
        ("Puzzle 1\n{n}Goal:\nPuzzle 2\n{h}Goal:\n{g}", "! 5, H -> G"),
        ("end = time.time()\nstart = [1,2,3,4,5,6,7,0,8]\n", "! 1"),
        ("# goal\n# 1 2 3\n# 4 5 6\n# 0 7 8\n\n{n}\n{h}", "! 2, ! 10"),
        // Another puzzle between them.
        ("Puzzle 1\nGoal: {G}\nPuzzle 2\nStart: {N}\n", "! 2, ! 4"),
        ("Puzzle 1\nStart: {N}\nPuzzle 2\nGoal: {G}\nPuzzle 3\nStart: {H}\n", "! 2, ! 4, ! 6"),
        // The order of the first pair.
        ("Start: {N}\nGoal: {G}\nGoal: {H}\nStart: {N}\n", "N -> G, ! 3, ! 4"),
        ("Start: 1 2 3 4 5 6 7 8 8\nGoal: {G}\nStart: {N}\nGoal: {H}\n", "! 1, ! 3"),
        ("limit = 30\ngoal = {G}\nstart = {N}\n", "! 1, ! 3"),
        ("Goal: {G}\nStart: 1 2 3 4 5 6 7 8 8\nStart: {N}\n", "! 2, ! 3"),
    ]);
    let late = [&"{N}\n".repeat(40), "goal: {G}\n{H}\n"].concat();
    assert_eq!(read(&late)[39..], ["N", "! 41", "! 42"]);
    for message in messages("goal: {G}\n{N}\n{H}\n") {
        assert!(message.contains("no goal") && message.contains("--goal"), "{message}");
    }
}

#[test]
fn headings_that_may_be_goals_are_refused_and_others_are_read() {
    check(&[
        (
            "Puzzle 1 (3 moves to goal):\n{n}Puzzle 2 (5 moves to goal):\n{h}Puzzle 3:\n{g}",
            "! 1, ! 5, G",
        ),
        ("Final exam, problem 1:\n{n}Final exam, problem 2:\n{h}", "! 1, ! 5"),
        ("Puzzle 1, finish by Monday:\n{n}Puzzle 2:\n{h}", "! 1, H"),
        ("Case 1: {N}\nCase 2 (far from goal): {H}\nCase 3: {G}\n", "! 1, ! 2, G"),
        ("Target puzzle 1:\n{n}Target puzzle 2:\n{h}", "! 1, ! 5"),
        (
            "near_goal = [[1,2,3],[4,5,6],[7,0,8]]\nfar_from_goal = [[1,2,3],[0,5,6],[4,7,8]]\n",
            "! 1, ! 2",
        ),
        ("{n}end:\n{h}end:\n", "! 1, ! 4, ! 8"),
    ]);
    let found = messages("Final exam:\n{n}");
    assert!(found[0].contains("`Final exam` may be the heading of a goal"), "{found:?}");
    assert!(found[0].contains("`Goal:`"), "{found:?}");
    let late = [&"{N}\n".repeat(40), "Puzzle (far from goal): {H}\n"].concat();
    assert_eq!(read(&late)[39..], ["N", "! 41"]);
}

#[test]
fn rows_of_two_boards_are_never_one_board() {
    check(&[
        ("1 2 3\n4 5 6\n{n}{h}", "! 3"),
        ("{n}1 2 3\n4 5 6\n{h}\n{g}", "! 6, G"),
        ("7 8 0\n{n}{g}", "! 7"),
        ("My puzzles, homework two\n{g}{n}", "! 2"),
        ("My puzzles, homework two\n\n{g}{n}", "! 1, G, N"),
        ("<!--\n{g}{n}-->\n", "! 1"),
        ("{g}foo bar\n{n}", "! 4"),
        ("2\n3\n{n}{g}", "! 2"),
        ("3 2\n{n}{g}", "! 2"),
        ("3\n1 2 3\n4 5 6\n{n}{h}", "! 4"),
        // A bracket or a heading shows where a board ends.
        (
            "[[1,2,3],\n[4,5,6],\n[7,8,8]]\n\n[[1,2,3],\n[4,5,6],\n[7,0,8]]\nprint(1)\n",
            "! 3, N, ! 8",
        ),
        ("Puzzle 1\n1 2 3\n4 5 6\nPuzzle 2\n{n}", "! 2, N"),
        ("1 2 3\n4 5 6\n\n{n}", "! 1, N"),
        ("1 2 3\n4 5 0\n\n{n}", "1 2 3/4 5 0, N"),
    ]);
    // One fault for all rows of a block, and for each title.
    assert_eq!(read("A title of the file\n\n{n}\n{g}\n{h}"), ["! 1", "N", "G", "H"]);
    let many = [&"{n}".repeat(100), "1 2 3\n", &"{n}".repeat(100)].concat();
    let read = read(&many);
    assert!(read.iter().filter(|case| case.starts_with('!')).count() == 1, "{read:?}");
}

#[test]
fn numbers_of_headings_and_titles_are_no_boards() {
    check(&[
        ("Puzzle 1022\n{N}\nPuzzle 1023\n{G}\n", "N, G"),
        ("Puzzle 1023\n{n}Puzzle 1032\n{g}", "N, G"),
        ("Puzzle: 1023\n{n}", "N"),
        ("2013\n{N}\n{G}\n", "! 1, N, G"),
        ("d = [0, 1, 2, 3]\nstart = [1,2,3,4,5,6,7,0,8]\n", "! 1, N"),
        ("start = [1,2,3,4,5,6,7,0,8]\nsolution = [3, 1, 2, 0]\n", "N, ! 2"),
        ("Moves: 3\n{n}", "! 1"),
        ("Depth: 3\n\n{n}", "! 1, N"),
        ("Date: 8 2\n\n{n}", "! 1, N"),
        ("blank = 8\nboard = [[1,2,3],[4,5,6],[7,0,8]]\n", "! 1, N"),
        ("Board size: 3\n{n}", "N"),
        ("start(1/2/3/4/5/6/7/0/8).\ngoal(1/2/3/4/5/6/0/7/8).\n", "! 1"),
        // Boards of four tiles among others like them.
        ("1230\n1203\n", "1 2/3 0, 1 2/0 3"),
        ("Puzzle 7: 1023\nStart: 1230\n", "1 0/2 3, 1 2/3 0"),
    ]);
}

#[test]
fn numbers_behind_boards_are_no_indices_by_coincidence() {
    check(&[("{N}\n7\n{G}\n", "N -> G"), ("{N}\n7\n{G}\n6\n", "N, ! 2, G, ! 4")]);
}

#[test]
fn fields_in_quotation_marks_may_have_several_lines() {
    let fifteen = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15";
    let read =
        read(&format!("id,board\n1,\"{fifteen}\"\n2,\"{{N}}\"\n3,\"1 \"\"2\"\"/3 0\"\n4,{{G}}\n"));
    assert_eq!(read, [&fifteen.replace('\n', "/"), "N", "1 2/3 0", "G"]);
    check(&[
        ("id,board\n1,\"1 2 3\n4 5 6\n", "! 2"),
        ("id,board,screen\n1,{N},5\"\n2,{G},6\"\n", "N, G"),
    ]);
}

/// A comment or a name that may be that of a goal never has a board that is solved.
#[test]
fn goals_in_comments_and_in_names_of_programs_are_no_starts() {
    for heading in [
        "## Goal state of the puzzle",
        "## 🎯 Goal State",
        "### 2. Goal",
        "#### (b) Goal",
        "# this is the goal",
        "// Solvable Final configuration",
        "Puzzle 1: Goal:",
        "Test 3: target:",
    ] {
        let cases = read(&format!("Start\n{{n}}\n{heading}\n{{g}}"));
        let faults = cases.iter().filter(|case| case.starts_with('!')).count();
        assert!(
            cases == ["N -> G"] || faults + 1 >= cases.len() && faults > 0,
            "{heading}: {cases:?}"
        );
        assert!(!cases.contains(&"G".to_owned()), "{heading}: {cases:?}");
    }
    for comment in ["# Goal: {G}", "# goal 1 2 3 4 5 6 0 7 8"] {
        let read = read(&format!("{comment}\n{{n}}"));
        assert!(read.iter().all(|case| case.starts_with('!')), "{comment}: {read:?}");
    }
    for comment in ["# 3 moves to the goal", "# the final version", "# 20 moves from goal"] {
        assert_eq!(read(&format!("{comment}\n{{n}}")), ["N"], "{comment}");
    }
    let [n, g] = ["[1,2,3,4,5,6,7,0,8]", "[1,2,3,4,5,6,0,7,8]"];
    for (start, goal) in [
        ("$start = ", "$goal = "),
        ("start = ", "_goal = "),
        ("this->start = ", "this->goal = "),
        ("p[\"start\"] = ", "p[\"goal\"] = "),
        ("INFO: Start state: ", "INFO: Goal state: "),
        ("start = ", "goalstate = "),
        ("std::vector<int> start", "std::vector<int> goal"),
    ] {
        let [n, g] = match goal.ends_with('l') {
            true => [n, g].map(|list| list.replace('[', "{").replace(']', "}")),
            false => [n, g].map(str::to_owned),
        };
        let read = read(&format!("{start}{n}\n{goal}{g}\n"));
        let is_safe = read == ["N -> G"] || read.iter().skip(1).all(|case| case.starts_with('!'));
        assert!(is_safe && !read.is_empty(), "{goal}: {read:?}");
    }
}

/// A square board in one list, or a row.
#[test]
fn lists_of_one_list_need_a_size() {
    for list in [
        "[[1,2,3,4,5,6,7,0,8]]",
        "puzzles = [[1,2,3,4,5,6,7,0,8]]",
        "[(1,2,3,0)]",
        "{\"board\":[[1,2,3,0]]}",
    ] {
        let messages = messages(&format!("{list}\n"));
        assert!(
            messages.len() == 1 && messages[0].contains("in one list, or a single row"),
            "{list}: {messages:?}"
        );
    }
    check(&[("[[2,1,0]]\n", "2 1 0/"), ("1 2 3 0/\n", "1 2 3 0/")]);
}

/// A board with an unknown name may be the goal of the board before it; the name of a goal may be in any language.
#[test]
fn boards_with_unknown_names_next_to_starts_are_refused() {
    check(&[
        ("Start:\n{n}Win:\n{g}", "! 2, ! 5"),
        ("Board:\n{n}\nSolution:\n{g}", "! 2, ! 6"),
        ("start = [1,2,3,4,5,6,7,0,8]\nwin = [1,2,3,4,5,6,0,7,8]\n", "! 1, ! 2"),
        ("start = [1,2,3,4,5,6,7,0,8]\nobjective = [1,2,3,4,5,6,0,7,8]\n", "N -> G"),
        (
            "int start[3][3] = {{1,2,3},{4,5,6},{7,0,8}};\nint won[3][3] = {{1,2,3},{4,5,6},{0,7,8}};\n",
            "! 1, ! 2",
        ),
        ("Estado inicial:\n{n}Objetivo:\n{g}", "N -> G"),
        ("初始状态:\n{n}目标状态:\n{g}", "N -> G"),
        // No board may be a goal under these names.
        ("Start:\n{n}Moves:\nRULD\n", "N, ! 6"),
        ("Start:\n{n}Board 2:\n{g}", "N, G"),
        ("Puzzles:\nEasy:\n{n}Hard:\n{h}", "N, H"),
        ("easy = [1,2,3,4,5,6,7,0,8]\nhard = [1,2,3,0,5,6,4,7,8]\n", "N, H"),
    ]);
    // An arrangement that is usually the goal.
    for solved in ["1 2 3\n4 5 6\n7 8 0\n", "1 2 3\n8 0 4\n7 6 5\n"] {
        let cases = read(&format!("Começo:\n{{n}}Meta:\n{solved}"));
        assert!(cases == ["! 2", "! 5"], "{cases:?}");
        assert_eq!(read(&format!("Trivial:\n{solved}")).len(), 1);
    }
    let found = messages("Start:\n{n}Win:\n{g}");
    assert!(
        found[1].contains("`Win` may be the heading of a goal") && found[1].contains("`Board:`")
    );
}

#[test]
fn comments_behind_boards_may_name_goals() {
    check(&[
        ("{N} # start\n{G} # goal\n", "N -> G"),
        ("{N}\n{G} // the goal\n", "N -> G"),
        ("{N} # 3 moves to the goal\n{G} # easy\n", "N, G"),
        ("1 2 3 # goal\n4 5 6\n0 7 8\n\n{n}", "N -> G"),
        ("1 2 3 4 # 5 6 7 8\n", "1 2 3/4 0 5/6 7 8"),
    ]);
    let far = [&"{N}\n".repeat(1100), "{G} -- goal\n"].concat();
    assert_eq!(read(&far)[1099..], ["N", "! 1101"]);
}

/// A named list is split from its name once, even far from the lines that are read first.
#[test]
fn named_lists_far_from_the_first_lines_are_read() {
    for line in ["goal([1,2,3,4,5,6,0,7,8]).\n", "goal = [1,2,3,4,5,6,0,7,8]\n"] {
        let all = ["Board: {N}\n", line].concat().repeat(1100);
        assert_eq!(read(&all), vec!["N -> G"; 1100], "{line}");
    }
}

#[test]
fn numbers_before_boards_number_them() {
    check(&[
        ("1. {N}\n2. {G}\n", "N, G"),
        ("1) 123456708\n2) 123456078\n", "N, G"),
        ("1: {N}\n2: {G}\n", "N, G"),
        ("1. Start: {N}\n2. Goal: {G}\n", "N -> G"),
    ]);
    assert!(read("1: 1 2 3\n2: 4 5 6\n3: 7 0 8\n").iter().all(|case| case.starts_with('!')));
    assert!(read("1. 2. 3. 4. 5. 6. 7. 0. 8.\n") == ["N"]);
}

/// The list may be on the line below its name.
#[test]
fn declarations_that_end_with_their_line_are_names() {
    let list = |name: &str, rows: &str| {
        let rows = rows.trim().replace(' ', ",").replace('\n', "},\n {");
        format!("{name} =\n{{\n {{{rows}}}\n}};\n")
    };
    for [start, goal] in [
        ["int start[3][3]", "int goal[3][3]"],
        ["int[][] initial", "private static final int[][] GOAL"],
        ["self.start", "self.goal"],
        ["int s[3][3]", "int final[3][3]"],
    ] {
        assert_eq!(read(&(list(start, N_ROWS) + &list(goal, G_ROWS))), ["N -> G"], "{goal}");
        let lone = read(&list(goal, G_ROWS));
        assert!(lone.len() == 1 && lone[0].starts_with('!'), "{goal}: {lone:?}");
    }
}

#[test]
fn values_of_variables_are_named_boards() {
    check(&[
        ("start = \"123456708\"\nB = \"123456078\"\n", "! 1, ! 2"),
        ("S = 123456708\nG = 123456078\n", "! 1, ! 2"),
        ("s = '123456708'\nt = '123456078'\n", "! 1, ! 2"),
        ("seed = 123456780\nboard = {N}\n", "! 1, ! 2"),
        ("b1 = [1,2,3,4,5,6,7,0,8]\nb2 = [1,2,3,4,5,6,0,7,8]\n", "N, G"),
        ("d[\"goal\"] = [1,2,3,4,5,6,0,7,8]\nd[\"start\"] = [1,2,3,4,5,6,7,0,8]\n", "N -> G"),
        ("d[\"start\"] = [1,2,3,4,5,6,7,0,8]\nd[\"goal\"] = [1,2,3,4,5,6,0,7,8]\n", "N -> G"),
    ]);
}

#[test]
fn boards_without_a_name_behind_the_start_are_refused() {
    check(&[
        ("Start:\n{n}\n{g}", "! 2, ! 6"),
        ("start = [1,2,3,4,5,6,7,0,8]\nreturn [1,2,3,4,5,6,0,7,8]\n", "! 1, ! 2"),
        ("{N} # start\n{G}\n", "! 1, ! 2"),
        ("Start positions:\n{n}\n{g}", "N, G"),
        ("Boards:\n{N}\n{G}\n", "N, G"),
    ]);
}

#[test]
fn lines_that_name_a_goal_are_headings_in_any_form() {
    for line in [
        "(Goal)",
        "[Goal]",
        "\"Goal\"",
        "Goal?",
        "My goal!",
        "2. Goal:",
        "2) Goal",
        "to this",
        "->",
        "=>",
        "目标状态",
    ] {
        assert_eq!(read(&format!("{{n}}\n{line}\n\n{{g}}")), ["N -> G"], "{line}");
    }
    for line in [
        "The goal is",
        "<b>Goal</b>",
        "Figure 2: the goal state",
        "The goal is to reach this state.",
    ] {
        let cases = read(&format!("{{n}}\n{line}\n\n{{g}}"));
        assert!(
            cases.len() > 1 && cases.iter().all(|case| case.starts_with('!')),
            "{line}: {cases:?}"
        );
    }
    check(&[("{n}\nThree moves to the goal\n\n{h}", "N, ! 5, H")]);
}

#[test]
fn goals_between_records_are_those_of_all_records() {
    let [n, h] = ["{\"board\":\"123456708\"}", "{\"board\":\"123056478\"}"];
    for goal in ["# goal", "Goal:", "# goal: {G}", "{\"goal\":\"123456078\"}"] {
        let cases = read(&format!("{n}\n{goal}\n[1,2,3,4,5,6,0,7,8]\n{h}\n"));
        assert!(
            cases.len() == 4 && cases[1..].iter().all(|case| case.starts_with('!')),
            "{goal}: {cases:?}"
        );
    }
    let cases = read("board,moves\n123456708,1\n# goal\n123056478,0\n");
    assert_eq!(cases, ["N", "! 3", "! 4"]);
    // The goal of a faulty record is that of the record.
    let faulty = "{\"board\":\"123456788\",\"goal\":\"123456078\"}";
    assert_eq!(read(&format!("{n}\n{faulty}\n{h}\n")), ["N", "! 2", "H"]);
    let numbers = format!("{n}\n2013\n1 2 3 1023\n{h}\n");
    assert_eq!(read(&numbers), ["N", "! 2", "! 3", "H"]);
}

/// Two boards in columns without a header are no instance with a length.
#[test]
fn boards_are_no_lengths_of_solutions() {
    for sign in ["\t", " ", "|"] {
        let cases =
            read(&format!("1{sign}123456708{sign}123456078\n2{sign}123456708{sign}123456780\n"));
        assert!(
            !cases.is_empty() && cases.iter().all(|case| case.starts_with('!')),
            "{sign:?}: {cases:?}"
        );
    }
}

/// A goal that is not understood is not left out.
#[test]
fn lines_with_a_goal_in_another_form_refuse_their_neighbours() {
    for text in [
        "The goal is {G}\n{N}\n",
        "{N}\n(Goal) {G}\n",
        "[Goal] {G}\n{N}\n",
        "p = Puzzle([[1,2,3],[4,5,6],[7,0,8]], goal=[[1,2,3],[4,5,6],[0,7,8]])\n",
        "p = Puzzle([1,2,3,4,5,6,7,0,8], rows=1)\n",
        "Start\n\n{n}\nResult\n\n{g}",
        "Start\n\n{n}\nand now\n\nsome words\n\n{g}",
    ] {
        let cases = read(text);
        assert!(
            !cases.is_empty() && cases.iter().all(|case| case.starts_with('!')),
            "{text:?}: {cases:?}"
        );
    }
    check(&[("np.array([1,2,3,4,5,6,7,0,8], dtype=int)\n", "N")]);
}

#[test]
fn dates_and_headers_are_no_boards() {
    check(&[
        ("12/03\n{N}\n", "! 1, N"),
        ("a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,0,8\n", "! 1, N"),
        ("ABCDEFG_H\nABCDEF_GH\n", "N, G"),
        ("# BEGIN\n{N}\n# END\n", "N"),
        ("# reach the goal in 1 move\n123456708\n", "! 1"),
    ]);
    assert_eq!(read("12/03\n12/30\n"), ["1 2/0 3", "1 2/3 0"]);
}

#[test]
fn nothing_is_read_behind_a_quotation_mark_that_is_never_closed() {
    let rows = "123456708,a\n".repeat(40_000);
    let cases = read(&format!("board,note\n123456708,\"oops\n{rows}"));
    assert_eq!(cases, ["! 2"]);
}
