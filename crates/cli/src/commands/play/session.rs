//! Sessions: files of solves, which the page reads and writes too.
//!
//! `page/puzzle/solve_record.js` describes the fields of a solve. Solves of other programs, and fields that this program
//! does not know, are kept.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use loyd::Problem;
use loyd::notation::{moves_to_string, slashes};
use loyd_play::{Average, Game, trimmed_average};
use serde_json::{Map, Value, json};

use super::words::time;
use crate::commands::dataset_files::write_atomically;
use crate::failure::Failure;

/// The values of the fields `format` and `version`.
const FORMAT: &str = "loyd solves";
const VERSION: u64 = 1;

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 50_000_000;

/// A file of solves.
pub struct Session {
    path: PathBuf,
    file: Map<String, Value>,
}

impl Session {
    /// Opens a session; a missing file is an empty one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a session.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let file = read(path).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Adds a solved game to the file. Solves that other programs have added since the last time are kept.
    ///
    /// # Errors
    /// Returns an error if the file has become invalid or cannot be written.
    pub fn add(&mut self, game: &Game, seed: &str) -> Result<(), Failure> {
        *self = Self::open(&self.path)?;
        let solves = self.file.get_mut("solves").and_then(Value::as_array_mut);
        solves.expect("the file was checked").push(record(game, seed));
        let text = serde_json::to_string(&self.file)?;
        write_atomically(&self.path, |out| writeln!(out, "{text}"))
    }

    /// Returns the statistics of the solves of a problem's size and goal, as labels and values; none without solves.
    pub fn statistics(&self, problem: &Problem) -> Vec<(&'static str, String)> {
        let kind = kind(problem);
        let solves = self.file.get("solves").and_then(Value::as_array).into_iter().flatten();
        let times: Vec<Option<u64>> = solves
            .filter(|solve| solve["kind"] == kind.as_str())
            .map(|solve| solve["ms"].as_u64().filter(|_| solve["dnf"] != true))
            .collect();
        let known: Vec<u64> = times.iter().copied().flatten().collect();
        let Some(&best) = known.iter().min() else { return Vec::new() };
        let mean = known.iter().sum::<u64>() as f64 / known.len() as f64;
        let average = |length| match trimmed_average(&times, length) {
            None => "\u{2013}".to_owned(),
            Some(Average::DidNotFinish) => "DNF".to_owned(),
            Some(Average::Time(ms)) => rounded(ms),
        };
        vec![
            ("Solves", times.len().to_string()),
            ("Best", time(Duration::from_millis(best))),
            ("Mean", rounded(mean)),
            ("Ao5", average(5)),
            ("Ao12", average(12)),
        ]
    }
}

/// Formats an average in milliseconds, rounded to hundredths of a second.
fn rounded(ms: f64) -> String {
    time(Duration::from_millis(10 * (ms / 10.0).round() as u64))
}

fn read(path: &Path) -> Result<Map<String, Value>, anyhow::Error> {
    match fs::metadata(path) {
        Ok(about) if about.len() > MAX_BYTES => {
            return Err(anyhow!(
                "the file has {} bytes; at most {MAX_BYTES} are read",
                about.len()
            ));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let empty =
                [("format", json!(FORMAT)), ("version", json!(VERSION)), ("solves", json!([]))];
            return Ok(empty.map(|(name, value)| (name.to_owned(), value)).into_iter().collect());
        }
        _ => {}
    }
    let text = fs::read_to_string(path)?;
    let file: Map<String, Value> = serde_json::from_str(&text).context("not a session of Loyd")?;
    if file.get("format") != Some(&json!(FORMAT)) {
        return Err(anyhow!("not a session of Loyd: its field `format` is not \"{FORMAT}\""));
    }
    if file.get("version") != Some(&json!(VERSION)) {
        return Err(anyhow!("the session has another version than {VERSION}"));
    }
    if !file.get("solves").is_some_and(Value::is_array) {
        return Err(anyhow!("the session has no list `solves`"));
    }
    Ok(file)
}

/// Returns the kind of a problem, within which solves are compared: its size and goal.
fn kind(problem: &Problem) -> String {
    let goal = problem.goal_name().map_or_else(|| problem.goal_text(), str::to_owned);
    format!("{} {goal}", problem.start().size())
}

fn record(game: &Game, seed: &str) -> Value {
    let problem = game.problem();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The game is over, so its time no longer changes.
    let elapsed = game.elapsed(Duration::ZERO);
    let steps = game.steps();
    let times: Vec<u64> = game.step_times().iter().map(|time| time.as_millis() as u64).collect();
    json!({
        "kind": kind(problem), "date": now.as_millis() as u64, "ms": elapsed.as_millis() as u64,
        "length": steps.len(), "moves": moves_to_string(&steps), "times": times,
        "board": slashes(problem.start()).to_string(), "seed": seed, "scramble": "",
        "dnf": false, "comment": "", "isPaused": false,
    })
}

#[cfg(test)]
mod tests {
    use loyd::Move;

    use super::*;

    fn solved() -> Game {
        let mut game = Game::new("1 2 3/4 x 5/7 8 6".parse().unwrap());
        let ms = Duration::from_millis;
        assert!(game.push(Move::Right, 1, ms(100)) && game.push(Move::Down, 1, ms(1350)));
        game
    }

    #[test]
    fn solves_are_added_and_what_was_there_is_kept() {
        let folder = std::env::temp_dir().join(format!("loyd-session-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("session.json");
        let other = r#"{"format": "loyd solves", "version": 1, "own": 7, "solves": [{"kind": "3x3 blank-last", "date": 1, "ms": 3000, "extra": true}]}"#;
        fs::write(&path, other).unwrap();
        let game = solved();
        let mut session = Session::open(&path).unwrap();
        session.add(&game, "5").unwrap();
        let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!((&file["own"], &file["solves"][0]["extra"]), (&json!(7), &json!(true)));
        let solve = &file["solves"][1];
        assert_eq!(solve["kind"], "3x3 blank-last");
        assert_eq!((&solve["ms"], &solve["moves"]), (&json!(1250), &json!("rd")));
        assert_eq!(
            (&solve["times"], &solve["board"]),
            (&json!([0, 1250]), &json!("1 2 3/4 0 5/7 8 6"))
        );
        let statistics = session.statistics(game.problem());
        assert_eq!(
            statistics[..3],
            [("Solves", "2".into()), ("Best", "0:01.25".into()), ("Mean", "0:02.13".into())]
        );
        for damaged in ["{", "[]", "{}", r#"{"format": "loyd solves", "version": 2, "solves": []}"#]
        {
            fs::write(&path, damaged).unwrap();
            assert!(Session::open(&path).is_err(), "{damaged}");
            assert!(session.add(&game, "5").is_err());
            assert_eq!(
                fs::read_to_string(&path).unwrap(),
                damaged,
                "a damaged file stays as it is"
            );
        }
        fs::remove_dir_all(&folder).unwrap();
        assert!(Session::open(&path).unwrap().statistics(game.problem()).is_empty());
    }
}
