//! The `.batch` file next to the solutions: the settings that they depend on, and the exit status so far.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use loyd::Problem;
use loyd::search::{HeuristicChoice, Quality};

use super::answer::Answerer;
use crate::args::{
    AnswersArgs, BatchArgs, LimitArgs, ProblemArgs, SearchArgs, SolveArgs, StyleArgs,
};
use crate::failure::{Failure, Status};
use crate::files::{open_regular, read_text};

/// Everything that the solutions depend on, keyed by option or name as users know it.
pub type Settings = BTreeMap<&'static str, String>;

/// Keys that every batch file contains, among others. `FIRST` is the first key in sorted order.
const FIRST: &str = "--algorithm";
const REQUIRED: [&str; 4] = [FIRST, "--output", "input", "version"];

/// Value of an absent option in the settings.
pub const DEFAULT: &str = "default";
/// Prefix of [`DEFAULT`] if it is the value of an option: words have no spaces.
pub const THE_WORD: &str = "the word ";

/// Number of digits of a SHA-256 checksum.
const CHECKSUM_DIGITS: usize = 64;

/// Maximum size of a batch file in bytes: a goal of 10,000 cells takes 50 kB.
const MAX_BYTES: u64 = 1 << 18;

/// The batch file: a line of JSON with the settings, one line for each time the exit status became worse, and a line
/// with the checksum of the answers once all boards are answered.
pub struct BatchFile {
    path: PathBuf,
    file: File,
}

impl BatchFile {
    /// Replaces the batch file of `answers`, if there is one. The new file is complete, including the status, before it is
    /// renamed, so that a process that is killed loses nothing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or would replace a file that Loyd did not write.
    pub fn renew(answers: &Path, settings: &Settings, status: Status) -> anyhow::Result<Self> {
        let (path, new) = (batch_path(answers), new_batch_path(answers));
        let file = write_new(&new, settings, status).with_context(|| new.display().to_string())?;
        fs::rename(&new, &path).with_context(|| path.display().to_string())?;
        Ok(Self { path, file })
    }

    /// Appends a worse exit status.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn add(&mut self, status: Status) -> anyhow::Result<()> {
        let written = self.file.write_all(status_line(status).as_bytes());
        written.with_context(|| self.path.display().to_string())
    }

    /// Appends the checksum of the answers, which are complete.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(&mut self, checksum: &str) -> anyhow::Result<()> {
        let written = self.file.write_all(end_line(checksum).as_bytes());
        written.with_context(|| self.path.display().to_string())
    }

    /// Compares the saved settings of `answers` with the current `settings`; returns the worst status so far.
    ///
    /// # Errors
    /// Returns an error if they differ, or if there is no batch file.
    pub fn read(answers: &Path, settings: &Settings) -> anyhow::Result<Status> {
        let path = batch_path(answers);
        let name = path.display();
        let text = read_batch_file(&path).with_context(|| {
            format!("it cannot be resumed without {name}, which records its input and options")
        })?;
        let saved: BTreeMap<String, String> =
            serde_json::from_str(text.lines().next().unwrap_or_default())
                .with_context(|| format!("{name} does not record its input and options"))?;
        let differences: Vec<String> = settings
            .iter()
            .filter_map(|(&key, now)| {
                let then = saved.get(key).map_or("unknown", String::as_str);
                (then != now).then(|| format!("\n  {key}: {then} then, {now} now"))
            })
            .collect();
        if !differences.is_empty() {
            bail!(
                "it was started with other input or options, so it cannot be resumed:{}",
                differences.concat()
            );
        }
        Ok(worst_status(&text))
    }
}

/// Returns the worst exit status in the text of a batch file.
fn worst_status(text: &str) -> Status {
    let has = |status: &Status| text.split_inclusive('\n').any(|line| line == status_line(*status));
    [Status::Bad, Status::No].into_iter().find(has).unwrap_or_default()
}

/// Returns the path of the batch file of `answers`.
fn batch_path(answers: &Path) -> PathBuf {
    with_suffix(answers, ".batch")
}

/// Returns the path of the batch file while it is written.
fn new_batch_path(answers: &Path) -> PathBuf {
    with_suffix(answers, ".batch.new")
}

fn read_batch_file(path: &Path) -> io::Result<String> {
    open_regular(path).and_then(|file| read_text(file, MAX_BYTES))
}

/// The content of a batch file.
pub struct Notes {
    /// The settings of the batch.
    pub settings: BTreeMap<String, String>,
    /// The worst exit status so far.
    pub status: Status,
    /// SHA-256 checksum of the answers; `None` until all boards are answered.
    pub checksum: Option<String>,
}

/// Returns the content of the batch file of `answers`, or `None` if there is none.
pub fn read_notes(answers: &Path) -> Option<Notes> {
    let text = read_batch_file(&batch_path(answers)).ok().filter(|text| is_batch_file(text))?;
    let settings = serde_json::from_str(text.lines().next()?).ok()?;
    let checksum = text.lines().find_map(checksum_in).map(str::to_owned);
    Some(Notes { settings, status: worst_status(&text), checksum })
}

/// Appends `suffix` to the file name of `path`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

fn status_line(status: Status) -> String {
    format!("{{\"status\":{}}}\n", status as u8)
}

/// The start and the end of the line that follows the answer to the last board.
const END: [&str; 2] = ["{\"sha256\":\"", "\"}"];

fn end_line(checksum: &str) -> String {
    format!("{}{checksum}{}\n", END[0], END[1])
}

/// Returns the checksum in an end line, or `None` for other lines.
fn checksum_in(line: &str) -> Option<&str> {
    let checksum = line.strip_prefix(END[0])?.strip_suffix(END[1])?;
    let is_hexadecimal = checksum.bytes().all(|byte| byte.is_ascii_hexdigit());
    (checksum.len() == CHECKSUM_DIGITS && is_hexadecimal).then_some(checksum)
}

/// Returns whether `text` is the start of an end line.
fn is_torn_end(text: &str) -> bool {
    let digits = text.strip_prefix(END[0]).unwrap_or_default();
    let digits = digits.split('"').next().unwrap_or_default();
    end_line(&format!("{digits:0<CHECKSUM_DIGITS$}")).starts_with(text)
}

/// Writes a complete batch file to a new path, replacing one left by a killed process.
fn write_new(path: &Path, settings: &Settings, status: Status) -> anyhow::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let mut file = File::options().write(true).create_new(true).open(path)?;
    let text = format!("{}\n{}", serde_json::to_string(settings)?, status_line(status));
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Checks that saving to `answers` overwrites neither the `input` nor a file that Loyd did not write.
///
/// # Errors
/// Returns an error that names the file that would be overwritten.
pub fn check_places(answers: &Path, input: Option<&Path>) -> anyhow::Result<()> {
    let (save, paths) = (answers.display(), [batch_path(answers), new_batch_path(answers)]);
    for (path, content) in
        [(answers, "answers"), (&paths[0], "their settings"), (&paths[1], "their settings")]
    {
        if input.is_some_and(|input| is_same_file(path, input)) {
            let name = path.display();
            bail!(
                "{name} is the input, and --save {save} would write {content} to it: choose another file"
            );
        }
    }
    match paths.iter().find(|path| !may_be_replaced(path)) {
        None => Ok(()),
        Some(path) => Err(anyhow!(
            "{name} is in the way: --save {save} stores its settings there, and this file was not \
             written by loyd; rename it, or choose another file for --save",
            name = path.display()
        )),
    }
}

/// Returns whether there is nothing at `path`, or a batch file.
fn may_be_replaced(path: &Path) -> bool {
    let read = || -> io::Result<Option<String>> {
        // The target of a link is not ours, and opening a pipe would block until there is a writer.
        if !fs::symlink_metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok((bytes.len() as u64 <= MAX_BYTES).then_some(text))
    };
    match read() {
        Ok(text) => text.is_some_and(|text| is_batch_file(&text)),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Returns whether `text` is a batch file, whose last line may be incomplete.
fn is_batch_file(text: &str) -> bool {
    let Some((settings, statuses)) = text.split_once('\n') else {
        let begins = format!("{{\"{FIRST}\":\"");
        return text.starts_with(&begins) || begins.starts_with(text);
    };
    let all = [Status::Yes, Status::No, Status::Bad].map(status_line);
    let is_status = |line: &str| match line.ends_with('\n') {
        true => all.iter().any(|known| known == line) || checksum_in(line.trim_end()).is_some(),
        false => all.iter().any(|known| known.starts_with(line)) || is_torn_end(line),
    };
    let settings = serde_json::from_str::<BTreeMap<String, String>>(settings);
    settings.is_ok_and(|settings| REQUIRED.iter().all(|&key| settings.contains_key(key)))
        && statuses.split_inclusive('\n').all(is_status)
}

/// Returns whether both paths refer to the same file, through links of any kind.
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

/// The input of the search.
pub enum Input<'a> {
    /// The boards of a file.
    File(&'a Path),
    /// The boards of a file or stream of which a shard is printed and not resumed.
    Printed(&'a Path),
    /// One board.
    Board(&'a Problem),
}

impl Input<'_> {
    /// Returns a description of the input that changes with its content.
    pub fn content(&self) -> anyhow::Result<String> {
        match self {
            Self::File(path) => content(path),
            Self::Printed(path) if !path.is_file() => Ok("a stream".to_owned()),
            Self::Printed(path) => content(path),
            Self::Board(problem) => {
                Ok(format!("the board {} to {}", problem.start_text(), problem.goal_text()))
            }
        }
    }
}

/// Settings that may differ between the runs of a search for a single board: the limits, which end a run but not the
/// search, and the instruction set, which does not change the counts of complete iterations.
const PER_RUN: [&str; 5] =
    ["--max-depth", "--max-expanded", "--max-time", "--max-memory", "LOYD_CPU"];

/// Returns all settings that affect solutions. The patterns name every option, so that adding one is a compile error
/// here.
pub fn settings(answerer: &Answerer<'_>, input: &Input<'_>) -> Result<Settings, Failure> {
    let SolveArgs {
        boards: _,
        file: _,
        problem: ProblemArgs { size, goal, blank, input: format },
        search:
            SearchArgs {
                quality: _,
                algorithm,
                heuristic,
                tables,
                metric,
                costs,
                weight,
                closed,
                prune,
                max_depth,
                no_parity_check,
            },
        limits: memory @ LimitArgs { max_expanded: _, max_time: _, max_memory: _ },
        cache: _,
        answers: AnswersArgs { all, limit, count },
        batch: BatchArgs { threads: _, save: _, resume: _, shard, direction },
        on: _,
        divide_after: _,
        output,
        style: StyleArgs { notation, runs },
        with_moves: _,
        export: _,
        certificate: _,
        stats: _,
        progress: _,
    } = answerer.args;
    let config = answerer.solver.config();
    let limits = config.limits;
    fn or_default(option: Option<impl ToString>) -> String {
        option.map_or_else(|| DEFAULT.to_owned(), |value| value.to_string())
    }
    fn or_none(limit: Option<impl ToString>) -> String {
        limit.map_or_else(|| "none".to_owned(), |value| value.to_string())
    }
    let mut settings = BTreeMap::from([
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("input", input.content()?),
        ("--input", format.unwrap_or_default().to_string()),
        ("--size", or_default(*size)),
        ("--goal", or_default(goal.as_ref())),
        (
            "--blank",
            match blank.as_deref() {
                Some(DEFAULT) => format!("{THE_WORD}{DEFAULT}"),
                word => or_default(word),
            },
        ),
        ("--quality", or_default(config.quality)),
        ("--metric", metric.to_string()),
        ("LOYD_CPU", loyd::judge::Cpu::from_env_or_detect().to_string()),
        ("--algorithm", or_default(*algorithm)),
        ("--heuristic", or_default(heuristic.as_ref().map(heuristic_id))),
        ("--tables", tables.to_string()),
        ("--weight", or_default(*weight)),
        ("--closed", or_default(*closed)),
        ("--prune", or_default(*prune)),
        ("--max-depth", or_none(*max_depth)),
        ("--no-parity-check", no_parity_check.to_string()),
        ("--max-expanded", or_none(limits.max_expanded)),
        ("--max-time", or_none(limits.max_time.map(|time| format!("{} s", time.as_secs_f64())))),
        ("--max-memory", or_none(memory.max_bytes().map(|bytes| format!("{bytes} bytes")))),
        // Only quality `fast` improves solutions, for as long as --max-time allows, though not for its default.
        (
            "improving",
            match config.quality {
                Some(Quality::Fast) => format!("for {} s", config.improve.as_secs_f64()),
                _ => "no".to_owned(),
            },
        ),
        ("--all", all.to_string()),
        ("--limit", or_none(*limit)),
        ("--count", count.to_string()),
        ("--output", output.name()),
        ("--notation", or_default(*notation)),
        ("--runs", runs.to_string()),
        ("--direction", or_default(*direction)),
        ("--shard", shard.map_or_else(|| "all".to_owned(), |shard| shard.to_string())),
    ]);
    // Omitted for unit costs, so that files saved before this option existed can be resumed.
    if !costs.is_unit() {
        settings.insert("--costs", costs.to_string());
    }
    if let Input::Board(_) = input {
        PER_RUN.iter().for_each(|name| drop(settings.remove(name)));
    }
    Ok(settings)
}

/// Returns the name of the heuristic, or a hash of its matrix.
fn heuristic_id(heuristic: &HeuristicChoice) -> String {
    match heuristic {
        HeuristicChoice::Named(name) => (*name).to_owned(),
        HeuristicChoice::Matrix(matrix) => {
            let entries = format!("{matrix:?}");
            let mut hash = Hash::default();
            hash.add(entries.as_bytes());
            format!("matrix {hash}")
        }
    }
}

/// Returns the length and the hash of the input file.
fn content(path: &Path) -> anyhow::Result<String> {
    let name = || path.display().to_string();
    if path == Path::new("-") {
        bail!("standard input cannot be resumed: put the boards into a file for --save");
    }
    if !fs::metadata(path).with_context(name)?.is_file() {
        bail!("{}: only regular files can be resumed: put the boards into one", name());
    }
    let mut file = File::open(path).with_context(name)?;
    let (mut hash, mut length, mut buffer) = (Hash::default(), 0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut buffer).with_context(name)?;
        if read == 0 {
            return Ok(format!("{length} bytes with hash {hash}"));
        }
        hash.add(&buffer[..read]);
        length += read as u64;
    }
}

/// 64-bit FNV-1a hash (Fowler, Noll and Vo): short, and the same in every version of Loyd.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        REQUIRED.into_iter().map(|key| (key, "something".to_owned())).collect()
    }

    /// Creates an empty folder and returns the path of a solutions file in it.
    fn place(test: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("loyd-batch-file-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder.join("answers")
    }

    /// The process is killed just before, and just after, the new file replaces the old one.
    #[test]
    fn kill_at_any_step_loses_no_status() {
        let answers = place("killed");
        let mut file = BatchFile::renew(&answers, &settings(), Status::Yes).unwrap();
        file.add(Status::No).unwrap();
        file.add(Status::Bad).unwrap();
        drop(file);
        let new = new_batch_path(&answers);
        drop(write_new(&new, &settings(), Status::Bad).unwrap());
        assert_eq!(BatchFile::read(&answers, &settings()).unwrap(), Status::Bad);
        fs::rename(&new, batch_path(&answers)).unwrap();
        assert_eq!(BatchFile::read(&answers, &settings()).unwrap(), Status::Bad);
        drop(BatchFile::renew(&answers, &settings(), Status::Bad).unwrap());
        assert_eq!(BatchFile::read(&answers, &settings()).unwrap(), Status::Bad);
        fs::remove_dir_all(answers.parent().unwrap()).unwrap();
    }

    #[test]
    fn truncated_batch_file_is_recognized() {
        let whole = format!("{}\n", serde_json::to_string(&settings()).unwrap());
        let whole = whole + &status_line(Status::Yes) + &status_line(Status::Bad);
        let whole = whole + &end_line(&"0f".repeat(CHECKSUM_DIGITS / 2));
        for length in 0..=whole.len() {
            let torn = &whole[..length];
            assert!(is_batch_file(torn), "{torn}");
        }
        for other in [
            "1 2 3 4 5 6 7 8 x\n",
            "{}\n",
            "{\"--algorithm\":\"something\"}\n",
            "{\"line\":1,\"board\":\"1 2 3/4 5 6/7 8 x\"}",
            "\n",
            "ull",
        ] {
            assert!(!is_batch_file(other), "{other}");
        }
        assert!(
            !is_batch_file(&(whole.clone() + "mine\n"))
                && !is_batch_file(&(whole + "{\"status\":3}\n"))
        );
    }
}
