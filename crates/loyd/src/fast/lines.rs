//! Solving line by line from the outside: long solutions, but it never fails.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

use loyd_tiles::{Move, Size};

use super::geometry::{Geometry, Position};

/// Moves that solve `position`, which must be solvable.
///
/// The outer lines of the unsolved cells are solved first, those along the shorter side before the others
/// and never the one with the blank's goal. In a line, tiles are brought to their goals one by one, each
/// along a shortest path for it and the blank; the last two, which would block each other, are put in
/// together.
pub(super) fn solve_by_lines(geometry: &Geometry, position: &Position) -> Vec<Move> {
    let size = geometry.size;
    let mut work = Work {
        geometry,
        position: position.clone(),
        free: vec![true; size.cells()],
        moves: Vec::new(),
        best: vec![UNREACHED; size.cells().pow(2)],
    };
    let mut unsolved = Rectangle { rows: 0..size.height(), columns: 0..size.width() };
    if size.is_line() {
        work.walk(&[geometry.blank_goal], None);
    } else {
        while let Some(line) = unsolved.take_line(geometry) {
            work.solve_line(&line, &unsolved);
        }
        work.turn_last_square(&unsolved);
    }
    debug_assert!(work.position.is_solved(), "the position was not solvable");
    work.moves
}

/// The cells that are not solved yet.
struct Rectangle {
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Rectangle {
    /// Cuts off a line without the blank's goal, unless only 2x2 cells are left.
    fn take_line(&mut self, geometry: &Geometry) -> Option<Vec<u8>> {
        let (height, width) = (self.rows.len(), self.columns.len());
        if height.max(width) == 2 {
            return None;
        }
        let cell = |row, column| geometry.size.cell(row, column).index() as u8;
        let blank = geometry.blank_goal;
        Some(if height >= width {
            let row = cut(&mut self.rows, geometry.row(blank));
            self.columns.clone().map(|column| cell(row, column)).collect()
        } else {
            let column = cut(&mut self.columns, geometry.column(blank));
            self.rows.clone().map(|row| cell(row, column)).collect()
        })
    }
}

/// Takes the first line away, or the last one if the first is to be kept.
fn cut(lines: &mut Range<usize>, keep: usize) -> usize {
    let line = if lines.start == keep { lines.next_back() } else { lines.next() };
    line.expect("there are lines")
}

/// The cells of the blank and of some tiles.
type State<const K: usize> = [u8; K];

/// The state with the blank on the neighbouring cell `to`.
fn moved<const K: usize>(state: State<K>, to: u8) -> State<K> {
    let from = state[0];
    state.map(|cell| match cell {
        _ if cell == from => to,
        _ if cell == to => from,
        _ => cell,
    })
}

/// An entry for a state that was not reached.
const UNREACHED: (u16, Option<Move>) = (u16::MAX, None);

struct Work<'a> {
    geometry: &'a Geometry,
    position: Position,
    /// Cells whose tiles may still be moved.
    free: Vec<bool>,
    moves: Vec<Move>,
    /// For the cells of the blank and a tile, the depth at which [`bring`](Self::bring) reached them and the
    /// last move. Unreached between two calls: filling the table for each takes longer than the search.
    best: Vec<(u16, Option<Move>)>,
}

impl Work<'_> {
    /// Solves `line`, where `unsolved` remains after it.
    fn solve_line(&mut self, line: &[u8], unsolved: &Rectangle) {
        let (singles, &[first, second]) =
            line.split_last_chunk().expect("a line has at least two cells");
        for &goal in singles {
            self.bring(goal, goal);
            self.lock(goal);
        }
        if self.position.find(first) != first || self.position.find(second) != second {
            self.put_in_pair(first, second, unsolved);
        }
        self.lock(first);
        self.lock(second);
    }

    fn lock(&mut self, cell: u8) {
        self.free[usize::from(cell)] = false;
    }

    /// Puts the last two tiles of a line in: the first to its goal, the second near it, and then both.
    fn put_in_pair(&mut self, first: u8, second: u8, unsolved: &Rectangle) {
        let near = self.near(first, second, unsolved);
        let inside = |work: &Self, goal| near.contains(&work.position.find(goal));
        let ready = inside(self, first) && inside(self, second);
        if !ready || !near.contains(&self.position.blank) {
            self.bring(first, first);
            self.lock(first);
            if !inside(self, second) {
                // Every unsolved cell can be reached from two sides.
                let cells = near.iter().copied();
                let far = cells.max_by_key(|&cell| self.geometry.distance(cell, second));
                self.bring(second, far.expect("there are cells near the pair"));
            }
            let tile = self.position.find(second);
            let entrances: Vec<u8> = near.iter().copied().filter(|&cell| cell != tile).collect();
            self.walk(&entrances, Some(tile));
            self.free[usize::from(first)] = true;
        }
        let start = [self.position.blank, self.position.find(first), self.position.find(second)];
        let solved = |[_, a, b]: State<3>| (a, b) == (first, second);
        self.breadth_first(start, &near, solved);
    }

    /// The pair of cells, and the unsolved ones at most two lines behind it and one beside it: at least
    /// 2x3 cells without dead ends.
    fn near(&self, first: u8, second: u8, unsolved: &Rectangle) -> Vec<u8> {
        let geometry = self.geometry;
        let close = |line: fn(&Geometry, u8) -> usize, cell| {
            let ends = [line(geometry, first), line(geometry, second)];
            let far = if ends[0] == ends[1] { 2 } else { 1 };
            ends.into_iter().any(|end| end.abs_diff(line(geometry, cell)) <= far)
        };
        let is_near = |&cell: &u8| {
            unsolved.rows.contains(&geometry.row(cell))
                && unsolved.columns.contains(&geometry.column(cell))
                && close(Geometry::row, cell)
                && close(Geometry::column, cell)
        };
        let cells = geometry.size.iter_cells().map(|cell| cell.index() as u8);
        [first, second].into_iter().chain(cells.filter(is_near)).collect()
    }

    fn play(&mut self, moves: Vec<Move>) {
        self.position = self.position.after(self.geometry, &moves);
        self.moves.extend(moves);
    }

    /// Takes the blank along a shortest path to one of `ends`, leaving the tile on `keep` in place.
    fn walk(&mut self, ends: &[u8], keep: Option<u8>) {
        let is_open = |&cell: &u8| self.free[usize::from(cell)] && keep != Some(cell);
        let open: Vec<u8> = (0..self.free.len()).map(|cell| cell as u8).filter(is_open).collect();
        self.breadth_first([self.position.blank], &open, |[blank]| ends.contains(&blank));
    }

    fn children<const K: usize>(&self, state: State<K>) -> impl Iterator<Item = (Move, State<K>)> {
        let neighbours = self.geometry.moves.neighbours(state[0]);
        neighbours.map(move |(m, to)| (m, moved(state, to)))
    }

    /// Plays the moves that led to a state, by the last move to each state on the way.
    fn play_to<const K: usize>(
        &mut self,
        mut state: State<K>,
        last: impl Fn(State<K>) -> Option<Move>,
    ) {
        let mut moves = Vec::new();
        while let Some(m) = last(state) {
            moves.push(m);
            state = moved(state, self.geometry.moves.target(state[0], m.inverse()));
        }
        moves.reverse();
        self.play(moves);
    }

    /// Plays a shortest path inside `open`, from `start` to a state that is `solved`.
    fn breadth_first<const K: usize>(
        &mut self,
        start: State<K>,
        open: &[u8],
        solved: impl Fn(State<K>) -> bool,
    ) {
        let mut places = [None; Size::MAX_CELLS];
        (0..).zip(open).for_each(|(place, &cell)| places[usize::from(cell)] = Some(place));
        let index = |state: State<K>| {
            let mut places = state.iter().map(|&cell| places[usize::from(cell)]);
            places.try_fold(0, |index, place| Some(index * open.len() + place?))
        };
        let mut last = vec![None; open.len().pow(K as u32)];
        let mut queue = VecDeque::from([start]);
        let end = loop {
            let state = queue.pop_front().expect("such a state can be reached");
            if solved(state) {
                break state;
            }
            for (m, child) in self.children(state).filter(|&(_, child)| child != start) {
                if let Some(index) = index(child).filter(|&index| last[index].is_none()) {
                    last[index] = Some(m);
                    queue.push_back(child);
                }
            }
        };
        self.play_to(end, |state| last[index(state)?]);
    }

    /// Brings the tile whose goal is `goal` to `target` in as few moves as possible: A* on the cells of
    /// the blank and of the tile.
    fn bring(&mut self, goal: u8, target: u8) {
        let distance = |from, to| u16::from(self.geometry.distance(from, to));
        let estimate = |[blank, tile]: State<2>| match distance(tile, target) {
            0 => 0,
            // From beside the tile the blank moves it, and goes round a corner of it before each further step.
            steps => distance(blank, tile) + 3 * (steps - 1),
        };
        let cells = self.geometry.size.cells();
        let index = |[blank, tile]: State<2>| usize::from(blank) * cells + usize::from(tile);
        let start = [self.position.blank, self.position.find(goal)];
        if start[1] == target {
            return;
        }
        let mut best = std::mem::take(&mut self.best);
        let mut touched = vec![index(start)];
        best[index(start)].0 = 0;
        let mut open = BinaryHeap::from([(Reverse(estimate(start)), 0, start)]);
        let end = loop {
            let (_, depth, state) =
                open.pop().expect("a tile can be brought anywhere but into dead ends");
            if state[1] == target {
                break state;
            }
            if depth > best[index(state)].0 {
                continue;
            }
            let children = self.children(state);
            for (m, child) in children.filter(|(_, child)| self.free[usize::from(child[0])]) {
                let index = index(child);
                if depth + 1 < best[index].0 {
                    best[index] = (depth + 1, Some(m));
                    touched.push(index);
                    open.push((Reverse(depth + 1 + estimate(child)), depth + 1, child));
                }
            }
        };
        self.play_to(end, |state| best[index(state)].1);
        touched.into_iter().for_each(|index| best[index] = UNREACHED);
        self.best = best;
    }

    /// Solves the last 2x2 cells by going round them, the shorter way.
    fn turn_last_square(&mut self, square: &Rectangle) {
        let (geometry, row, column) = (self.geometry, square.rows.start, square.columns.start);
        let corner = |down, right| geometry.size.cell(row + down, column + right).index() as u8;
        let ring = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        let round = |turn: usize| {
            let mut position = self.position.clone();
            let mut moves = Vec::new();
            while !position.is_solved() && moves.len() <= 12 {
                let at = ring.iter().position(|&cell| cell == position.blank)?;
                let next = ring[(at + turn) % 4];
                let mut neighbours = geometry.moves.neighbours(position.blank);
                let (m, _) = neighbours.find(|&(_, to)| to == next)?;
                position.apply(geometry, m);
                moves.push(m);
            }
            Some(moves)
        };
        let ways = [round(1), round(3)].into_iter().flatten();
        self.play(ways.min_by_key(Vec::len).expect("the blank is in the last square"));
    }
}
