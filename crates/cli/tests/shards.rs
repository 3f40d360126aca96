//! A board whose search is put aside, and work that is divided into shards, end as if neither had happened.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A board with a shortest solution of 56 moves, for which nine million nodes are expanded with [`TABLES`].
const BOARD: &str = "2 13 15 4 9/1 11 8 0 10/7 14 12 19 3/6 22 18 24 5/16 17 21 23 20";
/// Tables that are built in a moment.
const TABLES: &str = "1,5,6/2,3,7/4,8,9/10,11,15/12,13,17/14,18,19/16,20,21/22,23,24";
const HOW: [&str; 8] =
    ["--heuristic", "pdb", "--tables", TABLES, "--threads", "1", "--output", "json"];

/// A folder of its own for each test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shards-{name}"));
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

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Boards of several kinds: easy and solved ones, one that cannot be solved, and a faulty one.
    fn boards(&self) -> String {
        let boards = [
            "2 3 4 1 5 x 7 6 8",
            "1 2 3 4 5 6 7 8 x",
            "8 6 7 2 5 4 3 x 1",
            "# a comment\n\n1 2 3 4 5 6 8 7 x",
            "1 2 3 4 5 6 7 8 q",
            "1 2 3 4 5 6 7 x 8",
            "1 2 3 4 x 6 7 5 8",
            "6 4 7 8 5 x 3 2 1",
        ];
        self.write("boards.txt", &(boards.join("\n") + "\n"))
    }
}

fn loyd(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    let output = command.env("LOYD_CACHE", "none").args(arguments);
    output.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    loyd(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What is printed, if all was well.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The arguments that solve [`BOARD`].
fn alone<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["solve", BOARD], &HOW[..], more].concat()
}

/// The record of [`BOARD`], solved by one process.
fn undisturbed() -> &'static str {
    static RECORD: OnceLock<String> = OnceLock::new();
    RECORD.get_or_init(|| printed(&alone(&[])))
}

/// A record without times, and without the memory, which depends on what of the search was done in one process.
fn timeless(record: &str) -> Value {
    let mut record: Value = serde_json::from_str(record).unwrap();
    let fields = record.as_object_mut().unwrap();
    for name in ["elapsed_ns", "tables_ns", "peak_bytes"] {
        fields.remove(name);
    }
    record
}

/// The rounds before the last one.
fn complete(record: &str) -> Vec<Value> {
    let record = timeless(record);
    let mut rounds = record["iterations"].as_array().unwrap().clone();
    let last = rounds.pop().unwrap();
    assert_eq!((&last["bound"], &record["length"]), (&Value::from(56), &Value::from(56)));
    rounds
}

/// Starts a search and waits until it is put aside with so many rounds.
fn put_aside(arguments: &[&str], checkpoint: &str, rounds: usize) -> Child {
    let child = loyd(arguments).spawn().unwrap();
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(checkpoint).unwrap_or_default();
        let line = text.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
        if line.is_some_and(|kept| kept["rounds"].as_array().unwrap().len() >= rounds) {
            return child;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is put aside: {text}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

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
    assert_eq!(printed(&arguments), "");
    let record = place.read("answer");
    assert_eq!(timeless(&record), timeless(undisturbed()));
    assert!(!place.has("answer.checkpoint"));
    // The rounds that were complete were not searched again.
    let elapsed = |record: &str| {
        serde_json::from_str::<Value>(record).unwrap()["elapsed_ns"].as_u64().unwrap()
    };
    assert!(elapsed(&record) < elapsed(undisturbed()), "{record}");
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
        (&["--prune", "automaton"][..], "--prune: default then, automaton now"),
        (&["--notation", "tile"], "--notation: default then, tile now"),
        (&["--shard", "0/2"], "--shard: all then, 0/2 now"),
        (&["--goal", "blank-first"], "input: the board"),
    ] {
        let refused = run(&alone(&[&["--save", &answer, "--resume"], other].concat()));
        let said = text(&refused.stderr);
        assert!(said.contains("begun otherwise") && said.contains(reason), "{said}");
        assert_eq!(refused.status.code(), Some(2));
    }
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
        (vec![BOARD, "--shard", "-1/2"], "a shard is I/N"),
        (vec!["-f", "/dev/null", "--shard", "0/2", "--all"], "one line each"),
    ] {
        let output = run(&[&["solve"], &arguments[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
        assert!(fs::read_dir(&place.0).unwrap().next().is_none(), "{arguments:?}");
    }
}

/// The files of the shards of [`BOARD`], up to some depth.
fn shards(place: &Place, count: usize, more: &[&str]) -> Vec<String> {
    let shard = |index| {
        let shard = format!("{index}/{count}");
        let record = printed(&alone(&[&["--shard", &shard], more].concat()));
        place.write(&format!("{count}.{index}"), &record)
    };
    (0..count).map(shard).collect()
}

fn merge(files: &[String], more: &[&str]) -> Output {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run(&[&["merge"], &files[..], more].concat())
}

#[test]
fn shards_of_a_board_are_together_as_the_whole() {
    let place = Place::new("whole");
    let whole = undisturbed();
    for count in 1..=3 {
        let mut files = shards(&place, count, &[]);
        for file in &files {
            let record = timeless(&fs::read_to_string(file).unwrap());
            assert_eq!(record["optimal"], false);
            assert_eq!(record["searched_below"], record["length"]);
        }
        files.reverse();
        let merged = merge(&files, &["--output", "json"]);
        assert!(merged.status.success(), "{}", text(&merged.stderr));
        let merged = timeless(&text(&merged.stdout));
        let whole_record = timeless(whole);
        for name in ["board", "goal", "status", "length", "optimal", "tables", "expanded_complete"]
        {
            assert_eq!(merged[name], whole_record[name], "{name}");
        }
        assert_eq!(merged["iterations"], Value::from(complete(whole)));
        assert_eq!(merged["shards"], count);
        let told = merge(&files, &[]);
        assert_eq!(text(&told.stdout).trim_end(), merged["moves"].as_str().unwrap());
        assert!(text(&told.stderr).contains("56 moves, shortest; expanded 3,652,190 in complete"));
    }
}

#[test]
fn shards_that_end_at_a_depth_prove_what_they_have_searched() {
    let place = Place::new("depth");
    let whole = undisturbed();
    let mut files = shards(&place, 3, &["--max-depth", "54"]);
    let open = merge(&files, &["--output", "json"]);
    assert_eq!(open.status.code(), Some(1));
    assert!(
        text(&open.stderr).contains("fewer than 56; to be searched further, to --max-depth 56")
    );
    let open = timeless(&text(&open.stdout));
    assert_eq!((&open["status"], &open["lower_bound"]), (&"stopped".into(), &56.into()));
    assert_eq!(open["iterations"], Value::from(complete(whole)));
    // One that has found the solution is enough, where all others have searched everything below.
    let found = |index| {
        let shard = format!("{index}/3");
        let record = printed(&alone(&["--shard", &shard, "--max-depth", "56"]));
        timeless(&record)["length"].is_u64().then_some((index, record))
    };
    let (index, record) = (0..3).find_map(found).unwrap();
    files[index] = place.write("found", &record);
    let merged = merge(&files, &["--output", "json"]);
    let merged = timeless(&text(&merged.stdout));
    assert_eq!((&merged["length"], &merged["optimal"]), (&56.into(), &true.into()));
    // But not where one has not.
    let other = (index + 1) % 3;
    let shard = format!("{other}/3");
    let short = printed(&alone(&["--shard", &shard, "--max-depth", "50"]));
    files[other] = place.write("short", &short);
    let open = merge(&files, &[]);
    let said = text(&open.stderr);
    assert_eq!(open.status.code(), Some(1), "{said}");
    assert!(said.contains("56 moves are the best so far, and no solution has fewer than 52"));
    assert!(said.contains(&format!("{shard} (")) && said.contains("--max-depth 55"), "{said}");
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

/// Solves a shard of `boards`, by saving it if there is a file for that.
fn batch(place: &Place, boards: &str, shard: (usize, usize), save: bool, how: &[&str]) -> String {
    let (name, shard) = (format!("{}.{}", shard.1, shard.0), format!("{}/{}", shard.0, shard.1));
    let arguments = [&["solve", "-f", boards, "--shard", &shard], how].concat();
    let path = place.path(&name);
    if save {
        run(&[&arguments[..], &["--save", &path, "--resume"]].concat());
        return path;
    }
    place.write(&name, &text(&run(&arguments).stdout))
}

/// JSON Lines without times.
fn all_timeless(text: &str) -> Vec<Value> {
    text.lines().map(timeless).collect()
}

#[test]
fn shards_of_a_batch_are_together_as_the_whole() {
    for save in [false, true] {
        let place = Place::new(if save { "saved" } else { "batch" });
        let boards = place.boards();
        let whole = text(&run(&["solve", "-f", &boards]).stdout);
        assert_eq!(whole.lines().count(), 8);
        let json = ["--output", "json"];
        let records = text(&run(&[&["solve", "-f", &boards], &json[..]].concat()).stdout);
        for count in [1, 2, 3, 11] {
            let files = |how: &[&str]| -> Vec<String> {
                (0..count).map(|i| batch(&place, &boards, (i, count), save, how)).collect()
            };
            let mut moves = files(&[]);
            if save {
                // Notes tell the order.
                moves.reverse();
            }
            let merged = merge(&moves, &[]);
            assert_eq!(text(&merged.stdout), whole, "{count}: {}", text(&merged.stderr));
            assert!(merged.status.success());
            let again = Place::new("records");
            let files: Vec<String> =
                (0..count).map(|i| batch(&again, &boards, (i, count), save, &json)).collect();
            let merged = text(&merge(&files, &[]).stdout);
            assert_eq!(all_timeless(&merged), all_timeless(&records));
            assert!(!merged.contains("shard"));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_saved_shard_of_a_batch_goes_on_where_it_was_torn() {
    let place = Place::new("torn");
    let boards = place.boards();
    let path = batch(&place, &boards, (1, 3), true, &["--output", "json"]);
    let whole = place.read("3.1");
    let lines: Vec<u64> =
        all_timeless(&whole).iter().map(|record| record["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 7, 10]);
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    batch(&place, &boards, (1, 3), true, &["--output", "json"]);
    assert_eq!(all_timeless(&place.read("3.1")), all_timeless(&whole));
}

/// What a shard of another work leaves, and what `loyd merge` says of it.
#[test]
fn what_does_not_belong_together_is_refused() {
    let place = Place::new("mixed");
    let boards = place.boards();
    let depth = ["--max-depth", "48"];
    let mine = shards(&place, 2, &depth);
    let third = shards(&place, 3, &depth).swap_remove(2);
    let text_of = |path: &str| fs::read_to_string(path).unwrap();
    let changed = |name: &str, from: &str, to: &str| {
        let text = text_of(&mine[1]);
        assert!(text.contains(from), "{text}");
        place.write(name, &text.replacen(from, to, 1))
    };
    let goal = changed("goal", "\"goal\":\"1 2", "\"goal\":\"2 1");
    let board = changed("board", "\"board\":\"2 13", "\"board\":\"13 2");
    let other = changed("heuristic", "\"heuristic\":\"pdb\"", "\"heuristic\":\"zero\"");
    let tables = changed("tables", "1,5,6/", "1,6,5/");
    let prune = changed("prune", "\"undo\"", "\"automaton=12\"");
    let rounds = changed("rounds", "\"bound\":44", "\"bound\":45");
    let torn = place.write("torn", text_of(&mine[1]).trim_end());
    let empty = place.write("empty", "");
    let records = batch(&place, &boards, (0, 4), false, &["--output", "json"]);
    let second = batch(&place, &boards, (1, 4), false, &["--output", "json"]);
    let moves = batch(&place, &boards, (2, 4), false, &[]);
    let whole = text(&run(&["solve", "-f", &boards, "--output", "json"]).stdout);
    let whole = place.write("all", &whole);
    let refused = |files: &[&String], reasons: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.clone()).collect();
        let output = merge(&files, &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{files:?}: {said}");
        assert_eq!((text(&output.stdout).as_str(), said.lines().count()), ("", 1), "{said}");
        assert!(reasons.iter().all(|reason| said.contains(reason)), "{said}");
    };
    let first = &mine[0];
    refused(&[first], &["shard 1/2 is missing", "2.0"]);
    refused(&[first, &mine[1], first], &["2.0 is shard 0/2, as", "is"]);
    refused(&[first, &third], &["3.2 is shard 2/3", "2.0 shard 0/2"]);
    refused(&[first, &goal], &["goal is of another search than", "goal: 1 2 3"]);
    refused(&[first, &board], &["board is of another search", "board: 2 13 15"]);
    refused(&[first, &other], &["heuristic: pdb there, zero here"]);
    refused(&[first, &tables], &["tables: 1,5,6/", "there, 1,6,5/"]);
    refused(&[first, &prune], &["pruning: undo there, automaton=12 here"]);
    refused(&[first, &rounds], &["rounds has other rounds than"]);
    refused(&[first, &torn], &["torn: its last line is torn"]);
    refused(&[first, &empty], &["empty: there is nothing in it"]);
    refused(&[&empty], &["empty: there is nothing in it"]);
    refused(&[first, &records], &["4.0 has records of many boards", "2.0 has a shard of one"]);
    refused(&[&records, &moves], &["4.2 has solutions as text"]);
    refused(&[&records, &second], &["shards 2/4, 3/4 are missing"]);
    refused(&[&second, &second], &["4.1 is shard 1/4, as"]);
    refused(&[&whole], &["of no shard"]);
    refused(&[&place.path("nowhere")], &["cannot read", "nowhere"]);
    let damaged = shards(&place, 1, &[]);
    let text = text_of(&damaged[0]).replacen("\"moves\":\"lu", "\"moves\":\"ul", 1);
    refused(&[&place.write("wrong", &text)], &["wrong: its moves do not solve the board"]);
}

#[test]
fn shards_of_other_batches_are_refused() {
    let place = Place::new("batches");
    let boards = place.boards();
    let (a, b) = (
        batch(&place, &boards, (0, 2), true, &[]),
        batch(&place, &boards, (1, 2), true, &["--goal", "blank-first"]),
    );
    let said = |files: &[&String]| {
        let output = merge(&files.iter().map(|&file| file.clone()).collect::<Vec<_>>(), &[]);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""));
        text(&output.stderr)
    };
    assert!(said(&[&a, &b]).contains("--goal: default there, blank-first here"));
    assert!(said(&[&a]).contains("shard 1/2 is missing"));
    assert!(said(&[&a, &a]).contains("2.0 is shard 0/2, as"));
    let bare = place.write("bare", &place.read("2.1"));
    assert!(said(&[&a, &bare]).contains("bare.batch is missing"));
    let whole = place.path("whole");
    run(&["solve", "-f", &boards, "--save", &whole]);
    assert!(said(&[&whole]).contains("whole: it is of no shard"));
    // A shard that is not done, with notes and without.
    fs::remove_file(place.path("2.1")).unwrap();
    fs::remove_file(place.path("2.1.batch")).unwrap();
    let b = batch(&place, &boards, (1, 2), true, &[]);
    let text = place.read("2.1");
    let end = text.trim_end().rfind('\n').unwrap();
    let cut = text[..end].rfind('\n').unwrap() + 1;
    fs::write(&b, &text[..cut]).unwrap();
    assert!(said(&[&a, &b]).contains("2.1 has 2 boards, and"));
    let (c, d) = (place.write("c", &place.read("2.0")), place.write("d", &text[..cut]));
    assert!(said(&[&c, &d]).contains("d has 2 boards, and"));
}
