//! The folders of tables, including ones that cannot be written.

use std::fs;
use std::path::Path;
use std::process::Command;

use loyd::Size;
use loyd::search::Meter;
use loyd::tables::pdb::Partition;
use loyd::tables::{Build, Store};

use super::{SMALL, SMALL_FILE, build_small, files, folder, json, loyd, small, stderr};

#[test]
fn tables_are_built_if_folder_is_read_only() {
    let parent = folder("unwritable");
    let file = parent.join("file");
    fs::write(&file, "no folder").unwrap();
    for cache in [file.clone(), file.join("below")] {
        let built = build_small(&cache);
        let warning = stderr(&built);
        assert!(
            warning.starts_with("warning: the tables are not saved for later runs: "),
            "{warning}"
        );
        assert!(warning.contains(cache.to_str().unwrap()), "{warning}");
        assert_eq!((&json(&built)["built"], built.status.code()), (&true.into(), Some(1)));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "no folder");
}

/// A limit on the size of files simulates a full disk.
#[cfg(unix)]
#[test]
fn full_disk_leaves_no_partial_file() {
    let cache = folder("full");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" pdb build 6-6-3 --output json";
    let mut command = Command::new("sh");
    let built = command.args(["-c", script, env!("CARGO_BIN_EXE_loyd")]).env("LOYD_CACHE", &cache);
    let built = built.output().unwrap();
    assert!(stderr(&built).contains("the tables are not saved for later runs"), "{built:?}");
    assert_eq!(json(&built)["built"], true);
    assert_eq!(files(&cache), ["4x4-blank0-6-6-3.lock"]);
}

#[test]
fn no_warning_without_cache() {
    let partition = Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap();
    let store = Store::new("none");
    let obtained = store.get_or_build(&partition, &mut Meter::default(), Build::build);
    let obtained = obtained.unwrap();
    assert!(obtained.built && obtained.warnings.is_empty());
    assert!(store.list(&mut Meter::default()).unwrap().is_empty());
    assert!(store.load(&partition, &mut Meter::default()).unwrap().is_none());
}

#[test]
fn user_folder_is_found() {
    let home = folder("home");
    let build = |variables: &[(&str, &Path)]| {
        let mut command = loyd(Path::new(""), &small("build"));
        command.env_remove("XDG_CACHE_HOME").envs(variables.iter().copied());
        assert!(command.output().unwrap().status.success());
    };
    build(&[("HOME", &home)]);
    build(&[("HOME", &home), ("XDG_CACHE_HOME", &home.join("xdg"))]);
    if cfg!(unix) {
        assert!(home.join(".cache/loyd").join(SMALL_FILE).exists());
        assert!(home.join("xdg/loyd").join(SMALL_FILE).exists());
    }
    let mut elsewhere = loyd(&home, &small("build"));
    assert!(elsewhere.arg("--cache").arg(home.join("chosen")).output().unwrap().status.success());
    assert!(home.join("chosen").join(SMALL_FILE).exists() && !home.join(SMALL_FILE).exists());
}
