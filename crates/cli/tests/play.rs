//! The game in a terminal, whose state must always be restored.

use std::process::{Command, Stdio};

#[test]
fn without_a_terminal_error_names_the_requirement() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    let output = command.args(["play", "--size", "3x3"]).stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let expected = match cfg!(feature = "tui") {
        true => "error: loyd play needs a terminal, but standard input is not one\n",
        false => {
            "error: loyd was built without `play`; \
             `cargo install --path crates/cli --features tui` adds it\n"
        }
    };
    assert_eq!((message.as_str(), output.status.code()), (expected, Some(2)));
    assert!(output.stdout.is_empty());
}

/// A terminal in tmux.
#[cfg(all(unix, feature = "tui"))]
mod in_tmux {
    use std::fs;
    use std::path::Path;
    use std::process::Command;
    use std::thread;
    use std::time::Duration;

    /// A tmux server with one window, in which a shell runs.
    struct Tmux {
        socket: String,
    }

    impl Tmux {
        /// Opens a window of the given size.
        fn open(name: &str, width: u16, height: u16) -> Self {
            let tmux = Self { socket: format!("loyd-{}-{name}", std::process::id()) };
            let (width, height) = (width.to_string(), height.to_string());
            let shell = "env -u NO_COLOR COLORTERM=truecolor LOYD_CACHE=none PS1='$ ' sh";
            tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, shell]);
            tmux.run(&["set-option", "-g", "window-size", "manual"]);
            tmux
        }

        /// Runs a tmux command and returns its output.
        fn run(&self, arguments: &[&str]) -> String {
            let mut command = Command::new("tmux");
            let output = command.args(["-L", &self.socket]).args(arguments).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{arguments:?}: {error}");
            String::from_utf8(output.stdout).unwrap()
        }

        /// Presses keys by name.
        fn press(&self, keys: &[&str]) {
            self.run(&[&["send-keys"], keys].concat());
        }

        /// Types a line.
        fn types(&self, line: &str) {
            self.press(&["-l", line]);
            self.press(&["Enter"]);
        }

        fn screen(&self) -> String {
            self.run(&["capture-pane", "-p"])
        }

        /// Returns a tmux variable of the window.
        fn tells(&self, name: &str) -> String {
            self.run(&["display-message", "-p", &format!("#{{{name}}}")]).trim().to_owned()
        }

        /// Waits until the screen satisfies a condition, and returns it.
        #[track_caller]
        fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
            for _ in 0..400 {
                let screen = self.screen();
                if is_there(&screen) {
                    return screen;
                }
                thread::sleep(Duration::from_millis(20));
            }
            panic!("{what} did not come up:\n{}", self.screen());
        }

        /// Waits until a line of the screen contains a text, ignoring repeated spaces.
        #[track_caller]
        fn shows(&self, text: &str) -> String {
            let is_in =
                |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").contains(text);
            self.wait(text, |screen| screen.lines().any(is_in))
        }

        /// Returns the terminal settings, printed by the shell.
        fn settings(&self, number: usize) -> String {
            self.types(&format!("clear; stty -a; echo done-{number}."));
            let end = format!("\ndone-{number}.");
            let screen = self.wait("stty", |screen| screen.contains(&end));
            screen.split(&end).next().unwrap().to_owned()
        }

        /// Starts a game and returns its process id.
        #[track_caller]
        fn play(&self, arguments: &str) -> String {
            let program = env!("CARGO_BIN_EXE_loyd");
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&self.socket);
            let shell = r#"sh -c 'echo $$ >"$0"; exec "$@"'"#;
            self.types(&format!("clear; {shell} {} {program} play {arguments}", file.display()));
            let is_there = |text: &str| text.contains("leave") && !text.contains("Drawing");
            self.wait("the game", is_there);
            let flags = ["alternate_on", "cursor_flag", "mouse_any_flag"];
            assert_eq!(flags.map(|flag| self.tells(flag)), ["1", "0", "1"]);
            fs::read_to_string(file).unwrap().trim().to_owned()
        }

        /// Checks that the shell has the terminal again, with its settings restored.
        #[track_caller]
        fn is_as_before(&self, settings: &str, number: usize) {
            let flags = ["alternate_on", "cursor_flag", "mouse_any_flag"];
            for _ in 0..400 {
                if self.tells("alternate_on") == "0" {
                    break;
                }
                thread::sleep(Duration::from_millis(20));
            }
            assert_eq!(flags.map(|flag| self.tells(flag)), ["0", "1", "0"]);
            assert_eq!(self.settings(number), settings);
        }

        /// Plays on after one move.
        #[track_caller]
        fn continues(&self) {
            // Not every shell maps Enter to a line end again.
            self.press(&["-l", "fg"]);
            self.press(&["C-j"]);
            self.wait("the game", |screen| screen.contains("leave") && !screen.contains("topped"));
            self.shows("Moves 1");
            assert_eq!(
                ["alternate_on", "cursor_flag", "mouse_any_flag"].map(|flag| self.tells(flag)),
                ["1", "0", "1"]
            );
        }

        /// Returns the exit status of the last command.
        fn status(&self, number: usize) -> String {
            self.types(&format!("echo status-$?-{number}."));
            let end = format!("-{number}.\n");
            // The screen also shows the typed command, and possibly the prompt after the status.
            let is_told = |line: &str| line.contains("status-") && !line.contains("$?");
            let screen = self
                .wait("the status", |screen| screen.contains(&end) && screen.lines().any(is_told));
            let line = screen.lines().rfind(|line| is_told(line)).unwrap();
            line.split('-').nth(1).unwrap().to_owned()
        }
    }

    impl Drop for Tmux {
        fn drop(&mut self) {
            let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
        }
    }

    #[test]
    #[ignore = "needs tmux; `cargo xtask ci` runs it"]
    fn a_game_is_played_and_the_terminal_left_as_it_was() {
        let tmux = Tmux::open("play", 80, 24);
        let before = tmux.settings(0);
        tmux.play("'1 2 3/4 x 5/7 8 6'");
        tmux.press(&["i"]);
        tmux.shows("Tile 5 goes left.");
        tmux.press(&["Left", "Up"]);
        tmux.shows("the fewest possible.");
        let screen = tmux.shows("Solved in 0:0");
        assert!(screen.contains("with 1 hint"), "{screen}");
        tmux.press(&["q"]);
        tmux.wait("the shell", |screen| !screen.contains("leave"));
        assert_eq!(tmux.status(1), "0");
        tmux.is_as_before(&before, 2);
    }

    #[test]
    #[ignore = "needs tmux; `cargo xtask ci` runs it"]
    fn the_mouse_and_the_size_of_the_window() {
        let tmux = Tmux::open("mouse", 80, 24);
        tmux.play("--size 16x16 --seed 1");
        assert!(tmux.screen().contains("255"));
        tmux.run(&["resize-window", "-x", "40", "-y", "20"]);
        tmux.shows("This board needs 65x20; the terminal");
        tmux.run(&["resize-window", "-x", "12", "-y", "5"]);
        tmux.shows("12x5.");
        tmux.run(&["resize-window", "-x", "120", "-y", "40"]);
        tmux.wait("the board", |screen| screen.contains("255") && screen.contains("No moves yet"));
        // Tiles of this window have small digits.
        tmux.run(&["resize-window", "-x", "40", "-y", "20"]);
        tmux.shows("This board needs 65x20; the terminal");
        tmux.press(&["C-c"]);
        tmux.wait("the shell", |screen| !screen.contains("leave"));
        tmux.types("clear");
        tmux.play("'1 2 3/4 x 5/7 8 6'");
        // The cell of tile 5, right of the blank.
        let screen = tmux.shows("No moves yet");
        let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains('5')).unwrap();
        let column = line.chars().position(|letter| letter == '5').unwrap();
        for end in ['M', 'm'] {
            tmux.press(&["-l", &format!("\x1b[<0;{};{}{end}", column + 1, row + 1)]);
        }
        tmux.shows("1 move 1 slide");
    }

    #[test]
    #[ignore = "needs tmux; `cargo xtask ci` runs it"]
    fn signals_leave_the_terminal_as_it_was() {
        let tmux = Tmux::open("signals", 80, 24);
        let before = tmux.settings(0);
        for (number, signal) in [(1, "-TERM"), (2, "-INT"), (3, "-HUP"), (4, "-QUIT"), (5, "-USR1")]
        {
            let game = tmux.play("--size 6x6 --seed 1");
            tmux.press(&["p"]);
            tmux.shows("found, at least");
            assert!(Command::new("kill").args([signal, &game]).status().unwrap().success());
            tmux.wait("the shell", |screen| !screen.contains("back"));
            assert_eq!(tmux.status(10 + number), "130", "{signal}");
            tmux.is_as_before(&before, 20 + number);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    #[ignore = "needs tmux; `cargo xtask ci` runs it"]
    fn a_game_ends_with_its_terminal() {
        for (name, first) in [("closed", ""), ("ignored", "trap '' HUP")] {
            let tmux = Tmux::open(name, 80, 24);
            tmux.types(first);
            let game = tmux.play("--size 6x6 --seed 1");
            tmux.run(&["kill-server"]);
            ends(&game);
        }
    }

    #[cfg(target_os = "linux")]
    #[track_caller]
    fn ends(game: &str) {
        // A process that has ended remains until its status is collected.
        let runs = || {
            let stat = fs::read_to_string(format!("/proc/{game}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z"))
        };
        for _ in 0..400 {
            if !runs() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("the game keeps running without a terminal");
    }

    #[test]
    #[ignore = "needs tmux; `cargo xtask ci` runs it"]
    fn a_game_is_suspended_and_continued() {
        let tmux = Tmux::open("suspend", 80, 24);
        tmux.types("set -m");
        let before = tmux.settings(0);
        let game = tmux.play("'1 2 3/4 x 5/7 8 6'");
        tmux.press(&["Left"]);
        tmux.shows("Moves 1");
        tmux.press(&["C-z"]);
        tmux.wait("the shell", |screen| !screen.contains("leave"));
        tmux.is_as_before(&before, 1);
        tmux.continues();
        // Likewise after SIGTSTP, and after SIGSTOP, which the program cannot catch.
        for (number, signal) in [(2, "-TSTP"), (3, "-STOP")] {
            assert!(Command::new("kill").args([signal, &game]).status().unwrap().success());
            tmux.wait("the shell", |screen| screen.contains("topped"));
            if signal == "-TSTP" {
                tmux.is_as_before(&before, number);
            }
            tmux.continues();
        }
        tmux.press(&["Up"]);
        tmux.shows("Solved in");
        tmux.press(&["q"]);
        tmux.wait("the shell", |screen| !screen.contains("leave"));
        tmux.is_as_before(&before, 4);
    }
}
