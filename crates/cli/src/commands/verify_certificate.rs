//! `loyd verify --certificate`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::{env, fs, process};

use anyhow::{Context, anyhow, bail, ensure};
use clap::Parser;
use loyd::judge::Cpu;
use loyd::search::{Checkpoint, Limits, Status as Ended};
use loyd::{Config, Problem, Solver};
use serde_json::{Map, Value, json};

use super::certificate::{Check, Verdict, check, check_options, claims, read};
use super::solve;
use super::supervisor::Supervisor;
use crate::args::{Cli, Command, Output, SolveArgs, VerifyArgs, with_default_command};
use crate::failure::{Failure, Status};
use crate::input::Items;
use crate::memory;
use crate::units::Limit;

/// Checks a certificate, and with `--full` searches again. The status is `No` if a claim is wrong or the second search
/// did not end.
pub fn verify_certificate(args: &VerifyArgs, path: &Path) -> Result<Status, Failure> {
    let (certificate, problem) = read(path)?;
    let mut checks = check(&certificate, &problem, &args.shared.cache.store());
    let is_sound = |checks: &[Check]| checks.iter().all(|check| check.verdict != Verdict::Wrong);
    let mut is_decided = true;
    if args.full && is_sound(&checks) {
        let again = search_again(args, &certificate, &problem);
        let compared = match again {
            Ok(Again::Ended(again)) => compare(&certificate, &again),
            Ok(Again::Undecided(reason)) => {
                is_decided = false;
                vec![Check::unchecked(reason)]
            }
            Err(error) => vec![Check::of("second search", Err(error))],
        };
        checks.extend(compared);
    } else if !args.full {
        checks.push(Check::unchecked("the search itself: --full repeats it"));
    }
    let is_valid = is_sound(&checks);
    let mut out = io::stdout().lock();
    match args.shared.output {
        Output::Text => checks
            .iter()
            .try_for_each(|check| writeln!(out, "{}: {}", check.verdict.name(), check.about))?,
        Output::Json => {
            let all = checks
                .iter()
                .map(|check| json!({ "verdict": check.verdict.name(), "about": check.about }));
            let (board, length) = (&certificate["board"], &certificate["length"]);
            let checks: Vec<Value> = all.collect();
            let record =
                json!({ "board": board, "length": length, "valid": is_valid, "checks": checks });
            writeln!(out, "{record}")?;
        }
    }
    Ok(if is_valid && is_decided { Status::Yes } else { Status::No })
}

/// A second search.
enum Again {
    /// It ended with these claims.
    Ended(Map<String, Value>),
    /// The search could not be repeated, for this reason.
    Undecided(String),
}

/// Searches again with the command of the certificate. Only options of the search are taken from the command: no file
/// that it names is written.
///
/// # Errors
/// Returns an error if the search of the command is not what the certificate claims.
fn search_again(
    args: &VerifyArgs,
    certificate: &Value,
    problem: &Problem,
) -> anyhow::Result<Again> {
    let words: Vec<OsString> =
        serde_json::from_value::<Vec<String>>(certificate["command"].clone())
            .context("`command` is not a list of words")?
            .into_iter()
            .map(OsString::from)
            .collect();
    let solve = match Cli::try_parse_from(with_default_command(words)) {
        Ok(Cli { command: Command::Solve(solve), .. }) => solve,
        Ok(_) => bail!("`command` is not a command that solves boards"),
        // A file that the command names may be missing here, or another version may have other options.
        Err(error) => {
            return Ok(Again::Undecided(format!("second search: {}", on_one_line(&error))));
        }
    };
    let config = solve::config(&solve, 1);
    check_command(&solve, &config, problem)?;
    let checkpoint = env::temp_dir().join(format!("loyd-verify-{}.checkpoint", process::id()));
    let _ = fs::remove_file(&checkpoint);
    let most = args.shared.limits.max_time.and_then(|Limit(limit)| limit);
    let max_bytes = memory::allowed(args.shared.limits.max_memory, config.limits.max_bytes);
    let config = Config {
        store: args.shared.cache.store(),
        threads: certificate["threads"]
            .as_u64()
            .map_or(1, |threads| threads.clamp(1, 256) as usize),
        // A search that is saved starts with its last tables.
        checkpoint: solve.batch.save.as_ref().map(|_| Checkpoint::new(checkpoint.clone())),
        limits: Limits { max_time: most, max_expanded: None, max_bytes, ..config.limits },
        ..config
    };
    let supervisor = Supervisor::new(&args.shared, true)
        .map_err(|error| anyhow::anyhow!("{}", error.to_line()))?;
    let solver = Solver::new(config)?;
    let report =
        supervisor.search(|cancel, observer| solver.solve_watched(problem, cancel, observer));
    let _ = fs::remove_file(&checkpoint);
    let report = report?;
    Ok(match report.status {
        Ended::Stopped(_) => {
            Again::Undecided("the second search reached a limit before it ended".to_owned())
        }
        _ => Again::Ended(claims(&report)),
    })
}

/// Returns an error of the parser on one line, without the lines that show how commands are used.
fn on_one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let about = text.split("\n\n").next().unwrap_or_default();
    let about = about.strip_prefix("error: ").unwrap_or(about);
    about.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the command writes a certificate of `problem`: its options must not change what it proves.
fn check_command(solve: &SolveArgs, config: &Config, problem: &Problem) -> anyhow::Result<()> {
    ensure!(solve.certificate.is_some(), "`command` writes no certificate");
    let mut items = Items::with_equal_tiles(&solve.boards, None, &solve.problem)
        .map_err(|failure| anyhow!("`command`: {}", failure.to_line()))?;
    let is_single = items.known_count() == Some(1);
    check_options(solve, config, is_single).context("`command`")?;
    let own = items.next().and_then(Result::ok).and_then(|item| item.problem.ok());
    let texts = |problem: &Problem| (problem.start_text(), problem.goal_text());
    let is_same = own.is_some_and(|own| texts(&own) == texts(problem));
    ensure!(is_same, "`command` is about another board or goal");
    Ok(())
}

/// Claims that every search for the proof agrees on.
const SAME: [&str; 14] = [
    "board",
    "goal",
    "status",
    "length",
    "metric",
    "optimal",
    "lower_bound",
    "algorithm",
    "heuristic",
    "tables",
    "weight",
    "closed",
    "prune",
    "direction",
];

/// Claims that depend on the order of the search, and so on the threads and the instruction set.
const SAME_ON_ONE_THREAD: [&str; 7] =
    ["expanded", "generated", "duplicates", "reopened", "ended_by", "moves", "iterations"];

fn compare(certificate: &Value, again: &Map<String, Value>) -> Vec<Check> {
    let same = |names: &[&str]| {
        names.iter().try_for_each(|&name| {
            let (claimed, found) = (&certificate[name], again.get(name).unwrap_or(&Value::Null));
            ensure!(claimed == found, "`{name}` is {claimed}, but {found} in the second search");
            anyhow::Ok(())
        })
    };
    let complete = |iterations: Option<&Value>| {
        let mut all = iterations.and_then(Value::as_array).cloned().unwrap_or_default();
        all.pop();
        all
    };
    let iterations = || {
        let claimed = complete(certificate.get("iterations"));
        let found = complete(again.get("iterations"));
        for (claimed, found) in claimed.iter().zip(&found) {
            ensure!(
                claimed == found,
                "an iteration is {claimed}, but {found} in the second search"
            );
        }
        ensure!(
            claimed.len() == found.len(),
            "the second search had {} iterations",
            found.len() + 1
        );
        Ok(())
    };
    let cpu = Cpu::from_env_or_detect().to_string();
    let is_repeatable = certificate["threads"] == 1
        && certificate["cpu"] == cpu
        && certificate["resumed_from"].is_null();
    let rest = "counts of the whole search";
    vec![
        Check::of("second search: result and method", same(&SAME)),
        Check::of("second search: complete iterations", iterations()),
        match is_repeatable {
            true => Check::of(&format!("second search: {rest}"), same(&SAME_ON_ONE_THREAD)),
            false => Check::unchecked(format!(
                "{rest}: they are the same only on one thread, with the same instruction set, without resuming"
            )),
        },
    ]
}
