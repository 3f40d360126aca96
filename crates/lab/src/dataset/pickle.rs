//! Boards in Python's pickles, such as the test sets of DeepCubeA, read without running them.
//!
//! A pickle is a program for a machine with a stack. This reader builds the lists, numbers, texts and bytes that it
//! describes, and only notes which functions would be called with which arguments: nothing is imported, and nothing of
//! Python runs. Then it looks for what such files have under `states`: lists of numbers, bytes, NumPy arrays of whole
//! numbers, or objects with such a thing under `tiles`.

mod find;
mod machine;

use find::Finder;
pub use machine::PickleError;

/// The largest pickle that is read, in bytes; it takes up to some forty times as many.
pub const MOST_BYTES: u64 = 1 << 24;

/// The boards in a pickle, each as its numbers in reading order, not checked any further.
///
/// Cost: memory and time in proportion to the bytes.
///
/// # Errors
/// When the bytes are not a pickle of protocol 2 or later, need an instruction that such files do without, or hold no
/// boards.
pub fn boards(bytes: &[u8]) -> Result<Vec<Vec<u32>>, PickleError> {
    let (values, top) = machine::run(bytes)?;
    Finder::new(bytes, &values)
        .boards(top)
        .map_err(|message| PickleError { at: bytes.len(), message: message.into() })
}

#[cfg(test)]
mod tests;
