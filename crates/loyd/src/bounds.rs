//! What is proved of a distance.

use crate::report::Report;

/// What is proved of the distance to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No solution is shorter.
    pub lower: usize,
    /// The length of the best solution known.
    pub upper: usize,
}

impl Bounds {
    /// A distance that is known.
    pub fn exact(distance: usize) -> Self {
        Self { lower: distance, upper: distance }
    }

    /// The distance, if it is proved.
    pub fn proved(self) -> Option<usize> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// What a report tells of the distance from its start; `None` if it has no solution.
    pub fn of(report: &Report) -> Option<Self> {
        let upper = report.length()?;
        let lower = if report.optimal { upper } else { report.lower_bound.unwrap_or(0) as usize };
        Some(Self { lower: lower.min(upper), upper })
    }
}
