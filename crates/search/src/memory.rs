//! How much memory vectors take, said before they take it.

use crate::stop::Stop;

/// Bytes that `vec` holds once `extra` more elements are in.
#[inline]
pub(crate) fn vec_bytes<T>(vec: &Vec<T>, extra: usize) -> u64 {
    grown_bytes::<T>(vec.len(), vec.capacity(), extra)
}

/// Bytes that `len` elements in room for `capacity` hold once `extra` more are in; while the storage
/// grows, the old and the new exist together.
#[inline]
pub(crate) fn grown_bytes<T>(len: usize, capacity: usize, extra: usize) -> u64 {
    /// What a vector makes room for at first.
    const FIRST: usize = 4;
    let needed = len.saturating_add(extra);
    let elements = if needed <= capacity {
        capacity
    } else {
        needed.max(2 * capacity).max(FIRST).saturating_add(capacity)
    };
    (elements as u64).saturating_mul(size_of::<T>() as u64)
}

/// `count` zeros in memory that comes zeroed, so that it is touched only where it is used.
///
/// # Errors
/// [`Stop::Memory`] if there is not as much.
pub(crate) fn zeroed<T: Copy + Default>(count: u64) -> Result<Vec<T>, Stop> {
    let count = usize::try_from(count).map_err(|_| Stop::Memory)?;
    // Zeroed memory cannot be asked for in a way that may fail: so ask for as much in a way that can.
    Vec::<T>::new().try_reserve_exact(count).map_err(|_| Stop::Memory)?;
    Ok(vec![T::default(); count])
}
