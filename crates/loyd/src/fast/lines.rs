//! An answer by the book: line after line from the outside, until nothing is left. Never fails.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use loyd_tiles::Move;

use super::plane::{Plane, Position};

/// Moves that bring `position`, from which the goal can be reached, there.
///
/// The outer lines of what is left are solved first, those of the longer side before the others and
/// never the one on which the blank has to end. In a line, tiles are brought to their places one by
/// one, each along a shortest way for it and the blank; the last two, which would block each other, are
/// put in together.
pub(super) fn by_lines(plane: &Plane, position: &Position) -> Vec<Move> {
    let mut work = Work {
        plane,
        position: position.clone(),
        free: vec![true; plane.size.cells()],
        moves: Vec::new(),
        best: vec![(u16::MAX, None); plane.size.cells().pow(2)],
    };
    let mut left = Rectangle { rows: (0, plane.size.height()), columns: (0, plane.size.width()) };
    if plane.size.is_line() {
        work.walk(&[plane.home], None);
    } else {
        while let Some(line) = left.take_line(plane) {
            work.solve_line(&line, &left);
        }
        work.turn_last_square(&left);
    }
    debug_assert!(work.position.is_solved(), "the position was not solvable");
    work.moves
}

/// The cells that are not solved yet: rows and columns, ends excluded.
struct Rectangle {
    rows: (usize, usize),
    columns: (usize, usize),
}

impl Rectangle {
    fn contains(&self, row: usize, column: usize) -> bool {
        (self.rows.0..self.rows.1).contains(&row)
            && (self.columns.0..self.columns.1).contains(&column)
    }

    /// Cuts off a line without the blank's goal cell, unless only 2x2 cells are left.
    fn take_line(&mut self, plane: &Plane) -> Option<Vec<u8>> {
        let (height, width) = (self.rows.1 - self.rows.0, self.columns.1 - self.columns.0);
        let by_rows = height >= width;
        let cell = |row, column| (row * plane.size.width() + column) as u8;
        if height.max(width) == 2 {
            return None;
        }
        let (ends, home) = if by_rows {
            (&mut self.rows, plane.row(plane.home))
        } else {
            (&mut self.columns, plane.column(plane.home))
        };
        let line = if home == ends.0 {
            ends.1 -= 1;
            ends.1
        } else {
            ends.0 += 1;
            ends.0 - 1
        };
        Some(match by_rows {
            true => (self.columns.0..self.columns.1).map(|column| cell(line, column)).collect(),
            false => (self.rows.0..self.rows.1).map(|row| cell(row, line)).collect(),
        })
    }
}

struct Work<'a> {
    plane: &'a Plane,
    position: Position,
    /// Cells whose tiles may still be moved.
    free: Vec<bool>,
    moves: Vec<Move>,
    /// For the cells of the blank and of a tile, how soon they are come to, and by which move: nothing
    /// between two searches.
    best: Vec<(u16, Option<Move>)>,
}

impl Work<'_> {
    /// Solves `line`, beside which `left` is what remains.
    fn solve_line(&mut self, line: &[u8], left: &Rectangle) {
        let (pair, singles) =
            line.split_last_chunk::<2>().map_or((None, line), |(s, p)| (Some(p), s));
        for &goal in singles {
            self.bring(goal, goal);
            self.lock(goal);
        }
        let &[first, second] = pair.expect("a line has at least two cells");
        if self.position.find(first) != first || self.position.find(second) != second {
            self.put_in_pair(first, second, left);
        }
        self.lock(first);
        self.lock(second);
    }

    fn lock(&mut self, cell: u8) {
        self.free[usize::from(cell)] = false;
    }

    /// Puts the last two tiles of a line in: the first to its place, the second near, and then both.
    fn put_in_pair(&mut self, first: u8, second: u8, left: &Rectangle) {
        let near = self.near(first, second, left);
        let inside = |work: &Self, goal| near.contains(&work.position.find(goal));
        let ready = inside(self, first) && inside(self, second);
        if !ready || !near.contains(&self.position.blank) {
            self.bring(first, first);
            self.lock(first);
            if !inside(self, second) {
                // In what is left, every cell can be reached from two sides.
                let far =
                    near.iter().copied().max_by_key(|&cell| self.plane.distance(cell, second));
                self.bring(second, far.expect("the window has cells"));
            }
            let tile = self.position.find(second);
            let entrances: Vec<u8> = near.iter().copied().filter(|&cell| cell != tile).collect();
            self.walk(&entrances, Some(tile));
            self.free[usize::from(first)] = true;
        }
        self.play_inside(&near, first, second);
    }

    /// The pair of cells, and what of the rest is at most two lines behind it and one beside it: at least
    /// 2x3 cells, and no dead ends.
    fn near(&self, first: u8, second: u8, left: &Rectangle) -> Vec<u8> {
        let plane = self.plane;
        let ends = |place: fn(&Plane, u8) -> usize| [place(plane, first), place(plane, second)];
        let (rows, columns) = (ends(Plane::row), ends(Plane::column));
        let far = |ends: [usize; 2]| if ends[0] == ends[1] { 2 } else { 1 };
        let close =
            |ends: [usize; 2], at: usize| ends.into_iter().any(|end| end.abs_diff(at) <= far(ends));
        let is_near = |&cell: &u8| {
            let (row, column) = (plane.row(cell), plane.column(cell));
            left.contains(row, column) && close(rows, row) && close(columns, column)
        };
        let cells = (0..plane.size.cells()).map(|cell| cell as u8);
        [first, second].into_iter().chain(cells.filter(is_near)).collect()
    }

    /// Takes the blank along a shortest way to one of `ends`, leaving the tile on `keep` in place.
    fn walk(&mut self, ends: &[u8], keep: Option<u8>) {
        let mut came: Vec<Option<Move>> = vec![None; self.plane.size.cells()];
        let start = self.position.blank;
        let mut queue = VecDeque::from([start]);
        while let Some(cell) = queue.pop_front() {
            if ends.contains(&cell) {
                let mut way = Vec::new();
                let mut at = cell;
                while at != start {
                    let m = came[usize::from(at)].expect("each cell was come to");
                    way.push(m);
                    at = self.plane.target(at, m.inverse());
                }
                way.iter().rev().for_each(|&m| self.make(m));
                return;
            }
            for (m, to) in self.plane.around(cell) {
                let index = usize::from(to);
                if self.free[index] && keep != Some(to) && to != start && came[index].is_none() {
                    came[index] = Some(m);
                    queue.push_back(to);
                }
            }
        }
        unreachable!("what is left hangs together");
    }

    fn make(&mut self, m: Move) {
        self.position.apply(self.plane, m);
        self.moves.push(m);
    }

    /// Brings the tile that belongs on `goal` to `target` in as few moves as possible: A* on the cells
    /// of the blank and of the tile.
    fn bring(&mut self, goal: u8, target: u8) {
        let (plane, cells) = (self.plane, self.plane.size.cells());
        let start = (self.position.blank, self.position.find(goal));
        let estimate = |(blank, tile): (u8, u8)| match u16::from(plane.distance(tile, target)) {
            0 => 0,
            // Beside the tile, the blank moves it, and goes round a corner of it before each further step.
            steps => u16::from(plane.distance(blank, tile)) + 3 * (steps - 1),
        };
        let index = |(blank, tile): (u8, u8)| usize::from(blank) * cells + usize::from(tile);
        let mut touched = vec![index(start)];
        self.best[index(start)].0 = 0;
        let mut open = BinaryHeap::from([(Reverse(estimate(start)), 0, start)]);
        let end = loop {
            let (_, depth, state) =
                open.pop().expect("a tile can be brought anywhere but into dead ends");
            let (blank, tile) = state;
            if tile == target {
                break state;
            }
            if depth > self.best[index(state)].0 {
                continue;
            }
            for (m, to) in plane.around(blank).filter(|&(_, to)| self.free[usize::from(to)]) {
                let child = (to, if to == tile { blank } else { tile });
                if depth + 1 < self.best[index(child)].0 {
                    self.best[index(child)] = (depth + 1, Some(m));
                    touched.push(index(child));
                    open.push((Reverse(depth + 1 + estimate(child)), depth + 1, child));
                }
            }
        };
        let way = self.way_back(end, |state| self.best[index(state)].1);
        touched.into_iter().for_each(|index| self.best[index] = (u16::MAX, None));
        way.iter().rev().for_each(|&m| self.make(m));
    }

    /// The moves that led to (blank, tile), last first.
    fn way_back(&self, end: (u8, u8), came: impl Fn((u8, u8)) -> Option<Move>) -> Vec<Move> {
        let (mut way, (mut blank, mut tile)) = (Vec::new(), end);
        while let Some(m) = came((blank, tile)) {
            let before = self.plane.target(blank, m.inverse());
            tile = if before == tile { blank } else { tile };
            blank = before;
            way.push(m);
        }
        way
    }

    /// Puts the tiles of two cells in by moves inside `near`: breadth-first on the cells of the blank and
    /// of both.
    fn play_inside(&mut self, near: &[u8], first: u8, second: u8) {
        let place = |cell: u8| near.iter().position(|&other| other == cell);
        let inside = |cell| place(cell).expect("both tiles and the blank are near");
        let start = [self.position.blank, self.position.find(first), self.position.find(second)];
        let index = |state: [u8; 3]| {
            state.into_iter().fold(0, |index, cell| index * near.len() + inside(cell))
        };
        let mut came: Vec<Option<([u8; 3], Move)>> = vec![None; near.len().pow(3)];
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let [blank, a, b] = state;
            if (a, b) == (first, second) {
                let (mut way, mut at) = (Vec::new(), state);
                while at != start {
                    let (before, m) = came[index(at)].expect("each state was come to");
                    way.push(m);
                    at = before;
                }
                way.iter().rev().for_each(|&m| self.make(m));
                return;
            }
            for (m, to) in self.plane.around(blank).filter(|&(_, to)| place(to).is_some()) {
                let moved = |tile| if tile == to { blank } else { tile };
                let child = [to, moved(a), moved(b)];
                let known = &mut came[index(child)];
                if known.is_none() && child != start {
                    *known = Some((state, m));
                    queue.push_back(child);
                }
            }
        }
        unreachable!("2x3 cells and more can be arranged at will but for two alike");
    }

    /// Solves the last 2x2 cells by going round, the shorter way.
    fn turn_last_square(&mut self, left: &Rectangle) {
        let plane = self.plane;
        let (row, column) = (left.rows.0, left.columns.0);
        let width = plane.size.width();
        let corner = |down: usize, right: usize| ((row + down) * width + column + right) as u8;
        let ring = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        let round = |turn: usize| {
            let mut position = self.position.clone();
            let mut moves = Vec::new();
            while !position.is_solved() && moves.len() <= 12 {
                let at = ring.iter().position(|&cell| cell == position.blank)?;
                let next = ring[(at + turn) % 4];
                let (m, _) = plane.around(position.blank).find(|&(_, to)| to == next)?;
                position.apply(plane, m);
                moves.push(m);
            }
            Some(moves)
        };
        let ways = [round(1), round(3)].into_iter().flatten();
        let shorter = ways.min_by_key(Vec::len).expect("the blank is in the last square");
        shorter.into_iter().for_each(|m| self.make(m));
    }
}
