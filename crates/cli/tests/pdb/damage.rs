//! Damaged files are rebuilt, with a warning that gives the reason.

use std::fs;
use std::path::Path;

use loyd::Size;
use loyd::search::Meter;
use loyd::tables::pdb::Partition;
use loyd::tables::{Build, Store};

use super::{SMALL, SMALL_FILE, build_small, folder, json, run, small, stderr, stdout};

/// Loads the small tables from a file with `bytes`; they must be rebuilt with the given reason, and equal the sound
/// ones.
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
fn flipped_bit_is_detected_and_repaired() {
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
fn files_of_wrong_length_version_or_tables_are_rebuilt() {
    let cache = folder("other");
    build_small(&cache);
    let sound = fs::read(cache.join(SMALL_FILE)).unwrap();
    for length in [0, 1, 8, 15, 16, 4095, 4096, 4097, sound.len() - 1] {
        refused(&cache, &sound, &sound[..length], "truncated");
    }
    refused(&cache, &sound, &[&sound[..], b"\n"].concat(), "longer than it should be");
    refused(&cache, &sound, b"#!/bin/sh\n", "not a table file");
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
fn rebuilding_prints_warning() {
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
    let described = run(&cache, &small("info"));
    assert!(stderr(&described).contains(reason), "{described:?}");
    assert_eq!(described.status.code(), Some(2));
    let built = build_small(&cache);
    let warning = format!("{} is not used: {reason}; rebuilding it", file.display());
    assert_eq!(stderr(&built), format!("warning: {warning}\n"));
    assert_eq!(
        (&json(&built)["built"], &json(&built)["warnings"][0]),
        (&true.into(), &warning.into())
    );
    assert!(run(&cache, &["list"]).status.success());
}
