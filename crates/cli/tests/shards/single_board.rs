//! A single board whose search is suspended and resumed.

use std::fs;
use std::process::Command;

use crate::{
    BOARD, HOW, Place, board_arguments, complete, printed, run, start_and_suspend, text, timeless,
    uninterrupted,
};

/// Returns a resumed record without the checksum of its checkpoint, which it must have.
fn not_resumed(record: &str) -> serde_json::Value {
    let mut record = timeless(record);
    let from = record.as_object_mut().unwrap().remove("resumed_from").unwrap();
    assert_eq!(from[0].as_str().unwrap().len(), 64, "{from}");
    record
}

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
    assert_eq!(not_resumed(&record), timeless(uninterrupted()));
    assert!(!place.has("answer.checkpoint"));
    // Running a completed search again changes nothing, and without --resume it is refused.
    assert_eq!(printed(&arguments), "");
    assert_eq!(place.read("answer"), record);
    let over = run(&board_arguments(&["--save", &answer]));
    assert_eq!(over.status.code(), Some(2));
    assert!(text(&over.stderr).contains("resume it with --resume, or remove it"));
    assert_eq!(place.read("answer"), record);
}

/// A checkpoint with wrong counts and a right checksum is accepted, but the result names it.
#[test]
fn result_of_forged_checkpoint_names_it() {
    let place = Place::new("forged");
    let (answer, checkpoint) = (place.path("answer"), place.path("answer.checkpoint"));
    let arguments = board_arguments(&["--save", &answer, "--resume"]);
    let mut child = start_and_suspend(&arguments, &checkpoint, 5);
    child.kill().unwrap();
    child.wait().unwrap();
    let text = place.read("answer.checkpoint");
    let line = text.lines().next().unwrap();
    let mut forged: serde_json::Value = serde_json::from_str(line).unwrap();
    let first = forged["rounds"][0][1].as_u64().unwrap();
    forged["rounds"][0][1] = (first + 1).into();
    let line = forged.to_string();
    // FNV-1a, as in the checkpoint.
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = line.bytes().fold(0xcbf2_9ce4_8422_2325, add);
    place.write("answer.checkpoint", &format!("{line}\n{{\"checksum\":\"{sum:016x}\"}}\n"));
    let sha256 = Command::new("sha256sum").arg(&checkpoint).output();
    let output = run(&arguments);
    assert!(output.status.success(), "{}", crate::text(&output.stderr));
    let resumed: serde_json::Value = serde_json::from_str(&place.read("answer")).unwrap();
    assert_eq!(resumed["iterations"][0]["expanded"], first + 1);
    let from = resumed["resumed_from"][0].as_str().unwrap();
    if let Ok(sha256) = sha256 {
        assert!(crate::text(&sha256.stdout).starts_with(from), "{sha256:?}");
    }
    assert!(crate::text(&output.stderr).contains(from), "the note names it too");
    // A changed solution in the file is found without a search.
    let moves = resumed["moves"].as_str().unwrap();
    let altered = place.read("answer").replace(moves, &moves[1..]);
    place.write("answer", &altered);
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(crate::text(&output.stderr).contains("this is not the answer to the board"));
    assert_eq!(place.read("answer"), altered);
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
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let how = "answer.checkpoint; run the same command with --resume to continue";
    assert!(message.contains(how), "{message}");
    // Without --resume, nothing is overwritten.
    let again = run(&board_arguments(&["--save", &answer]));
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("a suspended search exists"));
    assert_eq!(printed(&arguments), "");
    assert_eq!(complete(&place.read("answer")), complete(uninterrupted()));
}

#[test]
fn limits_end_the_run_but_not_the_search() {
    let place = Place::new("limits");
    let answer = place.path("answer");
    let first = run(&board_arguments(&["--save", &answer, "--max-expanded", "200000"]));
    let message = text(&first.stderr);
    assert_eq!(first.status.code(), Some(1), "{message}");
    assert!(
        message.contains("(--max-expanded)") && message.contains("with --resume to continue"),
        "{message}"
    );
    assert_eq!(place.read("answer"), "");
    for (other, reason) in [
        (&["--notation", "tile"][..], "--notation: default then, tile now"),
        (&["--shard", "0/2"], "--shard: all then, 0/2 now"),
        (&["--goal", "blank-first"], "input: the board"),
    ] {
        let refused = run(&board_arguments(&[&["--save", &answer, "--resume"], other].concat()));
        let message = text(&refused.stderr);
        assert!(
            message.contains("started with other input or options") && message.contains(reason),
            "{message}"
        );
        assert_eq!(refused.status.code(), Some(2));
    }
    let mut pruned = board_arguments(&["--save", &answer, "--resume"]);
    let how = pruned.iter_mut().find(|option| **option == "undo").unwrap();
    *how = "automaton";
    let message = text(&run(&pruned).stderr);
    assert!(message.contains("--prune: undo then, automaton now"), "{message}");
    let easier = BOARD.replace("16 17 21 23 20", "16 17 21 20 23").replace("2 13 15", "13 2 15");
    let other = [&["solve", &easier, "--save", &answer, "--resume"], &HOW[..]].concat();
    let message = text(&run(&other).stderr);
    assert!(
        message.contains("input: the board 2 13 15") && message.contains("then, the board 13 2 15")
    );
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
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(reason), "{arguments:?}: {message}");
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
    assert_eq!(not_resumed(&again), timeless(&first));
    let mut child = start_and_suspend(&saved(&[]), &checkpoint, 7);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(place.read("answer"), again);
    assert_eq!(printed(&saved(&[])), "");
    let uninterrupted = printed(&board_arguments(&["--shard", "1/2"]));
    assert_eq!(not_resumed(&place.read("answer")), timeless(&uninterrupted));
    assert!(!place.has("answer.checkpoint"));
}
