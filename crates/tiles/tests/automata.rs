//! Automata that prune duplicates: their words on boards, in both metrics.

use std::collections::HashSet;

use loyd_search::{
    Automaton, Contexts, Goals, Meter, NoUndo, Outcome, PathPruner, Rankable, StateSpace, idastar,
    replay, retrograde,
};
use loyd_tiles::{
    ArraySpace, Board, BoardSpace, Goal, Metric, Move, Packed3x3, Packed4x4, PartialGoal, Size,
    Slides,
};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn goal(text: &str) -> Board {
    Goal::BlankLast.board(size(text)).unwrap()
}

fn automaton<S: Contexts>(space: &S, words: u32) -> Automaton {
    Automaton::generate(space, words, &mut Meter::default()).unwrap()
}

/// Returns the number of boards at each distance from `start` up to `depth`, searching on boards.
fn levels(start: &Board, metric: Metric, depth: u32) -> Vec<u64> {
    let longest = if metric == Metric::SingleTile { 1 } else { usize::MAX };
    let mut met = HashSet::from([start.clone()]);
    let (mut level, mut sizes) = (vec![start.clone()], vec![1]);
    for _ in 0..depth {
        let mut next = Vec::new();
        for board in level {
            for m in Move::ALL {
                let mut board = board.clone();
                for _ in 0..longest {
                    if board.apply(m).is_err() {
                        break;
                    }
                    if met.insert(board.clone()) {
                        next.push(board.clone());
                    }
                }
            }
        }
        level = next;
        sizes.push(level.len() as u64);
    }
    sizes
}

/// Returns the number of words of each length that an automaton accepts.
fn language(automaton: &Automaton, context: usize, depth: u32) -> Vec<u64> {
    let mut counts = vec![0_u64; automaton.state_count()];
    counts[automaton.start(context) as usize] = 1;
    let mut sizes = vec![1];
    for _ in 0..depth {
        let mut next = vec![0; counts.len()];
        for (state, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let states = (0..automaton.actions()).filter_map(|i| automaton.next(state as u32, i));
            states.for_each(|state| next[state as usize] += count);
        }
        counts = next;
        sizes.push(counts.iter().sum());
    }
    sizes
}

fn check_words_reach_each_board<S: BoardSpace>(space: &S, words: u32) {
    let automaton = automaton(space, words);
    let goal = space.relabelling().goal();
    for cell in space.size().iter_cells() {
        // Any board with the blank on this cell.
        let mut numbers: Vec<u32> = goal.numbers().map(u32::from).collect();
        numbers.swap(goal.blank().index(), cell.index());
        let board = Board::new(space.size(), &numbers).unwrap();
        let expected = levels(&board, S::METRIC, words);
        let context = space.context(&space.encode(&board));
        assert_eq!(context, cell.index());
        assert_eq!(language(&automaton, context, words), expected, "{board}, {:?}", S::METRIC);
    }
}

#[test]
fn words_reach_every_board_within_their_length() {
    for (text, steps, slides) in [
        ("2x2", 9, 8),
        ("1x5", 6, 4),
        ("2x3", 14, 9),
        ("4x2", 12, 7),
        ("3x4", 10, 5),
        ("5x5", 8, 4),
    ] {
        let space = ArraySpace::<64>::new(&goal(text));
        check_words_reach_each_board(&space, steps);
        check_words_reach_each_board(&Slides::new(space), slides);
    }
    check_words_reach_each_board(&Packed3x3::new(&goal("3x3")), 13);
    check_words_reach_each_board(&Slides::new(Packed3x3::new(&goal("3x3"))), 7);
    check_words_reach_each_board(&Packed4x4::new(&goal("4x4")), 10);
    check_words_reach_each_board(&Slides::new(Packed4x4::new(&goal("4x4"))), 5);
}

/// With the true distance as heuristic, the first iteration is the last one if a shortest path survives.
fn check_shortest_path_survives<S>(space: &S, words: &[u32])
where
    S: Contexts + Rankable + Goals,
{
    let table = retrograde(space, &mut Meter::default()).unwrap();
    for &words in words {
        let automaton = automaton(space, words);
        for rank in 0..space.state_count().unwrap() {
            let start = space.unrank(rank);
            let mut meter = Meter::default();
            let outcome = idastar(space, &table, &automaton, &start, &mut meter);
            let Outcome::Solved { path, cost } = outcome else { panic!("{outcome:?}") };
            assert_eq!(cost, table.distance(space, &start), "{words} words, rank {rank}");
            assert_eq!(replay(space, &start, &path), Ok(cost));
            assert_eq!(meter.finish().iterations.len(), 1);
        }
    }
}

#[test]
fn shortest_path_survives_from_every_board() {
    check_shortest_path_survives(&Packed3x3::new(&goal("3x3")), &[3, 14, 18]);
    check_shortest_path_survives(&Slides::new(Packed3x3::new(&goal("3x3"))), &[3, 8]);
    for goal in [goal("2x4"), Goal::BlankFirst.board(size("4x2")).unwrap()] {
        let space = ArraySpace::<16>::new(&goal);
        check_shortest_path_survives(&space, &[2, 14, 20]);
        check_shortest_path_survives(&Slides::new(space), &[2, 6, 9]);
    }
}

/// Tiles that share a label are distinguished all the same.
#[test]
fn shortest_path_survives_to_partial_goals() {
    let numbers = [1, 2, 0, 4, 0, 0, 0, 0, 0].map(|number| (number > 0).then_some(number));
    let partial = PartialGoal::new(Size::EIGHT, &numbers).unwrap();
    let space = ArraySpace::<16>::with_partial_goal(&partial, &goal("3x3"));
    check_shortest_path_survives(&space, &[12]);
    check_shortest_path_survives(&Slides::new(space), &[6]);
}

/// All spaces of the same boards have the same automaton.
#[test]
fn packed_and_plain_spaces_have_the_same_automaton() {
    let goals = [goal("3x3"), Goal::BlankFirst.board(Size::EIGHT).unwrap()];
    let [plain, other] = goals.map(|goal| automaton(&ArraySpace::<16>::new(&goal), 12));
    assert!(plain == automaton(&Packed3x3::new(&goal("3x3")), 12) && plain == other);
    let plain = automaton(&ArraySpace::<64>::new(&goal("4x4")), 12);
    assert!(plain == automaton(&Packed4x4::new(&goal("4x4")), 12));
}

/// Checks the table read by kernels: a row for each state, in the order of [`Move::ALL`].
#[test]
fn rows_contain_legal_moves_without_inverses() {
    let space = ArraySpace::<64>::new(&goal("5x5"));
    let automaton = automaton(&space, 6);
    let rows = automaton.rows::<4>().unwrap();
    for cell in space.size().iter_cells() {
        let start = automaton.start(cell.index());
        let legal = space.size().moves(cell);
        for m in Move::ALL {
            let next = rows[start as usize][m.index()];
            assert_eq!(next != Automaton::FORBIDDEN, legal.contains(m));
            if legal.contains(m) {
                assert_eq!(automaton.next(start, m.index()), Some(next));
                assert_eq!(rows[next as usize][m.inverse().index()], Automaton::FORBIDDEN);
            }
        }
    }
}

#[test]
fn later_children_are_counted_as_without_automaton() {
    let space = Packed3x3::new(&goal("3x3"));
    let automaton = automaton(&space, 12);
    let state = space.goals()[0];
    let actions = space.actions(&state);
    let memory = PathPruner::<Packed3x3>::start(&automaton, &space, &state);
    for last in [None, Some(Move::Up)] {
        let with = automaton.allowed(&space, memory, last, actions);
        assert_eq!(with, NoUndo.allowed(&space, (), last, actions));
    }
}
