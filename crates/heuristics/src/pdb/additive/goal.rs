//! The patterns for a goal, whole or partial.

use loyd_tiles::{CellSet, PartialGoal, Relabelling};

use super::named::compact;
use super::partition::Partition;
use crate::pdb::Orientation;

impl Partition {
    /// What is used for the goal of `labels` when nothing is said: [`default_for`](Self::default_for), or for
    /// the partial goal that it meets [`compact`] patterns of the tiles that are constrained. None if no tile
    /// is, or the board has more than 36 cells.
    pub fn for_goal(labels: &Relabelling, partial: Option<&PartialGoal>) -> Option<Self> {
        let orientation = Orientation::new(labels)?;
        let (size, blank) = (orientation.size(), orientation.blank());
        let Some(partial) = partial else {
            return Some(Self::default_for(size, blank));
        };
        let constrained = partial.constrained(labels).into_iter();
        let goals: CellSet = constrained.map(|label| orientation.goal(label)).collect();
        let blanks = partial.blank_cells().into_iter().map(|cell| orientation.cell(cell));
        let blanks: CellSet = blanks.collect();
        let groups = compact(size, goals).into_iter().map(|cells| (cells, blanks)).collect();
        let partition = Self::with_ends(size, blank, groups).expect("compact patterns are small");
        (!goals.is_empty()).then_some(partition)
    }
}
