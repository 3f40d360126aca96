//! What all charts share: the width of the page, the title and the note above them.

use super::svg::{Anchor, Svg, text_width};

/// The width of a chart.
pub(super) const WIDTH: f64 = 760.0;
/// Where what lies between the axes of a figure begins and ends.
pub(super) const LEFT: f64 = 92.0;
pub(super) const RIGHT: f64 = WIDTH - 24.0;
/// From a line of text to the next.
pub(super) const LINE: f64 = 18.0;

/// How high title and note are, and the space below them.
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

/// The text broken into lines that fit the width, in letters so many times as wide as usual.
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
