//! Charts as SVG: text stays text, and nothing comes from elsewhere.
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
//! The writer is Loyd's own. General chart libraries place text by the widths of fonts, which a program without fonts
//! can only guess at, and tell series apart by colours alone: here each has a marker and a dash pattern, too.

mod bars;
mod census;
mod charts;
mod density;
mod draw;
mod figure;
mod legend;
mod page;
mod report;
mod results;
mod scale;
mod style;
mod svg;

pub use bars::{Bar, bar_chart};
pub use census::census;
pub use charts::{Chart, charts};
pub use density::Density;
pub use figure::{Figure, Marks, Series};
pub use report::html_report;
pub use results::Results;
pub use scale::Axis;
pub(crate) use scale::{brief, grouped};
