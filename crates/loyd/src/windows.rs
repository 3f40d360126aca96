//! Windows of a sequence of moves, solved again: where there is a shorter way between two boards on it.

use std::ops::Range;

use loyd_search::{CancelToken, Limits, Meter, Stop};
use loyd_tiles::{Board, Metric, Move, runs};

use crate::algorithms::BIBFS;
use crate::config::Config;
use crate::fast::{Shorter, Ways};
use crate::problem::Problem;
use crate::report::Status;
use crate::solver::Solver;

/// The moves in `metric` that `steps` of the blank make up: single ones, or the longest slides.
pub fn moves_in(metric: Metric, steps: &[Move]) -> Vec<Vec<Move>> {
    match metric {
        Metric::SingleTile => steps.iter().map(|&step| vec![step]).collect(),
        Metric::MultiTile => runs(steps).map(<[Move]>::to_vec).collect(),
    }
}

/// Moves in a metric, and the boards before and after each.
pub(crate) struct Played {
    pub metric: Metric,
    pub moves: Vec<Vec<Move>>,
    pub boards: Vec<Board>,
}

impl Played {
    /// Makes `steps` on `start`.
    ///
    /// # Errors
    /// The number of the step that takes the blank off the board, from 1, and the step.
    pub fn new(metric: Metric, start: &Board, steps: &[Move]) -> Result<Self, (usize, Move)> {
        let moves = moves_in(metric, steps);
        let (mut board, mut boards, mut number) = (start.clone(), vec![start.clone()], 0);
        for steps in &moves {
            for &direction in steps {
                number += 1;
                board.apply(direction).map_err(|_| (number, direction))?;
            }
            boards.push(board.clone());
        }
        Ok(Self { metric, moves, boards })
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The steps of all moves, with `shortcuts` in the order of play.
    pub fn with(&self, shortcuts: &[Shortcut]) -> Vec<Move> {
        let (mut steps, mut at) = (Vec::new(), 0);
        for Shortcut { at: moves, moves: way } in shortcuts {
            steps.extend(self.moves[at..moves.start].iter().chain(way).flatten());
            at = moves.end;
        }
        steps.extend(self.moves[at..].iter().flatten());
        steps
    }

    /// The last board.
    pub fn end(&self) -> &Board {
        &self.boards[self.len()]
    }
}

/// A shorter way between two boards.
#[derive(Clone, Debug)]
pub(crate) struct Shortcut {
    /// The moves in place of which it can be made.
    pub at: Range<usize>,
    /// Its moves.
    pub moves: Vec<Vec<Move>>,
}

impl Shortcut {
    /// Leaves out what it has in common with `played` at both ends.
    fn trimmed(mut self, played: &Played) -> Self {
        let same = |a: &[Move], b: &[Move]| a == b;
        while self.moves.first().is_some_and(|m| same(m, &played.moves[self.at.start])) {
            self.moves.remove(0);
            self.at.start += 1;
        }
        while self.moves.last().is_some_and(|m| same(m, &played.moves[self.at.end - 1])) {
            self.moves.pop();
            self.at.end -= 1;
        }
        self
    }
}

/// How many windows of a sweep were decided, and how many took too many expansions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Swept {
    pub decided: usize,
    pub open: usize,
}

/// Finds shortest ways between boards that are not far from each other.
pub(crate) struct Windows<'a> {
    way: Way,
    cancel: &'a CancelToken,
}

enum Way {
    Steps(Box<Ways>),
    /// Searches from both ends, which need no heuristic: a slide brings many tiles nearer at once.
    Slides(Box<Solver>),
}

impl<'a> Windows<'a> {
    /// Windows between boards of which `board` is one, with the metric and the clock of `config`.
    pub fn new(config: &Config, board: &Board, cancel: &'a CancelToken) -> Self {
        let Config { metric, limits, clock, .. } = *config;
        let way = match metric {
            Metric::SingleTile => Way::Steps(Box::new(Ways::new(board))),
            Metric::MultiTile => {
                let algorithm = Some(BIBFS.name);
                let config = Config { metric, algorithm, limits, clock, ..Config::default() };
                let solver = Solver::new(config).expect("the algorithm fits all boards");
                Way::Slides(Box::new(solver))
            }
        };
        Self { way, cancel }
    }

    /// A shortest way between two boards if it is shorter than `length`, and found with at most `nodes` expansions.
    fn shorter(
        &self,
        [from, to]: [&Board; 2],
        length: usize,
        nodes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Shorter, Stop> {
        let solver = match &self.way {
            Way::Steps(ways) => return ways.shorter([from, to], length, nodes, meter),
            Way::Slides(solver) => solver,
        };
        let problem = Problem::between(from.clone(), to.clone()).expect("they have the same size");
        let left = meter.left();
        let max_expanded = Some(left.max_expanded.map_or(nodes, |left| left.min(nodes)));
        let limits = Limits { max_expanded, max_depth: u32::try_from(length - 1).ok(), ..left };
        let report = solver.solve_within(limits, &problem, self.cancel, None);
        let report = report.expect("the configuration fits all boards");
        meter.charge(&report.stats);
        meter.check()?;
        Ok(match (report.status, report.moves) {
            (_, Some(moves)) if Metric::MultiTile.length(&moves) < length => Shorter::Way(moves),
            (Status::Stopped(Stop::Depth), _) | (_, Some(_)) => Shorter::None,
            _ => Shorter::Unknown,
        })
    }

    /// Looks for shortcuts of windows of `length` moves within `moves` of what was played, from the first to the last;
    /// no two of them have a move in common. A window may take `nodes` expansions.
    ///
    /// # Errors
    /// The limit that was reached; what was found is in `found` all the same.
    pub fn sweep(
        &self,
        played: &Played,
        moves: Range<usize>,
        (length, nodes): (usize, u64),
        meter: &mut Meter<'_>,
        found: &mut Vec<Shortcut>,
    ) -> Result<Swept, Stop> {
        let (mut from, mut swept) = (moves.start, Swept::default());
        while from < moves.end {
            let to = moves.end.min(from + length);
            let ends = [&played.boards[from], &played.boards[to]];
            match self.shorter(ends, to - from, nodes, meter)? {
                Shorter::Way(steps) => {
                    let moves = moves_in(played.metric, &steps);
                    let shortcut = Shortcut { at: from..to, moves }.trimmed(played);
                    from = shortcut.at.end;
                    found.push(shortcut);
                    swept.decided += 1;
                    continue;
                }
                Shorter::None => swept.decided += 1,
                Shorter::Unknown => swept.open += 1,
            }
            if to == moves.end {
                break;
            }
            from += length / 3 + 1;
        }
        Ok(swept)
    }
}
