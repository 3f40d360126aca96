//! Answers of shards that `loyd merge --file` checks against their boards.

use sha2::{Digest, Sha256};

use crate::{Place, batch, is_merged, merge, text};

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
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), String::new()));
        let reason =
            if how.contains(&"json") { "line" } else { "this is not the answer to the board" };
        assert!(said.contains(reason), "{how:?}: {said}");
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
