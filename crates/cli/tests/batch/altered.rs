//! Saved answers that were changed before they are resumed.

use std::fs;

use crate::{Place, run, text};

/// Returns `whole` with one line replaced, or removed if there is no replacement.
fn with_line(whole: &str, at: usize, new: Option<&str>) -> String {
    let mut lines: Vec<&str> = whole.lines().collect();
    match new {
        Some(new) => lines[at] = new,
        None => drop(lines.remove(at)),
    }
    lines.join("\n") + "\n"
}

/// Lines are removed, exchanged and replaced in each form of output; an unchanged file is resumed.
#[test]
fn resume_refuses_lines_that_do_not_answer_their_boards() {
    let place = Place::new("altered");
    let (boards, answers) = (place.boards(40), place.path("answers"));
    let garbage = ["garbage", "", "{}", "unsolvable", "invalid", "lrlr", "999999"];
    let solved = text(&run(&["-f", &boards]).stdout);
    let solved: Vec<usize> = solved
        .lines()
        .enumerate()
        .filter(|(_, line)| line.len() > 8)
        .filter(|(_, line)| !["invalid", "unsolvable"].contains(line))
        .map(|(at, _)| at)
        .collect();
    let [one, other, third] = [solved[2], solved[5], solved[7]];
    for how in [
        &["--output", "moves"][..],
        &["--output", "moves", "--notation", "tile", "--runs"],
        &["--output", "moves", "--notation", "numbers"],
        &["--output", "words"],
        &["--output", "json"],
        &["--output", "json", "--notation", "tile"],
        &["--output", "json", "--all"],
        &["--output", "json", "--metric", "mtm"],
        &["--output", "length"],
        &["--count"],
    ] {
        let _ = fs::remove_file(&answers);
        let arguments = [&["-f", &boards, "--save", &answers, "--resume"], how].concat();
        assert_eq!(run(&arguments).status.code(), Some(2), "{how:?}");
        let whole = place.read("answers");
        let again = run(&arguments);
        assert_eq!(text(&again.stderr), "", "{how:?}");
        assert_eq!(place.read("answers"), whole, "{how:?}");
        let replays = !how.contains(&"length") && !how.contains(&"--count");
        let lines: Vec<&str> = whole.lines().collect();
        let swapped = with_line(&whole, one, Some(lines[other]));
        let swapped = with_line(&swapped, other, Some(lines[one]));
        // Without the solutions, it is found at the latest by the invalid board on every seventh line.
        let mut altered = vec![(with_line(&whole, one, None), one + 1..one + 8)];
        if replays {
            altered.push((swapped, one + 1..one + 2));
        }
        let garbage = garbage.iter().filter(|_| replays).chain(&garbage[..5]);
        altered
            .extend(garbage.map(|new| (with_line(&whole, third, Some(new)), third + 1..third + 2)));
        altered.push((whole.clone() + lines[0] + "\n", 41..42));
        for (altered, at) in altered {
            fs::write(&answers, &altered).unwrap();
            let notes = place.read("answers.batch");
            let output = run(&arguments);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{how:?}: {message}");
            let is_named = |line: usize| message.contains(&format!("answers:{line}\n"));
            assert!(at.clone().any(is_named), "{how:?} {at:?}: {message}");
            assert_eq!(message.matches("error:").count(), 1, "{how:?}: {message}");
            assert_eq!(place.read("answers"), altered, "{how:?}");
            assert_eq!(place.read("answers.batch"), notes, "{how:?}");
        }
    }
}

/// Each field of a record that follows from its board is compared with it.
#[test]
fn resume_refuses_records_with_changed_fields() {
    let place = Place::new("fields");
    let (boards, answers) = (place.boards(9), place.path("answers"));
    let arguments = ["-f", &boards, "--save", &answers, "--output", "json", "--resume"];
    run(&arguments);
    let whole = place.read("answers");
    let lines = whole.lines().enumerate();
    let (at, line) = lines.filter(|(_, line)| line.contains("\"solved\"")).last().unwrap();
    let record: serde_json::Value = serde_json::from_str(line).unwrap();
    for (field, value) in [
        ("line", 3.into()),
        ("id", "other".into()),
        ("board", "1 2 3/4 5 6/7 8 0".into()),
        ("goal", "0 1 2/3 4 5/6 7 8".into()),
        ("moves", "u".into()),
        ("length", 3.into()),
        ("metric", "mtm".into()),
        ("moves", serde_json::Value::Null),
        ("shard", "0/2".into()),
    ] {
        let mut changed = record.clone();
        changed[field] = value;
        fs::write(&answers, with_line(&whole, at, Some(&changed.to_string()))).unwrap();
        let output = run(&arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{field}: {message}");
        assert!(message.contains(&format!("answers:{}\n", at + 1)), "{field}: {message}");
    }
    let mut padded = record.clone();
    padded["moves"] = format!("{}ud", record["moves"].as_str().unwrap()).into();
    for field in ["length", "lower_bound"] {
        padded[field] = (record[field].as_u64().unwrap() + 2).into();
    }
    fs::write(&answers, with_line(&whole, at, Some(&padded.to_string()))).unwrap();
    let message = text(&run(&arguments).stderr);
    assert!(message.contains("one of the moves takes back another"), "{message}");
}

/// Records that no search can have: each has a field that is unknown, repeated, of another type, or contradicts another.
#[test]
fn resume_refuses_records_that_contradict_themselves() {
    let place = Place::new("contradictions");
    let (boards, answers) = (place.path("boards.txt"), place.path("answers"));
    fs::write(&boards, "8 6 7 2 5 4 3 x 1\n1 2 3 4 5 6 8 7 x\n1 2 3 4 5 6 7 8 q\n").unwrap();
    let how = [
        ["--quality", "auto"],
        ["--algorithm", "idastar"],
        ["--algorithm", "wastar"],
        ["--costs", "inverse"],
        ["--notation", "tile"],
    ];
    let all = ["--output", "json", "--all"];
    let [auto, idastar, weighted, costs, written, several] = [0, 1, 2, 3, 4, 5];
    let cases = [
        (auto, 1, "\"expanded\":31", "\"expanded\":-1", "`expanded`: invalid value"),
        (
            auto,
            1,
            "\"optimal\":true",
            "\"optimal\":true,\"within\":1.5",
            "duplicate field `within`",
        ),
        (auto, 1, "\"within\":1.0", "\"within\":1.5", "`optimal` is true, but `within` is 1.5"),
        (auto, 1, "\"within\":1.0", "\"within\":0.5", "`within` is 0.5"),
        (auto, 1, "\"lower_bound\":31", "\"lower_bound\":29", "`lower_bound`"),
        (auto, 1, "\"length\":31", "\"length\":33", "`length`"),
        (auto, 1, "\"duplicates\":0", "\"duplicates\":-1", "`duplicates`: invalid value"),
        (auto, 1, "\"duplicates\":0", "\"duplicates\":0,\"extra\":1", "unknown field `extra`"),
        (auto, 1, "\"optimal\":true", "\"optimal\":\"yes\"", "`optimal`: invalid type"),
        (auto, 1, "\"optimal\":true", "\"optimal\":false", "`lower_bound` is `length`"),
        (auto, 1, "\"duplicates\":0,", "", "missing field `duplicates`"),
        (auto, 1, "\"status\":\"solved\"", "\"status\":\"stopped\"", "`stopped_by` is missing"),
        (auto, 1, "\"status\":\"solved\"", "\"status\":\"fine\"", "`status` is \"fine\""),
        (auto, 1, "\"optimal\":true", "\"optimal\":true,\"error\":\"x\"", "`error` does not fit"),
        (auto, 1, "\"line\":1", "\"line\":1,\"expected\":3", "`expected` is 3"),
        (auto, 2, "\"optimal\":false", "\"optimal\":true", "`moves` has no solution"),
        (auto, 3, "\"expanded\":0", "\"expanded\":1", "`expanded` is not 0"),
        (
            idastar,
            1,
            "\"expanded\":",
            "\"expanded\":0,\"peak_bytes\":0,\"was\":",
            "unknown field `was`",
        ),
        (idastar, 1, "\"expanded_complete\":", "\"expanded_complete\":1", "`expanded_complete`"),
        (idastar, 1, "\"iterations\":[{", "\"iterations\":[{\"more\":1,", "unknown field `more`"),
        (
            idastar,
            1,
            "\"iterations\":[",
            "\"iterations\":[{\"bound\":1,\"expanded\":9999999,\"generated\":0},",
            "exceed `expanded`",
        ),
        (weighted, 1, "\"weight\":2.0", "\"weight\":0.5", "`weight` is less than 1"),
        (costs, 1, "\"cost\":", "\"cost\":1", "`cost` is not `cost_exact`"),
        (costs, 1, "\"costs\":\"inverse\",", "", "`costs` is missing"),
        (written, 1, "\"notation\":\"tile\",", "", "`written` needs `notation`"),
        (several, 1, "\"complete\":true,", "", "`count` needs `complete`"),
        (several, 1, "\"count\":", "\"count\":1", "`count` is not the number"),
    ];
    for (index, how) in how.iter().map(|how| &how[..]).chain([&all[..1]]).enumerate() {
        let how = if index == several { &all[..] } else { &[how, &all[..2]].concat()[..] };
        let _ = fs::remove_file(&answers);
        let arguments = [&["-f", &boards, "--save", &answers, "--resume"], how].concat();
        run(&arguments);
        let whole = place.read("answers");
        assert_eq!(text(&run(&arguments).stderr), "", "{how:?}");
        for (_, line, from, to, reason) in cases.iter().filter(|case| case.0 == index) {
            let changed = whole.lines().nth(line - 1).unwrap().replacen(from, to, 1);
            let changed = with_line(&whole, line - 1, Some(&changed));
            assert_ne!(changed, whole, "{from}");
            fs::write(&answers, &changed).unwrap();
            let output = run(&arguments);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{to}: {message}");
            assert!(message.contains(reason), "{to}: {message}");
            assert!(message.contains(&format!("answers:{line}\n")), "{to}: {message}");
            assert_eq!(place.read("answers"), changed, "{to}");
        }
    }
}
