//! Files that do not belong together.

use std::fs;

use serde_json::Value;

use crate::{Place, batch, is_merged, merge, run, shards, text};

/// Checks that `loyd merge` rejects the files with a one-line message that contains `reasons`.
fn refused(files: &[&String], reasons: &[&str]) {
    let files: Vec<String> = files.iter().map(|&file| file.clone()).collect();
    let output = merge(&files, &[]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{files:?}: {message}");
    assert_eq!((text(&output.stdout).as_str(), message.lines().count()), ("", 1), "{message}");
    assert!(reasons.iter().all(|reason| message.contains(reason)), "{message}");
}

#[test]
fn shards_of_other_searches_are_rejected() {
    let place = Place::new("searches");
    let mine = shards(&place, 2, &["--max-depth", "48"]);
    let (first, second) = (&mine[0], fs::read_to_string(&mine[1]).unwrap());
    for (name, from, to, reason) in [
        ("goal", "\"goal\":\"1 2", "\"goal\":\"2 1", "goal 2 1 3"),
        ("board", "\"board\":\"2 13", "\"board\":\"13 2", "board 13 2 15"),
        (
            "heuristic",
            "\"heuristic\":\"pdb\"",
            "\"heuristic\":\"zero\"",
            "heuristic zero, but pdb in",
        ),
        ("tables", "1,5,6/", "1,6,5/", ", but 1,5,6/"),
        ("prune", "\"undo\"", "\"automaton=12\"", "pruning automaton=12, but undo in"),
        ("rounds", "\"bound\":44", "\"bound\":45", "rounds has other iterations than"),
    ] {
        let changed = second.replacen(from, to, 1);
        assert_ne!(changed, second, "{name}");
        let other = place.write(name, &changed);
        refused(&[first, &other], &[name, "another search", reason]);
        refused(&[&other, first], &["another search"]);
    }
    refused(&[first], &["shard 1/2 is missing", "2.0"]);
    refused(&[first, &mine[1], first], &["2.0 is shard 0/2, like", "is"]);
    refused(
        &[first, &place.write("torn", second.trim_end())],
        &["torn: its last line is incomplete"],
    );
    let third = shards(&place, 3, &["--max-depth", "48"]).swap_remove(2);
    refused(&[first, &third], &["3.2 is shard 2/3", "2.0 shard 0/2"]);
    let below = second.find(",\"searched_below\":").unwrap();
    let end = below + second[below..].find(",\"shard\"").unwrap();
    let both = fs::read_to_string(first).unwrap() + &second.replacen(&second[below..end], "", 1);
    let both = place.write("both", &both);
    refused(&[&both], &["both:2: this is not a record of a single-board shard", "searched_below"]);
    let solved = fs::read_to_string(&shards(&place, 1, &[])[0]).unwrap();
    let beyond = solved.replacen("\"searched_below\":56", "\"searched_below\":80", 1);
    let beyond = place.write("beyond", &beyond);
    refused(&[&beyond], &["beyond: `searched_below` is larger than the length"]);
    let damaged = solved.replacen("\"moves\":\"lu", "\"moves\":\"ul", 1);
    refused(
        &[&place.write("wrong", &damaged)],
        &["wrong: the record is wrong or damaged: its moves do not solve the board"],
    );
}

#[test]
fn differences_are_found_beside_shard_without_iterations() {
    let place = Place::new("silent");
    let files = shards(&place, 3, &["--max-depth", "48"]);
    let record = |index: usize| fs::read_to_string(&files[index]).unwrap();
    let text = record(0);
    let begins = text.find("\"iterations\":[").unwrap() + "\"iterations\":[".len();
    let ends = begins + text[begins..].find(']').unwrap();
    let silent = text[..begins].to_owned() + &text[ends..];
    let (before, complete) = silent.split_once("\"expanded_complete\":").unwrap();
    let silent = before.to_owned() + complete.split_once(',').unwrap().1;
    let silent = place.write("silent", &silent);
    let back = record(2).replacen("\"direction\":\"forward\"", "\"direction\":\"backward\"", 1);
    assert_ne!(back, record(2));
    let back = place.write("back", &back);
    let reasons = ["back belongs to another search than", "direction backward"];
    refused(&[&silent, &files[1], &back], &reasons);
}

#[test]
fn files_of_other_kinds_are_rejected() {
    let place = Place::new("kinds");
    let boards = place.boards();
    let first = &shards(&place, 2, &["--max-depth", "48"])[0];
    let json = ["--output", "json"];
    let [records, second] = [0, 1].map(|index| batch(&place, &boards, (index, 4), false, &json));
    let moves = batch(&place, &boards, (2, 4), true, &[]);
    let whole = text(&run(&["solve", "-f", &boards, "--output", "json"]).stdout);
    let (whole, empty) = (place.write("all", &whole), place.write("empty", ""));
    refused(&[first, &empty], &["empty: the file is empty"]);
    refused(&[&empty], &["empty: the file is empty"]);
    refused(
        &[first, &records],
        &["4.0 contains records of many boards", "2.0 contains a shard of one"],
    );
    refused(&[&records, &moves], &["4.2 contains solutions as text"]);
    let bare = place.write("bare", &fs::read_to_string(&moves).unwrap());
    refused(&[&bare, &bare], &["bare does not record its shard"]);
    refused(&[&records, &second], &["shards 2/4, 3/4 are missing"]);
    refused(&[&second, &second], &["4.1 is shard 1/4, like"]);
    refused(&[&whole], &["to no shard"]);
    let notes = place.write("0.batch", "{}\n");
    refused(&[&notes], &["0.batch belongs to a file of --save"]);
    refused(&[&place.path("nowhere")], &["cannot read", "nowhere"]);
}

#[test]
fn shards_of_other_batches_are_rejected() {
    let place = Place::new("batches");
    let boards = place.boards();
    let (a, b) = (
        batch(&place, &boards, (0, 2), true, &[]),
        batch(&place, &boards, (1, 2), true, &["--goal", "blank-first"]),
    );
    let message = |files: &[&String]| {
        let output = merge(&files.iter().map(|&file| file.clone()).collect::<Vec<_>>(), &[]);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""));
        text(&output.stderr)
    };
    assert!(message(&[&a, &b]).contains("--goal blank-first, but default in"));
    assert!(message(&[&a]).contains("shard 1/2 is missing"));
    assert!(message(&[&a, &a]).contains("2.0 is shard 0/2, like"));
    let bare = place.write("bare", &place.read("2.1"));
    assert!(message(&[&a, &bare]).contains("bare.batch is missing"));
    let whole = place.path("whole");
    run(&["solve", "-f", &boards, "--save", &whole]);
    assert!(message(&[&whole]).contains("whole: it belongs to no shard"));
    // An incomplete shard, with and without notes.
    fs::remove_file(place.path("2.1")).unwrap();
    fs::remove_file(place.path("2.1.batch")).unwrap();
    let b = batch(&place, &boards, (1, 2), true, &[]);
    let text = place.read("2.1");
    let end = text.trim_end().rfind('\n').unwrap();
    let cut = text[..end].rfind('\n').unwrap() + 1;
    fs::write(&b, &text[..cut]).unwrap();
    assert!(message(&[&a, &b]).contains("2.1 has another checksum than in"));
    // Without notes, a missing shard would not be noticed.
    let (c, d) = (place.write("c", &place.read("2.0")), place.write("d", &text));
    assert!(
        message(&[&c, &d]).contains("c.batch is missing, so a missing shard would not be noticed")
    );
    // Records contain the search that they belong to.
    let records = |index| {
        let json = ["--output", "json"];
        fs::read_to_string(batch(&place, &boards, (index, 2), false, &json)).unwrap()
    };
    let (first, second) = (records(0), records(1));
    let (first, second) = (place.write("first", &first), place.write("second", &second));
    assert!(is_merged(&merge(&[first.clone(), second.clone()], &[])));
    let records = fs::read_to_string(&second).unwrap();
    let short: String = records.split_inclusive('\n').take(2).collect();
    assert!(message(&[&first, &place.write("short", &short)]).contains("short has 2 boards, and"));
    let old = fs::read_to_string(&second).unwrap().replace("\"version\":\"", "\"version\":\"0.");
    let message = message(&[&first, &place.write("old", &old)]);
    assert!(
        message.contains("old:1 belongs to other work than") && message.contains(": version 0."),
        "{message}"
    );
}

/// Each option that changes solutions, and each change of the boards, is other work.
#[test]
fn shards_with_other_options_or_boards_are_rejected() {
    let place = Place::new("options");
    let boards = place.boards();
    let json = ["--output", "json"];
    let first = batch(&place, &boards, (0, 2), false, &json);
    let message = |boards: &str, how: &[&str]| {
        let second = batch(&place, boards, (1, 2), false, &[&json, how].concat());
        let output = merge(&[first.clone(), second], &[]);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{how:?}");
        text(&output.stderr)
    };
    for how in [
        &["--goal", "blank-first"][..],
        &["--metric", "mtm"],
        &["--algorithm", "wastar", "--weight", "3"],
        &["--max-expanded", "1000"],
        &["--heuristic", "manhattan"],
    ] {
        let message = message(&boards, how);
        assert!(message.contains("belongs to other work than"), "{message}");
    }
    let quality = message(&boards, &["--quality", "fast"]);
    assert!(quality.contains("quality fast, but auto in"), "{quality}");
    let others = place.read("boards.txt").replace("2 3 4 1 5", "2 3 1 4 5");
    let others = place.write("others.txt", &others);
    assert!(message(&others, &[]).contains("other work"), "the boards differ");
}

/// A record is damaged in each way that a replay finds.
#[test]
fn records_with_wrong_solutions_are_rejected() {
    let place = Place::new("replayed");
    let boards = place.boards();
    let how = ["--output", "json", "--quality", "optimal"];
    let [first, second] = [0, 1].map(|index| batch(&place, &boards, (index, 2), false, &how));
    assert!(is_merged(&merge(&[first.clone(), second.clone()], &[])));
    let whole = fs::read_to_string(&first).unwrap();
    let hard = whole.lines().position(|line| line.contains("\"length\":31")).unwrap();
    let damage = |field: &str, value: Value| {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let mut record: Value = serde_json::from_str(&lines[hard]).unwrap();
        record[field] = value;
        lines[hard] = record.to_string();
        let damaged = place.write("damaged", &(lines.join("\n") + "\n"));
        let at = format!("damaged:{}: the record is wrong or damaged", hard + 1);
        refused(&[&damaged, &second], &[&at]);
    };
    damage("moves", "lurd".into());
    damage("moves", Value::Null);
    damage("moves", "quick".into());
    damage("length", 29.into());
    damage("lower_bound", 29.into());
    damage("lower_bound", 33.into());
    damage("metric", Value::Null);
    damage("board", "8 6 7/2 5 4/3 1 0".into());
    damage("goal", "1 2 3/4 5 6/8 7 0".into());
    damage("status", "unsolvable".into());
}

/// Saved shards of both forms lose their last board, change, or lose the end of their notes. The numbers of boards of
/// the shards would fit without the last one.
#[test]
fn truncated_and_altered_saved_shards_are_rejected() {
    for how in [&[][..], &["--output", "json"]] {
        let place = Place::new(if how.is_empty() { "cut-text" } else { "cut-json" });
        let boards = place.boards();
        let [first, last] = [0, 1].map(|index| batch(&place, &boards, (index, 2), true, how));
        let (whole, notes) = (place.read("2.1"), place.read("2.1.batch"));
        assert!(is_merged(&merge(&[first.clone(), last.clone()], &[])));
        let cut = whole[..whole.len() - 1].rfind('\n').unwrap() + 1;
        let mut lines: Vec<&str> = whole.lines().collect();
        lines.swap(0, 1);
        for changed in [whole[..cut].to_owned(), lines.join("\n") + "\n", String::new()] {
            place.write("2.1", &changed);
            refused(&[&first, &last], &["2.1 has another checksum than in", "2.1.batch"]);
        }
        place.write("2.1", &whole);
        let end = notes.find("{\"sha256\"").unwrap();
        place.write("2.1.batch", &notes[..end]);
        refused(&[&first, &last], &["2.1: the shard has not finished"]);
        // A shard that was cut off can be resumed, and then has a new checksum.
        place.write("2.1", &whole[..cut]);
        place.write("2.1.batch", &notes);
        batch(&place, &boards, (1, 2), true, how);
        assert!(is_merged(&merge(&[first, last], &[])));
    }
}

/// Resuming a complete shard does not give a changed one a new checksum.
#[test]
fn complete_shards_that_were_changed_are_not_resumed() {
    for how in [&[][..], &["--output", "json"]] {
        let place = Place::new(if how.is_empty() { "changed-text" } else { "changed-json" });
        let boards = place.boards();
        let [first, last] = [0, 1].map(|index| batch(&place, &boards, (index, 2), true, how));
        let whole = place.read("2.0");
        let changed = match how {
            // The blank goes up and back.
            [] => whole.replacen('\n', "ud\n", 1),
            _ => whole.replacen("\"expanded\":", "\"expanded\":1", 1),
        };
        place.write("2.0", &changed);
        let resume = ["solve", "-f", &boards, "--shard", "0/2", "--save", &first, "--resume"];
        for _ in 0..2 {
            let output = run(&[&resume, how].concat());
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(
                message.contains("2.0: it was complete, and has another checksum now"),
                "{message}"
            );
            refused(&[&first, &last], &["2.0 has another checksum than in"]);
        }
        place.write("2.0", &whole);
        #[cfg(unix)]
        let notes = {
            use std::os::unix::fs::MetadataExt;
            || fs::metadata(place.path("2.0.batch")).unwrap().ino()
        };
        // The notes are not written again, so the run may be interrupted at any time.
        #[cfg(unix)]
        let before = notes();
        assert_eq!(run(&[&resume, how].concat()).status.code(), Some(0));
        #[cfg(unix)]
        assert_eq!(notes(), before);
        assert!(is_merged(&merge(&[first, last], &[])));
    }
}
