//! Tests of the solver that also pass without the features `cache` and `parallel`.
//!
//! They are not unit tests because the unit tests are compiled without the searches.

mod auto;
mod background;
mod quality;
mod verify;
