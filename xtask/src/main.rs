//! The project's own tasks: `cargo xtask --help` lists them.
#![forbid(unsafe_code)]

mod agree;
mod api;
mod arm;
#[cfg(target_os = "linux")]
mod bench;
mod ci;
mod compiler;
mod dependencies;
#[cfg(target_os = "linux")]
mod dist;
mod e2e;
mod edges;
mod exhaustive;
mod fixtures;
mod fuzz;
mod lines;
#[cfg(target_os = "linux")]
mod load;
mod modules;
mod npm;
mod packages;
mod platforms;
mod python;
#[cfg(target_os = "linux")]
mod queue;
mod recipes;
mod record;
mod run;
#[cfg(target_os = "linux")]
mod schedulers;
mod serving;
mod site;
mod tables;
mod tools;
mod venv;
mod wasm;

use std::process::ExitCode;

use clap::Parser;

/// The project's own tasks.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    Ci(ci::Args),
    Edges(edges::Args),
    Lines(lines::Args),
    /// Solve every 3x3 board with every row that guarantees a shortest solution (takes hours).
    Exhaustive(exhaustive::Args),
    Agree(agree::Args),
    Api(api::Args),
    Arm(arm::Args),
    Dependencies(dependencies::Args),
    #[cfg(target_os = "linux")]
    Dist(dist::Args),
    Fixtures(fixtures::Args),
    #[cfg(target_os = "linux")]
    Load(load::Args),
    Fuzz(fuzz::Args),
    Packages(packages::Args),
    Npm(npm::Args),
    Platforms(platforms::Args),
    Python(python::Args),
    #[cfg(target_os = "linux")]
    Queue(queue::Args),
    Recipes(recipes::Args),
    Record(record::Args),
    #[cfg(target_os = "linux")]
    Schedulers(schedulers::Args),
    Site(site::Args),
    Tables(tables::Args),
    Wasm(wasm::Args),
    E2e(e2e::Args),
    #[cfg(feature = "bindgen")]
    #[command(hide = true)]
    Bindgen(wasm::BindgenArgs),
    #[cfg(target_os = "linux")]
    Bench(bench::Args),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Peak(bench::PeakArgs),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Ci(args) => ci::run(&args),
        Task::Edges(args) => edges::run(&args),
        Task::Lines(args) => lines::run(&args),
        Task::Exhaustive(args) => exhaustive::run(&args),
        Task::Agree(args) => agree::run(&args),
        Task::Api(args) => api::run(&args),
        Task::Arm(args) => arm::run(&args),
        #[cfg(target_os = "linux")]
        Task::Load(args) => load::run(&args),
        Task::Dependencies(args) => dependencies::run(&args),
        Task::Fixtures(args) => fixtures::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Packages(args) => packages::run(&args),
        Task::Npm(args) => npm::run(&args),
        #[cfg(target_os = "linux")]
        Task::Dist(args) => dist::run(&args),
        Task::Platforms(args) => platforms::run(&args),
        Task::Python(args) => python::run(&args),
        #[cfg(target_os = "linux")]
        Task::Queue(args) => queue::run(&args),
        Task::Recipes(args) => recipes::run(&args),
        Task::Record(args) => record::run(&args),
        #[cfg(target_os = "linux")]
        Task::Schedulers(args) => schedulers::run(&args),
        Task::Site(args) => site::run(&args),
        Task::Tables(args) => tables::run(&args),
        Task::Wasm(args) => wasm::run(&args),
        Task::E2e(args) => e2e::run(&args),
        #[cfg(feature = "bindgen")]
        Task::Bindgen(args) => wasm::bind(&args),
        #[cfg(target_os = "linux")]
        Task::Bench(args) => bench::run(&args),
        #[cfg(target_os = "linux")]
        Task::Peak(args) => bench::print_peak(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
