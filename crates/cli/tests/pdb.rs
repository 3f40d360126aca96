//! Tables in files: made once, refused when damaged, never in the way of an answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use loyd::Size;
use loyd::search::Meter;
use loyd::tables::file::{Contents, FileError, Header, TableKey};
use loyd::tables::pdb::{Partition, Words};
use loyd::tables::{Build, Store};

/// An empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pdb").join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn loyd(cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", cache).arg("pdb").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(cache: &Path, arguments: &[&str]) -> Output {
    loyd(cache, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

/// Names of the files in `folder`.
fn files(folder: &Path) -> Vec<String> {
    let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| name(file.unwrap())).collect();
    names.sort();
    names
}

/// Small tables, made in no time.
const SMALL: [&str; 3] = ["1,2,3,4/5,6,7,8", "--size", "3x3"];
const SMALL_FILE: &str = "3x3-blank0-1,2,3,4_5,6,7,8.pdb";

fn small(command: &str) -> Vec<&str> {
    [&[command], &SMALL[..]].concat()
}

fn build_small(cache: &Path) -> Output {
    run(cache, &[&small("build")[..], &["--output", "json"]].concat())
}

#[test]
fn tables_are_built_listed_described_checked_and_removed() {
    let cache = folder("verbs").join("made/when/needed");
    let built = run(&cache, &small("build"));
    let file = cache.join(SMALL_FILE);
    let title = "1,2,3,4/5,6,7,8 of 3x3 boards with goal cell 0 of the blank";
    assert!(stdout(&built).starts_with(&format!("{title}: 11,040 states in ")), "{built:?}");
    assert!(stdout(&built).ends_with(&format!("\nkept in {}\n", file.display())), "{built:?}");
    let again = run(&cache, &small("build"));
    assert_eq!(stdout(&again), format!("{title} is there already\nkept in {}\n", file.display()));
    assert_eq!(stderr(&again), "");

    let listed = stdout(&run(&cache, &["list"]));
    let row: Vec<&str> = listed.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row[..5], [SMALL_FILE, "3x3", "0", "1,2,3,4/5,6,7,8", "sound"], "{listed}");

    let info = stdout(&run(&cache, &small("info")));
    assert!(info.contains("1,2,3,4      4 ") && info.contains("\n0-4  "), "{info}");
    let info = json(&run(&cache, &[&small("info")[..], &["--output", "json"]].concat()));
    let census = info["patterns"][0]["census"].as_array().unwrap();
    let sum: u64 = census.iter().map(|states| states.as_u64().unwrap()).sum();
    assert_eq!((census[0].as_u64(), Some(sum)), (Some(1), info["patterns"][0]["states"].as_u64()));
    assert_eq!(info["patterns"][0]["max"].as_u64(), Some(census.len() as u64 - 1));

    let verified = run(&cache, &small("verify"));
    assert!(stdout(&verified).contains("\nsound: all "), "{verified:?}");
    assert!(verified.status.success());

    let removed = run(&cache, &small("remove"));
    assert_eq!(stdout(&removed), format!("removed {}\n", file.display()));
    // The empty file of the lock stays: somebody may be waiting for it.
    let [lock] = files(&cache).try_into().unwrap();
    assert!(lock.ends_with(".lock"), "{lock}");
    let removed = run(&cache, &small("remove"));
    assert_eq!(removed.status.code(), Some(2));
    assert!(stderr(&removed).contains("loyd pdb list"), "{removed:?}");
}

#[test]
fn tables_of_other_kinds_are_built_listed_described_checked_and_removed() {
    let cache = folder("kinds");
    for (boards, (kind, word), states) in [
        (&["--size", "2x5", "--metric", "mtm"][..], ("tile-classes", "tile-classes"), 1_814_400),
        (&["--size", "3x6"], ("patterns", "3x6"), 13_366_080),
    ] {
        let verb = |verb| [&[verb][..], boards, &["--output", "json"]].concat();
        let built = json(&run(&cache, &verb("build")));
        assert_eq!((&built["built"], &built["kind"]), (&true.into(), &kind.into()));
        assert!(built["states"].as_u64().unwrap() >= states, "{built}");
        assert_eq!(json(&run(&cache, &verb("build")))["built"], false);
        let listed = json(&run(&cache, &["list", "--output", "json"]));
        assert_eq!((&listed["kind"], &listed["sound"]), (&kind.into(), &true.into()));
        assert_eq!(listed["file"], built["file"]);
        let info = json(&run(&cache, &verb("info")));
        assert_eq!(info["patterns"][0]["census"][0], 1, "{info}");
        let verified = json(&run(&cache, &verb("verify")));
        assert_eq!((&verified["sound"], &verified["wrong"]), (&true.into(), &0.into()));
        for verb in ["list", "info", "verify"] {
            let boards = if verb == "list" { &[][..] } else { boards };
            let shown = run(&cache, &[&[verb][..], boards].concat());
            assert!(shown.status.success() && stdout(&shown).contains(word), "{shown:?}");
        }
        let removed = run(&cache, &[&["remove", "default"][..], boards].concat());
        let file = built["file"].as_str().unwrap();
        assert_eq!(stdout(&removed), format!("removed {file}\n"));
    }
}

#[test]
fn all_that_is_removed_is_ours() {
    let cache = folder("remove_all");
    build_small(&cache);
    assert!(run(&cache, &["build", "--size", "2x2"]).status.success());
    fs::write(cache.join("letter.txt"), "dear").unwrap();
    fs::write(cache.join("3x3-blank0-1,2,3,4_5,6,7,8.99-0.tmp"), "half").unwrap();
    let removed = stdout(&run(&cache, &["remove", "--all"]));
    assert_eq!(removed.lines().count(), 2, "{removed}");
    let tables = |name: &String| !name.ends_with(".lock");
    let left: Vec<String> = files(&cache).into_iter().filter(tables).collect();
    assert_eq!(left, ["letter.txt"]);
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
    let mut expected = [&theirs[..], &["3x3-blank0-1,2,3,4_5,6,7,8.lock"]].concat();
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

/// A pipe would keep whoever opens it waiting, and a folder cannot be locked.
#[cfg(unix)]
#[test]
fn what_stands_where_the_lock_belongs_is_in_nobodys_way() {
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
fn goals_alike_share_their_tables() {
    let cache = folder("goals");
    for goal in ["blank-last", "blank-first", "3 1 2/6 4 5/x 7 8"] {
        let arguments = ["build", "--goal", goal, "--size", "3x3", "--output", "json"];
        assert!(run(&cache, &arguments).status.success(), "{goal}");
    }
    // The size of a goal that is a board need not be said.
    let built = json(&run(&cache, &["build", "--goal", "1 2 3/x 4 5/6 7 8", "--output", "json"]));
    assert_eq!((built["built"].as_bool(), built["blank"].as_u64()), (Some(true), Some(1)));
    let tables: Vec<String> =
        files(&cache).into_iter().filter(|name| name.ends_with(".pdb")).collect();
    assert_eq!(tables, ["3x3-blank0-1,2,3,4,5,6,7_8.pdb", "3x3-blank1-0,2,3,4,5,6,7_8.pdb"]);
}

#[test]
fn ten_programs_that_start_together_build_once() {
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
fn a_builder_that_is_killed_is_in_nobodys_way() {
    let cache = folder("killed");
    let (table, lock) = (cache.join("4x4-blank0-7-7-1.pdb"), cache.join("4x4-blank0-7-7-1.lock"));
    let mut child = loyd(&cache, &["build", "7-7-1", "--threads", "1"]).spawn().unwrap();
    let started = Instant::now();
    while !lock.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is built");
        sleep(Duration::from_millis(1));
    }
    // SIGKILL on Unix: nothing can be tidied up.
    child.kill().unwrap();
    child.wait().unwrap();
    // On a busy machine the signal may come too late.
    let _ = fs::remove_file(&table);
    // As if it had been killed while it wrote.
    let unfinished = cache.join("4x4-blank0-7-7-1.4711-0.tmp");
    fs::write(&unfinished, "LOYD-PDB").unwrap();
    let built = run(&cache, &["build", "7-7-1", "--output", "json"]);
    assert_eq!((json(&built)["built"].as_bool(), stderr(&built)), (Some(true), String::new()));
    assert_eq!(files(&cache), ["4x4-blank0-7-7-1.lock", "4x4-blank0-7-7-1.pdb"]);
    assert!(run(&cache, &["verify", "7-7-1"]).status.success());
}

/// Asks for the small tables when their file is `bytes`; they must be built again, with a reason, and
/// be what they were.
fn refused(cache: &Path, sound: &[u8], bytes: &[u8], reason: &str) {
    let file = cache.join(SMALL_FILE);
    fs::write(&file, bytes).unwrap();
    let partition = Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap();
    let store = Store::new(cache);
    let error = store.load(&partition, &mut Meter::default()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains(reason), "{error}");
    let files = store.list(&mut Meter::default()).unwrap();
    assert!(matches!(&files[..], [only] if only.state.is_err()));
    let obtained = store.get_or_build(&partition, &mut Meter::default(), Build::build);
    let obtained = obtained.unwrap();
    let [warning] = &obtained.warnings[..] else { panic!("{:?}", obtained.warnings) };
    assert!(obtained.built && warning.to_string().contains(&error.to_string()), "{warning}");
    assert!(fs::read(&file).unwrap() == sound, "it is as it was");
}

#[test]
fn a_flipped_bit_is_found_and_mended() {
    let cache = folder("flipped");
    build_small(&cache);
    let sound = fs::read(cache.join(SMALL_FILE)).unwrap();
    let mut seed = 1_u64;
    for _ in 0..100 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bit = (seed >> 33) as usize % (8 * sound.len());
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        refused(&cache, &sound, &bytes, "it");
    }
}

#[test]
fn files_of_other_lengths_versions_or_tables_are_mended() {
    let cache = folder("other");
    build_small(&cache);
    let sound = fs::read(cache.join(SMALL_FILE)).unwrap();
    for length in [0, 1, 8, 15, 16, 4095, 4096, 4097, sound.len() - 1] {
        refused(&cache, &sound, &sound[..length], "cut short");
    }
    refused(&cache, &sound, &[&sound[..], b"\n"].concat(), "longer than it should be");
    refused(&cache, &sound, b"#!/bin/sh\n", "not a file of tables");
    let mut old = sound.clone();
    old[8] = 0;
    refused(&cache, &sound, &old, "version 0 of the format, and this program reads version 1");
    run(&cache, &["build", "1,2/3,4,5/6,7,8", "--size", "3x3"]);
    let other = cache.join("3x3-blank0-1,2_3,4,5_6,7,8.pdb");
    let renamed = fs::read(&other).unwrap();
    fs::remove_file(&other).unwrap();
    refused(&cache, &sound, &renamed, "it holds 1,2/3,4,5/6,7,8 of 3x3 boards");
}

#[test]
fn the_program_warns_of_what_it_mends() {
    let cache = folder("warned");
    build_small(&cache);
    let file = cache.join(SMALL_FILE);
    let mut bytes = fs::read(&file).unwrap();
    bytes[5000] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let listed = run(&cache, &["list"]);
    let reason = "it is damaged: the checksum of its tables is wrong";
    assert!(stdout(&listed).contains(reason), "{listed:?}");
    assert_eq!(listed.status.code(), Some(1));
    let built = build_small(&cache);
    let warning = format!("{} is not used: {reason}; the tables are built again", file.display());
    assert_eq!(stderr(&built), format!("warning: {warning}\n"));
    assert_eq!(
        (&json(&built)["built"], &json(&built)["warnings"][0]),
        (&true.into(), &warning.into())
    );
    assert!(run(&cache, &["list"]).status.success());
}

/// The tables of `key` with one bit changed, and checksums that fit.
fn forge<K: TableKey>(cache: &Path, key: &K, bit: usize) {
    let store = Store::new(cache);
    let table = store.load(key, &mut Meter::default()).unwrap().unwrap();
    let mut before = 0;
    let piece = |words: &&[u64]| {
        let mut piece = Words::zeroed(words.len()).unwrap();
        piece.copy_from_slice(words);
        if (before..before + 64 * words.len()).contains(&bit) {
            piece[(bit - before) / 64] ^= 1 << (bit % 64);
        }
        before += 64 * words.len();
        piece
    };
    let pieces = K::pieces(&table).iter().map(piece).collect();
    store.save(key, &key.restore(pieces, K::censuses(&table))).unwrap();
}

fn forged(cache: &Path, bit: usize) {
    forge(cache, &Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap(), bit);
}

#[test]
fn verify_finds_what_checksums_do_not() {
    let cache = folder("forged");
    build_small(&cache);
    // A state of the first pattern, and one of the second.
    forged(&cache, 1);
    forged(&cache, 512 * 24 + 3);
    assert!(run(&cache, &["list"]).status.success(), "the checksums fit");
    let found = run(&cache, &small("verify"));
    assert_eq!(found.status.code(), Some(1));
    assert!(stdout(&found).contains("not sound: 2 of "), "{found:?}");
    assert!(stdout(&found).contains("the first is bit 1, "), "{found:?}");
    let found = json(&run(&cache, &[&small("verify")[..], &["--output", "json"]].concat()));
    assert_eq!((&found["sound"], &found["wrong"]), (&false.into(), &2.into()));
    assert_eq!(found["first"]["pattern"], serde_json::json!([1, 2, 3, 4]));
    assert_eq!(found["first"]["tiles"], serde_json::json!([0, 1, 2, 4]));
    forged(&cache, 1);
    forged(&cache, 512 * 24 + 3);
    assert!(run(&cache, &small("verify")).status.success());
}

#[test]
fn verify_says_what_a_reader_would() {
    let cache = folder("unreadable");
    build_small(&cache);
    let file = cache.join(SMALL_FILE);
    let sound = fs::read(&file).unwrap();
    let cut = (sound[..5000].to_vec(), "it is cut short");
    let mut checksum = sound.clone();
    checksum[28] ^= 1;
    let crc = crc32(&checksum[..4092]);
    checksum[4092..4096].copy_from_slice(&crc.to_le_bytes());
    let mut version = sound.clone();
    version[8] = 9;
    for (bytes, reason) in [
        cut,
        (checksum, "the checksum of its tables is wrong"),
        (version, "not sound: it has version 9"),
    ] {
        fs::write(&file, bytes).unwrap();
        let found = run(&cache, &small("verify"));
        assert!(stdout(&found).contains(reason), "{found:?}");
        assert_eq!(found.status.code(), Some(1), "{reason}");
    }
    fs::remove_file(&file).unwrap();
    let found = run(&cache, &small("verify"));
    assert_eq!(found.status.code(), Some(2));
    assert!(stderr(&found).contains("`loyd pdb build 1,2,3,4/5,6,7,8` with the same options"));
}

/// The checksum of files, bit by bit, as any description of it says.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

#[test]
fn where_nothing_can_be_written_tables_are_built_all_the_same() {
    let parent = folder("unwritable");
    let file = parent.join("file");
    fs::write(&file, "no folder").unwrap();
    for cache in [file.clone(), file.join("below")] {
        let built = build_small(&cache);
        let warning = stderr(&built);
        assert!(
            warning.starts_with("warning: the tables are not kept for next time: "),
            "{warning}"
        );
        assert!(warning.contains(cache.to_str().unwrap()), "{warning}");
        assert_eq!((&json(&built)["built"], built.status.code()), (&true.into(), Some(1)));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "no folder");
}

/// A limit on the length of files stands for a full disk.
#[cfg(unix)]
#[test]
fn on_a_full_disk_nothing_half_written_is_left() {
    let cache = folder("full");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" pdb build 6-6-3 --output json";
    let mut command = Command::new("sh");
    let built = command.args(["-c", script, env!("CARGO_BIN_EXE_loyd")]).env("LOYD_CACHE", &cache);
    let built = built.output().unwrap();
    assert!(stderr(&built).contains("the tables are not kept for next time"), "{built:?}");
    assert_eq!(json(&built)["built"], true);
    assert_eq!(files(&cache), ["4x4-blank0-6-6-3.lock"]);
}

#[test]
fn who_keeps_nothing_is_told_nothing() {
    let partition = Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap();
    let store = Store::new("none");
    let obtained = store.get_or_build(&partition, &mut Meter::default(), Build::build);
    let obtained = obtained.unwrap();
    assert!(obtained.built && obtained.warnings.is_empty());
    assert!(store.list(&mut Meter::default()).unwrap().is_empty());
    assert!(store.load(&partition, &mut Meter::default()).unwrap().is_none());
}

#[test]
fn the_users_folder_is_found() {
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
    assert!(elsewhere.arg("--cache").arg(home.join("said")).output().unwrap().status.success());
    assert!(home.join("said").join(SMALL_FILE).exists() && !home.join(SMALL_FILE).exists());
}

#[test]
fn who_waits_keeps_within_limits() {
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

#[test]
fn what_is_held_is_told_to_the_meter() {
    let cache = folder("memory");
    let partition = Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap();
    let store = Store::new(&cache);
    for built in [true, false] {
        let bytes = partition.table_bytes();
        let mut meter = Meter::default();
        let obtained = store.get_or_build(&partition, &mut meter, Build::build).unwrap();
        assert_eq!((obtained.built, Partition::bytes(&obtained.table)), (built, bytes));
        assert!(meter.finish().peak_bytes >= bytes);
        let limits = loyd::search::Limits { max_bytes: Some(bytes - 1), ..Default::default() };
        let mut meter = Meter::new(limits, loyd::CancelToken::new());
        let stopped = store.get_or_build(&partition, &mut meter, Build::build);
        assert_eq!(stopped.map(|_| ()).unwrap_err(), loyd::search::Stop::Memory);
    }
    let header = store.header(&partition).unwrap().unwrap();
    assert!(matches!(header, Header { words, .. } if 8 * words == partition.table_bytes()));
    let other = Partition::default_for(Size::EIGHT, 0);
    assert!(store.header(&other).unwrap().is_none());
    fs::rename(store.path(&partition).unwrap(), store.path(&other).unwrap()).unwrap();
    assert!(
        matches!(store.header(&other), Err(FileError::Other(found)) if *found == Contents::Patterns(partition))
    );
}
