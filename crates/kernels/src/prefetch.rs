//! Asking for memory before it is needed.

/// Asks for the cache line of `items[place]`.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], place: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let item = items.as_ptr().wrapping_add(place);
        // SAFETY: a prefetch may name any address and changes no memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(item.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, place);
}
