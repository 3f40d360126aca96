//! Memory of loaded tables, counted against the limit of the caller.

use std::fs;

use loyd::Size;
use loyd::search::Meter;
use loyd::tables::file::{AnyTableKey, FileError, Header, TableKey};
use loyd::tables::pdb::Partition;
use loyd::tables::{Build, Store};

use super::{SMALL, folder};

#[test]
fn loaded_bytes_are_counted_by_meter() {
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
        matches!(store.header(&other), Err(FileError::OtherKey(found)) if *found == AnyTableKey::Patterns(partition))
    );
}
