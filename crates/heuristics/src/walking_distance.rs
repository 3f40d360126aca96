//! How many vertical and how many horizontal moves the tiles need at least, all together.

use std::collections::HashMap;
use std::sync::Arc;

use loyd_search::{Cost, Heuristic, IncrementalHeuristic, Meter, Stop, level_by_level};
use loyd_tiles::{Cell, Move, Relabelling, Size, StepSpace};

/// Walking distance: the vertical moves that a board needs if tiles of the same goal row are interchangeable and
/// stand in a row in any order, and the same for columns and horizontal moves.
///
/// Admissible and consistent: a move changes one of the two boards, and no two moves are the same.
/// Carried along: the numbers of both in tables of all such boards, which a move changes by a look at
/// one of them. 4x4: 24,964 such boards each way, 5 MB, made in some hundredths of a second; 2x6 and
/// 3x5, the largest, take 100 MB and seconds.
///
/// # References
/// Ken'ichiro Takahashi (takaken), the author of walking distance and of inversion distance, on his pages
/// about solving the 15-puzzle.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    rows: Arc<Lines>,
    columns: Arc<Lines>,
    /// The goal row and the goal column of each label.
    goals: Vec<(u8, u8)>,
}

/// What [`WalkingDistance`] carries along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    rows: Place,
    columns: Place,
}

/// A state of [`Lines`] in the low 24 bits, its distance from the goal in the high 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place(u32);

impl Place {
    fn new(index: usize, distance: Cost) -> Self {
        Self(distance << 24 | index as u32)
    }

    fn index(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }

    fn distance(self) -> Cost {
        self.0 >> 24
    }
}

/// How many tiles of each goal line are in each line (`counts[line · lines + goal line]`), and, last,
/// the line of the blank.
type Counts = Vec<u8>;

/// All states of one direction.
#[derive(Debug)]
struct Lines {
    lines: usize,
    places: HashMap<Counts, Place>,
    /// `next[(state · 2 + way) · lines + goal line]`: where it leads if the blank goes to the line
    /// before (0) or after (1), and a tile of that goal line takes its place. The last state stands for
    /// all boards that cannot become the goal: nothing leads out of it.
    next: Vec<Place>,
}

impl WalkingDistance {
    /// Whether the tables are offered for boards of `size`: at most 16 cells and, if there is more than
    /// one row and column, at most six of each. Others would have millions of states.
    pub fn fits(size: Size) -> bool {
        size.cells() <= 16 && (size.is_line() || size.width().max(size.height()) <= 6)
    }

    /// Makes the tables for the goal of `labels`; a single one where rows and columns need the same.
    ///
    /// # Errors
    /// The limit of `meter` that was reached.
    ///
    /// # Panics
    /// If the boards do not [fit](Self::fits).
    pub fn new(labels: &Relabelling, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let size = labels.goal().size();
        assert!(Self::fits(size), "walking distance has no tables for {size} boards");
        let line = |cell: Cell| (size.row(cell) as u8, size.column(cell) as u8);
        let goals = (0..size.tiles() as u8).map(|label| line(labels.goal_cell(label))).collect();
        let (row, column) = line(labels.goal().blank());
        let rows = Arc::new(Lines::new(size.height(), size.width(), row, meter)?);
        let columns = match size.width() == size.height() && row == column {
            true => Arc::clone(&rows),
            false => Arc::new(Lines::new(size.width(), size.height(), column, meter)?),
        };
        Ok(Self { rows, columns, goals })
    }

    /// The bytes that the tables hold.
    pub fn bytes(&self) -> u64 {
        let shared = Arc::ptr_eq(&self.rows, &self.columns);
        self.rows.bytes() + if shared { 0 } else { self.columns.bytes() }
    }
}

impl Lines {
    /// Breadth-first search from the goal, in which the blank is in `goal_blank`.
    fn new(
        lines: usize,
        width: usize,
        goal_blank: u8,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let mut goal = vec![0; lines * lines + 1];
        for line in 0..lines {
            goal[line * (lines + 1)] = (width - usize::from(line == usize::from(goal_blank))) as u8;
        }
        goal[lines * lines] = goal_blank;
        let mut found = vec![goal.clone()];
        let mut all =
            Self { lines, places: HashMap::from([(goal, Place::new(0, 0))]), next: Vec::new() };
        // No place has this index until all are found.
        let lost = Place(u32::MAX);
        let (mut at, mut held) = (0, 0);
        level_by_level(1, |distance, met| {
            while at < met as usize {
                while held < found.len() {
                    meter.reserve_more(64 * all.bytes_a_state())?;
                    held += 64;
                }
                let counts = found[at].clone();
                at += 1;
                if at % 1024 == 0 {
                    meter.check()?;
                }
                for (way, goal_line) in
                    (0..2).flat_map(|way| (0..lines).map(move |line| (way, line)))
                {
                    let place = moved(&counts, lines, way, goal_line).map(|child| {
                        *all.places.entry(child).or_insert_with_key(|child| {
                            found.push(child.clone());
                            Place::new(found.len() - 1, distance as Cost)
                        })
                    });
                    all.next.push(place.unwrap_or(lost));
                }
            }
            Ok(found.len() as u64 - met)
        })?;
        let nowhere = all.nowhere();
        all.next.extend(vec![nowhere; 2 * lines]);
        all.next.iter_mut().filter(|place| **place == lost).for_each(|place| *place = nowhere);
        Ok(all)
    }

    /// The place of boards that cannot become the goal; any estimate is right for them.
    fn nowhere(&self) -> Place {
        Place::new(self.places.len(), 0)
    }

    /// The transitions, and the counts in the map and in the list of those found, with what hashing and
    /// allocating take.
    fn bytes_a_state(&self) -> u64 {
        let lines = self.lines as u64;
        16 * lines + 2 * lines * lines + 96
    }

    fn bytes(&self) -> u64 {
        self.places.len() as u64 * self.bytes_a_state()
    }

    /// The place of a board, given the line of each cell and the goal line of its tile, `None` for the
    /// blank.
    fn place(&self, cells: impl Iterator<Item = (usize, Option<usize>)>) -> Place {
        let mut counts = vec![0; self.lines * self.lines + 1];
        for (line, goal) in cells {
            match goal {
                Some(goal) => counts[line * self.lines + goal] += 1,
                None => counts[self.lines * self.lines] = line as u8,
            }
        }
        self.places.get(&counts).copied().unwrap_or_else(|| self.nowhere())
    }

    #[inline]
    fn step(&self, place: Place, way: usize, goal_line: u8) -> Place {
        self.next[(place.index() * 2 + way) * self.lines + usize::from(goal_line)]
    }
}

/// The counts after the blank has gone to the line before or after, and a tile of `goal_line` has come
/// from there; `None` if there is no such line or tile.
fn moved(counts: &[u8], lines: usize, way: usize, goal_line: usize) -> Option<Counts> {
    let to = usize::from(counts[lines * lines]);
    let from = if way == 0 { to.checked_sub(1)? } else { to + 1 };
    if from == lines || counts[from * lines + goal_line] == 0 {
        return None;
    }
    let mut counts = counts.to_vec();
    counts[from * lines + goal_line] -= 1;
    counts[to * lines + goal_line] += 1;
    counts[lines * lines] = from as u8;
    Some(counts)
}

impl<S: StepSpace> Heuristic<S> for WalkingDistance {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        IncrementalHeuristic::<S>::value(self, &self.memo(space, state))
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for WalkingDistance {
    type Memo = Walk;
    const SPECIALIZE: bool = true;

    fn memo(&self, space: &S, state: &S::State) -> Walk {
        let (size, blank) = (space.size(), space.blank(state));
        let goal = |cell| match cell == blank {
            true => None,
            false => Some(self.goals[usize::from(space.label(state, cell))]),
        };
        let row = |cell| (size.row(cell), goal(cell).map(|(row, _)| row.into()));
        let column = |cell| (size.column(cell), goal(cell).map(|(_, column)| column.into()));
        Walk {
            rows: self.rows.place(size.iter_cells().map(row)),
            columns: self.columns.place(size.iter_cells().map(column)),
        }
    }

    #[inline]
    fn update(&self, space: &S, walk: Walk, parent: &S::State, m: Move, _: &S::State) -> Walk {
        let (row, column) = self.goals[usize::from(space.moving(parent, m))];
        let way = usize::from(matches!(m, Move::Down | Move::Right));
        match m {
            Move::Up | Move::Down => Walk { rows: self.rows.step(walk.rows, way, row), ..walk },
            Move::Left | Move::Right => {
                Walk { columns: self.columns.step(walk.columns, way, column), ..walk }
            }
        }
    }

    #[inline]
    fn value(&self, walk: &Walk) -> Cost {
        walk.rows.distance() + walk.columns.distance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_15_puzzle_has_as_many_states_as_takahashi_counted() {
        for blank in [0, 3] {
            let lines = Lines::new(4, 4, blank, &mut Meter::default()).unwrap();
            assert_eq!(lines.places.len(), 24_964);
        }
    }
}
