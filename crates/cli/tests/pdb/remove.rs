//! `pdb remove` removes only tables and their lock files.

use std::fs;

use super::{SMALL_FILE, build_small, files, folder, run, stderr, stdout};

#[test]
fn only_tables_are_removed() {
    let cache = folder("remove_all");
    build_small(&cache);
    assert!(run(&cache, &["build", "--size", "2x2"]).status.success());
    fs::write(cache.join("letter.txt"), "dear").unwrap();
    fs::write(cache.join("3x3-blank0-1,2,3,4_5,6,7,8.99-0.tmp"), "half").unwrap();
    let removed = stdout(&run(&cache, &["remove", "--all"]));
    assert_eq!(removed.lines().count(), 2, "{removed}");
    assert_eq!(files(&cache), ["letter.txt"]);
}

#[test]
fn folder_created_for_tables_is_removed() {
    let parent = folder("made");
    let cache = parent.join("cache");
    build_small(&cache);
    fs::write(cache.join("letter.txt"), "dear").unwrap();
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!(files(&cache), ["CACHEDIR.TAG", "letter.txt"]);
    fs::remove_file(cache.join("letter.txt")).unwrap();
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!(files(&parent), [""; 0]);
    // A second time, when the folder no longer exists.
    assert!(run(&cache, &["remove", "--all"]).status.success());
    fs::create_dir(&cache).unwrap();
    build_small(&cache);
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!((files(&parent), files(&cache)), (vec!["cache".to_owned()], Vec::new()));
}

#[test]
fn held_lock_is_not_removed() {
    let cache = folder("held");
    build_small(&cache);
    let lock = "3x3-blank0-1,2,3,4_5,6,7,8.lock";
    let held = fs::File::create(cache.join(lock)).unwrap();
    held.lock().unwrap();
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!(files(&cache), [lock]);
}

/// `.pdb` is also the extension of Protein Data Bank files.
#[test]
fn other_files_are_not_removed() {
    let cache = folder("others");
    build_small(&cache);
    // A table by its content, although its name does not match.
    fs::copy(cache.join(SMALL_FILE), cache.join("copy-of.pdb")).unwrap();
    let theirs = [
        "1abc.pdb",
        "my-blank-form.pdb",
        "x-wide-open.pdb",
        "4x4-blank0-notes.pdb",
        "4x4-blank0-7-7-1.bak.tmp",
        "my-blank-form.lock",
        "my-blank-form.1-0.tmp",
        "x-wide-open.4711-0.tmp",
        "3x3-blank0-1,2,3,4_5,6,7,8.tmp",
    ];
    for name in theirs {
        fs::write(cache.join(name), "HEADER    HYDROLASE").unwrap();
    }
    let removed = run(&cache, &["remove", "--all"]);
    assert_eq!((removed.status.code(), stderr(&removed)), (Some(0), String::new()));
    assert_eq!(stdout(&removed).lines().count(), 2, "{removed:?}");
    let mut expected = theirs;
    expected.sort_unstable();
    assert_eq!(files(&cache), expected);
}

#[test]
fn folder_named_like_table_is_kept() {
    let cache = folder("folders");
    build_small(&cache);
    for name in ["2x2-blank0-1,2,3.pdb", "4x4-blank0-7-7-1.pdb", "4x4-blank0-7-7-1.lock"] {
        fs::create_dir(cache.join(name)).unwrap();
    }
    fs::create_dir(cache.join("3x3-blank0-1,2,3,4_5,6,7,8.1-0.tmp")).unwrap();
    let removed = run(&cache, &["remove", "--all"]);
    assert_eq!(removed.status.code(), Some(1));
    assert_eq!(stdout(&removed), format!("removed {}\n", cache.join(SMALL_FILE).display()));
    let message = stderr(&removed);
    assert_eq!(message.lines().count(), 2, "{message}");
    for name in ["2x2-blank0-1,2,3.pdb", "4x4-blank0-7-7-1.pdb"] {
        let warning = format!("warning: cannot remove {}", cache.join(name).display());
        assert!(message.contains(&warning), "{message}");
    }
}
