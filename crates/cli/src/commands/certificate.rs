//! Certificates of shortest solutions: what others need to check a proof.
//!
//! A certificate is a record of JSON without times, with the version, the command, the instruction set, the checksum of
//! the tables, the checkpoint that the search was resumed from, and a checksum of all that. The checksum reveals damage.
//! Anybody can compute it, so [`verify`] compares the claims with each other and, on request, with a second search.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use loyd::batch::{IterationRecord, Record};
use loyd::engine::Relabelling;
use loyd::judge::Cpu;
use loyd::notation::StrictJson;
use loyd::search::{ALGORITHMS, ClosedKind, Direction, HEURISTICS, Prune, Quality, Status};
use loyd::tables::Store;
use loyd::tables::pdb::{Orientation, Partition};
use loyd::{Config, Problem, Report};
use serde_json::{Value, json};

use super::{command_line, replay_record, save};
use crate::args::SolveArgs;
use crate::failure::print_note;
use crate::files::{open_regular, read_text};
use crate::saved_files;

/// The kind of the file, and the version of its fields.
const KIND: &str = "certificate";
const FORMAT: u32 = 1;

/// Maximum size of a certificate in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// Fields of a record that differ between searches for the same proof.
const OF_ONE_RUN: [&str; 3] = ["elapsed_ns", "tables_ns", "peak_bytes"];

/// Checks that `--certificate` applies: a single board, and a search whose counts do not depend on time.
///
/// # Errors
/// Returns an error if it does not.
pub fn check_options(args: &SolveArgs, config: &Config, single_board: bool) -> anyhow::Result<()> {
    if args.certificate.is_none() {
        return Ok(());
    }
    let is_single = single_board && args.file.is_none() && args.batch.shard.is_none();
    if !is_single || args.answers.all || args.answers.count {
        bail!(
            "--certificate requires a single board as argument, without --shard, --all and --count"
        );
    }
    if !matches!(config.quality, None | Some(Quality::Optimal)) || !config.costs.is_unit() {
        bail!("--certificate requires --quality optimal or an --algorithm, without --costs");
    }
    Ok(())
}

/// Writes the certificate of a search to `path`, if it proved its solution shortest or the board unsolvable.
///
/// # Errors
/// Returns an error if the file or the tables cannot be read or written.
pub fn write(
    path: &Path,
    config: &Config,
    report: &Report,
    resumed_from: Option<&str>,
) -> anyhow::Result<()> {
    if !report.optimal && !matches!(report.status, Status::Unsolvable | Status::Exhausted) {
        print_note(format_args!("{} is not written: there is no proof", path.display()));
        return Ok(());
    }
    let mut certificate = json!({ "loyd": KIND, "format": FORMAT });
    let fields = certificate.as_object_mut().context("an object")?;
    fields.extend(claims(report));
    let table = table_file(&config.store, &report.problem, &Value::Object(fields.clone()));
    let table = table.filter(|path| path.is_file()).map(|path| {
        let sum = saved_files::checksum(&path).with_context(|| path.display().to_string())?;
        anyhow::Ok(json!({ "name": name_of(&path), "sha256": sum }))
    });
    certificate["table_file"] = table.transpose()?.into();
    certificate["resumed_from"] = resumed_from.into();
    certificate["version"] = env!("CARGO_PKG_VERSION").into();
    certificate["cpu"] = Cpu::from_env_or_detect().to_string().into();
    certificate["threads"] = config.threads.into();
    certificate["command"] = command_line().into();
    certificate["checksum"] = checksum(&certificate).into();
    save(path, &(serde_json::to_string_pretty(&certificate)? + "\n"))
}

/// Returns the record of a report without what differs between runs.
pub fn claims(report: &Report) -> serde_json::Map<String, Value> {
    let record = serde_json::to_value(Record::from(report)).expect("a record serializes to JSON");
    let Value::Object(mut fields) = record else { return serde_json::Map::new() };
    OF_ONE_RUN.iter().for_each(|name| drop(fields.remove(*name)));
    fields
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the checksum of all other fields.
fn checksum(certificate: &Value) -> String {
    let mut rest = certificate.clone();
    rest["checksum"] = Value::Null;
    saved_files::checksum_of(rest.to_string().as_bytes())
}

/// Returns the path of the file with the pattern databases of a certificate, if there are any and files are kept.
fn table_file(store: &Store, problem: &Problem, certificate: &Value) -> Option<PathBuf> {
    let is_backward = certificate["direction"] == Direction::Backward.name();
    let goal = if is_backward { problem.start() } else { problem.goal() };
    let orientation = Orientation::new(&Relabelling::new(goal))?;
    let name = certificate["tables"].as_str()?;
    store.path(&Partition::parse(name, orientation.size(), orientation.blank()).ok()?)
}

/// Result of comparing a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Wrong,
    Unchecked,
}

impl Verdict {
    /// Returns the name for output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Unchecked => "not checked",
        }
    }
}

/// A claim that was compared, and the result.
pub struct Check {
    pub verdict: Verdict,
    pub about: String,
}

impl Check {
    /// Returns the check of `what`, which failed if `result` has an error.
    pub fn of(what: &str, result: anyhow::Result<()>) -> Self {
        match result {
            Ok(()) => Self { verdict: Verdict::Right, about: what.to_owned() },
            Err(why) => Self { verdict: Verdict::Wrong, about: format!("{what}: {why:#}") },
        }
    }

    /// Returns the check of something that could not be compared.
    pub fn unchecked(about: impl Into<String>) -> Self {
        Self { verdict: Verdict::Unchecked, about: about.into() }
    }
}

/// Reads a certificate.
///
/// # Errors
/// Returns an error if the file is not a certificate of this version.
pub fn read(path: &Path) -> anyhow::Result<(Value, Problem)> {
    let name = || path.display().to_string();
    let text = open_regular(path).and_then(|file| read_text(file, MAX_BYTES)).with_context(name)?;
    let other = || format!("{}: this is not a certificate of `loyd solve --certificate`", name());
    // Readers differ on which of two equal keys counts.
    let StrictJson(certificate) = serde_json::from_str(&text).with_context(other)?;
    if certificate["loyd"] != KIND {
        bail!(other());
    }
    let (version, format) = (&certificate["version"], &certificate["format"]);
    if *version != env!("CARGO_PKG_VERSION") || *format != FORMAT {
        bail!(
            "{}: it is from version {version} in format {format}; this is version {} with format {FORMAT}",
            name(),
            env!("CARGO_PKG_VERSION")
        );
    }
    let problem = replay_record::problem(&certificate).with_context(name)?;
    Ok((certificate, problem))
}

/// Compares the claims of a certificate with each other and with the files of tables in `store`.
pub fn check(certificate: &Value, problem: &Problem, store: &Store) -> Vec<Check> {
    let is_whole = certificate["checksum"] == checksum(certificate);
    let is_whole = is_whole.then_some(()).context("the file was changed or damaged");
    vec![
        Check::of("checksum of the certificate", is_whole),
        Check::of("solution, replayed", check_solution(certificate, problem)),
        Check::of("bounds and counts", check_counts(certificate).and(check_bounds(certificate))),
        Check::of("names of the method", check_method(certificate)),
        Check::of("instruction set and threads", check_machine(certificate)),
        check_tables(certificate, problem, store),
        match certificate["resumed_from"].as_str() {
            None => Check::of("no checkpoint is named", Ok(())),
            Some(sum) => Check::unchecked(format!(
                "the search was resumed from a checkpoint with SHA-256 {sum}: its iterations are only as good as that \
                 file"
            )),
        },
    ]
}

fn check_solution(certificate: &Value, problem: &Problem) -> anyhow::Result<()> {
    ensure!(certificate["goal"] == problem.goal_text(), "the goal is written in another way");
    match replay_record::check(problem, certificate)? {
        Some(_) => {
            ensure!(certificate["status"] == "solved", "`status` is {}", certificate["status"]);
            ensure!(certificate["optimal"] == true, "the solution is not claimed to be shortest");
        }
        None => {
            let status = certificate["status"].as_str();
            ensure!(matches!(status, Some("unsolvable" | "exhausted")), "there is no solution");
            ensure!(certificate["optimal"] == false, "there is no solution to be shortest");
        }
    }
    Ok(())
}

/// Checks that all numbers, apart from factors, are whole and not negative.
fn check_counts(certificate: &Value) -> anyhow::Result<()> {
    let fields = certificate.as_object().context("not an object")?;
    for (name, value) in
        fields.iter().filter(|(name, _)| !["weight", "within"].contains(&name.as_str()))
    {
        let is_whole = value.as_number().is_none_or(serde_json::Number::is_u64);
        ensure!(is_whole, "`{name}` is {value}, which is not a count");
    }
    Ok(())
}

/// Checks that the bounds of the iterations rise to the length of the solution, and that the counts add up.
fn check_bounds(certificate: &Value) -> anyhow::Result<()> {
    let Some(iterations) = certificate.get("iterations") else {
        ensure!(certificate.get("expanded_complete").is_none(), "the iterations are missing");
        return Ok(());
    };
    let iterations: Vec<IterationRecord> = serde_json::from_value(iterations.clone())?;
    let [complete @ .., last] = iterations.as_slice() else { bail!("there are no iterations") };
    let rises = iterations.is_sorted_by(|one, next| one.bound < next.bound);
    ensure!(rises, "the bounds of the iterations do not rise");
    let is_whole = !certificate["goal"].as_str().unwrap_or("*").contains('*');
    // Without a heuristic, the bounds are all numbers.
    let has_heuristic = certificate.get("heuristic").is_some_and(|name| !name.is_null());
    if certificate["metric"] == "stm" && is_whole && has_heuristic {
        let has_parity = iterations.iter().all(|one| one.bound % 2 == last.bound % 2);
        ensure!(has_parity, "the bounds of the iterations differ in parity");
    }
    let length = &certificate["length"];
    ensure!(*length == last.bound, "the last bound is {}, not the length {length}", last.bound);
    let sum = |count: fn(&IterationRecord) -> u64, of: &[IterationRecord]| {
        of.iter().fold(0_u64, |sum, one| sum.saturating_add(count(one)))
    };
    let expanded = sum(|one| one.expanded, complete);
    let claimed = &certificate["expanded_complete"];
    ensure!(*claimed == expanded, "`expanded_complete` is {claimed}, but the sum is {expanded}");
    for (name, all) in [
        ("expanded", sum(|one| one.expanded, &iterations)),
        ("generated", sum(|one| one.generated, &iterations)),
    ] {
        let total = certificate[name].as_u64().unwrap_or(0);
        ensure!(all <= total, "`{name}` is {total}, but its iterations have {all}");
    }
    // A board has at most three children that do not undo the last move, and the start four.
    for IterationRecord { bound, expanded, generated } in &iterations {
        let most = expanded.saturating_mul(3).saturating_add(1);
        ensure!(
            certificate["metric"] != "stm" || *generated <= most,
            "iteration {bound} generated {generated} nodes from {expanded}"
        );
    }
    Ok(())
}

/// Checks that the choices of the search exist. Only a second search shows whether it made them.
fn check_method(certificate: &Value) -> anyhow::Result<()> {
    type IsKnown = fn(&str) -> bool;
    let choices: [(&str, IsKnown); 5] = [
        ("algorithm", |name| ALGORITHMS.iter().any(|row| row.name == name)),
        ("heuristic", |name| {
            // That of an option has no row.
            name == "matrix" || HEURISTICS.iter().any(|row| row.name == name)
        }),
        ("closed", |name| ClosedKind::ALL.iter().any(|kind| kind.name() == name)),
        ("prune", |name| name.parse::<Prune>().is_ok()),
        ("direction", |name| name.parse::<Direction>().is_ok()),
    ];
    for (field, is_known) in choices {
        let value = &certificate[field];
        let is_known = value.is_null() || value.as_str().is_some_and(is_known);
        ensure!(is_known, "`{field}` is {value}, which is unknown");
    }
    ensure!(certificate["algorithm"].is_string(), "there is no `algorithm`");
    Ok(())
}

fn check_machine(certificate: &Value) -> anyhow::Result<()> {
    let cpu = certificate["cpu"].as_str().unwrap_or_default();
    ensure!(cpu.parse::<Cpu>().is_ok(), "`{cpu}` is no instruction set");
    let threads = &certificate["threads"];
    let is_possible = threads.as_u64().is_some_and(|n| (1..=u16::MAX.into()).contains(&n));
    ensure!(is_possible, "`threads` is {threads}");
    Ok(())
}

fn check_tables(certificate: &Value, problem: &Problem, store: &Store) -> Check {
    let (claimed, what) = (&certificate["table_file"], "file of the tables");
    let path = table_file(store, problem, certificate);
    match (claimed.is_null(), path) {
        (false, _) if certificate["tables"].is_null() => {
            Check::of(what, Err(anyhow::anyhow!("the search had no tables")))
        }
        (true, _) if certificate["tables"].is_null() => Check::of("no tables", Ok(())),
        (true, _) => Check::unchecked("the search built its tables and kept no file"),
        (false, None) => {
            Check::unchecked(format!("{what}: there is no folder for tables (--cache)"))
        }
        (false, Some(path)) if claimed["name"] != name_of(&path) => {
            let why = anyhow::anyhow!("{} is not {}", claimed["name"], name_of(&path));
            Check::of(what, Err(why))
        }
        (false, Some(path)) if !path.is_file() => {
            Check::unchecked(format!("{what}: there is no {}", path.display()))
        }
        (false, Some(path)) => Check::of(what, {
            let sum = saved_files::checksum(&path).context(name_of(&path));
            sum.and_then(|sum| {
                ensure!(claimed["sha256"] == sum, "{} has SHA-256 {sum}", path.display());
                Ok(())
            })
        }),
    }
}
