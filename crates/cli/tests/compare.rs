//! Comparisons: counts equal those of `solve`, on any number of threads and after a kill.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// Rows that take noticeable time on a few boards.
const ROWS: [&str; 6] =
    ["--algorithms", "bfs,iddfs,astar,idastar", "--closed", "hashed,ordered", "--length", "20..22"];

fn loyd(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.args(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the runs of a file, without times, sorted.
fn runs(text: &str) -> Vec<String> {
    let run = |line: &str| {
        let mut run: BTreeMap<String, Value> = serde_json::from_str(line).expect(line);
        run.remove("elapsed_ns");
        run.remove("tables_ns");
        serde_json::to_string(&run).unwrap()
    };
    let mut runs: Vec<String> = text.lines().skip(1).map(run).collect();
    runs.sort();
    runs
}

fn compared(threads: &str) -> Vec<String> {
    let args = [&["compare", "--output", "json", "--threads", threads][..], &ROWS].concat();
    let output = loyd(&args);
    assert!(output.status.success(), "{output:?}");
    runs(&String::from_utf8(output.stdout).unwrap())
}

#[test]
fn results_do_not_depend_on_threads() {
    let alone = compared("1");
    assert_eq!(alone.len(), 3 * 6);
    assert_eq!(alone, compared("3"));
}
#[test]
fn limits_apply_to_runs_but_not_to_drawing_boards() {
    let limits = ["--max-expanded", "1", "--max-time", "1h"];
    let drawn =
        ["compare", "--size", "4x4", "--length", "25", "--number", "2", "--algorithms", "idastar"];
    let output = loyd(&[&drawn[..], &limits, &["--output", "json"]].concat());
    let runs = runs(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(runs.len(), 2);
    assert!(runs.iter().all(|run| run.contains(r#""status":"stopped""#)), "{runs:?}");
}

#[test]
fn counts_equal_those_of_solve() {
    let board = "2 3 4/1 5 0/7 6 8";
    let output = loyd(&["compare", board, "--preset", "classics", "--output", "json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines().skip(1) {
        let run: Value = serde_json::from_str(line).unwrap();
        let mut args = vec!["solve", board, "--output", "json", "--algorithm"];
        args.push(run["algorithm"].as_str().unwrap());
        if let Some(heuristic) = run["heuristic"].as_str() {
            args.extend(["--heuristic", heuristic]);
        }
        let solved: Value = serde_json::from_slice(&loyd(&args).stdout).unwrap();
        for field in ["length", "expanded", "generated", "duplicates", "reopened", "peak_bytes"] {
            assert_eq!(run[field], solved[field], "{field} of {}", run["row"]);
        }
        // The Manhattan distance, for rows with a heuristic.
        assert_eq!(run["h"].as_u64(), run["heuristic"].as_str().map(|_| 9), "{}", run["row"]);
    }
    assert_eq!(text.lines().count(), 1 + 10);
}

#[test]
fn killed_comparison_resumes() {
    let folder = folder("killed");
    let file = folder.join("runs.jsonl");
    let name = file.to_str().unwrap();
    let args = [&["compare", "--threads", "2", "--save", name, "--resume"][..], &ROWS].concat();
    let whole = compared("1");
    let mut kills = 0;
    // Killed a little later each time, until the comparison completes.
    for wait in (2..).map(|number| Duration::from_millis(number * number)) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
        let command = command.args(&args).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        thread::sleep(wait);
        if child.try_wait().unwrap().is_some_and(|status| status.success()) {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // Simulates a kill in the middle of a write.
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text.lines().count() > 2 && kills % 2 == 0 {
            fs::write(&file, &text[..text.len() - 7]).unwrap();
        }
    }
    assert!(kills > 0);
    assert_eq!(runs(&fs::read_to_string(&file).unwrap()), whole);
}

#[test]
fn foreign_file_is_not_changed() {
    let folder = folder("foreign");
    let file = folder.join("boards.txt");
    let name = file.to_str().unwrap();
    fs::write(&file, "1 2 3 4 5 6 7 x 8\n").unwrap();
    for more in [&[][..], &["--resume"]] {
        let output =
            loyd(&[&["compare", "--preset", "weights", "--save", name][..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "1 2 3 4 5 6 7 x 8\n");
    }
    let file = folder.join("runs.jsonl");
    let save = ["--save", file.to_str().unwrap()];
    let ours = [&["compare", "12345678x", "--preset", "bidirectional"][..], &save].concat();
    assert!(loyd(&ours).status.success());
    let before = fs::read_to_string(&file).unwrap();
    let other = [&["compare", "1234567x8", "--preset", "bidirectional", "--resume"][..], &save];
    let output = loyd(&other.concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("`boards_crc32` differs"), "{message}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn records_of_other_runs_are_not_resumed() {
    let file = folder("tampered").join("runs.jsonl");
    let save = ["--resume", "--save", file.to_str().unwrap()];
    let args = [&["compare", "1234567x8", "--preset", "bidirectional"][..], &save].concat();
    assert!(loyd(&args).status.success());
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<_> = whole.lines().collect();
    let [header, first, second] = lines[..3] else { panic!("{whole}") };
    let row = &first[..first.find("\",").unwrap()];
    for (changed, message) in [
        (first.replace(row, "{\"row\":\"other"), "line 2: the comparison has no row `other`"),
        (
            first.replace("\"board_id\":1", "\"board_id\":2"),
            "line 2: the comparison has no board 2",
        ),
        (first.replace("7 0 8\"", "0 7 8\""), "line 2: board 1 is 1 2 3/4 5 6/7 0 8"),
        (format!("{first}\n{first}"), "line 3: there are two results of"),
        (first.replace("\"length\":1", "\"length\":3"), "another row proved another length"),
        ("garbage".to_owned(), "line 2"),
    ] {
        assert_ne!(changed, first);
        let text = format!("{header}\n{changed}\n{second}\n");
        fs::write(&file, &text).unwrap();
        let output = loyd(&args);
        let shown = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && shown.contains(message), "{shown}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn torn_header_is_written_again() {
    let folder = folder("torn");
    let file = folder.join("runs.jsonl");
    let args = ["compare", "12345678x", "--resume", "--save", file.to_str().unwrap()];
    assert!(loyd(&args).status.success());
    let whole = fs::read_to_string(&file).unwrap();
    let header = whole.lines().next().unwrap();
    for length in [1, header.find("command").unwrap() + 20, header.len()] {
        fs::write(&file, &header[..length]).unwrap();
        let output = loyd(&args);
        assert!(output.status.success(), "{length}: {output:?}");
        let again = fs::read_to_string(&file).unwrap();
        assert_eq!((runs(&again), again.lines().next()), (runs(&whole), Some(header)));
    }
    // An unterminated line that is not the start of the header.
    for other in ["12345678x", "{\"loyd\": \"census\""] {
        fs::write(&file, other).unwrap();
        assert_eq!(loyd(&args).status.code(), Some(2));
        assert_eq!(fs::read_to_string(&file).unwrap(), other);
    }
}

#[test]
#[cfg(unix)]
fn command_of_a_report_runs_in_a_shell() {
    let goal = "1 2 3/4 * */* * *";
    let args = ["compare", "1 2 3/5 x 4/7 8 6", "--goal", goal, "--algorithms", "A*,bfs"];
    let report = loyd(&[&args[..], &["--output", "markdown"]].concat()).stdout;
    let report = String::from_utf8(report).unwrap();
    let command = report.trim_end().lines().last().unwrap().trim_matches('`');
    assert_eq!(
        command,
        format!(
            "loyd compare '1 2 3/5 x 4/7 8 6' --goal '{goal}' --algorithms 'A*,bfs' --output markdown"
        )
    );
    let program = Path::new(env!("CARGO_BIN_EXE_loyd")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let again = Command::new("sh").args(["-c", command]).env("PATH", path).output().unwrap();
    let last = |text: &str| text.trim_end().lines().last().unwrap_or_default().to_owned();
    assert_eq!(last(&String::from_utf8_lossy(&again.stdout)), last(&report), "{again:?}");
}

#[test]
fn refused_rows_do_not_affect_others() {
    let folder = folder("refused");
    let report = folder.join("report.html");
    let output = loyd(&[
        "compare",
        "--number",
        "3",
        "--metric",
        "mtm",
        "--export",
        &format!("html:{}", report.to_str().unwrap()),
        "--algorithms",
        "idastar,bfs,IDA*",
        "--heuristics",
        "pdb,zero,zero",
        "--output",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let statuses: Vec<(String, String)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let run: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| run[name].as_str().unwrap().to_owned();
            (text("row"), text("status"))
        })
        .collect();
    for (row, status) in [("idastar/pdb", "refused"), ("idastar/zero", "solved"), ("bfs", "solved")]
    {
        let runs = statuses.iter().filter(|run| **run == (row.to_owned(), status.to_owned()));
        assert_eq!(runs.count(), 3, "{statuses:?}");
    }
    assert_eq!(statuses.len(), 3 * 3);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.matches("idastar/pdb: ").count(), 1, "{told}");
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("<td>idastar/zero</td>") && report.contains("<figure id=\"nodes\">"));
}

#[test]
fn automata_prune_as_in_solve() {
    let board = "8 6 7/2 5 4/3 0 1";
    let prunes = ["undo", "automaton=6", "automaton=9"];
    let all = prunes.join(",");
    let compare = ["compare", board, "--algorithms", "idastar,astar", "--prune", &all];
    // On one thread, runs end in the order of rows.
    let output = loyd(&[&compare[..], &["--threads", "1", "--output", "json"]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let records: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 4, "A* is not depth-first");
    for (record, prune) in records.iter().zip(prunes) {
        assert_eq!(record["prune"], prune);
        assert_eq!(record["row"], format!("idastar/manhattan/{prune}"));
        let solve = ["solve", board, "--algorithm", "idastar", "--heuristic", "manhattan"];
        let alone = loyd(&[&solve[..], &["--prune", prune, "--output", "json"]].concat());
        let alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert_eq!(record["expanded"], alone["expanded"], "{prune}");
        assert_eq!(record["length"], 31);
    }
    assert_eq!(records[3]["prune"], Value::Null);
    let counts: Vec<u64> = records.iter().map(|r| r["expanded"].as_u64().unwrap()).collect();
    assert!(counts[2] < counts[1] && counts[1] < counts[0], "{counts:?}");
}
