//! Solves the last tiles of a large board that is otherwise in order, in two ways.
//!
//! [`tidy`] repairs windows. A blank that walks to a pair of tiles shifts all tiles on its path. So it walks from its goal
//! along a straight path, repairs tiles in a window at the end of that path, as [`super::repair`] does on a whole board,
//! and walks back the same way, which restores the shifted tiles.
//!
//! [`solve_by_three_cycles`] solves the rest, wherever the tiles are, three at a time. Three tiles are brought into a 2x2
//! square with the blank, which goes round once, so that the tiles change places. Then all other moves are undone, so that
//! no other tile has moved. Every even permutation is a product of such 3-cycles.

use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Cell, Move, Size};

use super::geometry::{Geometry, Grid, Layout, Position};
use super::lines::LockedBoard;
use super::repair::repair;
use super::sweep::windows;
use super::window_beam::Window;
use super::workspace::Workspace;

/// Maximum cells of a window: few enough that it does not have too many wrong tiles for repairs.
const WINDOW_CELLS: usize = 100;

/// Maximum number of passes over the board. The second one repairs what the first has brought together.
const PASSES: usize = 2;

/// Appends moves that repair one window after the other.
///
/// # Errors
/// Returns the limit of `meter` that was reached. The repairs made until then are still appended.
pub(super) fn tidy(
    grid: &Grid,
    layout: &mut Layout,
    moves: &mut Vec<Move>,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let path = straight(grid, layout.blank, grid.blank_goal);
    layout.walk(grid, &path);
    moves.extend(path);
    let mut windows: Vec<Vec<Window>> = windows(grid, WINDOW_CELLS);
    windows.iter_mut().skip(1).step_by(2).for_each(|row| row.reverse());
    let mut windows: Vec<Window> = windows.into_iter().flatten().collect();
    if windows[0].height < 3 || windows[0].width < 3 {
        return Ok(());
    }
    for _ in 0..PASSES {
        if !layout.is_solved() {
            pass(grid, layout, moves, &windows, meter)?;
            windows.reverse();
        }
    }
    Ok(())
}

/// Repairs each window as far as possible. A window with an odd permutation keeps one pair.
///
/// `layout` always has the blank at its goal. The moves between two windows follow the first path back only as far as
/// the second path differs from it.
fn pass(
    grid: &Grid,
    layout: &mut Layout,
    moves: &mut Vec<Move>,
    windows: &[Window],
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let (mut from, mut result): (Vec<Move>, _) = (Vec::new(), Ok(()));
    for &window in windows {
        let is_at_goal = |index| {
            let cell = window.cell(grid, index);
            layout.cells[usize::from(cell)] == cell
        };
        if (0..window.cells()).all(is_at_goal) {
            continue;
        }
        result = meter.check();
        if result.is_err() {
            break;
        }
        let to = straight(grid, grid.blank_goal, nearest(grid, window, grid.blank_goal));
        layout.walk(grid, &to);
        let repairs = repaired(grid, layout, window);
        layout.walk(grid, &repairs);
        to.iter().rev().for_each(|m| layout.apply(grid, m.inverse()));
        if !repairs.is_empty() {
            walk(moves, &from, &to);
            moves.extend(repairs);
            from = to;
        }
    }
    walk(moves, &from, &[]);
    result
}

/// Appends the moves from the end of one path to the end of another that starts on the same cell.
fn walk(moves: &mut Vec<Move>, from: &[Move], to: &[Move]) {
    let shared = from.iter().zip(to).take_while(|(one, other)| one == other).count();
    moves.extend(from[shared..].iter().rev().map(|m| m.inverse()));
    moves.extend(&to[shared..]);
}

/// Returns the path from one cell to another, along the column first.
fn straight(grid: &Grid, from: u16, to: u16) -> Vec<Move> {
    let line = |from: usize, to: usize, back, on| {
        std::iter::repeat_n(if to < from { back } else { on }, from.abs_diff(to))
    };
    let rows = line(grid.row(from), grid.row(to), Move::Up, Move::Down);
    rows.chain(line(grid.column(from), grid.column(to), Move::Left, Move::Right)).collect()
}

/// Returns the cell of `window` that is nearest to `cell`.
fn nearest(grid: &Grid, window: Window, cell: u16) -> u16 {
    let row = grid.row(cell).clamp(window.row, window.row + window.height - 1);
    let column = grid.column(cell).clamp(window.column, window.column + window.width - 1);
    grid.cell(row, column)
}

fn contains(grid: &Grid, window: Window, cell: u16) -> bool {
    nearest(grid, window, cell) == cell
}

/// Returns moves of the blank inside `window`, from its cell and back, that repair tiles.
fn repaired(grid: &Grid, layout: &Layout, window: Window) -> Vec<Move> {
    let size = Size::new(window.width as u32, window.height as u32);
    let size = size.expect("a window has at least nine cells");
    let blank = window.index(grid, layout.blank);
    let mut cells = targets(grid, layout, window);
    if is_odd(&cells) {
        // No repair solves an odd permutation, so one wrong tile is declared to be right.
        let wrong = (0..cells.len())
            .find(|&at| cells[at] != at)
            .expect("an odd permutation has a wrong tile");
        let other = cells[wrong];
        cells.swap(wrong, other);
    }
    let geometry = Geometry::new(&Board::in_order(size, Cell::new(blank)));
    let cells = cells.into_iter().map(|cell| cell as u8).collect();
    repair(&geometry, &Position { cells, blank: blank as u8 })
}

/// Returns, for each cell of `window`, the target cell of its tile: its goal if that is in the window, or else a cell
/// whose own tile is outside. The blank stays on its cell.
fn targets(grid: &Grid, layout: &Layout, window: Window) -> Vec<usize> {
    let blank = window.index(grid, layout.blank);
    let own_target = |at: usize| {
        let goal = layout.cells[usize::from(window.cell(grid, at))];
        match at == blank {
            true => Some(blank),
            false if contains(grid, window, goal) => {
                Some(window.index(grid, goal)).filter(|&target| target != blank)
            }
            false => None,
        }
    };
    let mut targets: Vec<Option<usize>> = (0..window.cells()).map(own_target).collect();
    let mut is_taken = vec![false; window.cells()];
    targets.iter().flatten().for_each(|&target| is_taken[target] = true);
    // Tiles from outside stay on their cells if possible.
    for at in 0..window.cells() {
        if targets[at].is_none() && !is_taken[at] {
            (targets[at], is_taken[at]) = (Some(at), true);
        }
    }
    let mut gaps = (0..window.cells()).filter(|&at| !is_taken[at]);
    let targets = targets.into_iter().map(|target| target.or_else(|| gaps.next()));
    targets.map(|target| target.expect("there is one gap per tile without a target")).collect()
}

/// Returns whether `cells` is an odd permutation.
fn is_odd(cells: &[usize]) -> bool {
    let (mut seen, mut exchanges) = (vec![false; cells.len()], 0);
    for first in 0..cells.len() {
        let mut at = first;
        while !std::mem::replace(&mut seen[at], true) {
            at = cells[at];
            exchanges += usize::from(at != first);
        }
    }
    exchanges % 2 == 1
}

/// Maximum number of wrong tiles. Each takes milliseconds and some dozens of moves.
const MAX_WRONG: usize = 1_500;

/// Maximum number of states expanded to bring a tile a few cells farther.
const MAX_STATES: usize = 2_000;

/// Maximum number of placements in squares tried for a cycle: those with the shortest paths for the tiles.
const MAX_TRIED: usize = 8;

/// Moves of the blank round a square.
const ROUND: [Move; 4] = [Move::Up, Move::Right, Move::Down, Move::Left];

/// Appends moves that solve all tiles of `layout`, or as many as 3-cycles can. The blank must be at its goal, and ends
/// there.
///
/// # Errors
/// Returns the limit that was reached. The cycles made until then are still appended.
pub(super) fn solve_by_three_cycles(
    grid: &Grid,
    layout: &mut Layout,
    moves: &mut Vec<Move>,
    work: &mut Workspace<'_, '_>,
) -> Result<(), Stop> {
    let mut wrong: Vec<u16> =
        (0..).zip(&layout.cells).filter(|&(cell, &goal)| cell != goal).map(|(c, _)| c).collect();
    if wrong.len() > MAX_WRONG {
        return Ok(());
    }
    while let Some(cells) = nearest_cycle(grid, layout, &wrong) {
        let Some(path) = cycle(grid, layout, cells, work)? else { break };
        layout.walk(grid, &path);
        moves.extend(path);
        wrong.retain(|&cell| layout.cells[usize::from(cell)] != cell);
    }
    Ok(())
}

/// Returns three cells, as near to each other as possible, such that the first holds the tile of the second and, if
/// possible, the second that of the third.
fn nearest_cycle(grid: &Grid, layout: &Layout, wrong: &[u16]) -> Option<[u16; 3]> {
    let goal = |cell: u16| layout.cells[usize::from(cell)];
    let cycles = wrong.iter().filter_map(|&first| {
        let second = goal(first);
        let third = match goal(second) {
            third if third != first => third,
            // A pair of swapped tiles is solved together with a tile of another cycle.
            _ => {
                let others = wrong.iter().copied().filter(|&cell| cell != first && cell != second);
                others.min_by_key(|&cell| grid.distance(second, cell))?
            }
        };
        let far = grid.distance(first, second) + grid.distance(second, third);
        Some((far, [first, second, third]))
    });
    cycles.min().map(|(_, cells)| cells)
}

/// Returns the fewest moves found that take the tile on the first cell to the second, that on the second to the third,
/// and that on the third to the first.
fn cycle(
    grid: &Grid,
    layout: &Layout,
    cells: [u16; 3],
    work: &mut Workspace<'_, '_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let squares = squares(grid, cells[1]).into_iter();
    let mut places: Vec<[u16; 3]> = squares.flat_map(orders).collect();
    places.sort_by_key(|&[first, third, _]| {
        grid.distance(cells[0], first) + grid.distance(cells[2], third)
    });
    let mut best: Option<Vec<Move>> = None;
    for places in places.into_iter().take(MAX_TRIED) {
        let found = cycle_at(grid, layout, cells, places, work)?;
        best = best.into_iter().chain(found).min_by_key(Vec::len);
    }
    Ok(best)
}

/// Returns the other cells of each 2x2 square that contains `cell`.
fn squares(grid: &Grid, cell: u16) -> Vec<[u16; 3]> {
    let neighbour = |from: u16, m: Move| Some(grid.target(from, m)).filter(|&to| to != from);
    let square = |vertical, horizontal| {
        let (one, other) = (neighbour(cell, vertical)?, neighbour(cell, horizontal)?);
        Some([one, other, neighbour(one, horizontal)?])
    };
    let squares = [Move::Up, Move::Down]
        .into_iter()
        .flat_map(|v| [Move::Left, Move::Right].into_iter().filter_map(move |h| square(v, h)));
    squares.collect()
}

fn orders([a, b, c]: [u16; 3]) -> [[u16; 3]; 6] {
    [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
}

/// Returns the moves of the cycle through the square whose cells are for the first tile, the third one and the blank;
/// the second tile is in the square already.
fn cycle_at(
    grid: &Grid,
    layout: &Layout,
    cells: [u16; 3],
    [first, third, blank]: [u16; 3],
    work: &mut Workspace<'_, '_>,
) -> Result<Option<Vec<Move>>, Stop> {
    // Copying the board takes as long as some steps.
    work.spend(layout.cells.len() / 64, 0)?;
    let tiles = cells.map(|cell| layout.cells[usize::from(cell)]);
    let mut board = LockedBoard::new(grid, layout.clone(), work, MAX_STATES);
    board.lock(cells[1]);
    for (tile, place) in [(tiles[0], first), (tiles[2], third)] {
        if !board.try_bring(tile, place)? {
            return Ok(None);
        }
        board.lock(place);
    }
    if !board.try_walk(blank)? {
        return Ok(None);
    }
    let (there, moves) = board.into_parts();
    let goes_round = |round: &[Move; 4]| {
        let mut after = there.clone();
        round.iter().for_each(|&m| after.apply(grid, m));
        after.blank == there.blank && after.cells[usize::from(cells[1])] == tiles[0]
    };
    let back = moves.iter().rev().map(|m| m.inverse());
    let with = |round: [Move; 4]| moves.iter().copied().chain(round).chain(back).collect();
    Ok(rounds().find(goes_round).map(with))
}

/// Returns all rounds of the blank in a square, from each corner and in both directions.
fn rounds() -> impl Iterator<Item = [Move; 4]> {
    let turned = (0..4).map(|start| std::array::from_fn(|step| ROUND[(start + step) % 4]));
    turned.flat_map(|round: [Move; 4]| {
        let mut back = round.map(Move::inverse);
        back.reverse();
        [round, back]
    })
}
