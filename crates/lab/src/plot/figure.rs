//! Figures: two axes, the series drawn between them, and a legend below.

use super::scale::{Axis, Scale, format_value};
use super::svg::{
    Anchor, LEFT, LINE, Px, RIGHT, Style, Svg, WIDTH, draw_head, head_height, max_weight, pair,
    shade, text_width,
};

/// A chart with two axes.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// One-line title.
    pub title: String,
    /// Further information for the reader, such as the boards and the seed.
    pub note: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Series, drawn in order, each over the previous ones.
    pub series: Vec<Series>,
}

/// Values with a name for the legend. The legend omits unnamed series.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Values and how they are drawn.
    pub marks: Marks,
}

/// Values and how they are drawn.
#[derive(Clone, Debug)]
pub enum Marks {
    /// A line through points (x, y), with a marker on each.
    Line(Vec<[f64; 2]>),
    /// A line through medians, with the area between the quartiles shaded: x, then lower quartile, median and upper
    /// quartile of y.
    Quartiles(Vec<(f64, [f64; 3])>),
    /// A bar of width 1 for each point (x, y), from the end of the axis to y.
    Bars(Vec<[f64; 2]>),
    /// A cell for each point (x, y) with integer coordinates, shaded darker for larger weights.
    Density(Vec<([f64; 2], f64)>),
    /// A dashed line through points (x, y), for comparison.
    Guide(Vec<[f64; 2]>),
}

impl Marks {
    /// Returns all points that the axes must include.
    fn points(&self) -> Vec<[f64; 2]> {
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
    /// Returns whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.marks.points().is_empty())
    }

    /// Returns the height of density cells, or 0 if there are none.
    ///
    /// If x and y always have the same parity, every second cell would be empty, so cells are two units high.
    fn cell_height(&self) -> f64 {
        let densities = self.series.iter().filter_map(|series| match &series.marks {
            Marks::Density(cells) => Some(cells),
            _ => None,
        });
        let is_even = |&([x, y], _): &([f64; 2], f64)| (x - y).rem_euclid(2.0) == 0.0;
        let high = |cells: &Vec<_>| if cells.iter().all(is_even) { 2.0 } else { 1.0 };
        densities.map(high).fold(0.0, f64::max)
    }

    /// Returns whether any series satisfies `is`.
    fn has(&self, is: fn(&Marks) -> bool) -> bool {
        self.series.iter().any(|series| is(&series.marks))
    }
}

/// Height of the plot area.
const HEIGHT: f64 = 340.0;
/// Distance from the axis to the first line of the legend.
const BELOW: f64 = 66.0;

impl Figure {
    /// Returns the figure as a self-contained SVG document.
    pub fn to_svg(&self) -> String {
        let head = head_height(&self.title, &self.note);
        let legend = Legend::new(self);
        let bottom = head + HEIGHT;
        let mut svg = Svg::new(WIDTH, bottom + BELOW + legend.height(), &self.title);
        draw_head(&mut svg, &self.title, &self.note);
        let [x, y] = self.scales([LEFT, RIGHT], [bottom, head]);
        draw_axes(&mut svg, &x, &y);
        label_axes(&mut svg, self, &x, &y);
        let canvas = Canvas { x: &x, y: &y, figure: self };
        for (number, series) in self.series.iter().enumerate() {
            canvas.draw(&mut svg, series, &Style::of(number));
        }
        legend.draw(&mut svg, bottom + BELOW - 8.0);
        svg.finish()
    }

    fn scales(&self, across: [f64; 2], up: [f64; 2]) -> [Scale; 2] {
        let points = || self.series.iter().flat_map(|series| series.marks.points());
        let has_bars = self.has(|marks| matches!(marks, Marks::Bars(_)));
        let cell_height = self.cell_height();
        let x = Scale::new(&self.x, points().map(|[x, _]| x), across);
        let y = Scale::new(&self.y, points().map(|[_, y]| y).chain(has_bars.then_some(0.0)), up);
        let is_wide = has_bars || cell_height > 0.0;
        [x.widened(if is_wide { 0.6 } else { 0.0 }), y.widened(0.55 * cell_height)]
    }
}

/// Draws the axes with their ticks and the horizontal grid lines.
fn draw_axes(svg: &mut Svg, x: &Scale, y: &Scale) {
    let bottom = y.start();
    let line = |[x1, y1]: [f64; 2], [x2, y2]: [f64; 2]| {
        format!("line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", Px(x1), Px(y1), Px(x2), Px(y2))
    };
    let mut across = |values: Vec<f64>, colour: &str| {
        svg.begin_group(format_args!("stroke=\"{colour}\""));
        for place in values.into_iter().filter_map(|value| y.place(value)) {
            svg.element(line([LEFT, place], [RIGHT, place]));
        }
        svg.end_group();
    };
    across(y.fine_lines(), "#eee");
    across(y.ticks().into_iter().map(|(value, _)| value).collect(), "#ccc");
    svg.begin_group("stroke=\"#000\"");
    svg.element(line([LEFT, bottom], [RIGHT, bottom]));
    for place in x.ticks().iter().filter_map(|&(value, _)| x.place(value)) {
        svg.element(line([place, bottom], [place, bottom + 5.0]));
    }
    svg.end_group();
}

/// Writes tick labels and axis labels.
fn label_axes(svg: &mut Svg, figure: &Figure, x: &Scale, y: &Scale) {
    let bottom = y.start();
    for (value, text) in y.ticks() {
        let place = y.place(value).unwrap_or(bottom);
        svg.text([LEFT - 8.0, place + 4.0], Anchor::End, &text, "");
    }
    for (value, text) in x.ticks() {
        let place = x.place(value).unwrap_or(LEFT);
        svg.text([place, bottom + 20.0], Anchor::Middle, &text, "");
    }
    svg.text([(LEFT + RIGHT) / 2.0, bottom + 42.0], Anchor::Middle, &figure.x.label, "");
    let [across, up] = [20.0, bottom - HEIGHT / 2.0];
    let turned = format!("transform=\"rotate(-90 {across} {})\"", Px(up));
    svg.text([across, up], Anchor::Middle, &figure.y.label, &turned);
}

/// The area in which series are drawn.
struct Canvas<'a> {
    x: &'a Scale,
    y: &'a Scale,
    figure: &'a Figure,
}

impl Canvas<'_> {
    fn draw(&self, svg: &mut Svg, series: &Series, style: &Style) {
        match &series.marks {
            Marks::Line(points) => self.line(svg, series, points, style),
            Marks::Quartiles(points) => {
                self.area(svg, points, style);
                let medians: Vec<[f64; 2]> = points.iter().map(|&(x, y)| [x, y[1]]).collect();
                self.line(svg, series, &medians, style);
            }
            Marks::Bars(points) => self.bars(svg, points, style),
            Marks::Density(cells) => self.cells(svg, cells),
            Marks::Guide(points) => {
                let stroke = "fill=\"none\" stroke=\"#444\" stroke-dasharray=\"5 4\"";
                self.path(svg, points, stroke);
            }
        }
    }

    fn place(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        Some([self.x.place(x)?, self.y.place(y)?])
    }

    fn path(&self, svg: &mut Svg, points: &[[f64; 2]], stroke: &str) {
        let places: Vec<String> =
            points.iter().filter_map(|&point| self.place(point)).map(pair).collect();
        if places.len() > 1 {
            if self.figure.cell_height() > 0.0 {
                // A white outline keeps the line visible on dark cells.
                let edge = "fill=\"none\" stroke=\"#fff\" stroke-width=\"6\"";
                svg.element(format_args!("polyline points=\"{}\" {edge}", places.join(" ")));
            }
            svg.element(format_args!("polyline points=\"{}\" {stroke}", places.join(" ")));
        }
    }

    fn line(&self, svg: &mut Svg, series: &Series, points: &[[f64; 2]], style: &Style) {
        self.path(svg, points, &style.stroke());
        for &point in points {
            if let Some(place) = self.place(point) {
                let [x, y] = [(point[0], &self.figure.x), (point[1], &self.figure.y)]
                    .map(|(value, axis)| format_value(value, axis.unit));
                style.mark(svg, place, &format!("{}: {y} at {x}", series.name));
            }
        }
    }

    fn area(&self, svg: &mut Svg, points: &[(f64, [f64; 3])], style: &Style) {
        // A quartile of 0 has no position on a logarithmic axis and is drawn at its end.
        let side = |which: usize| {
            move |&(x, y): &(f64, [f64; 3])| {
                let y = self.y.place(y[which]).unwrap_or_else(|| self.y.start());
                self.x.place(x).map(|x| pair([x, y]))
            }
        };
        let up = points.iter().filter_map(side(2));
        let down = points.iter().rev().filter_map(side(0));
        let corners: Vec<String> = up.chain(down).collect();
        if points.len() > 1 {
            // Many overlapping areas would hide the lines.
            let opacity = if self.figure.series.len() > 6 { 0.06 } else { 0.13 };
            let fill = format!("fill=\"{}\" fill-opacity=\"{opacity}\"", style.colour);
            svg.element(format_args!("polygon points=\"{}\" {fill}", corners.join(" ")));
        }
    }

    fn bars(&self, svg: &mut Svg, points: &[[f64; 2]], style: &Style) {
        let width = (self.x.length(1.0) * 0.8).max(0.5);
        for &point in points {
            let Some([x, y]) = self.place(point) else { continue };
            let [left, height] = [x - width / 2.0, self.y.start() - y];
            let place = format!("x=\"{}\" y=\"{}\"", Px(left), Px(y));
            let size = format!("width=\"{}\" height=\"{}\"", Px(width), Px(height));
            let hint = format!(
                "{}: {}",
                format_value(point[0], ""),
                format_value(point[1], self.figure.y.unit)
            );
            svg.element_with_hint(format!("rect {place} {size} fill=\"{}\"", style.colour), &hint);
        }
    }

    fn cells(&self, svg: &mut Svg, cells: &[([f64; 2], f64)]) {
        let [width, height] = [self.x.length(1.0), self.y.length(self.figure.cell_height())];
        let most = max_weight(cells);
        for &(point, weight) in cells {
            let Some([x, y]) = self.place(point) else { continue };
            let place = format!("x=\"{}\" y=\"{}\"", Px(x - width / 2.0), Px(y - height / 2.0));
            let size = format!("width=\"{}\" height=\"{}\"", Px(width), Px(height));
            let hint = format!(
                "{} at ({}, {})",
                format_value(weight, ""),
                format_value(point[0], ""),
                format_value(point[1], "")
            );
            let fill = shade(weight, most);
            svg.element_with_hint(format!("rect {place} {size} fill=\"{fill}\""), &hint);
        }
    }
}

/// A legend in columns.
struct Legend<'a> {
    entries: Vec<(String, Sample<'a>)>,
    columns: usize,
}

/// Symbol in front of a name.
enum Sample<'a> {
    Series(&'a Marks, Style),
    Shade(String),
}

impl<'a> Legend<'a> {
    /// Creates the legend of `figure`, in as many columns as fit the page.
    fn new(figure: &'a Figure) -> Self {
        let mut entries = Vec::new();
        for (number, series) in figure.series.iter().enumerate() {
            if let Marks::Density(cells) = &series.marks {
                let most = max_weight(cells);
                let powers = (0..).map(|power| 10_f64.powi(power)).take_while(|&ten| ten <= most);
                entries.extend(powers.map(|weight| {
                    let name = format!("{}: {}", series.name, format_value(weight, ""));
                    (name, Sample::Shade(shade(weight, most)))
                }));
            } else if !series.name.is_empty() {
                let sample = Sample::Series(&series.marks, Style::of(number));
                entries.push((series.name.clone(), sample));
            }
        }
        let widest = entries.iter().map(|(name, _)| text_width(name) + 56.0).fold(1.0, f64::max);
        let columns = (((RIGHT - LEFT) / widest) as usize).clamp(1, 5);
        Self { entries, columns }
    }

    /// Returns the height of the legend.
    fn height(&self) -> f64 {
        LINE * self.entries.len().div_ceil(self.columns) as f64
    }

    /// Draws the legend, starting at `top`.
    fn draw(&self, svg: &mut Svg, top: f64) {
        let width = (RIGHT - LEFT) / self.columns as f64;
        for (index, (name, sample)) in self.entries.iter().enumerate() {
            let x = LEFT + width * (index % self.columns) as f64;
            let y = top + LINE * (index / self.columns) as f64 + 9.0;
            sample.draw(svg, [x, y]);
            svg.text([x + 42.0, y + 4.0], Anchor::Start, name, "");
        }
    }
}

impl Sample<'_> {
    fn draw(&self, svg: &mut Svg, [x, y]: [f64; 2]) {
        let block = |fill: &str| {
            let place = format!("x=\"{}\" y=\"{}\"", Px(x + 8.0), Px(y - 6.0));
            format!("rect {place} width=\"20\" height=\"12\" fill=\"{fill}\"")
        };
        let line = |stroke: &str| {
            let [from, to] = [pair([x, y]), pair([x + 36.0, y])];
            format!("polyline points=\"{from} {to}\" {stroke}")
        };
        match self {
            Self::Shade(fill) => svg.element(block(fill)),
            Self::Series(Marks::Bars(_), style) => svg.element(block(style.colour)),
            Self::Series(Marks::Guide(_), _) => {
                svg.element(line("fill=\"none\" stroke=\"#444\" stroke-dasharray=\"5 4\""));
            }
            Self::Series(_, style) => {
                svg.element(line(&style.stroke()));
                style.mark(svg, [x + 18.0, y], "");
            }
        }
    }
}

/// Returns the lower quartile, the median and the upper quartile of `numbers`, linearly interpolated; `None` if there
/// are no numbers.
pub(crate) fn quartiles(mut numbers: Vec<f64>) -> Option<[f64; 3]> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)?;
    Some([0.25, 0.5, 0.75].map(|part| {
        let place = part * last as f64;
        let (below, above) = (numbers[place.floor() as usize], numbers[place.ceil() as usize]);
        below + (above - below) * place.fract()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(marks: Vec<Marks>) -> Figure {
        let series = marks.into_iter().map(|marks| Series { name: "a<b".to_owned(), marks });
        Figure { y: Axis::log("nodes"), series: series.collect(), ..Figure::default() }
    }

    #[test]
    fn points_have_markers_with_tooltips() {
        let svg = figure(vec![Marks::Line(vec![[1.0, 10.0], [2.0, 1_000.0], [3.0, 0.0]])]).to_svg();
        assert!(svg.contains("<title>a&lt;b: 1,000 at 2</title>"), "{svg}");
        // Two points, and one sample in the legend.
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
    }

    #[test]
    fn quartiles_of_zero_are_drawn_at_the_end_of_a_logarithmic_axis() {
        let points = vec![(1.0, [0.0, 10.0, 100.0]), (2.0, [10.0, 10.0, 10.0])];
        let svg = figure(vec![Marks::Quartiles(points)]).to_svg();
        let bottom = 28.0 + HEIGHT;
        assert!(svg.contains(&format!(" {LEFT},{bottom}\" fill=")), "{svg}");
    }

    #[test]
    fn empty_figures_can_be_drawn() {
        for marks in [vec![], vec![Marks::Line(vec![])], vec![Marks::Density(vec![])]] {
            let figure = figure(marks);
            assert!(figure.is_empty() && !figure.to_svg().contains("NaN"));
        }
    }

    #[test]
    fn quartiles_lie_between_numbers() {
        assert_eq!(quartiles(vec![4.0, 1.0, 3.0, 2.0, 5.0]), Some([2.0, 3.0, 4.0]));
        assert_eq!(quartiles(vec![2.0, 1.0]), Some([1.25, 1.5, 1.75]));
        assert_eq!((quartiles(vec![7.0]), quartiles(vec![])), (Some([7.0; 3]), None));
    }
}
