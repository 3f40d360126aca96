//! The end of a fast answer: putting right the tiles that a beam has left wrong.
//!
//! What a beam leaves are mostly pairs of neighbours that stand the wrong way round, here and there on a
//! board that is in order. No search that moves by single steps finds out of that: everything about it is
//! worse at first. Here a step is a *repair*: the blank walks to a window of 3x3 cells, changes the tiles
//! in it by a shortest way, known from the exact table of 3x3 boards, and can walk back as it came, which
//! leaves all other tiles where they were. A repair is an even permutation of the other eight cells of the
//! window; so a single pair comes right only by making another one, and a pair *travels* from window to
//! window until it meets its like.

use loyd_kernels::ExactEight;
use loyd_search::{Meter, Outcome, descend};
use loyd_tiles::{Board, BoardSpace, Move, Packed3x3, Size};

use super::plane::{Plane, Position};

/// What is wrong is estimated in moves: for a wrong tile, for each step to its goal, for each pair of odd
/// cycles and each even one, for a step between the odd cycles of a pair, and for what a cycle is wider and
/// higher than a window. Found by experiment; they may all be half or twice as much.
const WRONG: u32 = 4;
const STEP: u32 = 4;
const CYCLE: u32 = 8;
const APART: u32 = 8;
const WIDE: u32 = 8;

/// Cells of a window at which the blank may come in and goes out: its corners.
const DOORS: [usize; 4] = [0, 2, 6, 8];

/// Positions with more wrong tiles than this are none of the kind that can be repaired soon.
const MOST_WRONG: usize = 48;

/// Neighbours in a window.
const PAIRS: [(usize, usize); 12] = [
    (0, 1),
    (1, 2),
    (3, 4),
    (4, 5),
    (6, 7),
    (7, 8),
    (0, 3),
    (3, 6),
    (1, 4),
    (4, 7),
    (2, 5),
    (5, 8),
];

/// The cells of a window on the board, and tiles on them.
type Nine = [u8; 9];

/// A position as it would be if the blank went home from where it is.
struct Frame {
    /// The way of the blank from home to where it is.
    way: Vec<Move>,
    cells: Vec<u8>,
    /// The cells with a wrong tile.
    wrong: Vec<u8>,
    /// The estimate of what is left to do.
    left: u32,
}

struct Repair {
    /// The estimate of its moves and what is left to do after it.
    total: u32,
    left: u32,
    way: Vec<Move>,
    window: Nine,
    door: usize,
    after: Nine,
}

/// Brings `position` as near to the goal as repairs can, and returns the moves: to the goal, if no cycle
/// is too far stretched; none if much is wrong. `plane` has at least three rows and columns.
///
/// Cost: some 50 µs a repair; there are about as many as wrong tiles.
pub(super) fn mend(plane: &Plane, position: &Position) -> Vec<Move> {
    let mender = Mender { plane, eights: std::array::from_fn(eight) };
    let mut frame = mender.frame(position);
    if frame.wrong.len() > MOST_WRONG {
        return Vec::new();
    }
    let mut moves = Vec::new();
    while let Some(repair) = mender.best(&frame) {
        let before = repair.window.map(|cell| frame.cells[usize::from(cell)]);
        go_over(&mut moves, &frame.way, &repair.way);
        moves.extend(mender.moves(&before, &repair));
        for (place, &cell) in repair.window.iter().enumerate().filter(|&(i, _)| i != repair.door) {
            frame.cells[usize::from(cell)] = repair.after[place];
        }
        frame.wrong = wrong(&frame.cells);
        (frame.way, frame.left) = (repair.way, repair.left);
    }
    go_over(&mut moves, &frame.way, &[]);
    moves
}

/// The 3x3 boards whose goal has the blank on the cell `blank`.
fn eight(blank: usize) -> Packed3x3 {
    let numbers: Vec<u32> = (0..9)
        .map(|cell| match cell.cmp(&blank) {
            std::cmp::Ordering::Less => cell as u32 + 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => cell as u32,
        })
        .collect();
    Packed3x3::new(&Board::new(Size::EIGHT, &numbers).expect("each number is there once"))
}

fn wrong(cells: &[u8]) -> Vec<u8> {
    (0..cells.len())
        .map(|cell| cell as u8)
        .filter(|&cell| cells[usize::from(cell)] != cell)
        .collect()
}

/// How far two ways are the same.
fn shared(one: &[Move], other: &[Move]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// The walk from the end of the way `from` to that of the way `to`.
fn go_over(moves: &mut Vec<Move>, from: &[Move], to: &[Move]) {
    let shared = shared(from, to);
    moves.extend(from[shared..].iter().rev().map(|m| m.inverse()));
    moves.extend(&to[shared..]);
}

/// The tiles of a window with those at their goals that have one in it, the others filling the gaps.
fn in_order(before: &Nine, window: &Nine, door: usize) -> Nine {
    let goal = |tile| window.iter().position(|&cell| cell == tile).filter(|&goal| goal != door);
    let moved = || before.iter().enumerate().filter(|&(place, _)| place != door);
    let mut after = [None; 9];
    after[door] = Some(before[door]);
    for (_, &tile) in moved() {
        if let Some(goal) = goal(tile) {
            after[goal] = Some(tile);
        }
    }
    let mut strangers = moved().filter(|&(_, &tile)| goal(tile).is_none());
    after.map(|tile| tile.unwrap_or_else(|| *strangers.next().expect("as many as gaps").1))
}

/// Whether `after` is an even permutation of `before`.
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

struct Mender<'a> {
    plane: &'a Plane,
    /// By the cell of the door.
    eights: [Packed3x3; 9],
}

impl Mender<'_> {
    /// The way from home to `to` in two straight lines.
    fn way(&self, to: u8, rows_first: bool) -> Vec<Move> {
        let (plane, home) = (self.plane, self.plane.home);
        let line = |from: usize, to: usize, back, on| {
            std::iter::repeat_n(if to < from { back } else { on }, from.abs_diff(to))
        };
        let vertical = line(plane.row(home), plane.row(to), Move::Up, Move::Down);
        let horizontal = line(plane.column(home), plane.column(to), Move::Left, Move::Right);
        match rows_first {
            true => vertical.chain(horizontal).collect(),
            false => horizontal.chain(vertical).collect(),
        }
    }

    /// The position as seen by way of the two straight lines by which less is wrong.
    fn frame(&self, position: &Position) -> Frame {
        let frames = [true, false].map(|rows_first| {
            let way = self.way(position.blank, rows_first);
            let back: Vec<Move> = way.iter().rev().map(|m| m.inverse()).collect();
            let cells = position.after(self.plane, &back).cells;
            let wrong = wrong(&cells);
            Frame { left: self.estimate(&cells, &wrong), way, cells, wrong }
        });
        frames.into_iter().min_by_key(|frame| frame.left).expect("there are two")
    }

    /// About how many moves it takes to put the tiles of `cells` right, of which `wrong` are wrong.
    fn estimate(&self, cells: &[u8], wrong: &[u8]) -> u32 {
        let mut left = 0;
        let mut seen = [false; 256];
        // One after the other, and where each ends.
        let (mut odd, mut ends): (Vec<u8>, Vec<usize>) = (Vec::new(), vec![0]);
        for &first in wrong {
            let (begin, mut at) = (odd.len(), first);
            while !std::mem::replace(&mut seen[usize::from(at)], true) {
                let tile = cells[usize::from(at)];
                left += WRONG + STEP * u32::from(self.plane.distance(tile, at));
                odd.push(at);
                at = tile;
            }
            let cycle = &odd[begin..];
            left += WIDE * self.beyond_window(cycle);
            // A cycle is an odd permutation if its length is even.
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
                pairs.map(|(a, b)| self.plane.distance(a, b)).min().expect("cycles have cells")
            };
            let nearest = (0..cycles.len()).map(|index| (apart(cycles[index]), index)).min();
            let (steps, index) = nearest.expect("with the blank at home the position is even");
            left += CYCLE + APART * u32::from(steps);
            cycles.swap_remove(index);
        }
        left
    }

    /// By how many rows and columns a cycle is too large for a window.
    fn beyond_window(&self, cycle: &[u8]) -> u32 {
        let beyond = |line: fn(&Plane, u8) -> usize| {
            let lines = || cycle.iter().map(|&cell| line(self.plane, cell));
            let ends = lines().min().zip(lines().max());
            ends.map_or(0, |(first, last)| (last - first).saturating_sub(2) as u32)
        };
        beyond(Plane::row) + beyond(Plane::column)
    }

    /// The best repair around the wrong tile that is nearest to the blank and can be repaired.
    fn best(&self, frame: &Frame) -> Option<Repair> {
        let plane = self.plane;
        let at = frame.way.iter().fold(plane.home, |at, &m| plane.target(at, m));
        let mut wrong = frame.wrong.clone();
        wrong.sort_by_key(|&cell| plane.distance(at, cell));
        wrong.into_iter().find_map(|cell| {
            let (row, column) = (plane.row(cell), plane.column(cell));
            let rows = row.saturating_sub(2)..=row.min(plane.size.height() - 3);
            let columns = || column.saturating_sub(2)..=column.min(plane.size.width() - 3);
            let mut best = None;
            for (row, column) in rows.flat_map(|row| columns().map(move |column| (row, column))) {
                let cell = |place| (row + place / 3) * plane.size.width() + column + place % 3;
                let window = std::array::from_fn(|place| cell(place) as u8);
                for door in DOORS {
                    self.best_in(frame, &window, door, &mut best);
                }
            }
            best
        })
    }

    /// Looks for a repair in `window` that is better than `best` and leaves less to do than there is.
    fn best_in(&self, frame: &Frame, window: &Nine, door: usize, best: &mut Option<Repair>) {
        let ways = [true, false].map(|rows_first| self.way(window[door], rows_first));
        let walk = |way: &Vec<Move>| way.len() + frame.way.len() - 2 * shared(way, &frame.way);
        let ways = ways.into_iter().filter(|way| self.only_ends_in(way, window));
        let Some(way) = ways.min_by_key(walk) else { return };
        let walk = walk(&way) as u32;
        let before = window.map(|cell| frame.cells[usize::from(cell)]);
        let outside = frame.wrong.iter().filter(|cell| !window.contains(cell)).count();
        let mut wrong = frame.wrong.clone();
        wrong.retain(|cell| !window.contains(cell));
        let mut cells = frame.cells.clone();
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
            if left >= frame.left || left + walk >= limit {
                return;
            }
            let total = left + walk + self.length(&before, &after, door);
            if total < limit {
                *best =
                    Some(Repair { total, left, way: way.clone(), window: *window, door, after });
            }
        };
        let after = in_order(&before, window, door);
        if is_even(&before, &after) {
            consider(after);
        } else {
            for (one, other) in PAIRS.into_iter().filter(|&(a, b)| a != door && b != door) {
                let mut after = after;
                after.swap(one, other);
                consider(after);
            }
        }
    }

    /// Whether the last cell of `way` is the only one in `window`.
    fn only_ends_in(&self, way: &[Move], window: &Nine) -> bool {
        let mut at = self.plane.home;
        way.iter().all(|&m| {
            let before = at;
            at = self.plane.target(at, m);
            !window.contains(&before)
        })
    }

    /// The 3x3 board on which what is `after` a repair is the goal.
    fn board(&self, before: &Nine, after: &Nine, door: usize) -> u32 {
        let number = |place: usize| {
            let goal =
                after.iter().position(|&tile| tile == before[place]).expect("the same tiles");
            if place == door { 0 } else { (goal + usize::from(goal < door)) as u32 }
        };
        let numbers: Nine = std::array::from_fn(|place| number(place) as u8);
        let board = Board::new(Size::EIGHT, &numbers.map(u32::from));
        self.eights[door].encode(&board.expect("the door has the blank"))
    }

    fn length(&self, before: &Nine, after: &Nine, door: usize) -> u32 {
        let space = &self.eights[door];
        ExactEight::new(space).distance(space, &self.board(before, after, door))
    }

    fn moves(&self, before: &Nine, repair: &Repair) -> Vec<Move> {
        let space = &self.eights[repair.door];
        let start = self.board(before, &repair.after, repair.door);
        match descend(space, &ExactEight::new(space), &start, &mut Meter::default()) {
            Outcome::Solved { path, .. } => path,
            _ => unreachable!("even permutations can be reached"),
        }
    }
}
