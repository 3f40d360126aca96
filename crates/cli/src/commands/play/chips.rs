//! Moves, one after the other.

use loyd::Move;
use loyd::moves::runs;
use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::words::run;
use crate::args::Arrows;

/// The moves in lines of so many columns, runs together; the one that led to step `at` is shown, and if there are more
/// lines than `most`, those around it.
pub fn chips(
    moves: &[Move],
    at: usize,
    (width, most): (usize, usize),
    arrows: Arrows,
    theme: Theme,
) -> Vec<Line<'static>> {
    let (mut lines, mut used, mut done, mut current) = (vec![Vec::new()], 0, 0, 0);
    for steps in runs(moves) {
        let text = run(steps, arrows);
        let columns = text.chars().count();
        if used > 0 && used + 1 + columns > width {
            lines.push(Vec::new());
            used = 0;
        }
        if used > 0 {
            lines.last_mut().expect("there is a line").push(Span::raw(" "));
            used += 1;
        }
        let is_current = at > done && at <= done + steps.len();
        if is_current {
            current = lines.len() - 1;
        }
        let style = match () {
            () if is_current => theme.chosen(),
            () if done >= at => theme.muted(),
            () => theme.page(),
        };
        lines.last_mut().expect("there is a line").push(Span::styled(text, style));
        used += columns;
        done += steps.len();
    }
    let first =
        (current + 1).saturating_sub(most.div_ceil(2)).min(lines.len().saturating_sub(most));
    lines.into_iter().skip(first).take(most).map(Line::from).collect()
}

#[cfg(test)]
mod tests {
    use loyd::notation::parse_moves;
    use ratatui::style::Modifier;

    use super::super::theme::Depth;
    use super::*;

    #[test]
    fn the_current_move_is_in_sight() {
        let theme = Theme { depth: Depth::None, dark: true };
        let moves = parse_moves(&"ulddr".repeat(20)).unwrap();
        let text = |at, size| {
            let lines = chips(&moves, at, size, Arrows::Blank, theme);
            lines.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(text(0, (7, 2)), ["u l d2", "r u l"]);
        let lines = chips(&moves, 99, (7, 3), Arrows::Blank, theme);
        let is_chosen = |span: &Span<'_>| span.style.add_modifier.contains(Modifier::REVERSED);
        let chosen: Vec<_> =
            lines.iter().flat_map(|line| &line.spans).filter(|span| is_chosen(span)).collect();
        assert_eq!((lines.len(), chosen.len(), chosen[0].content.as_ref()), (3, 1, "d2"));
        assert!(chips(&[], 0, (7, 2), Arrows::Tile, theme)[0].spans.is_empty());
    }
}
