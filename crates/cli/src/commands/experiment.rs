//! `loyd experiment`.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::Context;
use loyd_lab::experiment::{EXPERIMENTS, Experiment, Findings, index, page, plot_name};
use serde_json::{Value, json};

use super::save;
use crate::args::ExperimentArgs;
use crate::failure::{Failure, Status};
use crate::interrupt;
use crate::progress::Spinner;

/// Runs experiments, and prints or writes their findings.
pub fn run(args: &ExperimentArgs) -> Result<Status, Failure> {
    let cancel = interrupt::token()?;
    if let Some(folder) = &args.save {
        let error = || format!("cannot create the folder {}", folder.display());
        fs::create_dir_all(folder).with_context(error)?;
    }
    let chosen = if args.all { EXPERIMENTS } else { &args.names };
    let mut done = Vec::new();
    for (number, &experiment) in (1..).zip(chosen) {
        let spinner = Spinner::new(format!("{}, {number} of {}", experiment.name, chosen.len()));
        let findings = experiment.run(&cancel)?;
        drop(spinner);
        if let Some(folder) = &args.save {
            write(folder, experiment, &findings)?;
        }
        let text = || match &args.save {
            Some(_) => format!("{}: the claim {}\n", experiment.name, findings.verdict.name()),
            None => page(experiment, &findings, &machine()),
        };
        args.output.print(text, || record(experiment, &findings))?;
        done.push((experiment, findings));
    }
    match &args.save {
        Some(folder) if args.all => save(&folder.join("README.md"), &index(&done))?,
        _ => {}
    }
    Ok(Status::Yes)
}

/// Writes the page and the plots.
fn write(folder: &Path, experiment: &Experiment, findings: &Findings) -> anyhow::Result<()> {
    for plot in &findings.plots {
        save(&folder.join(plot_name(experiment, plot.suffix)), &plot.svg)?;
    }
    let page = page(experiment, findings, &machine());
    save(&folder.join(format!("{}.md", experiment.name)), &page)
}

/// Returns a description of the machine for pages with times: the processor, if it is known, and the system.
fn machine() -> String {
    let system = format!("{} {}", env::consts::OS, env::consts::ARCH);
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(system.clone(), |(_, model)| format!("{model}, {system}"))
}

fn record(experiment: &Experiment, findings: &Findings) -> Value {
    let plots: Vec<String> =
        findings.plots.iter().map(|plot| plot_name(experiment, plot.suffix)).collect();
    json!({
        "experiment": experiment.name, "claim": experiment.claim, "method": experiment.method,
        "timed": experiment.is_timed, "verdict": findings.verdict.name(), "summary": findings.summary,
        "heading": findings.table.heading, "rows": findings.table.rows, "plots": plots,
    })
}
