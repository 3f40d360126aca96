//! The options for work that a queue divides among machines, and the arguments of `loyd work`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::pdb::CacheArgs;
use crate::units::{self, Limit};

/// How to reach the workers.
#[derive(Debug, Default, Args)]
pub struct OnArgs {
    /// Let workers (`loyd work`) on any number of machines do the work, through the NATS server at URL.
    ///
    /// The results are the same. What --save has written is all that is needed to resume.
    #[arg(long, value_name = "URL", requires = "save")]
    pub on: Option<String>,
    #[command(flatten)]
    pub access: AccessArgs,
}

/// How to identify oneself to a server, and to trust it.
#[derive(Debug, Default, Args)]
pub struct AccessArgs {
    /// With a queue: the seed of an nkey, NATS credentials, or a client certificate with its key (PEM)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub credentials: Option<PathBuf>,
    /// With a queue: trust the certificate authorities in FILE (PEM) too
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub tls_ca: Option<PathBuf>,
    /// With a queue: allow a server on another machine without encryption or without credentials
    #[arg(long, hide_short_help = true)]
    pub insecure: bool,
}

/// Work for `--on URL` of other machines, until interrupted.
///
/// Start it on every machine that should help. URL is that of a NATS server with JetStream (`nats-server -js`), such as
/// tls://queue.example:4222, or nats://localhost:4222 on one machine. A worker takes one job at a time per thread, from
/// commands of the same version of Loyd. If it ends or loses the connection, other workers do its jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd work nats://localhost:4222\n  \
    loyd work tls://queue.example:4222 --threads 8 --credentials worker.creds\n  \
    loyd work tls://queue.example:4222 --credentials worker.pem --tls-ca ca.pem --give-up 10m\n  \
    loyd solve -f boards.txt --output json --save answers.jsonl --resume --on nats://localhost:4222\n  \
    loyd compare --preset classics --length 1-31 -n 100 --save runs.jsonl --resume --on nats://localhost:4222\n  \
    loyd dataset --size 4x4 -n 1000000 --seed 7 --save data --resume --on nats://localhost:4222")]
pub struct WorkArgs {
    /// Address of the NATS server: tls://HOST:PORT, or nats://localhost:PORT
    #[arg(value_name = "URL")]
    pub url: String,
    /// Number of jobs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroUsize>, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// End after TIME without a connection (30s, 10m, none) [default: none]
    #[arg(long, value_name = "TIME", value_parser = units::time, allow_negative_numbers = true)]
    pub give_up: Option<Limit<Duration>>,
    /// Limit each search to TIME, in addition to the limit of its job, but not the parts of one hard board (or 500ms, 2m,
    /// none) [default: none]
    #[arg(long, value_name = "TIME", value_parser = units::time, allow_negative_numbers = true)]
    pub max_time: Option<Limit<Duration>>,
    /// Limit the memory of each search, in addition to the limit of its job (64M, 2G, none) [default: none]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
    /// Serve metrics for Prometheus at http://ADDRESS/metrics, as in 127.0.0.1:9100
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub access: AccessArgs,
    /// Time without a report after which another worker gets a job. The first worker on a queue decides
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "30s", hide_short_help = true)]
    pub ack_wait: Limit<Duration>,
}
