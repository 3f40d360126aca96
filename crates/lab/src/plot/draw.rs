//! Drawing a figure.

use super::figure::{Figure, Marks, Series};
use super::legend::Legend;
use super::page::{LEFT, RIGHT, WIDTH, draw_head, head_height};
use super::scale::{Scale, written};
use super::style::{Style, most_weight, shade};
use super::svg::{Anchor, Px, Svg, pair};

/// The height between the axes' ends.
const HEIGHT: f64 = 340.0;
/// From the axis down to the first line of the legend.
const BELOW: f64 = 66.0;

impl Figure {
    /// The figure as an SVG document, which needs nothing from elsewhere.
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

/// Draws the axes with their ticks, and a line across for each tick of `y`.
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

/// Writes the numbers beside the axes, and what they are.
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

/// What series are drawn on.
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
                // A white edge, for dark cells.
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
                    .map(|(value, axis)| written(value, axis.unit));
                style.mark(svg, place, &format!("{}: {y} at {x}", series.name));
            }
        }
    }

    fn area(&self, svg: &mut Svg, points: &[(f64, [f64; 3])], style: &Style) {
        // A quartile that has no place, which is 0 on a logarithmic axis, is at its end.
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
            // Many areas over each other would hide the lines.
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
            let hint =
                format!("{}: {}", written(point[0], ""), written(point[1], self.figure.y.unit));
            svg.element_with_hint(format!("rect {place} {size} fill=\"{}\"", style.colour), &hint);
        }
    }

    fn cells(&self, svg: &mut Svg, cells: &[([f64; 2], f64)]) {
        let [width, height] = [self.x.length(1.0), self.y.length(self.figure.cell_height())];
        let most = most_weight(cells);
        for &(point, weight) in cells {
            let Some([x, y]) = self.place(point) else { continue };
            let place = format!("x=\"{}\" y=\"{}\"", Px(x - width / 2.0), Px(y - height / 2.0));
            let size = format!("width=\"{}\" height=\"{}\"", Px(width), Px(height));
            let hint = format!(
                "{} at ({}, {})",
                written(weight, ""),
                written(point[0], ""),
                written(point[1], "")
            );
            let fill = shade(weight, most);
            svg.element_with_hint(format!("rect {place} {size} fill=\"{fill}\""), &hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::Axis;
    use super::*;

    fn figure(marks: Vec<Marks>) -> Figure {
        let series = marks.into_iter().map(|marks| Series { name: "a<b".to_owned(), marks });
        Figure { y: Axis::log("nodes"), series: series.collect(), ..Figure::default() }
    }

    #[test]
    fn every_point_that_has_a_place_has_a_marker_with_its_values() {
        let svg = figure(vec![Marks::Line(vec![[1.0, 10.0], [2.0, 1_000.0], [3.0, 0.0]])]).to_svg();
        assert!(svg.contains("<title>a&lt;b: 1,000 at 2</title>"), "{svg}");
        // Two points, and one in the legend.
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
    }

    #[test]
    fn quartiles_that_have_no_place_are_at_the_end_of_the_axis() {
        let points = vec![(1.0, [0.0, 10.0, 100.0]), (2.0, [10.0, 10.0, 10.0])];
        let svg = figure(vec![Marks::Quartiles(points)]).to_svg();
        let bottom = 28.0 + HEIGHT;
        assert!(svg.contains(&format!(" {LEFT},{bottom}\" fill=")), "{svg}");
    }

    #[test]
    fn figures_of_nothing_can_be_drawn() {
        for marks in [vec![], vec![Marks::Line(vec![])], vec![Marks::Density(vec![])]] {
            let figure = figure(marks);
            assert!(figure.is_empty() && !figure.to_svg().contains("NaN"));
        }
    }
}
