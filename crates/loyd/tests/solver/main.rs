//! What a solver does on its own, with the features `cache` and `parallel` and without them: CI runs this both
//! ways.
//!
//! These would be unit tests, but they reach every search, and a unit test that does has all of them compiled a
//! second time for the tests of the library.

mod background;
mod quality;
mod verify;
