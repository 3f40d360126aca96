use loyd_tiles::Move;

use super::*;
use crate::MoveRows;
use crate::pattern_search::tables::{self, Tables};
use crate::pattern_search::tests::{database, fifteen, position, random};

/// Returns the children of a node, all of which have enough slack.
fn children(engine: &mut BatchEngine, tables: &PortableTables, node: Node) -> Vec<Node> {
    let seeds =
        Seeds { nodes: SeedNodes { nodes: vec![node], in_pool: false }, order: vec![0], raised: 0 };
    engine.start_iteration(&seeds, 1);
    let (queue, mut left) = (seeds.queue(1), 1);
    while engine.run(tables, &queue, &mut left) == Pause::Goal {
        engine.goal = None;
    }
    assert_eq!(left, 0);
    let numbers = &engine.stack.numbers[..engine.stack.len];
    numbers.iter().map(|&number| *engine.pool.get(number)).collect()
}

#[test]
fn incremental_node_equals_node_from_scratch() {
    const EASE: u32 = 40;
    let odd = "1,2,4,5,8/3,6,7,9,10,11/12,13,14,15";
    for (text, blank) in [("5-5-5", 0), ("6-6-3", 5), ("5-5-5", 1), (odd, 0)] {
        let tables = Tables::new(&database(text, blank)).unwrap();
        let constants = PortableTables::new(&tables, &MoveRows::no_undo(fifteen())).unwrap();
        let mut engine = BatchEngine::new();
        let mut seeds = Seeds::default();
        let (root, mut sums) = tables.root(&position(Tables::GOAL)).unwrap();
        BatchEngine::set_root(&mut seeds, &constants, root);
        let mut node = seeds.nodes.nodes[0];
        let mut seed = 1;
        for step in 0..3000 {
            node.meta = node.meta.map(|meta| meta & ((1 << SLACK) - 1) | EASE << SLACK);
            let children = children(&mut engine, &constants, node);
            assert_eq!(children.len() as u64, engine.take_generated());
            node = children[random(&mut seed, children.len())];
            assert_eq!(node.path >> 32, step + 1);
            let (fresh, fresh_sums) = tables.root(&position(node.board)).unwrap();
            assert_eq!((node.board, node.planes.word()), (fresh.board, fresh.planes));
            assert_eq!(node.ranks.word(), fresh.ranks);
            let meta = meta_of(fresh.meta);
            for half in 0..1 + usize::from(tables.reflects()) {
                // SAFETY: `half` is 0 or 1.
                let (old, new) = unsafe { (node.meta.get(half), meta.get(half)) };
                assert_eq!(old & 0x3_0303, new & 0x3_0303);
                let risen = EASE - (old >> SLACK);
                assert_eq!(fresh_sums[half] + 1, sums[half] + 2 * risen);
            }
            sums = fresh_sums;
        }
    }
}

#[test]
fn found_goal_is_returned_before_links_are_renumbered() {
    const UNUSED: usize = 5;
    let tables = Tables::new(&database("5-5-5", 0)).unwrap();
    let constants = PortableTables::new(&tables, &MoveRows::no_undo(fifteen())).unwrap();
    let (mut engine, mut seeds) = (BatchEngine::new(), Seeds::default());
    let mut start = position(Tables::GOAL);
    start.swap(0, 1);
    let (mut root, _) = tables.root(&start).unwrap();
    root.meta |= 40 << tables::SLACK | 40 << (32 + tables::SLACK);
    BatchEngine::set_root(&mut seeds, &constants, root);
    engine.start_iteration(&seeds, 1);
    // There is room for the root, but not for its children, unless the unused links are removed.
    (0..UNUSED).for_each(|_| _ = engine.links.push(0));
    engine.links.limit = UNUSED + 1 + ADDED;
    assert_eq!(engine.run(&constants, &seeds.queue(1), &mut 1), Pause::Goal);
    let (link, depth) = engine.goal.unwrap();
    assert!(((1 + UNUSED as u32)..).contains(&link) && engine.links.len > UNUSED, "{link}");
    assert_eq!(engine.links.path(&[0], link, depth), [Move::Left]);
}
