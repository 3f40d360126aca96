use std::collections::BTreeSet;

use super::super::named::NAMED_PARTITIONS;
use super::*;

fn fifteen() -> Size {
    Size::new(4, 4).unwrap()
}

#[test]
fn names_stand_for_their_cells() {
    let cells = |name, blank| Partition::named(name, fifteen(), blank).unwrap().to_string();
    assert_eq!(cells("7-8", 0), "1,4,5,8,9,12,13/2,3,6,7,10,11,14,15");
    assert_eq!(cells("7-7-1", 0), "1,2,3,4,5,6,7/8,9,10,12,13,14,15/11");
    assert_eq!(cells("6-6-3", 0), "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15");
    assert_eq!(cells("5-5-5", 0), "1,4,5,8,9/2,3,6,7,11/10,12,13,14,15");
    assert_eq!(cells("6-6-3", 5), "0,1,4,8,9,12/2,3,6,7,10,11/13,14,15");
    for (size, blank, names) in [
        ("4x4", 0, 4),
        ("4x4", 1, 4),
        ("4x4", 5, 4),
        ("5x5", 0, 2),
        ("5x5", 6, 1),
        ("5x5", 3, 0),
        ("4x5", 0, 1),
    ] {
        let size = size.parse().unwrap();
        // Sets of several sizes have the same name.
        let all: BTreeSet<&str> = NAMED_PARTITIONS.iter().map(|row| row.name).collect();
        let named: Vec<_> = all
            .into_iter()
            .filter_map(|name| Some((name, Partition::named(name, size, blank)?)))
            .collect();
        assert_eq!(named.len(), names, "{size} {blank}");
        for (name, partition) in named {
            assert_eq!(partition.name(), name);
            let again = Partition::parse(&partition.to_string(), size, blank);
            assert_eq!(again, Ok(partition));
        }
    }
    let sums = |name| Partition::named(name, "5x5".parse().unwrap(), 0).unwrap().sums().len();
    assert_eq!((sums("6-6-6-6"), sums("catalogue")), (1, 6));
}

#[test]
fn named_sets_have_few_patterns_for_each_tile() {
    for blank in [0, 1, 2, 6, 7, 12] {
        let size = "5x5".parse().unwrap();
        let set = Partition::named("catalogue", size, blank).unwrap();
        let transpose = |&cell: &u8| 5 * (cell % 5) + cell / 5;
        let cells = |pattern: &Pattern| -> Vec<u8> { pattern.cells().to_vec() };
        let mut patterns: BTreeSet<Vec<u8>> = set.patterns().iter().map(cells).collect();
        if transpose(&blank) == blank {
            let transposed = patterns.iter().map(|cells| {
                let mut cells: Vec<u8> = cells.iter().map(transpose).collect();
                cells.sort_unstable();
                cells
            });
            patterns = transposed.chain(patterns.clone()).collect();
        }
        let of = |tile: u8| patterns.iter().filter(|cells| cells.contains(&tile)).count();
        // What the kernel for these boards can take.
        assert!(patterns.len() < 32 && (0..25).all(|tile| of(tile) <= 8), "{blank}");
        assert!(set.table_bytes() < 250_000_000, "{blank}");
    }
}

#[test]
fn sizes_are_as_promised() {
    let megabytes = |name| {
        let partition = Partition::named(name, fifteen(), 0).unwrap();
        partition.table_bytes() as f64 / 1e6
    };
    assert!((197.0..200.0).contains(&megabytes("7-8")));
    assert!((35.0..36.5).contains(&megabytes("7-7-1")));
    assert!((2.5..3.5).contains(&megabytes("6-6-3")));
}

#[test]
fn says_what_is_wrong() {
    let error = |text| Partition::parse(text, fifteen(), 0).unwrap_err().to_string();
    assert!(error("7-8+7-7-1").starts_with("4x4 boards have single partitions only"));
    assert!(error("7-8/1").starts_with("`7-8` names a whole partition, or a set of them, and"));
    assert!(error("7-9").starts_with("`7-9` is neither the name of a partition (5-5-5, 6-6-3"));
    assert!(error("1,2,3/0").starts_with("there is no tile for cell 0; goal cells of a 4x4"));
    assert!(error("1,16").starts_with("there is no tile for cell 16"));
    assert!(error("1,2/2,3").starts_with("cell 2 appears twice"));
    assert_eq!(error("1,2,3,4,5"), "cell 6 is in no pattern; each tile belongs to one");
    assert!(error("").starts_with("a goal cell is missing"));
    assert!(error("1,2,3,4,5,6,7,8,9,10,11/12,13,14,15").starts_with("a pattern of 11 tiles"));
    let ones: Vec<String> = (1..16).map(|cell| cell.to_string()).collect();
    assert!(error(&ones.join("/")).starts_with("15 patterns; at most 8"));
}

#[test]
fn every_board_has_a_default() {
    for (width, height) in [(1, 2), (2, 2), (3, 3), (3, 4), (2, 8), (3, 5), (1, 16)] {
        let size = Size::new(width, height).unwrap();
        let partition = Partition::default_for(size, 0);
        assert!(partition.patterns().iter().all(|pattern| pattern.tiles() <= 7));
        assert_eq!(Partition::parse("default", size, 0), Ok(partition));
    }
}

#[test]
fn sets_of_partitions_are_read_and_refused() {
    let size = |text: &str| text.parse::<Size>().unwrap();
    let (rows, columns) =
        ("1,2/3,4,5/6,7,8/9,10,11/12,13,14/15,16,17", "1,4,7/3,6,9/2,5,8/10,13,16/11,12/14,15,17");
    let parse = |text: &str| Partition::parse(text, size("3x6"), 0);
    let error = |text: &str| parse(text).unwrap_err().to_string();
    let both = parse(&format!("{rows}+{columns}")).unwrap();
    assert!(both.is_set() && both.sums().len() == 2);
    assert_eq!(parse(&both.to_string()), Ok(both.clone()));
    // The order of partitions stays, that of the patterns in each does not, and none counts twice.
    let (first, rest) = rows.split_once('/').unwrap();
    assert_eq!(parse(&format!("{rest}/{first} + {columns}+{rows}")), Ok(both.clone()));
    assert_ne!(parse(&format!("{columns}+{rows}")), Ok(both));
    assert_eq!(parse(&format!("{rows}+{rows}")), parse(rows));
    assert!(!parse(rows).unwrap().is_set());
    let nine = [rows; 9].join("+");
    assert_eq!(error(&nine), "9 partitions; a set of them has at most 8");
    assert_eq!(
        error(&format!("{rows}+1,2")),
        "partition 2 of the set: cell 3 is in no pattern; each tile belongs to one"
    );
    assert!(error("1,,2").starts_with("a goal cell is missing"));
    let second = |text: &str| {
        let error = error(&format!("{rows}+{text}"));
        error.strip_prefix("partition 2 of the set: ").unwrap().to_owned()
    };
    assert!(second("").starts_with("a goal cell is missing"));
    assert!(second("default").starts_with("`default` names a whole partition"));
    let none =
        "3x3 boards have single partitions only; those of 17 to 25 cells may have sets of them";
    let small = Partition::parse("1,2,3,4/5,6,7,8+1,2,3,5/4,6,7,8", Size::EIGHT, 0);
    assert_eq!(small.unwrap_err().to_string(), none);
    let [runs, other] = [[5, 5, 5, 5, 5, 5, 5], [4, 6, 5, 5, 5, 5, 5]]
        .map(|tiles| Partition::in_runs(size("6x6"), 0, &tiles));
    assert_eq!(
        Partition::largest_of(vec![runs.clone(), other]),
        Err(PartitionError::NoSets(size("6x6")))
    );
    assert_eq!(Partition::largest_of(vec![runs.clone()]), Ok(runs));
}
