//! Certificates: genuine ones are confirmed, and each forged field is found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A separate folder for each test, with the cache of its tables.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("certificate-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
        command.env("LOYD_CACHE", self.path("cache")).args(arguments).output().unwrap()
    }

    /// Returns the certificate of a search.
    fn certify(&self, arguments: &[&str]) -> Value {
        let path = self.path("proof.json");
        let all = [&["solve"], arguments, &["--certificate", &path, "--threads", "1"]].concat();
        let output = self.run(&all);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }

    /// Returns the exit status and all output of `verify` for a certificate.
    fn verify(&self, certificate: &Value, more: &[&str]) -> (Option<i32>, String) {
        let path = self.path("other.json");
        fs::write(&path, certificate.to_string()).unwrap();
        let output = self.run(&[&["verify", "--certificate", &path], more].concat());
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Computes the checksum of a changed certificate, as a forger would.
fn sign(certificate: &mut Value) {
    certificate["checksum"] = Value::Null;
    let sum = Sha256::digest(certificate.to_string().as_bytes());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    certificate["checksum"] = sum.into();
}

/// Changes a value in a way that keeps its kind.
fn altered(value: &Value) -> Value {
    match value {
        Value::Null => "forged".into(),
        Value::Bool(truth) => (!truth).into(),
        Value::Number(number) => json!(number.as_f64().unwrap() as u64 + 2),
        Value::String(text) => format!("{text}1").into(),
        Value::Array(all) => {
            let mut all = all.clone();
            all.pop();
            all.into()
        }
        Value::Object(_) => Value::Null,
    }
}

/// A board of the 15-puzzle, and searches with and without tables.
const FIFTEEN: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
const SEARCHES: [&[&str]; 4] = [
    &[FIFTEEN, "--goal", "blank-first", "--quality", "optimal"],
    &[
        FIFTEEN,
        "--algorithm",
        "idastar",
        "--heuristic",
        "pdb",
        "--tables",
        "5-5-5",
        "--goal",
        "blank-first",
    ],
    &["8 6 7/2 5 4/3 0 1", "--algorithm", "astar", "--heuristic", "manhattan"],
    &["8 6 7/2 5 4/3 0 1", "--algorithm", "idastar", "--heuristic", "manhattan", "--metric", "stm"],
];

#[test]
fn genuine_certificates_are_confirmed() {
    let place = Place::new("genuine");
    let five = "1 3 13 9 4/11 2 5 18 14/17 6 12 10 0/22 7 8 19 15/16 21 23 24 20";
    let tables = "1,5,6/2,3,7/4,8,9/10,11,15/12,13,17/14,18,19/16,20,21/22,23,24";
    let answer = place.path("answer");
    let saved = [five, "--heuristic", "pdb", "--tables", tables, "--save", &answer];
    let unsolvable = ["1 2 3/4 5 6/8 7 0", "--quality", "optimal"];
    let uninformed = ["2 3 4 1 5 x 7 6 8", "--algorithm", "iddfs"];
    for how in [&SEARCHES[..], &[&saved, &unsolvable, &uninformed]].concat() {
        let certificate = place.certify(how);
        for more in [&[][..], &["--full"]] {
            let (status, message) = place.verify(&certificate, more);
            assert_eq!(status, Some(0), "{how:?}: {message}");
            assert!(!message.contains("wrong"), "{how:?}: {message}");
        }
    }
    // The record of the 24-puzzle was written by the search that is repeated here.
    let (status, message) =
        place.verify(&place.certify(SEARCHES[1]), &["--full", "--output", "json"]);
    assert_eq!(status, Some(0), "{message}");
    let record: Value = serde_json::from_str(&message).unwrap();
    assert_eq!(record["valid"], true);
    assert!(record["checks"].as_array().unwrap().len() > 7, "{message}");
}

/// Changes each field in turn. With the old checksum it is found at once; with a new one by comparing it.
#[test]
fn each_forged_field_is_found() {
    // Claims that others cannot repeat.
    const CLAIMS: [&str; 3] = ["threads", "cpu", "resumed_from"];
    let place = Place::new("forged");
    for how in SEARCHES {
        let genuine = place.certify(how);
        let fields: Vec<&String> = genuine.as_object().unwrap().keys().collect();
        assert!(fields.len() > 20, "{fields:?}");
        for field in fields {
            let mut forged = genuine.clone();
            forged[field] = altered(&genuine[field]);
            let (status, message) = place.verify(&forged, &[]);
            assert!(matches!(status, Some(1 | 2)), "{how:?}, {field}: {message}");
            sign(&mut forged);
            let (status, message) = place.verify(&forged, &["--full"]);
            let is_found = matches!(status, Some(1 | 2));
            // The checksum is made again, and the tables are built again where their file is not named.
            let is_claim = CLAIMS.contains(&field.as_str())
                || ["checksum", "table_file"].contains(&field.as_str());
            assert!(is_found || is_claim, "{how:?}, {field}: {message}");
        }
    }
}

/// Forgeries of the inner values that a reader relies on.
#[test]
fn forged_counts_and_tables_are_found() {
    let place = Place::new("inner");
    let genuine = place.certify(SEARCHES[1]);
    assert!(genuine["table_file"]["sha256"].as_str().unwrap().len() == 64, "{genuine}");
    let forge = |change: &dyn Fn(&mut Value), more: &[&str], reason: &str| {
        let mut forged = genuine.clone();
        change(&mut forged);
        assert_ne!(forged, genuine, "{reason}");
        sign(&mut forged);
        let (status, message) = place.verify(&forged, more);
        assert!(status == Some(1) && message.contains(reason), "{reason}: {message}");
    };
    for field in ["algorithm", "heuristic", "closed", "prune", "direction"] {
        let reason = format!("names of the method: `{field}` is \"unheard-of\"");
        forge(&|all| all[field] = "unheard-of".into(), &[], &reason);
    }
    let iterations = genuine["iterations"].as_array().unwrap().len();
    assert!(iterations > 2, "{genuine}");
    for count in ["expanded", "generated", "duplicates", "reopened", "lower_bound"] {
        forge(&|it| it[count] = (-1).into(), &[], "-1, which is not a count");
    }
    forge(&|it| it["threads"] = 1_000_000_000.into(), &[], "wrong: instruction set and threads");
    forge(&|it| it["tables"] = Value::Null, &[], "the search had no tables");
    forge(&|it| it["table_file"]["sha256"] = "00".into(), &[], "has SHA-256");
    forge(&|it| it["table_file"]["name"] = "other".into(), &[], "wrong: file of the tables");
    forge(&|it| it["iterations"][1]["bound"] = 1.into(), &[], "wrong: bounds");
    forge(&|it| it["iterations"][1]["expanded"] = 0.into(), &[], "wrong: bounds");
    for at in 0..iterations {
        for field in ["expanded", "generated"] {
            let lower = |it: &mut Value| {
                let count = it["iterations"][at][field].as_u64().unwrap();
                it["iterations"][at][field] = (count - 1).into();
                if field == "expanded" && at + 1 < iterations {
                    it["expanded_complete"] =
                        (it["expanded_complete"].as_u64().unwrap() - 1).into();
                }
            };
            forge(&lower, &["--full"], "second search");
            // On several threads, only complete iterations are compared.
            let on_two_threads = |it: &mut Value| {
                lower(it);
                it["threads"] = 2.into();
            };
            if at + 1 < iterations {
                forge(&on_two_threads, &["--full"], "second search: complete iterations: an");
            }
        }
    }
    let shorter = |it: &mut Value| {
        it["length"] = (it["length"].as_u64().unwrap() - 2).into();
    };
    forge(&shorter, &[], "wrong: solution, replayed");
    let mut forged = genuine.clone();
    forged["resumed_from"] = "00".into();
    sign(&mut forged);
    let (status, message) = place.verify(&forged, &[]);
    assert!(
        status == Some(0) && message.contains("not checked: the search was resumed"),
        "{message}"
    );
}

/// The claims agree with the search of the command, but this search proves something else than the certificate claims.
#[test]
fn commands_that_prove_something_else_are_found() {
    let place = Place::new("commands");
    let how = ["8 4 2/7 5 0/1 6 3", "--algorithm", "astar", "--heuristic", "manhattan"];
    let genuine = place.certify(&how);
    let with = |words: &[&str]| {
        let mut forged = genuine.clone();
        forged["command"].as_array_mut().unwrap().extend(words.iter().map(|&word| word.into()));
        forged
    };
    let by_tile = ["--costs", "100,1,1,1,1,1,1,1"];
    let mut costs = with(&by_tile);
    let output = place.run(&[&["solve"], &how[..], &by_tile, &["--output", "json"]].concat());
    let cheapest: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_ne!(cheapest["length"], genuine["length"]);
    for (field, value) in costs.as_object_mut().unwrap() {
        if let Some(found) = cheapest.get(field) {
            *value = found.clone();
        }
    }
    let mut other = with(&[]);
    let board = other["command"].as_array_mut().unwrap().iter_mut().find(|word| **word == how[0]);
    *board.unwrap() = "8 4 2/7 5 6/1 0 3".into();
    for (mut forged, reason) in [
        (costs, "without --costs"),
        (other, "`command` is about another board or goal"),
        (with(&["--goal", "spiral"]), "`command` is about another board or goal"),
        (with(&["--shard", "1/2"]), "requires a single board"),
    ] {
        sign(&mut forged);
        let (status, message) = place.verify(&forged, &["--full"]);
        assert!(status == Some(1) && message.contains(reason), "{reason}: {message}");
    }
}

/// A command that cannot be read here neither confirms nor refutes the certificate.
#[test]
fn searches_that_cannot_be_repeated_are_not_wrong() {
    let place = Place::new("missing");
    let cells = |from: usize| {
        (0..9).map(move |to| (from / 3).abs_diff(to / 3) + (from % 3).abs_diff(to % 3))
    };
    let row = |from| cells(from).map(|number| number.to_string() + " ").collect::<String>() + "\n";
    let matrix = place.path("matrix.txt");
    fs::write(&matrix, (0..9).map(row).collect::<String>()).unwrap();
    let heuristic = format!("matrix={matrix}");
    let genuine =
        place.certify(&["8 4 2/7 5 0/1 6 3", "--algorithm", "astar", "--heuristic", &heuristic]);
    let (status, message) = place.verify(&genuine, &["--full"]);
    assert!(status == Some(0) && message.contains("right: second search"), "{message}");
    fs::remove_file(&matrix).unwrap();
    let (status, message) = place.verify(&genuine, &["--full"]);
    assert_eq!(status, Some(1), "{message}");
    let line = message.lines().find(|line| line.contains("second search")).unwrap();
    assert!(line.starts_with("not checked: second search: ") && line.contains(&matrix), "{line}");
    assert!(!message.contains("wrong"), "{message}");
    let mut other = genuine.clone();
    other["command"] = json!(["loyd", "list", "goals"]);
    sign(&mut other);
    let (status, message) = place.verify(&other, &["--full"]);
    assert!(
        status == Some(1) && message.contains("wrong: second search: `command` is not"),
        "{message}"
    );
}

/// Programs differ on which of two values counts.
#[test]
fn certificates_with_repeated_keys_are_refused() {
    let place = Place::new("repeated");
    let genuine = place.certify(&["8 4 2/7 5 0/1 6 3", "--algorithm", "astar"]);
    let path = place.path("repeated.json");
    fs::write(&path, genuine.to_string().replacen('{', "{\"length\":1,", 1)).unwrap();
    let output = place.run(&["verify", "--certificate", &path]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("repeated.json") && message.contains("`length` is repeated"),
        "{message}"
    );
}

#[test]
fn options_that_cannot_be_certified_are_refused() {
    let place = Place::new("refused");
    let path = place.path("proof.json");
    for (how, reason) in [
        (&["23415x768"][..], "requires --quality optimal"),
        (&["23415x768", "12345678x"], "requires a single board"),
        (&["23415x768", "--quality", "optimal", "--all"], "requires a single board"),
    ] {
        let output = place.run(&[&["solve"], how, &["--certificate", &path]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
    let stopped = [
        FIFTEEN,
        "--goal",
        "blank-first",
        "--quality",
        "optimal",
        "--max-expanded",
        "1",
        "--certificate",
        &path,
    ];
    let output = place.run(&[&["solve"], &stopped[..]].concat());
    assert!(text(&output.stderr).contains("is not written: there is no proof"), "{output:?}");
    assert!(!Path::new(&path).exists());
    for wrong in ["", "{}", "[]", "{\"loyd\":\"certificate\"}", "\u{0}"] {
        fs::write(&path, wrong).unwrap();
        let output = place.run(&["verify", "--certificate", &path]);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {output:?}");
    }
}

/// Devices without end are refused before they are read.
#[cfg(unix)]
#[test]
fn devices_are_not_read() {
    let place = Place::new("devices");
    let output = place.run(&["verify", "--certificate", "/dev/zero"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("not a regular file"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_answer_is_printed_if_a_file_cannot_be_written() {
    let place = Place::new("full");
    for (option, board) in [
        ("--certificate=/dev/full", "1 2 3/4 5 6/7 x 8"),
        ("--export=svg:/dev/full", "1 2 3/4 5 6/7 x 8"),
        ("--certificate=/dev/full", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 x 15"),
    ] {
        let output = place.run(&["solve", board, option, "--quality", "optimal"]);
        let message = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout).as_str()),
            (Some(2), "r\n"),
            "{message}"
        );
        assert!(message.contains("cannot write /dev/full"), "{message}");
    }
}
