//! Partitions into patterns. The first line has the size of the boards and the goal cell of the blank.

use loyd::Size;
use loyd::tables::pdb::{MAX_CELLS, Partition, Pattern};

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (options, text) = laws::first_line(bytes);
    let (options, text) = (String::from_utf8_lossy(options), String::from_utf8_lossy(text));
    let mut options = options.split_whitespace();
    let size = options.next().and_then(|size| size.parse::<Size>().ok());
    let size = size.filter(|size| size.cells() <= MAX_CELLS).unwrap_or(Size::EIGHT);
    let blank = options.next().and_then(|cell| cell.parse::<u8>().ok());
    let blank = blank.filter(|&cell| usize::from(cell) < size.cells()).unwrap_or(0);
    match Partition::parse(&text, size, blank) {
        Ok(partition) => holds_together(&partition, size, blank),
        Err(error) => {
            let longest = text.split(['/', ',', '+']).map(str::len).max().unwrap_or(0);
            assert!(error.to_string().len() <= 400 + longest, "{error}");
        }
    }
}

fn holds_together(partition: &Partition, size: Size, blank: u8) {
    assert_eq!((partition.size(), partition.blank()), (size, blank));
    for text in [partition.to_string(), partition.name()] {
        assert_eq!(Partition::parse(&text, size, blank).as_ref(), Ok(partition), "{text}");
    }
    let (patterns, sums) = (partition.patterns(), partition.sums());
    assert!((1..=Partition::MAX_SUMS).contains(&sums.len()));
    assert!(!partition.is_set() || size.cells() <= Partition::MAX_SET_CELLS);
    assert!(patterns.iter().all(|one| (1..=Pattern::MAX_TILES).contains(&one.tiles())));
    let mut used: Vec<usize> = sums.concat();
    used.sort_unstable();
    used.dedup();
    assert!(used.into_iter().eq(0..patterns.len()), "{partition}");
    for sum in sums {
        assert!((1..=Partition::MAX_PATTERNS).contains(&sum.len()));
        let mut cells: Vec<u8> =
            sum.iter().flat_map(|&one| patterns[one].cells()).copied().collect();
        cells.push(blank);
        cells.sort_unstable();
        assert!(cells.into_iter().eq(0..size.cells() as u8), "{partition}");
    }
}
