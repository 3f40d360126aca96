//! Solutions as animated SVG: CSS animations slide the tiles. The document contains no scripts and loads nothing.

use std::fmt::Write as _;

use loyd::{Board, Move, Problem};

use super::svg::escaped;

/// Maximum number of steps of an animation.
pub const MAX_STEPS: usize = 1000;
/// Maximum number of cells of an animated board.
pub const MAX_CELLS: usize = 256;

/// Edge length of a cell.
const CELL: usize = 64;
/// Gap between two tiles.
const GAP: usize = 4;
/// Margin around the tiles.
const MARGIN: usize = 12;
/// Height of the line with the step counter.
const CAPTION: usize = 32;

/// Seconds before the first step.
const BEFORE: f64 = 0.8;
/// Seconds from one step to the next.
const STEP: f64 = 0.4;
/// Seconds that a slide takes.
const SLIDE: f64 = 0.25;
/// Seconds for which the final board is shown before the animation repeats.
const AFTER: f64 = 2.0;

/// Colours of the rows of the goal, repeating, for the light and the dark theme.
const ROWS: [[&str; 2]; 5] = [
    ["#f0ce6a", "#925e12"],
    ["#91daff", "#3b5091"],
    ["#eb906e", "#612600"],
    ["#c3efc4", "#13786a"],
    ["#97a3f9", "#393655"],
];

/// Reason why a solution cannot be animated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnimationError {
    /// The number of steps exceeds [`MAX_STEPS`].
    Steps(usize),
    /// The number of cells exceeds [`MAX_CELLS`].
    Cells(usize),
}

impl std::fmt::Display for AnimationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Steps(steps) => {
                write!(
                    f,
                    "a solution of {steps} steps is too long for an animation: at most {MAX_STEPS} are allowed"
                )
            }
            Self::Cells(cells) => {
                write!(
                    f,
                    "a board of {cells} cells is too large for an animation: at most {MAX_CELLS} are allowed"
                )
            }
        }
    }
}

impl std::error::Error for AnimationError {}

/// Returns an SVG document that plays `steps` from the start of `problem` in a loop; each step is a move or a slide of
/// several tiles. Readers who prefer reduced motion see the start.
///
/// # Errors
/// Returns an error if there are more than [`MAX_STEPS`] steps or [`MAX_CELLS`] cells.
///
/// # Panics
/// Panics if a move leaves the board.
pub fn animation(problem: &Problem, steps: &[Vec<Move>]) -> Result<String, AnimationError> {
    let start = problem.start();
    let size = start.size();
    if steps.len() > MAX_STEPS {
        return Err(AnimationError::Steps(steps.len()));
    }
    if size.cells() > MAX_CELLS {
        return Err(AnimationError::Cells(size.cells()));
    }
    let frames = Frames::new(start, steps);
    let (width, height) = (size.width() * CELL, size.height() * CELL);
    let (full, tall) = (width + 2 * MARGIN, height + 2 * MARGIN + CAPTION);
    let title =
        format!("A solution of {} in {} steps", loyd::notation::slashes(start), steps.len());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full} {tall}\" width=\"{full}\" height=\"{tall}\" \
         role=\"img\">\n<title>{}</title>\n<style>\n{}</style>\n",
        escaped(&title),
        frames.style(),
    );
    let _ = writeln!(
        svg,
        "<rect class=\"tray\" width=\"{full}\" height=\"{tall}\" rx=\"12\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">"
    );
    frames.write_tiles(&mut svg, problem);
    frames.write_caption(&mut svg, height);
    svg.push_str("</g>\n</svg>\n");
    Ok(svg)
}

/// Positions of the tiles over time.
struct Frames {
    /// For each tile, its number and its positions as pairs of step number and cell: the start, then each step that
    /// moves it.
    tiles: Vec<(u32, Vec<(usize, usize)>)>,
    width: usize,
    steps: usize,
}

impl Frames {
    fn new(start: &Board, steps: &[Vec<Move>]) -> Self {
        let on = |board: &Board| -> Vec<u32> { board.numbers().map(u32::from).collect() };
        let first = on(start);
        let mut tiles: Vec<(u32, Vec<(usize, usize)>)> = first
            .iter()
            .enumerate()
            .map(|(cell, &number)| (number, vec![(0, cell)]))
            .filter(|&(number, _)| number != 0)
            .collect();
        tiles.sort_by_key(|&(number, _)| number);
        let mut board = start.clone();
        for (index, step) in steps.iter().enumerate() {
            board.walk(step).expect("a solution stays on the board");
            for (cell, number) in
                on(&board).into_iter().enumerate().filter(|&(_, number)| number != 0)
            {
                let places = &mut tiles[number as usize - 1].1;
                if places.last().is_some_and(|&(_, last)| last != cell) {
                    places.push((index + 1, cell));
                }
            }
        }
        Self { tiles, width: start.size().width(), steps: steps.len() }
    }

    /// Returns the duration of one loop in seconds.
    fn time(&self) -> f64 {
        BEFORE + STEP * self.steps as f64 + AFTER
    }

    /// Returns the time `later` seconds after the start of step `step` (from 1) as a percentage of the loop.
    fn percent(&self, step: usize, later: f64) -> f64 {
        100.0 * (BEFORE + STEP * (step as f64 - 1.0) + later) / self.time()
    }

    fn place(&self, cell: usize) -> String {
        let (row, column) = (cell / self.width, cell % self.width);
        format!("transform:translate({}px,{}px)", column * CELL, row * CELL)
    }

    /// Returns the style sheet: colours, and an animation for each tile that moves.
    fn style(&self) -> String {
        let mut style = colours();
        for (number, places) in &self.tiles {
            let _ = writeln!(style, ".t{number}{{{}}}", self.place(places[0].1));
        }
        if self.steps == 0 {
            return style;
        }
        let _ = writeln!(style, "@media (prefers-reduced-motion:no-preference){{");
        for (number, _) in self.tiles.iter().filter(|(_, places)| places.len() > 1) {
            let _ = writeln!(
                style,
                ".t{number}{{animation:k{number} {:.1}s ease-in-out infinite}}",
                self.time()
            );
        }
        let _ =
            writeln!(style, ".steps{{animation:steps {:.1}s step-end infinite}}\n}}", self.time());
        for (number, places) in self.tiles.iter().filter(|(_, places)| places.len() > 1) {
            let _ = write!(style, "@keyframes k{number}{{");
            for pair in places.windows(2) {
                let [(_, from), (step, to)] = [pair[0], pair[1]];
                let _ = write!(
                    style,
                    "{:.4}%{{{}}}{:.4}%{{{}}}",
                    self.percent(step, 0.0),
                    self.place(from),
                    self.percent(step, SLIDE),
                    self.place(to)
                );
            }
            let last = places.last().map_or(0, |&(_, cell)| cell);
            let _ = writeln!(style, "100%{{{}}}}}", self.place(last));
        }
        let _ = write!(style, "@keyframes steps{{0%{{transform:none}}");
        for step in 1..=self.steps {
            let up = step * CAPTION;
            let _ =
                write!(style, "{:.4}%{{transform:translateY(-{up}px)}}", self.percent(step, 0.0));
        }
        style.push_str("}\n");
        style
    }

    fn write_tiles(&self, svg: &mut String, problem: &Problem) {
        let (edge, middle) = (CELL - GAP, CELL / 2);
        let font = if self.tiles.len() > 99 { 20 } else { 26 };
        let _ = writeln!(svg, "<g font-size=\"{font}\">");
        for (number, _) in &self.tiles {
            let class = row_of(problem, *number).map_or("free".to_owned(), |row| format!("r{row}"));
            let half = GAP / 2;
            let _ = writeln!(
                svg,
                "<g class=\"t{number}\"><rect class=\"{class}\" x=\"{half}\" y=\"{half}\" width=\"{edge}\" height=\"{edge}\" \
                 rx=\"8\"/><text x=\"{middle}\" y=\"{middle}\" dy=\".36em\">{number}</text></g>"
            );
        }
        svg.push_str("</g>\n");
    }

    /// Writes the step counter, a strip of numbers of which one is visible at a time.
    fn write_caption(&self, svg: &mut String, height: usize) {
        let (width, top) = (self.width * CELL, height + 6);
        let _ = writeln!(
            svg,
            "<svg x=\"0\" y=\"{top}\" width=\"{width}\" height=\"{CAPTION}\"><g class=\"steps\" font-size=\"16\">"
        );
        for step in 0..=self.steps {
            let (middle, y) = (width / 2, step * CAPTION + CAPTION / 2);
            let _ = writeln!(
                svg,
                "<text class=\"step\" x=\"{middle}\" y=\"{y}\" dy=\".36em\">{step} / {}</text>",
                self.steps
            );
        }
        svg.push_str("</g></svg>\n");
    }
}

fn colours() -> String {
    let rows = |theme: usize| -> String {
        ROWS.iter()
            .zip(1..)
            .map(|(row, number)| format!(".r{number}{{fill:{}}}", row[theme]))
            .collect()
    };
    let fonts = "font-family:system-ui,\"Segoe UI\",\"Noto Sans\",sans-serif;font-weight:600;text-anchor:middle";
    format!(
        ".tray{{fill:#e6eae8}}.free{{fill:#fff}}text{{fill:#15201c;{fonts}}}\n{}\n\
         @media (prefers-color-scheme:dark){{.tray{{fill:#0a0d0f}}.free{{fill:#262d31}}text{{fill:#e9efec}}{}}}\n",
        rows(0),
        rows(1)
    )
}

/// Returns the colour class of a tile, the row of its goal cell (from 1, repeating); `None` for a don't-care tile.
fn row_of(problem: &Problem, number: u32) -> Option<usize> {
    let goal = problem.goal();
    let is_it = |cell: &loyd::board::Cell| u32::from(goal.tile(*cell).number()) == number;
    let cell = goal.size().iter_cells().find(is_it)?;
    let is_free = problem.partial_goal().is_some_and(|part| part.required(cell).is_none());
    (!is_free).then(|| goal.size().row(cell) % ROWS.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd::moves::{Metric, moves_in};
    use loyd::notation::parse_moves;

    fn problem(text: &str) -> Problem {
        text.parse().unwrap()
    }

    /// Panics unless every element of `svg` is closed by its own end tag.
    fn check_is_well_formed(svg: &str) {
        let mut open = Vec::new();
        let mut rest = svg;
        while let Some(start) = rest.find('<') {
            assert!(
                !rest[..start].contains('>') && !rest[..start].contains('&'),
                "{}",
                &rest[..start]
            );
            let end = start + rest[start..].find('>').expect("a tag ends");
            let tag = &rest[start + 1..end];
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
    }

    /// Returns the part of `text` between `before` and `after`.
    fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
        text.split_once(before).expect(before).1.split_once(after).expect(after).0
    }

    /// Returns the cells of a tile over time, according to its keyframes.
    fn cells(svg: &str, number: usize, width: usize) -> Vec<usize> {
        let name = format!("@keyframes k{number}{{");
        let frames = match svg.split_once(&name) {
            Some((_, rest)) => rest.split_once('\n').unwrap().0,
            None => between(svg, &format!(".t{number}{{"), "\n"),
        };
        let places = frames.split("translate(").skip(1).map(|place| {
            let (x, rest) = place.split_once("px,").unwrap();
            let y = rest.split_once("px").unwrap().0;
            y.parse::<usize>().unwrap() / CELL * width + x.parse::<usize>().unwrap() / CELL
        });
        let mut places: Vec<usize> = places.collect();
        places.dedup();
        places
    }

    #[test]
    fn animation_leads_from_start_to_goal() {
        let problem = problem("2 3 4/1 5 0/7 6 8");
        let moves = parse_moves("ullddrurdllurrdlurd").unwrap();
        for (metric, steps) in [(Metric::SingleTile, 19), (Metric::MultiTile, 15)] {
            let steps_of = moves_in(metric, &moves);
            assert_eq!(steps_of.len(), steps);
            let svg = animation(&problem, &steps_of).unwrap();
            check_is_well_formed(&svg);
            assert_eq!(svg.matches("class=\"step\"").count(), steps + 1);
            assert_eq!(between(&svg, "@keyframes steps{", "\n").matches("%{").count(), steps + 1);
            // Every tile slides from its cell at the start to its cell in the goal.
            let slides: usize = (1..9).map(|number| cells(&svg, number, 3).len() - 1).sum();
            assert_eq!(slides, moves.len());
            for (cell, number) in (1..9).enumerate() {
                let path = cells(&svg, number, 3);
                assert_eq!(path.last(), Some(&cell), "tile {number}");
                let first = problem.start().numbers().position(|tile| usize::from(tile) == number);
                assert_eq!(path.first().copied(), first);
            }
        }
    }

    #[test]
    fn animation_respects_reduced_motion_and_loads_nothing() {
        let svg = animation(&problem("1 2 3/4 5 6/7 x 8"), &[vec![Move::Right]]).unwrap();
        let animated = between(&svg, "@media (prefers-reduced-motion:no-preference){", "\n}");
        assert_eq!(svg.matches("animation:").count(), animated.matches("animation:").count());
        assert!(svg.contains("@media (prefers-color-scheme:dark)"));
        for foreign in ["<script", "href", "url(", "@import", "onload"] {
            assert!(!svg.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn solved_board_has_no_animation() {
        let svg = animation(&problem("1 2 3/4 5 6/7 8 x"), &[]).unwrap();
        check_is_well_formed(&svg);
        assert!(!svg.contains("animation") && svg.matches("class=\"step\"").count() == 1);
    }

    #[test]
    fn too_many_steps_are_refused() {
        let steps: Vec<_> =
            [Move::Left, Move::Right].repeat(501).into_iter().map(|m| vec![m]).collect();
        let board = problem("1 2 3/4 5 6/7 8 x");
        assert_eq!(animation(&board, &steps), Err(AnimationError::Steps(1002)));
        assert!(animation(&board, &steps[..1000]).is_ok());
    }
}
