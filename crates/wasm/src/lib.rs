//! Loyd in a browser: the calls of `loyd-api` for JavaScript.
//!
//! An [`Engine`] answers one call at a time and keeps its tables for the next. What JavaScript sees of it is
//! `call(name, request, onEvent)`, in `exports.rs`; the page calls that in a worker.
#![forbid(unsafe_code)]

mod engine;
#[cfg(target_family = "wasm")]
mod exports;

pub use engine::Engine;
#[cfg(target_family = "wasm")]
pub use exports::call;
