//! Which moves a path may go on with: an automaton, as rows of a table.

use loyd_heuristics::pdb::Words;
use loyd_tiles::{Cell, Move, Size};

/// An automaton over the moves of the blank. In each of its states a row tells for each move of [`Move::ALL`] the next
/// state, or [`FORBIDDEN`](Self::FORBIDDEN) where the move is illegal or never needed.
#[derive(Debug)]
pub struct MoveRows {
    /// The size of the boards, if it matters.
    size: Option<Size>,
    /// Two words a row.
    rows: Words,
    starts: Vec<u32>,
    /// The cell of the blank in each state, and [`NOWHERE`] for states that no path reaches.
    cells: Vec<u8>,
}

const NOWHERE: u8 = u8::MAX;

impl MoveRows {
    /// In place of a next state: the move is illegal or never needed.
    pub const FORBIDDEN: u32 = u32::MAX;

    /// The automaton with these rows, which begins in one of the states `starts`, by the cell of the blank; `None` if
    /// a state is named that there is not, a move is allowed that leads off a board of `size`, or there is no memory.
    ///
    /// Cost: time in proportion to the rows, and for that time half as much memory again.
    pub fn new(
        size: Size,
        rows: impl ExactSizeIterator<Item = [u32; 4]>,
        starts: Vec<u32>,
    ) -> Option<Self> {
        if starts.len() != size.cells() {
            return None;
        }
        let words = held(rows)?;
        let rows: &[[u32; 4]] = bytemuck::cast_slice(&words);
        let (mut cells, mut reached) = (Vec::new(), Vec::new());
        cells.try_reserve_exact(rows.len()).ok()?;
        cells.resize(rows.len(), NOWHERE);
        reached.try_reserve_exact(rows.len()).ok()?;
        let mut reach = |state: u32, cell: u8, reached: &mut Vec<(u32, u8)>| {
            let known = cells.get_mut(state as usize)?;
            if *known == NOWHERE {
                *known = cell;
                reached.push((state, cell));
            }
            (*known == cell).then_some(())
        };
        for (&state, cell) in starts.iter().zip(0..) {
            reach(state, cell, &mut reached)?;
        }
        // Breadth first, as states are numbered: so it goes through the rows in the order in which they lie.
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

    /// The automaton that refuses to take the last move back. Its states tell the cell of the blank and the moves
    /// that are refused.
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

    /// The automaton that allows one move only, wherever the blank is: where that is legal is for the caller to know.
    pub(crate) fn single(m: Move) -> Self {
        let mut row = [Self::FORBIDDEN; 4];
        row[m.index()] = 0;
        let rows = held([row].into_iter()).expect("memory for a row");
        Self { size: None, rows, starts: vec![0], cells: Vec::new() }
    }

    /// The size of the boards on which all moves stay.
    pub(crate) fn size(&self) -> Option<Size> {
        self.size
    }

    /// The rows.
    pub fn rows(&self) -> &[[u32; 4]] {
        bytemuck::cast_slice(&self.rows)
    }

    /// The states in which a search begins, by the cell of the blank.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The state in which a search begins that has the blank on this cell.
    pub fn start(&self, cell: u8) -> u32 {
        self.starts[usize::from(cell)]
    }

    /// Whether a path can be in this state when the blank is on this cell.
    pub(crate) fn has(&self, state: u32, cell: u8) -> bool {
        self.cells.get(state as usize) == Some(&cell)
    }

    /// The bytes of the rows.
    pub fn bytes(&self) -> u64 {
        Words::held_bytes(self.rows.len()) + self.cells.len() as u64
    }
}

/// Rows in memory for large tables; `None` if there is none.
fn held(rows: impl ExactSizeIterator<Item = [u32; 4]>) -> Option<Words> {
    let mut words = Words::zeroed(2 * rows.len()).ok()?;
    let places: &mut [[u32; 4]] = bytemuck::cast_slice_mut(&mut words);
    places.iter_mut().zip(rows).for_each(|(place, row)| *place = row);
    Some(words)
}
