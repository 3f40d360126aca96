//! Answers of shards that `loyd merge --file` checks against their boards.

use sha2::{Digest, Sha256};

use crate::{Place, batch, is_merged, merge, run, text};

/// Options with which answers are written, as lines of all forms.
const FORMS: [&[&str]; 10] = [
    &[],
    &["--goal", "blank-first", "--blank", "x", "--size", "3x3", "--input", "lines"],
    &["--notation", "tile", "--runs"],
    &["--notation", "numbers"],
    &["--output", "words"],
    &["--output", "length", "--metric", "mtm"],
    &["--metric", "mtm", "--quality", "optimal"],
    &["--count"],
    &["--no-parity-check", "--algorithm", "astar"],
    &["--output", "json", "--all", "--limit", "3"],
];

/// Adds the checksum of the present answers to the notes in place of the right one, as a forger would.
fn forge(place: &Place, name: &str, answers: &str) {
    place.write(name, answers);
    let notes = place.read(&format!("{name}.batch"));
    let end = notes.find("{\"sha256\"").unwrap();
    let digest = Sha256::digest(answers.as_bytes());
    let checksum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let notes = format!("{}{{\"sha256\":\"{checksum}\"}}\n", &notes[..end]);
    place.write(&format!("{name}.batch"), &notes);
}

#[test]
fn saved_answers_of_all_forms_are_checked() {
    let place = Place::new("replayed-forms");
    let boards = place.boards();
    for how in FORMS {
        let files = [0, 1].map(|index| batch(&place, &boards, (index, 2), true, how));
        let [plain, checked] = [&[][..], &["-f", &boards]].map(|more| merge(&files, more));
        assert!(is_merged(&checked), "{how:?}: {}", text(&checked.stderr));
        assert_eq!(text(&checked.stdout), text(&plain.stdout), "{how:?}");
        // The answers of this shard are exchanged, and its notes agree.
        let whole = place.read("2.0");
        let mut lines: Vec<&str> = whole.lines().collect();
        lines.rotate_left(1);
        forge(&place, "2.0", &(lines.join("\n") + "\n"));
        let refused = merge(&files, &["-f", &boards]);
        let message = text(&refused.stderr);
        assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), String::new()));
        let reason =
            if how.contains(&"json") { "line" } else { "this is not the answer to the board" };
        assert!(message.contains(reason), "{how:?}: {message}");
        for name in files {
            std::fs::remove_file(&name).unwrap();
        }
    }
}

#[test]
fn missing_and_other_boards_are_noticed() {
    for (save, how) in [(true, &[][..]), (false, &["--output", "json"])] {
        let place = Place::new(if save { "missing-saved" } else { "missing-printed" });
        let boards = place.boards();
        let files = [0, 1].map(|index| batch(&place, &boards, (index, 2), save, how));
        assert!(is_merged(&merge(&files, &["-f", &boards])));
        let longer = place.write("longer.txt", &(place.read("boards.txt") + "1 2 3 4 5 6 7 x 8\n"));
        let other = text(&merge(&files, &["-f", &longer]).stderr);
        let whole = place.read("2.1");
        let shorter = &whole[..whole[..whole.len() - 1].rfind('\n').unwrap() + 1];
        match save {
            true => forge(&place, "2.1", shorter),
            false => _ = place.write("2.1", shorter),
        }
        assert!(is_merged(&merge(&files, &[])), "it is not noticed without boards");
        let missing = text(&merge(&files, &["-f", &boards]).stderr);
        let [other_reason, missing_reason] = match save {
            true => [
                "answers to other boards than",
                "2.1 ends after 3 answers, before the board on line 10",
            ],
            false => ["line 11 of", "the board on line 10 of"],
        };
        assert!(other.contains(other_reason), "{other}");
        assert!(missing.contains(missing_reason), "{missing}");
    }
}

/// Words for the blank that look like options, or like what notes contain for options that are not given.
#[test]
fn options_in_notes_are_read_as_they_were_given() {
    let boards = Place::new("replayed-words").boards();
    let text_of_boards = std::fs::read_to_string(boards).unwrap();
    for word in ["-1", "none", "all", "default", "-x"] {
        let place = Place::new(&format!("replayed-word{word}"));
        let boards = place.write("boards.txt", &text_of_boards.replace(" x", &format!(" {word}")));
        let how = [&format!("--blank={word}"), "--input=lines"];
        let files = [0, 1].map(|index| batch(&place, &boards, (index, 2), true, &how));
        let output = merge(&files, &["-f", &boards]);
        assert!(is_merged(&output), "{word}: {}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with(|letter| "lurd".contains(letter)), "{word}");
        // The option is given in one of two runs only.
        let output = run(&["solve", "-f", &boards, "--shard=0/2", "--save", &files[0], "--resume"]);
        assert!(text(&output.stderr).contains("--blank: "), "{word}: {}", text(&output.stderr));
    }
}

/// Printed records are those of other boards or goals, or of more boards.
#[test]
fn printed_records_of_other_boards_are_noticed() {
    let place = Place::new("replayed-printed");
    let json = ["--output", "json"];
    let boards = place.boards();
    let check = |solved: &str, how: &[&str], given: &str| {
        let how = [&json, how].concat();
        let files = [0, 1].map(|index| batch(&place, solved, (index, 2), false, &how));
        merge(&files, &["-f", given])
    };
    let refused = |solved: &str, given: &str, reason: &str| {
        let output = check(solved, &[], given);
        let message = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        assert!(message.contains(reason), "{message}");
    };
    let whole = place.read("boards.txt");
    let others = place.write("others.txt", &whole.replace("7 x 8\n", "x 7 8\n"));
    refused(&others, &boards, "its board is 1 2 3/4 5 6/0 7 8, but that of the board on line 8 of");
    let valid = place.write("valid.txt", &whole.replace(" q", " x"));
    refused(&boards, &valid, "its board is none, but that");
    refused(&valid, &boards, "but that of the board on line 7 of");
    let spaced = place.write("spaced.txt", &format!("\n{whole}"));
    refused(&spaced, &boards, "the board on line 1 of");
    refused(&boards, &spaced, "its line is 1, but that of the board on line 2 of");
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    let fewer = place.write("fewer.txt", &whole[..last]);
    refused(&boards, &fewer, "has no board for this record");
    let record = |goal: &str| format!("{{\"board\":\"1 2 3/4 0 5/7 8 6\",\"goal\":\"{goal}\"}}\n");
    let [one, two, three] = ["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 0/7 8 6", "0 1 2/4 5 3/7 8 6"];
    let goals = place.write("goals.jsonl", &[one, two].map(record).concat());
    let other_goals = place.write("other.jsonl", &[one, three].map(record).concat());
    refused(&goals, &other_goals, "its goal is 1 2 3/4 5 0/7 8 6, but that of the board on line 2");
    // A goal of all boards may be that of an option.
    assert!(is_merged(&check(&boards, &["--goal", "blank-first"], &boards)));
    let equal = place.write("equal.txt", "1 1 2/2 3 3/4 0 4\n1 1 2/2 3 3/0 4 4\n");
    let output = check(&equal, &["--goal", "1 1 2/2 3 3/4 4 0"], &equal);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
