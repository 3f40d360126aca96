//! `loyd census` without its files.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use loyd::CancelToken;
use loyd::search::{Limits, Meter, Stop};
use loyd_lab::census::Survey;

use super::{Message, read};
use crate::args::CensusArgs;
use crate::commands::census::{MOST_THREADS, questions, refuse};

/// A census that was taken.
pub struct Census {
    /// Its answers.
    pub survey: Survey,
    /// The bytes that it took.
    pub bytes: u64,
    /// The time that it took.
    pub elapsed: Duration,
}

/// Takes the census that `words` name: arguments of `loyd census`. It has one thread unless they say otherwise.
///
/// # Errors
/// What the command line says of such arguments, and [`Stop::Cancelled`] in words if `cancel` ends it.
pub fn census(words: Vec<String>, cancel: &CancelToken) -> Result<Census, Message> {
    let args: CensusArgs = read(words)?;
    let mut survey = Survey::new(questions(&args)?, args.farthest);
    let bytes = survey.bytes();
    refuse(&args, bytes)?;
    let threads = args.threads.map_or(1, |threads| threads.get().min(MOST_THREADS));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let begun = Instant::now();
    let counted = pool.map_err(|error| anyhow!(error))?.install(|| {
        let mut meter = Meter::new(Limits::default(), cancel.clone());
        while survey.advance(&mut meter)? {}
        Ok::<(), Stop>(())
    });
    counted.map_err(|stop| anyhow!(stop))?;
    Ok(Census { survey, bytes, elapsed: begun.elapsed() })
}
