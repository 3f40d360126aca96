//! Shards without a complete result, which `loyd merge --missing` lists.

use std::fs::{self, File};
use std::time::Duration;

use crate::{Place, batch, run, shards, text};

/// Returns the exit status of `loyd merge --missing`, its output, and its messages.
fn missing<T: AsRef<str>>(paths: &[T]) -> (Option<i32>, String, String) {
    let paths: Vec<&str> = paths.iter().map(AsRef::as_ref).collect();
    let output = run(&[&["merge", "--missing"], &paths[..]].concat());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Returns the result of `loyd merge --missing` that lists these shards.
fn listed(shards: &str) -> (Option<i32>, String, String) {
    (Some(1), format!("{shards}\n"), String::new())
}

fn none() -> (Option<i32>, String, String) {
    (Some(0), String::new(), String::new())
}

const JSON: [&str; 2] = ["--output", "json"];

#[test]
fn shards_without_a_complete_result_are_listed() {
    const COUNT: usize = 7;
    for (save, how) in
        [(true, &[][..]), (true, &["--output", "json"]), (false, &["--output", "json"])]
    {
        let place = Place::new(&format!("missing-{save}-{}", how.len()));
        let folder = place.path("");
        let boards = place.boards();
        assert_eq!(missing(&[&folder]).0, Some(2), "no result has the number of shards");
        let names: Vec<String> =
            (0..COUNT).map(|index| batch(&place, &boards, (index, COUNT), save, how)).collect();
        assert_eq!(missing(&[&folder]), (Some(0), String::new(), String::new()));
        let first = fs::read_to_string(&names[0]).unwrap();
        fs::write(&names[0], &first[..first.len() - 2]).unwrap();
        for name in [&names[2], &names[3], &names[6]] {
            fs::remove_file(name).unwrap();
        }
        if save {
            // This shard was interrupted after its last board.
            let notes = place.read("7.4.batch");
            place.write("7.4.batch", &notes[..notes.find("{\"sha256\"").unwrap()]);
        }
        let expected = if save { "0,2-4,6\n" } else { "0,2-3,6\n" };
        assert_eq!(missing(&[&folder]), (Some(1), expected.to_owned(), String::new()));
        let other = batch(&place, &boards, (0, 2), save, how);
        let refused = missing(&[&folder]);
        assert!(
            refused.0 == Some(2) && refused.2.contains("do not divide the same work"),
            "{other}"
        );
        let refused = run(&["merge", "--missing", &boards]);
        assert!(text(&refused.stderr).contains("is not a result of a shard"));
    }
}

/// The search of a shard ends at its depth, is stopped before, or continues with a larger depth.
#[test]
fn shards_of_one_board_are_complete_up_to_their_depth() {
    let place = Place::new("missing-board");
    let files = shards(&place, 4, &["--max-depth", "44"]);
    let folder = [place.path("")];
    assert_eq!(missing(&folder), none());
    let record = fs::read_to_string(&files[2]).unwrap();
    let open = record.replacen("\"stopped_by\":\"depth\"", "\"stopped_by\":\"time\"", 1);
    assert_ne!(open, record);
    place.write("4.2", &open);
    fs::remove_file(&files[3]).unwrap();
    assert_eq!(missing(&folder), listed("2-3"));
    let result = fs::metadata(&files[1]).unwrap().modified().unwrap();
    let checkpoint = File::create(place.path("4.1.checkpoint")).unwrap();
    for (time, expected) in
        [(result - Duration::from_secs(1), "2-3"), (result + Duration::from_secs(1), "1-3")]
    {
        checkpoint.set_modified(time).unwrap();
        assert_eq!(missing(&folder), listed(expected));
    }
}

/// Files of other boards, options or versions are in the same folder.
#[test]
fn results_of_other_work_are_refused() {
    let place = Place::new("missing-other");
    let boards = place.boards();
    let others = place.write("others.txt", &place.read("boards.txt").replace("2 3 4 1", "2 3 1 4"));
    for (save, how) in [(true, &[][..]), (true, &JSON), (false, &JSON)] {
        let refuses = |name: &str, make: &dyn Fn(&Place)| {
            let place = Place::new(&format!("missing-{name}-{save}-{}", how.len()));
            batch(&place, &boards, (0, 3), save, how);
            assert_eq!(missing(&[place.path("")]), listed("1-2"));
            make(&place);
            let (status, printed, message) = missing(&[place.path("")]);
            assert_eq!((status, printed), (Some(2), String::new()), "{name}: {message}");
            assert!(message.contains("3.0") && message.contains("3.1"), "{name}: {message}");
        };
        refuses("boards", &|place| drop(batch(place, &others, (1, 3), save, how)));
        let goal = [how, &["--goal", "blank-first"]].concat();
        refuses("options", &|place| drop(batch(place, &boards, (1, 3), save, &goal)));
        refuses("version", &|place| {
            batch(place, &boards, (1, 3), save, how);
            let name = if save { "3.1.batch" } else { "3.1" };
            let version = format!("\"version\":\"{}", env!("CARGO_PKG_VERSION"));
            let other = place.read(name).replace(&version, "\"version\":\"0.0.1");
            assert_ne!(other, place.read(name));
            place.write(name, &other);
        });
        refuses("notes", &|place| {
            batch(place, &boards, (1, 3), !save, &JSON);
        });
    }
}

/// Named files of jobs that were killed, before their first record or later, and files that were damaged.
#[test]
fn empty_torn_and_damaged_results_are_missing() {
    let place = Place::new("missing-torn");
    let boards = place.boards();
    let files: [String; 3] =
        std::array::from_fn(|index| batch(&place, &boards, (index, 3), false, &JSON));
    let whole = place.read("3.1");
    let second = whole.find('\n').unwrap() + 1;
    let wrong = whole.replacen("\"metric\":\"stm\"", "\"metric\":\"none\"", 1);
    assert_ne!(wrong, whole);
    for changed in [
        "",
        &whole[..1],
        &whole[..second - 2],
        &whole[..second + 9],
        &whole[..whole.len() - 1],
        &wrong,
    ] {
        place.write("3.1", changed);
        assert_eq!(missing(&files), listed("1"), "{changed}");
        assert_eq!(missing(&[place.path("")]), listed("1"), "{changed}");
    }
    place.write("3.1", &whole);
    assert_eq!(missing(&files), none());
    let saved = Place::new("missing-torn-saved");
    let files = [0, 1].map(|index| batch(&saved, &boards, (index, 2), true, &[]));
    saved.write("2.1", "");
    assert_eq!(missing(&files), listed("1"));
}

/// Other files of a folder, which may be unreadable, do not disturb.
#[test]
fn other_files_of_a_folder_are_left_out() {
    let place = Place::new("missing-beside");
    let boards = place.boards();
    batch(&place, &boards, (0, 2), true, &[]);
    fs::write(place.path("image"), [0xff, 0, 0xfe]).unwrap();
    place.write("2.1.checkpoint", "{}\n");
    assert_eq!(missing(&[place.path("")]), listed("1"));
    assert_eq!(missing(&[place.path("2.0"), place.path("image")]).0, Some(2));
    #[cfg(target_os = "linux")]
    {
        // A file that can be opened and not read.
        std::os::unix::fs::symlink("/proc/self/mem", place.path("unreadable")).unwrap();
        let (status, printed, message) = missing(&[place.path("")]);
        assert_eq!((status, printed.as_str()), (Some(1), "1\n"), "{message}");
        assert!(
            message.contains("unreadable") && message.contains("it counts for no shard"),
            "{message}"
        );
    }
}

/// A saved shard without boards is complete; a printed one leaves an empty file, like one that has not started.
#[test]
fn shards_without_boards_are_complete_if_they_are_saved() {
    for (save, expected) in [(true, none()), (false, listed("2"))] {
        let place = Place::new(&format!("missing-no-boards-{save}"));
        let boards = place.write("boards.txt", "1 2 3 4 5 6 7 x 8\n1 2 3 4 5 6 7 8 x\n");
        let files = [0, 1, 2].map(|index| batch(&place, &boards, (index, 3), save, &JSON));
        assert_eq!(missing(&files), expected);
    }
}
