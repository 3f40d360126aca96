//! Local repair of the few tiles that a beam leaves wrong.
//!
//! Most of these are pairs of swapped neighbours, here and there on a board that is otherwise solved. No search by
//! single moves solves them: each move makes the position worse at first. Here a step is a *repair*: the blank walks to
//! a window of 3x3 cells, permutes its tiles by a shortest path from the exact table of 3x3 boards, and can walk back
//! the way it came, which restores all other tiles. A repair is an even permutation of the other eight cells of the
//! window. So a pair can be solved only together with another one, and a pair *travels* from window to window until it
//! meets another pair.

use loyd_kernels::ExactEight;
use loyd_search::{Meter, Outcome, descend};
use loyd_tiles::{Board, BoardSpace, Move, Packed3x3, Size};

use super::geometry::{Geometry, Position};

/// Weights of the estimate of the remaining work, in moves. They were found by experiment; all of them may be halved or
/// doubled.
///
/// | weight | for each |
/// |---|---|
/// | `WRONG` | wrong tile |
/// | `STEP` | step between a tile and its goal |
/// | `CYCLE` | pair of cycles that are odd permutations, and each cycle that is an even one |
/// | `APART` | step between the two cycles of a pair |
/// | `WIDE` | row and column by which a cycle exceeds a window |
const WRONG: u32 = 4;
const STEP: u32 = 4;
const CYCLE: u32 = 8;
const APART: u32 = 8;
const WIDE: u32 = 8;

/// The corners of a window: cells by which the blank may enter and leave.
const ENTRY_CORNERS: [usize; 4] = [0, 2, 6, 8];

/// Maximum number of wrong tiles of a position that is worth repairing.
const MAX_WRONG: usize = 48;

/// Pairs of neighbours in a window: their distance in reading order, and the first cell of each pair.
const PAIRS: [(usize, [usize; 6]); 2] = [(1, [0, 1, 3, 4, 6, 7]), (3, [0, 3, 1, 4, 2, 5])];

/// The cells of a window on the board, or the tiles on them.
type Nine = [u8; 9];

/// A position with the blank moved back to its goal.
struct Arrangement {
    /// Path of the blank from its goal to its cell.
    path: Vec<Move>,
    cells: Vec<u8>,
    /// Cells with a wrong tile.
    wrong: Vec<u8>,
    /// Estimate of the remaining work.
    left: u32,
}

struct Repair {
    /// Estimate of its moves and of the work that remains after it.
    total: u32,
    left: u32,
    /// Path of the blank from its goal to the entry corner.
    path: Vec<Move>,
    window: Nine,
    corner: usize,
    after: Nine,
}

/// Returns moves that bring `position` as near to the goal as repairs can: to the goal unless a permutation cycle is
/// too long, and none if many tiles are wrong. The board must have at least three rows and columns.
///
/// Cost: some 50 µs per repair; there are about as many repairs as wrong tiles.
pub(super) fn repair(geometry: &Geometry, position: &Position) -> Vec<Move> {
    let repairer = Repairer { geometry, spaces: std::array::from_fn(space) };
    let mut now = repairer.arrangement(position);
    if now.wrong.len() > MAX_WRONG {
        return Vec::new();
    }
    let mut moves = Vec::new();
    while let Some(repair) = repairer.best(&now) {
        let before = repair.window.map(|cell| now.cells[usize::from(cell)]);
        walk(&mut moves, &now.path, &repair.path);
        moves.extend(repairer.moves(&before, &repair));
        for (&cell, &tile) in repair.window.iter().zip(&repair.after) {
            now.cells[usize::from(cell)] = tile;
        }
        now.wrong = wrong(&now.cells);
        (now.path, now.left) = (repair.path, repair.left);
    }
    walk(&mut moves, &now.path, &[]);
    moves
}

/// Returns the space of 3x3 boards whose goal has the blank on the cell `blank`.
fn space(blank: usize) -> Packed3x3 {
    let numbers = std::array::from_fn::<_, 9, _>(|cell| number(cell, blank));
    Packed3x3::new(&Board::new(Size::EIGHT, &numbers).expect("each number occurs once"))
}

/// Returns the number of the tile whose goal is `cell` on such a board, 0 for the blank.
fn number(cell: usize, blank: usize) -> u32 {
    if cell == blank { 0 } else { (cell + usize::from(cell < blank)) as u32 }
}

fn wrong(cells: &[u8]) -> Vec<u8> {
    (0..=u8::MAX).zip(cells).filter(|&(cell, &tile)| cell != tile).map(|(cell, _)| cell).collect()
}

/// Returns the length of the common prefix of two paths.
fn shared(one: &[Move], other: &[Move]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Appends the moves from the end of the path `from` to the end of the path `to`.
fn walk(moves: &mut Vec<Move>, from: &[Move], to: &[Move]) {
    let shared = shared(from, to);
    moves.extend(from[shared..].iter().rev().map(|m| m.inverse()));
    moves.extend(&to[shared..]);
}

/// Returns the tiles of a window in their best order: those whose goals are in the window on their goals, and the
/// others in the gaps.
fn in_order(before: &Nine, window: &Nine, corner: usize) -> Nine {
    let contains = |nine: &Nine, cell| nine.contains(&cell) && cell != nine[corner];
    let (here, tiles) = (before[corner], before.iter().copied());
    let mut others = tiles.filter(|&tile| tile != here && !contains(window, tile));
    std::array::from_fn(|place| match window[place] {
        _ if place == corner => here,
        goal if contains(before, goal) => goal,
        _ => others.next().expect("there is one tile per gap"),
    })
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    PAIRS.into_iter().flat_map(|(step, firsts)| firsts.map(|first| (first, first + step)))
}

/// Returns whether `after` is an even permutation of `before`.
fn is_even(before: &Nine, after: &Nine) -> bool {
    let (mut tiles, mut even) = (*before, true);
    for place in 0..9 {
        if tiles[place] != after[place] {
            let other = tiles.iter().position(|&tile| tile == after[place]);
            tiles.swap(place, other.expect("both have the same tiles"));
            even = !even;
        }
    }
    even
}

struct Repairer<'a> {
    geometry: &'a Geometry,
    /// Spaces by the entry corner.
    spaces: [Packed3x3; 9],
}

impl Repairer<'_> {
    /// Returns the path from the blank's goal to `to` in two straight lines.
    fn path(&self, to: u8, rows_first: bool) -> Vec<Move> {
        let (geometry, from) = (self.geometry, self.geometry.blank_goal);
        let line = |from: usize, to: usize, back, on| {
            std::iter::repeat_n(if to < from { back } else { on }, from.abs_diff(to))
        };
        let vertical = line(geometry.row(from), geometry.row(to), Move::Up, Move::Down);
        let horizontal = line(geometry.column(from), geometry.column(to), Move::Left, Move::Right);
        match rows_first {
            true => vertical.chain(horizontal).collect(),
            false => horizontal.chain(vertical).collect(),
        }
    }

    /// Returns the position with the blank moved back to its goal, along whichever two straight lines leave less work.
    fn arrangement(&self, position: &Position) -> Arrangement {
        let both = [true, false].map(|rows_first| {
            let path = self.path(position.blank, rows_first);
            let back: Vec<Move> = path.iter().rev().map(|m| m.inverse()).collect();
            let cells = position.after(self.geometry, &back).cells;
            let wrong = wrong(&cells);
            Arrangement { left: self.estimate(&cells, &wrong), path, cells, wrong }
        });
        both.into_iter().min_by_key(|arrangement| arrangement.left).expect("there are two paths")
    }

    /// Estimates the number of moves that put the tiles of `cells` right, given the cells of the wrong tiles.
    fn estimate(&self, cells: &[u8], wrong: &[u8]) -> u32 {
        let mut left = 0;
        let mut seen = [false; Size::MAX_SEARCH_CELLS];
        // All cycles of odd permutations, one after the other, and the end of each.
        let (mut odd, mut ends): (Vec<u8>, Vec<usize>) = (Vec::new(), vec![0]);
        for &first in wrong {
            let (begin, mut at) = (odd.len(), first);
            while !std::mem::replace(&mut seen[usize::from(at)], true) {
                let tile = cells[usize::from(at)];
                left += WRONG + STEP * u32::from(self.geometry.distance(tile, at));
                odd.push(at);
                at = tile;
            }
            let cycle = &odd[begin..];
            left += WIDE * self.beyond_window(cycle);
            // A cycle of even length is an odd permutation.
            match cycle.len() {
                0 => {}
                length if length % 2 == 0 => ends.push(odd.len()),
                _ => {
                    left += CYCLE;
                    odd.truncate(begin);
                }
            }
        }
        let mut cycles: Vec<&[u8]> = ends.windows(2).map(|ends| &odd[ends[0]..ends[1]]).collect();
        while let Some(cycle) = cycles.pop() {
            let apart = |other: &[u8]| {
                let pairs = cycle.iter().flat_map(|&a| other.iter().map(move |&b| (a, b)));
                pairs
                    .map(|(a, b)| self.geometry.distance(a, b))
                    .min()
                    .expect("cycles are not empty")
            };
            let nearest = (0..cycles.len()).map(|index| (apart(cycles[index]), index)).min();
            let (steps, index) =
                nearest.expect("the permutation is even with the blank at its goal");
            left += CYCLE + APART * u32::from(steps);
            cycles.swap_remove(index);
        }
        left
    }

    /// Returns the number of rows and columns by which a cycle exceeds a window.
    fn beyond_window(&self, cycle: &[u8]) -> u32 {
        let beyond = |line: fn(&Geometry, u8) -> usize| {
            let lines = || cycle.iter().map(|&cell| line(self.geometry, cell));
            let ends = lines().min().zip(lines().max());
            ends.map_or(0, |(first, last)| (last - first).saturating_sub(2) as u32)
        };
        beyond(Geometry::row) + beyond(Geometry::column)
    }

    /// Returns the best repair around the wrong tile that is nearest to the blank and can be repaired.
    fn best(&self, now: &Arrangement) -> Option<Repair> {
        let geometry = self.geometry;
        let blank =
            now.path.iter().fold(geometry.blank_goal, |at, &m| geometry.moves.target(at, m));
        let mut wrong = now.wrong.clone();
        wrong.sort_by_key(|&cell| geometry.distance(blank, cell));
        wrong.into_iter().find_map(|cell| {
            let (row, column) = (geometry.row(cell), geometry.column(cell));
            let rows = row.saturating_sub(2)..=row.min(geometry.size.height() - 3);
            let columns = || column.saturating_sub(2)..=column.min(geometry.size.width() - 3);
            let mut best = None;
            for (row, column) in rows.flat_map(|row| columns().map(move |column| (row, column))) {
                let cell = |place| geometry.size.cell(row + place / 3, column + place % 3);
                let window = std::array::from_fn(|place| cell(place).index() as u8);
                for corner in ENTRY_CORNERS {
                    self.best_in(now, &window, corner, &mut best);
                }
            }
            best
        })
    }

    /// Replaces `best` by a repair in `window` if that is better and reduces the remaining work.
    fn best_in(&self, now: &Arrangement, window: &Nine, corner: usize, best: &mut Option<Repair>) {
        let paths = [true, false].map(|rows_first| self.path(window[corner], rows_first));
        let walk = |path: &Vec<Move>| path.len() + now.path.len() - 2 * shared(path, &now.path);
        let paths = paths.into_iter().filter(|path| self.only_ends_in(path, window));
        let Some(path) = paths.min_by_key(walk) else { return };
        let walk = walk(&path) as u32;
        let before = window.map(|cell| now.cells[usize::from(cell)]);
        let mut wrong = now.wrong.clone();
        wrong.retain(|cell| !window.contains(cell));
        let outside = wrong.len();
        let mut cells = now.cells.clone();
        let mut consider = |after: Nine| {
            wrong.truncate(outside);
            for (&cell, &tile) in window.iter().zip(&after) {
                cells[usize::from(cell)] = tile;
                if cell != tile {
                    wrong.push(cell);
                }
            }
            let left = self.estimate(&cells, &wrong);
            let limit = best.as_ref().map_or(u32::MAX, |best| best.total);
            if left >= now.left || left + walk >= limit {
                return;
            }
            let total = left + walk + self.length(&before, &after, corner);
            if total < limit {
                let (path, window) = (path.clone(), *window);
                *best = Some(Repair { total, left, path, window, corner, after });
            }
        };
        let after = in_order(&before, window, corner);
        if is_even(&before, &after) {
            consider(after);
        } else {
            for (one, other) in pairs().filter(|&(a, b)| a != corner && b != corner) {
                let mut after = after;
                after.swap(one, other);
                consider(after);
            }
        }
    }

    /// Returns whether the last cell of `path` is the only one in `window`.
    fn only_ends_in(&self, path: &[Move], window: &Nine) -> bool {
        let mut at = self.geometry.blank_goal;
        path.iter().all(|&m| {
            let before = at;
            at = self.geometry.moves.target(at, m);
            !window.contains(&before)
        })
    }

    /// Returns the state of the tiles `before` a repair, as a 3x3 board whose goal is `after`.
    fn state(&self, before: &Nine, after: &Nine, corner: usize) -> u32 {
        let goal = |tile| {
            after
                .iter()
                .position(|&other| other == tile)
                .expect("both arrangements have the same tiles")
        };
        let board = Board::new(Size::EIGHT, &before.map(|tile| number(goal(tile), corner)));
        self.spaces[corner].encode(&board.expect("the tiles and the blank form a board"))
    }

    fn length(&self, before: &Nine, after: &Nine, corner: usize) -> u32 {
        let space = &self.spaces[corner];
        ExactEight::new(space).distance(space, &self.state(before, after, corner))
    }

    fn moves(&self, before: &Nine, repair: &Repair) -> Vec<Move> {
        let space = &self.spaces[repair.corner];
        let start = self.state(before, &repair.after, repair.corner);
        match descend(space, &ExactEight::new(space), &start, &mut Meter::default()) {
            Outcome::Solved { path, .. } => path,
            _ => unreachable!("even permutations are solvable"),
        }
    }
}
