//! One board whose search is put aside.

use std::fs;
use std::process::Command;

use crate::{
    BOARD, HOW, Place, alone, complete, printed, put_aside, run, text, timeless, undisturbed,
};

#[test]
fn a_search_that_is_killed_again_and_again_ends_as_if_it_were_not() {
    let place = Place::new("killed");
    let (answer, aside) = (place.path("answer"), place.path("answer.checkpoint"));
    let arguments = alone(&["--save", &answer, "--resume"]);
    for rounds in [4, 7, 8] {
        let mut child = put_aside(&arguments, &aside, rounds);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "it was done before it could be killed");
        assert_eq!(place.read("answer"), "");
    }
    // More than the last round takes, and less than all: what was complete is not searched again.
    let rest = [&arguments[..], &["--max-expanded", "8000000"]].concat();
    assert_eq!(printed(&rest), "");
    let record = place.read("answer");
    assert_eq!(timeless(&record), timeless(undisturbed()));
    assert!(!place.has("answer.checkpoint"));
    // Nothing is left to do, and nothing is written over.
    assert_eq!(printed(&arguments), "");
    assert_eq!(place.read("answer"), record);
    let over = run(&alone(&["--save", &answer]));
    assert_eq!(over.status.code(), Some(2));
    assert!(text(&over.stderr).contains("continue it with --resume, or remove it"));
    assert_eq!(place.read("answer"), record);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_how_to_go_on() {
    let place = Place::new("interrupted");
    let (answer, aside) = (place.path("answer"), place.path("answer.checkpoint"));
    let arguments = alone(&["--save", &answer, "--resume"]);
    let child = put_aside(&arguments, &aside, 7);
    let second = run(&arguments);
    assert!(text(&second.stderr).contains("another process is writing to it"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let how = "answer.checkpoint; the same command with --resume goes on";
    assert!(said.contains(how), "{said}");
    // Without --resume nothing is lost.
    let begun = run(&alone(&["--save", &answer]));
    assert_eq!(begun.status.code(), Some(2));
    assert!(text(&begun.stderr).contains("a search is put aside here"));
    assert_eq!(printed(&arguments), "");
    assert_eq!(complete(&place.read("answer")), complete(undisturbed()));
}

#[test]
fn limits_end_a_run_and_not_the_search() {
    let place = Place::new("limits");
    let answer = place.path("answer");
    let first = run(&alone(&["--save", &answer, "--max-expanded", "200000"]));
    let said = text(&first.stderr);
    assert_eq!(first.status.code(), Some(1), "{said}");
    assert!(said.contains("(--max-expanded)") && said.contains("--resume goes on"), "{said}");
    assert_eq!(place.read("answer"), "");
    for (other, reason) in [
        (&["--notation", "tile"][..], "--notation: default then, tile now"),
        (&["--shard", "0/2"], "--shard: all then, 0/2 now"),
        (&["--goal", "blank-first"], "input: the board"),
    ] {
        let refused = run(&alone(&[&["--save", &answer, "--resume"], other].concat()));
        let said = text(&refused.stderr);
        assert!(said.contains("begun otherwise") && said.contains(reason), "{said}");
        assert_eq!(refused.status.code(), Some(2));
    }
    let mut pruned = alone(&["--save", &answer, "--resume"]);
    let how = pruned.iter_mut().find(|option| **option == "undo").unwrap();
    *how = "automaton";
    let said = text(&run(&pruned).stderr);
    assert!(said.contains("--prune: undo then, automaton now"), "{said}");
    let easier = BOARD.replace("16 17 21 23 20", "16 17 21 20 23").replace("2 13 15", "13 2 15");
    let other = [&["solve", &easier, "--save", &answer, "--resume"], &HOW[..]].concat();
    let said = text(&run(&other).stderr);
    assert!(said.contains("input: the board 2 13 15") && said.contains("then, the board 13 2 15"));
    assert_eq!(printed(&alone(&["--save", &answer, "--resume", "--max-time", "10m"])), "");
    assert_eq!(complete(&place.read("answer")), complete(undisturbed()));
}

#[test]
fn what_cannot_be_put_aside_or_divided_is_refused() {
    let place = Place::new("refused");
    let answer = place.path("answer");
    let (small, save) = ("8 6 7/2 5 4/3 x 1", ["--save", &answer]);
    let shard = ["--shard", "0/2", "--output", "json"];
    let right = "ask for it with `--quality optimal` or `--heuristic pdb`";
    for (arguments, reason) in [
        ([&[small][..], &save].concat(), right),
        ([&[BOARD][..], &save].concat(), right),
        ([&[BOARD, "--heuristic", "manhattan"][..], &save].concat(), right),
        ([&[small, "--quality", "optimal"][..], &shard].concat(), right),
        ([&[BOARD, "--all", "--output", "json"][..], &save].concat(), "leave out --save"),
        ([&[BOARD, "--heuristic", "pdb", "--count"][..], &shard].concat(), "leave out --save"),
        ([&[BOARD, small][..], &save].concat(), "one board, or for a file of boards"),
        ([&[BOARD, small][..], &shard].concat(), "one board, or for a file of boards"),
        (vec![BOARD, "--heuristic", "pdb", "--shard", "0/2"], "needs --output json"),
        (vec![BOARD, "--shard", "2/2"], "a shard is I/N"),
        (vec!["-f", "/dev/null", "--shard", "0/2", "--all"], "one line each"),
    ] {
        let output = run(&[&["solve"], &arguments[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
        assert!(fs::read_dir(&place.0).unwrap().next().is_none(), "{arguments:?}");
    }
}

/// A shard that is saved ends at --max-depth, goes on to a larger one, and is killed meanwhile.
#[test]
fn a_saved_shard_goes_on_to_greater_depths() {
    let place = Place::new("deeper");
    let (answer, aside) = (place.path("answer"), place.path("answer.checkpoint"));
    let shard = ["--shard", "1/2", "--save", &answer, "--resume"];
    let saved = |more: &[&'static str]| alone(&[&shard[..], more].concat());
    assert_eq!(printed(&saved(&["--max-depth", "50"])), "");
    let first = place.read("answer");
    assert_eq!(timeless(&first)["searched_below"], 52);
    assert_eq!(printed(&saved(&["--max-depth", "50"])), "");
    let again = place.read("answer");
    assert_eq!(timeless(&again), timeless(&first));
    let mut child = put_aside(&saved(&[]), &aside, 7);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(place.read("answer"), again);
    assert_eq!(printed(&saved(&[])), "");
    let undisturbed = printed(&alone(&["--shard", "1/2"]));
    assert_eq!(timeless(&place.read("answer")), timeless(&undisturbed));
    assert!(!place.has("answer.checkpoint"));
}
