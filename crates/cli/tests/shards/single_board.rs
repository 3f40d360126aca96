//! A single board whose search is suspended and resumed.

use std::fs;
use std::process::Command;

use crate::{
    BOARD, HOW, Place, board_arguments, complete, printed, run, start_and_suspend, text, timeless,
    uninterrupted,
};

#[test]
fn resumed_search_equals_uninterrupted_run() {
    let place = Place::new("killed");
    let (answer, checkpoint) = (place.path("answer"), place.path("answer.checkpoint"));
    let arguments = board_arguments(&["--save", &answer, "--resume"]);
    for iterations in [4, 7, 8] {
        let mut child = start_and_suspend(&arguments, &checkpoint, iterations);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "it was done before it could be killed");
        assert_eq!(place.read("answer"), "");
    }
    // This limit suffices for the last iteration but not for the whole search, so complete iterations must be skipped.
    let rest = [&arguments[..], &["--max-expanded", "8000000"]].concat();
    assert_eq!(printed(&rest), "");
    let record = place.read("answer");
    assert_eq!(timeless(&record), timeless(uninterrupted()));
    assert!(!place.has("answer.checkpoint"));
    // Running a completed search again changes nothing, and without --resume it is refused.
    assert_eq!(printed(&arguments), "");
    assert_eq!(place.read("answer"), record);
    let over = run(&board_arguments(&["--save", &answer]));
    assert_eq!(over.status.code(), Some(2));
    assert!(text(&over.stderr).contains("resume it with --resume, or remove it"));
    assert_eq!(place.read("answer"), record);
}

#[cfg(unix)]
#[test]
fn interrupted_search_explains_how_to_resume() {
    let place = Place::new("interrupted");
    let (answer, checkpoint) = (place.path("answer"), place.path("answer.checkpoint"));
    let arguments = board_arguments(&["--save", &answer, "--resume"]);
    let child = start_and_suspend(&arguments, &checkpoint, 7);
    let second = run(&arguments);
    assert!(text(&second.stderr).contains("another process is writing to it"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let how = "answer.checkpoint; run the same command with --resume to continue";
    assert!(said.contains(how), "{said}");
    // Without --resume, nothing is overwritten.
    let begun = run(&board_arguments(&["--save", &answer]));
    assert_eq!(begun.status.code(), Some(2));
    assert!(text(&begun.stderr).contains("a suspended search exists"));
    assert_eq!(printed(&arguments), "");
    assert_eq!(complete(&place.read("answer")), complete(uninterrupted()));
}

#[test]
fn limits_end_the_run_but_not_the_search() {
    let place = Place::new("limits");
    let answer = place.path("answer");
    let first = run(&board_arguments(&["--save", &answer, "--max-expanded", "200000"]));
    let said = text(&first.stderr);
    assert_eq!(first.status.code(), Some(1), "{said}");
    assert!(
        said.contains("(--max-expanded)") && said.contains("with --resume to continue"),
        "{said}"
    );
    assert_eq!(place.read("answer"), "");
    for (other, reason) in [
        (&["--notation", "tile"][..], "--notation: default then, tile now"),
        (&["--shard", "0/2"], "--shard: all then, 0/2 now"),
        (&["--goal", "blank-first"], "input: the board"),
    ] {
        let refused = run(&board_arguments(&[&["--save", &answer, "--resume"], other].concat()));
        let said = text(&refused.stderr);
        assert!(
            said.contains("started with other input or options") && said.contains(reason),
            "{said}"
        );
        assert_eq!(refused.status.code(), Some(2));
    }
    let mut pruned = board_arguments(&["--save", &answer, "--resume"]);
    let how = pruned.iter_mut().find(|option| **option == "undo").unwrap();
    *how = "automaton";
    let said = text(&run(&pruned).stderr);
    assert!(said.contains("--prune: undo then, automaton now"), "{said}");
    let easier = BOARD.replace("16 17 21 23 20", "16 17 21 20 23").replace("2 13 15", "13 2 15");
    let other = [&["solve", &easier, "--save", &answer, "--resume"], &HOW[..]].concat();
    let said = text(&run(&other).stderr);
    assert!(said.contains("input: the board 2 13 15") && said.contains("then, the board 13 2 15"));
    assert_eq!(
        printed(&board_arguments(&["--save", &answer, "--resume", "--max-time", "10m"])),
        ""
    );
    assert_eq!(complete(&place.read("answer")), complete(uninterrupted()));
}

#[test]
fn searches_that_cannot_be_suspended_or_divided_are_rejected() {
    let place = Place::new("refused");
    let answer = place.path("answer");
    let (small, save) = ("8 6 7/2 5 4/3 x 1", ["--save", &answer]);
    let shard = ["--shard", "0/2", "--output", "json"];
    let right = "select it with `--quality optimal` or `--heuristic pdb`";
    for (arguments, reason) in [
        ([&[small][..], &save].concat(), right),
        ([&[BOARD][..], &save].concat(), right),
        ([&[BOARD, "--heuristic", "manhattan"][..], &save].concat(), right),
        ([&[small, "--quality", "optimal"][..], &shard].concat(), right),
        ([&[BOARD, "--all", "--output", "json"][..], &save].concat(), "leave out --save"),
        ([&[BOARD, "--heuristic", "pdb", "--count"][..], &shard].concat(), "leave out --save"),
        ([&[BOARD, small][..], &save].concat(), "a single board, or a file of boards"),
        ([&[BOARD, small][..], &shard].concat(), "a single board, or a file of boards"),
        (vec![BOARD, "--heuristic", "pdb", "--shard", "0/2"], "requires --output json"),
        (vec![BOARD, "--shard", "2/2"], "a shard is I/N"),
        (vec!["-f", "/dev/null", "--shard", "0/2", "--all"], "one line per solution"),
    ] {
        let output = run(&[&["solve"], &arguments[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
        assert!(fs::read_dir(&place.0).unwrap().next().is_none(), "{arguments:?}");
    }
}

/// A saved shard ends at --max-depth, resumes with a larger one, and is killed while it runs.
#[test]
fn saved_shard_resumes_with_larger_depth() {
    let place = Place::new("deeper");
    let (answer, checkpoint) = (place.path("answer"), place.path("answer.checkpoint"));
    let shard = ["--shard", "1/2", "--save", &answer, "--resume"];
    let saved = |more: &[&'static str]| board_arguments(&[&shard[..], more].concat());
    assert_eq!(printed(&saved(&["--max-depth", "50"])), "");
    let first = place.read("answer");
    assert_eq!(timeless(&first)["searched_below"], 52);
    assert_eq!(printed(&saved(&["--max-depth", "50"])), "");
    let again = place.read("answer");
    assert_eq!(timeless(&again), timeless(&first));
    let mut child = start_and_suspend(&saved(&[]), &checkpoint, 7);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(place.read("answer"), again);
    assert_eq!(printed(&saved(&[])), "");
    let uninterrupted = printed(&board_arguments(&["--shard", "1/2"]));
    assert_eq!(timeless(&place.read("answer")), timeless(&uninterrupted));
    assert!(!place.has("answer.checkpoint"));
}
