//! Brings the tiles of a large board near their goals: beams in windows that sweep over the board.
//!
//! A beam in a window ends as soon as its moves gain less than most moves of the sweep so far: the moves that bring the
//! last tiles of a window near are better made once their neighbours outside have arrived. So sweeps are repeated, each
//! from another corner, until they change little. Only then are windows put in order as far as beams can.

use std::time::Duration;

use loyd_search::{Meter, Stop};
use loyd_tiles::Move;

use super::geometry::{Grid, Layout};
use super::window_beam::{Effort, MAX_CELLS, Window, WindowBeam};
use super::workspace::BYTES_PER_MOVE;

/// A tile at distance d from its goal costs 10·d^`POWER`.
const POWER: f64 = 1.8;

/// A beam ends when its gain per move is less than this share of the mean of the sweep.
const MIN_SHARE: f64 = 0.85;

/// Number of moves from which their mean gain is meaningful.
const MIN_MEAN_MOVES: usize = 256;

/// Maximum number of sweeps that bring tiles near, and of final sweeps that put windows in order. Successive sweeps
/// start at different corners, and every fourth at the same one.
const MAX_SWEEPS: usize = 32;
const MAX_FINAL_SWEEPS: usize = 4;

/// Sweeps end with the first one that leaves more than this share of the total distance.
const CONVERGED: f64 = 0.9;

/// Cells of windows, and approximate nanoseconds of a sweep per unit of the total distance. Smaller windows are faster
/// and lead to longer solutions.
const WINDOWS: [(usize, u64); 4] = [(MAX_CELLS, 25_000), (144, 13_000), (100, 8_000), (64, 5_000)];

/// Maximum time of the sweeps if there is no time limit, and their share of the limit if there is one.
const MAX_TIME: Duration = Duration::from_secs(45);
const SHARE_OF_LIMIT: f64 = 0.7;

/// Appends moves that bring the tiles of `layout` near their goals.
///
/// Cost: some 10 µs per move on a square board.
///
/// # Errors
/// Returns the limit of `meter` that was reached. The moves made until then are still appended.
pub(super) fn sweep(
    grid: &Grid,
    layout: &mut Layout,
    moves: &mut Vec<Move>,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let limit = meter.limits().max_time.map(|limit| limit.mul_f64(SHARE_OF_LIMIT));
    let longest = limit.unwrap_or(MAX_TIME).as_nanos();
    let distance = layout.total_distance(grid) as u64;
    let is_fast = |&(_, each): &(usize, u64)| u128::from(distance * each) <= longest;
    // If even the smallest windows would take too long, there is no sweep, unless a time limit will end it.
    let smallest = limit.map(|_| WINDOWS[WINDOWS.len() - 1]);
    let Some((max_cells, _)) = WINDOWS.into_iter().find(is_fast).or(smallest) else {
        return Ok(());
    };
    let size = grid.size;
    let price = |distance: usize| (10.0 * (distance as f64).powf(POWER)).round() as i32;
    let mut sweeper = Sweeper {
        grid,
        prices: (0..size.width() + size.height()).map(price).collect(),
        windows: windows(grid, max_cells),
        beam: WindowBeam::new(),
        layout,
        moves,
    };
    let mut number = 0;
    let mut mean = 0.0;
    while number < MAX_SWEEPS {
        let before = sweeper.layout.total_distance(grid);
        mean = sweeper.run(number, Some(mean), meter)?;
        number += 1;
        let after = sweeper.layout.total_distance(grid);
        if after as f64 > CONVERGED * before as f64 {
            break;
        }
    }
    for last in 0..MAX_FINAL_SWEEPS {
        let before = sweeper.moves.len();
        sweeper.run(number + last, None, meter)?;
        if sweeper.moves.len() == before {
            break;
        }
    }
    Ok(())
}

struct Sweeper<'a> {
    grid: &'a Grid,
    /// Cost of each distance.
    prices: Vec<i32>,
    /// The windows, row by row.
    windows: Vec<Vec<Window>>,
    beam: WindowBeam,
    layout: &'a mut Layout,
    moves: &'a mut Vec<Move>,
}

impl Sweeper<'_> {
    /// Runs a beam in each window. If `mean` is the mean gain per move of the previous sweep, beams end when they gain
    /// less than [`MIN_SHARE`] of the mean of this sweep so far; if it is `None`, they run as long as they gain
    /// anything. Returns the mean gain.
    fn run(
        &mut self,
        number: usize,
        mean: Option<f64>,
        meter: &mut Meter<'_>,
    ) -> Result<f64, Stop> {
        let (mut gained, mut made, mut now) = (0_i64, 0, mean.unwrap_or(0.0));
        for window in order(&self.windows, number) {
            if self.is_in_order(window) {
                continue;
            }
            meter.reserve((BYTES_PER_MOVE * self.moves.len()) as u64)?;
            self.walk_to(window);
            let effort = Effort {
                least_rate: if mean.is_some() { (MIN_SHARE * now) as i32 } else { 0 },
                counts_conflicts: mean.is_none(),
            };
            let position = (self.grid, &*self.layout);
            let (gain, path) = self.beam.run(position, window, &self.prices, effort, meter)?;
            self.layout.walk(self.grid, &path);
            gained += i64::from(gain);
            made += path.len();
            self.moves.extend(path);
            if made >= MIN_MEAN_MOVES {
                now = gained as f64 / made as f64;
            }
        }
        Ok(now)
    }

    /// Returns whether all tiles of `window` are at their goals. Walking the blank there would only move them away.
    fn is_in_order(&self, window: Window) -> bool {
        let mut cells = (0..window.cells()).map(|index| window.cell(self.grid, index));
        cells.all(|cell| self.layout.cells[usize::from(cell)] == cell)
    }

    /// Walks the blank to the nearest cell of `window`.
    fn walk_to(&mut self, window: Window) {
        let (rows, columns) =
            (window.row..window.row + window.height, window.column..window.column + window.width);
        loop {
            let blank = self.layout.blank;
            let (row, column) = (self.grid.row(blank), self.grid.column(blank));
            let m = match () {
                () if row < rows.start => Move::Down,
                () if row >= rows.end => Move::Up,
                () if column < columns.start => Move::Right,
                () if column >= columns.end => Move::Left,
                () => return,
            };
            self.layout.apply(self.grid, m);
            self.moves.push(m);
        }
    }
}

/// Returns windows of at most `max_cells` cells, as square as the board allows, each half a window from the next.
pub(super) fn windows(grid: &Grid, max_cells: usize) -> Vec<Vec<Window>> {
    let (rows, columns) = (grid.size.height(), grid.size.width());
    let height = rows.min(max_cells.isqrt());
    let width = columns.min(max_cells / height);
    let height = rows.min(max_cells / width);
    let starts = |cells: usize, part: usize| {
        let step = (part / 2).max(1);
        (0..cells - part).step_by(step).chain([cells - part]).collect::<Vec<usize>>()
    };
    let row = |row| {
        let window = move |column| Window { row, column, height, width };
        starts(columns, width).into_iter().map(window).collect()
    };
    starts(rows, height).into_iter().map(row).collect()
}

/// Returns the windows in the order of a sweep: boustrophedon, along rows or columns, from another corner in each of
/// four sweeps.
fn order(windows: &[Vec<Window>], number: usize) -> Vec<Window> {
    let (rows, columns) = (windows.len(), windows[0].len());
    let along_rows = number % 4 < 2;
    let (outer, inner) = if along_rows { (rows, columns) } else { (columns, rows) };
    let mut ordered = Vec::with_capacity(rows * columns);
    for step in 0..outer {
        let line = if number.is_multiple_of(2) { step } else { outer - 1 - step };
        for place in 0..inner {
            let is_forward = step.is_multiple_of(2) == (number % 4 != 3);
            let place = if is_forward { place } else { inner - 1 - place };
            ordered.push(if along_rows { windows[line][place] } else { windows[place][line] });
        }
    }
    ordered
}
