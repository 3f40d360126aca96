//! Shards of a comparison.

use std::fs;

use serde_json::Value;

use crate::{Place, merge, run, text};

const COMPARED: [&str; 7] = [
    "compare",
    "--algorithms",
    "bfs,astar,idastar",
    "--closed",
    "hashed,ordered",
    "--length",
    "6..16",
];

/// Returns the header and the records without what differs from run to run, sorted.
fn timeless(results: &str) -> (Value, Vec<String>) {
    let mut lines = results.lines().map(|line| {
        let mut fields: Value = serde_json::from_str(line).expect(line);
        for name in ["elapsed_ns", "tables_ns", "command"] {
            fields.as_object_mut().unwrap().remove(name);
        }
        fields
    });
    let header = lines.next().unwrap();
    let mut records: Vec<String> = lines.map(|record| record.to_string()).collect();
    records.sort();
    (header, records)
}

/// Writes the results of a shard and returns the name of the file.
fn shard(place: &Place, arguments: &[&str], (index, count): (usize, usize), save: bool) -> String {
    let (name, shard) = (format!("{count}.{index}"), format!("{index}/{count}"));
    let path = place.path(&name);
    let how = if save { ["--save", &path, "--resume"].to_vec() } else { vec!["--output", "json"] };
    let output = run(&[arguments, &["--shard", &shard], &how].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    if save { path } else { place.write(&name, &text(&output.stdout)) }
}

fn shards(place: &Place, arguments: &[&str], count: usize, save: bool) -> Vec<String> {
    (0..count).map(|index| shard(place, arguments, (index, count), save)).collect()
}

#[test]
fn merged_shards_of_comparison_equal_whole() {
    let place = Place::new("compare-file");
    let easy = "1 2 3/4 5 6/7 x 8\n1 2 3/4 x 5/7 8 6\n2 3 4/1 5 x/7 6 8\n";
    let some = place.write("some.txt", easy);
    let invalid = place.write("invalid.txt", &format!("{easy}1 2 3\n"));
    let stopped = place.write("stopped.txt", &format!("{easy}8 6 7/2 5 4/3 x 1\n"));
    let of_file = |file| ["compare", "--algorithms", "astar", "--max-expanded", "1000", "-f", file];
    for (status, arguments) in
        [(0, COMPARED), (0, of_file(&some)), (2, of_file(&invalid)), (1, of_file(&stopped))]
    {
        let whole = run(&[&arguments[..], &["--output", "json"]].concat());
        assert_eq!(whole.status.code(), Some(status), "{}", text(&whole.stderr));
        let whole = text(&whole.stdout);
        let report = text(&run(&arguments).stdout);
        for (count, save) in [(1, true), (3, true), (3, false), (13, true)] {
            let place = Place::new(&format!("compare-{status}-{count}-{save}"));
            let mut files = shards(&place, &arguments, count, save);
            files.reverse();
            let merged = merge(&files, &["--output", "json"]);
            assert_eq!(merged.status.code(), Some(status), "{}", text(&merged.stderr));
            assert_eq!(timeless(&text(&merged.stdout)), timeless(&whole));
            assert!(!text(&merged.stdout).contains("--shard"));
            // Both tables without times, and the sentences.
            let summary = text(&merge(&files, &[]).stdout);
            let parts = |text: &str| -> Vec<String> {
                text.split("\n\n")
                    .filter(|part| !part.starts_with("memory"))
                    .map(str::to_owned)
                    .collect()
            };
            assert_eq!(parts(&summary), parts(&report));
            assert!(parts(&summary).len() >= 2, "{summary}");
        }
    }
}

#[test]
fn incomplete_and_foreign_shards_of_comparisons_are_refused() {
    let place = Place::new("compare-refused");
    let folder = place.path("");
    let missing = || {
        let output = run(&["merge", "--missing", &folder]);
        (output.status.code(), text(&output.stdout))
    };
    let files = shards(&place, &COMPARED, 3, true);
    assert_eq!(missing(), (Some(0), String::new()));
    let refused = |files: &[String], reason: &str| {
        let output = merge(files, &[]);
        let message = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        assert!(message.contains(reason), "{message}");
    };
    refused(&files[..2], "shard 2/3 is missing");
    let other = Place::new("compare-other");
    let seed = [&COMPARED[..], &["--seed", "2"]].concat();
    let foreign = shard(&other, &seed, (2, 3), true);
    refused(&[&files[..2], &[foreign]].concat(), "differs");
    let whole = other.path("whole");
    run(&[&COMPARED[..], &["--save", &whole]].concat());
    refused(&[whole], "belongs to no shard");
    let boards = place.boards();
    refused(&[files[0].clone(), boards], "has no comparison");
    // One run of the last row was lost; then a run of another shard was added.
    let text_of = |index: usize| fs::read_to_string(&files[index]).unwrap();
    let (whole, next) = (text_of(1), text_of(2));
    let cut: Vec<&str> = whole.lines().take(whole.lines().count() - 1).collect();
    fs::write(&files[1], cut.join("\n") + "\n").unwrap();
    refused(&files, "the shard is incomplete or damaged: it has ");
    assert_eq!(missing(), (Some(1), "1\n".to_owned()));
    fs::write(&files[1], cut.join("\n") + "\n" + next.lines().last().unwrap() + "\n").unwrap();
    refused(&files, "it has no run of");
    // Another board in the place of one of the comparison.
    let replaced = |record: &str| {
        let mut fields: Value = serde_json::from_str(record).unwrap();
        if fields["board_id"] == 2 {
            fields["board"] = "1 2 3/4 5 6/7 8 0".into();
        }
        fields.to_string()
    };
    let lines: Vec<String> = whole.lines().map(replaced).collect();
    fs::write(&files[1], lines.join("\n") + "\n").unwrap();
    refused(&files, "some boards are not those of the comparison");
    // Resuming repeats the runs that are missing.
    fs::write(&files[1], cut.join("\n") + "\n").unwrap();
    shards(&place, &COMPARED, 3, true);
    assert_eq!(missing(), (Some(0), String::new()));
    assert!(merge(&files, &[]).status.success());
    // The file of one shard is not resumed as another one.
    let output =
        run(&[&COMPARED[..], &["--shard", "0/3", "--save", &files[1], "--resume"]].concat());
    assert!(text(&output.stderr).contains("`shard` differs"), "{}", text(&output.stderr));
    let output = run(&[&COMPARED[..], &["--shard", "0/3"]].concat());
    assert!(text(&output.stderr).contains("--shard needs --save or --output json"));
    assert_eq!(output.status.code(), Some(2));
}
