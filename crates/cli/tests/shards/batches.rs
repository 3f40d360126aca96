//! Shards of a file of boards.

use std::fs;

use serde_json::Value;

use crate::{Place, batch, merge, run, text, timeless};

/// The note about records that were printed, without the file of boards.
const UNMARKED: &str =
    "whether the last records of a printed shard are missing is unknown: --file BOARDS checks it\n";

/// Parses JSON Lines and removes the times.
fn all_timeless(text: &str) -> Vec<Value> {
    text.lines().map(timeless).collect()
}

/// Returns the message for a batch in which a board is invalid.
fn invalid() -> String {
    "some boards are invalid\n".to_owned()
}

#[test]
fn merged_shards_of_batch_equal_whole() {
    for save in [false, true] {
        let place = Place::new(if save { "saved" } else { "batch" });
        let boards = place.boards();
        let output = run(&["solve", "-f", &boards]);
        assert_eq!(output.status.code(), Some(2), "a board is invalid");
        let whole = text(&output.stdout);
        assert_eq!(whole.lines().count(), 8);
        let json = ["--output", "json"];
        let records = text(&run(&[&["solve", "-f", &boards], &json[..]].concat()).stdout);
        for count in [1, 2, 3, 11] {
            // The notes record the shards, so the order of the files does not matter.
            let moves: Vec<String> =
                (0..count).rev().map(|i| batch(&place, &boards, (i, count), true, &[])).collect();
            let merged = merge(&moves, &[]);
            assert_eq!(text(&merged.stdout), whole, "{count}: {}", text(&merged.stderr));
            assert_eq!((merged.status.code(), text(&merged.stderr)), (Some(2), invalid()));
            let again = Place::new("records");
            let files: Vec<String> =
                (0..count).map(|i| batch(&again, &boards, (i, count), save, &json)).collect();
            let output = merge(&files, &[]);
            let notes = if save { invalid() } else { UNMARKED.to_owned() + &invalid() };
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), notes));
            let merged = text(&output.stdout);
            assert_eq!(all_timeless(&merged), all_timeless(&records));
            assert!(!merged.contains("shard"));
        }
    }
}

/// Each shard that is complete succeeds; the status of the boards is that of `loyd merge`.
#[test]
fn complete_shards_succeed_whatever_their_boards() {
    const HARD: &str = "15 5 12 7/x 14 8 13/10 9 4 2/1 3 11 6";
    let solved = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 x 15";
    let limited = ["--quality", "optimal", "--max-expanded", "10"];
    for (status, boards) in [
        (0, format!("{solved}\n{solved}\n")),
        (1, format!("{solved}\n{HARD}\n")),
        (2, format!("{HARD}\n1 2 3\n")),
        // Published instances, whose lengths are wrong.
        (1, "1 3 1 2 3 4 5 6 7 0 8\n2 3 1 2 3 4 5 6 7 0 8\n".to_owned()),
    ] {
        for (save, how) in
            [(true, &[][..]), (true, &["--output", "json"]), (false, &["--output", "json"])]
        {
            let place =
                Place::new(&format!("status-{status}-{}-{save}-{}", boards.len(), how.len()));
            let boards = place.write("boards.txt", &boards);
            let how = [&limited[..], how].concat();
            let whole = run(&[&["solve", "-f", &boards], &how[..]].concat());
            assert_eq!(whole.status.code(), Some(status), "{}", text(&whole.stderr));
            let files = [0, 1].map(|index| {
                let (name, shard) = (place.path(&format!("2.{index}")), format!("{index}/2"));
                let save: &[&str] = if save { &["--save", &name] } else { &[] };
                let arguments = ["solve", "-f", &boards, "--shard", &shard];
                let output = run(&[&arguments, &how[..], save].concat());
                assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
                if save.is_empty() {
                    place.write(&format!("2.{index}"), &text(&output.stdout))
                } else {
                    name
                }
            });
            let merged = merge(&files, &[]);
            assert_eq!(merged.status.code(), Some(status), "{how:?}: {}", text(&merged.stderr));
        }
    }
}

#[test]
fn boards_of_batch_may_specify_goals() {
    let place = Place::new("goals");
    let record = |goal: &str| format!("{{\"board\":\"1 2 3/4 0 5/7 8 6\",\"goal\":\"{goal}\"}}\n");
    let goals = ["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 0/7 8 6", "0 1 2/4 5 3/7 8 6"];
    let boards = place.write("boards.jsonl", &goals.map(record).concat());
    let json = ["--output", "json"];
    let whole = text(&run(&[&["solve", "-f", &boards], &json[..]].concat()).stdout);
    assert_eq!(whole.matches("\"status\":\"solved\"").count(), 3, "{whole}");
    let files = [0, 1].map(|index| batch(&place, &boards, (index, 2), false, &json));
    let merged = merge(&files, &[]);
    assert_eq!(all_timeless(&text(&merged.stdout)), all_timeless(&whole), "{merged:?}");
    assert!(merged.status.success());
    assert_eq!(text(&merged.stderr), UNMARKED);
}

/// A missing record shows in the order of the others, unless it is the last one.
#[test]
fn missing_records_of_printed_shards_are_noticed() {
    let place = Place::new("printed");
    let boards = place.boards();
    let json = ["--output", "json"];
    let files = [0, 1].map(|index| batch(&place, &boards, (index, 2), false, &json));
    let without = |index: usize, number: usize| {
        let records = fs::read_to_string(&files[index]).unwrap();
        let kept = records.split_inclusive('\n').enumerate().filter(|&(at, _)| at != number);
        place.write(&format!("{index}-{number}"), &kept.map(|(_, line)| line).collect::<String>())
    };
    // All but the last board of the file: its shard has one record less, as if the file had an odd number of boards.
    let cut = [files[0].clone(), without(1, 3)];
    let output = merge(&cut, &[]);
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(2), UNMARKED.to_owned() + &invalid())
    );
    let output = merge(&cut, &["-f", &boards]);
    assert!(text(&output.stderr).contains("has no record"), "{}", text(&output.stderr));
    for (files, message) in [
        ([without(0, 1), without(1, 3)], "0-1 has no record for the board before this one"),
        ([without(0, 3), files[1].clone()], "0-3 has 3 boards, and "),
        ([files[0].clone(), without(1, 0)], "1-0 has no record for the board before this one"),
    ] {
        let output = merge(&files, &[]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
}

#[cfg(unix)]
#[test]
fn saved_shard_of_batch_resumes_at_partial_line() {
    let place = Place::new("torn");
    let boards = place.boards();
    let path = batch(&place, &boards, (1, 3), true, &["--output", "json"]);
    let whole = place.read("3.1");
    let lines: Vec<u64> =
        all_timeless(&whole).iter().map(|record| record["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 7, 10]);
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    batch(&place, &boards, (1, 3), true, &["--output", "json"]);
    assert_eq!(all_timeless(&place.read("3.1")), all_timeless(&whole));
}
