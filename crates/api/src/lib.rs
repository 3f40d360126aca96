//! Loyd for programs: questions and answers in JSON.
//!
//! A [`Service`] answers [calls](CALLS): each has a name, takes some fields of a [`Request`], and gives an answer in the
//! form of the command line's `--output json`. While it works, it tells [events](Event), as `--progress json` does.
//! The server and the page in a browser both stand on it; neither knows how to solve a puzzle.
//!
//! ```
//! use std::ops::ControlFlow;
//! use loyd::{CancelToken, Config};
//! use loyd_api::Service;
//!
//! let service = Service::new(Config::default())?;
//! let mut listen = |_: loyd_api::Event| ControlFlow::Continue(());
//! let request = br#"{"board": "1 2 3/4 x 5/7 8 6"}"#;
//! let answer = service.call("hint", request, &CancelToken::new(), Some(&mut listen)).unwrap();
//! assert!(answer.contains(r#""moves":"rd""#));
//! # Ok::<(), loyd::Error>(())
//! ```
#![forbid(unsafe_code)]

mod answers;
mod calls;
mod fault;
mod lists;
mod progress;
mod request;
mod service;
mod work;

pub use answers::{
    CensusAnswer, Converted, ExplainAnswer, HintAnswer, OptimizeAnswer, ReviewAnswer, Reviewed,
    Reviews, ScrambledBoard, Scrambles, SegmentAnswer,
};
pub use calls::{CALLS, Call, call_named};
pub use fault::{Fault, FaultKind};
pub use lists::{LISTS, List, METRICS, QUALITIES, list_named};
pub use progress::{Event, Known, Listener, News, Watcher};
pub use request::{Request, RowRequest};
pub use service::Service;
pub use work::Most;
