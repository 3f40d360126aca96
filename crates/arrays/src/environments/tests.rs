use std::collections::HashSet;

use loyd::board::Size;
use loyd::goal::Goal;
use loyd::scramble::{Random, random_board};
use loyd::{Board, CancelToken, Config, Move, Problem, Solver};

use super::*;

fn goal(width: u32, height: u32, goal: &Goal) -> Board {
    goal.board(Size::new(width, height).unwrap()).unwrap()
}

fn starts(goal: &Board, scramble: &Scramble) -> Result<Starts, StartsError> {
    Starts::new(goal, scramble, &Config::default(), &CancelToken::new())
}

fn many(count: usize, rules: Rules, scramble: &Scramble) -> Environments {
    let starts = starts(&rules.goal, scramble).unwrap();
    let mut environments = Environments::new(count, rules, starts).unwrap();
    for environment in 0..count {
        environments.reset(environment, Some(environment as u64));
    }
    environments
}

fn board_of(environments: &Environments, environment: usize) -> Board {
    let size = environments.rules().goal.size();
    let cells = &environments.boards()[environment * size.cells()..][..size.cells()];
    let numbers: Vec<u32> = cells.iter().map(|&number| number.into()).collect();
    Board::new(size, &numbers).unwrap()
}

fn misplaced_and_manhattan(board: &Board, goal: &Board) -> (u8, u32) {
    let size = board.size();
    let tiles = size.iter_cells().map(|cell| (board.tile(cell), cell));
    let tiles = tiles.filter(|(tile, _)| !tile.is_blank());
    tiles.fold((0, 0), |(misplaced, sum), (tile, cell)| {
        let home = goal.find(tile).unwrap();
        (misplaced + u8::from(home != cell), sum + size.distance(cell, home))
    })
}

fn actions(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.below(4) as u8).collect()
}

/// Compares every board, reward and mask of random walks with `Board::apply` and recomputed values.
#[test]
fn steps_match_moves_of_boards() {
    let sizes = [(2, 2), (3, 3), (4, 4), (5, 5), (2, 5), (5, 3), (1, 4), (6, 1), (16, 16)];
    for (width, height) in sizes {
        for to in [Goal::BlankLast, Goal::Spiral, Goal::BlankFirst] {
            let goal = goal(width, height, &to);
            for reward in [Reward::Step, Reward::Goal, Reward::Misplaced, Reward::Manhattan] {
                follow(Rules { reward, restart: Restart::Never, ..Rules::new(goal.clone()) });
            }
        }
    }
}

fn follow(rules: Rules) {
    let (count, goal, reward) = (5, rules.goal.clone(), rules.reward);
    let mut environments = many(count, rules, &Scramble::Uniform);
    let mut boards: Vec<Board> = (0..count).map(|i| board_of(&environments, i)).collect();
    let mut random = Random::new(1);
    for _ in 0..200 {
        let actions = actions(&mut random, count);
        environments.step(&actions).unwrap();
        for (i, board) in boards.iter_mut().enumerate() {
            let before = misplaced_and_manhattan(board, &goal);
            let _ = board.apply(Move::ALL[usize::from(actions[i])]);
            assert_eq!(board_of(&environments, i), *board);
            let after = misplaced_and_manhattan(board, &goal);
            assert_eq!(environments.misplaced()[i], after.0);
            assert_eq!(environments.terminated()[i], *board == goal);
            let masks = Move::ALL.map(|m| i8::from(board.moves().contains(m)));
            assert_eq!(environments.masks()[i], masks);
            let expected = match reward {
                Reward::Step => -1.0,
                Reward::Goal => f32::from(u8::from(*board == goal)),
                Reward::Misplaced => -f32::from(after.0),
                Reward::Manhattan => before.1 as f32 - after.1 as f32,
            };
            assert_eq!(environments.rewards()[i], expected);
            if *board == goal {
                environments.reset(i, None);
                *board = board_of(&environments, i);
            }
        }
    }
}

#[test]
fn episodes_do_not_depend_on_other_environments() {
    let goal = goal(3, 3, &Goal::BlankLast);
    let rules = Rules { max_steps: Some(7), ..Rules::new(goal) };
    let mut all = many(6, rules.clone(), &Scramble::Uniform);
    let mut alone = many(1, rules, &Scramble::Uniform);
    alone.reset(0, Some(4));
    let mut random = Random::new(2);
    for _ in 0..100 {
        assert_eq!(board_of(&all, 4), board_of(&alone, 0));
        let actions = actions(&mut random, 6);
        all.step(&actions).unwrap();
        alone.step(&actions[4..5]).unwrap();
    }
}

#[test]
fn episodes_and_seeds_differ() {
    let goal = goal(4, 4, &Goal::BlankLast);
    let mut environments = many(40, Rules::new(goal), &Scramble::Uniform);
    let mut seen = HashSet::new();
    for _ in 0..40 {
        for environment in 0..40 {
            assert!(seen.insert(board_of(&environments, environment)));
            environments.reset(environment, None);
        }
    }
}

#[test]
fn uniform_starts_match_random_board() {
    for (width, height) in [(3, 3), (4, 4), (2, 2), (2, 3), (5, 4), (1, 3), (9, 9)] {
        for to in [Goal::BlankLast, Goal::BlankFirst, Goal::Snake] {
            let goal = goal(width, height, &to);
            let starts = Starts::uniform(&goal);
            let mut board = vec![0; goal.size().cells()];
            for seed in 0..50 {
                starts.draw(&mut Random::new(seed), &mut board);
                let mut random = Random::new(seed);
                let drawn = std::iter::repeat_with(|| random_board(&goal, &mut random));
                let expected = drawn.into_iter().find(|drawn| *drawn != goal).unwrap();
                assert!(expected.bytes().eq(board.iter().copied()));
            }
        }
    }
}

fn with_limit(restart: Restart) -> Environments {
    let goal = goal(3, 3, &Goal::BlankLast);
    let rules = Rules { max_steps: Some(3), restart, ..Rules::new(goal) };
    many(2, rules, &Scramble::Walk(9))
}

#[test]
fn next_step_restart_ignores_the_action() {
    let mut environments = with_limit(Restart::NextStep);
    for _ in 0..3 {
        environments.step(&[0, 1]).unwrap();
    }
    assert_eq!(environments.truncated(), [true, true]);
    let mut expected = with_limit(Restart::NextStep);
    expected.reset(0, None);
    expected.reset(1, None);
    environments.step(&[2, 3]).unwrap();
    assert_eq!(environments.boards(), expected.boards());
    assert_eq!(environments.rewards(), [0.0, 0.0]);
    assert_eq!(environments.truncated(), [false, false]);
    assert_eq!(environments.masks(), expected.masks());
    environments.step(&[2, 3]).unwrap();
    expected.step(&[2, 3]).unwrap();
    assert_eq!(environments.boards(), expected.boards());
    assert_eq!(environments.rewards(), [-1.0, -1.0]);
}

#[test]
fn same_step_restart_keeps_the_final_boards() {
    let mut environments = with_limit(Restart::SameStep);
    let mut expected = with_limit(Restart::Never);
    for _ in 0..3 {
        assert!(environments.ended_episodes().environments.is_empty());
        environments.step(&[0, 1]).unwrap();
        expected.step(&[0, 1]).unwrap();
    }
    assert_eq!(environments.truncated(), [true, true]);
    assert_eq!(environments.rewards(), [-1.0, -1.0]);
    let ended = environments.ended_episodes().clone();
    assert_eq!(ended.environments, [0, 1]);
    assert_eq!(ended.boards, expected.boards());
    assert_eq!(ended.masks, expected.masks());
    expected.reset(0, None);
    expected.reset(1, None);
    assert_eq!(environments.boards(), expected.boards());
    assert_eq!(environments.masks(), expected.masks());
    environments.step(&[0, 1]).unwrap();
    assert_eq!(environments.truncated(), [false, false]);
    assert!(environments.ended_episodes().environments.is_empty());
}

#[test]
fn ended_episodes_require_a_reset_without_restart() {
    let mut environments = with_limit(Restart::Never);
    for _ in 0..3 {
        environments.step(&[0, 1]).unwrap();
    }
    let over = |environment| Err(EnvironmentError::EpisodeEnded { environment });
    assert_eq!(environments.step(&[0, 1]), over(0));
    environments.reset(0, None);
    assert_eq!(environments.step(&[0, 1]), over(1));
    environments.reset_to(1, &[1, 2, 3, 4, 5, 6, 7, 0, 8]).unwrap();
    environments.step(&[0, 2]).unwrap();
    assert_eq!(environments.terminated(), [false, true]);
}

#[test]
fn invalid_operations_change_nothing() {
    let goal = goal(3, 3, &Goal::BlankLast);
    let rules = Rules { refuse_illegal: true, ..Rules::new(goal.clone()) };
    let mut environments = many(2, rules, &Scramble::Uniform);
    environments.reset_to(0, &[1, 2, 3, 4, 5, 6, 7, 0, 8]).unwrap();
    environments.reset_to(1, &[1, 2, 3, 4, 0, 5, 7, 8, 6]).unwrap();
    let before = environments.boards().to_vec();
    assert_eq!(environments.step(&[0]), Err(EnvironmentError::Count { found: 1, expected: 2 }));
    let fault = environments.step(&[1, 4]).unwrap_err();
    assert_eq!(fault, EnvironmentError::Action { environment: 1, action: 4 });
    let fault = environments.step(&[3, 0]).unwrap_err().to_string();
    assert_eq!(fault, "environment 0: the blank on cell 7 cannot go Down");
    let fault = environments.reset_to(0, &[1, 2, 3, 4, 5, 6, 8, 7, 0]).unwrap_err().to_string();
    assert_eq!(fault, "the board 1 2 3 4 5 6 8 7 x cannot reach the goal 1 2 3 4 5 6 7 8 x");
    assert!(environments.reset_to(0, &[1, 2, 3, 4, 5, 6, 8, 7, 7]).is_err());
    assert_eq!(environments.boards(), before);
    let none = Environments::new(0, Rules::new(goal.clone()), Starts::uniform(&goal));
    assert_eq!(none.unwrap_err(), EnvironmentError::NoEnvironments);
    let no_steps = Rules { max_steps: Some(0), ..Rules::new(goal.clone()) };
    let none = Environments::new(1, no_steps, Starts::uniform(&goal));
    assert_eq!(none.unwrap_err(), EnvironmentError::NoSteps);
}

/// All starts have a length in the range, and each length occurs about equally often.
#[test]
fn starts_have_the_requested_lengths() {
    let cases = [
        (3, 3, 29..=31),
        (2, 4, 0..=3),
        (5, 1, 2..=4),
        (4, 4, 5..=7),
        (4, 4, 22..=22),
        (5, 5, 3..=4),
    ];
    for (width, height, lengths) in cases {
        let goal = goal(width, height, &Goal::BlankLast);
        let starts = starts(&goal, &Scramble::Lengths(lengths.clone(), 8)).unwrap();
        let solver = Solver::default();
        let mut counts = vec![0; lengths.clone().count()];
        let mut board = vec![0; goal.size().cells()];
        for seed in 0..30 * counts.len() as u64 {
            starts.draw(&mut Random::new(seed), &mut board);
            let numbers: Vec<u32> = board.iter().map(|&number| number.into()).collect();
            let board = Board::new(goal.size(), &numbers).unwrap();
            let problem = Problem::between(board, goal.clone()).unwrap();
            let length = solver.solve(&problem).unwrap().length().unwrap() as u32;
            assert!(lengths.contains(&length), "{width}x{height}: {length}");
            counts[(length - lengths.start()) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| count >= 15), "{width}x{height}: {counts:?}");
    }
}

#[test]
fn impossible_starts_are_refused() {
    let three = goal(3, 3, &Goal::BlankLast);
    let fault = |goal, scramble| starts(goal, &scramble).unwrap_err().to_string();
    assert_eq!(
        fault(&three, Scramble::Lengths(30..=32, 8)),
        "no 3x3 board is 32 moves from this goal: the farthest are 31"
    );
    #[expect(clippy::reversed_empty_ranges, reason = "the empty range is under test")]
    let reversed = 4..=3;
    assert_eq!(
        fault(&three, Scramble::Lengths(reversed, 8)),
        "the range of lengths from 4 to 3 is empty"
    );
    let spiral = goal(3, 3, &Goal::Spiral);
    let most = fault(&spiral, Scramble::Lengths(40..=40, 8));
    assert!(most.starts_with("no 3x3 board is 40 moves"), "{most}");
    assert_eq!(
        fault(&three, Scramble::Lengths(1..=1, 0)),
        "a pool needs at least one board of each length"
    );
    let line = goal(4, 1, &Goal::BlankLast);
    assert!(fault(&line, Scramble::Walk(4)).contains("turning back"));
    assert_eq!(starts(&line, &Scramble::Walk(3)).map(|starts| starts.size()), Ok(line.size()));
}
