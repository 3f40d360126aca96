//! What `pdb remove` removes: nothing but tables and what belongs to them.

use std::fs;

use super::{SMALL_FILE, build_small, files, folder, run, stderr, stdout};

#[test]
fn all_that_is_removed_is_ours() {
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
fn a_folder_goes_if_it_was_made_for_tables() {
    let parent = folder("made");
    let cache = parent.join("cache");
    build_small(&cache);
    fs::write(cache.join("letter.txt"), "dear").unwrap();
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!(files(&cache), ["CACHEDIR.TAG", "letter.txt"]);
    fs::remove_file(cache.join("letter.txt")).unwrap();
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!(files(&parent), [""; 0]);
    // Once more, and without a folder.
    assert!(run(&cache, &["remove", "--all"]).status.success());
    fs::create_dir(&cache).unwrap();
    build_small(&cache);
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!((files(&parent), files(&cache)), (vec!["cache".to_owned()], Vec::new()));
}

#[test]
fn a_lock_that_is_held_is_not_removed() {
    let cache = folder("held");
    build_small(&cache);
    let lock = "3x3-blank0-1,2,3,4_5,6,7,8.lock";
    let held = fs::File::create(cache.join(lock)).unwrap();
    held.lock().unwrap();
    assert!(run(&cache, &["remove", "--all"]).status.success());
    assert_eq!(files(&cache), [lock]);
}

/// `.pdb` is the ending of the Protein Data Bank too.
#[test]
fn files_of_others_are_not_removed() {
    let cache = folder("others");
    build_small(&cache);
    // Ours by what it holds, though no program calls it so.
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
fn a_folder_that_is_called_like_a_table_is_left_and_the_others_go() {
    let cache = folder("folders");
    build_small(&cache);
    for name in ["2x2-blank0-1,2,3.pdb", "4x4-blank0-7-7-1.pdb", "4x4-blank0-7-7-1.lock"] {
        fs::create_dir(cache.join(name)).unwrap();
    }
    fs::create_dir(cache.join("3x3-blank0-1,2,3,4_5,6,7,8.1-0.tmp")).unwrap();
    let removed = run(&cache, &["remove", "--all"]);
    assert_eq!(removed.status.code(), Some(1));
    assert_eq!(stdout(&removed), format!("removed {}\n", cache.join(SMALL_FILE).display()));
    let said = stderr(&removed);
    assert_eq!(said.lines().count(), 2, "{said}");
    for name in ["2x2-blank0-1,2,3.pdb", "4x4-blank0-7-7-1.pdb"] {
        let warning = format!("warning: it is not removed: {}", cache.join(name).display());
        assert!(said.contains(&warning), "{said}");
    }
}
