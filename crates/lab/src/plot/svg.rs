//! SVG output: elements with attributes, escaped text, the layout shared by all charts (the width of the page, title and
//! note), and styles of series.
//!
//! Each series has a colour, a marker and a dash pattern, so that greyscale prints and colour-blind readers lose nothing.

use std::fmt::{Display, Write};

/// An SVG document under construction.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

/// Position of a text relative to its anchor point: start, middle or end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// Creates an empty white page of this size in pixels; `title` is the alternative text.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let (title, fonts) = (escaped(title), "font-family=\"sans-serif\" font-size=\"13\"");
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" {fonts} fill=\"#000\">\n\
             <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        Self { text }
    }

    /// Appends an element, given as its name and attributes.
    pub fn element(&mut self, element: impl Display) {
        let _ = writeln!(self.text, "<{element}/>");
    }

    /// Appends an element with a tooltip.
    pub fn element_with_hint(&mut self, element: impl Display, hint: &str) {
        let element = element.to_string();
        let name = element.split(' ').next().unwrap_or_default();
        let _ = writeln!(self.text, "<{element}><title>{}</title></{name}>", escaped(hint));
    }

    /// Appends a text; `more` holds additional attributes.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, text: &str, more: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\"{}{more}>{}</text>",
            Px(x),
            Px(y),
            if more.is_empty() { "" } else { " " },
            escaped(text)
        );
    }

    /// Opens a group with shared attributes; [`end_group`](Self::end_group) closes it.
    pub fn begin_group(&mut self, attributes: impl Display) {
        let _ = writeln!(self.text, "<g {attributes}>");
    }

    /// Closes the last group.
    pub fn end_group(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// Returns the complete document.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// A length or position in pixels, written with at most one decimal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Px(pub f64);

impl Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round();
        // Avoids negative zero.
        write!(f, "{}", if tenths == 0.0 { 0.0 } else { tenths / 10.0 })
    }
}

/// Formats a point of a line.
pub(super) fn pair([x, y]: [f64; 2]) -> String {
    format!("{},{}", Px(x), Px(y))
}

/// Escapes the characters reserved by XML and HTML. Characters not allowed in XML become `?`.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            c if c.is_control() => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Estimates the width of a text at 13 pixels, slightly above that of most fonts. SVG does not provide text metrics.
pub(super) fn text_width(text: &str) -> f64 {
    7.3 * text.chars().count() as f64
}

/// Width of a chart.
pub(super) const WIDTH: f64 = 760.0;
/// Left and right end of the plot area.
pub(super) const LEFT: f64 = 92.0;
pub(super) const RIGHT: f64 = WIDTH - 24.0;
/// Distance between two lines of text.
pub(super) const LINE: f64 = 18.0;

/// Returns the height of title and note, including the space below them.
pub(super) fn head_height(title: &str, note: &str) -> f64 {
    28.0 + LINE * (lines(title, 1.2).len() + lines(note, 1.0).len()) as f64
}

/// Writes title and note.
pub(super) fn draw_head(svg: &mut Svg, title: &str, note: &str) {
    let mut y = 26.0;
    for line in lines(title, 1.2) {
        svg.text([16.0, y], Anchor::Start, &line, "font-size=\"16\" font-weight=\"bold\"");
        y += LINE;
    }
    for line in lines(note, 1.0) {
        svg.text([16.0, y], Anchor::Start, &line, "fill=\"#444\"");
        y += LINE;
    }
}

/// Breaks text into lines that fit the page, for a font `size` times as large as the normal one.
fn lines(text: &str, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if size * text_width(&format!("{line} {word}")) < WIDTH - 32.0 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Colours with enough contrast on white that colour-blind readers can distinguish. The palette's yellow is too light
/// for lines.
///
/// # References
/// Okabe and Ito (2008), "Color Universal Design".
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"];

/// Dash patterns; the first is a solid line.
const DASHES: [&str; 6] = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2 1 2"];

const MARKERS: [Marker; 8] = [
    Marker::Disc,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Cross,
    Marker::Ring,
    Marker::TriangleDown,
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
    /// A triangle that points down.
    TriangleDown,
    Plus,
}

/// Style of a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub colour: &'static str,
    dash: &'static str,
    marker: Marker,
}

impl Style {
    /// Returns the style of series `number`, from 0. The first 168 styles are distinct.
    pub fn of(number: usize) -> Self {
        Self {
            colour: COLOURS[number % COLOURS.len()],
            dash: DASHES[number % DASHES.len()],
            marker: MARKERS[number % MARKERS.len()],
        }
    }

    /// Returns the attributes of a line.
    pub fn stroke(&self) -> String {
        let dash = match self.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{dash}", self.colour)
    }

    /// Draws the marker; `hint` is its tooltip.
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
            Marker::TriangleDown => polygon(&[(0.0, 4.0), (3.8, -3.0), (-3.8, -3.0)]),
            Marker::Diamond => polygon(&[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)]),
            Marker::Cross => lines([(-3.2, -3.2), (3.2, 3.2), (-3.2, 3.2), (3.2, -3.2)]),
            Marker::Plus => lines([(-4.0, 0.0), (4.0, 0.0), (0.0, -4.0), (0.0, 4.0)]),
        };
        svg.element_with_hint(element, hint);
    }
}

/// Returns the largest weight of cells, at least 1.
pub(super) fn max_weight(cells: &[([f64; 2], f64)]) -> f64 {
    cells.iter().map(|&(_, weight)| weight).fold(1.0, f64::max)
}

/// Returns a colour that darkens with the logarithm of the weight, also in greyscale.
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
    fn text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0, "a < b & \"c\"");
        svg.text([1.0, 2.25], Anchor::End, "</text><script>\u{1}", "");
        svg.element_with_hint("circle r=\"3\"", "5 > 4");
        let text = svg.finish();
        assert!(text.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"), "{text}");
        assert!(
            text.contains("y=\"2.3\" text-anchor=\"end\">&lt;/text&gt;&lt;script&gt;?</text>"),
            "{text}"
        );
        assert!(text.contains("<circle r=\"3\"><title>5 &gt; 4</title></circle>"), "{text}");
    }

    #[test]
    fn styles_are_distinct_without_colours() {
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
