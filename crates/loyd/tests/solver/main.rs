//! What a solver does on its own, with the features `cache` and `parallel` and without them: CI runs this both
//! ways.
//!
//! These are not beside the code because the tests there are compiled without searches.

mod auto;
mod background;
mod quality;
mod verify;
