//! Solves a board line by line from the outside. Solutions are long, but it never fails.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::rc::Rc;

use loyd_search::Stop;
use loyd_tiles::Move;

use super::geometry::{Grid, Layout};
use super::workspace::{HopKey, State, TABLE_CELLS, Workspace, breadth_first, children, path_to};

/// Appends moves that solve `position`, which must be solvable, to `moves`.
///
/// The outer lines of the unsolved cells are solved first, those along the shorter side before the others, and never
/// the one with the blank's goal. Within a line, tiles are brought to their goals one by one, each along a shortest
/// path for it and the blank. The last two, which would block each other, are put in together.
///
/// On boards of more than [`TABLE_CELLS`] cells, a tile is brought near its goal a few cells at a time, because the
/// blank and a tile have too many states for one search.
///
/// Cost: some 20 ns per move on these boards. The number of moves is about the number of cells times the length of the
/// longer side.
///
/// # Errors
/// Returns the limit that was reached. The moves made until then do not solve the board.
pub(super) fn solve_by_lines(
    grid: &Grid,
    position: Layout,
    moves: Vec<Move>,
    work: &mut Workspace<'_, '_>,
) -> Result<Vec<Move>, Stop> {
    let size = grid.size;
    let mut board = LockedBoard::new(grid, position, work, usize::MAX);
    board.moves = moves;
    let mut unsolved = Rectangle { rows: 0..size.height(), columns: 0..size.width() };
    if size.is_line() {
        board.walk(&[grid.blank_goal], None)?;
    } else {
        while let Some(line) = unsolved.take_line(grid) {
            board.solve_line(&line, &unsolved)?;
        }
        board.turn_last_square(&unsolved);
    }
    debug_assert!(board.position.is_solved(), "the position was not solvable");
    Ok(board.moves)
}

/// The rectangle of unsolved cells.
struct Rectangle {
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Rectangle {
    /// Removes a line without the blank's goal and returns its cells. Returns `None` if only 2x2 cells are left.
    fn take_line(&mut self, grid: &Grid) -> Option<Vec<u16>> {
        let (height, width) = (self.rows.len(), self.columns.len());
        if height.max(width) == 2 {
            return None;
        }
        let blank = grid.blank_goal;
        Some(if height >= width {
            let row = cut(&mut self.rows, grid.row(blank));
            self.columns.clone().map(|column| grid.cell(row, column)).collect()
        } else {
            let column = cut(&mut self.columns, grid.column(blank));
            self.rows.clone().map(|row| grid.cell(row, column)).collect()
        })
    }
}

/// Removes the first line, or the last one if the first is `keep`.
fn cut(lines: &mut Range<usize>, keep: usize) -> usize {
    let line = if lines.start == keep { lines.next_back() } else { lines.next() };
    line.expect("a rectangle has lines left")
}

/// On larger boards, the blank first approaches a tile to within `NEAR` cells, and then brings it `HOP` cells at a
/// time.
const NEAR: usize = 6;
const HOP: usize = 4;

/// Maximum cells of the window in which a hop is first searched, so that a mask of them fits into a word, and cells
/// between its edge and the tile, its target and the blank.
const HOP_CELLS: usize = 128;
const HOP_MARGIN: usize = 2;

/// A board with locked cells, and the moves made on it.
pub(super) struct LockedBoard<'a, 'm, 'o> {
    grid: &'a Grid,
    position: Layout,
    /// The cell of each tile, by its goal.
    places: Vec<u16>,
    /// For each cell, whether its tile may still be moved.
    free: Vec<bool>,
    moves: Vec<Move>,
    work: &'a mut Workspace<'m, 'o>,
    /// Maximum number of states that the search for one hop expands. Without a limit, a hop whose target is enclosed by
    /// locked cells expands all states.
    max_states: usize,
}

impl<'a, 'm, 'o> LockedBoard<'a, 'm, 'o> {
    pub fn new(
        grid: &'a Grid,
        position: Layout,
        work: &'a mut Workspace<'m, 'o>,
        max_states: usize,
    ) -> Self {
        let mut places = vec![0; position.cells.len()];
        (0..).zip(&position.cells).for_each(|(cell, &goal)| places[usize::from(goal)] = cell);
        let free = vec![true; position.cells.len()];
        Self { grid, position, places, free, moves: Vec::new(), work, max_states }
    }

    /// Returns the position, and the moves that led to it.
    pub fn into_parts(self) -> (Layout, Vec<Move>) {
        (self.position, self.moves)
    }

    /// Returns the cell of the tile whose goal is `goal`.
    fn find(&self, goal: u16) -> u16 {
        self.places[usize::from(goal)]
    }

    /// Solves `line`; `unsolved` is the rectangle that remains after it.
    fn solve_line(&mut self, line: &[u16], unsolved: &Rectangle) -> Result<(), Stop> {
        let (singles, &[first, second]) =
            line.split_last_chunk().expect("a line has at least two cells");
        for &goal in singles {
            self.bring(goal, goal)?;
            self.lock(goal);
        }
        if self.find(first) != first || self.find(second) != second {
            self.put_in_pair(first, second, unsolved)?;
        }
        self.lock(first);
        self.lock(second);
        Ok(())
    }

    /// Locks `cell`, so that the blank stays away from it.
    pub fn lock(&mut self, cell: u16) {
        self.free[usize::from(cell)] = false;
    }

    /// Puts in the last two tiles of a line: brings the first to its goal and the second near it, and then searches for
    /// moves that solve both.
    fn put_in_pair(&mut self, first: u16, second: u16, unsolved: &Rectangle) -> Result<(), Stop> {
        let near = self.near(first, second, unsolved);
        let inside = |board: &Self, goal| near.contains(&board.find(goal));
        let ready = inside(self, first) && inside(self, second);
        if !ready || !near.contains(&self.position.blank) {
            self.bring(first, first)?;
            self.lock(first);
            if !inside(self, second) {
                // Every unsolved cell can be reached from two sides.
                let cells = near.iter().copied();
                let far = cells.max_by_key(|&cell| self.grid.distance(cell, second));
                self.bring(second, far.expect("the area near the pair has cells"))?;
            }
            let tile = self.find(second);
            let entrances: Vec<u16> = near.iter().copied().filter(|&cell| cell != tile).collect();
            self.walk(&entrances, Some(tile))?;
            self.free[usize::from(first)] = true;
        }
        let start = [self.position.blank, self.find(first), self.find(second)];
        let solved = |[_, a, b]: State<3>| (a, b) == (first, second);
        let index = |state: State<3>| {
            let mut places = state.iter().map(|&cell| near.iter().position(|&other| other == cell));
            places.try_fold(0, |index, place| Some(index * near.len() + place?))
        };
        let states = near.len().pow(3);
        let path = breadth_first(self.grid, start, index, states, solved, self.work)?;
        self.play(&path.expect("the cells near the pair suffice for any order"))
    }

    /// Returns the pair of cells, and the unsolved cells at most two lines behind the pair and one line to its side: at
    /// least 2x3 cells without dead ends.
    fn near(&self, first: u16, second: u16, unsolved: &Rectangle) -> Vec<u16> {
        let grid = self.grid;
        let lines = |line: fn(&Grid, u16) -> usize, all: &Range<usize>| {
            let ends = [line(grid, first), line(grid, second)];
            let far = if ends[0] == ends[1] { 2 } else { 1 };
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            from.saturating_sub(far).max(all.start)..(to + far + 1).min(all.end)
        };
        let columns = lines(Grid::column, &unsolved.columns);
        let rows = lines(Grid::row, &unsolved.rows);
        let cells = rows.flat_map(|row| columns.clone().map(move |column| grid.cell(row, column)));
        [first, second].into_iter().chain(cells).collect()
    }

    fn play(&mut self, moves: &[Move]) -> Result<(), Stop> {
        moves.iter().for_each(|&m| self.apply(m));
        self.work.spend(moves.len(), self.moves.len())
    }

    #[inline]
    fn apply(&mut self, m: Move) {
        let from = self.position.blank;
        self.position.apply(self.grid, m);
        let tile = self.position.cells[usize::from(from)];
        self.places[usize::from(tile)] = from;
        self.moves.push(m);
    }

    /// Moves the blank along a shortest path to one of `ends`, leaving the tile on `keep` in place.
    ///
    /// # Panics
    /// If there is no such path.
    fn walk(&mut self, ends: &[u16], keep: Option<u16>) -> Result<(), Stop> {
        let path = self.path(ends, keep)?;
        self.play(&path.expect("no locked cells enclose the blank"))
    }

    /// Moves the blank along a shortest path to `end`. Returns whether there is one.
    pub fn try_walk(&mut self, end: u16) -> Result<bool, Stop> {
        let path = self.path(&[end], None)?;
        if let Some(path) = &path {
            self.play(path)?;
        }
        Ok(path.is_some())
    }

    /// Returns a shortest path of the blank to one of `ends` that leaves the tile on `keep` in place.
    fn path(&mut self, ends: &[u16], keep: Option<u16>) -> Result<Option<Vec<Move>>, Stop> {
        let free = &self.free;
        let index = |[blank]: State<1>| {
            Some(usize::from(blank)).filter(|&cell| free[cell] && keep != Some(blank))
        };
        let solved = |[blank]: State<1>| ends.contains(&blank);
        let start = [self.position.blank];
        breadth_first(self.grid, start, index, free.len(), solved, self.work)
    }

    /// Brings the tile whose goal is `goal` to `target`: in as few moves as possible on boards of up to [`TABLE_CELLS`]
    /// cells, otherwise in hops, each of which takes as few moves as possible.
    ///
    /// # Panics
    /// If the tile cannot be brought there.
    fn bring(&mut self, goal: u16, target: u16) -> Result<(), Stop> {
        let arrives = self.try_bring(goal, target)?;
        assert!(arrives, "the tile cannot be brought to its target");
        Ok(())
    }

    /// Like [`bring`](Self::bring), but returns whether the tile has reached `target`; locked cells may prevent that.
    pub fn try_bring(&mut self, goal: u16, target: u16) -> Result<bool, Stop> {
        let mut tile = self.find(goal);
        while tile != target {
            let mut next = target;
            if self.free.len() > TABLE_CELLS {
                self.approach(tile)?;
                next = self.on_the_way(tile, target);
            }
            if !self.hop(tile, next)? {
                next = target;
                if !self.hop(tile, next)? {
                    return Ok(false);
                }
            }
            tile = next;
        }
        Ok(true)
    }

    /// Moves the blank straight towards the tile on `tile`, until it is near or would have to go round locked cells.
    fn approach(&mut self, tile: u16) -> Result<(), Stop> {
        let before = self.moves.len();
        loop {
            let blank = self.position.blank;
            let left = self.grid.distance(blank, tile);
            let nearer = |&(_, to): &(Move, u16)| {
                self.free[usize::from(to)] && self.grid.distance(to, tile) < left
            };
            match self.grid.neighbours(blank).find(nearer) {
                Some((m, _)) if left > NEAR => self.apply(m),
                _ => return self.work.spend(self.moves.len() - before, self.moves.len()),
            }
        }
    }

    /// Returns a cell some steps nearer to `target`, by alternate steps along rows and columns: each further step of a
    /// tile takes three moves round a corner and five on a straight line. Returns `target` if there is no such cell.
    fn on_the_way(&self, tile: u16, target: u16) -> u16 {
        let (grid, mut cell, mut last) = (self.grid, tile, None);
        for _ in 0..HOP {
            let left = grid.distance(cell, target);
            let nearer = |&(_, to): &(Move, u16)| {
                self.free[usize::from(to)] && grid.distance(to, target) < left
            };
            let steps = grid.neighbours(cell).filter(nearer);
            match steps.min_by_key(|&(m, _)| last == Some(m)) {
                Some((m, to)) => (cell, last) = (to, Some(m)),
                None => return target,
            }
        }
        cell
    }

    /// Brings the tile on `tile` to `target` in as few moves as possible, or as few as the blank needs inside a window
    /// around them on larger boards. Returns whether that is possible.
    fn hop(&mut self, tile: u16, target: u16) -> Result<bool, Stop> {
        if self.free.len() > TABLE_CELLS && self.hop_in_window(tile, target)? {
            return Ok(true);
        }
        let path = self.hop_path(tile, target, |_| true, self.max_states)?;
        if let Some(path) = &path {
            self.play(path)?;
        }
        Ok(path.is_some())
    }

    /// Like [`hop`](Self::hop), but with the blank inside a window, and by a stored path if there is one for such a
    /// window: most hops are like earlier ones elsewhere on the board, and a search takes thousands of times as long
    /// as a look-up. Returns `false` if the window is too large, too.
    fn hop_in_window(&mut self, tile: u16, target: u16) -> Result<bool, Stop> {
        let (grid, cells) = (self.grid, [self.position.blank, tile, target]);
        let range = |line: fn(&Grid, u16) -> usize, lines: usize| {
            let at = cells.map(|cell| line(grid, cell));
            let first = at[0].min(at[1]).min(at[2]).saturating_sub(HOP_MARGIN);
            first..(at[0].max(at[1]).max(at[2]) + HOP_MARGIN + 1).min(lines)
        };
        let rows = range(Grid::row, grid.size.height());
        let columns = range(Grid::column, grid.size.width());
        if rows.len() * columns.len() > HOP_CELLS {
            return Ok(false);
        }
        let mut free = 0_u128;
        for row in rows.clone() {
            let first = usize::from(grid.cell(row, columns.start));
            for &is_free in &self.free[first..first + columns.len()] {
                free = free << 1 | u128::from(is_free);
            }
        }
        let index = |cell: u16| {
            let (row, column) = (grid.row(cell) - rows.start, grid.column(cell) - columns.start);
            (row * columns.len() + column) as u8
        };
        let size = [rows.len() as u8, columns.len() as u8];
        let key = HopKey { free, size, cells: cells.map(index) };
        let path = match self.work.hop(&key) {
            Some(path) => path,
            None => {
                let inside = |cell: u16| {
                    rows.contains(&grid.row(cell)) && columns.contains(&grid.column(cell))
                };
                let path = self.hop_path(tile, target, inside, usize::MAX)?;
                let path = Rc::from(path.unwrap_or_default());
                self.work.store_hop(key, Rc::clone(&path));
                path
            }
        };
        self.play(&path)?;
        Ok(!path.is_empty())
    }

    /// Returns the fewest moves that bring the tile on `tile` to `target` with the blank `inside`, by A* on the cells
    /// of the blank and the tile with at most `max_states` expansions.
    fn hop_path(
        &mut self,
        tile: u16,
        target: u16,
        inside: impl Fn(u16) -> bool,
        max_states: usize,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let Self { grid, free, work, .. } = self;
        let distance = |from, to| grid.distance(from, to) as u16;
        let estimate = |[blank, tile]: State<2>| match distance(tile, target) {
            0 => 0,
            // From a neighbouring cell, the blank moves the tile, and goes round a corner of it before each further
            // step.
            steps => distance(blank, tile) + 3 * (steps - 1),
        };
        let start = [self.position.blank, tile];
        work.reached.set(start, (0, None));
        let mut open = BinaryHeap::from([(Reverse(estimate(start)), 0, start)]);
        let (mut end, mut left, mut stopped) = (None, max_states, Ok(()));
        while let Some((_, depth, state)) = open.pop().filter(|_| left > 0) {
            left -= 1;
            if state[1] == target {
                end = Some(state);
                break;
            }
            if depth > work.reached.get(state).0 {
                continue;
            }
            stopped = work.spend(1, self.moves.len());
            if stopped.is_err() {
                break;
            }
            let is_open = |cell: u16| free[usize::from(cell)] && inside(cell);
            for (m, child) in children(grid, state).filter(|&(_, child)| is_open(child[0])) {
                if depth + 1 < work.reached.get(child).0 {
                    work.reached.set(child, (depth + 1, Some(m)));
                    open.push((Reverse(depth + 1 + estimate(child)), depth + 1, child));
                }
            }
        }
        let path = end.map(|end| path_to(grid, end, |state| work.reached.get(state).1));
        work.reached.clear();
        stopped.map(|()| path)
    }

    /// Solves the last 2x2 cells by moving the blank round them in the shorter direction.
    fn turn_last_square(&mut self, square: &Rectangle) {
        let (grid, row, column) = (self.grid, square.rows.start, square.columns.start);
        let corner = |down, right| grid.cell(row + down, column + right);
        let ring = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        let round = |turn: usize| {
            let mut position = self.position.clone();
            let mut moves = Vec::new();
            while !position.is_solved() && moves.len() <= 12 {
                let at = ring.iter().position(|&cell| cell == position.blank)?;
                let next = ring[(at + turn) % 4];
                let mut neighbours = grid.neighbours(position.blank);
                let (m, _) = neighbours.find(|&(_, to)| to == next)?;
                position.apply(grid, m);
                moves.push(m);
            }
            Some(moves)
        };
        let rounds = [round(1), round(3)].into_iter().flatten();
        let moves = rounds.min_by_key(Vec::len).expect("the blank is in the last square");
        moves.into_iter().for_each(|m| self.apply(m));
    }
}
