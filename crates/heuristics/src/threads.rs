//! Parallel execution. This is the only module that uses rayon; without the feature `parallel`, all work runs
//! sequentially on the calling thread.

#[cfg(feature = "parallel")]
use std::error::Error;
#[cfg(feature = "parallel")]
use std::sync::OnceLock;

use loyd_search::Stop;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Returns the number of threads of the current rayon pool. It is 1 without the feature `parallel`, and if the system
/// cannot create the threads of the common pool.
pub fn thread_count() -> usize {
    #[cfg(feature = "parallel")]
    if has_pool() {
        return rayon::current_num_threads();
    }
    1
}

/// Returns whether this thread can use rayon, which panics if it cannot create the threads of the common pool.
#[cfg(feature = "parallel")]
fn has_pool() -> bool {
    static IS_MISSING: OnceLock<bool> = OnceLock::new();
    let create = || match rayon::ThreadPoolBuilder::new().build_global() {
        // Only errors of the system have a source; the other one reports that the pool exists.
        Err(error) => error.source().is_some(),
        Ok(()) => false,
    };
    rayon::current_thread_index().is_some() || !IS_MISSING.get_or_init(create)
}

/// Calls `run` with each item of `work`, on up to [`thread_count`] threads, and returns the sum of the results.
pub fn sum_parallel<T: Send>(work: Vec<T>, run: impl Fn(T) -> u64 + Send + Sync) -> u64 {
    // A single item stays on this thread: handing it to another one would only add latency.
    #[cfg(feature = "parallel")]
    if work.len() != 1 && has_pool() {
        return work.into_par_iter().map(run).sum();
    }
    work.into_iter().map(run).sum()
}

/// Runs `work` in a new pool of `threads` threads, or of fewer if the system cannot create as many.
///
/// The common rayon pool would not do: a caller that is itself a rayon thread would, while waiting, run other
/// jobs of the pool, and these may be waiting for the result of `work`.
///
/// Without the feature `parallel`, runs `work` on the calling thread.
///
/// # Errors
/// [`Stop::Memory`] if the system cannot create a single thread, and the calling thread belongs to a larger pool.
#[cfg_attr(
    not(feature = "parallel"),
    expect(unused_variables, reason = "everything runs on the calling thread")
)]
pub fn run_in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Stop> {
    #[cfg(feature = "parallel")]
    {
        let build = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        if let Ok(pool) = build(threads).or_else(|_| build(1)) {
            return Ok(pool.install(work));
        }
        // The calling thread joins a pool of one thread and stays in it, so its parallel work runs on this thread.
        match rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
            Ok(pool) => std::mem::forget(pool),
            Err(_) if rayon::current_num_threads() == 1 => {}
            Err(_) => return Err(Stop::Memory),
        }
    }
    Ok(work())
}
