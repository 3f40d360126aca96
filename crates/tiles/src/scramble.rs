//! Random boards and walks, reproducible from a seed.

use std::ops::ControlFlow;

use crate::board::Board;
use crate::moves::Move;
use crate::parity::Solvability;
use crate::partial_goal::PartialGoal;
use crate::size::{Cell, Size};

/// A pseudorandom number generator whose sequence for a seed is the same on every platform and in every release.
///
/// The generator is SplitMix64: each step adds 0x9E3779B97F4A7C15 to the state and returns the state
/// mixed by `z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31`.
/// It takes five lines in any language, passes the usual test batteries, and does not depend on the
/// release of a library. It is not cryptographically secure.
///
/// # Examples
/// ```
/// let mut random = loyd_tiles::Random::new(1_234_567);
/// assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
/// ```
/// # References
/// Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators".
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Creates a generator from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next number, uniform over all 64-bit values.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number from 0 to `bound` − 1: the upper half of the product of `bound` and the next
    /// number, redrawn while the lower half is below 2^64 mod `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    ///
    /// # References
    /// Lemire (2019), "Fast random integer generation in an interval".
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "the bound must be positive");
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }

    /// Returns a uniformly chosen item, or `None` if `items` is empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        match items {
            [] => None,
            _ => items.get(self.below(items.len() as u64) as usize),
        }
    }

    /// Shuffles `items`; every order is equally likely (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Returns a board drawn uniformly from all boards that can reach `goal`.
///
/// # Examples
/// ```
/// use loyd_tiles::{Goal, Random, Size, Solvability, random_board};
/// let goal = Goal::BlankLast.board(Size::FIFTEEN)?;
/// let board = random_board(&goal, &mut Random::new(7));
/// assert!(Solvability::new(&board, &goal).is_solvable());
/// # Ok::<(), loyd_tiles::GoalMismatch>(())
/// ```
pub fn random_board(goal: &Board, random: &mut Random) -> Board {
    let size = goal.size();
    if size.is_line() {
        // The order never changes, so only the cell of the blank is random.
        return goal.with_blank_on(Cell::new(random.below(size.cells() as u64) as usize));
    }
    let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
    random.shuffle(&mut numbers);
    let drawn = board(size, &numbers);
    let is_solvable = Solvability::is_reachable(&drawn, goal);
    if is_solvable { drawn } else { in_other_half(size, numbers) }
}

/// Returns a board drawn uniformly from all boards from which `goal` can be met. Returns `None` on a single line,
/// where the order of the tiles would have to equal that of a board that meets the goal.
///
/// # Examples
/// ```
/// use loyd_tiles::{Random, notation::parse_partial_goal, random_board_to};
/// let goal = parse_partial_goal("1 2 3/* * */* * *", None)?;
/// let board = random_board_to(&goal, &mut Random::new(7)).unwrap();
/// assert!(goal.reachable(&board).is_some());
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn random_board_to(goal: &PartialGoal, random: &mut Random) -> Option<Board> {
    let size = goal.size();
    if size.is_line() {
        return None;
    }
    let mut numbers: Vec<u32> = (0..size.cells() as u32).collect();
    random.shuffle(&mut numbers);
    let drawn = board(size, &numbers);
    // At least one half of all boards can meet the goal.
    Some(if goal.reachable(&drawn).is_some() { drawn } else { in_other_half(size, numbers) })
}

/// Returns a board drawn uniformly from all boards that meet `goal`.
pub fn random_goal(goal: &PartialGoal, random: &mut Random) -> Board {
    let size = goal.size();
    let required = |cell: Cell| goal.required(cell).map(|tile| u32::from(tile.number()));
    let mut is_taken = vec![false; size.cells()];
    size.iter_cells().filter_map(required).for_each(|number| is_taken[number as usize] = true);
    let mut left: Vec<u32> =
        (0..size.cells() as u32).filter(|&number| !is_taken[number as usize]).collect();
    random.shuffle(&mut left);
    let numbers: Vec<u32> =
        size.iter_cells().filter_map(|cell| required(cell).or_else(|| left.pop())).collect();
    board(size, &numbers)
}

fn board(size: Size, numbers: &[u32]) -> Board {
    Board::new(size, numbers).expect("a permutation is a board")
}

/// Swaps the first two tiles: a bijection between the boards of the two parities.
fn in_other_half(size: Size, mut numbers: Vec<u32>) -> Board {
    let mut tiles = (0..numbers.len()).filter(|&cell| numbers[cell] != 0);
    let (first, second) = (tiles.next().expect("a tile"), tiles.next().expect("two tiles"));
    numbers.swap(first, second);
    board(size, &numbers)
}

/// A walk on a single line would have to turn back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "on a {size} board no walk of {moves} moves from here avoids turning back: at most {most} do"
)]
pub struct WalkTooLong {
    /// The size of the board.
    pub size: Size,
    /// The requested number of moves.
    pub moves: usize,
    /// The largest number of moves possible from the start.
    pub most: usize,
}

/// Returns a random walk of `moves` moves from `start`. Each move is drawn uniformly from the legal moves that do
/// not undo the previous one.
///
/// # Errors
/// Returns an error on a single line if the blank would have to turn back.
pub fn random_walk(
    start: &Board,
    moves: usize,
    random: &mut Random,
) -> Result<Vec<Move>, WalkTooLong> {
    let mut walk = Vec::new();
    walk_randomly(&mut start.clone(), moves, random, |m| {
        walk.push(m);
        ControlFlow::Continue(())
    })?;
    Ok(walk)
}

/// Makes the moves of a [`random_walk`] on `board` without storing them, and calls `visit` after each move. The walk ends
/// early if `visit` breaks.
///
/// Cost: some nanoseconds per move; allocates nothing.
///
/// # Errors
/// Returns an error on a single line if the blank would have to turn back; the board is then unchanged.
pub fn walk_randomly(
    board: &mut Board,
    moves: usize,
    random: &mut Random,
    mut visit: impl FnMut(Move) -> ControlFlow<()>,
) -> Result<(), WalkTooLong> {
    let size = board.size();
    let room = |m: Move, board: &Board| {
        let blank = board.blank().index();
        if matches!(m, Move::Up | Move::Left) { blank } else { size.tiles() - blank }
    };
    let most = Move::ALL.into_iter().map(|m| room(m, board)).max().unwrap_or(0);
    if size.is_line() && moves > most {
        return Err(WalkTooLong { size, moves, most });
    }
    let mut undoing = None;
    for left in (1..=moves).rev() {
        let (mut choices, mut count) = (Move::ALL, 0);
        for m in board.moves() {
            let has_room = !size.is_line() || room(m, board) >= left;
            if Some(m) != undoing && has_room {
                choices[count] = m;
                count += 1;
            }
        }
        let m = *random
            .choose(&choices[..count])
            .expect("only on a line can the blank run out of moves");
        board.apply(m).expect("the move is legal");
        undoing = Some(m.inverse());
        if visit(m).is_break() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::goal::GOALS;
    use crate::notation::{moves_to_string, parse_partial_goal, slashes};

    /// Fails if the sequence of a seed changes.
    #[test]
    fn sequences_of_seeds_are_stable() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        let goal = GOALS[0].goal.board(Size::FIFTEEN).unwrap();
        let mut random = Random::new(7);
        assert_eq!(
            slashes(&random_board(&goal, &mut random)).to_string(),
            "13 11 15 3/9 14 8 1/10 4 2 5/7 12 0 6"
        );
        assert_eq!(
            moves_to_string(&random_walk(&goal, 20, &mut random).unwrap()),
            "lluldrulurdlurrdllur"
        );
    }

    #[test]
    fn random_board_is_uniform_over_solvable_boards() {
        for (size, states) in [("3x2", 360), ("2x2", 12), ("1x5", 5), ("5x1", 5)] {
            for row in GOALS {
                let goal = row.goal.board(size.parse().unwrap()).unwrap();
                let mut random = Random::new(1);
                let mut seen = BTreeMap::new();
                const EACH: usize = 1000;
                for _ in 0..states * EACH {
                    let board = random_board(&goal, &mut random);
                    assert!(Solvability::new(&board, &goal).is_solvable());
                    *seen.entry(board.to_string()).or_insert(0) += 1;
                }
                assert_eq!(seen.len(), states, "{size}");
                // Six standard deviations.
                let far = 6 * EACH.isqrt();
                assert!(seen.values().all(|&times: &usize| times.abs_diff(EACH) < far), "{seen:?}");
            }
        }
    }

    #[test]
    fn random_board_to_is_uniform_over_boards_that_can_meet_the_goal() {
        // Half of all boards if at most one tile and the blank next to it are unconstrained, otherwise all.
        for (text, boards) in [
            ("1 2/* *", 12),
            ("1 2/3 *", 12),
            ("1 */3 *", 12),
            ("1 */* 3", 24),
            ("* */* *", 24),
            ("1 * 0/* 5 *", 720),
        ] {
            let goal = parse_partial_goal(text, None).unwrap();
            let (mut random, mut seen) = (Random::new(3), BTreeMap::new());
            const EACH: usize = 1000;
            for _ in 0..boards * EACH {
                let board = random_board_to(&goal, &mut random).unwrap();
                assert!(goal.reachable(&board).is_some(), "{text}: {board}");
                *seen.entry(board.to_string()).or_insert(0) += 1;
            }
            assert_eq!(seen.len(), boards, "{text}");
            let far = 6 * EACH.isqrt();
            assert!(seen.values().all(|&times: &usize| times.abs_diff(EACH) < far), "{seen:?}");
        }
        let line = parse_partial_goal("1 * */", None).unwrap();
        assert_eq!(random_board_to(&line, &mut Random::new(0)), None);
    }

    #[test]
    fn random_goal_draws_every_board_that_meets_the_goal() {
        for (text, boards) in [("1 2/* *", 2), ("1 * */* 5 0", 6), ("1 2/3 0", 1), ("1 * */", 2)] {
            let (mut random, mut seen) = (Random::new(3), std::collections::BTreeSet::new());
            let goal = parse_partial_goal(text, None).unwrap();
            for _ in 0..100 {
                let board = random_goal(&goal, &mut random);
                assert!(goal.is_met_by(&board), "{text}: {board}");
                seen.insert(board.to_string());
            }
            assert_eq!(seen.len(), boards, "{text}");
        }
    }

    #[test]
    fn walks_do_not_turn_back() {
        for size in ["4x4", "2x2", "3x1", "1x7"] {
            let goal = GOALS[0].goal.board(size.parse().unwrap()).unwrap();
            for seed in 0..50 {
                let moves = if goal.size().is_line() { goal.size().tiles() } else { 30 };
                let walk = random_walk(&goal, moves, &mut Random::new(seed)).unwrap();
                assert_eq!(walk.len(), moves);
                assert!(walk.windows(2).all(|two| two[0] != two[1].inverse()));
                assert!(goal.clone().walk(&walk).is_ok());
            }
        }
        let middle = crate::notation::parse_board("1 2 x 3 4/", None).unwrap();
        let walks: std::collections::BTreeSet<String> = (0..50)
            .map(|seed| moves_to_string(&random_walk(&middle, 2, &mut Random::new(seed)).unwrap()))
            .collect();
        assert_eq!(walks.into_iter().collect::<Vec<_>>(), ["ll", "rr"]);
        assert_eq!(
            random_walk(&middle, 3, &mut Random::new(0)).unwrap_err().to_string(),
            "on a 5x1 board no walk of 3 moves from here avoids turning back: at most 2 do"
        );
    }
}
