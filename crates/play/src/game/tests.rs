use loyd::notation::{moves_to_string, parse_board, parse_partial_goal};

use super::*;

fn game(board: &str) -> Game {
    Game::new(board.parse().unwrap())
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const NOW: Duration = Duration::ZERO;

#[test]
fn the_time_runs_from_the_first_move_to_the_last() {
    let mut game = game("1 2 3/4 x 5/7 8 6");
    assert!(
        game.is_new() && !game.push(Move::Up, 2, seconds(1)),
        "the blank would leave the board"
    );
    assert_eq!((game.is_new(), game.elapsed(seconds(9))), (true, NOW));
    assert!(game.push(Move::Right, 1, seconds(10)));
    assert!(game.is_running() && !game.is_over());
    assert_eq!(game.moves_a_second(seconds(14)), Some(0.25));
    assert!(game.push(Move::Down, 1, seconds(14)));
    assert!(game.is_over() && !game.is_running());
    assert_eq!((game.elapsed(seconds(99)), game.count(Metric::SingleTile)), (seconds(4), 2));
    assert!(!game.push(Move::Up, 1, seconds(100)) && !game.undo(), "it is over");
    assert!(game.problem().is_solved_by(game.board()));
}

#[test]
fn a_tile_in_the_line_of_the_blank_pushes_those_between() {
    let mut game = game("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x");
    assert!(!game.push_cell(Cell::new(15), NOW), "the blank itself");
    assert!(!game.push_cell(Cell::new(0), NOW), "neither in its row nor in its column");
    assert!(game.push_cell(Cell::new(12), NOW));
    assert_eq!(game.board().to_string(), "1 2 3 4 5 6 7 8 9 10 11 12 x 13 14 15");
    assert_eq!(game.moved(), Some(Push { direction: Move::Left, tiles: 3 }));
    assert!(game.push_cell(Cell::new(4), NOW));
    assert_eq!(game.board().to_string(), "1 2 3 4 x 6 7 8 5 10 11 12 9 13 14 15");
    assert_eq!(moves_to_string(&game.steps()), "llluu");
    assert_eq!([Metric::SingleTile, Metric::MultiTile].map(|metric| game.count(metric)), [5, 2]);
    assert!(game.push_line(Move::Right, NOW) && game.push_line(Move::Down, NOW));
    assert_eq!(moves_to_string(&game.steps()), "llluurrrdd");
    assert!(!game.push_line(Move::Down, NOW), "there is none");
    assert_eq!(game.board().blank(), Cell::new(15));
}

#[test]
fn what_is_taken_back_can_be_made_again() {
    let mut game = game("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x");
    let start = game.board().clone();
    assert_eq!((game.undo(), game.redo(NOW)), (false, false));
    game.push(Move::Left, 2, NOW);
    let after = game.board().clone();
    game.push(Move::Up, 1, NOW);
    assert!(game.undo());
    assert_eq!(game.board(), &after);
    assert_eq!(game.moved(), Some(Push { direction: Move::Down, tiles: 1 }));
    assert!(game.undo());
    assert_eq!((game.board(), game.undos), (&start, 2), "the goal itself does not end the game");
    assert!(!game.is_over());
    assert!(game.redo(NOW));
    assert_eq!((game.board(), game.count(Metric::SingleTile)), (&after, 2));
    game.push(Move::Up, 1, NOW);
    assert!(!game.redo(NOW), "another move was made");
}

#[test]
fn a_restart_forgets_everything_but_the_board() {
    let mut game = game("1 2 3/4 x 5/7 8 6");
    game.push(Move::Up, 1, seconds(3));
    (game.hints, game.watched) = (1, true);
    game.undo();
    game.restart();
    assert!(game.is_new() && game.steps().is_empty() && !game.watched);
    assert_eq!((game.hints, game.undos, game.moved()), (0, 0, None));
    assert_eq!(game.board(), game.problem().start());
}

#[test]
fn an_unsolvable_board_is_mended_by_an_exchange() {
    let swapped = game("1 2 3/4 5 6/8 7 x");
    assert!(!swapped.solvability().is_solvable());
    let mended = Game::new(swapped.mended().unwrap());
    assert!(mended.solvability().is_solvable());
    assert_eq!(mended.board().to_string(), "1 2 3 4 5 6 7 8 x");
    assert_eq!(game("1 2 3/4 x 5/7 8 6").mended(), None);
}

#[test]
fn a_partial_goal_is_reached_by_any_board_that_meets_it() {
    let board = parse_board("1 2 3/4 5 6/8 7 x", None).unwrap();
    let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
    let mut game = Game::new(Problem::to_partial(board, &goal).unwrap());
    assert!(game.solvability().is_solvable() && !game.is_over());
    for direction in [Move::Up, Move::Up, Move::Down] {
        assert!(game.push(direction, 1, NOW));
        assert_eq!(game.rest().start(), game.board());
        if game.is_over() {
            break;
        }
    }
    assert_eq!(moves_to_string(&game.steps()), "u", "the first row is there already");
}
