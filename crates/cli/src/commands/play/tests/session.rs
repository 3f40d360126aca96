//! Sessions in the game.

use loyd::Move;

use super::*;

/// A game whose solves are recorded in a file, which is deleted at the end.
struct Recorded {
    path: std::path::PathBuf,
    app: App,
}

impl Recorded {
    /// Starts a game on a drawn 3x2 board.
    fn new(name: &str, more: &[&str]) -> Self {
        let path = std::env::temp_dir().join(format!("loyd-play-{name}-{}", std::process::id()));
        let file = path.to_str().unwrap().to_owned();
        let always = ["--seed", "3", "--arrows", "blank", "--session", &file];
        Self { app: app(&[&always, more].concat()), path }
    }

    /// Presses the keys of a shortest solution.
    fn solve(&mut self) {
        let moves = self.app.setup.solver.solve(self.app.game.problem()).unwrap().moves.unwrap();
        for step in moves {
            let code = match step {
                Move::Up => KeyCode::Up,
                Move::Down => KeyCode::Down,
                Move::Left => KeyCode::Left,
                Move::Right => KeyCode::Right,
            };
            press(&mut self.app, code);
        }
        assert!(self.app.game.is_over());
    }

    fn new_board(&mut self) {
        type_keys(&mut self.app, "n");
        wait(&mut self.app, |app| app.drawing.is_none());
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }

    fn count(&self) -> usize {
        self.text().matches("\"kind\":\"3x2 blank-last\"").count()
    }

    #[track_caller]
    fn explains(&self, text: &str) {
        let (_, message) = messages::notice(&self.app, NOW).unwrap();
        assert!(message.contains(text), "{message}");
    }

    #[track_caller]
    fn shows(&mut self, size: (u16, u16), text: &str) {
        let screen = screen(&mut self.app, size, 0);
        let words: Vec<&str> = screen.split_whitespace().collect();
        assert!(words.join(" ").contains(text), "{screen}");
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[test]
fn solves_of_drawn_boards_without_help_are_recorded() {
    let mut game = Recorded::new("drawn", &["--size", "3x2"]);
    game.solve();
    assert!(game.count() == 1 && game.text().contains("\"seed\":\"3\""));
    wait(&mut game.app, |app| app.reviews.finished.len() == 2);
    let moves = game.app.game.steps().len();
    assert!(game.text().contains(&format!("\"optimal\":{moves}")), "{}", game.text());
    type_keys(&mut game.app, "r");
    game.solve();
    game.explains("Not recorded: you have played this board before.");
    game.new_board();
    type_keys(&mut game.app, "i");
    game.solve();
    game.explains("Not recorded: you have had a hint.");
    game.new_board();
    // The help is remembered when the board is started again before the first move.
    type_keys(&mut game.app, "pqr");
    game.solve();
    game.explains("Not recorded: you have watched a solution.");
    assert_eq!(game.count(), 1);
    game.new_board();
    game.solve();
    assert!(game.count() == 2 && game.text().contains("\"seed\":\"3, board 4\""));
    for row in ["Solves 2", "Single 0:00.00", "Best 0:00.00", "Mean 0:00.00", "Ao5 –", "Ao12 –"]
    {
        game.shows((120, 30), row);
    }
    game.shows((80, 24), "Solves 2 Single 0:00.00 Best 0:00.00 Mean 0:00.00 Ao5 – Ao12 –");
}

#[test]
fn other_solves_are_not_recorded() {
    for (arguments, reason) in [
        (&["1 2 3/4 x 5"][..], "only solves of drawn boards are compared"),
        (&["--size", "3x2", "--length", "5"], "boards of a given length are not compared"),
    ] {
        let mut game = Recorded::new("other", arguments);
        game.solve();
        game.explains(&format!("Not recorded: {reason}."));
        assert_eq!(game.count(), 0);
    }
}

#[test]
fn solve_is_kept_until_the_file_can_be_written() {
    let mut game = Recorded::new("later", &["--size", "3x2"]);
    let before = game.text();
    fs::write(&game.path, "oops").unwrap();
    game.solve();
    game.explains("Not recorded: ");
    assert_eq!(game.text(), "oops");
    fs::write(&game.path, before).unwrap();
    game.new_board();
    game.solve();
    assert_eq!(game.count(), 2);
}
