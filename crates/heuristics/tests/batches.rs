//! Batched searches count the same nodes as depth-first searches.
//!
//! [`ArraySpace`] does not support batches, so every search in it is depth first.

use loyd_heuristics::{DistanceMatrix, TileSum};
use loyd_search::{
    CancelToken, IncrementalHeuristic, Iteration, Limits, Meter, NoUndo, Outcome, StateSpace, Zero,
    depth_first, idastar,
};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Goal, Move, Packed3x3, Packed4x4, Size};

/// The result of a search and its counts.
type Found = (Outcome<Move>, u64, u64, Vec<Iteration>);

fn found(limits: Limits, search: impl FnOnce(&mut Meter<'_>) -> Outcome<Move>) -> Found {
    let mut meter = Meter::new(limits, CancelToken::new());
    let outcome = search(&mut meter);
    let stats = meter.finish();
    (outcome, stats.expanded, stats.generated, stats.iterations)
}

/// Compares IDA* in both spaces, without limits and with limits on the number of expansions.
fn compare<S, H>(space: &S, heuristic: &H, board: &Board)
where
    S: BoardSpace + StateSpace<Action = Move>,
    H: IncrementalHeuristic<S> + IncrementalHeuristic<ArraySpace<16>>,
{
    let plain = ArraySpace::<16>::new(space.relabelling().goal());
    let (start, plain_start) = (space.encode(board), plain.encode(board));
    let both = |max_expanded| {
        let limits = Limits { max_expanded, ..Limits::default() };
        let known = found(limits, |m| idastar(&plain, heuristic, &NoUndo, &plain_start, m));
        let batches = found(limits, |m| idastar(space, heuristic, &NoUndo, &start, m));
        assert_eq!(batches, known, "{board} within {max_expanded:?}");
        known.1
    };
    let expanded = both(None);
    for less in [0, 1, 1000, expanded / 2] {
        both(Some(expanded.saturating_sub(less)));
    }
}

/// Returns the board after a random walk from the goal.
fn walked(goal: &Board, moves: usize, seed: u64) -> Board {
    let mut board = goal.clone();
    let (mut state, mut last) = (seed, None);
    for _ in 0..moves {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let legal: Vec<Move> =
            board.moves().into_iter().filter(|&m| Some(m.inverse()) != last).collect();
        let m = legal[(state >> 33) as usize % legal.len()];
        board.apply(m).unwrap();
        last = Some(m);
    }
    board
}

#[test]
fn on_4x4_boards() {
    for (number, goal) in (1..).zip([Goal::BlankLast, Goal::BlankFirst]) {
        let goal = goal.board(Size::FIFTEEN).unwrap();
        let space = Packed4x4::new(&goal);
        let labels = space.relabelling();
        let manhattan = TileSum::manhattan(labels);
        for seed in 1..3 {
            compare(&space, &manhattan, &walked(&goal, 90, 10 * number + seed));
            compare(&space, &TileSum::misplaced(labels), &walked(&goal, 24, 10 * number + seed));
        }
        // Half of the tiles have estimate 0, so that f rises by one, two or three.
        let matrix = DistanceMatrix::from_fn(Size::FIFTEEN, |from, to| {
            2 * Size::FIFTEEN.distance(from, to) * (to.index() as u32 % 2)
        });
        compare(&space, &TileSum::new(labels, &matrix), &walked(&goal, 34, number));
        compare(&space, &Zero, &walked(&goal, 17, number));
    }
}

#[test]
fn on_3x3_boards() {
    for goal in [Goal::BlankLast, Goal::BlankFirst] {
        let goal = goal.board(Size::EIGHT).unwrap();
        let space = Packed3x3::new(&goal);
        for seed in 1..5 {
            let board = walked(&goal, 100, seed);
            compare(&space, &Zero, &board);
            compare(&space, &TileSum::misplaced(space.relabelling()), &board);
        }
    }
}

/// A depth limit larger than the solution length leaves goals at several depths.
#[test]
fn with_a_limit_on_the_depth() {
    let goal = Goal::BlankLast.board(Size::EIGHT).unwrap();
    let (space, plain) = (Packed3x3::new(&goal), ArraySpace::<16>::new(&goal));
    for seed in 1..9 {
        let board = walked(&goal, 60, seed);
        for limit in [20, 25, 31] {
            let (start, plain_start) = (space.encode(&board), plain.encode(&board));
            let limits = Limits { max_expanded: Some(300_000), ..Limits::default() };
            assert_eq!(
                found(limits, |m| depth_first(&space, &NoUndo, &start, limit, m)),
                found(limits, |m| depth_first(&plain, &NoUndo, &plain_start, limit, m)),
                "{board} within {limit}"
            );
        }
    }
}
