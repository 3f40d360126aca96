//! Loyd for programs: requests and answers in JSON.
//!
//! A [`Service`] answers [calls](CALLS). Each call has a name, accepts some fields of a [`Request`], and returns an
//! answer in the form of the command line's `--output json`. While it works, it reports [events](Event) in the form of
//! `--progress json`. The server and the page in a browser are both built on this crate; neither contains any puzzle
//! logic.
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
mod question;
mod request;
mod review;
mod service;
mod work;

pub use answers::{
    CensusAnswer, ConvertAnswer, ExplainAnswer, HintAnswer, OptimizeAnswer, ScrambledBoard,
    Scrambles,
};
pub use calls::{CALLS, Call, call_named};
pub use fault::{Fault, FaultKind, replace_options};
pub use lists::{LISTS, List, METRICS, QUALITIES, list_named};
pub use progress::{ChangeKind, Event, Listener, Progress, SearchState, Watcher};
pub use question::{Effort, Question};
pub use request::{Request, RowRequest};
pub use review::{ReviewAnswer, Reviews, SegmentAnswer, SolvedReview};
pub use service::{Batch, Service};
pub use work::RequestLimits;
