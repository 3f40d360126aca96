//! Divides work among machines over a queue that others keep: a [NATS](https://nats.io) server with JetStream.
//!
//! A *driver* publishes jobs and takes their results; *workers* do the jobs. Both are bytes here, up to the caller.
//!
//! # Who guarantees what
//! - The server keeps each job until a worker confirms that its result is stored, and gives the job to another worker if
//!   the first does not report within [`Options::ack_wait`]. It refuses a second result of a job itself.
//! - The driver publishes jobs without a result again, every ten seconds and after each reconnection. So the server may
//!   lose everything at any time: what the driver has taken is enough to go on.
//! - A job may be done, and a result be delivered, more than once. [`Work::take`] must ignore the second.
//!
//! # Subjects
//! | stream         | subject                          | contents                                     |
//! |----------------|----------------------------------|----------------------------------------------|
//! | `LOYD_JOBS`    | `loyd.job.VERSION.RUN.KEY`       | a job for VERSION, removed after its result  |
//! | `LOYD_RESULTS` | `loyd.result.VERSION.RUN.KEY`    | its result, removed by the driver            |
//! | `KV_LOYD_RUNS` | `$KV.LOYD_RUNS.RUN`              | the best value that workers of a run share   |
#![forbid(unsafe_code)]

mod connect;
mod driver;
mod metrics;
mod streams;
mod worker;

pub use connect::{Access, Error, Queue};
pub use driver::{Job, Outcome, State, Work};
pub use streams::Run;
pub use worker::{Finished, Options, Task};
