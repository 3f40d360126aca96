use loyd_search::{CancelToken, Limits};
use loyd_tiles::Size;

use super::*;

fn build(text: &str, (width, height): (u32, u32), blank: u8, cpu: Cpu) -> Database {
    let size = Size::new(width, height).unwrap();
    let partition = Partition::parse(text, size, blank).unwrap();
    build_patterns(partition, cpu, &mut Meter::default()).unwrap()
}

#[test]
fn every_level_builds_the_same_tables() {
    for (size, blank, text) in [
        ((4, 4), 0, "6-6-3"),
        ((4, 4), 5, "0,1,2/3,4/6,7,8,9/10,11,12,13/14,15"),
        ((3, 4), 1, "0,2,3,4,5,6,7/8,9,10,11"),
        ((2, 6), 0, "default"),
        ((3, 3), 4, "0,1,2,3,5,6,7,8"),
        ((2, 2), 0, "1,2/3"),
        ((1, 6), 2, "0,1/3,4,5"),
    ] {
        let plain = build(text, size, blank, Cpu::Scalar);
        for cpu in Cpu::available().skip(1) {
            let other = build(text, size, blank, cpu);
            assert!(plain.words() == other.words(), "{text} on {size:?}, {cpu}");
            for (plain, other) in plain.parts().iter().zip(other.parts()) {
                assert_eq!(plain.census(), other.census(), "{text} on {size:?}, {cpu}");
            }
        }
    }
}

#[test]
fn builds_stop_when_told() {
    let partition = Partition::parse("7-8", Size::new(4, 4).unwrap(), 0).unwrap();
    let cancel = CancelToken::new();
    cancel.cancel();
    for cpu in Cpu::available() {
        let mut meter = Meter::new(Limits::default(), cancel.clone());
        let stop = build_patterns(partition.clone(), cpu, &mut meter).unwrap_err();
        assert_eq!(stop, Stop::Cancelled);
    }
}
