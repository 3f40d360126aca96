//! Loyd in the browser: exposes the calls of `loyd-api` to JavaScript.
//!
//! An [`Engine`] answers one call at a time and keeps its tables for later calls. JavaScript sees the function
//! `call(name, request, onEvent)` of `exports.rs`, which the page calls in a worker.
#![forbid(unsafe_code)]

mod engine;
#[cfg(target_family = "wasm")]
mod exports;

pub use engine::Engine;
#[cfg(target_family = "wasm")]
pub use exports::call;
