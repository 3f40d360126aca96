//! Work that threads share: the only file that knows rayon. Without the feature `parallel`, whoever asks does
//! everything in turn.

use loyd_search::Stop;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// The threads that share work: those of the current rayon pool, or one without the feature `parallel`.
pub fn count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// The sum of what `run` says of each piece of work, on as many threads as [`count`] says.
pub fn share<T: Send>(work: Vec<T>, run: impl Fn(T) -> u64 + Send + Sync) -> u64 {
    // Going to another thread and back is not worth it if there is nothing to share.
    #[cfg(feature = "parallel")]
    if work.len() != 1 {
        return work.into_par_iter().map(run).sum();
    }
    work.into_iter().map(run).sum()
}

/// Does `work` with so many threads to share it, in a pool of their own: a caller that is itself a thread of
/// rayon would, while it waits for the common pool, take up other work, which may wait for what this makes.
///
/// Without the feature `parallel` the caller is the only thread.
///
/// # Errors
/// [`Stop::Memory`] if the system gives no threads.
#[cfg_attr(
    not(feature = "parallel"),
    expect(unused_variables, reason = "there is only the caller")
)]
pub fn among<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Stop> {
    #[cfg(feature = "parallel")]
    let work = {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|_| Stop::Memory)?;
        move || pool.install(work)
    };
    Ok(work())
}
