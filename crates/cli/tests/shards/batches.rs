//! Shards of a file of boards.

use std::fs;

use serde_json::Value;

use crate::{Place, batch, merge, run, text, timeless};

/// Parses JSON Lines and removes the times.
fn all_timeless(text: &str) -> Vec<Value> {
    text.lines().map(timeless).collect()
}

#[test]
fn merged_shards_of_batch_equal_whole() {
    for save in [false, true] {
        let place = Place::new(if save { "saved" } else { "batch" });
        let boards = place.boards();
        let whole = text(&run(&["solve", "-f", &boards]).stdout);
        assert_eq!(whole.lines().count(), 8);
        let json = ["--output", "json"];
        let records = text(&run(&[&["solve", "-f", &boards], &json[..]].concat()).stdout);
        for count in [1, 2, 3, 11] {
            // The notes record the shards, so the order of the files does not matter.
            let moves: Vec<String> =
                (0..count).rev().map(|i| batch(&place, &boards, (i, count), true, &[])).collect();
            let merged = merge(&moves, &[]);
            assert_eq!(text(&merged.stdout), whole, "{count}: {}", text(&merged.stderr));
            assert!(merged.status.success());
            let again = Place::new("records");
            let files: Vec<String> =
                (0..count).map(|i| batch(&again, &boards, (i, count), save, &json)).collect();
            let merged = text(&merge(&files, &[]).stdout);
            assert_eq!(all_timeless(&merged), all_timeless(&records));
            assert!(!merged.contains("shard"));
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
    assert_eq!(text(&merged.stderr), "");
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
