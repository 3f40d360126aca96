//! All that has to pass before a change goes in.

use std::process::Command;
use std::time::Instant;

use anyhow::Context;
use loyd::Cpu;

use crate::run::{cargo, succeed};
use crate::{Result, edges, fuzz};

/// Something to be done, and what to call it.
struct Step {
    name: String,
    work: Work,
}

enum Work {
    Command(Command),
    Edges,
}

pub fn run() -> Result<()> {
    let start = Instant::now();
    let steps = steps();
    let count = steps.len();
    for (number, step) in (1..).zip(steps) {
        eprintln!("== {number}/{count} {}", step.name);
        let begun = Instant::now();
        let done = match step.work {
            Work::Command(mut command) => succeed(&mut command),
            Work::Edges => edges::check(),
        };
        done.with_context(|| format!("step {number} of {count} ({})", step.name))?;
        eprintln!("== {} passed in {:.1} s", step.name, begun.elapsed().as_secs_f64());
    }
    eprintln!("== all {count} steps passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn steps() -> Vec<Step> {
    let mut steps = vec![
        step("format", &["fmt", "--all", "--check"]),
        step("clippy", &["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
        documentation(),
        Step { name: "edges".to_owned(), work: Work::Edges },
        step("tests", &["test", "--workspace"]),
        readers(),
    ];
    // The tests above ran on the highest level.
    steps.extend(Cpu::available().rev().skip(1).map(tests_on));
    steps
}

fn step(name: &str, arguments: &[&str]) -> Step {
    Step { name: name.to_owned(), work: Work::Command(cargo(arguments)) }
}

fn documentation() -> Step {
    let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "--deny warnings");
    Step { name: "documentation".to_owned(), work: Work::Command(command) }
}

/// Every reader on changed seeds, each for as long as finds what is easily found.
fn readers() -> Step {
    const SECONDS: u64 = 10;
    Step { name: "readers on any bytes".to_owned(), work: Work::Command(fuzz::plain(SECONDS)) }
}

/// What a level of instructions can change: the program that runs the kernels. Their own tests go
/// through all levels by themselves.
fn tests_on(cpu: Cpu) -> Step {
    let mut command = cargo(&["test", "--package", "loyd-cli"]);
    command.env(Cpu::VARIABLE, cpu.name());
    Step { name: format!("tests of the program on {cpu}"), work: Work::Command(command) }
}
