//! Memory that vectors will take, computed before they take it.

use crate::outcome::Stop;

/// Returns the bytes that `vec` holds once it has grown by `extra` elements.
#[inline]
pub(crate) fn vec_bytes<T>(vec: &Vec<T>, extra: usize) -> u64 {
    grown_bytes::<T>(vec.len(), vec.capacity(), extra)
}

/// Returns the bytes held by a vector of `len` elements and this capacity once it has grown by `extra` elements.
/// While the storage grows, the old and the new storage exist together.
#[inline]
pub(crate) fn grown_bytes<T>(len: usize, capacity: usize, extra: usize) -> u64 {
    /// Capacity that a vector allocates first.
    const FIRST: usize = 4;
    let needed = len.saturating_add(extra);
    let elements = if needed <= capacity {
        capacity
    } else {
        needed.max(2 * capacity).max(FIRST).saturating_add(capacity)
    };
    (elements as u64).saturating_mul(size_of::<T>() as u64)
}

/// Returns `count` zeros. The allocator provides zeroed pages, so physical memory is used only where it is written.
///
/// # Errors
/// [`Stop::Memory`] if the allocation fails.
pub(crate) fn zeroed<T: Copy + Default>(count: u64) -> Result<Vec<T>, Stop> {
    let count = usize::try_from(count).map_err(|_| Stop::Memory)?;
    // `vec!` aborts if the allocation fails, so first make one of the same size that can fail.
    Vec::<T>::new().try_reserve_exact(count).map_err(|_| Stop::Memory)?;
    Ok(vec![T::default(); count])
}
