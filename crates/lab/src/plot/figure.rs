//! A figure: two axes, and series that are drawn between them.

use super::scale::Axis;

/// What is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What the figure shows, in a line.
    pub title: String,
    /// What a reader has to know besides: the boards, the seed.
    pub note: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from the bottom up.
    pub y: Axis,
    /// What is drawn, each over those before it.
    pub series: Vec<Series>,
}

/// Values of one kind, with the name that the legend gives them. Without a name, the legend leaves them out.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name.
    pub name: String,
    /// The values, and how they are drawn.
    pub marks: Marks,
}

/// Values, and how they are drawn.
#[derive(Clone, Debug)]
pub enum Marks {
    /// A line through points (x, y), with a marker on each.
    Line(Vec<[f64; 2]>),
    /// A line through medians, and an area between the quartiles: x, and the lower quartile, the median and the
    /// upper quartile of y.
    Quartiles(Vec<(f64, [f64; 3])>),
    /// A bar for each point (x, y), one wide, from the end of the axis to y.
    Bars(Vec<[f64; 2]>),
    /// A cell for each point (x, y) of whole numbers, the darker the larger its weight is.
    Density(Vec<([f64; 2], f64)>),
    /// A dashed line through points (x, y), to compare with.
    Guide(Vec<[f64; 2]>),
}

impl Marks {
    /// All points that need a place.
    pub(super) fn points(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Line(points) | Self::Bars(points) | Self::Guide(points) => points.clone(),
            Self::Quartiles(points) => {
                points.iter().flat_map(|&(x, quartiles)| quartiles.map(|y| [x, y])).collect()
            }
            Self::Density(cells) => cells.iter().map(|&(point, _)| point).collect(),
        }
    }
}

impl Figure {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.marks.points().is_empty())
    }

    /// How high the cells of a density are; 0 where there are none.
    ///
    /// Where odd values of y belong to odd ones of x, every second cell would be empty, so they are two high.
    pub(super) fn cell_height(&self) -> f64 {
        let densities = self.series.iter().filter_map(|series| match &series.marks {
            Marks::Density(cells) => Some(cells),
            _ => None,
        });
        let is_even = |&([x, y], _): &([f64; 2], f64)| (x - y).rem_euclid(2.0) == 0.0;
        let high = |cells: &Vec<_>| if cells.iter().all(is_even) { 2.0 } else { 1.0 };
        densities.map(high).fold(0.0, f64::max)
    }

    /// Whether some series is drawn so.
    pub(super) fn has(&self, is: fn(&Marks) -> bool) -> bool {
        self.series.iter().any(|series| is(&series.marks))
    }
}
