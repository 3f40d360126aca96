//! What tells the series of a figure from each other: a colour, a marker and a dash pattern, so that a print in grey
//! and a colour-blind reader lose nothing.

use super::svg::{Px, Svg};

/// Dark enough on white, and different to colour-blind readers. The yellow of the palette is too light for lines.
///
/// # References
/// Okabe and Ito (2008), "Color Universal Design".
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"];

/// Patterns of strokes; the first is a whole line.
const DASHES: [&str; 6] = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2 1 2"];

const MARKERS: [Marker; 8] = [
    Marker::Disc,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Cross,
    Marker::Ring,
    Marker::Turned,
    Marker::Plus,
];

#[derive(Clone, Copy, Debug)]
enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Cross,
    Ring,
    /// A triangle that stands on its tip.
    Turned,
    Plus,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub colour: &'static str,
    dash: &'static str,
    marker: Marker,
}

impl Style {
    /// The style of the series with this number, from 0: no two of the first 168 are alike.
    pub fn of(number: usize) -> Self {
        Self {
            colour: COLOURS[number % COLOURS.len()],
            dash: DASHES[number % DASHES.len()],
            marker: MARKERS[number % MARKERS.len()],
        }
    }

    /// The attributes of a line.
    pub fn stroke(&self) -> String {
        let dash = match self.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{dash}", self.colour)
    }

    /// Draws the marker on a place; `hint` is shown to those who point at it.
    pub fn mark(&self, svg: &mut Svg, [x, y]: [f64; 2], hint: &str) {
        let at = |dx: f64, dy: f64| format!("{} {}", Px(x + dx), Px(y + dy));
        let polygon = |corners: &[(f64, f64)]| {
            let corners: Vec<String> = corners.iter().map(|&(dx, dy)| at(dx, dy)).collect();
            format!("path d=\"M{}Z\" fill=\"{}\"", corners.join("L"), self.colour)
        };
        let lines = |[(ax, ay), (bx, by), (cx, cy), (dx, dy)]: [(f64, f64); 4]| {
            let (first, second) = (at(ax, ay) + "L" + &at(bx, by), at(cx, cy) + "L" + &at(dx, dy));
            format!("path d=\"M{first}M{second}\" stroke=\"{}\" stroke-width=\"1.6\"", self.colour)
        };
        let centre = format!("cx=\"{}\" cy=\"{}\"", Px(x), Px(y));
        let element = match self.marker {
            Marker::Disc => format!("circle {centre} r=\"3.2\" fill=\"{}\"", self.colour),
            Marker::Ring => {
                format!("circle {centre} r=\"3.2\" fill=\"#fff\" stroke=\"{}\"", self.colour)
            }
            Marker::Square => polygon(&[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]),
            Marker::Triangle => polygon(&[(0.0, -4.0), (3.8, 3.0), (-3.8, 3.0)]),
            Marker::Turned => polygon(&[(0.0, 4.0), (3.8, -3.0), (-3.8, -3.0)]),
            Marker::Diamond => polygon(&[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)]),
            Marker::Cross => lines([(-3.2, -3.2), (3.2, 3.2), (-3.2, 3.2), (3.2, -3.2)]),
            Marker::Plus => lines([(-4.0, 0.0), (4.0, 0.0), (0.0, -4.0), (0.0, 4.0)]),
        };
        svg.element_with_hint(element, hint);
    }
}

/// The largest weight of cells.
pub(super) fn most_weight(cells: &[([f64; 2], f64)]) -> f64 {
    cells.iter().map(|&(_, weight)| weight).fold(1.0, f64::max)
}

/// From light to dark with the logarithm of the weight, in grey too.
pub(super) fn shade(weight: f64, most: f64) -> String {
    const LIGHT: [f64; 3] = [217.0, 232.0, 245.0];
    const DARK: [f64; 3] = [8.0, 40.0, 90.0];
    let part = if most > 1.0 { weight.max(1.0).ln() / most.ln() } else { 1.0 };
    let colour = |index: usize| (LIGHT[index] + part * (DARK[index] - LIGHT[index])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", colour(0), colour(1), colour(2))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn styles_differ_without_colours_too() {
        let in_grey = |number| {
            let style = Style::of(number);
            (style.dash, format!("{:?}", style.marker))
        };
        let styles: HashSet<_> = (0..24).map(in_grey).collect();
        assert_eq!(styles.len(), 24);
        let coloured: HashSet<_> = (0..168).map(|n| (in_grey(n), Style::of(n).colour)).collect();
        assert_eq!(coloured.len(), 168);
    }
}
