//! What solutions depend on, in a file beside them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use crate::Status;

/// All that the solutions depend on, by the name under which people know it.
pub type Settings = BTreeMap<&'static str, String>;

/// What every file of notes tells, among other settings. `FIRST` is the first of them in order.
const FIRST: &str = "--algorithm";
const TOLD: [&str; 4] = [FIRST, "--output", "input", "version"];

/// Notes are much shorter: a goal of 256 cells takes a thousand bytes.
const LONGEST: u64 = 1 << 16;

/// The file of notes: a line of JSON with the settings, and a line for each time that the exit status
/// became worse.
pub struct Notes {
    path: PathBuf,
    file: File,
}

impl Notes {
    /// Puts new notes in the place of those beside `answers`, if there are any. They are whole before they
    /// take their place, the status included, so that a process which is killed loses nothing.
    ///
    /// # Errors
    /// When they cannot be written, or would take the place of a file that is not ours.
    pub fn renew(answers: &Path, settings: &Settings, status: Status) -> anyhow::Result<Self> {
        let (path, new) = (beside(answers), unfinished(answers));
        let file = write_new(&new, settings, status).with_context(|| new.display().to_string())?;
        fs::rename(&new, &path).with_context(|| path.display().to_string())?;
        Ok(Self { path, file })
    }

    /// Adds a worse exit status.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, status: Status) -> anyhow::Result<()> {
        let written = self.file.write_all(note(status).as_bytes());
        written.with_context(|| self.path.display().to_string())
    }

    /// Compares the settings in the notes beside `answers` with those of now; returns the worst status so
    /// far.
    ///
    /// # Errors
    /// When they differ, and when there are no notes.
    pub fn read(answers: &Path, settings: &Settings) -> anyhow::Result<Status> {
        let path = beside(answers);
        let name = path.display();
        let text = fs::read_to_string(&path).with_context(|| {
            format!("it cannot be continued without {name}, which tells what it answers")
        })?;
        let then: BTreeMap<String, String> =
            serde_json::from_str(text.lines().next().unwrap_or_default())
                .with_context(|| format!("{name} does not tell what it answers"))?;
        let differences: Vec<String> = settings
            .iter()
            .filter_map(|(&what, now)| {
                let then = then.get(what).map_or("unknown", String::as_str);
                (then != now).then(|| format!("\n  {what}: {then} then, {now} now"))
            })
            .collect();
        if !differences.is_empty() {
            bail!("it was begun otherwise, so it cannot be continued:{}", differences.concat());
        }
        let worst = [Status::Bad, Status::No]
            .into_iter()
            .find(|&status| text.split_inclusive('\n').any(|line| line == note(status)));
        Ok(worst.unwrap_or_default())
    }
}

/// The file with what solutions depend on.
fn beside(answers: &Path) -> PathBuf {
    with_suffix(answers, ".batch")
}

/// The same while it is written.
fn unfinished(answers: &Path) -> PathBuf {
    with_suffix(answers, ".batch.new")
}

/// The settings in the notes beside `answers`, by name; `None` if there are no notes there.
pub fn settings_beside(answers: &Path) -> Option<BTreeMap<String, String>> {
    let text = fs::read_to_string(beside(answers)).ok().filter(|text| is_notes(text))?;
    serde_json::from_str(text.lines().next()?).ok()
}

/// `path` with an ending of its own.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

fn note(status: Status) -> String {
    format!("{{\"status\":{}}}\n", status as u8)
}

/// Writes whole notes to a file that is not there, or was left by a process that was killed.
fn write_new(path: &Path, settings: &Settings, status: Status) -> anyhow::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let mut file = File::options().write(true).create_new(true).open(path)?;
    let text = format!("{}\n{}", serde_json::to_string(settings)?, note(status));
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Makes sure that saving answers in `answers` overwrites neither the `input` nor any file beside them that
/// is not ours.
///
/// # Errors
/// What would be lost.
pub fn check_places(answers: &Path, input: Option<&Path>) -> anyhow::Result<()> {
    let (save, notes) = (answers.display(), [beside(answers), unfinished(answers)]);
    for (path, what) in [
        (answers, "answers"),
        (&notes[0], "what they depend on"),
        (&notes[1], "what they depend on"),
    ] {
        if input.is_some_and(|input| is_same_file(path, input)) {
            let name = path.display();
            bail!(
                "{name} has the boards, and --save {save} would write {what} there: choose another file"
            );
        }
    }
    match notes.iter().find(|path| !may_be_replaced(path)) {
        None => Ok(()),
        Some(path) => Err(anyhow!(
            "{name} is in the way: --save {save} writes there what its answers depend on, and this was not \
             written by loyd; rename it, or choose another file for --save",
            name = path.display()
        )),
    }
}

/// Whether there is nothing at `path`, or notes as they are written here.
fn may_be_replaced(path: &Path) -> bool {
    let read = || -> io::Result<Option<String>> {
        // What a link leads to is somebody else's, and opening a pipe would wait for a writer.
        if !fs::symlink_metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok((bytes.len() as u64 <= LONGEST).then_some(text))
    };
    match read() {
        Ok(text) => text.is_some_and(|text| is_notes(&text)),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Whether these are notes, though the last line may be torn.
fn is_notes(text: &str) -> bool {
    let Some((settings, statuses)) = text.split_once('\n') else {
        let begins = format!("{{\"{FIRST}\":\"");
        return text.starts_with(&begins) || begins.starts_with(text);
    };
    let all = [Status::Yes, Status::No, Status::Bad].map(note);
    let is_status = |line: &str| match line.ends_with('\n') {
        true => all.iter().any(|note| note == line),
        false => all.iter().any(|note| note.starts_with(line)),
    };
    let settings = serde_json::from_str::<BTreeMap<String, String>>(settings);
    settings.is_ok_and(|settings| TOLD.iter().all(|&told| settings.contains_key(told)))
        && statuses.split_inclusive('\n').all(is_status)
}

/// Whether both paths lead to one file, by links of any kind.
fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
        matches!((place(one), place(other)), (Ok(one), Ok(other)) if one == other)
    }
    #[cfg(not(unix))]
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        TOLD.into_iter().map(|told| (told, "something".to_owned())).collect()
    }

    /// An empty folder, and the path of solutions in it.
    fn place(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("loyd-notes-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder.join("answers")
    }

    /// What a process leaves that is killed before the new notes take their place, and after it.
    #[test]
    fn a_kill_at_any_step_loses_no_status() {
        let answers = place("killed");
        let mut notes = Notes::renew(&answers, &settings(), Status::Yes).unwrap();
        notes.add(Status::No).unwrap();
        notes.add(Status::Bad).unwrap();
        drop(notes);
        let new = unfinished(&answers);
        drop(write_new(&new, &settings(), Status::Bad).unwrap());
        assert_eq!(Notes::read(&answers, &settings()).unwrap(), Status::Bad);
        fs::rename(&new, beside(&answers)).unwrap();
        assert_eq!(Notes::read(&answers, &settings()).unwrap(), Status::Bad);
        drop(Notes::renew(&answers, &settings(), Status::Bad).unwrap());
        assert_eq!(Notes::read(&answers, &settings()).unwrap(), Status::Bad);
        fs::remove_dir_all(answers.parent().unwrap()).unwrap();
    }

    #[test]
    fn notes_are_known_wherever_they_are_torn() {
        let whole = format!("{}\n", serde_json::to_string(&settings()).unwrap());
        let whole = whole + &note(Status::Yes) + &note(Status::Bad);
        for length in 0..=whole.len() {
            let torn = &whole[..length];
            assert!(is_notes(torn), "{torn}");
        }
        for other in [
            "1 2 3 4 5 6 7 8 x\n",
            "{}\n",
            "{\"--algorithm\":\"something\"}\n",
            "{\"line\":1,\"board\":\"1 2 3/4 5 6/7 8 x\"}",
            "\n",
            "ull",
        ] {
            assert!(!is_notes(other), "{other}");
        }
        assert!(!is_notes(&(whole.clone() + "mine\n")) && !is_notes(&(whole + "{\"status\":3}\n")));
    }
}
