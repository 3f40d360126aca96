//! Parallel execution. This is the only module that uses rayon; without the feature `parallel`, all work runs
//! sequentially on the calling thread.

use loyd_search::Stop;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Returns the number of threads of the current rayon pool, or 1 without the feature `parallel`.
pub fn thread_count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls `run` with each item of `work`, on up to [`thread_count`] threads, and returns the sum of the results.
pub fn sum_parallel<T: Send>(work: Vec<T>, run: impl Fn(T) -> u64 + Send + Sync) -> u64 {
    // A single item stays on this thread: handing it to another one would only add latency.
    #[cfg(feature = "parallel")]
    if work.len() != 1 {
        return work.into_par_iter().map(run).sum();
    }
    work.into_iter().map(run).sum()
}

/// Runs `work` in a new pool of `threads` threads.
///
/// The common rayon pool would not do: a caller that is itself a rayon thread would, while waiting, run other
/// jobs of the pool, and these may be waiting for the result of `work`.
///
/// Without the feature `parallel`, runs `work` on the calling thread.
///
/// # Errors
/// [`Stop::Memory`] if the system cannot create the threads.
#[cfg_attr(
    not(feature = "parallel"),
    expect(unused_variables, reason = "everything runs on the calling thread")
)]
pub fn run_in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Stop> {
    #[cfg(feature = "parallel")]
    let work = {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|_| Stop::Memory)?;
        move || pool.install(work)
    };
    Ok(work())
}
