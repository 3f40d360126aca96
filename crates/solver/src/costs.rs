//! Costs by tile as integers: multiples of one over the common denominator of all costs, so that sums are exact.

use loyd_search::Cost;
use loyd_tiles::{Board, Move, Relabelling, Size};

use crate::error::Error;
use crate::problem::Problem;
use crate::report::{CostReport, Report};
use crate::tile_costs::{Fraction, TileCosts, gcd};

/// Maximum cost of a path, in multiples of one over the common denominator. The cost of another move can be added
/// without overflow of [`Cost`].
pub(crate) const LONGEST_PATH: Cost = 3 << 30;

/// Maximum of the sum of all tiles' costs times the longest distance. The heuristic of any board then fits a
/// [`Cost`], and so does the cost of a path a few times as expensive.
const LARGEST_ESTIMATE: u64 = (1 << 30) - 1;

/// The costs of the tiles of a board, as multiples of one over their common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScaledCosts {
    costs: TileCosts,
    /// The cost of tile n times the denominator, at index n − 1.
    pub by_tile: Vec<Cost>,
    denominator: u64,
}

impl ScaledCosts {
    /// Returns `costs` for boards of `size`, or `None` if each tile costs 1.
    ///
    /// # Errors
    /// Returns an error if the list does not have a cost for each tile, or if the common denominator is so large that
    /// sums would not be exact.
    pub fn new(costs: &TileCosts, size: Size) -> Result<Option<Self>, Error> {
        if costs.is_unit() {
            return Ok(None);
        }
        let Some(by_tile) = costs.by_tile(size.tiles()) else {
            return Err(Error::CostCount { costs: costs.to_string().split(',').count(), size });
        };
        let scaled = scale(costs, &by_tile).filter(|scaled| {
            let distance = (size.width() + size.height() - 2) as u64;
            let sum: u64 = scaled.by_tile.iter().map(|&cost| u64::from(cost)).sum();
            sum.saturating_mul(distance) <= LARGEST_ESTIMATE
        });
        scaled.map(Some).ok_or_else(|| Error::CostRange { costs: costs.to_string(), size })
    }

    /// Returns whether some tile costs nothing.
    pub fn has_free_tiles(&self) -> bool {
        self.by_tile.contains(&0)
    }

    /// Returns the cost of `moves` from `start`.
    ///
    /// # Panics
    /// Panics if a move takes the blank off the board.
    fn of_path(&self, start: &Board, moves: &[Move]) -> Fraction {
        let mut board = start.clone();
        let mut sum = 0;
        for &m in moves {
            let before = board.blank();
            board.apply(m).expect("a solution has legal moves");
            sum += u64::from(self.by_tile[board.tile(before).index() - 1]);
        }
        self.exact(sum)
    }

    /// Adds the costs to the report of a search that proved the lower bound `least`.
    pub fn add_to(&self, report: Report, least: Option<Cost>) -> Report {
        let start = report.problem.start();
        let total = report.moves.as_deref().map(|moves| self.of_path(start, moves));
        let least = least.map(|least| self.exact(least.max(self.estimate(&report.problem)).into()));
        let costs = CostReport { by_tile: self.costs.clone(), total, least, unit: self.exact(1) };
        Report { costs: Some(costs), ..report }
    }

    /// Returns the cost of moving each tile to its goal cell if no other tile were in the way.
    fn estimate(&self, problem: &Problem) -> Cost {
        let (start, goal) = (problem.start(), problem.goal());
        let goal_cells = Relabelling::new(goal);
        let size = start.size();
        let cells = size.iter_cells().filter(|&cell| cell != start.blank());
        let cost = |cell| {
            let tile = start.tile(cell);
            let distance = size.distance(cell, goal_cells.goal_cell(goal_cells.label(tile)));
            distance * self.by_tile[tile.index() - 1]
        };
        cells.map(cost).sum()
    }

    /// Returns the fraction `multiples` over the denominator.
    fn exact(&self, multiples: u64) -> Fraction {
        Fraction::new(multiples, self.denominator).expect("a denominator is at least 1")
    }
}

/// Scales the fractions to their least common denominator. Returns `None` on overflow.
fn scale(costs: &TileCosts, by_tile: &[Fraction]) -> Option<ScaledCosts> {
    let denominator = by_tile.iter().try_fold(1_u64, |common, cost| {
        let own = cost.denominator();
        (common / gcd(common, own)).checked_mul(own)
    })?;
    let scaled = |cost: &Fraction| {
        let times = denominator / cost.denominator();
        Cost::try_from(cost.numerator().checked_mul(times)?).ok()
    };
    let by_tile = by_tile.iter().map(scaled).collect::<Option<_>>()?;
    Some(ScaledCosts { costs: costs.clone(), by_tile, denominator })
}
