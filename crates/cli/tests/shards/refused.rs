//! What does not belong together.

use std::fs;

use crate::{Place, batch, merge, run, shards, text};

/// What a shard of another work leaves, and what `loyd merge` says of it.
#[test]
fn what_does_not_belong_together_is_refused() {
    let place = Place::new("mixed");
    let boards = place.boards();
    let depth = ["--max-depth", "48"];
    let mine = shards(&place, 2, &depth);
    let third = shards(&place, 3, &depth).swap_remove(2);
    let text_of = |path: &str| fs::read_to_string(path).unwrap();
    let changed = |name: &str, from: &str, to: &str| {
        let text = text_of(&mine[1]);
        assert!(text.contains(from), "{text}");
        place.write(name, &text.replacen(from, to, 1))
    };
    let goal = changed("goal", "\"goal\":\"1 2", "\"goal\":\"2 1");
    let board = changed("board", "\"board\":\"2 13", "\"board\":\"13 2");
    let other = changed("heuristic", "\"heuristic\":\"pdb\"", "\"heuristic\":\"zero\"");
    let tables = changed("tables", "1,5,6/", "1,6,5/");
    let prune = changed("prune", "\"undo\"", "\"automaton=12\"");
    let rounds = changed("rounds", "\"bound\":44", "\"bound\":45");
    let torn = place.write("torn", text_of(&mine[1]).trim_end());
    let empty = place.write("empty", "");
    let records = batch(&place, &boards, (0, 4), false, &["--output", "json"]);
    let second = batch(&place, &boards, (1, 4), false, &["--output", "json"]);
    let moves = batch(&place, &boards, (2, 4), false, &[]);
    let whole = text(&run(&["solve", "-f", &boards, "--output", "json"]).stdout);
    let whole = place.write("all", &whole);
    let refused = |files: &[&String], reasons: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.clone()).collect();
        let output = merge(&files, &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{files:?}: {said}");
        assert_eq!((text(&output.stdout).as_str(), said.lines().count()), ("", 1), "{said}");
        assert!(reasons.iter().all(|reason| said.contains(reason)), "{said}");
    };
    let first = &mine[0];
    refused(&[first], &["shard 1/2 is missing", "2.0"]);
    refused(&[first, &mine[1], first], &["2.0 is shard 0/2, as", "is"]);
    refused(&[first, &third], &["3.2 is shard 2/3", "2.0 shard 0/2"]);
    refused(&[first, &goal], &["goal is of another search than", "goal: 1 2 3"]);
    refused(&[first, &board], &["board is of another search", "board: 2 13 15"]);
    refused(&[first, &other], &["heuristic: pdb there, zero here"]);
    refused(&[first, &tables], &["tables: 1,5,6/", "there, 1,6,5/"]);
    refused(&[first, &prune], &["pruning: undo there, automaton=12 here"]);
    refused(&[first, &rounds], &["rounds has other rounds than"]);
    refused(&[first, &torn], &["torn: its last line is torn"]);
    refused(&[first, &empty], &["empty: there is nothing in it"]);
    refused(&[&empty], &["empty: there is nothing in it"]);
    refused(&[first, &records], &["4.0 has records of many boards", "2.0 has a shard of one"]);
    refused(&[&records, &moves], &["4.2 has solutions as text"]);
    refused(&[&records, &second], &["shards 2/4, 3/4 are missing"]);
    refused(&[&second, &second], &["4.1 is shard 1/4, as"]);
    refused(&[&whole], &["of no shard"]);
    refused(&[&place.write("0.batch", "{}\n")], &["0.batch is kept beside a file of --save"]);
    refused(&[&place.path("nowhere")], &["cannot read", "nowhere"]);
    let damaged = shards(&place, 1, &[]);
    let text = text_of(&damaged[0]).replacen("\"moves\":\"lu", "\"moves\":\"ul", 1);
    refused(&[&place.write("wrong", &text)], &["wrong: its moves do not solve the board"]);
}

#[test]
fn shards_of_other_batches_are_refused() {
    let place = Place::new("batches");
    let boards = place.boards();
    let (a, b) = (
        batch(&place, &boards, (0, 2), true, &[]),
        batch(&place, &boards, (1, 2), true, &["--goal", "blank-first"]),
    );
    let said = |files: &[&String]| {
        let output = merge(&files.iter().map(|&file| file.clone()).collect::<Vec<_>>(), &[]);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""));
        text(&output.stderr)
    };
    assert!(said(&[&a, &b]).contains("--goal: default there, blank-first here"));
    assert!(said(&[&a]).contains("shard 1/2 is missing"));
    assert!(said(&[&a, &a]).contains("2.0 is shard 0/2, as"));
    let bare = place.write("bare", &place.read("2.1"));
    assert!(said(&[&a, &bare]).contains("bare.batch is missing"));
    let whole = place.path("whole");
    run(&["solve", "-f", &boards, "--save", &whole]);
    assert!(said(&[&whole]).contains("whole: it is of no shard"));
    // A shard that is not done, with notes and without.
    fs::remove_file(place.path("2.1")).unwrap();
    fs::remove_file(place.path("2.1.batch")).unwrap();
    let b = batch(&place, &boards, (1, 2), true, &[]);
    let text = place.read("2.1");
    let end = text.trim_end().rfind('\n').unwrap();
    let cut = text[..end].rfind('\n').unwrap() + 1;
    fs::write(&b, &text[..cut]).unwrap();
    assert!(said(&[&a, &b]).contains("2.1 has 2 boards, and"));
    let (c, d) = (place.write("c", &place.read("2.0")), place.write("d", &text[..cut]));
    assert!(said(&[&c, &d]).contains("d has 2 boards, and"));
}
