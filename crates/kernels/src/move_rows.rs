//! Move-pruning automata as tables.

use loyd_heuristics::pdb::Words;
use loyd_tiles::{Cell, Move, Size};

/// A finite automaton over the moves of the blank, which prunes redundant moves.
///
/// Has one row per state with, for each move of [`Move::ALL`], the next state (32 bits), or
/// [`FORBIDDEN`](Self::FORBIDDEN) if the move is illegal or redundant.
#[derive(Debug)]
pub struct MoveRows {
    /// The size of the boards, or `None` if it does not matter.
    size: Option<Size>,
    /// The rows, two 64-bit words each.
    rows: Words,
    /// Initial state by cell of the blank.
    starts: Vec<u32>,
    /// The cell of the blank in each state, or [`UNREACHED`] if no path leads to the state.
    cells: Vec<u8>,
}

/// Marks states that no path reaches.
const UNREACHED: u8 = u8::MAX;

impl MoveRows {
    /// Stands for a move that is illegal or redundant, in place of the next state.
    pub const FORBIDDEN: u32 = u32::MAX;

    /// Creates the automaton with these rows. `starts` are the initial states by cell of the blank.
    ///
    /// Returns `None` if a state has no row, is reached with the blank on different cells, or allows a move off a board
    /// of `size`; if there is not one start for each cell; or if memory runs out.
    ///
    /// Cost: time linear in the number of rows; while it runs, half as much memory again.
    pub fn new(
        size: Size,
        rows: impl ExactSizeIterator<Item = [u32; 4]>,
        starts: Vec<u32>,
    ) -> Option<Self> {
        if starts.len() != size.cells() {
            return None;
        }
        let words = copy_rows(rows)?;
        let rows: &[[u32; 4]] = bytemuck::cast_slice(&words);
        let (mut cells, mut reached) = (Vec::new(), Vec::new());
        cells.try_reserve_exact(rows.len()).ok()?;
        cells.resize(rows.len(), UNREACHED);
        reached.try_reserve_exact(rows.len()).ok()?;
        let mut reach = |state: u32, cell: u8, reached: &mut Vec<(u32, u8)>| {
            let known = cells.get_mut(state as usize)?;
            if *known == UNREACHED {
                *known = cell;
                reached.push((state, cell));
            }
            (*known == cell).then_some(())
        };
        for (&state, cell) in starts.iter().zip(0..) {
            reach(state, cell, &mut reached)?;
        }
        // Breadth-first, which is how states are numbered: the rows are read in the order of their addresses.
        let mut next = 0;
        while let Some(&(state, cell)) = reached.get(next) {
            next += 1;
            let cell = Cell::new(cell.into());
            for (&after, m) in rows[state as usize].iter().zip(Move::ALL) {
                if after != Self::FORBIDDEN {
                    reach(after, size.neighbour(cell, m)?.index() as u8, &mut reached)?;
                }
            }
        }
        Some(Self { size: Some(size), rows: words, starts, cells })
    }

    /// Returns the automaton that forbids only the inverse of the last move. State 16c + f has the blank on cell c and
    /// forbids the moves with bits in f.
    pub fn no_undo(size: Size) -> Self {
        let state = |cell: usize, refused: usize| (16 * cell + refused) as u32;
        let row = |cell: usize, refused: usize| {
            std::array::from_fn(|step| match size.neighbour(Cell::new(cell), Move::ALL[step]) {
                Some(to) if refused >> step & 1 == 0 => state(to.index(), 8 >> step),
                _ => Self::FORBIDDEN,
            })
        };
        let cells = 0..size.cells();
        let all = cells.clone().flat_map(|cell| (0..16).map(move |refused| row(cell, refused)));
        let starts = cells.map(|cell| state(cell, 0)).collect();
        let all: Vec<_> = all.collect();
        Self::new(size, all.into_iter(), starts).expect("the moves stay on the board")
    }

    /// Returns the automaton that allows a single move, wherever the blank is. The caller ensures that it is legal.
    pub(crate) fn single(m: Move) -> Self {
        let mut row = [Self::FORBIDDEN; 4];
        row[m.index()] = 0;
        let rows = copy_rows([row].into_iter()).expect("memory for a row");
        Self { size: None, rows, starts: vec![0], cells: Vec::new() }
    }

    /// Returns the size of the boards on which all allowed moves are legal.
    pub(crate) fn size(&self) -> Option<Size> {
        self.size
    }

    /// Returns the rows by state.
    pub fn rows(&self) -> &[[u32; 4]] {
        bytemuck::cast_slice(&self.rows)
    }

    /// Returns the initial states by cell of the blank.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the initial state for a blank on `cell`.
    pub fn start(&self, cell: u8) -> u32 {
        self.starts[usize::from(cell)]
    }

    /// Returns the cell of the blank in `state`, or `None` if no path leads to the state.
    pub(crate) fn cell(&self, state: u32) -> Option<u8> {
        self.cells.get(state as usize).copied().filter(|&cell| cell != UNREACHED)
    }

    /// Returns whether a path can be in `state` with the blank on `cell`.
    pub(crate) fn has(&self, state: u32, cell: u8) -> bool {
        self.cell(state) == Some(cell)
    }

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> u64 {
        Words::allocated_bytes(self.rows.len()) + self.cells.len() as u64
    }
}

/// Copies rows into memory for large tables. Returns `None` if memory runs out.
fn copy_rows(rows: impl ExactSizeIterator<Item = [u32; 4]>) -> Option<Words> {
    let mut words = Words::zeroed(2 * rows.len()).ok()?;
    let places: &mut [[u32; 4]] = bytemuck::cast_slice_mut(&mut words);
    places.iter_mut().zip(rows).for_each(|(place, row)| *place = row);
    Some(words)
}
