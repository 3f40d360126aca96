//! Errors that `pdb verify` finds but checksums do not.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use loyd::Size;
use loyd::search::Meter;
use loyd::tables::Store;
use loyd::tables::file::TableKey;
use loyd::tables::pdb::{Partition, Words};

use super::{SMALL, SMALL_FILE, build_small, folder, json, run, small, stderr, stdout};

/// Writes the tables of `key` with one bit changed and matching checksums.
fn forge<K: TableKey>(cache: &Path, key: &K, bit: usize) {
    let store = Store::new(cache);
    let table = store.load(key, &mut Meter::default()).unwrap().unwrap();
    let mut before = 0;
    let piece = |words: &Cow<'_, [u64]>| {
        let mut piece = Words::zeroed(words.len()).unwrap();
        piece.copy_from_slice(words);
        if (before..before + 64 * words.len()).contains(&bit) {
            piece[(bit - before) / 64] ^= 1 << (bit % 64);
        }
        before += 64 * words.len();
        piece
    };
    let pieces = K::pieces(&table).iter().map(piece).collect();
    store.save(key, &key.restore(pieces, K::censuses(&table)).unwrap()).unwrap();
}

fn forged(cache: &Path, bit: usize) {
    forge(cache, &Partition::parse(SMALL[0], Size::EIGHT, 0).unwrap(), bit);
}

#[test]
fn verify_finds_errors_that_checksums_miss() {
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
fn verify_reports_same_fault_as_reader() {
    let cache = folder("unreadable");
    build_small(&cache);
    let file = cache.join(SMALL_FILE);
    let sound = fs::read(&file).unwrap();
    let cut = (sound[..5000].to_vec(), "it is truncated");
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

/// Computes the CRC-32 of files bit by bit, independently of the implementation under test.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}
