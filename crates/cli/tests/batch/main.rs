//! Batches: order, threads, and the files that an interruption leaves.

mod altered;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use loyd::board::cantor_unrank;
use loyd::{Board, Size};

/// A separate folder for each test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes boards whose solving times differ widely; every seventh line is invalid.
    fn boards(&self, count: u64) -> String {
        let path = self.path("boards.txt");
        let mut file = File::create(&path).unwrap();
        for number in 0..count {
            let rank = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 362_880;
            let numbers: Vec<u32> =
                cantor_unrank(9, rank).unwrap().into_iter().map(u32::from).collect();
            match number % 7 {
                6 => writeln!(file, "1 2 3 4 5 6 7 8 q{number}").unwrap(),
                _ => writeln!(file, "{}", Board::new(Size::EIGHT, &numbers).unwrap()).unwrap(),
            }
        }
        path
    }
}

fn solve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command
        .env("LOYD_CACHE", "none")
        .arg("solve")
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    solve(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Removes the times from JSON Lines.
fn timeless(text: &str) -> String {
    let mut kept = String::new();
    for piece in text.split_inclusive(',') {
        if !piece.starts_with("\"elapsed_ns\":") {
            kept.push_str(piece);
        } else if let Some(rest) = piece.find('}') {
            kept.push_str(&piece[rest..]);
        }
    }
    kept
}

#[test]
fn answers_are_in_order_on_any_number_of_threads() {
    let place = Place::new("threads");
    let boards = place.boards(3_000);
    for how in [
        &["--output", "moves"][..],
        &["--output", "json", "--algorithm", "idastar", "--heuristic", "manhattan"],
        &["--output", "steps", "--algorithm", "bibfs"],
        &["--output", "json", "--all", "--limit", "5"],
        &["--count"],
    ] {
        let with = |threads| {
            let arguments = [&["-f", &boards, "--threads", threads], how].concat();
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(2), "{how:?}");
            (timeless(&text(&output.stdout)), text(&output.stderr))
        };
        let (one, message) = with("1");
        assert_eq!(with("4"), (one.clone(), message.clone()), "{how:?}");
        assert_eq!(message.matches("error: ").count(), 3_000 / 7, "{how:?}");
        // Errors are reported in the order of lines.
        let lines =
            message.lines().filter_map(|line| line.split_once("boards.txt:")?.1.split(':').next());
        let lines: Vec<u32> = lines.map(|line| line.parse().unwrap()).collect();
        assert!(lines.len() == 3_000 / 7 && lines.is_sorted(), "{how:?}");
        if how.contains(&"json") {
            assert_eq!(one.lines().count(), 3_000, "{how:?}");
            let line = |record: &str| record.split(['{', ',']).nth(1).unwrap().to_owned();
            let numbers = (1..=3_000).map(|number| format!("\"line\":{number}"));
            assert!(one.lines().map(line).eq(numbers), "{how:?}");
        }
    }
}

#[test]
fn saved_answers_equal_printed_answers() {
    let place = Place::new("saved");
    let (boards, answers) = (place.boards(500), place.path("answers.txt"));
    let printed = run(&["-f", &boards]);
    let saved = run(&["-f", &boards, "--save", &answers]);
    assert_eq!((saved.status.code(), text(&saved.stdout)), (Some(2), String::new()));
    assert_eq!(saved.stderr, printed.stderr);
    assert_eq!(place.read("answers.txt"), text(&printed.stdout));
    // Resuming a complete batch solves nothing, but its exit status still reports the invalid lines.
    let again = run(&["-f", &boards, "--save", &answers, "--resume"]);
    assert_eq!((again.status.code(), text(&again.stderr)), (Some(2), String::new()));
    assert_eq!(place.read("answers.txt"), text(&printed.stdout));
    let over = run(&["-f", &boards, "--save", &answers]);
    assert_eq!(over.status.code(), Some(2));
    assert!(text(&over.stderr).contains("resume it with --resume, or remove it"));
    assert_eq!(place.read("answers.txt"), text(&printed.stdout));
}

#[test]
fn only_a_torn_line_is_answered_again() {
    let place = Place::new("torn");
    let (boards, answers) = (place.boards(200), place.path("answers.jsonl"));
    let arguments = ["-f", &boards, "--output", "json", "--save", &answers, "--resume"];
    assert_eq!(run(&arguments).status.code(), Some(2));
    // Positions to cut at: a line, and an offset in bytes from its start.
    for (line, bytes) in [(0, 0), (0, 1), (0, 100), (1, 0), (151, 40), (200, 0)] {
        let whole = place.read("answers.jsonl");
        let kept: usize = whole.split_inclusive('\n').take(line).map(str::len).sum();
        let cut = (kept + bytes) as u64;
        File::options().write(true).open(&answers).unwrap().set_len(cut).unwrap();
        assert_eq!(run(&arguments).status.code(), Some(2), "cut at {cut}");
        let now = place.read("answers.jsonl");
        assert_eq!(now[..kept], whole[..kept], "cut at {cut}");
        assert_eq!(timeless(&now), timeless(&whole), "cut at {cut}");
    }
}

#[test]
fn other_boards_or_options_are_refused() {
    let place = Place::new("changed");
    let (boards, answers) = (place.boards(50), place.path("answers.txt"));
    let first = ["-f", &boards, "--save", &answers];
    run(&first);
    let before = place.read("answers.txt");
    let refused = |options: &[&str], reason: &str| {
        let output = run(&[&first, &["--resume"][..], options].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(
            message.contains("started with other input or options") && message.contains(reason),
            "{message}"
        );
        assert_eq!(place.read("answers.txt"), before);
    };
    refused(&["--goal", "blank-first"], "--goal: default then, blank-first now");
    refused(&["--algorithm", "astar"], "--algorithm: default then, astar now");
    refused(&["--max-time", "20"], "--max-time: 10 s then, 20 s now");
    refused(&["--output", "json"], "--output: moves then, json now");
    refused(&["--count"], "--count: false then, true now");
    // The path of the file and the number of threads do not matter.
    let elsewhere = place.path("elsewhere.txt");
    fs::copy(&boards, &elsewhere).unwrap();
    let moved = ["-f", &elsewhere, "--save", &answers, "--resume", "--threads", "3", "--stats"];
    assert_eq!(text(&run(&moved).stderr), "");
    File::options().append(true).open(&boards).unwrap().write_all(b"1 2 3 4 5 6 7 x 8\n").unwrap();
    refused(&[], "input: ");
    fs::remove_file(place.path("answers.txt.batch")).unwrap();
    let message = text(&run(&[&first, &["--resume"][..]].concat()).stderr);
    assert!(message.contains("cannot be resumed without"), "{message}");
    assert_eq!(place.read("answers.txt"), before);
}

/// The default of --max-time is a limit, not the time for improving a fast answer.
#[test]
fn improving_fast_answers_is_another_setting() {
    let place = Place::new("improved");
    let (boards, answers) = (place.boards(1), place.path("answers.txt"));
    let first = ["-f", &boards, "--save", &answers, "--quality", "fast"];
    assert!(run(&first).status.success());
    let then = run(&[&first[..], &["--resume", "--max-time", "1h"]].concat());
    let message = text(&then.stderr);
    assert!(message.contains("improving: for 0 s then, for 3600 s now"), "{message}");
    assert_eq!(text(&run(&[&first[..], &["--resume"]].concat()).stderr), "");
}

#[test]
fn unresumable_saves_are_refused() {
    let place = Place::new("refused");
    let (boards, answers) = (place.boards(5), place.path("answers.txt"));
    let empty = place.path("empty.txt");
    fs::write(&empty, "# no boards\n").unwrap();
    for (arguments, reason) in [
        (&["-f", &empty, "--save", &answers][..], "contains no boards"),
        (&["-f", &boards, "--save", &answers, "--goal", "nonsense"], "a goal is"),
        (&["-f", &boards, "--save", &answers, "--output", "grid"], "one line per solution"),
        (&["-f", &boards, "--save", &answers, "--all"], "one line per solution"),
        (&["-f", "-", "--save", &answers], "standard input cannot be resumed"),
        (&["-f", "/dev/null", "--save", &answers], "put the boards into one"),
        (&["-f", &boards, "--resume"], "--save"),
        (&["12345678x", "--save", &answers], "a board of 17 to 25 cells"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains(reason), "{arguments:?}: {message}");
        let files = [&answers, &format!("{answers}.batch")];
        assert!(files.iter().all(|file| !Path::new(file).exists()), "{arguments:?}");
    }
}

/// Checks that saving to `answers` is refused for `reason`, with and without --resume, and changes no file.
fn assert_save_refused(place: &Place, boards: &str, answers: &str, reason: &str) {
    let files = || -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let files = fs::read_dir(&place.0).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.map(|path| (path.clone(), fs::read(path).ok())).collect();
        files.sort();
        files
    };
    let before = files();
    for resume in [&["--resume"][..], &[]] {
        let output = run(&[&["-f", boards, "--save", answers][..], resume].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(reason), "{message}");
        assert!(files() == before, "{answers} {resume:?}");
    }
}

#[test]
fn notes_do_not_overwrite_foreign_files() {
    let place = Place::new("not_ours");
    let (boards, answers) = (place.boards(5), place.path("monday"));
    for ending in ["batch", "batch.new"] {
        let path = place.path(&format!("monday.{ending}"));
        let reason = format!("monday.{ending} is in the way");
        for letter in ["dear\n", "{}\n", "1 2 3 4 5 6 7 8 x\n"] {
            fs::write(&path, letter).unwrap();
            assert_save_refused(&place, &boards, &answers, &reason);
        }
        fs::write(&path, [0xff; 100]).unwrap();
        assert_save_refused(&place, &boards, &answers, &reason);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_save_refused(&place, &boards, &answers, &reason);
        fs::remove_dir(&path).unwrap();
    }
    assert_eq!(run(&["-f", &boards, "--save", &answers]).status.code(), Some(0));
}

#[test]
fn notes_do_not_overwrite_the_boards() {
    let place = Place::new("own_input");
    let first = place.boards(5);
    for name in ["monday", "monday.batch", "monday.batch.new"] {
        let boards = place.path(name);
        fs::rename(&first, &boards).unwrap();
        assert_save_refused(&place, &boards, &place.path("monday"), "is the input");
        #[cfg(unix)]
        {
            // By another path to the same file, and through links of both kinds.
            let folder = place.path("folder");
            std::os::unix::fs::symlink(&place.0, &folder).unwrap();
            let beside = place.path("folder/monday");
            assert_save_refused(&place, &boards, &beside, "is the input");
            let (soft, hard) = (place.path("soft"), place.path("hard"));
            std::os::unix::fs::symlink(&boards, &soft).unwrap();
            fs::hard_link(&boards, &hard).unwrap();
            for input in [&soft, &hard] {
                assert_save_refused(&place, input, &place.path("monday"), "is the input");
            }
            for file in [folder, soft, hard] {
                fs::remove_file(file).unwrap();
            }
        }
        fs::rename(&boards, &first).unwrap();
    }
}

/// A process may be killed while it writes notes, or before it renames them.
#[test]
fn unfinished_notes_are_ignored() {
    let place = Place::new("unfinished");
    let (boards, answers) = (place.boards(20), place.path("answers"));
    let arguments = ["-f", &boards, "--save", &answers, "--resume"];
    for _ in 0..2 {
        assert_eq!(run(&arguments).status.code(), Some(2));
    }
    let notes = place.read("answers.batch");
    for length in [0, 1, 5, 17, 100, notes.len() - 3, notes.len()] {
        fs::write(place.path("answers.batch.new"), &notes[..length]).unwrap();
        let again = run(&arguments);
        assert_eq!((again.status.code(), text(&again.stderr)), (Some(2), String::new()));
        assert!(!Path::new(&place.path("answers.batch.new")).exists());
        assert_eq!(place.read("answers.batch"), notes);
    }
}

/// Starts a batch that takes a few seconds, and waits until `wanted` answers are saved.
#[cfg(unix)]
fn interrupted(arguments: &[&str], answers: &str, wanted: usize) -> std::process::Child {
    let child = solve(arguments).spawn().unwrap();
    let start = Instant::now();
    while fs::read(answers).map_or(0, |text| text.iter().filter(|&&b| b == b'\n').count()) < wanted
    {
        assert!(start.elapsed() < Duration::from_secs(60), "no answers");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[cfg(unix)]
#[test]
fn repeatedly_killed_batch_equals_uninterrupted_batch() {
    let place = Place::new("killed");
    let (boards, answers) = (place.boards(150), place.path("answers.jsonl"));
    let how = ["-f", &boards, "--output", "json", "--algorithm", "bfs", "--closed", "ordered"];
    let undisturbed = text(&run(&how).stdout);
    let arguments = [&how[..], &["--save", &answers, "--resume"]].concat();
    for wanted in [1, 20, 50, 90] {
        let mut child = interrupted(&arguments, &answers, wanted);
        child.kill().unwrap();
        let killed = child.wait().unwrap();
        assert_eq!(killed.code(), None, "the batch ended before it could be killed");
    }
    assert_eq!(run(&arguments).status.code(), Some(2));
    assert_eq!(timeless(&place.read("answers.jsonl")), timeless(&undisturbed));
}

#[cfg(unix)]
#[test]
fn interrupted_batch_explains_how_to_resume() {
    let place = Place::new("interrupted");
    let (boards, answers) = (place.boards(150), place.path("answers.txt"));
    let how = ["-f", &boards, "--algorithm", "bfs", "--closed", "ordered"];
    let arguments = [&how[..], &["--save", &answers, "--resume"]].concat();
    let child = interrupted(&arguments, &answers, 20);
    let second = run(&arguments);
    assert!(text(&second.stderr).contains("another process is writing to it"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert!(message.contains("run the same command with --resume to continue"), "{message}");
    assert!([1, 2].contains(&output.status.code().unwrap()), "{message}");
    let kept = place.read("answers.txt");
    assert!(kept.ends_with('\n') && kept.lines().count() < 150);
    run(&arguments);
    assert_eq!(place.read("answers.txt"), text(&run(&how).stdout));
}
