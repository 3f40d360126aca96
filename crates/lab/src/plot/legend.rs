//! The names of series below a figure.

use super::figure::{Figure, Marks};
use super::page::{LEFT, LINE, RIGHT};
use super::scale::written;
use super::style::{Style, most_weight, shade};
use super::svg::{Anchor, Px, Svg, pair, text_width};

/// The names below a figure, in columns.
pub(super) struct Legend<'a> {
    entries: Vec<(String, Sample<'a>)>,
    columns: usize,
}

/// What stands before a name.
enum Sample<'a> {
    Series(&'a Marks, Style),
    Shade(String),
}

impl<'a> Legend<'a> {
    /// The legend of `figure`, in as many columns as fit the page.
    pub fn new(figure: &'a Figure) -> Self {
        let mut entries = Vec::new();
        for (number, series) in figure.series.iter().enumerate() {
            if let Marks::Density(cells) = &series.marks {
                let most = most_weight(cells);
                let powers = (0..).map(|power| 10_f64.powi(power)).take_while(|&ten| ten <= most);
                entries.extend(powers.map(|weight| {
                    let name = format!("{}: {}", series.name, written(weight, ""));
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

    /// How high it is.
    pub fn height(&self) -> f64 {
        LINE * self.entries.len().div_ceil(self.columns) as f64
    }

    /// Draws it from `top` down.
    pub fn draw(&self, svg: &mut Svg, top: f64) {
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
