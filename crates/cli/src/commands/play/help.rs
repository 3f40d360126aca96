//! All keys on one page.

use ratatui::text::{Line, Span};

use super::keys::{ALL, Row};
use super::theme::Theme;

/// From this width on everything is shown, in two columns.
const TWO: usize = 76;

/// From this width on a key and what it does stand on one line.
const ONE: usize = 38;

/// The columns of the names of keys.
const KEYS: usize = 19;

/// The page for a screen of so many columns. On narrow ones it has the keys of the view alone, of which it tells whether
/// a solution is watched there.
pub fn lines(theme: Theme, width: usize, watches: bool) -> Vec<Line<'static>> {
    let [play, watch, everywhere] = ALL;
    let keys = |rows: &[Row]| -> Vec<_> {
        rows.iter().flat_map(|row| of_key(row, width, theme)).collect()
    };
    if width < TWO {
        let view = if watches { watch } else { play };
        return [keys(view.1), keys(everywhere.1)].concat();
    }
    let titled = |(title, rows): &(&'static str, &[Row])| {
        [vec![Line::styled(*title, theme.strong())], keys(rows)].concat()
    };
    let right = [titled(watch), vec![Line::default()], titled(everywhere)].concat();
    beside(titled(play), right, width.div_ceil(2) + 2)
}

/// A line, or two where there is no room.
fn of_key((key, word): &Row, width: usize, theme: Theme) -> Vec<Line<'static>> {
    if width < ONE {
        let word = Line::styled(format!("  {word}"), theme.muted());
        return vec![Line::styled(*key, theme.accent()), word];
    }
    let padding = " ".repeat(KEYS.saturating_sub(key.chars().count()));
    let word = Span::styled(format!("{padding}{word}"), theme.muted());
    vec![Line::from(vec![Span::styled(*key, theme.accent()), word])]
}

/// Lines beside each other, the second ones from a column on.
fn beside(
    left: Vec<Line<'static>>,
    right: Vec<Line<'static>>,
    column: usize,
) -> Vec<Line<'static>> {
    let rows = left.len().max(right.len());
    let mut columns = [left.into_iter(), right.into_iter()];
    let row = |_| {
        let [left, right] = columns.each_mut().map(|column| column.next().unwrap_or_default());
        let padding = Span::raw(" ".repeat(column.saturating_sub(left.width())));
        let spans = [left, Line::from(padding), right].into_iter().flat_map(|line| {
            let style = line.style;
            line.spans.into_iter().map(move |span| Span { style: style.patch(span.style), ..span })
        });
        Line::from(spans.collect::<Vec<_>>())
    };
    (0..rows).map(row).collect()
}
