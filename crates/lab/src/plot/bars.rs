//! Bars beside names, for what is compared in one number each.

use super::page::{WIDTH, draw_head, head_height};
use super::scale::{Axis, Scale};
use super::style::Style;
use super::svg::{Anchor, Px, Svg, text_width};

/// A bar: the name before it, how long it is, and what is written behind it.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The name.
    pub name: String,
    /// How long it is.
    pub value: f64,
    /// The value in words.
    pub text: String,
}

const ROW: f64 = 28.0;

/// A bar for each name, one below the other, as an SVG document.
pub fn bar_chart(title: &str, note: &str, axis: &Axis, bars: &[Bar]) -> String {
    let head = head_height(title, note);
    let bottom = head + ROW * bars.len() as f64;
    let widest =
        |text: fn(&Bar) -> &str| bars.iter().map(|bar| text_width(text(bar))).fold(0.0, f64::max);
    let left = (16.0 + widest(|bar| &bar.name) + 10.0).min(WIDTH / 2.0);
    let right = (WIDTH - 24.0 - widest(|bar| &bar.text)).max(left + 100.0);
    let base = if axis.log { None } else { Some(0.0) };
    let values = bars.iter().map(|bar| bar.value).chain(base);
    let scale = Scale::new(axis, values, [left, right]);
    let mut svg = Svg::new(WIDTH, bottom + 54.0, title);
    draw_head(&mut svg, title, note);
    for (value, text) in scale.ticks() {
        let Some(x) = scale.place(value) else { continue };
        svg.element(format_args!(
            "line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ccc\"",
            Px(x),
            Px(head - 4.0),
            Px(bottom)
        ));
        svg.text([x, bottom + 16.0], Anchor::Middle, &text, "");
    }
    svg.text([(left + right) / 2.0, bottom + 40.0], Anchor::Middle, &axis.label, "");
    for (number, bar) in bars.iter().enumerate() {
        let y = head + ROW * number as f64;
        let end = scale.place(bar.value).unwrap_or(left).max(left);
        svg.text([left - 8.0, y + 18.0], Anchor::End, &bar.name, "");
        svg.element(format_args!(
            "rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" fill=\"{}\"",
            Px(left),
            Px(y + 4.0),
            Px(end - left),
            Style::of(0).colour
        ));
        svg.text([end + 6.0, y + 18.0], Anchor::Start, &bar.text, "");
    }
    svg.finish()
}
