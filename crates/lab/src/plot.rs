//! Charts as self-contained SVG documents, with text as text elements.
//!
//! ```
//! use loyd_lab::plot::{Axis, Figure, Marks, Series};
//!
//! let figure = Figure {
//!     title: "Nodes of a search".to_owned(),
//!     x: Axis::linear("length (moves)"),
//!     y: Axis::log("expanded (nodes)"),
//!     series: vec![Series {
//!         name: "bfs".to_owned(),
//!         marks: Marks::Line(vec![[1.0, 2.0], [2.0, 5.0], [3.0, 11.0]]),
//!     }],
//!     ..Figure::default()
//! };
//! assert!(figure.to_svg().starts_with("<svg "));
//! ```
//!
//! The SVG writer is part of this crate. General chart libraries place text by font metrics, which they can only
//! estimate without fonts, and distinguish series by colour alone; here each series also has a marker and a dash
//! pattern.

mod animation;
mod bars;
mod charts;
mod density;
mod figure;
mod report;
mod scale;
mod svg;

pub use animation::{AnimationError, MAX_CELLS, MAX_STEPS, animation};
pub use bars::{Bar, bar_chart, census};
pub use charts::{Chart, Results, charts};
pub use density::Density;
pub(crate) use figure::quartiles;
pub use figure::{Figure, Marks, Series};
pub use report::html_report;
pub use scale::Axis;
pub(crate) use scale::{brief, grouped};
