//! Goals met by several boards: only some cells are constrained, or several tiles have the same number.

use std::fmt;

use crate::board::{Board, BoardError, Fault, Relabelling};
use crate::equal_tiles::{EqualTiles, EqualTilesError};
use crate::notation::{ends_with_slash, in_rows};
use crate::parity::Solvability;
use crate::size::{Cell, Size, Tile};

/// A goal in which only some cells are *constrained*, each to a certain tile or to the blank. All other tiles are
/// *don't-care tiles*: they are interchangeable and may end on any unconstrained cell.
///
/// With [`EqualTiles`] each cell requires a number, and all tiles with that number are interchangeable. A cell is then
/// constrained if only one tile has its number, and all other tiles count as don't-care tiles. Constraining only these
/// cells relaxes the goal, so lower bounds for the constrained cells hold for the whole goal too.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{parse_board, parse_partial_goal};
/// let goal = parse_partial_goal("1 2 3/* * */* * *", None)?;
/// assert!(goal.is_met_by(&parse_board("1 2 3/x 8 7/6 5 4", None)?));
/// assert!(!goal.is_met_by(&parse_board("1 2 4/x 8 7/6 5 3", None)?));
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PartialGoal {
    size: Size,
    /// The required tile of each cell, `None` if the cell is unconstrained.
    required: Box<[Option<Tile>]>,
    /// With equal tiles: the numbers on the tiles, and a board that meets the goal.
    equal: Option<Box<(EqualTiles, Board)>>,
}

impl PartialGoal {
    /// Creates the goal that requires these tile numbers in reading order: 0 for the blank, `None` for an
    /// unconstrained cell.
    ///
    /// # Errors
    /// Returns every fault of the numbers.
    pub fn new(size: Size, numbers: &[Option<u32>]) -> Result<Self, BoardError> {
        // Fills the other cells with the remaining tiles, so that `Board::new` reports the same faults.
        let mut is_given = vec![false; size.cells()];
        for &number in numbers.iter().flatten() {
            is_given.get_mut(number as usize).into_iter().for_each(|given| *given = true);
        }
        let mut left = (0..size.cells() as u32).filter(|&number| !is_given[number as usize]);
        let open = numbers.iter().filter(|number| number.is_none()).count();
        let mut spare: Vec<u32> = left.by_ref().take(open).collect();
        // With repeated tiles, more tiles remain than open cells; the surplus tiles are not reported as missing.
        let repeated = left.count();
        let mut filled = Vec::with_capacity(numbers.len());
        for number in numbers {
            filled.push(number.unwrap_or_else(|| spare.pop().unwrap_or(0)));
        }
        if let Err(mut error) = Board::new(size, &filled) {
            if repeated > 0 {
                error.faults.retain(|fault| !matches!(fault, Fault::Missing(_)));
            }
            return Err(error);
        }
        let required = numbers.iter().map(|number| number.map(|n| Tile::new(n as u16))).collect();
        Ok(Self { size, required, equal: None })
    }

    /// Creates the goal that requires these numbers in reading order, 0 for the blank; several tiles may have the same
    /// number.
    ///
    /// # Errors
    /// Returns an error unless there is one number for each cell and exactly one blank.
    pub fn with_equal_tiles(size: Size, numbers: &[u32]) -> Result<Self, EqualTilesError> {
        let tiles = EqualTiles::new(size, numbers)?;
        let board = tiles.board(numbers)?;
        Ok(Self::of_numbers(tiles, board))
    }

    /// Creates the goal that requires the numbers on `board`.
    fn of_numbers(tiles: EqualTiles, board: Board) -> Self {
        let required = board.tiles().iter().map(|&tile| (tiles.count(tile) == 1).then_some(tile));
        Self {
            size: board.size(),
            required: required.collect(),
            equal: Some(Box::new((tiles, board))),
        }
    }

    /// Returns the goal that requires the constrained tiles and the blank on their cells of `board`; with equal tiles,
    /// all numbers of `board`.
    ///
    /// # Panics
    /// If the board differs in size.
    pub fn from_board(&self, board: &Board) -> Self {
        assert_eq!(board.size(), self.size, "board and goal must have the same size");
        if let Some((tiles, _)) = self.equal.as_deref() {
            return Self::of_numbers(tiles.clone(), board.clone());
        }
        let dont_care = self.dont_care_tiles();
        let required =
            board.tiles().iter().map(|&tile| (!dont_care.contains(&tile)).then_some(tile));
        Self { size: self.size, required: required.collect(), equal: None }
    }

    /// Returns the numbers on the tiles if several tiles may have the same one.
    pub fn equal_tiles(&self) -> Option<&EqualTiles> {
        self.equal.as_deref().map(|(tiles, _)| tiles)
    }

    /// Returns whether exchanging these two tiles never changes whether a board meets the goal.
    pub fn are_interchangeable(&self, one: Tile, other: Tile) -> bool {
        match self.equal.as_deref() {
            Some((tiles, _)) => tiles.number(one) == tiles.number(other),
            None => ![one, other]
                .iter()
                .any(|&tile| tile.is_blank() || self.required.contains(&Some(tile))),
        }
    }

    /// Returns whether `tile`, or the blank, may end on `cell`.
    pub fn admits(&self, cell: Cell, tile: Tile) -> bool {
        match self.equal.as_deref() {
            Some((tiles, board)) => tiles.number(board.tile(cell)) == tiles.number(tile),
            None => self.required(cell).is_none_or(|required| required == tile),
        }
    }

    /// Returns the size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the tile or blank that `cell` requires, or `None` if it is unconstrained.
    pub fn required(&self, cell: Cell) -> Option<Tile> {
        self.required[cell.index()]
    }

    /// Returns whether `board` meets the goal.
    ///
    /// # Panics
    /// If the board differs in size.
    pub fn is_met_by(&self, board: &Board) -> bool {
        assert_eq!(board.size(), self.size, "board and goal must have the same size");
        self.size.iter_cells().all(|cell| self.admits(cell, board.tile(cell)))
    }

    /// Returns the tiles that may lie on any unconstrained cell; with equal tiles, all tiles that share their number
    /// with another tile.
    pub fn dont_care_tiles(&self) -> Vec<Tile> {
        let mut is_required = vec![false; self.size.cells()];
        self.required.iter().flatten().for_each(|tile| is_required[tile.index()] = true);
        let numbers = (1..self.size.cells()).filter(|&number| !is_required[number]);
        numbers.map(|number| Tile::new(number as u16)).collect()
    }

    /// Returns the labels of the tiles that the goal constrains to one cell. The goal of `labels` must be a board
    /// that meets this goal.
    pub fn constrained(&self, labels: &Relabelling) -> Vec<u8> {
        let is_required = |&label: &u8| self.required(labels.goal_cell(label)).is_some();
        (0..self.size.tiles() as u8).filter(is_required).collect()
    }

    /// Returns the cells on which the tile with this label may end; empty for a don't-care tile, which may end on any
    /// unconstrained cell. The goal of `labels` must be a board that meets this goal.
    pub fn goal_cells(&self, labels: &Relabelling, label: u8) -> Vec<Cell> {
        let (cell, tile) = (labels.goal_cell(label), labels.tile(label));
        match self.equal.as_deref() {
            Some(_) => self.size.iter_cells().filter(|&cell| self.admits(cell, tile)).collect(),
            None => self.required(cell).map(|_| cell).into_iter().collect(),
        }
    }

    /// Returns the cells on which the blank may end.
    pub fn blank_cells(&self) -> Vec<Cell> {
        let constrained =
            self.size.iter_cells().find(|&cell| self.required(cell) == Some(Tile::BLANK));
        match constrained {
            Some(cell) => vec![cell],
            None => self.size.iter_cells().filter(|&cell| self.required(cell).is_none()).collect(),
        }
    }

    /// Returns a board that meets the goal and can be reached from `start`, or `None` if there is none. The board is
    /// not necessarily the nearest.
    ///
    /// # Panics
    /// If the board differs in size.
    pub fn reachable(&self, start: &Board) -> Option<Board> {
        assert_eq!(start.size(), self.size, "board and goal must have the same size");
        let reaches =
            |board: &Board| Solvability::is_reachable(start, board) && self.is_met_by(board);
        if self.size.is_line() {
            // No move changes the order of the tiles.
            let cells = self.blank_cells();
            return cells.iter().map(|&cell| start.with_blank_on(cell)).find(reaches);
        }
        self.fillings().find(reaches)
    }

    /// Like [`reachable`](Self::reachable), but leaves don't-care tiles in place where possible and puts the blank on
    /// the nearest allowed cell: a target for approximate search. Returns `None` if no such board can be reached.
    ///
    /// # Panics
    /// If the board differs in size.
    pub fn near(&self, start: &Board) -> Option<Board> {
        if self.equal.is_some() {
            return self.near_numbers(start);
        }
        let (size, dont_care) = (self.size, self.dont_care_tiles());
        let blank = self.blank_cells();
        let blank = blank.into_iter().min_by_key(|&cell| size.distance(cell, start.blank()))?;
        let cells =
            size.iter_cells().filter(|&cell| self.required(cell).is_none() && cell != blank);
        let mut moves = vec![false; size.cells()];
        dont_care.iter().for_each(|tile| moves[tile.index()] = true);
        let (kept, gaps): (Vec<Cell>, Vec<Cell>) =
            cells.partition(|&cell| moves[start.tile(cell).index()]);
        let mut is_kept = vec![false; size.cells()];
        for &cell in &kept {
            moves[start.tile(cell).index()] = false;
            is_kept[cell.index()] = true;
        }
        let mut moved = dont_care.iter().filter(|tile| moves[tile.index()]);
        let mut tiles: Vec<Tile> = size
            .iter_cells()
            .map(|cell| match self.required(cell) {
                _ if cell == blank => Some(Tile::BLANK),
                Some(tile) => Some(tile),
                None if is_kept[cell.index()] => Some(start.tile(cell)),
                None => moved.next().copied(),
            })
            .collect::<Option<_>>()?;
        let board = |tiles: &[Tile]| {
            let numbers: Vec<u32> = tiles.iter().map(|tile| tile.number().into()).collect();
            let board = Board::new(size, &numbers).ok()?;
            Solvability::is_reachable(start, &board).then_some(board)
        };
        board(&tiles).or_else(|| {
            // Any two don't-care tiles may be exchanged; prefer two that have to move anyway.
            let [.., one, other] = [kept, gaps].concat()[..] else { return None };
            tiles.swap(one.index(), other.index());
            board(&tiles)
        })
    }

    /// [`near`](Self::near) with equal tiles: keeps tiles that may stay, then gives each other cell the nearest tile
    /// with its number.
    fn near_numbers(&self, start: &Board) -> Option<Board> {
        let size = self.size;
        let mut left: Vec<Cell> = size.iter_cells().collect();
        let mut tiles = vec![None; size.cells()];
        for may_move in [false, true] {
            for cell in size.iter_cells() {
                let fits = |from: &Cell| {
                    self.admits(cell, start.tile(*from)) && (may_move || *from == cell)
                };
                let near = left.iter().copied().filter(fits);
                let near = near.min_by_key(|&from| size.distance(from, cell));
                if let Some(from) = near.filter(|_| tiles[cell.index()].is_none()) {
                    tiles[cell.index()] = Some(start.tile(from));
                    left.retain(|&other| other != from);
                }
            }
        }
        let numbers: Option<Vec<u32>> =
            tiles.iter().map(|tile| tile.map(|tile| u32::from(tile.number()))).collect();
        let near = Board::new(size, &numbers?).ok()?;
        let reaches = |board: &Board| Solvability::is_reachable(start, board);
        let moved = |cell: &Cell| start.tile(*cell) != near.tile(*cell);
        // Prefers to exchange equal tiles that have to move anyway.
        let (one, other) = (self.exchanged(&near, moved), self.exchanged(&near, |_| true));
        [Some(near), one, other].into_iter().flatten().find(reaches)
    }

    /// Returns `board` with two interchangeable tiles exchanged, on cells for which `may` holds, or `None` if there is
    /// no such pair.
    fn exchanged(&self, board: &Board, may: impl Fn(&Cell) -> bool) -> Option<Board> {
        let cells: Vec<Cell> = self.size.iter_cells().filter(may).collect();
        let alike = |one: Cell, other: Cell| {
            one < other && self.are_interchangeable(board.tile(one), board.tile(other))
        };
        let pair = |&one: &Cell| Some((one, cells.iter().copied().find(|&c| alike(one, c))?));
        let (one, other) = cells.iter().find_map(pair)?;
        let mut numbers: Vec<u32> = board.numbers().map(u32::from).collect();
        numbers.swap(one.index(), other.index());
        Board::new(self.size, &numbers).ok()
    }

    /// Returns a board that meets the goal.
    pub fn example(&self) -> Board {
        self.fillings().next().expect("every goal is met by some board")
    }

    /// Iterates over boards that meet the goal: for each cell of the blank one board and, if two don't-care tiles can
    /// be exchanged, a second one of the opposite parity.
    fn fillings(&self) -> Box<dyn Iterator<Item = Board> + '_> {
        if let Some((_, goal)) = self.equal.as_deref() {
            let boards = [Some(goal.clone()), self.exchanged(goal, |_| true)];
            return Box::new(boards.into_iter().flatten());
        }
        let dont_care = self.dont_care_tiles();
        let halves = if dont_care.len() < 2 { 1 } else { 2 };
        let cells = self.blank_cells().into_iter();
        Box::new(cells.flat_map(move |blank| {
            let mut dont_care = dont_care.clone();
            (0..halves).filter_map(move |half| {
                if half == 1 {
                    dont_care.swap(0, 1);
                }
                self.filling(blank, &dont_care)
            })
        }))
    }

    /// Returns the board with the blank on `blank` and the `dont_care` tiles on the open cells, or `None` if the tiles
    /// do not suffice.
    fn filling(&self, blank: Cell, dont_care: &[Tile]) -> Option<Board> {
        let mut left = dont_care.iter();
        let mut fill = |cell: Cell| match self.required(cell) {
            _ if cell == blank => Some(Tile::BLANK),
            Some(tile) => Some(tile),
            None => left.next().copied(),
        };
        let cells = self.size.iter_cells();
        let tiles: Option<Vec<u32>> =
            cells.map(|cell| fill(cell).map(|tile| tile.number().into())).collect();
        Board::new(self.size, &tiles?).ok()
    }
}

/// Writes rows separated by `/`, with 0 for the blank and `*` for an unconstrained cell; equal tiles by their numbers.
impl fmt::Display for PartialGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words =
            self.size.iter_cells().map(|cell| match (self.equal.as_deref(), self.required(cell)) {
                (Some((tiles, board)), _) => tiles.number(board.tile(cell)).to_string(),
                (None, Some(tile)) => tile.number().to_string(),
                (None, None) => "*".to_owned(),
            });
        in_rows(f, self.size.width(), words, [" ", "/"])?;
        f.write_str(if ends_with_slash(self.size) { "/" } else { "" })
    }
}

impl fmt::Debug for PartialGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartialGoal({self})")
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{parse_board, parse_partial_goal};

    use super::*;

    fn goal(text: &str) -> PartialGoal {
        parse_partial_goal(text, None).unwrap()
    }

    #[test]
    fn near_moves_dont_care_tiles_only_if_necessary() {
        for (start, part, near) in [
            ("1 2 3/8 x 7/6 5 4", "1 2 3/* * */* * *", Some("1 2 3/8 x 7/6 5 4")),
            ("4 2 3/1 x 7/6 5 8", "1 2 3/* * */* * *", Some("1 2 3/8 x 7/6 5 4")),
            ("2 1 3/4 5 6/7 8 x", "1 2 3/4 5 6/* * *", Some("1 2 3/4 5 6/8 7 x")),
            ("2 1 3/4 5 6/7 8 x", "1 2 3/4 5 6/7 * *", None),
            ("1 2 3/4 5 6/7 8 x", "x * */* * */* * *", Some("x 2 3/4 5 6/7 1 8")),
        ] {
            let board = |text: &str| parse_board(text, None).unwrap();
            let found = goal(part).near(&board(start));
            assert_eq!(found, near.map(board), "{start} to {part}");
            assert!(found.is_none_or(|found| goal(part).is_met_by(&found)));
        }
    }

    #[test]
    fn partial_goals_round_trip_and_faults_are_reported() {
        for text in ["1 2 3/* * */* * *", "* */* 0", "1 * * 0/", "1/*/*/2/", "1/*/2", "1 2/3 0"] {
            assert_eq!(goal(text).to_string(), text);
            assert_eq!(goal(&format!("\u{feff}{text}\r\n")), goal(text));
        }
        for (text, same) in [
            ("1 2 3 | 4 * *", "1 2 3/4 * *"),
            ("1 │ *", "1/*"),
            ("\u{feff}// a goal\n1 2/3 *", "1 2/3 *"),
            ("12 *3", "1 2/* 3"),
            ("2x3: 1, *, 3, 4, *, 5", "1 */3 4/* 5"),
            ("> 1 2\n> 3 *\n", "1 2/3 0"),
            ("2\n1 2\n3 *\n", "1 2/3 0"),
        ] {
            assert_eq!(goal(text), goal(same), "{text}");
        }
        let error = |text: &str| parse_partial_goal(text, None).unwrap_err().to_string();
        assert!(error("1/*/*/2").contains("may be a 2x2 board"), "{}", error("1/*/*/2"));
        assert!(
            error("1 2 3/1 * */* * *").contains("tile 1 appears twice"),
            "{}",
            error("1 2 3/1 * */* * *")
        );
        assert!(!error("1 2 3/1 * */* * *").contains("missing"));
        assert!(error("1 2 9/* * */* * *").contains("out of range"));
        assert!(error("1 2 3/* *").contains("row 2"));
        assert!(error("1 2 q/* * */* * *").contains("`q` is not a tile"));
    }

    #[test]
    fn reachable_finds_boards_of_both_parities() {
        let boards =
            ["1 2 3/4 5 6/7 8 x", "2 1 3/4 5 6/7 8 x"].map(|b| parse_board(b, None).unwrap());
        let reached =
            |text: &str| boards.each_ref().map(|start| goal(text).reachable(start).is_some());
        // Exchanging two don't-care tiles flips the parity.
        assert_eq!(reached("1 2 3/* * */* * *"), [true, true]);
        assert_eq!(reached("* * */* * */* * x"), [true, true]);
        assert_eq!(reached("* * */* * */* * *"), [true, true]);
        // One don't-care tile and an unconstrained blank: two boards, one move apart, of the same class.
        assert_eq!(reached("1 2 3/4 5 6/7 * *"), [true, false]);
        assert_eq!(reached("1 2 3/4 5 6/7 * x"), [true, false]);
        assert_eq!(reached("2 1 3/4 5 6/7 * *"), [false, true]);
        // The two open cells are not adjacent, so each choice of the blank cell gives one parity.
        assert_eq!(reached("* 2 3/4 5 6/7 8 *"), [true, true]);
    }

    #[test]
    fn order_is_fixed_on_a_line() {
        let start = parse_board("2 1 3 x/", None).unwrap();
        assert_eq!(goal("* * 3 x/").reachable(&start), Some(start.clone()));
        assert_eq!(
            goal("2 * * */").reachable(&start).map(|b| b.to_string()).as_deref(),
            Some("2 x 1 3")
        );
        assert_eq!(goal("1 * * */").reachable(&start), None);
        assert_eq!(
            goal("x * * */").reachable(&start).map(|b| b.to_string()).as_deref(),
            Some("x 2 1 3")
        );
    }
}
