//! Several processes that need the same tables.

use std::fs;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use loyd::Size;
use loyd::search::Meter;
use loyd::tables::Store;
use loyd::tables::pdb::Partition;

use super::{SMALL, SMALL_FILE, build_small, files, folder, json, loyd, run, small, stderr};

/// Opening a pipe would block, and a folder cannot be locked.
#[cfg(unix)]
#[test]
fn invalid_lock_file_does_not_block() {
    let cache = folder("obstacle");
    let lock = cache.join("3x3-blank0-1,2,3,4_5,6,7,8.lock");
    let pipe = || assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
    let folder = || fs::create_dir(&lock).unwrap();
    let socket = || drop(std::os::unix::net::UnixListener::bind(&lock).unwrap());
    for make in [&pipe as &dyn Fn(), &folder, &socket] {
        make();
        let started = Instant::now();
        let built = build_small(&cache);
        assert!(started.elapsed() < Duration::from_secs(20));
        let warning = format!(
            "warning: {} is not a file that can be locked; the tables are built without a lock\n",
            lock.display()
        );
        assert_eq!((json(&built)["built"].as_bool(), stderr(&built)), (Some(true), warning));
        assert_eq!(built.status.code(), Some(0));
        let removed = run(&cache, &small("remove"));
        assert_eq!((removed.status.code(), stderr(&removed)), (Some(0), String::new()));
        if lock.is_dir() { fs::remove_dir(&lock).unwrap() } else { fs::remove_file(&lock).unwrap() }
    }
}

#[test]
fn ten_concurrent_processes_build_once() {
    let cache = folder("race");
    let arguments = ["build", "6-6-3", "--output", "json"];
    let children: Vec<_> = (0..10).map(|_| loyd(&cache, &arguments).spawn().unwrap()).collect();
    let outputs: Vec<Output> =
        children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let built = outputs.iter().filter(|output| json(output)["built"] == true).count();
    assert_eq!(built, 1);
    for output in &outputs {
        assert_eq!((output.status.code(), stderr(output)), (Some(0), String::new()));
    }
    assert_eq!(files(&cache), ["4x4-blank0-6-6-3.lock", "4x4-blank0-6-6-3.pdb"]);
    assert!(run(&cache, &["verify", "6-6-3"]).status.success());
}

#[test]
fn killed_builder_does_not_block() {
    let cache = folder("killed");
    let (table, lock) = (cache.join("4x4-blank0-7-7-1.pdb"), cache.join("4x4-blank0-7-7-1.lock"));
    let mut child = loyd(&cache, &["build", "7-7-1", "--threads", "1"]).spawn().unwrap();
    let started = Instant::now();
    while !lock.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is built");
        sleep(Duration::from_millis(1));
    }
    // SIGKILL on Unix: the process cannot clean up.
    child.kill().unwrap();
    child.wait().unwrap();
    // On a busy machine, the signal may come too late.
    let _ = fs::remove_file(&table);
    // Simulates a process that was killed while writing.
    let unfinished = cache.join("4x4-blank0-7-7-1.4711-0.tmp");
    fs::write(&unfinished, "LOYD-PDB").unwrap();
    let built = run(&cache, &["build", "7-7-1", "--output", "json"]);
    assert_eq!((json(&built)["built"].as_bool(), stderr(&built)), (Some(true), String::new()));
    assert_eq!(files(&cache), ["4x4-blank0-7-7-1.lock", "4x4-blank0-7-7-1.pdb"]);
    assert!(run(&cache, &["verify", "7-7-1"]).status.success());
}

#[test]
fn waiting_respects_limits() {
    let cache = folder("waiting");
    build_small(&cache);
    let partition = Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap();
    fs::remove_file(cache.join(SMALL_FILE)).unwrap();
    let lock = fs::File::open(cache.join("3x3-blank0-1,2,3,4_5,6,7,8.lock")).unwrap();
    lock.lock().unwrap();
    let limits =
        loyd::search::Limits { max_time: Some(Duration::from_millis(20)), ..Default::default() };
    let mut meter = Meter::new(limits, loyd::CancelToken::new());
    let store = Store::new(&cache);
    let stopped = store.get_or_build(&partition, &mut meter, |_, _| panic!("somebody else builds"));
    assert_eq!(stopped.map(|_| ()).unwrap_err(), loyd::search::Stop::Time);
}
