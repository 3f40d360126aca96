//! Runs the fuzz targets of all parsers: with libFuzzer, which needs a nightly compiler and a C++ compiler, or with
//! randomly changed seeds, which needs neither.
//!
//! Uses the compiler flags of `cargo fuzz`: coverage counters, traced comparisons, and AddressSanitizer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::run::{cargo, metadata, succeed};

const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address --cfg fuzzing";

/// Default time for all targets together, in seconds.
const HOUR: u64 = 3600;

/// The folder of the seeds, with a subfolder for each target, relative to the root of the workspace.
const SEEDS: &str = "fuzz/seeds";

/// Test the properties of every parser on generated inputs.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds for each target [default: an hour divided among them]
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Change seeds at random instead of by coverage: needs only stable Rust
    #[arg(long)]
    plain: bool,
    /// Only these targets
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
}

pub fn run(args: &Args) -> Result<()> {
    let all = targets()?;
    if let Some(unknown) = args.targets.iter().find(|target| !all.contains(target)) {
        bail!("`{unknown}` is not a target; there are {}", all.join(", "));
    }
    let chosen = if args.targets.is_empty() { all } else { args.targets.clone() };
    let seconds = args.seconds.unwrap_or(HOUR / chosen.len() as u64);
    match args.plain {
        true => plain(&chosen, seconds),
        false => guided(&chosen, seconds),
    }
}

fn plain(targets: &[String], seconds: u64) -> Result<()> {
    let mut command = cargo(&["run", "--quiet", "--package", "loyd-fuzz", "--bin", "loyd-fuzz"]);
    succeed(command.args(["--", "--seconds", &seconds.to_string()]).args(targets))
}

/// Returns the names of the targets: the names of the folders of seeds.
fn targets() -> Result<Vec<String>> {
    let folders =
        fs::read_dir(SEEDS).with_context(|| format!("{SEEDS}: run this from the root"))?;
    let names = folders.map(|folder| Ok(folder?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

fn guided(targets: &[String], seconds: u64) -> Result<()> {
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    let folder = Path::new(target).join("fuzz");
    let fuzzer = build(&folder)?;
    let failures = folder.join("failures");
    fs::create_dir_all(&failures)?;
    let mut broken = Vec::new();
    for target in targets {
        let corpus = folder.join("corpus").join(target);
        fs::create_dir_all(&corpus)?;
        eprintln!("== {target}: {seconds} s");
        let mut command = Command::new(&fuzzer);
        command.env("LOYD_FUZZ_TARGET", target).arg(corpus).arg(Path::new(SEEDS).join(target));
        command.arg(format!("-artifact_prefix={}/{target}-", failures.display()));
        command.arg(format!("-max_total_time={seconds}"));
        command.args(["-max_len=100000", "-timeout=60", "-rss_limit_mb=2048"]);
        if succeed(&mut command).is_err() {
            broken.push(target.as_str());
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    bail!(
        "properties do not hold: {}; the failing inputs are in {}",
        broken.join(", "),
        failures.display()
    )
}

/// Builds libFuzzer with the targets, and returns the path of the program.
fn build(folder: &Path) -> Result<PathBuf> {
    let host = nightly_host().context(
        "the fuzzer needs a nightly compiler (`rustup toolchain install nightly --profile minimal`); \
         without coverage: `cargo xtask fuzz --plain`",
    )?;
    let compiler = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let found = Command::new(&compiler).arg("--version").stdout(Stdio::null()).status();
    found.with_context(|| {
        format!(
            "libFuzzer needs a C++ compiler, but {} is missing: install it, or set CXX",
            compiler.display()
        )
    })?;
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "build", "--package", "loyd-fuzz", "--bin", "guided"]);
    // With `--target`, build scripts and macros are built without the flags.
    command.args(["--features", "libfuzzer", "--target", &host]);
    command.arg("--target-dir").arg(folder.join("build")).env("RUSTFLAGS", FLAGS);
    succeed(&mut command)?;
    Ok(folder.join("build").join(host).join("debug").join("guided"))
}

/// Returns the host target of the nightly compiler.
fn nightly_host() -> Result<String> {
    let output = Command::new("rustup").args(["run", "nightly", "rustc", "-vV"]).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}
