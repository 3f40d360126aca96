use std::collections::HashMap;
use std::collections::hash_map::Entry;

use loyd_search::{CancelToken, Limits};
use loyd_tiles::notation::{parse_board, parse_partial_goal};
use loyd_tiles::{Goal, Move, Tile};

use super::*;

/// Returns the distance of every board reachable from `example` to the nearest board that meets `goal`, by a plain
/// breadth-first search with a hash map.
fn plain_search(goal: &PartialGoal, example: &Board, metric: Metric) -> HashMap<Vec<u8>, usize> {
    let tiles = |board: &Board| board.numbers().map(|number| number as u8).collect::<Vec<_>>();
    let size = goal.size();
    let neighbours = |board: &Vec<u8>| {
        let blank = Cell::new(board.iter().position(|&tile| tile == 0).unwrap());
        let mut found = Vec::new();
        for m in Move::ALL {
            let (mut board, mut blank) = (board.clone(), blank);
            while let Some(to) = size.neighbour(blank, m) {
                board.swap(blank.index(), to.index());
                found.push(board.clone());
                blank = to;
                if metric == Metric::SingleTile {
                    break;
                }
            }
        }
        found
    };
    let search = |sources: Vec<Vec<u8>>| {
        let mut distances = HashMap::new();
        let mut layer = sources;
        for distance in 0.. {
            layer.retain(|board| match distances.entry(board.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(distance);
                    true
                }
                Entry::Occupied(_) => false,
            });
            if layer.is_empty() {
                break;
            }
            layer = layer.iter().flat_map(neighbours).collect();
        }
        distances
    };
    let is_goal = |board: &Vec<u8>| {
        let numbers: Vec<u32> = board.iter().map(|&tile| tile.into()).collect();
        goal.is_met_by(&Board::new(size, &numbers).unwrap())
    };
    let all = search(vec![tiles(example)]);
    search(all.into_keys().filter(is_goal).collect())
}

fn exact_goal(goal: &Board) -> PartialGoal {
    let numbers: Vec<_> = goal.tiles().iter().map(|tile| Some(tile.number().into())).collect();
    PartialGoal::new(goal.size(), &numbers).unwrap()
}

fn new_census(goal: &PartialGoal, example: &Board, metric: Metric, cpu: Cpu) -> Census {
    Census::new(goal, example, metric, cpu, &mut Meter::default()).unwrap()
}

fn completed_census(goal: &PartialGoal, example: &Board, metric: Metric, cpu: Cpu) -> Census {
    let mut census = new_census(goal, example, metric, cpu);
    while census.advance(&mut Meter::default()).unwrap() > 0 {}
    census
}

/// The packed slices of a level, by block and cell of the blank.
type PackedLevel = HashMap<(usize, u8), Vec<u8>>;

/// Copies a slice to `packed`, and returns whether the level has states there.
fn load(level: &PackedLevel, Slice { block, blank }: Slice, packed: &mut PackedSlice) -> bool {
    let Some(bytes) = level.get(&(block, blank)) else { return false };
    packed.reset(bytes.len()).unwrap().copy_from_slice(bytes);
    true
}

/// Computes the next level of a census in blocks from the last two, and returns its number of states.
fn next_in_blocks(census: &BlockCensus, [previous, last]: [&PackedLevel; 2]) -> (u64, PackedLevel) {
    let (mut level, mut states, mut window) = (PackedLevel::new(), 0, census.window().unwrap());
    let [mut packed, mut next] = [(); 2].map(|()| census.packed_slice().unwrap());
    for slice in (0..census.blocks()).flat_map(|block| census.slices(block)) {
        window.clear();
        for source in census.sources(slice).chain([slice]) {
            if load(last, source, &mut packed) {
                assert!(census.insert(&mut window, source.blank, &packed));
            }
        }
        let has_last = last.contains_key(&(slice.block, slice.blank));
        let previous = load(previous, slice, &mut packed).then_some(&packed);
        let new = census.advance(slice, &window, has_last, previous, &mut next).unwrap();
        if new > 0 {
            level.insert((slice.block, slice.blank), next.as_bytes().to_vec());
        }
        states += new;
    }
    (states, level)
}

/// Returns the goals as the first level of a census in blocks, and their number.
fn goals_in_blocks(census: &BlockCensus) -> (u64, PackedLevel) {
    let (mut level, mut states, mut next) = (PackedLevel::new(), 0, census.packed_slice().unwrap());
    for slice in (0..census.blocks()).flat_map(|block| census.slices(block)) {
        let new = census.insert_goals(slice, &mut next);
        if new > 0 {
            level.insert((slice.block, slice.blank), next.as_bytes().to_vec());
        }
        states += new;
    }
    (states, level)
}

/// Returns the number of states at each distance, computed in blocks.
fn counts_in_blocks(census: &BlockCensus) -> Vec<u64> {
    let (states, mut last) = goals_in_blocks(census);
    let (mut counts, mut previous) = (vec![states], PackedLevel::new());
    loop {
        let (states, next) = next_in_blocks(census, [&previous, &last]);
        if states == 0 {
            return counts;
        }
        counts.push(states);
        previous = std::mem::replace(&mut last, next);
    }
}

fn assert_agreement(goal: &PartialGoal, example: &Board) {
    for metric in Metric::ALL {
        let distances = plain_search(goal, example, metric);
        let depth = *distances.values().max().unwrap();
        let mut counts = vec![0; depth + 1];
        distances.values().for_each(|&distance| counts[distance] += 1);
        for cpu in Cpu::available() {
            let census = completed_census(goal, example, metric, cpu);
            assert_eq!(census.counts(), counts, "{goal}, {example}, {metric:?}, {cpu}");
            if metric == Metric::SingleTile {
                let in_blocks = counts_in_blocks(&BlockCensus::new(goal, example, 0, cpu));
                assert_eq!(in_blocks, counts, "{goal}, {example}, {cpu}");
            }
            let farthest = census.farthest(usize::MAX);
            let free = goal.dont_care_tiles().len() as u64;
            let alike = (3..=free).product::<u64>();
            assert_eq!(farthest.len() as u64 * alike, counts[depth], "{goal}, {metric:?}");
            for board in &farthest {
                let tiles: Vec<u8> = board.tiles().iter().map(|tile| tile.number() as u8).collect();
                assert_eq!(distances[&tiles], depth, "{goal}, {board}, {metric:?}");
            }
            assert_eq!(census.farthest(1).len(), 1);
        }
    }
}

#[test]
fn all_goals_of_small_boards_agree_with_a_plain_search() {
    for (size, blanks) in [
        ("2x2", 0..4),
        ("1x2", 0..2),
        ("2x1", 0..2),
        ("7x1", 0..7),
        ("1x5", 0..5),
        ("2x3", 0..6),
        ("3x2", 0..6),
        ("2x4", 2..3),
        ("4x2", 5..6),
        ("3x3", 5..6),
    ] {
        for blank in blanks {
            let size: Size = size.parse().unwrap();
            let mut numbers: Vec<u32> = (1..size.cells() as u32).rev().collect();
            numbers.insert(blank, 0);
            let goal = Board::new(size, &numbers).unwrap();
            assert_agreement(&exact_goal(&goal), &goal);
        }
    }
}

#[test]
fn partial_goals_agree_with_a_plain_search() {
    for text in [
        "1 2 3/* * */* * *",
        "1 2 3/4 5 6/7 * *",
        "* * */4 5 x",
        "1 * 3/* x *",
        "1 2 3/4 5 *",
        "1 * 3/4 * 5",
        "1 2/3 4/* */7 *",
        "1 2 * 4/5 * 7 x",
        "* */* *",
        "1 */* x",
        "* * */* * *",
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let example = goal.example();
        assert_agreement(&goal, &example);
        // Boards of the other parity may meet the goal, too.
        let mut other = example.clone();
        let swap = |tile: Tile| match tile.number() {
            1 => 2,
            2 => 1,
            number => number.into(),
        };
        let numbers: Vec<u32> = other.tiles().iter().map(|&tile| swap(tile)).collect();
        other = Board::new(goal.size(), &numbers).unwrap();
        if let Some(example) = goal.reachable(&other) {
            assert_agreement(&goal, &example);
        }
    }
}

#[test]
fn large_boards_have_the_known_depths_on_every_level() {
    for (size, depths) in [("2x5", [55, 36]), ("4x3", [53, 33]), ("2x6", [80, 41])] {
        let size: Size = size.parse().unwrap();
        let goal = Goal::BlankLast.board(size).unwrap();
        for (metric, depth) in Metric::ALL.into_iter().zip(depths) {
            // On the large boards the lower levels would take seconds.
            let levels = Cpu::available().filter(|&cpu| size.cells() == 10 || cpu == Cpu::detect());
            for cpu in levels {
                let work = || completed_census(&exact_goal(&goal), &goal, metric, cpu);
                let census = loyd_heuristics::threads::run_in_pool(2, work).unwrap();
                assert_eq!(census.depth(), depth, "{size}, {metric:?}, {cpu}");
                let all: u64 = (3..=size.cells() as u64).product();
                assert_eq!(census.counts().iter().sum::<u64>(), all);
                let farthest = census.farthest(usize::MAX).len();
                assert_eq!(farthest as u64, census.counts()[depth as usize]);
            }
        }
    }
}

#[test]
fn packed_levels_equal_those_in_memory_on_every_level() {
    for (text, anchors) in [
        ("1 2 3 4 5/6 7 8 9 x", 0),
        ("1 2 3 4 5/6 7 8 9 x", 1),
        ("1 2 3 4 5/* * * * *", 1),
        ("* 2/3 4/5 6/* 8/* *", 1),
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let example = goal.example();
        let levels = |cpu| {
            let census = BlockCensus::new(&goal, &example, anchors, cpu);
            let mut levels = vec![PackedLevel::new(), goals_in_blocks(&census).1];
            while let [.., previous, last] = &levels[..]
                && let (1.., next) = next_in_blocks(&census, [previous, last])
            {
                levels.push(next);
            }
            levels
        };
        let plain = levels(Cpu::Scalar);
        for cpu in Cpu::available() {
            let census = completed_census(&goal, &example, Metric::SingleTile, cpu);
            let in_blocks = counts_in_blocks(&BlockCensus::new(&goal, &example, anchors, cpu));
            assert_eq!(in_blocks, census.counts(), "{goal}, {cpu}");
            assert!(levels(cpu) == plain, "{goal}, {cpu}");
        }
    }
}

#[test]
fn malformed_slices_are_rejected() {
    let goal = exact_goal(&Goal::BlankLast.board("2x5".parse().unwrap()).unwrap());
    for cpu in Cpu::available() {
        let census = BlockCensus::new(&goal, &goal.example(), 0, cpu);
        let mut level = goals_in_blocks(&census).1;
        let mut previous = PackedLevel::new();
        for _ in 0..12 {
            let (_, next) = next_in_blocks(&census, [&previous, &level]);
            previous = std::mem::replace(&mut level, next);
        }
        let (window, mut packed) = (census.window().unwrap(), census.packed_slice().unwrap());
        let (&(block, blank), bytes) = level.iter().next().unwrap();
        let slice = Slice { block, blank };
        let mut is_read = |bytes: &[u8], mut window: Window| {
            packed.reset(bytes.len()).unwrap().copy_from_slice(bytes);
            let mut next = census.packed_slice().unwrap();
            let states = census.advance(slice, &window, false, Some(&packed), &mut next);
            [census.insert(&mut window, blank, &packed), states.is_some()]
        };
        assert_eq!(is_read(bytes, window), [true; 2]);
        // Other lengths of the whole, of a placement, and of a mask.
        let placements = 9;
        let first = (0..placements).find(|&placement| bytes[2 * placement] > 0).unwrap();
        let mut longer = bytes.clone();
        longer[2 * first] ^= 1;
        let mut mask = bytes.clone();
        mask[2 * placements] ^= 1;
        let long = [&bytes[..], &[0]].concat();
        for wrong in [&bytes[..bytes.len() - 1], &bytes[..5], &[], &long, &longer] {
            assert_eq!(is_read(wrong, census.window().unwrap()), [false; 2], "{cpu}");
        }
        assert!(!is_read(&mask, census.window().unwrap())[0], "{cpu}");
        assert!(census.packed_slice().unwrap().reset(1 << 30).is_none());
    }
}

#[test]
fn resume_equals_uninterrupted_census() {
    for (text, metric) in [
        ("1 2 3/4 5 6/7 8 x", Metric::SingleTile),
        ("1 2 3/4 5 6/7 8 x", Metric::MultiTile),
        ("1 2 3/* * */* * *", Metric::SingleTile),
    ] {
        let goal = parse_partial_goal(text, None).unwrap();
        let begin = || new_census(&goal, &goal.example(), metric, Cpu::detect());
        let uninterrupted = completed_census(&goal, &goal.example(), metric, Cpu::detect());
        let mut first = begin();
        for _ in 0..10 {
            let blocks: Vec<Vec<u64>> = first.saved_blocks().map(<[u64]>::to_vec).collect();
            let mut second = begin();
            let resume = |census: &mut Census, counts, blocks: &[Vec<u64>]| {
                let mut blocks = blocks.iter();
                let read = |block: &mut [u64]| {
                    block.copy_from_slice(blocks.next().ok_or(())?);
                    Ok::<(), ()>(())
                };
                census.resume(counts, read).unwrap()
            };
            assert!(resume(&mut second, first.counts().to_vec(), &blocks));
            while second.advance(&mut Meter::default()).unwrap() > 0 {}
            assert_eq!(second.counts(), uninterrupted.counts());
            assert_eq!(second.farthest(9), uninterrupted.farthest(9));
            // Counts that do not match the blocks are detected.
            let mut wrong = first.counts().to_vec();
            *wrong.last_mut().unwrap() += 1;
            assert!(!resume(&mut begin(), wrong, &blocks));
            assert!(!resume(&mut begin(), Vec::new(), &blocks));
            assert!(first.advance(&mut Meter::default()).unwrap() > 0);
        }
    }
}

#[test]
fn limits_stop_a_census() {
    let goal = exact_goal(&Goal::BlankLast.board("3x4".parse().unwrap()).unwrap());
    let begin = |bytes| {
        let limits = Limits { max_bytes: Some(bytes), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let example = goal.example();
        Census::new(&goal, &example, Metric::SingleTile, Cpu::detect(), &mut meter).map(|_| ())
    };
    let enough = Census::bytes(&goal, Metric::SingleTile);
    assert_eq!((begin(enough), begin(enough - 1)), (Ok(()), Err(Stop::Memory)));
    let cancel = CancelToken::new();
    let mut census = new_census(&goal, &goal.example(), Metric::SingleTile, Cpu::detect());
    cancel.cancel();
    let mut meter = Meter::new(Limits::default(), cancel);
    assert_eq!(census.advance(&mut meter), Err(Stop::Cancelled));
}

#[test]
fn the_memory_estimate_is_close() {
    for (text, part) in [("1 2 3/4 5 6/7 8 9/10 11 x", 1), ("1 2 3/4 5 6/7 8 9/10 * *", 2)] {
        let goal = parse_partial_goal(text, None).unwrap();
        let census = new_census(&goal, &goal.example(), Metric::SingleTile, Cpu::detect());
        let held: usize = census.saved_blocks().map(<[u64]>::len).sum();
        let bytes = Census::bytes(&goal, Metric::SingleTile);
        assert_eq!(held, part * 11 * 10 * 9 * 12 * 336);
        assert!((8 * held as u64..9 * held as u64 + (6 << 20)).contains(&bytes), "{bytes}");
    }
    let large = parse_board("1 2/3 4/5 6/7 8/9 10/11 12/13 x", None).unwrap();
    let bytes = Census::bytes(&exact_goal(&large), Metric::SingleTile);
    assert!((5_800_000_000..6_000_000_000).contains(&bytes), "{bytes}");
}
