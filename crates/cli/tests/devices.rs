//! Devices without end are refused before they are read, and pipes in place of files are read.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in a new folder with a limit on its memory, which reading a device would exceed.
fn run(script: &str) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("devices");
    fs::create_dir_all(&folder).unwrap();
    let script = format!("ulimit -v 4000000; {script}");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).current_dir(folder).env("LOYD_CACHE", "none");
    command.env("LOYD", env!("CARGO_BIN_EXE_loyd")).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Saved files are replaced by links to a device.
#[test]
fn devices_are_refused() {
    for script in [
        "$LOYD merge /dev/zero",
        "$LOYD solve -f /dev/zero",
        "$LOYD judge /dev/zero",
        "$LOYD convert -f /dev/zero --to blank",
        "$LOYD invert -f /dev/zero",
        "$LOYD solve -f /dev/zero --shard 0/2 --output json",
        "$LOYD compare -f /dev/zero",
        "$LOYD dataset -f /dev/zero",
        "$LOYD dataset -f /dev/zero --size 3x3",
        "$LOYD plot /dev/zero --export markdown:plot.md",
        "$LOYD compare --results /dev/zero",
        "$LOYD verify --certificate /dev/zero",
        "$LOYD solve '2 3 4 1 5 x 7 6 8' --heuristic matrix=/dev/zero",
        "$LOYD solve 'x 2 3 4 5/1 6 7 8 9/11 12 13 14 10/16 17 18 19 15/21 22 23 24 20' --quality optimal --save /dev/zero",
        "echo 12345678x > b; rm -f a a.batch; $LOYD solve -f b --save a && ln -sf /dev/zero a.batch && \
         $LOYD solve -f b --save a --resume",
        "echo 12345678x > c; $LOYD solve -f c --save /dev/zero --resume",
        "rm -rf d; $LOYD dataset --number 2 --save d && ln -sf /dev/zero d/dataset.json && \
         $LOYD dataset --number 2 --save d --resume",
        "rm -rf e; $LOYD dataset --number 2 --save e && ln -sf /dev/zero e/SHA256SUMS && \
         $LOYD dataset --number 2 --save e --resume",
        "rm -rf f; mkdir f; ln -sf /dev/zero f/census.json; $LOYD census 2x2 --save f --resume",
    ] {
        let output = run(script);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{script}: {message}");
        let is_named = ["a device", "not a regular file", "in the way"];
        assert!(is_named.iter().any(|name| message.contains(name)), "{script}: {message}");
    }
}

#[test]
fn pipes_and_the_null_device_are_read() {
    for (script, printed) in [
        ("$LOYD solve -f <(echo '1 2 3 4 5 6 7 x 8')", "r\n"),
        ("echo '1 2 3 4 5 6 7 x 8' | $LOYD solve -f /dev/stdin", "r\n"),
        ("echo '1 2 3 4 5 6 7 x 8' | $LOYD judge /dev/stdin", "r\n"),
        (
            "rm -f pipe; mkfifo pipe; echo '1 2 3 4 5 6 7 x 8' > pipe & sleep 0; $LOYD solve -f pipe",
            "r\n",
        ),
        ("$LOYD judge /dev/null", ""),
        // The first byte is not lost when the file is examined for its form.
        (
            "$LOYD dataset -f <(echo '1 2 3 4 5 6 7 x 8') --size 3x3 --output csv | cut -d, -f1",
            "board\n",
        ),
        (
            "echo '1 2 3 4 5 6 7 x 8' > g; for i in 0 1; do $LOYD solve -f g --shard $i/2 --output json > g$i; done; \
             $LOYD merge <(cat g0) <(cat g1) | cut -c 1-10",
            "{\"line\":1,\n",
        ),
    ] {
        let output = run(script);
        let message = text(&output.stderr);
        assert!(text(&output.stdout).starts_with(printed), "{script}: {output:?}");
        assert!(output.status.success(), "{script}: {message}");
    }
}

/// With any limit, searches take half of the memory that the system allows, and end before the system refuses
/// more, which would abort the process. Searches at the same time share that half.
#[test]
fn searches_end_before_the_system_refuses_memory() {
    const HARD: &str = "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    let solve = "$LOYD solve --algorithm astar --heuristic manhattan --max-time none --threads 2";
    let rows = "--algorithms astar,mm --heuristics manhattan --threads 2 --output json";
    let output = run(&format!("ulimit -v 400000; $LOYD compare '{HARD}' {rows}"));
    let lines = text(&output.stdout);
    assert_eq!(
        (output.status.code(), lines.matches("\"status\":\"stopped\"").count()),
        (Some(1), 2),
        "{output:?}"
    );
    for (arguments, is_lowered) in [
        (format!("'{HARD}'"), false),
        (format!("'{HARD}' --max-memory none"), true),
        (format!("'{HARD}' --max-memory 320M"), true),
        (format!("-f - --max-memory 190M <<< $'{HARD}\\n{HARD}'"), false),
    ] {
        let output = run(&format!("ulimit -v 400000; {solve} {arguments}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {message}");
        assert!(message.contains("(--max-memory)"), "{arguments}: {message}");
        let note = "--max-memory is lowered to 204.8 MB, half of what the system lets";
        assert_eq!(message.contains(note), is_lowered, "{arguments}: {message}");
        assert_eq!(message.matches("is lowered").count(), usize::from(is_lowered), "{message}");
    }
}
