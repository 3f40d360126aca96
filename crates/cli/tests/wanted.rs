//! Animations of solutions, and unsolvable boards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use loyd::notation::parse_board;
use loyd::{Board, Goal, Size};

fn loyd(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn export_writes_an_animation_and_prints_the_moves() {
    let file = place("solution.svg");
    fs::write(&file, "old").unwrap();
    for (options, steps) in [(["--metric", "stm"], 19), (["--metric", "mtm"], 14)] {
        let path = &format!("svg:{}", file.to_str().unwrap());
        let run = loyd(&["2 3 4/1 5 x/7 6 8", options[0], options[1], "--export", path]);
        assert!(run.status.success(), "{}", text(&run.stderr));
        assert!(text(&run.stdout).starts_with(['u', 'l', 'd', 'r']));
        let svg = fs::read_to_string(&file).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("class=\"step\"").count(), steps + 1);
    }
}

#[test]
fn export_refuses_long_solutions() {
    let file = place("long.svg");
    let _ = fs::remove_file(&file);
    let scrambled = loyd(&["scramble", "--size", "16x16", "--seed", "1"]);
    let board = text(&scrambled.stdout);
    let path = &format!("svg:{}", file.to_str().unwrap());
    let run = loyd(&[board.trim(), "--quality", "fast", "--export", path]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("steps is too long for an animation: at most 1000"));
    assert!(!file.exists());
}

/// Returns whether `goal` is unreachable from `board`, by counting inversions.
fn is_unreachable(board: &Board, goal: &Board) -> bool {
    let width = board.size().width();
    let tiles = |board: &Board| -> Vec<u32> { board.numbers().map(u32::from).collect() };
    let (board, goal) = (tiles(board), tiles(goal));
    let home = |tile: u32| goal.iter().position(|&other| other == tile).unwrap();
    let row = |tiles: &[u32]| tiles.iter().position(|&tile| tile == 0).unwrap() / width;
    let order: Vec<usize> =
        board.iter().filter(|&&tile| tile != 0).map(|&tile| home(tile)).collect();
    let mut sum = 0;
    for (at, first) in order.iter().enumerate() {
        sum += order[at..].iter().filter(|later| *later < first).count();
    }
    let rows = if width.is_multiple_of(2) { row(&board).abs_diff(row(&goal)) } else { 0 };
    !(sum + rows).is_multiple_of(2)
}

#[test]
fn all_unsolvable_boards_are_drawn() {
    for (size, goal) in [("3x3", Goal::BlankLast), ("4x4", Goal::BlankLast), ("4x3", Goal::Snake)] {
        let size: Size = size.parse().unwrap();
        let name = goal.to_string();
        let goal = goal.board(size).unwrap();
        let arguments = ["scramble", "--unsolvable", "-n", "300", "--seed", "1"];
        let size_text = size.to_string();
        let rest = ["--size", &size_text, "--goal", &name];
        let run = loyd(&[&arguments[..], &rest[..]].concat());
        let boards = text(&run.stdout);
        assert_eq!(boards.lines().count(), 300);
        for line in boards.lines() {
            assert!(is_unreachable(&parse_board(line, Some(size)).unwrap(), &goal), "{line}");
        }
    }
    let run =
        loyd(&["scramble", "--unsolvable", "--size", "2x2", "-n", "12", "--unique", "--seed", "1"]);
    assert!(run.status.success(), "half of the 24 boards of 2x2 are unsolvable");
}
