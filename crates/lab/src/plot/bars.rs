//! Bar charts: one labelled bar per item, and the states at each distance.

use super::figure::{Figure, Marks, Series};
use super::scale::{Axis, Scale};
use super::svg::{Anchor, Px, Style, Svg, WIDTH, draw_head, head_height, text_width};

/// A bar, with a name on its left and a text at its end.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Name.
    pub name: String,
    /// Length.
    pub value: f64,
    /// Text at the end of the bar.
    pub text: String,
}

const ROW: f64 = 28.0;

/// Returns an SVG document with one horizontal bar per item.
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

/// Returns a bar chart of the number of states at each distance, given as pairs of distance and number.
///
/// `title` describes the states, `note` adds further information, and `unit` is the unit of distances: `moves` or
/// `slides`.
pub fn census(title: &str, note: &str, unit: &str, states: &[(u32, u64)]) -> String {
    let bars = states.iter().map(|&(distance, count)| [f64::from(distance), count as f64]);
    let figure = Figure {
        title: title.to_owned(),
        note: note.to_owned(),
        x: Axis::linear(&format!("distance from the goal ({unit})")),
        y: Axis::linear("states"),
        series: vec![Series { name: String::new(), marks: Marks::Bars(bars.collect()) }],
    };
    figure.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_heights_are_proportional_to_state_counts() {
        let svg =
            census("2x2", "", "moves", &[(0, 1), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 1)]);
        let bars: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("<title>") && line.starts_with("<rect"))
            .collect();
        assert_eq!(bars.len(), 7);
        let height = |bar: &str| -> f64 {
            let (_, rest) = bar.split_once("height=\"").unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!((height(bars[1]) - 2.0 * height(bars[0])).abs() < 0.2, "{bars:?}");
        assert!(bars[6].ends_with("<title>6: 1</title></rect>"), "{bars:?}");
    }
}
