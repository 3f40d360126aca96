//! Numbers for all boards of a size, and how a move changes them.
//!
//! A number is a *placement* and the rank of a permutation. The placement has the cells of the
//! blank and of the first few tiles, the *placed* ones; the permutation is that of at most eight others in reading
//! order.
//! Its rank is that of [`Coordinates`](loyd_heuristics::pdb::Coordinates): for each label the number
//! of larger ones before it, times a factorial. So a move along a row of the board, and a move of a
//! placed tile, go to another placement and leave the rank alone, and a tile that passes another changes the
//! rank by ± the weight of the smaller label of the two.
//!
//! In a placement all permutations that can be reached have the same parity, so half the rank is enough.

use loyd_heuristics::pdb::Position;
use loyd_tiles::{Cell, Move, MoveSet, Size};

use crate::placement;

/// The most cells of a board.
pub const MAX_CELLS: usize = 12;

/// What lies on the cell of the blank in a [`Place`]: no label, and no gain to pass it.
const BLANK: u64 = 15;

/// The numbers of all boards of a size whose blank belongs on some cell.
#[derive(Debug)]
pub struct States {
    size: Size,
    goal: Place,
    /// How many tiles are placed, and how many others are permuted.
    placed: usize,
    permuted: usize,
    placement_words: usize,
    /// By code: the placement.
    placements: Vec<u16>,
    /// The codes of the placements at even distances from the goal, and of those at odd ones.
    codes: [Vec<u32>; 2],
    steps: Steps,
}

/// What moves do, for [`States::moved`].
#[derive(Debug)]
struct Steps {
    moves: [MoveSet; 16],
    targets: [[u8; 4]; 16],
    /// By cell: whether it has not the colour of the blank's goal cell.
    odd: [u8; 16],
    /// What a label that goes forward past another adds to the rank.
    gains: [[i32; 16]; 16],
    /// By label: what a cell further adds to the code.
    weights: [i32; 16],
    /// By move: the labels that are passed, at most two, and in which direction.
    passed: [u64; 4],
    directions: [i32; 4],
}

/// A board with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The label on each cell, four bits a cell; [`BLANK`] on that of the blank.
    board: u64,
    /// The cell of the blank and those of the placed tiles, as digits.
    code: u32,
    /// The rank of the permutation of the other tiles.
    rank: u32,
    blank: u8,
}

impl States {
    /// The numbers for boards of `size`, at most as wide as high, whose blank belongs on `blank`.
    pub fn new(size: Size, blank: u8) -> Self {
        let cells = size.cells();
        assert!(cells <= MAX_CELLS && size.width() <= size.height(), "no such boards");
        let (placed, permuted) = placement::shares(size);
        let steps = Steps::new(size, blank, (placed, permuted));
        let mut states = Self {
            size,
            goal: Place { board: 0, code: 0, rank: 0, blank },
            placed,
            permuted,
            placement_words: placement::words(permuted),
            placements: vec![u16::MAX; cells.pow(1 + placed as u32)],
            codes: [Vec::new(), Vec::new()],
            steps,
        };
        states.number_placements();
        states.goal = states.place(&std::array::from_fn(|cell| cell as u8));
        states
    }

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

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many tiles are permuted.
    pub fn permuted(&self) -> usize {
        self.permuted
    }

    /// The words of a placement: each has the bits of 120 permutations, or of all if they are fewer.
    #[inline]
    pub fn placement_words(&self) -> usize {
        self.placement_words
    }

    /// The codes of the placements at even distances from the goal, and of those at odd ones: placements are
    /// numbered in this order.
    pub fn codes(&self) -> &[Vec<u32>; 2] {
        &self.codes
    }

    /// The number of the placement with this code.
    pub fn placement(&self, code: u32) -> usize {
        self.placements[code as usize].into()
    }

    /// The number of states that can be reached.
    pub fn count(&self) -> u64 {
        placement::count(self.size)
    }

    /// The cell of the blank and those of the placed tiles.
    pub fn cells(&self, mut code: u32) -> Vec<u8> {
        let base = self.size.cells() as u32;
        let digit = |_| {
            let digit = code % base;
            code /= base;
            digit as u8
        };
        (0..=self.placed).map(digit).collect()
    }

    /// The code of the blank and the placed tiles on these cells.
    pub fn code(&self, cells: &[u8]) -> u32 {
        let base = self.size.cells() as u32;
        cells.iter().rev().fold(0, |code, &cell| code * base + u32::from(cell))
    }

    /// The parity of the distance from the goal when the blank is on `blank`.
    #[inline]
    pub fn half(&self, blank: usize) -> usize {
        self.steps.odd[blank % 16].into()
    }

    /// The goal.
    #[inline]
    pub fn goal(&self) -> Place {
        self.goal
    }

    /// The place of a board in its orientation.
    pub fn place(&self, position: &Position) -> Place {
        let (goal_blank, steps) = (self.goal.blank, &self.steps);
        let mut place = Place { board: 0, code: 0, rank: 0, blank: 0 };
        for (cell, &goal) in position[..self.size.cells()].iter().enumerate() {
            if goal == goal_blank {
                place.board |= BLANK << (4 * cell);
                place.code += cell as u32;
                place.blank = cell as u8;
                continue;
            }
            let label = usize::from(goal) - usize::from(goal > goal_blank);
            let before = (0..cell).map(|before| (place.board >> (4 * before) & 15) as usize);
            let larger = before.filter(|&other| other > label);
            place.rank += larger.map(|other| steps.gains[label][other]).sum::<i32>() as u32;
            place.board |= (label as u64) << (4 * cell);
            place.code += cell as u32 * steps.weights[label] as u32;
        }
        place
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

impl Place {
    /// The cell of the blank.
    pub fn blank(self) -> u8 {
        self.blank
    }

    /// The rank of the permutation of the tiles that are not placed.
    #[inline]
    pub fn rank(self) -> usize {
        self.rank as usize
    }
}

impl States {
    /// The moves from `place`.
    #[inline]
    pub fn moves(&self, place: Place) -> MoveSet {
        self.steps.moves[usize::from(place.blank) % 16]
    }

    /// The place after the legal move `m`, without a branch.
    #[inline]
    pub fn moved(&self, place: Place, m: Move) -> Place {
        let (steps, m) = (&self.steps, m.index());
        let to = steps.targets[usize::from(place.blank) % 16][m];
        let label = place.board >> (4 * to) & 15;
        // Of a width of three at most, two tiles lie between; all else is passed at no gain.
        let between = place.board >> (4 * to.min(place.blank) + 4) | !steps.passed[m];
        let gains = &steps.gains[label as usize];
        let gain = gains[between as usize & 15] + gains[between as usize >> 4 & 15];
        let change = (label ^ BLANK) << (4 * to) | (label ^ BLANK) << (4 * place.blank);
        let further = i32::from(place.blank) - i32::from(to);
        let code = further * (steps.weights[label as usize] - 1);
        Place {
            board: place.board ^ change,
            code: place.code.wrapping_add_signed(code),
            rank: place.rank.wrapping_add_signed(steps.directions[m] * gain),
            blank: to,
        }
    }

    /// The placement of `place`.
    #[inline]
    pub fn placement_of(&self, place: Place) -> usize {
        self.placement(place.code)
    }

    /// The bytes that the numbers take.
    pub fn bytes(&self) -> u64 {
        let codes = self.codes.iter().map(Vec::len).sum::<usize>();
        (size_of_val(&*self.placements) + codes * size_of::<u32>()) as u64
    }

    /// The parity of the distance of `place`.
    #[inline]
    pub fn parity(&self, place: Place) -> u32 {
        self.half(place.blank.into()) as u32
    }
}
