use loyd::Move;

use super::*;

/// A temporary folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("loyd-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("session.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Returns a game that was solved in `ms` milliseconds.
fn solved(ms: u64) -> Game {
    let mut game = Game::new("1 2 3/4 x 5/7 8 6".parse().unwrap());
    let from_ms = Duration::from_millis;
    assert!(game.push(Move::Right, 1, from_ms(100)) && game.push(Move::Down, 1, from_ms(100 + ms)));
    game
}

fn message<T>(result: Result<T, Failure>) -> String {
    result.map(drop).unwrap_err().to_line()
}

#[test]
fn solves_are_added_and_what_was_there_is_kept() {
    let folder = Folder::new("kept");
    let other = r#"{"format": "loyd solves", "version": 1, "own": 7, "solves": [
        {"kind": "3x3 blank-last", "date": 1, "ms": 3000, "extra": [1.5]}]}"#;
    fs::write(folder.file(), other).unwrap();
    let game = solved(1259);
    let mut session = Session::open(&folder.file()).unwrap();
    session.add(&game, "5").unwrap();
    session.set_optimal(2).unwrap();
    let file: Value = serde_json::from_str(&folder.text()).unwrap();
    assert_eq!((&file["own"], &file["solves"][0]["extra"]), (&json!(7), &json!([1.5])));
    let mut solve = file["solves"][1].clone();
    assert!(solve["date"].take().as_u64().unwrap() > 1_700_000_000_000);
    let expected = json!({
        "kind": "3x3 blank-last", "date": null, "ms": 1259, "length": 2, "moves": "rd", "times": [0, 1259],
        "board": "1 2 3/4 0 5/7 8 6", "seed": "5", "scramble": "", "dnf": false, "comment": "",
        "isPaused": false, "optimal": 2,
    });
    assert_eq!(solve, expected);
    assert_eq!(file["solves"][0].get("optimal"), None);
}

#[test]
fn statistics_agree_to_the_hundredth() {
    let folder = Folder::new("statistics");
    let mut session = Session::open(&folder.file()).unwrap();
    session.select(solved(1).problem()).unwrap();
    assert!(session.rows().is_empty());
    session.add(&solved(1259), "1").unwrap();
    let row = |session: &Session, place: usize| session.rows()[place].clone();
    for place in [1, 2, 3] {
        assert_eq!(row(&session, place).1, "0:01.25", "{place}");
    }
    assert_eq!(row(&session, 4), ("Ao5", "–".into()));
    for ms in [2000, 4000, 3000, 9000] {
        session.add(&solved(ms), "1").unwrap();
    }
    let expected = [
        ("Solves", "5"),
        ("Single", "0:09.00"),
        ("Best", "0:01.25"),
        ("Mean", "0:03.85"),
        ("Ao5", "0:03.00"),
        ("Ao12", "–"),
    ];
    assert_eq!(session.rows(), expected.map(|(label, text)| (label, text.to_owned())));
    // Solves of another kind are not compared, and DNFs are the worst.
    let text = folder.text().replacen("3x3 blank-last", "3x3 spiral", 1);
    let failed = r#"{"kind":"3x3 blank-last","date":0,"ms":1,"dnf":true}"#;
    fs::write(folder.file(), text.replace("\n]}", &format!(",\n{failed},\n{failed}\n]}}")))
        .unwrap();
    session.select(solved(1).problem()).unwrap();
    assert_eq!(
        session.rows(),
        [
            ("Solves", "6"),
            ("Single", "DNF"),
            ("Best", "0:02.00"),
            ("Mean", "0:04.50"),
            ("Ao5", "DNF"),
            ("Ao12", "–")
        ]
        .map(|(label, text)| (label, text.to_owned()))
    );
}

#[test]
fn damaged_file_is_refused_with_its_place_and_kept() {
    let folder = Folder::new("damaged");
    let mut session = Session::open(&folder.file()).unwrap();
    let solve = |fields: &str| {
        format!("{{\"format\": \"loyd solves\", \"version\": 1, \"solves\": [\n{{{fields}}}\n]}}")
    };
    for (damaged, fault) in [
        ("{\n  \"format\": \"loyd solves\",\n  oops".to_owned(), "line 3 column 3"),
        ("[]".to_owned(), "line 1 column"),
        ("{}".to_owned(), "missing field `format` at line 1 column 2"),
        (solve(r#""kind": "4x4 blank-last", "date": 1"#), "missing field `ms` at line 2"),
        (solve(r#""kind": "4x4 blank-last", "date": 1, "ms": "1""#), "at line 2 column 47"),
        (
            solve(r#""kind": "4x4 blank-last", "date": 1, "ms": 1000000001"#),
            "1000000001 ms; at most",
        ),
        (solve("").replace("version\": 1", "version\": 2"), "missing field `kind`"),
        (
            r#"{"format": "loyd solves", "version": 2, "solves": []}"#.to_owned(),
            "the session has version 2; this program reads version 1",
        ),
        (
            r#"{"format": "other", "version": 1, "solves": []}"#.to_owned(),
            "its field `format` is not \"loyd solves\"",
        ),
    ] {
        fs::write(folder.file(), &damaged).unwrap();
        let text = message(Session::open(&folder.file()));
        assert!(text.contains("session.json: ") && text.contains(fault), "{text}");
        assert!(message(session.add(&solved(1000), "5")).contains(fault));
        assert_eq!(folder.text(), damaged, "it is not overwritten");
    }
    // The solves are not lost if the file is repaired.
    fs::remove_file(folder.file()).unwrap();
    session.write_rest().unwrap();
    assert_eq!(folder.text().matches("\"ms\":1000,").count(), 9);
}

#[test]
fn unusable_path_is_refused_at_once() {
    let folder = Folder::new("unusable");
    assert!(message(Session::open(&folder.0)).contains("has to be a plain file"));
    let missing = folder.0.join("none").join("session.json");
    assert!(message(Session::open(&missing)).contains("session.json: "));
    let mut huge = File::create(folder.file()).unwrap();
    huge.set_len(MAX_BYTES + 1).unwrap();
    huge.flush().unwrap();
    assert!(message(Session::open(&folder.file())).contains("too long"));
}
