//! Writing SVG: elements with attributes, text with what XML reserves replaced.

use std::fmt::{Display, Write};

/// An SVG document that grows by elements.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

/// Where a text has its place: at its beginning, in its middle, or at its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// An empty white page of this size in pixels, with a title for those who cannot see it.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let (title, fonts) = (escaped(title), "font-family=\"sans-serif\" font-size=\"13\"");
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" {fonts} fill=\"#000\">\n\
             <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        Self { text }
    }

    /// Adds an element: its name and attributes as they are written.
    pub fn element(&mut self, element: impl Display) {
        let _ = writeln!(self.text, "<{element}/>");
    }

    /// Adds an element that shows `hint` to those who point at it.
    pub fn element_with_hint(&mut self, element: impl Display, hint: &str) {
        let element = element.to_string();
        let name = element.split(' ').next().unwrap_or_default();
        let _ = writeln!(self.text, "<{element}><title>{}</title></{name}>", escaped(hint));
    }

    /// Adds a text; `more` are attributes of its own.
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

    /// Opens a group that shares attributes; [`end_group`](Self::end_group) closes it.
    pub fn begin_group(&mut self, attributes: impl Display) {
        let _ = writeln!(self.text, "<g {attributes}>");
    }

    /// Closes the last group.
    pub fn end_group(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// The whole document.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// A place in pixels, written with a tenth at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Px(pub f64);

impl Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round();
        // No negative zero.
        write!(f, "{}", if tenths == 0.0 { 0.0 } else { tenths / 10.0 })
    }
}

/// A place among the points of a line.
pub(super) fn pair([x, y]: [f64; 2]) -> String {
    format!("{},{}", Px(x), Px(y))
}

/// The text with what XML and HTML reserve replaced. Characters that XML does not allow become `?`.
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

/// About how wide a text of 13 pixels is. SVG does not tell, so this is a little more than most fonts take.
pub(super) fn text_width(text: &str) -> f64 {
    7.3 * text.chars().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
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
}
