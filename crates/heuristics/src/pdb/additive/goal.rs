//! The patterns for a goal, whole or partial.

use loyd_tiles::{BoardSpace, CellSet};

use super::named::compact;
use super::partition::Partition;
use crate::pdb::Orientation;

impl Partition {
    /// What is used for the goal of `space` when nothing is said: [`default_for`](Self::default_for), or for a
    /// partial goal [`compact`] patterns of the tiles that it constrains. None if it constrains no tile, or
    /// the board has more than 36 cells.
    pub fn for_goal<S: BoardSpace>(space: &S) -> Option<Self> {
        let labels = space.relabelling();
        let orientation = Orientation::new(labels)?;
        let (size, blank) = (orientation.size(), orientation.blank());
        let Some(partial) = space.partial_goal() else {
            return Some(Self::default_for(size, blank));
        };
        let constrained = (0..size.tiles() as u8).filter(|&label| space.is_constrained(label));
        let goals: CellSet = constrained.map(|label| orientation.goal(label)).collect();
        let blanks = partial.blank_cells().into_iter().map(|cell| orientation.cell(cell));
        let blanks: CellSet = blanks.collect();
        let groups = compact(size, goals).into_iter().map(|cells| (cells, blanks)).collect();
        let partition = Self::with_ends(size, blank, groups).expect("compact patterns are small");
        (!goals.is_empty()).then_some(partition)
    }
}
