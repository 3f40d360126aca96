//! Ranks the boards of a size, and updates a rank by a move without branches.
//!
//! A board is a *placement* and the rank of a permutation (see [`placement`](crate::placement)). The rank is that of
//! [`Coordinates`](loyd_heuristics::pdb::Coordinates): the sum over the permuted labels of the number of larger labels
//! before it, times the label's weight, (number of larger labels)!. A move along a row, and a move of a placed tile,
//! change only the placement. A permuted tile that jumps over another changes the rank by ± the weight of the smaller
//! label of the two.
//!
//! | field of [`RankedBoard`] | bits | meaning |
//! |---|---|---|
//! | `board` | 4c to 4c + 3 | label of the tile on cell c, from 0 in the order of goal cells; 15: blank |
//! | `code` | digits in base n, the number of cells | digit 0: cell of the blank; digit 1 + l: of the placed tile l |
//! | `rank` | all | rank of the permutation of the other tiles |
//! | `blank` | all | cell of the blank |
//!
//! In a placement only permutations of one parity can be reached, so half the rank is enough to index the table.

use loyd_heuristics::pdb::Position;
use loyd_tiles::{Cell, Move, MoveSet, Size};

use crate::placement;

/// Maximum number of cells of a board.
pub const MAX_CELLS: usize = 12;

/// Marks the blank's cell in a [`RankedBoard`]. Its gains are 0, and it also stands for "no tile".
const BLANK: u64 = 15;

/// The numbering of all boards of a size, for one goal cell of the blank.
#[derive(Debug)]
pub struct States {
    size: Size,
    goal: RankedBoard,
    /// Number of placed tiles.
    placed: usize,
    /// Number of permuted tiles.
    permuted: usize,
    /// Number of words in a placement.
    placement_words: usize,
    /// By code: the number of the placement; `u16::MAX` for codes in which a cell repeats.
    placements: Vec<u16>,
    /// Codes of the placements at even distances from the goal, then of those at odd ones, in order of their numbers.
    codes: [Vec<u32>; 2],
    steps: Steps,
}

/// Tables for [`States::moved`].
#[derive(Debug)]
struct Steps {
    /// Legal moves by cell of the blank.
    moves: [MoveSet; 16],
    /// New cell of the blank, by its old cell and by move; the old cell itself for illegal moves.
    targets: [[u8; 4]; 16],
    /// By cell: 1 if its chessboard colour differs from that of the blank's goal cell, else 0.
    odd: [u8; 16],
    /// Gain in rank when the first label jumps forward over the second; 0 for placed tiles and the blank.
    gains: [[i32; 16]; 16],
    /// By label: what one cell further adds to the code; 0 for permuted tiles.
    weights: [i32; 16],
    /// By move: mask of the jumped cells, at most two nibbles, counted from the cell after the earlier of the two.
    passed: [u64; 4],
    /// By move: 1 if the tile moves forward, −1 if it moves backward, 0 along a row.
    directions: [i32; 4],
}

/// A board with its placement code and rank. The [module documentation](self) has its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedBoard {
    /// Label of the tile on each cell, four bits per cell; [`BLANK`] on the blank's cell.
    board: u64,
    /// Cells of the blank and of the placed tiles, as digits.
    code: u32,
    /// Rank of the permutation of the other tiles.
    rank: u32,
    /// Cell of the blank.
    blank: u8,
}

impl States {
    /// Numbers the boards of `size`, at most as wide as high, with the blank's goal cell `blank`.
    ///
    /// # Panics
    /// If the board has more than [`MAX_CELLS`] cells or is wider than high.
    pub fn new(size: Size, blank: u8) -> Self {
        let cells = size.cells();
        assert!(
            cells <= MAX_CELLS && size.width() <= size.height(),
            "the board is too large or wider than high"
        );
        let (placed, permuted) = placement::split_tiles(size);
        let steps = Steps::new(size, blank, (placed, permuted));
        let mut states = Self {
            size,
            goal: RankedBoard { board: 0, code: 0, rank: 0, blank },
            placed,
            permuted,
            placement_words: placement::words_per_placement(permuted),
            placements: vec![u16::MAX; cells.pow(1 + placed as u32)],
            codes: [Vec::new(), Vec::new()],
            steps,
        };
        states.number_placements();
        states.goal = states.rank_board(&std::array::from_fn(|cell| cell as u8));
        states
    }

    /// Numbers the placements with all cells different, those at even distances first.
    fn number_placements(&mut self) {
        for code in 0..self.placements.len() as u32 {
            let cells = self.cells(code);
            if (1..cells.len()).all(|i| !cells[..i].contains(&cells[i])) {
                let half = self.half(cells[0].into());
                self.codes[half].push(code);
            }
        }
        let even = self.codes[0].len();
        for (half, first) in [(0, 0), (1, even)] {
            for (placement, &code) in self.codes[half].iter().enumerate() {
                self.placements[code as usize] = (first + placement) as u16;
            }
        }
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of permuted tiles.
    pub fn permuted(&self) -> usize {
        self.permuted
    }

    /// Returns the number of words in a placement.
    #[inline]
    pub fn placement_words(&self) -> usize {
        self.placement_words
    }

    /// Returns the codes of the placements at even distances from the goal, and of those at odd ones. Placements are
    /// numbered in this order.
    pub fn codes(&self) -> &[Vec<u32>; 2] {
        &self.codes
    }

    /// Returns the number of the placement with this code.
    pub fn placement(&self, code: u32) -> usize {
        self.placements[code as usize].into()
    }

    /// Returns the number of reachable states.
    pub fn count(&self) -> u64 {
        placement::state_count(self.size)
    }

    /// Returns the cells of the blank and of the placed tiles, the digits of `code`.
    pub fn cells(&self, mut code: u32) -> Vec<u8> {
        let base = self.size.cells() as u32;
        let digit = |_| {
            let digit = code % base;
            code /= base;
            digit as u8
        };
        (0..=self.placed).map(digit).collect()
    }

    /// Returns the code for the blank and the placed tiles on these cells.
    pub fn code(&self, cells: &[u8]) -> u32 {
        let base = self.size.cells() as u32;
        cells.iter().rev().fold(0, |code, &cell| code * base + u32::from(cell))
    }

    /// Returns the parity of the distance from the goal when the blank is on `blank`.
    #[inline]
    pub fn half(&self, blank: usize) -> usize {
        self.steps.odd[blank % 16].into()
    }

    /// Returns the goal.
    #[inline]
    pub fn goal(&self) -> RankedBoard {
        self.goal
    }

    /// Ranks a board given in canonical orientation.
    pub fn rank_board(&self, position: &Position) -> RankedBoard {
        let (goal_blank, steps) = (self.goal.blank, &self.steps);
        let mut ranked = RankedBoard { board: 0, code: 0, rank: 0, blank: 0 };
        for (cell, &goal) in position[..self.size.cells()].iter().enumerate() {
            if goal == goal_blank {
                ranked.board |= BLANK << (4 * cell);
                ranked.code += cell as u32;
                ranked.blank = cell as u8;
                continue;
            }
            let label = usize::from(goal) - usize::from(goal > goal_blank);
            let before = (0..cell).map(|before| (ranked.board >> (4 * before) & 15) as usize);
            let larger = before.filter(|&other| other > label);
            ranked.rank += larger.map(|other| steps.gains[label][other]).sum::<i32>() as u32;
            ranked.board |= (label as u64) << (4 * cell);
            ranked.code += cell as u32 * steps.weights[label] as u32;
        }
        ranked
    }
}

impl Steps {
    fn new(size: Size, blank: u8, (placed, permuted): (usize, usize)) -> Self {
        let goal = Cell::new(blank.into());
        let mut steps = Self {
            moves: [MoveSet::EMPTY; 16],
            targets: [[0; 4]; 16],
            odd: [0; 16],
            gains: [[0; 16]; 16],
            weights: [0; 16],
            passed: [0; 4],
            directions: [1, 0, 0, -1],
        };
        for cell in size.iter_cells() {
            let target = |m| size.neighbour(cell, m).unwrap_or(cell).index() as u8;
            steps.moves[cell.index()] = size.moves(cell);
            steps.targets[cell.index()] = Move::ALL.map(target);
            steps.odd[cell.index()] = (size.distance(goal, cell) % 2) as u8;
        }
        for label in 0..placed {
            steps.weights[label] = size.cells().pow(1 + label as u32) as i32;
        }
        let weight = |label: usize| (1..(placed + permuted - label) as i32).product::<i32>();
        for label in placed..placed + permuted {
            for other in (placed..placed + permuted).filter(|&other| other != label) {
                let gain = if other > label { weight(label) } else { -weight(other) };
                steps.gains[label][other] = gain;
            }
        }
        steps.passed[Move::Up.index()] = (1 << (4 * (size.width() - 1))) - 1;
        steps.passed[Move::Down.index()] = steps.passed[Move::Up.index()];
        steps
    }
}

impl RankedBoard {
    /// Returns the cell of the blank.
    pub fn blank(self) -> u8 {
        self.blank
    }

    /// Returns the rank of the permutation of the tiles that are not placed.
    #[inline]
    pub fn rank(self) -> usize {
        self.rank as usize
    }
}

impl States {
    /// Returns the legal moves.
    #[inline]
    pub fn moves(&self, ranked: RankedBoard) -> MoveSet {
        self.steps.moves[usize::from(ranked.blank) % 16]
    }

    /// Returns the board after the move `m`, without branches. An illegal move returns the board unchanged.
    #[inline]
    pub fn moved(&self, ranked: RankedBoard, m: Move) -> RankedBoard {
        let (steps, m) = (&self.steps, m.index());
        let to = steps.targets[usize::from(ranked.blank) % 16][m];
        let label = ranked.board >> (4 * to) & 15;
        // With a width of at most three, a vertical move jumps over at most two tiles: the nibbles after the earlier
        // cell. All other nibbles become `BLANK`, whose gain is 0.
        let between = ranked.board >> (4 * to.min(ranked.blank) + 4) | !steps.passed[m];
        let gains = &steps.gains[label as usize];
        let gain = gains[between as usize & 15] + gains[between as usize >> 4 & 15];
        // Exchanges the nibbles of tile and blank.
        let change = (label ^ BLANK) << (4 * to) | (label ^ BLANK) << (4 * ranked.blank);
        // The tile moves as many cells as the blank does, the other way; the blank's digit has weight 1.
        let further = i32::from(ranked.blank) - i32::from(to);
        let code = further * (steps.weights[label as usize] - 1);
        RankedBoard {
            board: ranked.board ^ change,
            code: ranked.code.wrapping_add_signed(code),
            rank: ranked.rank.wrapping_add_signed(steps.directions[m] * gain),
            blank: to,
        }
    }

    /// Returns the number of the board's placement.
    #[inline]
    pub fn placement_of(&self, ranked: RankedBoard) -> usize {
        self.placement(ranked.code)
    }

    /// Returns the memory used by the numbering, in bytes.
    pub fn bytes(&self) -> u64 {
        let codes = self.codes.iter().map(Vec::len).sum::<usize>();
        (size_of_val(&*self.placements) + codes * size_of::<u32>()) as u64
    }

    /// Returns the parity of the board's distance from the goal.
    #[inline]
    pub fn parity(&self, ranked: RankedBoard) -> u32 {
        self.half(ranked.blank.into()) as u32
    }
}
