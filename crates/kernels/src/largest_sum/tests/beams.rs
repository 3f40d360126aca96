use std::collections::HashSet;

use super::*;
use crate::largest_sum::engine::BATCH;
use crate::largest_sum::kept::Kept;
use crate::largest_sum::layer::Layer;

/// The children of all nodes of a layer, in their order.
fn children(search: &mut LargestSumSearch, layer: &[Node]) -> Vec<Node> {
    let (runner, mut children) = (&search.runner, Vec::new());
    for batch in layer.chunks(BATCH) {
        let each = &mut |node: &Node| children.push(node.clone());
        runner.expand_batch(&mut search.engines[0], &runner.beam_rows, batch, each);
    }
    children
}

#[test]
fn layers_keep_the_most_promising_boards() {
    let size = size("5x5");
    let mut search = search(square(), &Arc::new(MoveRows::no_undo(size)), Cpu::detect(), 1);
    let start = scrambled(size, &mut 5, 300);
    let (root, sums) = search.runner.tables.root(&start).unwrap();
    let mut root = search.within(&root, &sums, 90).unwrap();
    root.automaton = search.runner.beam_rows.start(root.blank);
    let mut nodes = vec![root];
    for _ in 0..12 {
        nodes = children(&mut search, &nodes);
    }
    let mut seen = HashSet::new();
    let mut expected: Vec<&Node> = nodes.iter().filter(|node| seen.insert(node.board)).collect();
    assert!(expected.len() > 5000 && nodes.len() > expected.len() + 1000, "{}", nodes.len());
    expected.sort_by_key(|node| std::cmp::Reverse(Kept::promise(&node.slack)));
    for width in [1, 10, 1000, 2000, 4000, 100_000] {
        let (mut layer, mut kept) = (Layer::default(), Vec::new());
        for _ in 0..2 {
            layer.clear(nodes.len(), width);
            for batch in nodes.chunks(40) {
                batch.iter().for_each(|node| layer.add(node));
                layer.settle();
            }
            layer.end(&mut kept);
            let kept: HashSet<_> = kept.iter().map(|kept| kept.board).collect();
            let expected = expected.iter().take(width).map(|node| node.board);
            assert!(kept == expected.collect(), "{width}");
        }
        // Each board that two nodes lead to refuses the moves back to both.
        for kept in &kept {
            let alike = nodes.iter().filter(|node| node.board == kept.board);
            let all = alike.fold(0, |all, node| all | node.automaton);
            assert!(width < expected.len() || kept.automaton == all, "{width}");
        }
    }
}

#[test]
fn beams_take_no_more_memory_than_they_may() {
    for bytes in [0, 100_000, 1 << 20, 100 << 20, 300 << 20] {
        let width = LargestSumSearch::widest_beam(bytes);
        assert!(bytes < 100_000 || Beam::bytes(width) <= bytes, "{bytes}: {width}");
        assert!(Beam::bytes(2 * width + 1000) > bytes, "{bytes}: {width}");
    }
    assert_eq!(LargestSumSearch::widest_beam(u64::MAX), WIDEST);
}

#[test]
fn beams_find_solutions_of_the_same_length_and_change_no_complete_round() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let (mut seed, mut ended) = (3, 0);
    for board in 0..8 {
        let start = scrambled(size, &mut seed, 170 + 2 * board);
        let expected = by_kernel(&mut search(square(), &rows, Cpu::detect(), 1), &start);
        let mut search = search(square(), &rows, Cpu::detect(), 1).with_beams(1000);
        (search.least_round, search.ahead) = (100, 0);
        let mut meter = Meter::default();
        let outcome = search.solve(&start, &mut meter);
        let stats = meter.finish();
        assert_eq!(checked(size, &start, outcome, stats.iterations), expected);
        if stats.ended_by == Some("beam") {
            ended += 1;
            // A limit that is reached with the solution does not hide it.
            let limits = Limits { max_expanded: Some(stats.expanded), ..Limits::default() };
            let mut meter = Meter::new(limits, CancelToken::new());
            assert!(matches!(search.solve(&start, &mut meter), Outcome::Solved { .. }));
        }
    }
    assert!(ended > 0, "no beam found anything");
}

#[test]
fn rounds_look_ahead_to_solutions_of_the_same_length() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let (mut seed, mut ended) = (7, [0, 0]);
    for board in 0..12 {
        let start = scrambled(size, &mut seed, 170 + 2 * board);
        let mut plain = search(square(), &rows, Cpu::detect(), 1);
        plain.ahead = 0;
        let expected = by_kernel(&mut plain, &start);
        let counts = [1, 2].map(|threads| {
            let mut search = search(square(), &rows, Cpu::detect(), threads);
            let (mut meter, mut progress) = (Meter::default(), Progress::default());
            let outcome = search.continue_from(&start, &mut progress, &mut meter, &mut |_| {});
            let stats = meter.finish();
            let in_rounds: u64 = stats.iterations.iter().map(|round| round.expanded).sum();
            let beside = progress.beside.0 + progress.beyond.0;
            assert_eq!(stats.expanded, in_rounds + beside, "{start:?}");
            assert!(beside > 0, "{start:?}");
            assert_eq!(checked(size, &start, outcome, stats.iterations), expected);
            (stats.ended_by == Some("ahead"), stats.expanded)
        });
        // Only the last round depends on the order.
        assert!(!counts[0].0 || counts[0] == counts[1], "{start:?}: {counts:?}");
        ended[usize::from(counts[0].0)] += 1;
    }
    assert!(ended.iter().all(|&count| count > 0), "{ended:?}");
}

#[test]
fn a_solution_that_was_found_ahead_is_kept_and_has_to_be_one() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    let mut seed = 7;
    let mut kept: Vec<(Vec<u8>, Progress)> = Vec::new();
    for board in 0..12 {
        let start = scrambled(size, &mut seed, 170 + 2 * board);
        let mut search = search(square(), &rows, Cpu::detect(), 1);
        let mut keep = |progress: &Progress| {
            if progress.solution.is_some() {
                kept.push((start.clone(), progress.clone()));
            }
        };
        search.continue_from(&start, &mut Progress::default(), &mut Meter::default(), &mut keep);
    }
    assert!(!kept.is_empty());
    let mut search = search(square(), &rows, Cpu::detect(), 1);
    for (start, mut progress) in kept {
        assert!(accepts(&mut search, &start, &progress));
        let solution = progress.solution.clone().unwrap();
        for wrong in [&solution[1..], &solution[..solution.len() - 1], &[]] {
            let solution = Some(wrong.to_vec());
            let wrong = Progress { solution, ..progress.clone() };
            assert!(!accepts(&mut search, &start, &wrong));
        }
        // It is not proved before the round in which it was found is complete.
        let mut before = Progress { bound: progress.bound - 2, ..progress.clone() };
        before.rounds.pop();
        assert!(!accepts(&mut search, &start, &before));
        let (length, mut meter) = (solution.len() as Cost, Meter::default());
        let outcome = search.continue_from(&start, &mut progress, &mut meter, &mut |_| {});
        assert_eq!(outcome, Outcome::Solved { path: solution, cost: length });
        assert_eq!(meter.finish().ended_by, Some("ahead"));
    }
}

#[test]
fn a_solution_found_ahead_is_accepted_wherever_the_blank_belongs() {
    let (size, blank) = (size("5x5"), 12);
    let text = "0,1,5,6/2,3,4,7/8,9,13,14/10,11,15,16/17,18,19/20,21,22,23,24";
    let partition = Partition::parse(text, size, blank).unwrap();
    let database = Arc::new(Database::build::<Plain>(partition, &mut Meter::default()).unwrap());
    let mut search = search(&database, &Arc::new(MoveRows::no_undo(size)), Cpu::detect(), 1);
    let (mut seed, mut kept) = (7, 0);
    for _ in 0..12 {
        let mut start: Vec<u8> = (0..25).collect();
        for _ in 0..150 {
            let at = start.iter().position(|&goal| goal == blank).unwrap();
            let to = size.neighbour(Cell::new(at), Move::ALL[random(&mut seed, 4)]);
            start.swap(at, to.map_or(at, Cell::index));
        }
        let mut last = None;
        let mut keep = |progress: &Progress| last = Some(progress.clone());
        search.continue_from(&start, &mut Progress::default(), &mut Meter::default(), &mut keep);
        let Some(progress) = last.filter(|progress| progress.solution.is_some()) else { continue };
        assert!(accepts(&mut search, &start, &progress), "{start:?}");
        kept += 1;
    }
    assert!(kept > 0);
}

#[test]
fn around_a_beam_the_observer_is_told_what_the_search_does() {
    let size = size("5x5");
    let rows = Arc::new(MoveRows::no_undo(size));
    // So narrow that hardly any finds anything.
    let mut search = search(square(), &rows, Cpu::detect(), 1).with_beams(1);
    (search.least_round, search.ahead) = (100, 0);
    let (mut seed, mut again) = (3, 0);
    for board in 0..4 {
        let mut told = Vec::new();
        let mut observer = |event: Event<'_>| {
            if let Event::Stage { name, with } = event {
                told.push((name, with));
            }
            Continue(())
        };
        let mut meter = Meter::default().observed_by(&mut observer);
        meter.stage("proving", Some("pdb")).unwrap();
        search.solve(&scrambled(size, &mut seed, 170 + 2 * board), &mut meter);
        let turns = ["proving", "beam"].into_iter().cycle().map(|name| (name, Some("pdb")));
        assert!(turns.take(told.len()).eq(told.iter().copied()), "{told:?}");
        again += told.len() / 3;
    }
    assert!(again > 0, "no beam was in vain");
}
