//! The board on the screen: the size of its tiles, its visible part, and its marks.

use loyd::board::Cell;
use loyd::{Board, Move, Problem, Size};
use loyd_play::{Homes, TileStatus};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::page::{digit_rows, digits_width};
use super::theme::Theme;
use super::words::arrow;

/// Columns and rows of a tile, including the gap to its right and below; largest first.
const TILES: [(u16, u16); 9] =
    [(38, 19), (30, 15), (24, 12), (18, 9), (14, 7), (10, 5), (8, 4), (7, 3), (5, 2)];

/// Rows of a face from which numbers are drawn in large digits.
const HIGH_FACE: u16 = 7;

/// Layout of the board on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tray {
    /// The whole area of the board.
    pub area: Rect,
    size: Size,
    /// Columns and rows of a tile.
    tile: (u16, u16),
    /// Visible columns and rows of tiles, and the first of them.
    visible: (usize, usize),
    first: (usize, usize),
}

/// Marks on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The last push, as direction of the blank and number of tiles.
    pub moved: Option<(Move, usize)>,
    /// The push of the hint.
    pub hint: Option<(Move, usize)>,
    /// The two tiles to exchange to make the board solvable.
    pub exchange: Option<(Cell, Cell)>,
}

impl Tray {
    /// Returns the layouts of the whole board at the upper left corner of `area`, largest first.
    pub fn all(size: Size, area: Rect) -> impl Iterator<Item = Self> {
        let whole = (size.width(), size.height());
        tiles(size).map(move |tile| Self::new(size, tile, whole, Cell::new(0), area))
    }

    /// Returns the layout with the smallest tiles of the part of the board around the blank that fits into `area`.
    pub fn scrolled(size: Size, blank: Cell, area: Rect) -> Self {
        let tile = smallest_tile(size);
        let columns = usize::from(area.width.saturating_sub(1) / tile.0).clamp(1, size.width());
        let rows = usize::from(area.height / tile.1).clamp(1, size.height());
        Self::new(size, tile, (columns, rows), blank, area)
    }

    fn new(size: Size, tile: (u16, u16), visible: (usize, usize), blank: Cell, area: Rect) -> Self {
        let (width, height) = extent(tile, visible.0, visible.1);
        let area = Rect { width, height, ..area };
        // Centers the blank, except near the edge of the board.
        let first = |at: usize, visible: usize, all: usize| {
            at.saturating_sub(visible / 2).min(all - visible)
        };
        let first = (
            first(size.column(blank), visible.0, size.width()),
            first(size.row(blank), visible.1, size.height()),
        );
        Self { area, size, tile, visible, first }
    }

    /// Describes the visible columns and rows, if not all are visible.
    pub fn part(&self) -> Option<String> {
        let part = |word, first: usize, visible: usize, all: usize| {
            (visible < all).then(|| format!("{word} {} to {}", first + 1, first + visible))
        };
        let parts = [
            part("columns", self.first.0, self.visible.0, self.size.width()),
            part("rows", self.first.1, self.visible.1, self.size.height()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Returns the columns and rows of a whole board with the smallest tiles.
    pub fn least_extent(size: Size) -> (u16, u16) {
        extent(smallest_tile(size), size.width(), size.height())
    }

    /// Returns the number of rows above the tiles.
    fn rim(&self) -> u16 {
        u16::from(self.tile.1 > 1)
    }

    /// Returns the cell at a position on the screen.
    pub fn cell_at(&self, at: Position) -> Option<Cell> {
        if !self.area.contains(at) || at.x == self.area.x {
            return None;
        }
        let row = (at.y - self.area.y).checked_sub(self.rim())? / self.tile.1;
        let column = usize::from((at.x - self.area.x - 1) / self.tile.0) + self.first.0;
        Some(self.size.cell(usize::from(row) + self.first.1, column))
    }

    /// Returns the area of the face of a cell, if it is visible.
    fn face_of(&self, cell: Cell) -> Option<Rect> {
        let column = self.size.column(cell).checked_sub(self.first.0)?;
        let row = self.size.row(cell).checked_sub(self.first.1)?;
        (column < self.visible.0 && row < self.visible.1).then(|| Rect {
            x: self.area.x + 1 + column as u16 * self.tile.0,
            y: self.area.y + self.rim() + row as u16 * self.tile.1,
            width: self.tile.0 - 1,
            height: self.tile.1,
        })
    }

    /// Draws the board.
    pub fn draw(&self, board: &Board, homes: &Homes, marks: Marks, theme: Theme, to: &mut Buffer) {
        for (cell, face) in self.faces(theme, to) {
            let tile = board.tile(cell);
            match homes.status(tile, cell) {
                TileStatus::Blank => self.draw_blank(face, marks, theme, to),
                place => {
                    let mark = mark_of(board, cell, marks);
                    draw_tile(face, &self.aligned(&tile.to_string()), theme, (place, mark), to);
                }
            }
        }
    }

    /// Draws the goal, with `*` on cells that may hold any tile.
    pub fn draw_goal(&self, problem: &Problem, theme: Theme, to: &mut Buffer) {
        for (cell, face) in self.faces(theme, to) {
            let tile = match problem.partial_goal() {
                Some(goal) => goal.required(cell),
                None => Some(problem.goal().tile(cell)),
            };
            match tile {
                Some(tile) if tile.is_blank() => {}
                Some(tile) => {
                    let place = TileStatus::Home(self.size.row(cell));
                    draw_tile(face, &self.aligned(&tile.to_string()), theme, (place, None), to);
                }
                None => {
                    draw_tile(face, &self.aligned("*"), theme, (TileStatus::Anywhere, None), to);
                }
            }
        }
    }

    /// Draws the ground, and returns the visible cells with the areas of their faces.
    fn faces(&self, theme: Theme, to: &mut Buffer) -> Vec<(Cell, Rect)> {
        to.set_style(self.area, theme.tray());
        if let Some(style) = theme.rim().filter(|_| self.rim() > 0) {
            to.set_string(self.area.x, self.area.y, "▄".repeat(self.area.width.into()), style);
        }
        self.size.iter_cells().filter_map(|cell| Some((cell, self.face_of(cell)?))).collect()
    }

    /// Returns the text on a tile, as wide as the largest number.
    fn aligned(&self, text: &str) -> String {
        format!("{text:>0$}", digits(self.size))
    }

    fn draw_blank(&self, face: Rect, marks: Marks, theme: Theme, to: &mut Buffer) {
        let (push, style) = match marks {
            Marks { hint: Some(hint), .. } => (hint, theme.accent()),
            Marks { moved: Some(moved), .. } => (moved, theme.muted()),
            _ => return,
        };
        let row = face.y + (face.height - 1) / 2;
        to.set_string(face.x + face.width / 2, row, arrow(push.0), theme.tray().patch(style));
    }
}

/// Returns the number of digits of the largest tile.
fn digits(size: Size) -> usize {
    size.tiles().to_string().len()
}

/// Returns the columns and rows of a tile, largest first.
fn tiles(size: Size) -> impl Iterator<Item = (u16, u16)> + Clone {
    let digits = digits(size) as u16;
    let small = [(digits + 2, 1), (digits + 1, 1)];
    TILES.into_iter().filter(move |tile| tile.0 > digits + 1).chain(small)
}

/// Returns the columns and rows of the smallest tile.
fn smallest_tile(size: Size) -> (u16, u16) {
    tiles(size).last().expect("there are two small tiles for each size")
}

/// Returns the columns and rows of a block of tiles, including the rim.
fn extent(tile: (u16, u16), columns: usize, rows: usize) -> (u16, u16) {
    let rim = u16::from(tile.1 > 1);
    (1 + columns as u16 * tile.0, rim + rows as u16 * tile.1)
}

/// Mark of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Moved,
    Hint,
    Exchange,
}

fn mark_of(board: &Board, cell: Cell, marks: Marks) -> Option<Mark> {
    if marks.exchange.is_some_and(|(one, other)| cell == one || cell == other) {
        return Some(Mark::Exchange);
    }
    // A hint moves the tiles ahead of the blank; the last push left its tiles behind the blank.
    let is_in = |(direction, tiles): (Move, usize)| {
        let size = board.size();
        let mut cells = std::iter::successors(size.neighbour(board.blank(), direction), |&at| {
            size.neighbour(at, direction)
        });
        cells.by_ref().take(tiles).any(|other| other == cell)
    };
    if marks.hint.is_some_and(is_in) {
        return Some(Mark::Hint);
    }
    let moved = marks.moved.map(|(direction, tiles)| (direction.inverse(), tiles));
    (moved.is_some_and(is_in)).then_some(Mark::Moved)
}

fn draw_tile(
    face: Rect,
    number: &str,
    theme: Theme,
    (place, mark): (TileStatus, Option<Mark>),
    to: &mut Buffer,
) {
    let look = theme.face(place);
    let full = if face.height > 1 { face.height - 1 } else { 1 };
    to.set_style(Rect { height: full, ..face }, look.style);
    if face.height > 1 {
        let edge = look.edge.repeat(face.width.into());
        to.set_string(face.x, face.y + full, edge, look.edge_style);
    }
    let (signs, style) = match mark {
        None => (None, Style::new()),
        Some(Mark::Moved) => (Some(("[", "]")), theme.moved()),
        Some(Mark::Hint) => (Some((">", "<")), theme.accent()),
        Some(Mark::Exchange) => (Some(("*", "*")), theme.accent()),
    };
    let style = look.style.patch(style);
    let is_large = face.height >= HIGH_FACE && digits_width(number) < face.width.into();
    // Small numbers are aligned on the right, so that the digits of a column of tiles are below each other.
    let (lines, width) = match is_large {
        true => (digit_rows(number.trim_start()).to_vec(), digits_width(number.trim_start()) - 1),
        false => (vec![number.to_owned()], number.len()),
    };
    let width = width as u16;
    let x = face.x + (face.width - width.min(face.width)).div_ceil(2);
    let y = face.y + (face.height - lines.len() as u16) / 2;
    for (line, row) in lines.iter().zip(y..) {
        to.set_string(x, row, line, style);
    }
    if let Some((left, right)) = signs {
        // On a tall face, bars alone mark the moved tile.
        if face.height <= 2 || mark != Some(Mark::Moved) {
            to.set_string(x.saturating_sub(1), y, left, style);
            to.set_string(x + width, y, right, style);
        }
        if face.height > 2 {
            for row in 0..full {
                to.set_string(face.x, face.y + row, "▌", style);
                to.set_string(face.right() - 1, face.y + row, "▐", style);
            }
        }
    }
}
