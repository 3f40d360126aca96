//! The areas of the screen: a title, the board with a panel to its right or below, a slider, and a line of keys.

use loyd::Size;
use loyd::board::Cell;
use ratatui::layout::Rect;

use super::tray::Tray;

/// Minimum size of the screen.
const MIN_SIZE: (u16, u16) = (20, 7);

/// Margins, and the minimum size of a screen that has them.
const MARGINS: (u16, u16) = (2, 1);
const ROOMY: (u16, u16) = (60, 18);

/// Columns between the board and a panel to its right, and minimum and maximum width of the panel.
const GAP: u16 = 3;
const PANEL_COLUMNS: (u16, u16) = (31, 60);

/// Rows of a panel below the board, of one below a board that would otherwise have to scroll, and of one below a board
/// that scrolls.
const PANEL_ROWS: u16 = 3;
const MIN_PANEL_ROWS: u16 = 2;
const SCROLL_PANEL_ROWS: u16 = 4;

/// Rows that a panel to the right keeps before the board is centred vertically.
const BESIDE_ROWS: u16 = 20;

/// Areas of the screen without a board.
pub struct Areas {
    pub title: Rect,
    pub body: Rect,
    pub slider: Option<Rect>,
    pub keys: Rect,
}

impl Areas {
    /// Divides the screen, with margins if it is large.
    pub fn new(screen: Rect, has_slider: bool) -> Self {
        Self::with_margins(screen, margins(screen), has_slider)
    }

    fn with_margins(screen: Rect, (dx, dy): (u16, u16), has_slider: bool) -> Self {
        let row =
            |y| Rect { x: screen.x + dx, y, width: screen.width.saturating_sub(2 * dx), height: 1 };
        let around = 2 + 2 * dy + if has_slider { 1 + dy } else { 0 };
        Self {
            title: row(screen.y),
            body: Rect { height: screen.height.saturating_sub(around), ..row(screen.y + 1 + dy) },
            slider: has_slider.then(|| row(screen.bottom().saturating_sub(2 + dy))),
            keys: row(screen.bottom().saturating_sub(1)),
        }
    }
}

fn margins(screen: Rect) -> (u16, u16) {
    let margin = |length, roomy, margin| if length >= roomy { margin } else { 0 };
    (margin(screen.width, ROOMY.0, MARGINS.0), margin(screen.height, ROOMY.1, MARGINS.1))
}

/// Areas of the screen with a board.
pub struct Layout {
    pub areas: Areas,
    pub tray: Tray,
    pub panel: Rect,
    /// Whether the panel is to the right of the board.
    pub is_beside: bool,
}

impl Layout {
    /// Fits a board into the screen. There are no margins if the whole board fits only without them.
    pub fn new(screen: Rect, size: Size, blank: Cell, has_slider: bool) -> Self {
        let with = |margins| {
            let areas = Areas::with_margins(screen, margins, has_slider);
            let (tray, is_beside) = fit(size, blank, areas.body);
            (areas, tray, is_beside)
        };
        let (areas, mut tray, is_beside) = match with(margins(screen)) {
            (_, tray, _) if tray.part().is_some() => with((0, 0)),
            found => found,
        };
        let panel = centre(&mut tray.area, areas.body, is_beside);
        Self { areas, tray, panel, is_beside }
    }
}

/// Returns the largest layout of the whole board with its panel, which is to the right or below. If none fits, the
/// smallest tiles are used and the visible part contains the blank. Also returns whether the panel is to the right.
fn fit(size: Size, blank: Cell, area: Rect) -> (Tray, bool) {
    let right = GAP + PANEL_COLUMNS.0;
    for below in [PANEL_ROWS, MIN_PANEL_ROWS] {
        for tray in Tray::all(size, area) {
            for (columns, rows, is_beside) in [(right, 0, true), (0, below, false)] {
                if tray.area.width + columns <= area.width && tray.area.height + rows <= area.height
                {
                    return (tray, is_beside);
                }
            }
        }
    }
    let is_beside = area.width >= 2 * right;
    let room = match is_beside {
        true => Rect { width: area.width - right, ..area },
        false => Rect { height: area.height.saturating_sub(SCROLL_PANEL_ROWS), ..area },
    };
    (Tray::scrolled(size, blank, room), is_beside)
}

/// Centres the board and its panel in the body. Returns the area of the panel.
fn centre(board: &mut Rect, body: Rect, is_beside: bool) -> Rect {
    let (right, below) = (body.right(), body.bottom());
    if is_beside {
        let width = (right - board.right()).saturating_sub(GAP).min(PANEL_COLUMNS.1);
        board.x += (body.width - board.width).saturating_sub(GAP + width) / 2;
        let free = (body.height - board.height) / 2;
        board.y += free.min(body.height.saturating_sub(BESIDE_ROWS));
        return Rect { x: board.right() + GAP, y: board.y, width, height: below - board.y };
    }
    board.x += (body.width - board.width) / 2;
    // The text starts below the left edge of the board unless that leaves too little room.
    let x = if right - board.x >= PANEL_COLUMNS.0 { board.x } else { body.x };
    let width = (right - x).min(board.width.max(PANEL_COLUMNS.1));
    Rect { x, y: board.bottom(), width, height: below.saturating_sub(board.bottom()) }
}

/// Returns the size of the smallest screen of this width, or of the least width, that shows the whole board.
pub fn required_size(screen: Rect, size: Size, has_slider: bool) -> (u16, u16) {
    let (columns, rows) = Tray::least_extent(size);
    let panel = match screen.width >= columns + GAP + PANEL_COLUMNS.0 {
        true => 0,
        false => MIN_PANEL_ROWS,
    };
    let around = 2 + panel + u16::from(has_slider);
    (columns.max(MIN_SIZE.0), (rows + around).max(MIN_SIZE.1))
}

/// Returns whether nothing but a message fits into the screen.
pub fn is_tiny(screen: Rect) -> bool {
    screen.width < MIN_SIZE.0 || screen.height < MIN_SIZE.1
}

/// Describes the size that the board needs and the size of the screen.
pub fn too_small(screen: Rect, size: Size, has_slider: bool) -> String {
    let (width, height) = required_size(screen, size, has_slider);
    format!(
        "This board needs {width}x{height}; the terminal has {}x{}.",
        screen.width, screen.height
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout((width, height): (u16, u16), size: Size, has_slider: bool) -> Layout {
        Layout::new(Rect::new(0, 0, width, height), size, Cell::new(0), has_slider)
    }

    fn sizes() -> impl Iterator<Item = Size> {
        (2..=16).flat_map(|width| (2..=16).map(move |height| Size::new(width, height).unwrap()))
    }

    #[test]
    fn required_size_is_the_smallest_that_shows_the_whole_board() {
        for (size, has_slider) in sizes().flat_map(|size| [(size, false), (size, true)]) {
            let is_whole = |screen| layout(screen, size, has_slider).tray.part().is_none();
            for width in [20, 40, 59, 60, 80, 120, 200] {
                let (columns, rows) = required_size(Rect::new(0, 0, width, 9), size, has_slider);
                let width = width.max(columns);
                for height in rows..rows + 30 {
                    assert!(is_whole((width, height)), "{size} in {width}x{height}");
                }
                if (columns, rows) > MIN_SIZE && rows > MIN_SIZE.1 {
                    assert!(!is_whole((width, rows - 1)), "{size} in {width}x{}", rows - 1);
                }
                if columns > MIN_SIZE.0 {
                    assert!(!is_whole((columns - 1, 200)), "{size} in {}x200", columns - 1);
                }
            }
        }
    }

    #[test]
    fn everything_is_inside_the_screen_and_apart() {
        for size in sizes() {
            for screen in [(20, 7), (24, 8), (40, 20), (59, 17), (80, 24), (120, 40), (300, 100)] {
                let Layout { areas, tray, panel, is_beside } = layout(screen, size, true);
                let whole = Rect::new(0, 0, screen.0, screen.1);
                let slider = areas.slider.unwrap();
                for area in [areas.title, tray.area, panel, slider, areas.keys] {
                    assert_eq!(whole.intersection(area), area, "{size} in {screen:?}");
                }
                for (one, other) in [
                    (areas.title, tray.area),
                    (tray.area, panel),
                    (tray.area, slider),
                    (panel, slider),
                    (slider, areas.keys),
                ] {
                    assert!(!one.intersects(other), "{size} in {screen:?}: {one} and {other}");
                }
                let (left, right) = match is_beside {
                    true => (tray.area.x, screen.0 - panel.right()),
                    false => (tray.area.x, screen.0 - tray.area.right()),
                };
                assert!(left.abs_diff(right) <= 1, "{size} in {screen:?}: {left} and {right}");
            }
        }
    }

    #[test]
    fn tiles_grow_with_the_screen() {
        for size in sizes() {
            let mut before = 0;
            for scale in 1..=12 {
                let tray = layout((scale * 40, scale * 14), size, false).tray;
                if tray.part().is_none() {
                    let cells = u32::from(tray.area.width) * u32::from(tray.area.height);
                    assert!(cells >= before, "{size} at {scale}");
                    before = cells;
                }
            }
        }
    }
}
