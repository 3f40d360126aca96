//! Shards of a single board.

use std::fs;

use serde_json::Value;

use crate::{
    Place, board_arguments, complete, merge, printed, run, shards, text, timeless, uninterrupted,
};

#[test]
fn merged_shards_of_board_equal_whole() {
    let place = Place::new("whole");
    let whole = uninterrupted();
    for count in 1..=3 {
        let mut files = shards(&place, count, &[]);
        for file in &files {
            let record = timeless(&fs::read_to_string(file).unwrap());
            assert_eq!(record["optimal"], false);
            assert_eq!(record["searched_below"], record["length"]);
        }
        files.reverse();
        let merged = merge(&files, &["--output", "json"]);
        assert!(merged.status.success(), "{}", text(&merged.stderr));
        let merged = timeless(&text(&merged.stdout));
        let whole_record = timeless(whole);
        for name in ["board", "goal", "status", "length", "optimal", "tables", "expanded_complete"]
        {
            assert_eq!(merged[name], whole_record[name], "{name}");
        }
        assert_eq!(merged["iterations"], Value::from(complete(whole)));
        assert_eq!(merged["shards"], count);
        let told = merge(&files, &[]);
        assert_eq!(text(&told.stdout).trim_end(), merged["moves"].as_str().unwrap());
        assert!(text(&told.stderr).contains("56 moves, shortest; expanded 3,652,190 in complete"));
    }
}

#[test]
fn shards_stopped_at_depth_prove_bound() {
    let place = Place::new("depth");
    let whole = uninterrupted();
    let mut files = shards(&place, 3, &["--max-depth", "54"]);
    let open = merge(&files, &["--output", "json"]);
    assert_eq!(open.status.code(), Some(1));
    assert!(
        text(&open.stderr).contains("at least 56 moves; to search further, use --max-depth 56")
    );
    let open = timeless(&text(&open.stdout));
    assert_eq!((&open["status"], &open["lower_bound"]), (&"stopped".into(), &56.into()));
    assert_eq!(open["iterations"], Value::from(complete(whole)));
    // One shard with the solution suffices if all others have searched everything below its length.
    let found = |index| {
        let shard = format!("{index}/3");
        let record = printed(&board_arguments(&["--shard", &shard, "--max-depth", "56"]));
        timeless(&record)["length"].is_u64().then_some((index, record))
    };
    let (index, record) = (0..3).find_map(found).unwrap();
    files[index] = place.write("found", &record);
    let merged = merge(&files, &["--output", "json"]);
    let merged = timeless(&text(&merged.stdout));
    assert_eq!((&merged["length"], &merged["optimal"]), (&56.into(), &true.into()));
    // It does not suffice if one of them has not.
    let other = (index + 1) % 3;
    let shard = format!("{other}/3");
    let short = printed(&board_arguments(&["--shard", &shard, "--max-depth", "50"]));
    files[other] = place.write("short", &short);
    let open = merge(&files, &[]);
    let message = text(&open.stderr);
    assert_eq!(open.status.code(), Some(1), "{message}");
    assert!(message.contains("best so far 56 moves, at least 52"));
    assert!(
        message.contains(&format!("{shard} (")) && message.contains("--max-depth 54"),
        "{message}"
    );
}

#[test]
fn shard_without_bound_proves_nothing() {
    let place = Place::new("nothing");
    let files = shards(&place, 2, &["--max-depth", "50"]);
    let record = place.read("2.1");
    let silent = record.replacen("\"searched_below\":52", "\"searched_below\":null", 1);
    assert_ne!(silent, record);
    place.write("2.1", &silent);
    let message = text(&merge(&files, &[]).stderr);
    assert!(message.contains("at least 0 moves; ") && message.contains("1/2 ("), "{message}");
}

/// Iterations that a limit interrupted are not counted.
#[test]
fn interrupted_shards_prove_only_complete_iterations() {
    let place = Place::new("stopped");
    let mut files = shards(&place, 2, &[]);
    let stopped = run(&board_arguments(&["--shard", "1/2", "--max-expanded", "1000000"]));
    assert_eq!(stopped.status.code(), Some(1));
    let record = text(&stopped.stdout);
    let last = timeless(&record)["iterations"].as_array().unwrap().last().unwrap()["bound"].clone();
    assert_eq!(timeless(&record)["searched_below"], last);
    files[1] = place.write("stopped", &record);
    let merged = merge(&files, &["--output", "json"]);
    assert_eq!(merged.status.code(), Some(1));
    assert!(text(&merged.stderr).contains("1/2 ("));
    let merged = timeless(&text(&merged.stdout));
    assert_eq!((&merged["lower_bound"], &merged["status"]), (&last, &"stopped".into()));
    assert_eq!((&merged["length"], &merged["optimal"]), (&56.into(), &false.into()));
    let iterations: Vec<Value> = complete(uninterrupted());
    let below = iterations.into_iter().filter(|round| round["bound"].as_u64() < last.as_u64());
    assert_eq!(merged["iterations"], Value::from(below.collect::<Vec<_>>()));
}

#[test]
fn shards_without_iterations_report_heuristic_bound() {
    let place = Place::new("before");
    // Linear conflict board_arguments gives a lower bound of 61 moves.
    let board = "8 12 0 18/7 4 19 15/10 6 14 5/17 16 9 3/1 11 13 2";
    let how = ["--heuristic", "pdb", "--max-depth", "62", "--threads", "1", "--output", "json"];
    let shard = |index: usize| {
        let shard = format!("{index}/2");
        let output = run(&[&["solve", board, "--shard", &shard], &how[..]].concat());
        place.write(&shard.replace('/', "."), &text(&output.stdout))
    };
    let files = [shard(0), shard(1)];
    let message = text(&merge(&files, &[]).stderr);
    assert!(
        message.contains("at least 63 moves; to search further, use --max-depth 63"),
        "{message}"
    );
}
